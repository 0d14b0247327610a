//! The command line of topotrace: thin commands over the crates.
//!
//! Run it as `cargo xtask COMMAND`.

mod audit;
mod baseline;
mod bless;
mod build_dataset;
mod convert;
mod episode;
mod failure;
mod gallery;
mod leaks;
mod list_tasks;
mod merge;
mod plan_arguments;
mod play;
mod progress;
mod score;
mod settings;
mod sheet;
mod show;
mod task_page;
mod tidy;
mod verify_dataset;
mod whole_file;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

/// Makes, checks and shows topological visual-reasoning tasks.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build a dataset: data files, a manifest, a card.
    BuildDataset(build_dataset::Arguments),
    /// Put the parts of one build together: what `build-dataset --shard` made.
    Merge(merge::Arguments),
    /// Write a dataset once more in another format.
    Convert(convert::Arguments),
    /// Make every record of a dataset again, from its seeds and from its state, and compare.
    VerifyDataset(verify_dataset::Arguments),
    /// Judge a model's responses: a table of means, and a verdict on each.
    Score(score::Arguments),
    /// Name the states that two datasets share.
    Leaks(leaks::Arguments),
    /// Make a page of a dataset's instances and measures, to be opened in a browser.
    Gallery(gallery::Arguments),
    /// List the tasks.
    ListTasks(list_tasks::Arguments),
    /// Make one instance and show everything about it.
    Show(show::Arguments),
    /// Put many instances on one numbered picture, prompts and answers beside it, to test yourself.
    Sheet(sheet::Arguments),
    /// Play a planning task by hand.
    Play(play::Arguments),
    /// Drive episodes from any language, over JSON lines.
    Episode(episode::Arguments),
    /// Let a policy play whole splits: success, steps, over-optimality, illegal share.
    Baseline(baseline::Arguments),
    /// Make fresh instances and measure them: proofs, pixels, replay, priors, shortcuts, times.
    Audit(audit::Arguments),
    /// Check the project's own rules on files, crates and tasks.
    Tidy,
    /// Write what the tasks make today: hash lists, pictures, facts on their pages.
    ///
    /// Only files that differ are written; pictures may be off by one level a channel. What changed
    /// is shown on `target/bless/index.html`, before and after.
    Bless(bless::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let asked = std::env::var("TOPOTRACE_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines).with(filter).init();
    let outcome = match cli.command {
        Command::BuildDataset(arguments) => build_dataset::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::VerifyDataset(arguments) => verify_dataset::run(arguments),
        Command::Score(arguments) => score::run(arguments),
        Command::Leaks(arguments) => leaks::run(arguments),
        Command::Gallery(arguments) => gallery::run(arguments),
        Command::ListTasks(arguments) => list_tasks::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Sheet(arguments) => sheet::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Episode(arguments) => episode::run(arguments),
        Command::Baseline(arguments) => baseline::run(arguments),
        Command::Audit(arguments) => audit::run(arguments),
        Command::Tidy => tidy::run(),
        Command::Bless(arguments) => bless::run(arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            ExitCode::FAILURE
        }
    }
}
