//! What a dataset is made of.

mod part;
mod preset;
mod preset_file;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use topotrace_core::{Difficulty, Flaw, GENERATOR, Level, Registry, Settings, Split, Task, TaskInfo, ensure};

use crate::error::Error;
use crate::manifest::{GroupFacts, Manifest};

pub use part::Part;
pub(crate) use part::{Place, Unit};
pub use preset::Preset;

/// The fewest pixels on a picture's longer side.
pub const MIN_SIDE: u32 = topotrace_draw::MIN_SIDE;
/// The most pixels on a picture's longer side.
pub const MAX_SIDE: u32 = 4096;
/// The most instances of one group.
pub const MAX_COUNT: u32 = 10_000_000;

/// Instances that are alike but for their seeds.
#[derive(Clone)]
pub struct Group {
    /// The task.
    pub task: &'static dyn Task,
    /// Its difficulty, and parameters that are set by themselves.
    pub settings: Settings,
    /// The split whose states are taken.
    pub split: Split,
    /// The number of instances.
    pub count: u32,
}

impl Group {
    /// The tier's name, or the difficulty as a number where it is no tier.
    pub fn level(&self) -> String {
        self.settings.difficulty.name()
    }

    /// The configuration that the group's rows belong to: the property, and the number of
    /// pictures where there are several.
    pub fn config(&self) -> String {
        let info = self.task.info();
        match info.pictures {
            1 => info.property.name().to_owned(),
            several => format!("{}-{several}-pictures", info.property.name()),
        }
    }

    /// The name of slot number `slot`, unique within the build and the task.
    pub(crate) fn slot_name(&self, slot: u32) -> String {
        format!("{}/{}/{slot}", self.level(), self.split)
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("task", &self.task.info().id)
            .field("settings", &self.settings)
            .field("split", &self.split)
            .field("count", &self.count)
            .finish()
    }
}

/// What holds for every instance of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// The build seed: another one gives other instances.
    pub seed: u64,
    /// Pixels on the longer side of every picture.
    pub side: u32,
    /// The theme of every picture, or one drawn for each.
    pub theme: Option<String>,
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions { seed: 0, side: 1024, theme: None }
    }
}

/// Tasks, difficulties and counts chosen one by one.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Task ids, or scenes for all of their programs; empty means every task.
    pub tasks: Vec<String>,
    /// The difficulties; empty means the three tiers.
    pub difficulties: Vec<Difficulty>,
    /// Parameters set by themselves, their values as JSON text.
    pub overrides: BTreeMap<String, String>,
    /// Instances of each task and difficulty, by split.
    pub counts: BTreeMap<Split, u32>,
}

/// What a dataset is made of, checked: every group's settings hold.
#[derive(Clone, Debug)]
pub struct Plan {
    preset: Option<Preset>,
    options: PlanOptions,
    groups: Vec<Group>,
}

impl Plan {
    /// The plan of a preset over the tasks of `registry`.
    ///
    /// # Errors
    /// When an option is out of range or a published task has no counts.
    pub fn of_preset(registry: &Registry, preset: Preset, options: PlanOptions) -> Result<Self, Error> {
        Plan::new(Some(preset), Plan::groups_of(registry, preset)?, options)
    }

    /// The groups of a preset over the tasks of `registry`.
    pub(crate) fn groups_of(registry: &Registry, preset: Preset) -> Result<Vec<Group>, Error> {
        let mut groups = Vec::new();
        for &task in registry.tasks() {
            for level in Level::ALL {
                let counts =
                    preset.counts(task.info(), level).map_err(|flaw| Error::plan(flaw.to_string()))?;
                groups.extend(counts.into_iter().map(|(split, count)| Group {
                    task,
                    settings: level.into(),
                    split,
                    count,
                }));
            }
        }
        Ok(groups)
    }

