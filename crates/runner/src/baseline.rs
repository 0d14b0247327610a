use std::collections::BTreeMap;

use serde::Serialize;
use topotrace_core::{Difficulty, Policy, Status};

use crate::opened::Facts;
use crate::play::Played;

/// How a policy does, by task and tier.
#[derive(Clone, Debug)]
pub struct Baseline {
    policy: Policy,
    /// By task and the bits of the difficulty, which are ordered as the difficulty itself; rows
    /// from elsewhere have none.
    counts: BTreeMap<(&'static str, u64, String), Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    episodes: u64,
    successes: u64,
    failures: u64,
    steps: u64,
    not_legal: u64,
    /// Sum over the episodes won of steps over reference steps.
    ratios: f64,
}

/// How a policy does on one task at one tier, or on all of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BaselineRow {
    /// The task's id; `all` for the sum.
    pub task: String,
    /// The tier's name or the difficulty; `all` for the sum over a task.
    pub level: String,
    /// Who acted.
    pub policy: Policy,
    /// Episodes.
    pub episodes: u64,
    /// Share of the episodes that reached the goal, from 0 to 1.
    pub success: f64,
    /// Share of the episodes that ended in a failure, from 0 to 1; in the rest the steps ran out, or
    /// the policy saw no way on.
    pub failure: f64,
    /// Mean number of steps, over all episodes.
    pub mean_steps: f64,
    /// Mean over the episodes that reached the goal of how much longer the way was than the
    /// reference, as a share of it: 0 is as short as the reference. `None` where none did.
    pub mean_over_optimality: Option<f64>,
    /// Share of the steps whose action was illegal or unreadable, from 0 to 1.
    pub illegal: f64,
}

impl Baseline {
    /// No episode yet.
    pub fn new(policy: Policy) -> Self {
        Baseline { policy, counts: BTreeMap::new() }
    }

    /// Adds an episode of a tier.
    pub fn add(&mut self, facts: &Facts, difficulty: Difficulty, played: Played) {
        self.add_named(facts, difficulty.value().to_bits(), difficulty.name(), played);
    }

    /// Adds an episode from elsewhere, under the name that its tier has there.
    pub fn add_foreign(&mut self, facts: &Facts, level: &str, played: Played) {
        let rank = level.parse().map_or(u64::MAX, |level: topotrace_core::Level| level as u64);
        self.add_named(facts, rank, level.to_owned(), played);
    }

    fn add_named(&mut self, facts: &Facts, rank: u64, level: String, played: Played) {
        let won = played.status == Status::Success;
        let reference = f64::from(facts.reference_length.max(1));
        self.counts.entry((facts.task, rank, level)).or_default().add(Counts {
            episodes: 1,
            successes: u64::from(won),
            failures: u64::from(played.status == Status::Failure),
            steps: u64::from(played.steps),
            not_legal: u64::from(played.not_legal),
            ratios: if won { f64::from(played.steps) / reference } else { 0.0 },
        });
    }

    /// One row a task and tier, after the tiers of a task one for all of them, and one for
    /// everything where there are several tasks.
    pub fn rows(&self) -> Vec<BaselineRow> {
        let mut rows = Vec::new();
        let tasks: Vec<&str> = {
            let mut tasks: Vec<&str> = self.counts.keys().map(|(task, ..)| *task).collect();
            tasks.dedup();
            tasks
        };
        let mut all = Counts::default();
        for task in &tasks {
            let mut sum = Counts::default();
            for ((_, _, level), counts) in self.counts.iter().filter(|((of, ..), _)| of == task) {
                sum.add(*counts);
                rows.push(self.row(task, level, counts));
            }
            rows.push(self.row(task, "all", &sum));
            all.add(sum);
        }
        if tasks.len() > 1 {
            rows.push(self.row("all", "all", &all));
        }
        rows
    }

    fn row(&self, task: &str, level: &str, counts: &Counts) -> BaselineRow {
        let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
        let won = counts.successes;
        BaselineRow {
            task: task.to_owned(),
            level: level.to_owned(),
            policy: self.policy,
            episodes: counts.episodes,
            success: share(won, counts.episodes),
            failure: share(counts.failures, counts.episodes),
            mean_steps: share(counts.steps, counts.episodes),
            mean_over_optimality: (won > 0).then(|| counts.ratios / won as f64 - 1.0),
            illegal: share(counts.not_legal, counts.steps),
        }
    }
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.episodes += other.episodes;
        self.successes += other.successes;
        self.failures += other.failures;
        self.steps += other.steps;
        self.not_legal += other.not_legal;
        self.ratios += other.ratios;
    }
}

#[cfg(test)]
mod tests {
    use topotrace_core::{Digest, Level, Split};

    use super::*;

    #[test]
    fn means_are_those_worked_out_by_hand() {
        let facts = |task| Facts {
            task,
            id: Digest::of("test", &[]),
            split: Split::Train,
            budget: 20,
            reference_length: 10,
        };
        let played = |status, steps, not_legal| Played { status, steps, not_legal };
        let mut baseline = Baseline::new(Policy::Greedy);
        baseline.add(&facts("a"), Level::Hard.into(), played(Status::Success, 10, 0));
        baseline.add(&facts("a"), Level::Hard.into(), played(Status::Success, 15, 1));
        baseline.add(&facts("a"), Level::Hard.into(), played(Status::OutOfBudget, 20, 4));
        baseline.add(&facts("a"), Level::Easy.into(), played(Status::Failure, 5, 0));
        baseline.add(&facts("b"), Level::Medium.into(), played(Status::Success, 11, 0));
        let rows = baseline.rows();
        let names: Vec<(&str, &str)> = rows.iter().map(|r| (r.task.as_str(), r.level.as_str())).collect();
        let wanted =
            [("a", "easy"), ("a", "hard"), ("a", "all"), ("b", "medium"), ("b", "all"), ("all", "all")];
        assert_eq!(names, wanted);
        assert_eq!((rows[0].success, rows[0].failure, rows[0].mean_over_optimality), (0.0, 1.0, None));
        assert_eq!((rows[1].episodes, rows[1].success, rows[1].mean_steps), (3, 2.0 / 3.0, 15.0));
        assert_eq!((rows[1].mean_over_optimality, rows[1].illegal), (Some(0.25), 5.0 / 45.0));
        assert_eq!((rows[2].success, rows[2].failure), (0.5, 0.25));
        assert!((rows[5].mean_over_optimality.unwrap_or(9.0) - 0.2).abs() < 1e-12);
    }
}
