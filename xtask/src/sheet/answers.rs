//! The answers beside a sheet: one JSON object a line.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use topotrace_core::{Digest, Flaw, Instance};

/// What the sheet's file of answers holds of one instance: enough to judge responses without making
/// it again.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerLine {
    /// Its number on the sheet, from 1 on.
    pub(super) number: u32,
    /// The answer; the reference plan of a planning task.
    answer: Box<RawValue>,
    /// The instance's id.
    pub(super) id: Digest,
    /// The instance's seed, as decimal text.
    seed: String,
    /// State, marks and query.
    pub(super) item: Box<RawValue>,
}

impl AnswerLine {
    /// # Errors
    /// When the instance's answer or item is no JSON text.
    pub(super) fn new(number: u32, seed: u64, instance: &dyn Instance) -> Result<Self, serde_json::Error> {
        Ok(AnswerLine {
            number,
            answer: RawValue::from_string(instance.answer().to_json())?,
            id: instance.id(),
            seed: seed.to_string(),
            item: RawValue::from_string(instance.item())?,
        })
    }
}

/// The file's text.
///
/// # Errors
/// When a line can't be written as JSON.
pub(super) fn write(lines: &[AnswerLine]) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    for line in lines {
        text.push_str(&serde_json::to_string(line)?);
        text.push('\n');
    }
    Ok(text)
}

/// Reads what [`write()`] wrote.
///
/// # Errors
/// When a line is none, or they are not numbered from 1 on.
pub(super) fn read(text: &str) -> Result<Vec<AnswerLine>, Flaw> {
    let mut lines: Vec<AnswerLine> = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let line: AnswerLine = serde_json::from_str(text)
            .map_err(|e| Flaw::new(format!("line {number} is no answer of a sheet: {e}")))?;
        topotrace_core::ensure(line.number == number, || {
            format!("line {number} has number {}; answers are numbered from 1 on", line.number)
        })?;
        lines.push(line);
    }
    topotrace_core::ensure(!lines.is_empty(), || "there is no line; a sheet has at least 1".to_owned())?;
    Ok(lines)
}
