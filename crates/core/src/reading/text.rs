//! Prose as a typed answer: a captured phrase, a line, or a string in an answer object.

use std::collections::BTreeSet;

use crate::{Answer, Domain};

use super::doubt::{REASONS, is_one_of, unsettled};
use super::marks::{closed, is_mark, opened, plain, trimmed};
use super::number;
use super::value::{self, Trouble};

/// Where a text stands, which decides how much besides the value it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// After a phrase in a sentence: words may follow the value, and a single letter has to be
    /// spelled as in the domain, since "a" and "I" are words.
    Sentence,
    /// Inside a delimiter: words may follow the value.
    Enclosed,
    /// By itself: nothing but the value, and an unknown name is no value.
    Alone,
}

/// Words that may stand before a name.
const OPTION_WORDS: [&str; 4] = ["options", "option", "choice", "letter"];

/// Signs for the order of two names.
const ARROWS: [&str; 9] = ["-->", "->", "==>", "=>", ">", "→", "⇒", "⟶", "➔"];

/// Reads prose as an answer in `domain`. Actions and plans are never read from prose.
pub(super) fn answer(text: &str, domain: &Domain, setting: Setting) -> Result<Answer, Trouble> {
    let plain = plain(text);
    match domain {
        Domain::Integer { min, max } => number::read(&plain, *min, *max, setting).map(Answer::Integer),
        Domain::Label { members } => name(&plain, members, setting).map(Answer::Label),
        Domain::Set { members, at_least } => {
            let may_be_empty = *at_least == 0 && value::member(members, trimmed(&plain)).is_none();
            if may_be_empty && is_empty_set(&plain) {
                return Ok(Answer::Set(BTreeSet::new()));
            }
            value::set(names(&plain, members, false, setting)?, *at_least)
        }
        Domain::Sequence { members, length } => {
            value::sequence(names(&plain, members, true, setting)?, *length)
        }
        Domain::Action { .. } | Domain::Plan { .. } => Err(Trouble::NoValue),
    }
}

/// Reads one name: the first word or words, with no other name after it.
pub(super) fn name(text: &str, members: &[String], setting: Setting) -> Result<String, Trouble> {
    if let Some(member) = value::member(members, text.trim()) {
        return spelled(text.trim(), member, setting).then(|| member.clone()).ok_or(Trouble::NoValue);
    }
    if text.contains('~') {
        // Struck out, or an approximation.
        return Err(Trouble::NoValue);
    }
    let text = without_option_word(trimmed(text));
    let Some((member, after)) = take_name(text, members, setting) else {
        return Err(if setting == Setting::Alone { Trouble::NoValue } else { unknown_name(text, members) });
    };
    let mut rest = after;
    loop {
        let told_apart = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        if told_apart.is_empty() {
            break;
        }
        let marked = rest.trim_start().starts_with(|c: char| !c.is_alphanumeric());
        if setting == Setting::Alone {
            return Err(Trouble::NoValue);
        }
        // A letter counts as another name only where it is spelled like one: "B, a red rope".
        let (joined, next) = match first_word(told_apart) {
            (word, next) if is_one_of(word, &["or", "and"]) => (true, without_option_word(opened(next))),
            _ => (false, without_option_word(told_apart)),
        };
        match take_name(next, members, Setting::Sentence) {
            Some((other, _)) if other != member && (joined || marked) => return Err(Trouble::Conflicting),
            Some((_, next)) if joined || marked => rest = next,
            _ if !joined && (marked || is_one_of(first_word(told_apart).0, &REASONS)) => break,
            _ => return Err(Trouble::NoValue),
        }
    }
    let another =
        |rest: &str| take_name(rest, members, Setting::Sentence).is_some_and(|(other, _)| other != member);
    if unsettled(rest, true, another) { Err(Trouble::Conflicting) } else { Ok(member.clone()) }
}

