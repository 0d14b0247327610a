//! Scoring: responses in, verdicts and a table of means out.
//!
//! [`Questions`] holds what a dataset's responses are judged against. [`score()`] judges a whole
//! file of responses into [`Scores`]; a [`Stream`] judges line by line, for a trainer. Both read a
//! response by the one contract of its task, so an evaluation and a reward can't disagree.

mod fields;
mod intake;
mod lines;
mod questions;
mod scores;
mod scoring;
mod stream;

pub use intake::{Intake, LISTED, Listed, Malformed, Place};
pub use lines::{LONGEST_LINE, Line, Lines};
pub use questions::{Found, Question, Questions, RowFilter};
pub use scores::{Judgment, LISTED_QUERIES, LevelScore, Mean, Measures, QueryScore, Scores, TaskScore};
pub use scoring::{VerdictLine, score};
pub use stream::{Answered, CACHED_VERIFIERS, RewardsGiven, Stream};
