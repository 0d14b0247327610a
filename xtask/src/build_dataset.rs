use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use topotrace_core::{Difficulty, Split};
use topotrace_dataset::{
    BuildOptions, GateOutcome, Manifest, Plan, PlanOptions, PngEffort, Preset, Selection,
};

use crate::failure::{Failure, say};
use crate::progress;
use crate::settings::{collect_overrides, parse_difficulty, parse_override};

#[derive(Args)]
pub(crate) struct Arguments {
    /// A named composition: `smoke` or `full`.
    #[arg(long, conflicts_with_all = ["tasks", "tiers", "count", "split", "overrides"])]
    preset: Option<Preset>,
    /// Tasks, or scenes for all their programs; all tasks where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TASK,…")]
    tasks: Vec<String>,
    /// Tiers or difficulties from 0 to 1.25; the three tiers where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TIER,…", value_parser = parse_difficulty)]
    tiers: Vec<Difficulty>,
    /// Instances of each task, tier and split.
    #[arg(long, default_value_t = 64)]
    count: u32,
    /// The splits to fill.
    #[arg(long, value_delimiter = ',', value_name = "SPLIT,…", default_value = "train")]
    split: Vec<SplitArgument>,
    /// Set one parameter by itself, such as `grid=7`; the value is JSON. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    overrides: Vec<(String, String)>,
    /// The folder of the dataset.
    #[arg(long)]
    out: PathBuf,
    /// The build seed: another one gives other instances.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Pixels on the longer side of every picture.
    #[arg(long, default_value_t = 1024)]
    size: u32,
    /// One theme for every picture instead of one drawn for each.
    #[arg(long)]
    theme: Option<String>,
    /// How hard to compress pictures: `small` takes five times as long for a third of the bytes.
    #[arg(long, value_enum, default_value_t = PngArgument::Fast)]
    png: PngArgument,
    /// Threads; as many as there are processors where none is given. The bytes are the same.
    #[arg(long)]
    threads: Option<usize>,
    /// Replace the dataset that lies in the folder.
    #[arg(long)]
    overwrite: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum SplitArgument {
    Train,
    Validation,
    Test,
}

#[derive(Clone, Copy, ValueEnum)]
enum PngArgument {
    Fast,
    Small,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let plan = plan(&arguments)?;
    let options = BuildOptions {
        threads: arguments.threads,
        png: match arguments.png {
            PngArgument::Fast => PngEffort::Fast,
            PngArgument::Small => PngEffort::Small,
        },
        overwrite: arguments.overwrite,
        ..BuildOptions::default()
    };
    let bar = progress::bar(arguments.quiet);
    let begun = Instant::now();
    let manifest = topotrace_dataset::build(&plan, &arguments.out, &options, &mut |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(progress.current.to_owned());
    })?;
    bar.finish_and_clear();
    let seconds = begun.elapsed().as_secs_f64();
    say(format!(
        "{} instances in {seconds:.1} s ({:.0} a second) in {}",
        manifest.rows(),
        manifest.rows() as f64 / seconds,
        arguments.out.display()
    ))?;
    report_gates(&manifest)
}

fn plan(arguments: &Arguments) -> Result<Plan, Failure> {
    let registry = topotrace::registry();
    let options = PlanOptions { seed: arguments.seed, side: arguments.size, theme: arguments.theme.clone() };
    if let Some(preset) = arguments.preset {
        return Ok(Plan::of_preset(&registry, preset, options)?);
    }
    let counts: BTreeMap<Split, u32> =
        arguments.split.iter().map(|split| (split_of(*split), arguments.count)).collect();
    let selection = Selection {
        tasks: arguments.tasks.clone(),
        difficulties: arguments.tiers.clone(),
        overrides: collect_overrides(&arguments.overrides)?,
        counts,
    };
    Ok(Plan::of_selection(&registry, &selection, options)?)
}

fn split_of(split: SplitArgument) -> Split {
    match split {
        SplitArgument::Train => Split::Train,
        SplitArgument::Validation => Split::Validation,
        SplitArgument::Test => Split::Test,
    }
}

fn report_gates(manifest: &Manifest) -> Result<(), Failure> {
    for gate in manifest.failed_gates() {
        say(format!(
            "gate failed: {} {}: {} is right in {:.1} % of {}, at most {:.1} % is allowed",
            gate.task,
            gate.level,
            gate.name,
            100.0 * gate.share,
            gate.rows,
            100.0 * gate.bound
        ))?;
    }
    let few = manifest.gates.iter().filter(|gate| gate.outcome == GateOutcome::TooFew).count();
    if few > 0 {
        say(format!("{few} gates are above their bounds over too few instances to judge; see the card"))?;
    }
    Ok(())
}
