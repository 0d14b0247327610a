//! Counts over all rows that the manifest does not hold.

use std::collections::{BTreeMap, BTreeSet};

use topotrace_core::Record;

/// Queries are no filter where a task has more different ones.
const MOST_QUERIES: usize = 8;

/// Counts by task.
#[derive(Default)]
pub(super) struct Tallies {
    tasks: BTreeMap<String, TaskTally>,
}

#[derive(Default)]
struct TaskTally {
    rows: u64,
    /// How many rows have which effort, by tier.
    efforts: BTreeMap<String, BTreeMap<u64, u64>>,
    /// The different queries: as many as matter, and one more.
    queries: BTreeSet<String>,
}

impl Tallies {
    /// Adds a row.
    pub(super) fn add(&mut self, record: &Record) {
        self.tasks.entry(record.task.clone()).or_default().add(&record.level, record.effort, &record.query);
    }

    /// How many rows of a task and tier have which effort; `None` where there are no rows.
    pub(super) fn efforts(&self, task: &str, level: &str) -> Option<&BTreeMap<u64, u64>> {
        self.tasks.get(task)?.efforts.get(level)
    }

    /// The queries of a task by which its instances can be told apart: a few, each of several rows.
    pub(super) fn queries(&self, task: &str) -> Vec<&str> {
        self.tasks.get(task).map(TaskTally::sensible_queries).unwrap_or_default()
    }
}

impl TaskTally {
    fn add(&mut self, level: &str, effort: u64, query: &str) {
        self.rows += 1;
        *self.efforts.entry(level.to_owned()).or_default().entry(effort).or_default() += 1;
        if self.queries.len() <= MOST_QUERIES {
            self.queries.insert(query.to_owned());
        }
    }

    fn sensible_queries(&self) -> Vec<&str> {
        let count = self.queries.len();
        let sensible = (2..=MOST_QUERIES).contains(&count) && self.rows >= 3 * count as u64;
        self.queries.iter().filter(|_| sensible).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(of_row: impl Fn(u64) -> u64, rows: u64) -> usize {
        let mut tally = TaskTally::default();
        for row in 0..rows {
            tally.add("easy", row % 5, &of_row(row).to_string());
        }
        assert_eq!(tally.efforts["easy"].values().sum::<u64>(), rows);
        tally.sensible_queries().len()
    }

    #[test]
    fn a_few_queries_of_several_rows_are_a_filter() {
        assert_eq!(queries(|row| row % 4, 100), 4);
        assert_eq!(queries(|row| row % MOST_QUERIES as u64, 100), MOST_QUERIES);
        assert_eq!(queries(|_| 7, 100), 0, "one query tells nothing apart");
        assert_eq!(queries(|row| row, 100), 0, "each row has its own");
        assert_eq!(queries(|row| row % (MOST_QUERIES as u64 + 1), 1_000), 0, "too many");
        assert_eq!(queries(|row| row % 4, 6), 0, "too few rows");
    }
}
