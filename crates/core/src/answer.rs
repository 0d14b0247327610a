use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::flaw::Flaw;

/// The type of an answer, as it stands in a record's `answer_kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnswerKind {
    /// A whole number.
    Integer,
    /// One name out of a list: an option letter or a word.
    Label,
    /// Names in any order, without repeats.
    Set,
    /// Names in order.
    Sequence,
    /// A list of actions that reaches a goal.
    Plan,
    /// One action of an episode.
    Action,
}

impl AnswerKind {
    /// The kind's name, as in records.
    pub const fn name(self) -> &'static str {
        match self {
            AnswerKind::Integer => "integer",
            AnswerKind::Label => "label",
            AnswerKind::Set => "set",
            AnswerKind::Sequence => "sequence",
            AnswerKind::Plan => "plan",
            AnswerKind::Action => "action",
        }
    }
}

/// One action as compact JSON text in the canonical order of its fields: `{"x":0,"y":2}`, `"U"`, `12`.
///
/// Text, because only the task's own game knows the action's Rust type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionText(String);

impl ActionText {
    /// Wraps text that is already canonical JSON.
    pub fn new(json: impl Into<String>) -> Self {
        ActionText(json.into())
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A typed answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Answer {
    /// A whole number.
    Integer(i64),
    /// One name, spelled as in the domain.
    Label(String),
    /// Names in any order; repeats are dropped.
    Set(BTreeSet<String>),
    /// Names in order.
    Sequence(Vec<String>),
    /// Actions in order.
    Plan(Vec<ActionText>),
    /// One action.
    Action(ActionText),
}

impl Answer {
    /// A set of names.
    pub fn set<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Answer::Set(names.into_iter().map(Into::into).collect())
    }

    /// The answer's kind.
    pub fn kind(&self) -> AnswerKind {
        match self {
            Answer::Integer(_) => AnswerKind::Integer,
            Answer::Label(_) => AnswerKind::Label,
            Answer::Set(_) => AnswerKind::Set,
            Answer::Sequence(_) => AnswerKind::Sequence,
            Answer::Plan(_) => AnswerKind::Plan,
            Answer::Action(_) => AnswerKind::Action,
        }
    }

    /// The value as compact JSON: what stands after `"answer":` in a perfect response.
    pub fn to_json(&self) -> String {
        match self {
            Answer::Integer(value) => value.to_string(),
            Answer::Label(name) => quoted(name),
            Answer::Set(names) => list(names.iter().map(|name| quoted(name))),
            Answer::Sequence(names) => list(names.iter().map(|name| quoted(name))),
            Answer::Plan(actions) => list(actions.iter().map(|action| action.0.clone())),
            Answer::Action(action) => action.0.clone(),
        }
    }

    /// A perfect response: the one JSON object that the strict layer asks for.
    pub fn to_response(&self) -> String {
        format!("{{\"answer\":{}}}", self.to_json())
    }

    /// Reads what [`Answer::to_json`] wrote.
    ///
    /// # Errors
    /// When `json` is not a value of the given kind.
    pub fn from_json(kind: AnswerKind, json: &str) -> Result<Self, Flaw> {
        fn parse<'a, T: Deserialize<'a>>(kind: AnswerKind, json: &'a str) -> Result<T, Flaw> {
            serde_json::from_str(json)
                .map_err(|e| Flaw::new(format!("answer {json:?} is not of kind {}: {e}", kind.name())))
        }
        Ok(match kind {
            AnswerKind::Integer => Answer::Integer(parse(kind, json)?),
            AnswerKind::Label => Answer::Label(parse(kind, json)?),
            AnswerKind::Set => Answer::Set(parse(kind, json)?),
            AnswerKind::Sequence => Answer::Sequence(parse(kind, json)?),
            AnswerKind::Plan => {
                let actions: Vec<&serde_json::value::RawValue> = parse(kind, json)?;
                Answer::Plan(actions.into_iter().map(|raw| ActionText::new(raw.get())).collect())
            }
            AnswerKind::Action => {
                let action: &serde_json::value::RawValue = parse(kind, json)?;
                Answer::Action(ActionText::new(action.get()))
            }
        })
    }
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_json() {
        let answers = [
            Answer::Integer(-3),
            Answer::Label("B".into()),
            Answer::set(["C", "A", "C"]),
            Answer::Sequence(vec!["RED".into(), "RED".into()]),
            Answer::Plan(vec![ActionText::new(r#"{"x":0,"y":2}"#), ActionText::new("12")]),
            Answer::Action(ActionText::new("\"U\"")),
        ];
        for answer in answers {
            assert_eq!(Answer::from_json(answer.kind(), &answer.to_json()).unwrap(), answer);
        }
        assert_eq!(Answer::set(["C", "A", "C"]).to_response(), r#"{"answer":["A","C"]}"#);
    }

    #[test]
    fn a_wrong_kind_is_named() {
        let flaw = Answer::from_json(AnswerKind::Integer, "\"B\"").unwrap_err();
        assert!(flaw.to_string().contains("integer"), "{flaw}");
    }
}
