use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::answer::{Answer, AnswerKind};
use crate::digest::Digest;
use crate::error::Error;
use crate::flaw::{Flaw, ensure};
use crate::generate::Settings;
use crate::info::{Property, TaskInfo};
use crate::level::Difficulty;
use crate::picture::MarkBox;
use crate::seeds::Seeds;
use crate::split::Split;
use crate::task::Instance;

/// The generator version that stands in every trace.
pub const GENERATOR: &str = concat!("topotrace ", env!("CARGO_PKG_VERSION"));

/// One instance as it is stored: the same keys for every task, pictures apart.
///
/// What varies from task to task is JSON text inside a column, so that every dataset of every
/// task has one schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Hash of task, version, state, marks and query.
    pub id: Digest,
    /// Hash of scene and state alone; decides the split.
    pub state_hash: Digest,
    /// The task's id, such as `maze-2d/reach`.
    pub task: String,
    /// The task's version.
    pub task_version: u32,
    /// Routes the reward in trainers: `topotrace/` and the task's id.
    pub data_source: String,
    /// The property that is asked about.
    pub property: Property,
    /// The tier: `easy`, `medium` or `hard`, or the difficulty as a number between and beyond them.
    pub level: String,
    /// The scene's name.
    pub scene: String,
    /// The question's bounded argument, as JSON text.
    pub query: String,
    /// Difficulty from 0 to 1.25.
    pub difficulty: Difficulty,
    /// How much work a solver has.
    pub effort: u64,
    /// The part of the data that the state belongs to.
    pub split: Split,
    /// The build seed, as decimal text.
    pub seed: String,
    /// The prompt as plain text.
    pub prompt: String,
    /// The answer as JSON text: what stands after `"answer":` in a perfect response.
    pub answer: String,
    /// The kind of the answer.
    pub answer_kind: AnswerKind,
    /// The legal answers, as JSON text.
    pub domain: String,
    /// How answers are judged, with the names of the rewards, as JSON text.
    pub contract: String,
    /// The probability that a blind guess is right; `None` for plans.
    pub chance: Option<f64>,
    /// What a solver has to do.
    pub operations: Vec<String>,
    /// The action budget of a planning task.
    pub budget: Option<u32>,
    /// The length of the reference plan of a planning task.
    pub reference_length: Option<u32>,
    /// A [`Trace`] as JSON text.
    pub trace: String,
}

/// What replays an instance: enough for a stranger's program, without this code, to recompute
/// the answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// Name and version of the generator.
    pub generator: String,
    /// The seeds of the streams.
    pub seeds: Seeds,
    /// The parameters.
    pub params: Box<RawValue>,
    /// State, marks and query.
    pub item: Box<RawValue>,
    /// The certificate.
    pub evidence: Box<RawValue>,
    /// The style.
    pub style: Box<RawValue>,
    /// Per picture, where each answer-bearing mark is seen, in pixels of the stored picture.
    pub boxes: Vec<Vec<MarkBox>>,
}

/// What a record needs beside the instance.
#[derive(Clone, Copy, Debug)]
pub struct RecordContext<'a> {
    /// Name and version of the generator: [`GENERATOR`] for a new record, the recorded one when a
    /// record is made again.
    pub generator: &'a str,
    /// The build seed.
    pub build_seed: u64,
    /// What the instance was made from.
    pub settings: &'a Settings,
    /// The checked parameters, as JSON text.
    pub params: &'a str,
    /// The instance's seeds.
    pub seeds: Seeds,
    /// The style that was drawn, as JSON text.
    pub style: &'a str,
    /// Where the marks are seen.
    pub boxes: &'a [Vec<MarkBox>],
}

impl Record {
    /// The record of `instance`.
    ///
    /// # Errors
    /// When the style is none of this task's.
    pub fn new(instance: &dyn Instance, context: RecordContext<'_>) -> Result<Self, Error> {
        let info = instance.info();
        let domain = instance.domain();
        let state_hash = instance.state_hash();
        let raw = |json: String| RawValue::from_string(json).map_err(|e| broken(info, &e));
        let trace = Trace {
            generator: context.generator.to_owned(),
            seeds: context.seeds,
            params: raw(context.params.to_owned())?,
            item: raw(instance.item())?,
            evidence: raw(instance.evidence())?,
            style: raw(context.style.to_owned())?,
            boxes: context.boxes.to_vec(),
        };
        Ok(Record {
            id: instance.id(),
            state_hash,
            task: info.id.to_owned(),
            task_version: info.version,
            data_source: data_source(info),
            property: info.property,
            level: context.settings.difficulty.name(),
            scene: info.scene().to_owned(),
            query: instance.query(),
            difficulty: context.settings.difficulty,
            effort: instance.effort(),
            split: Split::of(state_hash),
            seed: context.build_seed.to_string(),
            prompt: instance.prompt(context.seeds.prompt, context.style)?,
            answer: instance.answer().to_json(),
            answer_kind: domain.kind(),
            domain: to_json(&domain),
            contract: info.contract.to_json(),
            chance: domain.chance(),
            operations: info.operations.iter().map(|o| o.name().to_owned()).collect(),
            budget: instance.budget(),
            reference_length: instance.reference_length(),
            trace: to_json(&trace),
        })
    }

    /// The trace, parsed.
    ///
    /// # Errors
    /// When the text is no trace.
    pub fn parse_trace(&self) -> Result<Trace, Flaw> {
        serde_json::from_str(&self.trace)
            .map_err(|e| Flaw::new(format!("the trace of record {} can't be read: {e}", self.id)))
    }

    /// The recorded answer, parsed.
    ///
    /// # Errors
    /// When the text is no value of the recorded kind.
    pub fn parse_answer(&self) -> Result<Answer, Flaw> {
        Answer::from_json(self.answer_kind, &self.answer)
    }

    /// Demands that `other`, made again from the seeds or the state, is the same in every field.
    ///
    /// # Errors
    /// Names the first field that differs.
    pub fn ensure_same(&self, other: &Record) -> Result<(), Flaw> {
        let (ours, theirs) = (fields(self)?, fields(other)?);
        for ((key, mine), (_, made)) in ours.iter().zip(&theirs) {
            ensure(mine == made, || {
                format!("record {}: {key} is {} but replays as {}", self.id, shorten(mine), shorten(made))
            })?;
        }
        Ok(())
    }
}

/// A record's fields as pairs of key and JSON text, sorted by key.
fn fields(record: &Record) -> Result<Vec<(String, String)>, Flaw> {
    let text = to_json(record);
    let map: std::collections::BTreeMap<String, &RawValue> =
        serde_json::from_str(&text).map_err(|e| Flaw::new(format!("a record can't be compared: {e}")))?;
    Ok(map.into_iter().map(|(key, value)| (key, value.get().to_owned())).collect())
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data can be written as JSON")
}

fn broken(info: &TaskInfo, cause: &serde_json::Error) -> Error {
    Error::item(info.id, Flaw::new(format!("a part of the trace is no JSON: {cause}")))
}

fn data_source(info: &TaskInfo) -> String {
    format!("topotrace/{}", info.id)
}
