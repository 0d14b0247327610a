//! Final-answer phrases in prose, and what each of them captures.

use super::text::Setting;

/// Adjectives and determiners that make "answer" the answer.
const ADJECTIVES: [&str; 4] = ["final", "correct", "right", "best"];
const DETERMINERS: [&str; 3] = ["the", "my", "our"];

/// Words before a colon that announce an answer at a line's start.
const HEADS: [&str; 6] = ["final", "correction", "corrected", "conclusion", "edit", "update"];

/// What kind of phrase captures a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A final answer.
    Final,
    /// `#### X`, which heads a section as well.
    Heading,
    /// Said of some answer in other words: no answer by itself, but it may contradict one.
    Other,
    /// Said of "this answer", which is often not its value.
    Remark,
    /// An answer object, a tag or a box that can't be read.
    Broken,
}

/// A phrase and the text it captures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Where its form begins: the word "answer", the tag, the box.
    pub(super) start: usize,
    /// Where the captured text begins.
    pub(super) from: usize,
    /// Where it ends.
    pub(super) to: usize,
    /// Where the form as a whole ends.
    pub(super) close: usize,
    pub(super) form: Form,
    pub(super) setting: Setting,
}

impl Candidate {
    /// Whether nothing is captured but the sign of another form, which captures its text itself.
    pub(super) fn says_nothing(&self, text: &str, next: Option<usize>) -> bool {
        let blank = |text: &str| {
            text.chars().all(|c| is_decoration(c) || matches!(c, ':' | '：' | '$' | '\\' | '(' | '['))
        };
        let leads = |next: usize| self.close <= next && blank(&text[self.close..next]);
        self.form != Form::Broken && blank(&text[self.from..self.to]) && next.is_some_and(leads)
    }
}

/// The phrases of a text in their order.
///
/// No two captures of one form overlap, so the work is linear.
pub(super) fn candidates(text: &str) -> Vec<Candidate> {
    // ASCII letters alone change, so places in the copy are places in the text.
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    for line in lower.split_inclusive('\n') {
        sentences(line.trim_end_matches(['\n', '\r']), from, &mut found);
        from += line.len();
    }
    tags(&lower, &mut found);
    boxes(&lower, &mut found);
    // Three runs in order, which a stable sort merges.
    found.sort_by_key(|candidate| candidate.start);
    found
}

/// Whether a text holds the key of an answer object.
pub(super) fn holds_key(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.match_indices(WORD).any(|(at, word)| is_key(&lower[..at], &lower[at + word.len()..]))
}

const WORD: &str = "answer";

/// Whether the word between two texts is a key: quoted or after a brace, and before a colon.
fn is_key(before: &str, after: &str) -> bool {
    let after = after.strip_prefix('s').unwrap_or(after);
    let unquoted = after.trim_start_matches(['\\', '"', '\'', '“', '”', '’', '`']);
    let quoted = after[..after.len() - unquoted.len()].contains(['"', '\'', '“', '”', '’']);
    let braced = before.trim_end_matches([' ', '\t', '\n', '\r']).ends_with(['{', ',']);
    (quoted || braced) && unquoted.trim_start_matches([' ', '\t', '\n', '\r']).starts_with([':', '：', '='])
}

/// `the answer is X`, `final answer: X`, `answer: X` at a line's start, `#### X`.
fn sentences(line: &str, base: usize, found: &mut Vec<Candidate>) {
    let setting = Setting::Sentence;
    let indent = line.len() - line.trim_start().len();
    let mut captures = Vec::new();
    if let Some(value) = line[indent..].strip_prefix("#### ") {
        // What follows has to be a value and nothing else.
        let (from, to) = (base + line.len() - value.len(), base + line.len());
        let (start, close) = (base + indent, to);
        found.push(Candidate { start, from, to, close, form: Form::Heading, setting: Setting::Alone });
    }
    if let Some(value) = headed(line) {
        captures.push((line.len() - value.len(), line.len() - value.len(), Form::Other));
    }
    for (at, word) in line.match_indices(WORD) {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let (value, form) = if is_key(before, after) {
            (after, Form::Broken)
        } else if let Some(value) = capture(before, after) {
            (value, Form::Final)
        } else if let Some(value) = mention(before, after) {
            let this = strip_last_word(before.trim_end_matches(is_decoration), "this").is_some();
            (value, if this { Form::Remark } else { Form::Other })
        } else {
            continue;
        };
        captures.push((at, line.len() - value.len(), form));
    }
    for (index, &(at, from, form)) in captures.iter().enumerate() {
        let next = captures.get(index + 1).map_or(line.len(), |&(at, _, _)| at.max(from));
        let captured = &line[from..next];
        // What stands in a box or between tags is captured by itself.
        let end = ["\\boxed", "\\fbox", "<answer>", "</answer>"]
            .iter()
            .filter_map(|form| captured.find(form))
            .min()
            .unwrap_or(captured.len());
        let shut = if captured[end..].starts_with("</answer>") { "</answer>".len() } else { 0 };
        let (start, from, to) = (base + at, base + from, base + from + end);
        found.push(Candidate { start, from, to, close: to + shut, form, setting });
    }
}

