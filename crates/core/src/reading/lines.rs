//! Whole lines: one that is nothing but a value, and the ones next to it.

use crate::{Answer, Domain};

use super::doubt::{self, Sentence, is_one_of};
use super::marks::is_mark;
use super::phrase::{self, Form};
use super::text::{self, Setting};
use super::value::Trouble;

/// Words that go on with the line before, or take it back.
const CONTINUATIONS: [&str; 12] =
    ["and", "or", "nor", "then", "but", "plus", "also", "no", "not", "actually", "wrong", "incorrect"];

/// The value of the last line, where it is one and nothing near it makes it a part of a list, of a
/// sentence, or of a final-answer phrase.
pub(super) fn lone(text: &str, domain: &Domain) -> Option<Answer> {
    let line = text.lines().next_back()?;
    let odd = line.contains(['?', '~'])
        || is_bullet(line)
        || doubt::hangs(line)
        || doubt::left_open(line)
        || doubt::never_opened(line);
    if odd {
        return None;
    }
    let answer = text::answer(line, domain, Setting::Alone).ok()?;
    let before = &text[..text.len() - line.len()];
    let previous = before.lines().rev().find(|line| says_something(line));
    if previous.is_some_and(|previous| leads_on(previous, domain)) {
        return None;
    }
    let spoken = phrase::candidates(text).iter().any(|candidate| candidate.form != Form::Heading);
    (!spoken).then_some(answer)
}

/// Whether what follows a line goes on with it: with a separator, a correction, or a line that is
/// nothing but another value.
pub(super) fn goes_on(after: &str, domain: &Domain, answer: &Answer) -> bool {
    let Some(line) = after.lines().find(|line| says_something(line) || continues(line)) else {
        return false;
    };
    let line = unbulleted(line);
    if continues(line) {
        // A domain may have a name such as "no", and the line may repeat it.
        return !repeats(line, domain, answer);
    }
    is_value(line, domain) && !repeats(line, domain, answer)
}

/// Whether a line begins as one that belongs to the line before.
fn continues(line: &str) -> bool {
    let start = line.trim_start_matches(|c: char| c.is_whitespace() || is_mark(c));
    let word = start.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    start.starts_with([',', '，', '、', '&', '+', ';', '/', '~', '→', '⇒'])
        || ["->", "=>", "-->"].iter().any(|arrow| start.starts_with(arrow))
        || is_one_of(word, &CONTINUATIONS)
}

fn repeats(line: &str, domain: &Domain, answer: &Answer) -> bool {
    text::answer(line, domain, Setting::Alone).is_ok_and(|other| other == *answer)
}

/// Whether a line leaves the next one no value by itself.
fn leads_on(line: &str, domain: &Domain) -> bool {
    let last = line.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = last.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    is_bullet(line)
        || continues(line)
        || doubt::hangs(line)
        || doubt::left_open(line)
        || is_one_of(last, &["answer", "answers"])
        || Sentence::new(line).doubtful_at(line.len())
        || is_value(line, domain)
}

/// Whether a line is a value or several, legal or not, and nothing else.
fn is_value(line: &str, domain: &Domain) -> bool {
    let line = unbulleted(line);
    let read = match domain {
        Domain::Label { members } => text::names(line, members, false, Setting::Alone).map(|_| ()),
        _ => text::answer(line, domain, Setting::Alone).map(|_| ()),
    };
    read != Err(Trouble::NoValue)
}

/// Whether a line has words, rather than a rule or a code fence.
fn says_something(line: &str) -> bool {
    !line.trim_start().starts_with("```") && line.contains(|c: char| c.is_alphanumeric() || c == '∅')
}

fn is_bullet(line: &str) -> bool {
    unbulleted(line).len() < line.trim_start().len()
}

/// The line without what makes it an item of a list.
fn unbulleted(line: &str) -> &str {
    let line = line.trim_start();
    let unmarked = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = unmarked.len() < line.len() && unmarked.starts_with(['.', ')']);
    let rest = match line.chars().next() {
        Some('-' | '*' | '+' | '•' | '–' | '—' | '·' | '◦' | '▪') => {
            line.chars().next().map(char::len_utf8)
        }
        _ if numbered => Some(line.len() - unmarked.len() + 1),
        _ => None,
    };
    match rest.map(|length| &line[length..]) {
        Some(item) if item.starts_with(char::is_whitespace) => item.trim_start(),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_lists_are_told_from_decoration() {
        for line in ["- B", " * B", "• B", "1. B", "12) B"] {
            assert!(is_bullet(line), "{line}");
            assert_eq!(unbulleted(line), "B");
        }
        for line in ["-2", "**B**", "1.5", "17", "B", "B - C", ""] {
            assert!(!is_bullet(line), "{line}");
        }
    }
}