    /// The plan that a manifest describes. Only what its groups say is checked: no instance is
    /// tried.
    ///
    /// # Errors
    /// When no build would have written the manifest.
    pub(crate) fn of_manifest(manifest: &Manifest, registry: &Registry) -> Result<Self, Error> {
        let seed = manifest.seed.parse::<u64>().ok().filter(|seed| seed.to_string() == manifest.seed);
        let seed = seed.ok_or_else(|| Error::plan(format!("seed {:?} is no whole number", manifest.seed)))?;
        let preset = manifest.preset.as_ref().map(|name| name.parse::<Preset>()).transpose();
        let preset = preset.map_err(|flaw| Error::plan(flaw.to_string()))?;
        let groups = match preset {
            // Another version may know other tasks.
            Some(preset) if manifest.generator == GENERATOR => Plan::groups_of(registry, preset)?,
            _ => manifest.groups.iter().map(|facts| group(facts, registry)).collect::<Result<_, _>>()?,
        };
        let options = PlanOptions { seed, side: manifest.side, theme: manifest.theme.clone() };
        Plan::checked(preset, groups, options)
    }

    /// The plan of chosen tasks, difficulties and counts.
    ///
    /// # Errors
    /// When a task is unknown (the error names the nearest), its settings do not hold, or a
    /// count or an option is out of range.
    pub fn of_selection(
        registry: &Registry,
        selection: &Selection,
        options: PlanOptions,
    ) -> Result<Self, Error> {
        Plan::of_selections(registry, std::slice::from_ref(selection), options)
    }

    /// The plan of several selections together.
    ///
    /// # Errors
    /// As [`Plan::of_selection`], and when two selections ask for the same instances.
    pub fn of_selections(
        registry: &Registry,
        selections: &[Selection],
        options: PlanOptions,
    ) -> Result<Self, Error> {
        let mut groups = Vec::new();
        for selection in selections {
            groups.extend(selection.groups(registry)?);
        }
        Plan::new(None, groups, options)
    }

    /// The plan of a preset written by a user, in TOML.
    ///
    /// # Errors
    /// When the text is no preset file (the error names the place and what is allowed there), or
    /// as [`Plan::of_selections`].
    pub fn of_preset_file(registry: &Registry, text: &str, options: PlanOptions) -> Result<Self, Error> {
        let selections = preset_file::parse(text).map_err(|flaw| Error::plan(flaw.to_string()))?;
        Plan::of_selections(registry, &selections, options)
    }
}

impl Selection {
    fn groups(&self, registry: &Registry) -> Result<Vec<Group>, Error> {
        let mut tasks: BTreeMap<&str, &'static dyn Task> = BTreeMap::new();
        for name in &self.tasks {
            tasks.extend(registry.matching(name)?.into_iter().map(|task| (task.info().id, task)));
        }
        if self.tasks.is_empty() {
            tasks.extend(registry.tasks().iter().map(|&task| (task.info().id, task)));
        }
        let mut difficulties = self.difficulties.clone();
        if difficulties.is_empty() {
            difficulties.extend(Level::ALL.map(Difficulty::from));
        }
        let mut groups = Vec::new();
        for task in tasks.into_values() {
            for &difficulty in &difficulties {
                let settings = Settings { difficulty, overrides: self.overrides.clone() };
                groups.extend(self.counts.iter().map(|(&split, &count)| Group {
                    task,
                    settings: settings.clone(),
                    split,
                    count,
                }));
            }
        }
        Ok(groups)
    }
}

impl Plan {
    /// The plan of the given groups, brought into the order of the files: by configuration,
    /// split, task and difficulty. Groups without instances are left out.
    ///
    /// # Errors
    /// When a group's settings do not hold or give no instance, two groups are the same but for
    /// their overrides, a count or an option is out of range, an instance needs more pixels, or
    /// nothing is left.
    pub fn new(preset: Option<Preset>, groups: Vec<Group>, options: PlanOptions) -> Result<Self, Error> {
        let plan = Plan::checked(preset, groups, options)?;
        plan.check_side()?;
        Ok(plan)
    }