/// What follows `Correction:` and its like at a line's start.
fn headed(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(is_decoration);
    let rest = HEADS.iter().find_map(|head| line.strip_prefix(head))?;
    rest.trim_start_matches(is_decoration).strip_prefix([':', '：'])
}

/// What is said of some answer, given the line before and after the word: `answer should be X`,
/// `answer to it is X`, `corrected answer: X`.
fn mention<'a>(before: &str, after: &'a str) -> Option<&'a str> {
    const VERBS: &str = "is are was were isn aren wasn s should must would will could might may can has \
                         becomes remains seems appears turns changes changed equals stays";
    const FILLERS: &str = "be been to now then thus therefore really actually indeed clearly simply \
                           probably have out that in fact";
    const MOST_WORDS: usize = 8;
    if before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let mut rest = after.strip_prefix('s').unwrap_or(after);
    if rest.starts_with(char::is_alphanumeric) {
        return None;
    }
    let mut value = None;
    for _ in 0..MOST_WORDS {
        let marks = rest.trim_start_matches(|c: char| {
            is_decoration(c) || matches!(c, ',' | '(' | ')' | '"' | '\'' | '’' | '“' | '”')
        });
        for sign in [":", "：", "=", "->", "→", "- ", "–", "—"] {
            if let Some(after) = marks.strip_prefix(sign) {
                return Some(after);
            }
        }
        let length = marks.find(|c: char| !c.is_alphanumeric()).unwrap_or(marks.len());
        let word = &marks[..length];
        let verb = VERBS.split(' ').any(|verb| verb == word);
        let filler = FILLERS.split(' ').any(|filler| filler == word);
        if word.is_empty() || (value.is_some() && !verb && !filler) {
            break;
        }
        rest = &marks[length..];
        if verb || (value.is_some() && filler) {
            value = Some(rest);
        }
    }
    value
}

/// What a phrase captures, given the line before and after its word "answer".
fn capture<'a>(before: &str, after: &'a str) -> Option<&'a str> {
    let before = before.trim_end_matches(is_decoration);
    let adjective = ADJECTIVES.iter().find_map(|word| strip_last_word(before, word).map(|rest| (word, rest)));
    let is_final = adjective.is_some_and(|(word, _)| *word == "final");
    let mut rest = adjective.map_or(before, |(_, rest)| rest);
    let determiner = DETERMINERS.iter().find_map(|word| strip_last_word(rest, word));
    rest = determiner.unwrap_or(rest);
    if adjective.is_none() && determiner.is_none() && before.ends_with(char::is_alphanumeric) {
        return None;
    }
    // Decoration is a few characters; the bound keeps a line of nothing else from being walked
    // over again and again.
    let starts_line = rest.len() <= 32 && rest.trim_end_matches(is_decoration).is_empty();
    let after = after.strip_prefix('s').unwrap_or(after).trim_start_matches(is_decoration);
    for verb in ["is", "are"] {
        if let Some(value) = after.strip_prefix(verb) {
            let whole_word = !value.starts_with(char::is_alphanumeric);
            let meant = adjective.is_some() || determiner.is_some() || starts_line;
            return (whole_word && meant).then_some(value);
        }
    }
    if !(is_final || starts_line) {
        return None;
    }
    [":", "：", "=", "- ", "–", "—"].iter().find_map(|sign| after.strip_prefix(sign))
}

fn strip_last_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_suffix(word)?;
    (!rest.ends_with(char::is_alphanumeric)).then(|| rest.trim_end_matches(is_decoration))
}

fn is_decoration(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '#' | '>' | '`' | '\u{feff}' | '\u{200e}' | '\u{200f}')
}

/// `<answer>X</answer>`, the innermost ones; a tag that is left open is broken.
fn tags(lower: &str, found: &mut Vec<Candidate>) {
    const OPEN: &str = "<answer>";
    let setting = Setting::Enclosed;
    let mut from = 0;
    while let Some(skipped) = lower[from..].find("</answer>") {
        let (to, close) = (from + skipped, from + skipped + "</answer>".len());
        if let Some(open) = lower[from..to].rfind(OPEN) {
            let start = from + open;
            found.push(Candidate { start, from: start + OPEN.len(), to, close, form: Form::Final, setting });
        }
        from = close;
    }
    if let Some(open) = lower[from..].find(OPEN) {
        let (start, at) = (from + open, from + open + OPEN.len());
        found.push(Candidate { start, from: at, to: at, close: at, form: Form::Broken, setting });
    }
}

