//! The charts of all tasks as files, each with words for those who can't see it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::charts::{self, Tier};
use super::sketch::{SCHEMES, Scheme};
use super::stage::Stage;
use super::tallies::Tallies;
use crate::error::Error;
use crate::folder::slug;
use crate::words::percent;
use crate::{GateOutcome, Manifest};

/// A chart in both schemes.
#[derive(Serialize)]
pub(super) struct Plot {
    light: String,
    dark: String,
    width: i32,
    height: i32,
    /// The same in words.
    alt: String,
}

/// The charts of a task.
#[derive(Serialize)]
pub(super) struct TaskPlots {
    guesses: Plot,
    /// None where no answer is common enough to be listed, as with plans.
    answers: Option<Plot>,
    effort: Plot,
}

/// Draws the charts of every task that the manifest has measures of.
pub(super) fn write(
    manifest: &Manifest,
    tallies: &Tallies,
    stage: &mut Stage,
) -> Result<BTreeMap<String, TaskPlots>, Error> {
    let mut tasks: BTreeMap<&str, Vec<Tier<'_>>> = BTreeMap::new();
    for statistics in &manifest.statistics {
        let of_tier = |gate: &&crate::Gate| gate.task == statistics.task && gate.level == statistics.level;
        tasks.entry(&statistics.task).or_default().push(Tier {
            statistics,
            gates: manifest.gates.iter().filter(of_tier).collect(),
            efforts: tallies.efforts(&statistics.task, &statistics.level),
        });
    }
    let mut plots = BTreeMap::new();
    for (task, tiers) in tasks {
        let slug = slug(task);
        let listed = tiers.iter().any(|tier| !tier.statistics.commonest_answers.is_empty());
        let mut write = |name: &str, size: (i32, i32), alt: String, draw: Draw| {
            let mut files = Vec::new();
            for scheme in &SCHEMES {
                let file = format!("plots/{slug}-{name}-{}.svg", scheme.name);
                stage.write(&file, draw(&tiers, scheme)?.as_bytes())?;
                files.push(file);
            }
            let dark = files.pop().unwrap_or_default();
            let light = files.pop().unwrap_or_default();
            Ok::<_, Error>(Plot { light, dark, width: size.0, height: size.1, alt })
        };
        let guesses =
            write("guesses", charts::guesses_size(&tiers), guesses_words(task, &tiers), charts::guesses)?;
        let answers = if listed {
            Some(write(
                "answers",
                charts::answers_size(&tiers),
                answers_words(task, &tiers),
                charts::answers,
            )?)
        } else {
            None
        };
        let effort =
            write("effort", charts::effort_size(&tiers), effort_words(task, &tiers), charts::effort)?;
        plots.insert(task.to_owned(), TaskPlots { guesses, answers, effort });
    }
    Ok(plots)
}

type Draw = fn(&[Tier<'_>], &'static Scheme) -> Result<String, Error>;

fn guesses_words(task: &str, tiers: &[Tier<'_>]) -> String {
    let mut text = format!("What guessing gets in {task}.");
    for tier in tiers {
        let chance = tier.statistics.chance.map_or_else(String::new, |c| format!(", chance {}", percent(c)));
        text.push_str(&format!(" {}{chance}:", tier.statistics.level));
        for (number, gate) in tier.gates.iter().enumerate() {
            let outcome = match gate.outcome {
                GateOutcome::Holds => "holds",
                GateOutcome::Fails => "fails",
                GateOutcome::TooFew => "too few instances",
            };
            let (name, share) = (gate.name.trim_start_matches("shortcut: "), percent(gate.share));
            let comma = if number == 0 { "" } else { ";" };
            text.push_str(&format!("{comma} {name} {share} of at most {}, {outcome}", percent(gate.bound)));
        }
        text.push('.');
    }
    text
}

fn answers_words(task: &str, tiers: &[Tier<'_>]) -> String {
    let mut text = format!("The commonest answers in {task}.");
    for tier in tiers {
        let rows = tier.statistics.rows.max(1) as f64;
        let answers = tier.statistics.commonest_answers.iter();
        let words: Vec<String> = answers
            .map(|(answer, count)| {
                format!("{} {}", charts::answer_words(answer), percent(*count as f64 / rows))
            })
            .collect();
        text.push_str(&format!(" {}: {}.", tier.statistics.level, words.join("; ")));
    }
    text
}

fn effort_words(task: &str, tiers: &[Tier<'_>]) -> String {
    let mut text = format!("Effort in {task}.");
    for tier in tiers {
        let effort = tier.statistics.effort;
        text.push_str(&format!(
            " {}: from {} to {}, mean {:.1}.",
            tier.statistics.level, effort.least, effort.most, effort.mean
        ));
    }
    text
}
