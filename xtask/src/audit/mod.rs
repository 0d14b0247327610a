//! Fresh instances, measured: what the test suite checks on a slice, over as many as wanted.

mod inspect;
mod report;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use topotrace_core::{Difficulty, Level, Settings, Task};
use topotrace_draw::Rasterizer;

use self::inspect::{Findings, Inspector};
use crate::failure::{Failure, say};
use crate::progress;
use crate::settings::parse_difficulty;

#[derive(Args)]
pub(crate) struct Arguments {
    /// A task, a scene for all its programs, or `all`.
    task: String,
    /// Instances of each program and tier.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// Tiers or difficulties from 0 to 1.25; the three tiers where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TIER,…", value_parser = parse_difficulty)]
    tiers: Vec<Difficulty>,
    /// The seed of the fresh instances.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pixels on the longer side of the pictures.
    #[arg(long, default_value_t = 1024)]
    size: u32,
    /// Write the measures as JSON to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// Instances that one thread inspects between two looks at the clock.
const CHUNK: u32 = 8;

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let registry = topotrace::registry();
    let tasks = match arguments.task.as_str() {
        "all" => registry.tasks().to_vec(),
        name => registry.matching(name)?,
    };
    let mut tiers = arguments.tiers.clone();
    if tiers.is_empty() {
        tiers.extend(Level::ALL.map(Difficulty::from));
    }
    refuse_repeats(&tiers)?;
    // Opened before the work, so that a place that can't be written fails at once.
    let json = arguments.json.as_ref().map(|path| {
        std::fs::File::create(path).map(|file| (path, file)).map_err(|e| Failure::file("write", path, &e))
    });
    let json = json.transpose()?;
    let bar = progress::bar(arguments.quiet);
    bar.set_length(tasks.len() as u64 * tiers.len() as u64 * u64::from(arguments.count));
    let mut all = Findings::default();
    for task in tasks {
        for &tier in &tiers {
            bar.set_message(task.info().id);
            all.merge(audit(task, tier, &arguments, &bar)?);
        }
    }
    bar.finish_and_clear();
    say(report::tables(&all))?;
    if let Some((path, mut file)) = json {
        file.write_all(report::json(&all).as_bytes()).map_err(|e| Failure::file("write", path, &e))?;
    }
    for fault in all.faults() {
        say(fault)?;
    }
    let failed = all.failed_gates();
    match (all.fault_count(), failed) {
        (0, 0) => Ok(()),
        (faults, gates) => Err(Failure::new(format!("{faults} faulty instances, {gates} failed gates"))),
    }
}

fn refuse_repeats(tiers: &[Difficulty]) -> Result<(), Failure> {
    match tiers.iter().enumerate().find(|(number, tier)| tiers[..*number].contains(tier)) {
        None => Ok(()),
        Some((_, tier)) => Err(Failure::new(format!("tier {} is asked for twice", tier.name()))),
    }
}

fn audit(
    task: &'static dyn Task,
    tier: Difficulty,
    arguments: &Arguments,
    bar: &indicatif::ProgressBar,
) -> Result<Findings, Failure> {
    let generator = task.generator(&Settings::at(tier))?;
    let inspector =
        Inspector { task, generator: &*generator, tier, seed: arguments.seed, side: arguments.size };
    let starts: Vec<u32> = (0..arguments.count).step_by(CHUNK as usize).collect();
    let parts: Vec<Findings> = starts
        .into_par_iter()
        .map_init(Rasterizer::new, |rasterizer, start| {
            let end = (start + CHUNK).min(arguments.count);
            let mut findings = Findings::default();
            for slot in start..end {
                inspector.inspect(slot, rasterizer, &mut findings);
                bar.inc(1);
            }
            findings
        })
        .collect();
    let mut findings = Findings::default();
    parts.into_iter().for_each(|part| findings.merge(part));
    Ok(findings)
}