/// `\boxed{X}`, the innermost ones; other boxes, and those left open, are broken.
fn boxes(lower: &str, found: &mut Vec<Candidate>) {
    const BOX: &str = "\\boxed{";
    let setting = Setting::Enclosed;
    for (start, _) in lower
        .match_indices("box")
        .filter(|&(at, _)| lower[..at].ends_with('\\') || lower[..at].ends_with("\\f"))
    {
        let start = lower[..start].rfind('\\').unwrap_or(start);
        let from = (start + BOX.len()).min(lower.len());
        let broken = Candidate { start, from: start, to: start, close: start, form: Form::Broken, setting };
        if !lower[start..].starts_with(BOX) {
            found.push(broken);
            continue;
        }
        let inside = &lower[from..];
        let nested = inside.find(BOX);
        let inside = &inside[..nested.unwrap_or(inside.len())];
        let mut depth = 1_usize;
        let end = inside.match_indices(['{', '}', '\n']).find(|(_, brace)| {
            match *brace {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => return true,
            }
            depth == 0
        });
        match end {
            Some((end, "}")) => {
                let (to, close) = (from + end, from + end + 1);
                found.push(Candidate { start, from, to, close, form: Form::Final, setting });
            }
            // What breaks off within a box around another one is that other one's matter.
            None if nested.is_some() => {}
            _ => found.push(broken),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(text: &str) -> Vec<String> {
        let credited = |candidate: &Candidate| matches!(candidate.form, Form::Final | Form::Heading);
        let all = candidates(text).into_iter().filter(credited);
        all.map(|candidate| text[candidate.from..candidate.to].trim().to_owned()).collect()
    }

    #[test]
    fn usual_phrases_capture_the_rest_of_the_line() {
        for (text, value) in [
            ("The answer is B\nand so on", "B"),
            ("so the CORRECT answer is (B)", "(B)"),
            ("My final answer is: B", ": B"),
            ("Final answer: B", "B"),
            ("I say, final answer: B", "B"),
            ("## Answer - B", "B"),
            ("**Answer:** B", "** B"),
            ("> **Final Answer**: B\r\n", "B"),
            ("Answer: B", "B"),
            ("The correct answers are B and D", "B and D"),
            ("#### 17", "17"),
            ("x <ANSWER>\nB</answer>", "B"),
            ("so $\\boxed{\\text{B}}$", "\\text{B}"),
            ("\\boxed{\\boxed{B}}", "B"),
        ] {
            assert_eq!(captured(text), [value], "{text}");
        }
    }

    #[test]
    fn other_uses_of_the_word_capture_nothing() {
        for text in [
            "another answer is B",
            "your answer: B",
            "answers B",
            "the answer isn B",
            "Answer -2",
            "unanswered: B",
            "<answer>B",
            "\\boxed{B",
            "\\boxed{\nB}",
            "{\"answer\": \"B\"",
            "{'answer': 'B'}",
            "the answer B",
            "ANSWER",
        ] {
            assert_eq!(captured(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn other_words_for_an_answer_may_contradict_one() {
        for (text, form, value) in [
            ("Corrected answer: B", Form::Other, "B"),
            ("the answer should be B", Form::Other, "B"),
            ("The answer to it is now B", Form::Other, "B"),
            ("the real answer is B", Form::Other, "B"),
            ("**Correction**: B", Form::Other, "B"),
            ("this answer is B", Form::Remark, "B"),
            ("{'answer': B", Form::Broken, "': B"),
            ("{answer: B", Form::Broken, ": B"),
            ("\"final_answer\": B", Form::Broken, "\": B"),
            ("<answer>B", Form::Broken, ""),
            ("\\boxed{B", Form::Broken, ""),
            ("\\fbox{B}", Form::Broken, ""),
        ] {
            let found: Vec<_> =
                candidates(text).iter().map(|c| (c.form, text[c.from..c.to].trim())).collect();
            assert_eq!(found, [(form, value)], "{text}");
        }
        for text in ["unanswered: B", "ANSWER", "the answer B", "I answered"] {
            assert!(candidates(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_capture_ends_where_the_next_begins() {
        assert_eq!(captured("The answer is B, so the final answer is C"), ["B, so the final", "C"]);
        assert_eq!(captured("The answer is \\boxed{B}"), ["", "B"]);
    }
}
