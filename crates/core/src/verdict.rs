use serde::{Deserialize, Serialize};

/// The layer of reading that found the answer, from the strictest down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The response ends with the one JSON object that was asked for.
    Strict,
    /// A JSON object with an `answer` key somewhere, read with usual leniencies.
    LooseObject,
    /// A final-answer phrase, `<answer>…</answer>` or `\boxed{…}`.
    Phrase,
    /// The last line is one legal value and nothing else.
    LoneValue,
}

/// Why a verdict is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// A legal answer that is right.
    Right,
    /// A legal answer that is wrong.
    Wrong,
    /// An answer was read, but it is outside the instance's domain.
    Illegal,
    /// Nothing that looks like an answer.
    Missing,
    /// Two different answers in one layer.
    Conflicting,
    /// An answer object whose value is of the wrong JSON type (`true` for a number, an object or
    /// a nested list for a name).
    WrongType,
    /// An answer object that gives a key twice.
    DuplicateKey,
}

/// The three rewards, all computed from the same verdict.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rewards {
    /// 1 when right, otherwise 0.
    pub exact: f64,
    /// 0.95 when right plus 0.05 when a legal value was read by the strict layer.
    pub formatted: f64,
    /// 1 when right, 0 when readable and legal but wrong, −0.1 otherwise.
    pub penalised: f64,
}

/// What a verifier says of one response. Always the same keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the answer is right.
    pub right: bool,
    /// Whether an answer was read that is legal for this instance.
    pub legal: bool,
    /// The layer that spoke; `None` when no layer found anything.
    pub layer: Option<Layer>,
    /// Why.
    pub reason: Reason,
    /// The answer that was read, as canonical JSON text.
    pub answer: Option<String>,
    /// The rewards.
    pub rewards: Rewards,
}

impl Verdict {
    /// The verdict on a legal answer.
    pub fn judged(layer: Layer, answer: String, right: bool) -> Self {
        let format = if layer == Layer::Strict { 0.05 } else { 0.0 };
        Verdict {
            right,
            legal: true,
            layer: Some(layer),
            reason: if right { Reason::Right } else { Reason::Wrong },
            answer: Some(answer),
            rewards: Rewards {
                exact: if right { 1.0 } else { 0.0 },
                formatted: if right { 0.95 + format } else { format },
                penalised: if right { 1.0 } else { 0.0 },
            },
        }
    }

    /// The verdict on a response without a legal answer.
    pub fn refused(layer: Option<Layer>, reason: Reason, answer: Option<String>) -> Self {
        Verdict {
            right: false,
            legal: false,
            layer,
            reason,
            answer,
            rewards: Rewards { exact: 0.0, formatted: 0.0, penalised: -0.1 },
        }
    }
}

/// A contract bound to one instance. Total: any string gives a verdict, in time that is linear in
/// the string's length, without a panic.
pub trait Verifier: Send + Sync {
    /// Reads and judges one response.
    fn verify(&self, response: &str) -> Verdict;
}
