use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// Which part of the data a state belongs to, for ever and on every machine.
///
/// A function of the state's hash alone, so that two builds that never heard of each other can't
/// put one state into two splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// 80 % of all states.
    Train,
    /// 10 % of all states.
    Validation,
    /// 10 % of all states; the benchmark preset is made of these alone.
    Test,
}

impl Split {
    /// All splits.
    pub const ALL: [Split; 3] = [Split::Train, Split::Validation, Split::Test];

    /// The split that owns the state with this hash.
    pub fn of(state_hash: Digest) -> Self {
        match state_hash.low() % 10 {
            0 => Split::Test,
            1 => Split::Validation,
            _ => Split::Train,
        }
    }

    /// The split's name, as in records and file names.
    pub const fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Validation => "validation",
            Split::Test => "test",
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