/// What to say of a text that does not begin with a legal name.
fn unknown_name(text: &str, members: &[String]) -> Trouble {
    if value::member(members, text).is_some() {
        // A lower-case letter in a sentence.
        return Trouble::NoValue;
    }
    let odd = |c: char| c.is_whitespace() || "{}[]\"<>:=\\|,;".contains(c);
    if text.contains(char::is_alphanumeric) && !text.contains(odd) {
        return Trouble::Illegal(value::quoted(text));
    }
    let mut chars = text.chars();
    let letters = members.iter().all(|member| member.chars().count() == 1);
    match chars.next() {
        Some(letter) if letters && letter.is_ascii_uppercase() && ends_word(chars.as_str()) => {
            let rest = chars.as_str().trim_start();
            let marked = rest.starts_with(|c: char| !c.is_alphanumeric());
            if marked || is_one_of(first_word(rest).0, &REASONS) {
                return Trouble::Illegal(value::quoted(&letter.to_string()));
            }
            Trouble::NoValue
        }
        _ => Trouble::NoValue,
    }
}

/// Reads names that are separated by commas, "and" or, where they are in order, arrows.
pub(super) fn names(
    text: &str,
    members: &[String],
    ordered: bool,
    setting: Setting,
) -> Result<Vec<String>, Trouble> {
    if text.contains('~') {
        return Err(Trouble::NoValue);
    }
    let mut known = Vec::new();
    let mut unknown = Vec::new();
    let mut either = false;
    let mut rest = without_option_word(opened(text));
    loop {
        match take_name(rest, members, setting) {
            Some((member, after)) => {
                known.push(member.clone());
                rest = after;
            }
            None => {
                let end = rest.find(|c: char| c.is_whitespace() || ",;:&\"()[]{}<>→".contains(c));
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                let word = trimmed(word);
                if !word.contains(char::is_alphanumeric) || value::member(members, word).is_some() {
                    return Err(Trouble::NoValue);
                }
                unknown.push(word);
                rest = after;
            }
        }
        let after = separated(closed(rest), ordered, &mut either);
        let separate = after.len() < closed(rest).trim_start().len();
        let stop = closed(after).trim_start_matches(['.', '!', '?']);
        if stop.trim_start().is_empty() {
            break;
        }
        let stopped = stop.len() < after.len() && stop.starts_with(char::is_whitespace);
        if stopped || is_one_of(first_word(after).0, &REASONS) {
            // More text follows: one unknown word in front of it may be any word.
            if setting == Setting::Alone || known.is_empty() {
                return Err(Trouble::NoValue);
            }
            if unsettled(after, true, |rest| take_name(rest, members, Setting::Sentence).is_some()) {
                return Err(Trouble::Conflicting);
            }
            break;
        }
        if !separate {
            return Err(Trouble::NoValue);
        }
        rest = without_option_word(opened(after));
    }
    if either {
        return Err(Trouble::Conflicting);
    }
    match setting {
        _ if unknown.is_empty() => Ok(known),
        Setting::Alone => Err(Trouble::NoValue),
        _ => Err(Trouble::Illegal(value::quoted(trimmed(text)))),
    }
}

/// What follows the separators at the start, and whether one of them was an "or".
fn separated<'a>(text: &'a str, ordered: bool, either: &mut bool) -> &'a str {
    let mut rest = text.trim_start();
    loop {
        let (word, after_word) = first_word(rest);
        let after = if is_one_of(word, &["or"]) {
            *either = true;
            after_word
        } else if is_one_of(word, &["and"]) || (ordered && is_one_of(word, &["then"])) {
            after_word
        } else if let Some(after) = rest.strip_prefix('/') {
            *either = true;
            after
        } else if let Some(after) = rest.strip_prefix([',', ';', '&']) {
            after
        } else if let Some(after) =
            ARROWS.iter().filter(|_| ordered).find_map(|arrow| rest.strip_prefix(arrow))
        {
            after
        } else {
            return rest;
        };
        rest = after.trim_start();
    }
}

/// The longest member that `text` starts with as a whole word, and what follows it.
fn take_name<'a, 'm>(
    text: &'a str,
    members: &'m [String],
    setting: Setting,
) -> Option<(&'m String, &'a str)> {
    members
        .iter()
        .filter(|member| !member.is_empty())
        .filter_map(|member| Some((member, strip_name(text, member)?)))
        .filter(|(member, rest)| ends_word(rest) && spelled(text, member, setting))
        .min_by_key(|(_, rest)| rest.len())
}

