//! Signs that a value is not what the writer answers: denials, second thoughts, cut-off lists.

use super::marks::is_mark;

/// Words that take an answer back or add another one when they follow it.
const CORRECTIONS: [&str; 30] = [
    "no",
    "not",
    "or",
    "nor",
    "never",
    "actually",
    "correction",
    "corrected",
    "wrong",
    "incorrect",
    "false",
    "nope",
    "wait",
    "oops",
    "whoops",
    "but",
    "instead",
    "rather",
    "except",
    "neither",
    "either",
    "also",
    "plus",
    "maybe",
    "perhaps",
    "doubt",
    "unless",
    "if",
    "del",
    "strike",
];

/// Words that take an answer back wherever in the text after it they stand.
const REVISIONS: [&str; 6] = ["wait", "oops", "whoops", "correction", "nope", "scratch"];

/// Words that make what follows in their sentence something other than the writer's answer.
const DOUBTS: [&str; 34] = [
    "not",
    "never",
    "cannot",
    "doubt",
    "doubts",
    "doubtful",
    "wrong",
    "false",
    "incorrect",
    "untrue",
    "nobody",
    "suppose",
    "supposing",
    "assume",
    "assuming",
    "if",
    "unless",
    "whether",
    "claim",
    "claims",
    "claimed",
    "says",
    "said",
    "say",
    "instead",
    "neither",
    "nor",
    "hardly",
    "deny",
    "denies",
    "pretend",
    "imagine",
    "mistaken",
    "mistakenly",
];

/// Words that more has to follow.
const HANGING: [&str; 15] = [
    "and", "or", "nor", "either", "neither", "but", "except", "not", "never", "plus", "versus", "vs", "then",
    "isn't", "isn’t",
];

/// Words after which a reason is given, which may well name what the answer is not.
pub(super) const REASONS: [&str; 3] = ["because", "since", "as"];

pub(super) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’')
}

/// The words of a text with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(in_word)?;
        let end = text[start..].find(|c| !in_word(c)).map_or(text.len(), |length| start + length);
        from = end;
        Some((start, &text[start..end]))
    })
}

fn bare(word: &str) -> &str {
    word.trim_matches(['\'', '’'])
}

/// "isn't" and its like.
fn is_negated(word: &str) -> bool {
    let mut end = word.chars().rev();
    end.next().is_some_and(|c| c.eq_ignore_ascii_case(&'t'))
        && end.next().is_some_and(|c| matches!(c, '\'' | '’'))
        && end.next().is_some_and(|c| c.eq_ignore_ascii_case(&'n'))
}

fn is_doubt(word: &str) -> bool {
    is_negated(word) || is_one_of(bare(word), &DOUBTS)
}

/// Whether the sign at `at` ends a sentence: the point in `3.5` does not.
fn ends_sentence(text: &str, at: usize) -> bool {
    text[at..].starts_with(['.', '!', '?'])
        && !text[at + 1..].chars().next().is_some_and(char::is_alphanumeric)
}

/// Whether what follows a value takes it back or names another: a correction, "and" where
/// `joins`, or what `other` knows at a word's start. A reason may name whatever it likes, up to
/// its sentence's end.
pub(super) fn unsettled(rest: &str, joins: bool, other: impl Fn(&str) -> bool) -> bool {
    if rest.contains('~') {
        return true;
    }
    let mut in_reason = false;
    let mut seen = 0;
    for (start, word) in words(rest) {
        in_reason &= !(seen..start).any(|at| rest.is_char_boundary(at) && ends_sentence(rest, at));
        seen = start + word.len();
        let word = bare(word);
        if in_reason {
            if is_one_of(word, &REVISIONS) || is_one_of(word, &["actually"]) {
                return true;
            }
        } else if is_one_of(word, &REASONS) {
            in_reason = true;
        } else if is_negated(word)
            || is_one_of(word, &CORRECTIONS)
            || (joins && is_one_of(word, &["and"]))
            || other(&rest[start..])
        {
            return true;
        }
    }
    false
}

/// Whether later text takes back what was said, in words that are no names.
pub(super) fn revised(text: &str, names: &[String]) -> bool {
    words(text).any(|(_, word)| {
        is_one_of(bare(word), &REVISIONS) && !names.iter().any(|name| name.eq_ignore_ascii_case(bare(word)))
    })
}

/// Whether the first sentence is a question.
pub(super) fn asks(text: &str) -> bool {
    let end = text.match_indices(['.', '!', '?']).find(|&(at, _)| ends_sentence(text, at));
    end.is_some_and(|(_, sign)| sign == "?")
}

