use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{Table, presets};
use topotrace_core::Digest;
use topotrace_dataset::Dataset;
use topotrace_dataset::leaks::{Leaks, Side, States};

use crate::failure::{Failure, say};
use crate::progress;
use crate::whole_file::write_whole;

/// How many states in several splits are named.
const NAMED: usize = 5;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of a dataset.
    a: PathBuf,
    /// The folder of another dataset.
    b: PathBuf,
    /// Write everything to this file as well.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let a = read(&arguments.a, arguments.quiet)?;
    let b = read(&arguments.b, arguments.quiet)?;
    let leaks = Leaks::between(&a, &b);
    if let Some(path) = &arguments.json {
        let mut text = serde_json::to_string_pretty(&leaks)?;
        text.push('\n');
        write_whole(path, text.as_bytes())?;
    }
    if leaks.is_clean() {
        return say(format!(
            "no state is shared: {} states of {} rows and {} states of {} rows",
            leaks.a.states, leaks.a.rows, leaks.b.states, leaks.b.rows
        ));
    }
    if leaks.shared_states > 0 {
        say(table(&leaks))?;
    }
    say_torn(&arguments.a, &leaks.a)?;
    say_torn(&arguments.b, &leaks.b)?;
    Err(Failure::new(format!(
        "{} states are shared; {} lie in several splits of one dataset",
        leaks.shared_states,
        leaks.a.torn_states + leaks.b.torn_states
    )))
}

fn read(folder: &Path, quiet: bool) -> Result<States, Failure> {
    let dataset = Dataset::open(folder)?;
    let bar = progress::bar(quiet);
    bar.set_length(dataset.manifest().rows());
    bar.set_message(folder.display().to_string());
    let states = States::read(&dataset, &mut |done| bar.set_position(done));
    bar.finish_and_clear();
    Ok(states?)
}

fn table(leaks: &Leaks) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["scene", "A", "B", "states", "rows of A", "rows of B", "first of A", "first of B"]);
    for shared in &leaks.shared {
        table.add_row([
            shared.scene.clone(),
            shared.split_a.to_string(),
            shared.split_b.to_string(),
            shared.states.to_string(),
            shared.rows_a.to_string(),
            shared.rows_b.to_string(),
            ids(&shared.ids_a),
            ids(&shared.ids_b),
        ]);
    }
    table
}

fn ids(ids: &[Digest]) -> String {
    ids.iter().map(Digest::to_string).collect::<Vec<_>>().join("\n")
}

fn say_torn(folder: &Path, side: &Side) -> Result<(), Failure> {
    for torn in side.torn.iter().take(NAMED) {
        let splits: Vec<&str> = torn.splits.iter().map(|split| split.name()).collect();
        say(format!(
            "{}: state {} of {} lies in {}: {}",
            folder.display(),
            torn.state_hash,
            torn.scene,
            splits.join(" and "),
            ids(&torn.ids).replace('\n', ", ")
        ))?;
    }
    match side.torn_states.saturating_sub(NAMED as u64) {
        0 => Ok(()),
        more => say(format!("{}: and {more} more", folder.display())),
    }
}
