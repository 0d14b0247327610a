//! Reading a free-form response as a typed answer, layer by layer.
//!
//! 1. *Strict*: white space and one closing code fence aside, the response ends with one JSON
//!    object whose only key is `answer`, of the right JSON type. Nothing before it matters.
//! 2. *Loose object*: the JSON objects with an `answer` key anywhere, read with usual leniencies.
//! 3. *Phrase*: final-answer phrases, `<answer>…</answer>`, `\boxed{…}`, `#### …`.
//! 4. *Lone value*: the last line is one legal value and nothing else.
//!
//! The first layer that finds something ends the search, a legal value or not. Actions and plans
//! are read by the first two layers alone: prose is never scraped for them. Within a layer, two
//! different values are no answer, nor is a value that later text of a weaker form contradicts: a
//! wrong credit is worse than an answer that is not understood. What a response thinks aloud in
//! `<think>` is no part of it.
//!
//! Time is linear in the response's length. Of a response beyond [`LONGEST`] bytes only the end
//! is read.

mod doubt;
mod json;
mod lines;
mod marks;
mod number;
mod phrase;
mod tally;
mod text;
mod thought;
mod value;

use crate::{Answer, Domain, Layer, Reason};

use json::Finder;
use tally::Tally;
use value::{Strictness, Trouble};

/// The most bytes of a response that are read; of a longer one, its last ones.
pub const LONGEST: usize = 1 << 20;

/// The most characters of an offending value that are handed back.
const LONGEST_FOUND: usize = 200;

/// What was read from a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A legal value of the domain, canonically spelled.
    Legal {
        /// The layer that found it.
        layer: Layer,
        /// The value.
        answer: Answer,
    },
    /// No legal value.
    Refused {
        /// The layer that ended the search; `None` when no layer found anything.
        layer: Option<Layer>,
        /// Why.
        reason: Reason,
        /// The offending value as JSON text, where there is one and it is short.
        found: Option<String>,
    },
}

impl Reading {
    fn refused(layer: Layer, reason: Reason, found: String) -> Self {
        // A byte count under the limit spares counting the characters of a megabyte.
        let short = found.len() <= 4 * LONGEST_FOUND && found.chars().count() <= LONGEST_FOUND;
        Reading::Refused { layer: Some(layer), reason, found: short.then_some(found) }
    }
}

/// Reads `response` as an answer in `domain`.
pub fn read(response: &str, domain: &Domain) -> Reading {
    let response = tail(thought::spoken(response));
    let prose = !matches!(domain, Domain::Action { .. } | Domain::Plan { .. });
    strict(response, domain)
        .or_else(|| loose(response, domain))
        .or_else(|| if prose { phrases(response, domain) } else { None })
        .or_else(|| if prose { lone(response, domain) } else { None })
        .unwrap_or(Reading::Refused { layer: None, reason: Reason::Missing, found: None })
}

/// The last [`LONGEST`] bytes, from a character's start.
fn tail(response: &str) -> &str {
    let mut from = response.len().saturating_sub(LONGEST);
    while !response.is_char_boundary(from) {
        from += 1;
    }
    &response[from..]
}

/// The text without the white space and the code fence at its end.
fn unfenced(response: &str) -> &str {
    let text = response.trim_end();
    text.strip_suffix("```").map_or(text, str::trim_end)
}

fn strict(response: &str, domain: &Domain) -> Option<Reading> {
    let object = Finder::new(unfenced(response)).last()?;
    if object.len() != 1 {
        return None;
    }
    let raw = object.answer()?.ok()?;
    match value::answer(raw, domain, Strictness::Strict) {
        Ok(answer) => Some(Reading::Legal { layer: Layer::Strict, answer }),
        Err(Trouble::Illegal(found)) => {
            // `"(B)"` is a string, so of the right type, and no legal name; but the next layer
            // understands it. Only what stays illegal there is illegal here.
            match value::answer(raw, domain, Strictness::Loose) {
                Err(Trouble::Illegal(_) | Trouble::Placeholder) => {
                    Some(Reading::refused(Layer::Strict, Reason::Illegal, found))
                }
                _ => None,
            }
        }
        Err(_) => None,
    }
}

fn loose(response: &str, domain: &Domain) -> Option<Reading> {
    let mut tally = Tally::default();
    let mut end = None;
    Finder::new(response).each_answer(|object, place| {
        end = Some(place.end);
        let (before, whole) = (&response[..place.start], &response[place]);
        match object.answer() {
            Some(Ok(raw)) => {
                let read = value::answer(raw, domain, Strictness::Loose);
                let rivals =
                    object.rivals().any(|rival| value::answer(rival, domain, Strictness::Loose) != read)
                        || object.others().any(phrase::holds_key);
                let conflicting = read.is_ok() && (rivals || doubt::denies(before));
                tally.add(if conflicting { Err(Trouble::Conflicting) } else { read }, raw);
            }
            Some(Err(_)) => tally.add(Err(Trouble::DuplicateKey), whole),
            None => {}
        }
    });
    tally.hear_after_object(&response[end?..], domain);
    tally.settle(Layer::LooseObject)
}

fn phrases(response: &str, domain: &Domain) -> Option<Reading> {
    let mut tally = Tally::default();
    tally.hear(response, domain);
    let last = phrase::candidates(response).last().map_or(response.len(), |last| last.close);
    tally.hear_end(&response[last..], domain);
    tally.settle(Layer::Phrase)
}

fn lone(response: &str, domain: &Domain) -> Option<Reading> {
    let answer = lines::lone(unfenced(response), domain)?;
    Some(Reading::Legal { layer: Layer::LoneValue, answer })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_response_is_cut_at_a_character() {
        let long = format!("é{}", "x".repeat(LONGEST - 1));
        assert_eq!(tail(&long), &long[2..]);
        assert_eq!(tail("é"), "é");
    }

    #[test]
    fn one_fence_is_taken_off() {
        assert_eq!(unfenced("a }\r\n```\n \n"), "a }");
        assert_eq!(unfenced("``````"), "```");
    }

    #[test]
    fn a_long_value_is_not_handed_back() {
        let found = |length| match Reading::refused(Layer::Strict, Reason::Illegal, "é".repeat(length)) {
            Reading::Refused { found, .. } => found,
            Reading::Legal { .. } => None,
        };
        assert!(found(200).is_some());
        assert!(found(201).is_none());
    }
}
