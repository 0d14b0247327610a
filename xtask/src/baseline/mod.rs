//! Whole splits played by a policy.

mod table;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;
use topotrace_core::{EpisodeOptions, Policy, Registry, TaskKind};
use topotrace_dataset::{PlanOptions, Row, for_each_rows};
use topotrace_mindtopo as mindtopo;
use topotrace_runner::{Baseline, Facts, Played, open_item, open_trace, play};

use crate::failure::{Failure, say};
use crate::plan_arguments::PlanArguments;
use crate::progress;
use crate::whole_file::write_whole;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Who acts: `oracle`, `random` or `greedy`.
    #[arg(long)]
    policy: Policy,
    #[command(flatten)]
    plan: PlanArguments,
    /// Play the rows of a published `question.jsonl` of MindTopo instead.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["preset", "tasks", "tiers", "count", "split", "overrides", "seed", "threads"])]
    mindtopo: Option<PathBuf>,
    /// The seed of the policy's random choices.
    #[arg(long, default_value_t = 0)]
    policy_seed: u64,
    /// Write the table as JSON to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Threads; as many as there are processors where none is given. The outcome is the same.
    #[arg(long)]
    threads: Option<usize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// Pixels of pictures that nobody looks at: whether a look is good does not depend on it.
const SIDE: u32 = 512;

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let baseline = match &arguments.mindtopo {
        Some(file) => of_mindtopo(file, &arguments)?,
        None => of_plan(&arguments)?,
    };
    let rows = baseline.rows();
    say(table::render(&rows))?;
    if let Some(path) = &arguments.json {
        let mut text = serde_json::to_string_pretty(&rows)?;
        text.push('\n');
        write_whole(path, text.as_bytes())?;
    }
    if !arguments.quiet {
        say(format!("{:.1} s", begun.elapsed().as_secs_f64()))?;
    }
    Ok(())
}

fn of_plan(arguments: &Arguments) -> Result<Baseline, Failure> {
    let options = PlanOptions { seed: arguments.plan.seed, side: SIDE, theme: None };
    let plan = arguments.plan.plan(options)?;
    let plan = plan
        .restricted(|info| info.kind == TaskKind::Planning)
        .map_err(|_| Failure::new("none of these tasks is a planning task, and only those have episodes"))?;
    let bar = progress::bar(arguments.quiet);
    let mut baseline = Baseline::new(arguments.policy);
    let mut outcome = Ok(());
    let made = for_each_rows(&plan, arguments.threads, &mut |rows, progress| {
        progress::show(&bar, progress);
        let played: Result<Vec<_>, Failure> = rows.par_iter().map(|row| play_row(row, arguments)).collect();
        match played {
            Err(failure) => {
                outcome = Err(failure);
                ControlFlow::Break(())
            }
            Ok(played) => {
                for (row, (facts, played)) in rows.iter().zip(played) {
                    baseline.add(&facts, row.record.difficulty, played);
                }
                ControlFlow::Continue(())
            }
        }
    });
    bar.finish_and_clear();
    made?;
    outcome?;
    Ok(baseline)
}

fn play_row(row: &Row, arguments: &Arguments) -> Result<(Facts, Played), Failure> {
    let task = topotrace::registry().get(&row.record.task)?;
    let mut opened = open_trace(task, &row.record.trace, EpisodeOptions::default())?;
    // Every episode has random choices of its own.
    let seed = opened.facts.id.low() ^ arguments.policy_seed;
    let played = play(&mut *opened.episode, arguments.policy, seed);
    Ok((opened.facts, played))
}

/// The rows of a published file. One that can't be played is named, and the others are.
fn of_mindtopo(file: &Path, arguments: &Arguments) -> Result<Baseline, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| Failure::file("read", file, &e))?;
    let registry = topotrace::registry();
    let mut baseline = Baseline::new(arguments.policy);
    let (mut played, mut refused, mut other_lengths) = (0, 0, 0);
    for row in mindtopo::parse(&text) {
        let outcome = row.map_err(Failure::from).and_then(|row| {
            let (facts, played) = play_published(&registry, &row, arguments)?;
            Ok((row, facts, played))
        });
        match outcome {
            Err(failure) => {
                refused += 1;
                say(format!("not played: {}", failure.in_one_line()))?;
            }
            Ok((row, facts, outcome)) => {
                played += 1;
                let stored = row.reference_length;
                other_lengths += u64::from(stored.is_some_and(|stored| stored != facts.reference_length));
                baseline.add_foreign(&facts, &row.level, outcome);
            }
        }
    }
    if played == 0 {
        let file = file.display();
        return Err(Failure::new(format!("no row of {file} can be played; {refused} were refused")));
    }
    if other_lengths > 0 {
        say(format!("rows whose stored reference length is not the least: {other_lengths}"))?;
    }
    Ok(baseline)
}

fn play_published(
    registry: &Registry,
    row: &mindtopo::PlanningRow,
    arguments: &Arguments,
) -> Result<(Facts, Played), Failure> {
    let named = |failure: Failure| failure.within(format!("row {}", row.id));
    let task = registry.get(row.task)?;
    let opened = open_item(task, &row.item, 0, None, EpisodeOptions::default());
    let mut opened = opened.map_err(|e| named(Failure::from(e)))?;
    let seed = opened.facts.id.low() ^ arguments.policy_seed;
    let played = play(&mut *opened.episode, arguments.policy, seed);
    Ok((opened.facts, played))
}
