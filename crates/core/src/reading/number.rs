//! Whole numbers in prose.

use super::doubt::unsettled;
use super::marks::trimmed;
use super::text::Setting;
use super::value::{self, Trouble};

/// Reads a number: the first word, with no other number after it.
pub(super) fn read(text: &str, min: i64, max: i64, setting: Setting) -> Result<i64, Trouble> {
    let apart = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '=');
    let mut words = trimmed(text).split(apart).map(trimmed).filter(|word| !word.is_empty());
    let first = words.next().ok_or(Trouble::NoValue)?;
    let Word::Whole(value) = Word::of(first) else {
        return Err(Trouble::NoValue);
    };
    if text.contains('~') {
        return Err(Trouble::NoValue);
    }
    for word in words {
        match Word::of(word) {
            Word::Whole(other) if other == value => {}
            Word::Whole(_) | Word::OtherNumber => return Err(Trouble::Conflicting),
            Word::Other if setting == Setting::Alone => return Err(Trouble::NoValue),
            Word::Other => {}
        }
    }
    let after = text.find(first).map_or("", |at| &text[at + first.len()..]);
    if unsettled(after, true, |_| false) {
        return Err(Trouble::Conflicting);
    }
    match i64::try_from(value) {
        Ok(value) if (min..=max).contains(&value) => Ok(value),
        Ok(value) => Err(Trouble::Illegal(value.to_string())),
        Err(_) => Err(Trouble::Illegal(value::quoted(first))),
    }
}

/// Whether the text begins with a number other than `value`.
pub(super) fn begins_other(text: &str, value: Option<i64>) -> bool {
    let word = text.split(char::is_whitespace).next().map_or("", trimmed);
    match Word::of(word) {
        Word::Whole(other) => value.is_none_or(|value| other != i128::from(value)),
        Word::OtherNumber => true,
        Word::Other => false,
    }
}

/// A word, as far as numbers go.
enum Word {
    /// A whole number; one beyond all bounds is as good as any other that is.
    Whole(i128),
    /// `3.5`, `17th`, `1/2`, "hundred": numbers, but not this kind.
    OtherNumber,
    /// No number.
    Other,
}

impl Word {
    fn of(word: &str) -> Self {
        const SMALL: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen \
                             fourteen fifteen sixteen seventeen eighteen nineteen twenty";
        // Numbers that the list above lacks, so that "one hundred" is not one.
        const LARGE: &str = "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million \
                             dozen half";
        if word.chars().any(char::is_numeric) {
            return whole(word).map_or(Word::OtherNumber, Word::Whole);
        }
        if let Some(value) = (0..).zip(SMALL.split(' ')).find(|(_, small)| word.eq_ignore_ascii_case(small)) {
            return Word::Whole(value.0);
        }
        // The first part of "twenty-one"; "one-way" is no number.
        let ten = word.split('-').next().unwrap_or(word);
        let large = LARGE.split(' ').any(|large| ten.eq_ignore_ascii_case(large));
        if large { Word::OtherNumber } else { Word::Other }
    }
}

/// `17`, `-2`, `1,000`, `17.0`.
fn whole(word: &str) -> Option<i128> {
    let unsigned = word.strip_prefix(['-', '+', '−']).unwrap_or(word);
    let negative = word.starts_with(['-', '−']);
    let (digits, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    if fraction.is_empty() || fraction.bytes().any(|b| b != b'0') {
        return None;
    }
    let mut groups = digits.split(',');
    let first = groups.next()?;
    let grouped = digits.len() > first.len();
    let right_sizes = !grouped || (first.len() <= 3 && groups.all(|group| group.len() == 3));
    if first.is_empty() || !right_sizes || !digits.bytes().all(|b| b == b',' || b.is_ascii_digit()) {
        return None;
    }
    let value = digits.replace(',', "").parse().unwrap_or(i128::MAX);
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_whole_words() {
        let number = |text| read(text, -5, 2000, Setting::Sentence);
        for (text, value) in [
            ("17", 17),
            ("17 holes", 17),
            ("**17**.", 17),
            ("$-2$", -2),
            ("−2", -2),
            ("1,000", 1000),
            ("Seventeen, because", 17),
            ("four (4)", 4),
            ("17.0", 17),
            ("= 5", 5),
            ("+5", 5),
        ] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
        for text in [
            "",
            "about 17",
            "3.5",
            "17th",
            "1/2",
            "0x11",
            "１７",
            "1,00",
            "5%",
            "twenty-one",
            ".5",
            "--5",
            "5²",
        ] {
            assert_eq!(number(text), Err(Trouble::NoValue), "{text}");
        }
        for text in ["17 or 18", "twenty one", "one hundred", "2 + 3", "17 (out of 20)", "17 or 3.5"] {
            assert_eq!(number(text), Err(Trouble::Conflicting), "{text}");
        }
        let beyond = "9".repeat(50);
        for text in ["-6", "2001", "170141183460469231731687303715884105728", &beyond] {
            assert!(matches!(number(text), Err(Trouble::Illegal(_))), "{text}");
        }
        assert_eq!(read("17 holes", 0, 20, Setting::Alone), Err(Trouble::NoValue));
    }
}
