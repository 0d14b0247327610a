use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::info::TaskInfo;

/// The seeds of one instance's streams.
///
/// The semantic stream has two: the aim is drawn once a slot, the state once an attempt, so that
/// rejected attempts can't skew the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeds {
    /// Draws the aim: the wanted answer.
    #[serde(with = "decimal")]
    pub aim: u64,
    /// Draws the state, the marks and the query.
    #[serde(with = "decimal")]
    pub semantic: u64,
    /// Draws the style.
    #[serde(with = "decimal")]
    pub render: u64,
    /// Draws the wording.
    #[serde(with = "decimal")]
    pub prompt: u64,
}

/// One place to be filled in a build: its own aim, its own seeds, its own attempts.
#[derive(Clone, Debug)]
pub struct Slot {
    build_seed: u64,
    task: &'static TaskInfo,
    name: String,
}

impl Slot {
    /// The slot called `name` (unique within the build and the task) of a build.
    pub fn new(build_seed: u64, task: &'static TaskInfo, name: impl Into<String>) -> Self {
        Slot { build_seed, task, name: name.into() }
    }

    /// The seeds of the slot's attempt number `attempt`, with the look number `look`.
    ///
    /// Neither the prompt nor another look depends on how many attempts were rejected before.
    pub fn seeds(&self, attempt: u32, look: u32) -> Seeds {
        Seeds {
            aim: self.derive("aim", 0),
            semantic: self.derive("semantic", attempt),
            render: self.derive("render", look),
            prompt: self.derive("prompt", 0),
        }
    }

    fn derive(&self, stream: &str, number: u32) -> u64 {
        Digest::of(
            "topotrace 2026 seeds",
            &[
                &self.build_seed.to_string(),
                self.task.id,
                &self.task.version.to_string(),
                &self.name,
                &number.to_string(),
                stream,
            ],
        )
        .low()
    }
}

/// Seeds are written as decimal text: 64 bits fit neither a JSON number nor a signed column.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
