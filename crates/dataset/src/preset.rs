use std::str::FromStr;

use topotrace_core::{Flaw, Level, Split, TaskInfo, nearest};

/// A named composition of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preset {
    /// Every task at every tier, a handful of each split: to see that everything runs.
    Smoke,
    /// The published benchmark: only the published tasks, all of it of the test split.
    Full,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 2] = [Preset::Smoke, Preset::Full];

    /// The preset's name, as on the command line and in the manifest.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Smoke => "smoke",
            Preset::Full => "full",
        }
    }

    /// What the preset is for, in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Preset::Smoke => "every task at every tier, 6 train, 2 validation and 2 test instances each",
            Preset::Full => "the published benchmark: the published tasks, all of the test split",
        }
    }

    /// How many instances of `task` at `level` each split gets.
    ///
    /// # Errors
    /// When a published task has no place in the benchmark's composition.
    pub fn counts(self, task: &TaskInfo, level: Level) -> Result<Vec<(Split, u32)>, Flaw> {
        match self {
            Preset::Smoke => Ok(vec![(Split::Train, 6), (Split::Validation, 2), (Split::Test, 2)]),
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

impl FromStr for Preset {
    type Err = Flaw;

    fn from_str(text: &str) -> Result<Self, Flaw> {
        Preset::ALL.into_iter().find(|preset| preset.name() == text).ok_or_else(|| {
            let names = Preset::ALL.map(Preset::name);
            let hint = nearest(text, names.into_iter())
                .map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
            Flaw::new(format!("preset {text:?} is unknown, there are {}{hint}", names.join(" and ")))
        })
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
        assert!(flaw.contains("smoke and full"), "{flaw}");
    }
}
