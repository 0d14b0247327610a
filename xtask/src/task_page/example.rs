//! The example on a task's page: one instance with its pictures.

use rayon::prelude::*;
use topotrace_core::{Error, Level, Picture, Task, TaskInfo};

/// The folder of the examples' pictures.
pub(crate) const FOLDER: &str = "docs/tasks/pictures";
/// The tier of every example: neither trivial nor crowded.
pub(crate) const LEVEL: Level = Level::Medium;
/// The seed of every example.
pub(crate) const SEED: u64 = 2026;
/// Pixels on the longer side of an example's picture, where so few are enough to read it.
const SIDE: u32 = 384;

/// One instance as a reader sees it.
pub(crate) struct Example {
    pub(crate) prompt: String,
    /// As JSON text.
    pub(crate) answer: String,
    /// The probability that a blind guess is right; `None` for plans.
    pub(crate) chance: Option<f64>,
    pub(crate) pictures: Vec<Picture>,
    /// Pixels on the longer side of its pictures.
    pub(crate) side: u32,
}

impl Example {
    /// The example of a task.
    ///
    /// # Errors
    /// When the instance can't be made.
    pub(crate) fn of(task: &dyn Task) -> Result<Self, Error> {
        let (seeds, instance) = task.generator(&LEVEL.into())?.generate(SEED)?;
        let style = instance.style(seeds.render, None)?;
        Ok(Example {
            prompt: instance.prompt(seeds.prompt, &style)?,
            answer: instance.answer().to_json(),
            chance: instance.domain().chance(),
            pictures: instance.draw(&style)?,
            side: SIDE.max(instance.least_side()),
        })
    }

    /// The examples of several tasks, made on all threads.
    ///
    /// # Errors
    /// When an instance can't be made.
    pub(crate) fn of_all(tasks: &[&'static dyn Task]) -> Result<Vec<Self>, Error> {
        tasks.par_iter().map(|task| Example::of(*task)).collect()
    }
}

/// The names of the pictures of a task's example.
pub(crate) fn picture_names(info: &TaskInfo) -> Vec<String> {
    let name = |number: usize| match number {
        0 => format!("{}.png", info.slug()),
        _ => format!("{}-{number}.png", info.slug()),
    };
    (0..info.pictures).map(name).collect()
}