/// What follows `name` at the start of `text`, whatever the case of its letters.
///
/// A letter of ASCII never equals one outside: the Kelvin sign's lower case is a plain "k".
pub(super) fn strip_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    for wanted in name.chars() {
        let given = rest.next()?;
        let same = match (given.is_ascii(), wanted.is_ascii()) {
            (true, true) => given.eq_ignore_ascii_case(&wanted),
            (false, false) => given.to_lowercase().eq(wanted.to_lowercase()),
            _ => false,
        };
        if !same {
            return None;
        }
    }
    Some(rest.as_str())
}

/// Whether the name at the start of `text` is spelled well enough for where it stands.
fn spelled(text: &str, member: &str, setting: Setting) -> bool {
    setting != Setting::Sentence || member.chars().count() != 1 || text.starts_with(member)
}

/// Whether a word can end before `rest`: no letter, no digit, no mark that changes the last
/// letter, and nothing that ties the next word to this one, as in `A-frame`, `B's` and `3.5`.
fn ends_word(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        None => true,
        Some('-' | '\'' | '’' | '.' | '_') => !chars.next().is_some_and(char::is_alphanumeric),
        Some('\u{300}'..='\u{36f}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}') => false,
        Some(c) => !c.is_alphanumeric(),
    }
}

fn first_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len()))
}

fn without_option_word(text: &str) -> &str {
    let (word, rest) = first_word(text);
    let name = opened(rest);
    if is_one_of(word, &OPTION_WORDS) && !name.is_empty() && name.len() < rest.len() { name } else { text }
}

/// Whether a text says that there is nothing: in a word, or as a pair of brackets around nothing.
/// A quote in between is the rest of something broken.
fn is_empty_set(text: &str) -> bool {
    const WORDS: [&str; 6] = ["none", "empty", "emptyset", "theemptyset", "varnothing", "∅"];
    let solid: String = text.chars().filter(|&c| !(c.is_whitespace() || matches!(c, '\\' | '$'))).collect();
    let bare = solid.trim_matches(['*', '_', '`']).trim_end_matches('.').trim_matches(['*', '_', '`']);
    is_one_of(bare.trim_matches(is_mark), &WORDS) || ["[]", "{}", "()"].contains(&bare)
}

/// What tells, at a word's start, that a name or a number of the domain stands there.
pub(super) fn names_any(domain: &Domain) -> impl Fn(&str) -> bool {
    move |text| match domain {
        Domain::Integer { .. } => number::begins_other(text, None),
        Domain::Label { members } | Domain::Set { members, .. } | Domain::Sequence { members, .. } => {
            take_name(text, members, Setting::Sentence).is_some()
        }
        Domain::Action { .. } | Domain::Plan { .. } => false,
    }
}

