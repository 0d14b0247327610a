use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use topotrace_core::{Difficulty, Registry, Split};
use topotrace_dataset::{
    BuildOptions, GateOutcome, Manifest, Part, Plan, PlanOptions, PngEffort, Preset, Selection, Storage,
};

use crate::failure::{Failure, say};
use crate::progress;
use crate::settings::{ShardArguments, collect_overrides, parse_difficulty, parse_override};

#[derive(Args)]
pub(crate) struct Arguments {
    /// A named composition, `smoke`, `train` or `full`, or a TOML file with one of your own.
    #[arg(long, value_name = "NAME|FILE.toml", conflicts_with_all = ["tasks", "tiers", "split", "overrides"])]
    preset: Option<String>,
    /// Tasks, or scenes for all their programs; all tasks where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TASK,…")]
    tasks: Vec<String>,
    /// Tiers or difficulties from 0 to 1.25; the three tiers where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TIER,…", value_parser = parse_difficulty)]
    tiers: Vec<Difficulty>,
    /// Instances of each task, tier and split; with the preset `train`, of each task. 64 where
    /// none is given.
    #[arg(long)]
    count: Option<u32>,
    /// The splits to fill.
    #[arg(long, value_delimiter = ',', value_name = "SPLIT,…", default_value = "train")]
    split: Vec<SplitArgument>,
    /// Set one parameter by itself, such as `grid=7`; the value is JSON. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    overrides: Vec<(String, String)>,
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

fn plan(arguments: &Arguments) -> Result<Plan, Failure> {
    let registry = topotrace::registry();
    let options = PlanOptions { seed: arguments.seed, side: arguments.size, theme: arguments.theme.clone() };
    if let Some(preset) = &arguments.preset {
        if preset.ends_with(".toml") {
            return of_preset_file(preset, arguments.count, &registry, options);
        }
        let preset: Preset = preset.parse()?;
        let preset = arguments.count.map_or(Ok(preset), |count| preset.with_count(count))?;
        return Ok(Plan::of_preset(&registry, preset, options)?);
    }
    let count = arguments.count.unwrap_or(64);
    let counts: BTreeMap<Split, u32> =
        arguments.split.iter().map(|split| (split_of(*split), count)).collect();
    let selection = Selection {
        tasks: arguments.tasks.clone(),
        difficulties: arguments.tiers.clone(),
        overrides: collect_overrides(&arguments.overrides)?,
        counts,
    };
    Ok(Plan::of_selection(&registry, &selection, options)?)
}

fn of_preset_file(
    path: &str,
    count: Option<u32>,
    registry: &Registry,
    options: PlanOptions,
) -> Result<Plan, Failure> {
    if count.is_some() {
        return Err(Failure::new(format!("{path} has counts of its own; --count is for the preset train")));
    }
    let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", Path::new(path), &e))?;
    Plan::of_preset_file(registry, &text, options)
        .map_err(|error| Failure::from(error).within(format!("the preset {path} does not hold")))
}

fn split_of(split: SplitArgument) -> Split {
    match split {
        SplitArgument::Train => Split::Train,
        SplitArgument::Validation => Split::Validation,
        SplitArgument::Test => Split::Test,
    }
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
