use serde::Serialize;
use topotrace_core::{Digest, Episode, EpisodeOptions, Flaw, Instance, Settings, Split, Task, Trace};

use crate::error::Error;

/// A planning instance with its episode, ready to be acted in.
pub struct Opened {
    /// What is known of the instance.
    pub facts: Facts,
    /// The episode, at its first step.
    pub episode: Box<dyn Episode>,
}

/// What a runner knows of an instance. None of it is for the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The task's id.
    pub task: &'static str,
    /// The instance's id.
    pub id: Digest,
    /// The part of the data that its state belongs to.
    pub split: Split,
    /// The number of actions that the episode allows.
    pub budget: u32,
    /// The length of the reference plan.
    pub reference_length: u32,
}

/// Opens the instance of a seed at a difficulty, in a theme or in one drawn. With a split, its
/// state belongs to it: who trains on states of `train` alone never meets one of the benchmark.
/// Without one, it is the instance that `show --seed` shows, of whatever split.
///
/// # Errors
/// When the task is no planning task, its settings don't hold, or the theme is unknown.
pub fn open_seed(
    task: &'static dyn Task,
    settings: &Settings,
    seed: u64,
    split: Option<Split>,
    theme: Option<&str>,
    options: EpisodeOptions,
) -> Result<Opened, Error> {
    let generator = task.generator(settings)?;
    let (seeds, instance) = match split {
        Some(split) => generator.generate_in(seed, split)?,
        None => generator.generate(seed)?,
    };
    let style = instance.style(seeds.render, theme)?;
    open_instance(&*instance, &style, seeds.prompt, options)
}

/// Opens what a dataset's record holds: its state, in its looks and its wording.
///
/// # Errors
/// When the text is no trace, or not of this task.
pub fn open_trace(task: &'static dyn Task, trace: &str, options: EpisodeOptions) -> Result<Opened, Error> {
    let trace: Trace = serde_json::from_str(trace).map_err(|e| Error::trace(Flaw::new(e.to_string())))?;
    let instance = task.load(trace.item.get())?;
    open_instance(&*instance, trace.style.get(), trace.seeds.prompt, options)
}

/// Opens an item by itself (state, marks and query as JSON text); `seed` draws its looks, unless
/// a theme is given, and its wording.
///
/// # Errors
/// When the text is no item of this task, or the theme is unknown.
pub fn open_item(
    task: &'static dyn Task,
    item: &str,
    seed: u64,
    theme: Option<&str>,
    options: EpisodeOptions,
) -> Result<Opened, Error> {
    let instance = task.load(item)?;
    let style = instance.style(seed, theme)?;
    open_instance(&*instance, &style, seed, options)
}

/// Opens an instance in a style.
///
/// # Errors
/// When its task is no planning task, or the style is none of it.
pub fn open_instance(
    instance: &dyn Instance,
    style: &str,
    prompt_seed: u64,
    options: EpisodeOptions,
) -> Result<Opened, Error> {
    let task = instance.info().id;
    let episode = instance.episode(style, options, prompt_seed)?.ok_or_else(|| Error::not_planning(task))?;
    let facts = Facts {
        task,
        id: instance.id(),
        split: Split::of(instance.state_hash()),
        budget: episode.steps_left(),
        reference_length: instance.reference_length().unwrap_or(0),
    };
    Ok(Opened { facts, episode })
}
