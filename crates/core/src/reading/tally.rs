//! The candidates of one layer, summed up as they come.

use crate::{ActionShape, Answer, Domain, Layer, Reason};

use super::doubt::{self, Sentence};
use super::lines;
use super::phrase::{self, Candidate, Form};
use super::text;
use super::value::Trouble;
use super::{Reading, unfenced};

#[derive(Default)]
pub(super) struct Tally {
    /// The first readable value, legal or not.
    value: Option<Result<Answer, String>>,
    /// Whether there was another one, or something that takes the first one back.
    conflicting: bool,
    /// The first value that could not be read, and why.
    refused: Option<(Reason, String)>,
}

impl Tally {
    pub(super) fn add(&mut self, candidate: Result<Answer, Trouble>, raw: &str) {
        let mut refuse = |reason| {
            // A later answer that can't be read may well be another one.
            self.conflicting |= self.value.is_some() && reason != Reason::Illegal;
            self.refused.get_or_insert_with(|| (reason, raw.to_owned()));
        };
        let value = match candidate {
            Ok(answer) => Ok(answer),
            Err(Trouble::Illegal(found)) => Err(found),
            Err(Trouble::Conflicting) => {
                self.conflicting = true;
                return;
            }
            Err(Trouble::WrongType) => return refuse(Reason::WrongType),
            Err(Trouble::DuplicateKey) => return refuse(Reason::DuplicateKey),
            Err(Trouble::Placeholder) => return refuse(Reason::Illegal),
            Err(Trouble::NoValue) => return,
        };
        match &self.value {
            None => self.value = Some(value),
            Some(Err(first)) => {
                self.conflicting |= !value.is_err_and(|other| other.eq_ignore_ascii_case(first));
            }
            Some(first) => self.conflicting |= *first != value,
        }
    }

    /// Adds the final-answer phrases of a text, in its order. One that can't be read takes back
    /// what was read before it, for it may well be a correction.
    pub(super) fn hear(&mut self, text: &str, domain: &Domain) {
        let candidates = phrase::candidates(text);
        let mut sentence = Sentence::new(text);
        for (index, candidate) in candidates.iter().enumerate() {
            let next = candidates.get(index + 1).map(|next| next.start);
            let doubtful = sentence.doubtful_at(candidate.start);
            if candidate.says_nothing(text, next) {
                continue;
            }
            let captured = &text[candidate.from..candidate.to];
            let unclear = doubtful
                || candidate.form == Form::Broken
                || doubt::hangs(captured)
                || doubt::left_open(captured)
                || doubt::asks(captured);
            let read = match text::answer(captured, domain, candidate.setting) {
                _ if unclear => Err(Trouble::NoValue),
                Ok(answer) if taken_back(text, candidate, next, domain, &answer) => Err(Trouble::Conflicting),
                read => read,
            };
            match candidate.form {
                // A heading's word is no answer.
                Form::Heading if read == Err(Trouble::NoValue) && !unclear => {}
                Form::Remark | Form::Other if self.value.is_none() => {}
                Form::Remark if read == Err(Trouble::NoValue) && !unclear => {
                    self.conflicting |= doubt::unsettled(captured, false, text::names_any(domain));
                }
                _ if read == Err(Trouble::NoValue) => self.conflicting |= self.value.is_some(),
                _ => self.add(read, captured),
            }
        }
    }

    /// Looks for what takes back a legal value in the text after it.
    pub(super) fn hear_after_object(&mut self, after: &str, domain: &Domain) {
        let Some(Ok(answer)) = self.value.clone() else { return };
        let line = after.find('\n').unwrap_or(after.len());
        let first = phrase::candidates(after).first().map_or(line, |first| first.start.min(line));
        self.conflicting |= doubt::asks(&after[..first])
            || doubt::unsettled(&after[..first], false, text::names_any(domain))
            || lines::goes_on(&after[line..], domain, &answer);
        self.hear(after, domain);
        self.hear_end(after, domain);
    }

    /// Looks for second thoughts after a legal value, and for another value as the last line.
    pub(super) fn hear_end(&mut self, after: &str, domain: &Domain) {
        let Some(Ok(answer)) = &self.value else { return };
        let last = lines::lone(unfenced(after), domain);
        self.conflicting |= last.is_some_and(|last| last != *answer) || doubt::revised(after, names(domain));
    }

    pub(super) fn settle(self, layer: Layer) -> Option<Reading> {
        if self.conflicting {
            return Some(Reading::Refused { layer: Some(layer), reason: Reason::Conflicting, found: None });
        }
        match (self.value, self.refused) {
            (Some(Ok(answer)), _) => Some(Reading::Legal { layer, answer }),
            (Some(Err(found)), _) => Some(Reading::refused(layer, Reason::Illegal, found)),
            (None, Some((reason, found))) => Some(Reading::refused(layer, reason, found)),
            (None, None) => None,
        }
    }
}

/// Whether the rest of a capture's line, or the line after it, takes its answer back.
fn taken_back(
    text: &str,
    candidate: &Candidate,
    next: Option<usize>,
    domain: &Domain,
    answer: &Answer,
) -> bool {
    let bound = next.unwrap_or(text.len()).max(candidate.close);
    let end = text[candidate.close..bound].find('\n').map(|length| candidate.close + length);
    let rest = &text[candidate.close..end.unwrap_or(bound)];
    // Where the next capture stands in the same line, it has its own say on the next line.
    let line_ends = end.or(next.is_none().then_some(text.len()));
    doubt::asks(rest)
        || doubt::unsettled(rest, true, text::names_other(domain, answer))
        || line_ends.is_some_and(|end| lines::goes_on(&text[end..], domain, answer))
}

/// The names that an answer in `domain` may hold.
fn names(domain: &Domain) -> &[String] {
    match domain {
        Domain::Label { members } | Domain::Set { members, .. } | Domain::Sequence { members, .. } => members,
        Domain::Action { shape: ActionShape::Label { members } }
        | Domain::Plan { shape: ActionShape::Label { members }, .. } => members,
        _ => &[],
    }
}
