use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::digest::Digest;
use crate::error::Error;
use crate::flaw::Flaw;
use crate::info::TaskInfo;
use crate::level::{Difficulty, Level};
use crate::program::Rejected;
use crate::scene::Params;
use crate::seeds::{Seeds, Slot};
use crate::split::Split;
use crate::task::Instance;

/// What to make: a difficulty, and any parameter by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Fixes every parameter that is not overridden.
    pub difficulty: Difficulty,
    /// Parameters by name, their values as JSON text.
    pub overrides: BTreeMap<String, String>,
}

impl Settings {
    /// The parameters of a difficulty, nothing overridden.
    pub fn at(difficulty: Difficulty) -> Self {
        Settings { difficulty, overrides: BTreeMap::new() }
    }

    /// The checked parameters of a task.
    pub(crate) fn params<P: Params>(&self) -> Result<P, Flaw> {
        let mut params = P::at(self.difficulty);
        if !self.overrides.is_empty() {
            params = self.overridden(&params)?;
        }
        params.check()?;
        Ok(params)
    }

    fn overridden<P: Params>(&self, params: &P) -> Result<P, Flaw> {
        let flaw = |e: serde_json::Error| Flaw::new(format!("parameters can't be set: {e}"));
        let mut fields: BTreeMap<String, serde_json::Value> =
            serde_json::from_value(serde_json::to_value(params).map_err(flaw)?).map_err(flaw)?;
        for (name, text) in &self.overrides {
            let known = || fields.keys().cloned().collect::<Vec<_>>().join(", ");
            if !fields.contains_key(name) {
                return Err(Flaw::new(format!("parameter {name:?} is unknown; there are {}", known())));
            }
            let value = serde_json::from_str(text)
                .map_err(|e| Flaw::new(format!("parameter {name} = {text:?} is no JSON value: {e}")))?;
            fields.insert(name.clone(), value);
        }
        serde_json::from_value(serde_json::Value::from_iter(fields)).map_err(flaw)
    }
}

impl From<Level> for Settings {
    fn from(level: Level) -> Self {
        Settings::at(level.into())
    }
}

/// Says of a state's hash whether the instance that is wanted may have it.
pub type Keep<'a> = &'a dyn Fn(Digest) -> bool;

/// Makes instances of one task with checked parameters.
pub trait Generator: Send + Sync {
    /// The task's facts.
    fn info(&self) -> &'static TaskInfo;

    /// The parameters as JSON text.
    fn params(&self) -> &str;

    /// One attempt. `keep` is asked right after the state is sampled, before what is dear.
    ///
    /// # Errors
    /// [`NOT_WANTED`] when `keep` said no, otherwise the program's own reason.
    fn attempt(&self, seeds: &Seeds, keep: Keep<'_>) -> Result<Box<dyn Instance>, Rejected>;
}

/// The reason of an attempt whose state `keep` refused.
pub const NOT_WANTED: Rejected = Rejected("state of another split or unit, or seen before");

/// The number of attempts after which a slot is given up.
pub const MAX_ATTEMPTS: u32 = 200_000;

/// The number of wanted states that the task can pose no question about, after which a slot is
/// given up as well: such an attempt may be dear, and settings that reject so many make no instance.
const MAX_REJECTED: u32 = 1_000;

/// The number of attempts of a seed by itself, which takes a state of any split or of one in ten.
const MAX_SINGLE_ATTEMPTS: u32 = 20_000;

/// Counts of reasons, by reason.
pub type Rejections = BTreeMap<&'static str, u64>;

impl dyn Generator + '_ {
    /// The first of `attempts` of `slot` whose instance `keep` agrees to, with its number. Adds
    /// what was rejected to `rejections`.
    ///
    /// # Errors
    /// When all attempts came to nothing, or a thousand wanted states were rejected.
    pub fn fill(
        &self,
        slot: &Slot,
        attempts: Range<u32>,
        keep: Keep<'_>,
        rejections: &mut Rejections,
    ) -> Result<(u32, Box<dyn Instance>), Error> {
        let (mut tried, mut rejected) = (0, 0);
        let wanted = Cell::new(false);
        let keep = |state_hash| {
            wanted.set(keep(state_hash));
            wanted.get()
        };
        for attempt in attempts {
            tried += 1;
            wanted.set(false);
            match self.attempt(&slot.seeds(attempt, 0), &keep) {
                Ok(instance) => return Ok((attempt, instance)),
                Err(Rejected(reason)) => {
                    tracing::trace!(task = self.info().id, attempt, reason, "rejected");
                    *rejections.entry(reason).or_default() += 1;
                    rejected += u32::from(wanted.get());
                }
            }
            if rejected == MAX_REJECTED {
                break;
            }
        }
        let most = rejections.iter().max_by_key(|(_, count)| **count).map_or("nothing", |(r, _)| r);
        Err(Error::exhausted(self.info().id, tried, most))
    }

    /// The instance of a seed by itself, of any split.
    ///
    /// # Errors
    /// When no attempt came to anything.
    pub fn generate(&self, seed: u64) -> Result<(Seeds, Box<dyn Instance>), Error> {
        self.generate_kept(seed, &|_| true)
    }

    /// The instance of a seed by itself whose state belongs to `split`.
    ///
    /// # Errors
    /// When no attempt came to anything.
    pub fn generate_in(&self, seed: u64, split: Split) -> Result<(Seeds, Box<dyn Instance>), Error> {
        self.generate_kept(seed, &|state_hash| Split::of(state_hash) == split)
    }

    fn generate_kept(&self, seed: u64, keep: Keep<'_>) -> Result<(Seeds, Box<dyn Instance>), Error> {
        let slot = Slot::new(seed, self.info(), "single");
        let (attempt, instance) = self.fill(&slot, 0..MAX_SINGLE_ATTEMPTS, keep, &mut Rejections::new())?;
        Ok((slot.seeds(attempt, 0), instance))
    }
}
