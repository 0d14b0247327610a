use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use topotrace_core::{Digest, Flaw, Split, ensure};

use super::Plan;

/// One of several shares of a build, made by machines that need not know of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Which one, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl Part {
    /// The one part of a build that is not shared.
    pub const WHOLE: Part = Part { number: 1, of: 1 };
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = Flaw;

    fn from_str(text: &str) -> Result<Self, Flaw> {
        let numbers = || {
            let (number, of) = text.split_once('/')?;
            Some(Part { number: number.parse().ok()?, of: of.parse().ok()? })
        };
        let part = numbers().filter(|part| (1..=part.of).contains(&part.number));
        part.ok_or_else(|| Flaw::new(format!("part {text:?} is not I/N with I from 1 to N, such as 2/3")))
    }
}

/// One place in the plan: a slot of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) group: usize,
    pub(crate) slot: u32,
}

/// A unit of work: a task, and a residue class of its state hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unit {
    pub(crate) task: &'static str,
    pub(crate) class: u32,
    /// The number of the task's classes.
    pub(crate) classes: u32,
}

impl Unit {
    /// Whether a state belongs to this unit.
    pub(crate) fn owns(&self, state_hash: Digest) -> bool {
        state_hash.high() % u64::from(self.classes) == u64::from(self.class)
    }
}

/// The places of one configuration and split.
pub(crate) struct Section {
    pub(crate) config: String,
    pub(crate) split: Split,
    pub(crate) places: Vec<Place>,
}

impl Plan {
    /// The unit that fills a place.
    pub(crate) fn unit(&self, place: Place) -> Unit {
        let info = self.groups[place.group].task.info();
        let classes = info.units.clamp(1, 8);
        Unit { task: info.id, class: place.slot % classes, classes }
    }

    /// The parts into which the plan can be cut at most: one for every unit of work.
    pub fn most_parts(&self) -> u32 {
        self.rows_of_units().len() as u32
    }

    /// Demands that every part has work.
    ///
    /// # Errors
    /// When there are more parts than units of work.
    pub(crate) fn check_part(&self, part: Part) -> Result<(), Flaw> {
        let most = self.most_parts();
        ensure((1..=part.of).contains(&part.number), || {
            format!("part {} is not from 1 to {}", part.number, part.of)
        })?;
        ensure(part.of <= most, || {
            format!("{} parts are more than the {most} units of work that the plan has", part.of)
        })
    }

    /// The places in the order of the files, by configuration and split.
    pub(crate) fn sections(&self) -> Vec<Section> {
        let mut sections: BTreeMap<(String, Split), Vec<Place>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            let places = sections.entry((group.config(), group.split)).or_default();
            places.extend((0..group.count).map(|slot| Place { group: number, slot }));
        }
        sections.into_iter().map(|((config, split), places)| Section { config, split, places }).collect()
    }

    /// Says of a place which of so many parts fills it, counted from 1. The largest units are dealt
    /// out first, each to the part that has the fewest rows so far.
    pub(crate) fn owner(&self, parts: u32) -> impl Fn(Place) -> u32 + '_ {
        let mut units: Vec<(Unit, u64)> = self.rows_of_units().into_iter().collect();
        units.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let mut loads: Vec<u64> = vec![0; parts as usize];
        let mut owners: BTreeMap<Unit, u32> = BTreeMap::new();
        for (unit, rows) in units {
            let (part, load) =
                loads.iter_mut().enumerate().min_by_key(|(_, load)| **load).expect("there is a part");
            *load += rows;
            owners.insert(unit, part as u32 + 1);
        }
        move |place| owners[&self.unit(place)]
    }

    /// The number of rows of every unit that has work.
    fn rows_of_units(&self) -> BTreeMap<Unit, u64> {
        let mut rows: BTreeMap<Unit, u64> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            let classes = self.unit(Place { group: number, slot: 0 }).classes;
            for class in 0..classes.min(group.count) {
                let unit = self.unit(Place { group: number, slot: class });
                *rows.entry(unit).or_default() += u64::from((group.count - class).div_ceil(classes));
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_one_of_several() {
        assert_eq!("2/3".parse(), Ok(Part { number: 2, of: 3 }));
        for text in ["", "2", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/3/5", "2 / 3"] {
            let flaw = text.parse::<Part>().unwrap_err().to_string();
            assert!(flaw.contains(&format!("{text:?}")), "{flaw}");
        }
    }
}
