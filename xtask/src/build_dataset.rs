use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use topotrace_dataset::{BuildOptions, GateOutcome, Manifest, Part, PlanOptions, PngEffort, Storage};

use crate::failure::{Failure, say};
use crate::plan_arguments::PlanArguments;
use crate::progress;
use crate::settings::ShardArguments;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// The folder of the dataset.
    #[arg(long)]
    out: PathBuf,
    /// The format of the files: `parquet`, `webdataset` or `imagefolder`.
    #[arg(long, default_value_t)]
    format: Storage,
    #[command(flatten)]
    shards: ShardArguments,
    /// Make only this share of the instances, such as `2/3`: a part, for `merge`.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["format", "shard_rows"])]
    shard: Option<Part>,
    /// Go on with what an interrupted build left.
    #[arg(long)]
    resume: bool,
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
enum PngArgument {
    Fast,
    Small,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let plan = arguments.plan.plan(PlanOptions {
        seed: arguments.plan.seed,
        side: arguments.size,
        theme: arguments.theme.clone(),
    })?;
    let options = BuildOptions {
        threads: arguments.threads,
        png: match arguments.png {
            PngArgument::Fast => PngEffort::Fast,
            PngArgument::Small => PngEffort::Small,
        },
        storage: arguments.format,
        limits: arguments.shards.limits(arguments.format),
        part: arguments.shard,
        overwrite: arguments.overwrite,
        resume: arguments.resume,
    };
    let bar = progress::bar(arguments.quiet);
    let begun = Instant::now();
    let built = topotrace_dataset::build(&plan, &arguments.out, &options, &mut |progress| {
        progress::show(&bar, progress);
    });
    bar.finish_and_clear();
    let manifest = built.map_err(|error| {
        let room_is_needed = error.is_disk_full();
        let failure = Failure::from(error);
        if room_is_needed { failure.hint("free some space and run the same with --resume") } else { failure }
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    say(format!(
        "{} instances in {seconds:.1} s ({:.0} a second) in {}",
        manifest.rows(),
        manifest.rows() as f64 / seconds,
        arguments.out.display()
    ))?;
    report_gates(&manifest)
}

pub(crate) fn report_gates(manifest: &Manifest) -> Result<(), Failure> {
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