/// The same, for what is not the answer. In a set or a sequence every name counts: after its end
/// even one of its own says something else.
pub(super) fn names_other(domain: &Domain, answer: &Answer) -> impl Fn(&str) -> bool {
    move |text| match (domain, answer) {
        (Domain::Integer { .. }, Answer::Integer(value)) => number::begins_other(text, Some(*value)),
        (Domain::Label { members }, Answer::Label(name)) => {
            take_name(text, members, Setting::Sentence).is_some_and(|(other, _)| other != name)
        }
        _ => names_any(domain)(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters() -> Vec<String> {
        ["A", "B", "C", "D"].map(String::from).to_vec()
    }

    fn colors() -> Vec<String> {
        ["RED", "BLUE", "DARK BLUE", "none"].map(String::from).to_vec()
    }

    #[test]
    fn names_are_whole_words() {
        let read = |text| name(text, &letters(), Setting::Sentence);
        for text in [
            "B",
            "(B)",
            "B.",
            "**B**",
            "option B",
            "Option (B), since it is",
            "B) the red one",
            "B because",
            "“B”",
            "B: the red",
            "B — the red",
            "B, a red rope",
            "B (B)",
            "\\B",
            "B ✅",
        ] {
            assert_eq!(read(text).as_deref(), Ok("B"), "{text}");
        }
        for text in [
            "",
            "b",
            "Based on the picture",
            "B is it",
            "not B",
            "B and the other",
            "A rope",
            "B's end",
            "the B",
        ] {
            assert_eq!(read(text), Err(Trouble::NoValue), "{text}");
        }
        for text in ["A or B", "A/B", "A, B", "A and B", "(A) or (B)", "A. B", "A, or option B"] {
            assert_eq!(read(text), Err(Trouble::Conflicting), "{text}");
        }
        for text in ["E", "Based", "(E)", "B-2", "E because", "E) the red one", "B\u{301}", "Ｂ", "option E"]
        {
            assert!(matches!(read(text), Err(Trouble::Illegal(_))), "{text}: {:?}", read(text));
        }
        assert_eq!(name("b", &letters(), Setting::Enclosed).as_deref(), Ok("B"));
        assert_eq!(name("B because", &letters(), Setting::Alone), Err(Trouble::NoValue));
    }

    #[test]
    fn the_longest_name_is_taken() {
        assert_eq!(name("dark blue, since", &colors(), Setting::Sentence).as_deref(), Ok("DARK BLUE"));
        assert_eq!(name("Blue.", &colors(), Setting::Sentence).as_deref(), Ok("BLUE"));
        assert_eq!(
            name("blueish", &colors(), Setting::Enclosed),
            Err(Trouble::Illegal("\"blueish\"".into()))
        );
    }

    #[test]
    fn lists_are_names_and_separators() {
        let read = |text| names(text, &letters(), false, Setting::Sentence).map(|names| names.concat());
        for text in [
            "B, D",
            "B and D",
            "{B, D}",
            "[B, D]",
            "(B), (D)",
            "**B** & **D**.",
            "options B, and D",
            "\"B\", \"D\"",
            "B, D because they meet",
            "B and D. They meet",
            "B, D, since",
            "B;D",
        ] {
            assert_eq!(read(text).as_deref(), Ok("BD"), "{text}");
        }
        for text in
            ["", "B D", "Based on the picture", "B, which is red", "b and d", "B → D", "Unclear. Sorry", ","]
        {
            assert_eq!(read(text), Err(Trouble::NoValue), "{text}");
        }
        assert_eq!(read("B or D"), Err(Trouble::Conflicting));
        assert_eq!(read("B/D"), Err(Trouble::Conflicting));
        for text in ["B, Z", "Z", "B and every"] {
            assert!(matches!(read(text), Err(Trouble::Illegal(_))), "{text}");
        }
    }

    #[test]
    fn sequences_know_arrows_as_well() {
        let read = |text| names(text, &colors(), true, Setting::Enclosed).map(|names| names.join("+"));
        for text in [
            "RED -> BLUE",
            "red → blue",
            "RED, then BLUE",
            "RED then BLUE",
            "RED=>BLUE",
            "RED, BLUE",
            "RED->BLUE",
        ] {
            assert_eq!(read(text).as_deref(), Ok("RED+BLUE"), "{text}");
        }
        assert_eq!(read("red, dark blue, red").as_deref(), Ok("RED+DARK BLUE+RED"));
    }

    #[test]
    fn no_names_at_all_is_the_empty_set() {
        let domain = |at_least| Domain::Set { members: letters(), at_least };
        for text in ["none", "None.", "{}", "\\emptyset", "\\{\\}", "the empty set", "∅", "[ ]"] {
            assert_eq!(
                answer(text, &domain(0), Setting::Sentence),
                Ok(Answer::Set(BTreeSet::new())),
                "{text}"
            );
            assert!(answer(text, &domain(1), Setting::Sentence).is_err(), "{text}");
        }
        let named = Domain::Set { members: colors(), at_least: 0 };
        assert_eq!(answer("None", &named, Setting::Sentence), Ok(Answer::set(["none"])));
    }
}
