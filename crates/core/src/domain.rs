use serde::{Deserialize, Serialize};

use crate::answer::{Answer, AnswerKind};
use crate::words::english_list;

/// The legal answers of one instance.
///
/// The sentence on the answer's shape and the chance level both follow from it, so neither can
/// disagree with what the verifier accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Domain {
    /// Whole numbers from `min` to `max`, both included.
    Integer {
        /// The least legal value.
        min: i64,
        /// The greatest legal value.
        max: i64,
    },
    /// One of `members`.
    Label {
        /// The legal names, distinct without regard to case.
        members: Vec<String>,
    },
    /// A subset of `members` with at least `at_least` of them.
    Set {
        /// The legal names, distinct without regard to case.
        members: Vec<String>,
        /// The least number of names in a legal answer; 0 allows the empty set.
        at_least: usize,
    },
    /// Exactly `length` names out of `members`, in order, repeats allowed.
    Sequence {
        /// The legal names, distinct without regard to case.
        members: Vec<String>,
        /// The number of names in a legal answer.
        length: usize,
    },
    /// One action of the given shape.
    Action {
        /// What every action looks like.
        shape: ActionShape,
    },
    /// A list of actions of the given shape, of which the first `at_most` are run. An action
    /// outside its range is illegal in the game, not in the list: it uses up its step.
    Plan {
        /// What every action looks like.
        shape: ActionShape,
        /// The action budget.
        at_most: usize,
    },
}

/// What an action looks like as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ActionShape {
    /// A whole number from `min` to `max`, both included.
    Integer {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of `members`.
    Label {
        /// The legal names, distinct without regard to case.
        members: Vec<String>,
    },
    /// An object with exactly these whole-number fields, in this canonical order.
    Object {
        /// The fields.
        fields: Vec<Field>,
    },
}

/// A whole-number field of an action object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The field's key.
    pub name: String,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

impl Field {
    /// A field `name` with values from `min` to `max`, both included.
    pub fn new(name: &str, min: i64, max: i64) -> Self {
        Field { name: name.to_owned(), min, max }
    }
}

impl Domain {
    /// The kind of the answers in this domain.
    pub fn kind(&self) -> AnswerKind {
        match self {
            Domain::Integer { .. } => AnswerKind::Integer,
            Domain::Label { .. } => AnswerKind::Label,
            Domain::Set { .. } => AnswerKind::Set,
            Domain::Sequence { .. } => AnswerKind::Sequence,
            Domain::Action { .. } => AnswerKind::Action,
            Domain::Plan { .. } => AnswerKind::Plan,
        }
    }

    /// The probability that a blind guess over the domain is right, from 0 to 1: one over the
    /// number of values; for a set over k names, 1/2^k. `None` for actions and plans, where a
    /// random policy is measured instead.
    pub fn chance(&self) -> Option<f64> {
        match self {
            Domain::Integer { min, max } => Some(1.0 / (max - min + 1) as f64),
            Domain::Label { members } => Some(1.0 / members.len() as f64),
            Domain::Set { members, .. } => Some(power(0.5, members.len())),
            Domain::Sequence { members, length } => Some(power(1.0 / members.len() as f64, *length)),
            Domain::Action { .. } | Domain::Plan { .. } => None,
        }
    }

