use serde::Serialize;
use topotrace_core::Digest;

use super::fields::{SHOWN, shorten};

/// How many of each kind are listed; all are counted.
pub const LISTED: usize = 1000;

/// A count, and the first of what was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed<T> {
    /// How many there are.
    pub count: u64,
    /// The first of them, at most [`LISTED`].
    pub first: Vec<T>,
}

impl<T> Listed<T> {
    pub(super) fn push(&mut self, value: T) {
        self.count += 1;
        if self.first.len() < LISTED {
            self.first.push(value);
        }
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Listed { count: 0, first: Vec::new() }
    }
}

/// A line of the responses and the id in it, of which a long one is cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line's number, counted from 1.
    pub line: u64,
    /// The id.
    pub id: String,
}

impl Place {
    pub(super) fn new(line: u64, id: &str) -> Self {
        Place { line, id: shorten(id, SHOWN) }
    }
}

/// A line that holds no response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Malformed {
    /// The line's number, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// What became of the lines of a file of responses, and which rows have none.
///
/// Every line that is not blank is scored, or unselected, or null, unknown, duplicate or malformed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Intake {
    /// Lines that are not blank.
    pub lines: u64,
    /// Responses that were judged.
    pub scored: u64,
    /// Responses to rows of the dataset that were not selected. They are passed over.
    pub unselected: u64,
    /// Selected rows of the dataset that repeat an instance. It counts once.
    pub repeated_rows: u64,
    /// Selected rows without a response. They count as wrong.
    pub missing: Listed<Digest>,
    /// Responses that are null. Each is no response, and its row is missing unless another line
    /// answers it.
    pub null: Listed<Place>,
    /// Responses to no row of the dataset.
    pub unknown: Listed<Place>,
    /// Responses to rows that an earlier line answers. The first response is scored.
    pub duplicate: Listed<Place>,
    /// Lines that hold no response.
    pub malformed: Listed<Malformed>,
}

impl Intake {
    /// Whether every selected row has its one response and every line is one.
    pub fn is_clean(&self) -> bool {
        self.missing.count
            + self.null.count
            + self.unknown.count
            + self.duplicate.count
            + self.malformed.count
            == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_on_where_lists_end() {
        let mut intake = Intake::default();
        assert!(intake.is_clean());
        for line in 1..=LISTED as u64 + 5 {
            intake.unknown.push(Place::new(line, &"x".repeat(1000)));
        }
        assert_eq!((intake.unknown.count, intake.unknown.first.len()), (1005, 1000));
        assert_eq!(intake.unknown.first[999].id.chars().count(), 81);
        assert!(!intake.is_clean());
    }
}
