use topotrace_core::{EpisodeOptions, Level, Settings, Task, TaskKind};
use topotrace_runner::{Opened, open_seed};

/// The planning tasks of all families.
pub(crate) fn tasks() -> Vec<&'static dyn Task> {
    let planning = |task: &&'static dyn Task| task.info().kind == TaskKind::Planning;
    topotrace::registry().tasks().iter().copied().filter(planning).collect()
}

pub(crate) fn open(task: &'static dyn Task, level: Level, seed: u64) -> Opened {
    open_seed(task, &Settings::from(level), seed, None, None, EpisodeOptions::default()).unwrap()
}
