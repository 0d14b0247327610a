//! Responses to a sheet, judged by the task itself.

use std::collections::BTreeMap;
use std::path::Path;

use topotrace_core::{Instance, Task, Verdict};

use super::answers::{self, AnswerLine};
use crate::failure::{Failure, say};

/// The most characters of a line that a message quotes.
const QUOTED: usize = 40;

/// Judges the file `responses` against the file `answers` of a sheet of `task` and prints the outcome.
pub(super) fn run(task: &dyn Task, answers: &Path, responses: &Path) -> Result<(), Failure> {
    let key = std::fs::read_to_string(answers).map_err(|e| {
        Failure::file("read", answers, &e).hint("make the sheet first: the same command without --check")
    })?;
    let unusable = |failure: Failure| {
        failure.within(format!("{} can't be used", answers.display())).hint("make the sheet again")
    };
    let lines = answers::read(&key).map_err(|flaw| unusable(flaw.into()))?;
    let text = std::fs::read_to_string(responses).map_err(|e| Failure::file("read", responses, &e))?;
    let read = read(&text, lines.len() as u32);
    let (mut right, mut unanswered) = (0, 0);
    for line in &lines {
        let instance = load(task, line).map_err(unusable)?;
        let number = line.number;
        match read.responses.get(&number) {
            None => {
                unanswered += 1;
                say(format!("{number:>4} not answered"))?;
            }
            Some((_, response)) => {
                let verdict = instance.verifier().verify(response);
                right += u32::from(verdict.right);
                say(format!("{number:>4} {}", in_words(&verdict)?))?;
            }
        }
    }
    for fault in &read.faults {
        say(format!("{}: {fault}", responses.display()))?;
    }
    say(format!("{right} of {} right, {unanswered} not answered: {}", lines.len(), answers.display()))
}

/// The instance of a line, of today's version of the task.
fn load(task: &dyn Task, line: &AnswerLine) -> Result<Box<dyn Instance>, Failure> {
    let instance = task.load(line.item.get())?;
    if instance.id() == line.id {
        return Ok(instance);
    }
    let (number, found, today) = (line.number, line.id, instance.id());
    Err(Failure::new(format!("instance {number} has id {found}, but {} says {today}", task.info().id)))
}

/// `right`, or why not and what was read.
fn in_words(verdict: &Verdict) -> Result<String, Failure> {
    let reason = serde_json::to_string(&verdict.reason)?.trim_matches('"').replace('_', " ");
    Ok(match &verdict.answer {
        Some(answer) if !verdict.right => format!("{reason}: {}", shortened(answer)),
        _ => reason,
    })
}

/// What a file of responses holds.
#[derive(Debug, Default, PartialEq)]
struct Responses<'a> {
    /// By number, each with its line, counted from 1.
    responses: BTreeMap<u32, (usize, &'a str)>,
    /// The lines that don't count, each with the reason.
    faults: Vec<String>,
}

/// Reads lines `N RESPONSE` for the numbers from 1 to `count`. A number may end with a period, a colon
/// or a bracket, as in a list; blank lines are passed over; the first response to a number counts.
fn read(text: &str, count: u32) -> Responses<'_> {
    let mut read = Responses::default();
    for (line, content) in (1..).zip(text.lines().map(str::trim)) {
        if content.is_empty() {
            continue;
        }
        let (word, response) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
        let Ok(number) = word.strip_suffix(['.', ':', ')']).unwrap_or(word).parse::<u32>() else {
            let shown = shortened(content);
            read.faults.push(format!("line {line} does not begin with a number and a blank: {shown}"));
            continue;
        };
        if !(1..=count).contains(&number) {
            read.faults.push(format!("line {line} answers {number}; the sheet has 1 to {count}"));
        } else if let Some((earlier, _)) = read.responses.get(&number) {
            read.faults.push(format!("line {line} answers {number}, as line {earlier} does, which counts"));
        } else {
            // Nothing after the number is a response as well: the verifier says that it holds no answer.
            read.responses.insert(number, (line, response.trim_start()));
        }
    }
    read
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_and_what_does_not_count_is_named() {
        let text = "2 B, D\n\n  1. {\"answer\": [\"A\"]} \r\n3\t\tA\n4\n2 A\n9 A\n0 A\nB C\n-1 A\n3) again\n";
        let read = read(text, 5);
        let wanted = [(1, (3, "{\"answer\": [\"A\"]}")), (2, (1, "B, D")), (3, (4, "A")), (4, (5, ""))];
        assert_eq!(read.responses, BTreeMap::from(wanted));
        let faults = [
            "line 6 answers 2, as line 1 does, which counts",
            "line 7 answers 9; the sheet has 1 to 5",
            "line 8 answers 0; the sheet has 1 to 5",
            "line 9 does not begin with a number and a blank: B C",
            "line 10 does not begin with a number and a blank: -1 A",
            "line 11 answers 3, as line 4 does, which counts",
        ];
        assert_eq!(read.faults, faults);
    }

    proptest! {
        #[test]
        fn every_line_that_is_not_blank_counts_or_is_named(text in "(?s).{0,80}", list in "([0-9]{1,3}[ .]{0,2}[a-c]?\n){0,8}") {
            let text = format!("{text}\n{list}");
            let read = read(&text, 50);
            let filled = text.lines().filter(|line| !line.trim().is_empty()).count();
            prop_assert_eq!(read.responses.len() + read.faults.len(), filled);
            prop_assert!(read.responses.keys().all(|number| (1..=50).contains(number)));
        }
    }
}