    /// As [`Plan::new`], but no instance is tried.
    pub(crate) fn checked(
        preset: Option<Preset>,
        mut groups: Vec<Group>,
        options: PlanOptions,
    ) -> Result<Self, Error> {
        check_options(&options).map_err(|flaw| Error::plan(flaw.to_string()))?;
        groups.retain(|group| group.count > 0);
        groups.sort_by(|a, b| {
            let key = |group: &Group| (group.config(), group.split, group.task.info().id);
            let difficulty = |group: &Group| group.settings.difficulty.value();
            key(a).cmp(&key(b)).then(difficulty(a).total_cmp(&difficulty(b)))
        });
        check_groups(&groups, &options).map_err(|flaw| Error::plan(flaw.to_string()))?;
        for group in &groups {
            group.task.generator(&group.settings)?;
        }
        Ok(Plan { preset, options, groups })
    }

    /// Demands that one instance of every task and difficulty has room in the pictures: before
    /// anything is built, it is found out whether this can succeed at all.
    fn check_side(&self) -> Result<(), Error> {
        let side = self.options.side;
        let mut tried = BTreeSet::new();
        for group in &self.groups {
            let (id, level) = (group.task.info().id, group.level());
            if !tried.insert((id, level.clone(), &group.settings.overrides)) {
                continue;
            }
            let (_, instance) = group.task.generator(&group.settings)?.generate(0)?;
            let least = instance.least_side();
            if side < least {
                return Err(Error::plan(format!(
                    "side {side} is too small for {id} at {level}, which needs {least} pixels"
                )));
            }
        }
        Ok(())
    }

    /// The part of the plan whose tasks `keep` agrees to: the same instances as in the whole.
    ///
    /// # Errors
    /// When nothing is left.
    pub fn restricted(&self, keep: impl Fn(&TaskInfo) -> bool) -> Result<Self, Error> {
        let groups: Vec<Group> =
            self.groups.iter().filter(|group| keep(group.task.info())).cloned().collect();
        if groups.len() == self.groups.len() {
            return Ok(self.clone());
        }
        Plan::checked(None, groups, self.options.clone())
    }

    /// The preset that the plan was made from.
    pub fn preset(&self) -> Option<Preset> {
        self.preset
    }

    /// What holds for every instance.
    pub fn options(&self) -> &PlanOptions {
        &self.options
    }

    /// The groups, in the order of the files.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of instances.
    pub fn rows(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.count)).sum()
    }

    /// The facts of its tasks, by id.
    pub(crate) fn tasks(&self) -> Vec<&'static TaskInfo> {
        let tasks: BTreeMap<&str, _> =
            self.groups.iter().map(|group| (group.task.info().id, group.task.info())).collect();
        tasks.into_values().collect()
    }
}

/// The group that a manifest describes.
pub(crate) fn group(facts: &GroupFacts, registry: &Registry) -> Result<Group, Error> {
    let difficulty = Difficulty::new(facts.difficulty).map_err(|flaw| Error::plan(flaw.to_string()))?;
    Ok(Group {
        task: registry.get(&facts.task)?,
        settings: Settings { difficulty, overrides: facts.overrides.clone() },
        split: facts.split,
        count: facts.count,
    })
}

fn check_options(options: &PlanOptions) -> Result<(), Flaw> {
    ensure((MIN_SIDE..=MAX_SIDE).contains(&options.side), || {
        format!("side {} is not from {MIN_SIDE} to {MAX_SIDE} pixels", options.side)
    })
}

fn check_groups(groups: &[Group], options: &PlanOptions) -> Result<(), Flaw> {
    ensure(!groups.is_empty(), || {
        "there is nothing to make: no task matches or every count is 0, at least 1 is needed".to_owned()
    })?;
    let mut names = BTreeSet::new();
    for group in groups {
        let (id, level) = (group.task.info().id, group.level());
        ensure(group.count <= MAX_COUNT, || {
            format!("count {} of {id} is more than {MAX_COUNT}", group.count)
        })?;
        ensure(names.insert((id, level.clone(), group.split)), || {
            format!("{id} at {level} is asked for twice in {}; give its count once", group.split)
        })?;
        if let Some(theme) = &options.theme {
            let themes = group.task.themes();
            ensure(themes.contains(&theme.as_str()), || {
                format!("theme {theme:?} is unknown to {id}; there are {}", themes.join(", "))
            })?;
        }
    }
    Ok(())
}
