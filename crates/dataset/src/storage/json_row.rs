//! A row as one line of JSON, pictures apart: what WebDataset samples and image folders hold.
//!
//! Loaders guess the type of every key from the first few rows and drop keys or fail when a later
//! row has another. So every key is always there and nothing is null: numbers that a row may lack
//! (`chance`, `budget`, `reference_length`) are decimal text, empty where there is none.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use topotrace_core::{Contract, Flaw, Record};

use super::key::picture_path;
use crate::row::{Row, check_prompt, prompt_with_placeholders};

/// Where a row's pictures are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Nowhere: they lie beside the row under its key.
    Keyed,
    /// In `file_name`, or in `file_names` where there are several.
    Named,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRow {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file_names: Option<Vec<String>>,
    id: String,
    state_hash: String,
    task: String,
    task_version: u32,
    data_source: String,
    property: String,
    level: String,
    scene: String,
    query: String,
    difficulty: f64,
    effort: u64,
    split: String,
    seed: String,
    prompt: Vec<Message>,
    prompt_verl: Vec<Message>,
    answer: String,
    answer_kind: String,
    domain: String,
    contract: String,
    chance: String,
    operations: Vec<String>,
    budget: String,
    reference_length: String,
    trace: String,
    ability: String,
    reward_model: RewardModel,
    extra_info: ExtraInfo,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    role: String,
    content: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RewardModel {
    style: String,
    ground_truth: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraInfo {
    index: u64,
    split: String,
    id: String,
    task: String,
    domain: String,
    contract: String,
    answer_kind: String,
    seed: String,
    /// Empty where judging needs no item.
    item: String,
}

/// The row as JSON text; `index` is its number within its configuration and split.
///
/// # Errors
/// When the prompt holds a picture's placeholder, or the trace of a plan can't be read.
pub(super) fn encode(row: &Row, index: u64, layout: Layout) -> Result<String, Flaw> {
    check_prompt(&row.record)?;
    let record = row.record.clone();
    let count = row.pictures.len();
    let names: Vec<String> = (0..count).map(|at| picture_path(index, at, count)).collect();
    let (file_name, file_names) = match (layout, names.as_slice()) {
        (Layout::Keyed, _) => (None, None),
        (Layout::Named, [one]) => (Some(one.clone()), None),
        (Layout::Named, _) => (None, Some(names)),
    };
    let item = match record.contract == Contract::Plan.to_json() {
        true => record.parse_trace()?.item.get().to_owned(),
        false => String::new(),
    };
    let json = JsonRow {
        file_name,
        file_names,
        id: record.id.to_string(),
        state_hash: record.state_hash.to_string(),
        task_version: record.task_version,
        property: record.property.name().to_owned(),
        difficulty: record.difficulty.value(),
        effort: record.effort,
        prompt: vec![user(record.prompt.clone())],
        prompt_verl: vec![user(prompt_with_placeholders(row))],
        answer_kind: record.answer_kind.name().to_owned(),
        chance: text_of(record.chance),
        budget: text_of(record.budget),
        reference_length: text_of(record.reference_length),
        ability: record.property.name().to_owned(),
        reward_model: RewardModel { style: "rule".to_owned(), ground_truth: record.answer.clone() },
        extra_info: ExtraInfo {
            index,
            split: record.split.name().to_owned(),
            id: record.id.to_string(),
            task: record.task.clone(),
            domain: record.domain.clone(),
            contract: record.contract.clone(),
            answer_kind: record.answer_kind.name().to_owned(),
            seed: record.seed.clone(),
            item,
        },
        split: record.split.name().to_owned(),
        task: record.task,
        data_source: record.data_source,
        level: record.level,
        scene: record.scene,
        query: record.query,
        seed: record.seed,
        answer: record.answer,
        domain: record.domain,
        contract: record.contract,
        operations: record.operations,
        trace: record.trace,
    };
    serde_json::to_string(&json).map_err(|e| Flaw::new(format!("the row can't be written as JSON: {e}")))
}

/// The record of a row, and where it says that its pictures are.
pub(super) struct Decoded {
    pub(super) record: Record,
    pub(super) file_names: Vec<String>,
    pub(super) index: u64,
}

/// Reads what [`encode`] writes. Keys that repeat others are not looked at.
///
/// # Errors
/// When the text is no such row; the first part is its id as far as known.
pub(super) fn decode(text: &str) -> Result<Decoded, (String, Flaw)> {
    let json: JsonRow = serde_json::from_str(text).map_err(|e| (id_of(text), Flaw::new(e.to_string())))?;
    let id = json.id.clone();
    let index = json.extra_info.index;
    let file_names = json.file_name.iter().cloned().chain(json.file_names.iter().flatten().cloned());
    let file_names = file_names.collect();
    let record = record(json).map_err(|flaw| (id, flaw))?;
    Ok(Decoded { record, file_names, index })
}

fn record(json: JsonRow) -> Result<Record, Flaw> {
    let [message] = <[Message; 1]>::try_from(json.prompt)
        .map_err(|all| Flaw::new(format!("the prompt has {} messages instead of 1", all.len())))?;
    let value = serde_json::json!({
        "id": json.id,
        "state_hash": json.state_hash,
        "task": json.task,
        "task_version": json.task_version,
        "data_source": json.data_source,
        "property": json.property,
        "level": json.level,
        "scene": json.scene,
        "query": json.query,
        "difficulty": json.difficulty,
        "effort": json.effort,
        "split": json.split,
        "seed": json.seed,
        "prompt": message.content,
        "answer": json.answer,
        "answer_kind": json.answer_kind,
        "domain": json.domain,
        "contract": json.contract,
        "chance": number_of::<f64>("chance", &json.chance)?,
        "operations": json.operations,
        "budget": number_of::<u32>("budget", &json.budget)?,
        "reference_length": number_of::<u32>("reference_length", &json.reference_length)?,
        "trace": json.trace,
    });
    serde_json::from_value(value).map_err(|e| Flaw::new(format!("the keys make no record: {e}")))
}

/// The top keys in which two rows differ; all of the text where only its form differs.
pub(super) fn differences(text: &str, again: &str) -> Vec<String> {
    if text == again {
        return Vec::new();
    }
    let parse = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (ours, theirs) = (parse(text), parse(again));
    let keys: std::collections::BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let differing: Vec<String> =
        keys.into_iter().filter(|key| ours.get(*key) != theirs.get(*key)).cloned().collect();
    if differing.is_empty() { vec!["JSON".to_owned()] } else { differing }
}

fn id_of(text: &str) -> String {
    let value: Option<Value> = serde_json::from_str(text).ok();
    value.as_ref().and_then(|value| value.get("id")?.as_str()).unwrap_or_default().to_owned()
}

fn user(content: String) -> Message {
    Message { role: "user".to_owned(), content }
}

fn text_of<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn number_of<T: std::str::FromStr>(key: &str, text: &str) -> Result<Option<T>, Flaw> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| Flaw::new(format!("{key} {text:?} is neither a number nor empty")))
}
