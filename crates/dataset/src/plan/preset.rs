use std::fmt;
use std::str::FromStr;

use topotrace_core::{Flaw, Level, Split, TaskInfo, ensure, nearest};

use super::MAX_COUNT;

/// A named composition of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preset {
    /// Every task at every tier, a handful of each split: to see that everything runs.
    Smoke,
    /// For training: so many instances of every program, and some for validation.
    Train {
        /// Training instances of each program, all tiers together.
        per_program: u32,
    },
    /// The published benchmark: only the published tasks, all of it of the test split.
    Full,
}

/// Training instances of each program, where no number is given.
const PER_PROGRAM: u32 = 64;
/// So many training instances go with two for validation.
const PER_VALIDATION_PAIR: u32 = 64;

impl Preset {
    /// All presets, as they are without a number.
    pub const ALL: [Preset; 3] = [Preset::Smoke, Preset::Train { per_program: PER_PROGRAM }, Preset::Full];

    /// The preset's name without a number.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Smoke => "smoke",
            Preset::Train { .. } => "train",
            Preset::Full => "full",
        }
    }

    /// What the preset is for, in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Preset::Smoke => "every task at every tier, 6 train, 2 validation and 2 test instances each",
            Preset::Train { .. } => "for training: 64 instances of every program and 2 for validation",
            Preset::Full => "the published benchmark: the published tasks, all of the test split",
        }
    }

    /// The same preset with so many training instances of each program.
    ///
    /// # Errors
    /// When the preset has no such number, or it is out of range.
    pub fn with_count(self, count: u32) -> Result<Self, Flaw> {
        match self {
            Preset::Train { .. } => {
                ensure((1..=MAX_COUNT).contains(&count), || {
                    format!("count {count} is not from 1 to {MAX_COUNT}")
                })?;
                Ok(Preset::Train { per_program: count })
            }
            Preset::Smoke | Preset::Full => {
                Err(Flaw::new(format!("the preset {self} has counts of its own; only train takes --count")))
            }
        }
    }

    /// How many instances of `task` at `level` each split gets.
    ///
    /// # Errors
    /// When a published task has no place in the benchmark's composition.
    pub fn counts(self, task: &TaskInfo, level: Level) -> Result<Vec<(Split, u32)>, Flaw> {
        match self {
            Preset::Smoke => Ok(vec![(Split::Train, 6), (Split::Validation, 2), (Split::Test, 2)]),
            Preset::Train { per_program } => {
                let validation = 2 * per_program.div_ceil(PER_VALIDATION_PAIR);
                Ok(vec![
                    (Split::Train, share(per_program, level)),
                    (Split::Validation, share(validation, level)),
                ])
            }
            Preset::Full if !task.published => Ok(Vec::new()),
            Preset::Full => {
                let row = composition(task).ok_or_else(|| {
                    Flaw::new(format!("{} is published but the preset full has no count for it", task.id))
                })?;
                Ok(vec![(Split::Test, row.counts[level as usize])])
            }
        }
    }
}