/// Whether a text breaks off where more has to follow.
pub(super) fn hangs(text: &str) -> bool {
    const SIGNS: [char; 17] =
        [',', '，', '、', ':', '：', ';', '&', '+', '/', '=', '-', '–', '—', '→', '⇒', '…', '|'];
    let text = text.trim_end_matches(|c: char| {
        c.is_whitespace() || is_mark(c) || matches!(c, ')' | ']' | '}' | '$' | '\\')
    });
    let last = text.rsplit(|c| !in_word(c)).next().unwrap_or("");
    text.ends_with(SIGNS)
        || ["..", "->", "=>"].iter().any(|sign| text.ends_with(sign))
        || is_one_of(last, &HANGING)
        || is_negated(last)
}

/// Whether a bracket or a quote that was opened is left open.
pub(super) fn left_open(text: &str) -> bool {
    let count = |sign: char| text.matches(sign).count();
    [('(', ')'), ('[', ']'), ('{', '}'), ('“', '”')].iter().any(|&(open, close)| count(open) > count(close))
        || count('"') % 2 == 1
}

/// Whether a bracket that is closed was never opened.
pub(super) fn never_opened(text: &str) -> bool {
    let count = |sign: char| text.matches(sign).count();
    [('(', ')'), ('[', ']'), ('{', '}')].iter().any(|&(open, close)| count(open) < count(close))
}

/// Whether what follows is struck out or denied by the very word before it.
pub(super) fn denies(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || is_mark(c));
    let last = before.rsplit(|c| !in_word(c)).next().unwrap_or("");
    before.ends_with('~') || is_negated(last) || is_one_of(last, &["not", "never"])
}

/// A walk along a text that knows whether the sentence so far denies or doubts what comes.
pub(super) struct Sentence<'a> {
    text: &'a str,
    at: usize,
    doubtful: bool,
    /// Whether the last word was one of doubt, so that not even a line's end settles it.
    hanging: bool,
}

impl<'a> Sentence<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Sentence { text, at: 0, doubtful: false, hanging: false }
    }

    /// Goes on to `place`, which lies beyond the last one, and says what holds there.
    pub(super) fn doubtful_at(&mut self, place: usize) -> bool {
        let part = &self.text[self.at.min(place)..place];
        let base = place - part.len();
        let mut from = 0;
        for (start, word) in words(part) {
            self.signs(base + from, &part[from..start]);
            from = start + word.len();
            // "No, the answer is" denies what was before; "no way the answer is", what comes.
            let no = is_one_of(word, &["no"])
                && self.text[base + from..].chars().next().is_some_and(char::is_whitespace);
            self.hanging = is_doubt(word) || no;
            self.doubtful |= self.hanging;
        }
        self.signs(base + from, &part[from..]);
        self.at = self.at.max(place);
        self.doubtful
    }

    /// Takes in what stands between two words.
    fn signs(&mut self, base: usize, gap: &str) {
        for (at, c) in gap.char_indices() {
            match c {
                '~' => self.doubtful = true,
                '\n' if !self.hanging => {
                    // A line that begins in lower case goes on with the sentence.
                    let next = self.text[base + at + 1..].trim_start_matches([' ', '\t']);
                    self.doubtful &= next.starts_with(|c: char| c.is_lowercase());
                }
                '.' | '!' | '?' if ends_sentence(self.text, base + at) => {
                    self.doubtful = false;
                    self.hanging = false;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_where_its_doubt_ends() {
        let doubtful = |text: &str| Sentence::new(text).doubtful_at(text.len());
        for text in [
            "It is not ",
            "I don't think ",
            "Wrong: ",
            "Not\n\n",
            "I doubt\nthat ",
            "~~",
            "3.5 is not ",
            "no way ",
        ] {
            assert!(doubtful(text), "{text}");
        }
        for text in
            ["It is not. So ", "I don't know\nThe ", "No, ", "nothing ", "~ I see.\n", "Do not!\n\nthe "]
        {
            assert!(!doubtful(text), "{text}");
        }
    }

    #[test]
    fn what_follows_a_value_may_take_it_back() {
        let taken_back = |text| unsettled(text, true, |rest| rest.starts_with("red"));
        for text in
            [", not it", "? no", " isn't", ". red", "~~", " and", " because, wait", " since it is. Or "]
        {
            assert!(taken_back(text), "{text}");
        }
        for text in [" holes", ", because red is not", ", nothing else", ", which I inferred"] {
            assert!(!taken_back(text), "{text}");
        }
    }

    #[test]
    fn cut_off_lists_hang() {
        for text in ["red,", "red and", "**red:**", "red, ]", "red &", "RED ->", "red ...", "it isn't"] {
            assert!(hangs(text), "{text}");
        }
        for text in ["red", "[]", "{}", "sand", "red.", ""] {
            assert!(!hangs(text), "{text}");
        }
        assert!(left_open("[red") && left_open("\"red") && !left_open("B) it is") && never_opened("red]"));
    }
}
