use std::io::{BufRead, Write};

use rayon::prelude::*;
use serde::Serialize;
use topotrace_core::{Digest, Flaw, Layer, Property, Reason, Split, TaskKind, Verdict};

use super::fields::Fields;
use super::intake::{Intake, Malformed, Place};
use super::lines::{LONGEST_LINE, Line, Lines};
use super::questions::{Found, Question, Questions};
use super::scores::{Judgment, Scores, missing};
use crate::error::Error;

/// Lines, and bytes in them, that are judged at once.
const BATCH: (usize, usize) = (1024, 16 << 20);

/// The verdict on one row. Always the same keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerdictLine<'a> {
    /// The record's id.
    pub id: Digest,
    /// The task's id.
    pub task: &'a str,
    /// The task's property.
    pub property: Property,
    /// The task's kind.
    pub kind: TaskKind,
    /// The tier's name, or the difficulty as a number.
    pub level: String,
    /// The query, as JSON text.
    pub query: &'a str,
    /// The split.
    pub split: Split,
    /// Whether there is a response.
    pub responded: bool,
    /// Whether the answer is right.
    pub right: bool,
    /// Whether an answer was read that is legal for the instance.
    pub legal: bool,
    /// The layer that spoke.
    pub layer: Option<Layer>,
    /// Why the verdict is what it is.
    pub reason: Reason,
    /// The answer that was read, as canonical JSON text.
    pub answer: Option<String>,
    /// 1 when right, otherwise 0.
    pub exact: f64,
    /// 0.95 when right plus 0.05 when a legal value was read by the strict layer.
    pub formatted: f64,
    /// 1 when right, 0 when readable and legal but wrong, −0.1 otherwise.
    pub penalised: f64,
}

impl<'a> VerdictLine<'a> {
    /// The line of a question and its verdict.
    pub fn new(question: &'a Question, responded: bool, verdict: Verdict) -> Self {
        let Verdict { right, legal, layer, reason, answer, rewards } = verdict;
        let info = question.task();
        VerdictLine {
            id: question.id,
            task: info.id,
            property: info.property,
            kind: info.kind,
            level: question.difficulty.name(),
            query: &question.query,
            split: question.split,
            responded,
            right,
            legal,
            layer,
            reason,
            answer,
            exact: rewards.exact,
            formatted: rewards.formatted,
            penalised: rewards.penalised,
        }
    }
}

/// Judges a file of responses: JSON lines with the keys `id` and `response`.
///
/// A [`VerdictLine`] for every response is written to `verdicts` in the order of the responses,
/// and after them one for every row without a response in the order of the rows: every row has
/// exactly one. `on_progress` hears how many bytes were read.
///
/// The responses are read in pieces, so that a file may be larger than the memory, and judged on
/// all of rayon's threads. The number of threads changes no byte.
///
/// # Errors
/// When the responses can't be read or the verdicts not be written, or there is no line at all.
pub fn score(
    questions: &Questions,
    responses: &mut dyn BufRead,
    verdicts: &mut dyn Write,
    on_progress: &mut dyn FnMut(u64),
) -> Result<Scores, Error> {
    let rows = questions.rows();
    let mut intake = Intake { repeated_rows: questions.repeated(), ..Intake::default() };
    let mut judgments = vec![Judgment::of(&missing()); rows.len()];
    let mut answered = vec![false; rows.len()];
    let mut lines = Lines::new(responses, LONGEST_LINE);
    loop {
        let batch = next_batch(&mut lines).map_err(|e| Error::stream("responses", "read", e))?;
        if batch.is_empty() {
            break;
        }
        let read: Vec<Result<Response, Flaw>> = batch.par_iter().map(read_line).collect();
        let accepted: Vec<(usize, String)> = batch
            .iter()
            .zip(read)
            .filter_map(|(line, read)| accept(questions, &mut answered, &mut intake, line.number, read))
            .collect();
        let judged: Vec<(usize, Verdict)> =
            accepted.par_iter().map(|(at, text)| (*at, rows[*at].verifier().verify(text))).collect();
        for (at, verdict) in judged {
            judgments[at] = Judgment::of(&verdict);
            write(verdicts, &VerdictLine::new(&rows[at], true, verdict))?;
        }
        on_progress(lines.bytes());
    }
    if intake.lines > 0 && intake.lines == intake.malformed.count {
        return Err(Error::nothing_to_score(
            "no line is a response: an object with the keys id and response",
        ));
    }
    if intake.lines == 0 {
        return Err(Error::nothing_to_score("there is no line with a response"));
    }
    for (question, _) in rows.iter().zip(&answered).filter(|(_, answered)| !**answered) {
        intake.missing.push(question.id);
        write(verdicts, &VerdictLine::new(question, false, missing()))?;
    }
    Ok(Scores::new(rows, &judgments, intake))
}

/// A response as it stands in a line.
struct Response {
    id: String,
    /// `None` for null.
    text: Option<String>,
}

/// The next lines that are not blank; none at the end.
fn next_batch<R: BufRead>(lines: &mut Lines<R>) -> std::io::Result<Vec<Line>> {
    let (most_lines, most_bytes) = BATCH;
    let mut batch = Vec::new();
    let mut bytes = 0;
    while batch.len() < most_lines && bytes < most_bytes {
        let Some(line) = lines.next().transpose()? else { break };
        if !line.is_blank() {
            bytes += line.text.as_ref().map_or(0, Vec::len);
            batch.push(line);
        }
    }
    Ok(batch)
}

fn read_line(line: &Line) -> Result<Response, Flaw> {
    let Some(text) = &line.text else {
        return Err(Flaw::new(format!("the line is longer than {LONGEST_LINE} bytes")));
    };
    let fields = Fields::of(text)?;
    let id = fields.id()?.ok_or_else(|| Flaw::new("there is no id"))?;
    Ok(Response { id, text: fields.response()? })
}

/// Counts a line; what is to be judged is the number of its row and the response.
fn accept(
    questions: &Questions,
    answered: &mut [bool],
    intake: &mut Intake,
    line: u64,
    read: Result<Response, Flaw>,
) -> Option<(usize, String)> {
    intake.lines += 1;
    let Response { id, text } = match read {
        Ok(response) => response,
        Err(flaw) => {
            intake.malformed.push(Malformed { line, reason: flaw.to_string() });
            return None;
        }
    };
    match (questions.find(&id), text) {
        (Found::Unknown, _) => intake.unknown.push(Place::new(line, &id)),
        (Found::Unselected, _) => intake.unselected += 1,
        (Found::Row(_), None) => intake.null.push(Place::new(line, &id)),
        (Found::Row(at), Some(_)) if answered[at] => intake.duplicate.push(Place::new(line, &id)),
        (Found::Row(at), Some(text)) => {
            answered[at] = true;
            intake.scored += 1;
            return Some((at, text));
        }
    }
    None
}

fn write(verdicts: &mut dyn Write, line: &VerdictLine<'_>) -> Result<(), Error> {
    let mut text = serde_json::to_vec(line).expect("plain data can be written as JSON");
    text.push(b'\n');
    verdicts.write_all(&text).map_err(|e| Error::stream("verdicts", "written", e))
}