/// The part of `count` that a tier gets: equal parts, and what is left over goes to medium first.
fn share(count: u32, level: Level) -> u32 {
    let left = count % 3;
    let extra = match level {
        Level::Medium => left > 0,
        Level::Hard => left > 1,
        Level::Easy => false,
    };
    count / 3 + u32::from(extra)
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Preset::Train { per_program } if *per_program != PER_PROGRAM => write!(f, "-{per_program}"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Preset {
    type Err = Flaw;

    /// Reads what [`fmt::Display`] writes: `train-1000` has 1,000 training instances of each
    /// program.
    fn from_str(text: &str) -> Result<Self, Flaw> {
        if let Some(preset) = Preset::ALL.into_iter().find(|preset| preset.name() == text) {
            return Ok(preset);
        }
        let numbered =
            text.split_once('-').and_then(|(name, count)| Some((name, count.parse::<u32>().ok()?)));
        if let Some(("train", count)) = numbered {
            let preset = Preset::Train { per_program: 0 }.with_count(count)?;
            if preset.to_string() == text {
                return Ok(preset);
            }
        }
        let names = Preset::ALL.map(Preset::name);
        let hint = nearest(text, names.into_iter())
            .map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
        Err(Flaw::new(format!("preset {text:?} is unknown, there are {}{hint}", names.join(", "))))
    }
}

/// One row of the published composition.
struct Composition {
    /// A task's id, or a scene that has one published program.
    name: &'static str,
    /// Instances at the easy, the medium and the hard tier.
    counts: [u32; 3],
}

/// The published benchmark, in the order of the properties.
const COMPOSITION: &[Composition] = &[
    row("maze-2d/bars", [167, 167, 166]),
    row("maze-2d/reach", [167, 167, 166]),
    row("maze-3d/doors", [166, 166, 166]),
    row("maze-3d/points", [166, 166, 166]),
    row("pipe", [200, 200, 200]),
    row("assembly", [346, 533, 156]),
    row("one-stroke", [200, 200, 200]),
    row("bead/relation", [111, 111, 111]),
    row("bead/sequence", [222, 222, 223]),
    row("origami", [334, 333, 333]),
    row("swap", [200, 200, 200]),
    row("chat-noir", [200, 200, 200]),
    row("hole", [333, 333, 333]),
    row("sheep/escaping", [90, 90, 90]),
    row("sheep/fullest", [10, 10, 10]),
    row("sheep/gaps", [76, 77, 77]),
    row("sheep/trapped", [156, 157, 157]),
    row("knots/category", [167, 91, 129]),
    row("knots/freed", [18, 9, 13]),
    row("knots/linked", [41, 22, 31]),
    row("knots/pattern", [40, 22, 31]),
    row("knots/ropes", [167, 90, 129]),
    row("untangle", [200, 200, 200]),
];

const fn row(name: &'static str, counts: [u32; 3]) -> Composition {
    Composition { name, counts }
}

fn composition(task: &TaskInfo) -> Option<&'static Composition> {
    let named = |name: &str| COMPOSITION.iter().find(|row| row.name == name);
    named(task.id).or_else(|| named(task.scene()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_composition_adds_up() {
        let mut tiers = [0; 3];
        for row in COMPOSITION {
            for (sum, count) in tiers.iter_mut().zip(row.counts) {
                *sum += count;
            }
        }
        assert_eq!(tiers, [3_777, 3_766, 3_487]);
        assert_eq!(tiers.iter().sum::<u32>(), 11_030);
    }

    #[test]
    fn every_published_task_has_a_place_of_its_own() {
        let registry = topotrace::registry();
        let mut used = Vec::new();
        for task in registry.tasks().iter().filter(|task| task.info().published) {
            let found = composition(task.info());
            let row = found.unwrap_or_else(|| panic!("{} has no composition", task.info().id));
            assert!(!used.contains(&row.name), "{} shares its counts with another task", task.info().id);
            used.push(row.name);
        }
    }

    #[test]
    fn an_unknown_preset_is_named_with_the_nearest() {
        assert_eq!("smoke".parse(), Ok(Preset::Smoke));
        let flaw = "smok".parse::<Preset>().unwrap_err().to_string();
        assert!(flaw.contains("\"smok\"") && flaw.contains("did you mean \"smoke\""), "{flaw}");
        let flaw = "everything".parse::<Preset>().unwrap_err().to_string();
        assert!(flaw.contains("smoke, train, full"), "{flaw}");
    }

    #[test]
    fn train_takes_a_count() {
        for text in ["train", "train-1000", "smoke", "full"] {
            assert_eq!(text.parse::<Preset>().unwrap().to_string(), text);
        }
        for text in ["train-0", "train-10000001", "train-064", "train-64", "train-x", "full-3"] {
            assert!(text.parse::<Preset>().is_err(), "{text}");
        }
        assert!(Preset::Full.with_count(3).is_err());
    }

    #[test]
    fn train_spreads_a_programs_instances_over_the_tiers() {
        let registry = topotrace::registry();
        let info = registry.tasks()[0].info();
        let sums = |preset: Preset| {
            let counts = Level::ALL.map(|level| preset.counts(info, level).unwrap());
            [0, 1].map(|at| counts.each_ref().map(|counts| counts[at].1))
        };
        assert_eq!(sums("train".parse().unwrap()), [[21, 22, 21], [0, 1, 1]]);
        assert_eq!(sums("train-1000".parse().unwrap()), [[333, 334, 333], [10, 11, 11]]);
    }
}