    /// Other answers close to `answer`: what a certificate must not prove as well. Not all of
    /// them need be legal.
    pub fn neighbors(&self, answer: &Answer) -> Vec<Answer> {
        match (self, answer) {
            (Domain::Integer { .. }, Answer::Integer(value)) => {
                vec![Answer::Integer(value - 1), Answer::Integer(value + 1)]
            }
            (Domain::Label { members }, Answer::Label(name)) => {
                members.iter().filter(|m| *m != name).cloned().map(Answer::Label).collect()
            }
            (Domain::Set { members, .. }, Answer::Set(names)) => members
                .iter()
                .map(|member| {
                    let mut changed = names.clone();
                    if !changed.remove(member) {
                        changed.insert(member.clone());
                    }
                    Answer::Set(changed)
                })
                .collect(),
            (Domain::Sequence { members, .. }, Answer::Sequence(names)) => (0..names.len())
                .flat_map(|at| members.iter().map(move |member| (at, member)))
                .filter(|(at, member)| names[*at] != **member)
                .map(|(at, member)| {
                    let mut changed = names.clone();
                    changed[at].clone_from(member);
                    Answer::Sequence(changed)
                })
                .collect(),
            (Domain::Plan { .. }, Answer::Plan(actions)) if !actions.is_empty() => {
                vec![Answer::Plan(actions[..actions.len() - 1].to_vec()), Answer::Plan(Vec::new())]
            }
            _ => Vec::new(),
        }
    }

    /// The sentences that end every prompt: the legal values and the exact JSON shape, shown with
    /// a placeholder and never with a value that could be right.
    pub fn sentence(&self) -> String {
        const END: &str = "End your reply with one JSON object of exactly this shape and nothing after it:";
        match self {
            Domain::Integer { min, max } => {
                format!("{END} {{\"answer\": N}}, where N is a whole number from {min} to {max}.")
            }
            Domain::Label { members } => {
                format!("{END} {{\"answer\": \"NAME\"}}, where NAME is one of {}.", names(members, "or"))
            }
            Domain::Set { members, at_least } => {
                let empty = match at_least {
                    0 => "; if there are none, the list is empty".to_owned(),
                    1 => "; it holds at least one name".to_owned(),
                    n => format!("; it holds at least {n} names"),
                };
                format!(
                    "{END} {{\"answer\": [\"NAME\", ...]}}, a list in any order of names out of {}{empty}.",
                    names(members, "and")
                )
            }
            Domain::Sequence { members, length } => format!(
                "{END} {{\"answer\": [\"NAME\", ...]}}, a list of exactly {length} names in order, each one of {}.",
                names(members, "or")
            ),
            Domain::Action { shape } => {
                let (placeholder, values) = shape.words();
                format!("{END} {{\"answer\": {placeholder}}}, where {values}.")
            }
            Domain::Plan { shape, at_most } => {
                let (placeholder, values) = shape.words();
                format!(
                    "{END} {{\"answer\": [{placeholder}, ...]}}, a list of at most {at_most} actions in order, where {values}."
                )
            }
        }
    }
}

impl ActionShape {
    /// The placeholder and the sentence part on its values.
    fn words(&self) -> (String, String) {
        match self {
            ActionShape::Integer { min, max } => {
                ("N".to_owned(), format!("N is a whole number from {min} to {max}"))
            }
            ActionShape::Label { members } => {
                ("\"NAME\"".to_owned(), format!("NAME is one of {}", names(members, "or")))
            }
            ActionShape::Object { fields } => {
                let parts: Vec<String> =
                    fields.iter().map(|f| format!("\"{}\": {}", f.name, f.name.to_uppercase())).collect();
                let ranges: Vec<String> = fields
                    .iter()
                    .map(|f| {
                        format!("{} is a whole number from {} to {}", f.name.to_uppercase(), f.min, f.max)
                    })
                    .collect();
                (format!("{{{}}}", parts.join(", ")), ranges.join(" and "))
            }
        }
    }
}

/// `"A"`, `"B" or "C"`: names in quotes as an English list.
fn names(members: &[String], conjunction: &str) -> String {
    let quoted: Vec<String> = members.iter().map(|name| format!("\"{name}\"")).collect();
    if quoted.is_empty() { "nothing".to_owned() } else { english_list(&quoted, conjunction) }
}

/// `base` multiplied with itself `exponent` times, always in the same order.
fn power(base: f64, exponent: usize) -> f64 {
    std::iter::repeat_n(base, exponent).product()
}
