use std::fmt;

use topotrace_core::{
    ActionShape, Episode, EpisodeOptions, Level, Policy, Settings, Status, Step, StepReason, Task,
};

use crate::error::Error;
use crate::opened::{Facts, open_seed};

/// An episode told in plain text: what was done in which state, and what came of it. Made to be
/// read and compared line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    text: String,
    steps: u32,
}

impl Transcript {
    /// The beginning of an episode.
    pub fn begin(title: &str, facts: &Facts, episode: &dyn Episode) -> Self {
        let mut transcript = Transcript { text: String::new(), steps: 0 };
        transcript.line(title);
        transcript.line(&format!("instance {}", facts.id));
        transcript.line(&format!("budget {}, reference {}", facts.budget, facts.reference_length));
        transcript.line("");
        transcript.line(&episode.text());
        transcript
    }

    /// Adds a step and the state after it.
    pub fn add(&mut self, step: &Step, episode: &dyn Episode) {
        self.steps += u32::from(step.reason != StepReason::Ended);
        let outcome = match step.reason {
            StepReason::Applied => "applied",
            StepReason::Illegal => "illegal",
            StepReason::Unreadable => "unreadable",
            StepReason::Ended => "ended before",
        };
        self.line("");
        self.line(&format!("{}. {}", self.steps, step.response));
        self.line(&format!("{outcome}, {} left, state {}", step.steps_left, step.state_hash));
        if let Some(detail) = &step.detail {
            self.line(&format!("because: {detail}"));
        }
        if step.legal() {
            self.line(&episode.text());
        }
        match step.status {
            Status::Open => {}
            Status::Success => self.line("SUCCESS"),
            Status::Failure => self.line("FAILURE"),
            Status::OutOfBudget => self.line("OUT OF BUDGET"),
        }
    }

    fn line(&mut self, line: &str) {
        // No line ends with spaces: editors would cut them.
        for line in if line.is_empty() { vec![""] } else { line.lines().collect() } {
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        }
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The transcript of a seed: the oracle acts, but for one unreadable and one illegal response,
/// and one after the end.
///
/// # Errors
/// When the task is no planning task, or no instance is found.
pub fn transcript_of_seed(task: &'static dyn Task, level: Level, seed: u64) -> Result<Transcript, Error> {
    let settings = Settings::from(level);
    let opened = open_seed(task, &settings, seed, None, None, EpisodeOptions::default())?;
    let mut episode = opened.episode;
    let title = format!("{} version {}, {level}, seed {seed}", task.info().id, task.info().version);
    let mut transcript = Transcript::begin(&title, &opened.facts, &*episode);
    let illegal = illegal_action(&*episode);
    let mut number = 0;
    while let Some(action) = episode.advise(Policy::Oracle, 0) {
        number += 1;
        let step = match number {
            2 if opened.facts.budget > opened.facts.reference_length => episode.step("I had better wait."),
            1 if opened.facts.budget > opened.facts.reference_length + 1 => episode.act(&illegal),
            _ => episode.step(&format!("{{\"answer\": {action}}}")),
        };
        transcript.add(&step, &*episode);
    }
    let step = episode.act(&illegal);
    transcript.add(&step, &*episode);
    Ok(transcript)
}

/// An action that can be read and is illegal in the first state: one with its numbers out of
/// range, or a word that is not legal there.
fn illegal_action(episode: &dyn Episode) -> String {
    match episode.shape() {
        ActionShape::Integer { max, .. } => (max + 1).to_string(),
        ActionShape::Object { fields } => {
            let fields: Vec<String> =
                fields.iter().map(|field| format!("\"{}\":{}", field.name, field.max + 1)).collect();
            format!("{{{}}}", fields.join(","))
        }
        ActionShape::Label { members } => {
            let legal = episode.legal_actions();
            let words = members.iter().map(|member| format!("\"{member}\""));
            words.into_iter().find(|word| !legal.contains(word)).unwrap_or_default()
        }
        _ => String::new(),
    }
}
