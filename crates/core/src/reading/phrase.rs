//! Final-answer phrases in prose, and what each of them captures.

use super::text::Setting;

/// Adjectives and determiners that make "answer" the answer.
const ADJECTIVES: [&str; 4] = ["final", "correct", "right", "best"];
const DETERMINERS: [&str; 3] = ["the", "my", "our"];

/// Calls `take` with the text that each phrase captures and with the setting it stands in.
///
/// No two captures of one form overlap, so the work is linear.
pub(super) fn each(text: &str, mut take: impl FnMut(&str, Setting)) {
    // ASCII letters alone change, so places in the copy are places in the text.
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    for line in lower.split_inclusive('\n') {
        sentences(&text[from..from + line.len()], line, &mut take);
        from += line.len();
    }
    tags(text, &lower, &mut take);
    boxes(text, &mut take);
}

/// `the answer is X`, `final answer: X`, `answer: X` at a line's start, `#### X`.
fn sentences(line: &str, lower: &str, take: &mut impl FnMut(&str, Setting)) {
    if let Some(value) = line.trim_start().strip_prefix("#### ") {
        // The same sign heads a section, so what follows has to be a value and nothing else; and
        // a heading's word is no illegal name.
        take(value, Setting::Alone);
    }
    let captures: Vec<(usize, usize)> = lower
        .match_indices("answer")
        .filter_map(|(at, word)| {
            let after = &lower[at + word.len()..];
            let skipped = after.len() - capture(&lower[..at], after)?.len();
            Some((at, at + word.len() + skipped))
        })
        .collect();
    for (index, &(_, start)) in captures.iter().enumerate() {
        let next = captures.get(index + 1).map_or(line.len(), |&(at, _)| at.max(start));
        let captured = &lower[start..next];
        // What stands in a box or between tags is captured by itself.
        let end = ["\\boxed", "<answer>", "</answer>"]
            .iter()
            .filter_map(|form| captured.find(form))
            .min()
            .unwrap_or(captured.len());
        take(&line[start..start + end], Setting::Sentence);
    }
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

/// `<answer>X</answer>`, the innermost ones.
fn tags(text: &str, lower: &str, take: &mut impl FnMut(&str, Setting)) {
    let mut from = 0;
    while let Some(skipped) = lower[from..].find("</answer>") {
        let end = from + skipped;
        if let Some(open) = lower[from..end].rfind("<answer>") {
            take(&text[from + open + "<answer>".len()..end], Setting::Enclosed);
        }
        from = end + "</answer>".len();
    }
}

/// `\boxed{X}`, the innermost ones.
fn boxes(text: &str, take: &mut impl FnMut(&str, Setting)) {
    const BOX: &str = "\\boxed{";
    for (at, word) in text.match_indices(BOX) {
        let inside = &text[at + word.len()..];
        let inside = &inside[..inside.find(BOX).unwrap_or(inside.len())];
        let mut depth = 1_usize;
        for (end, brace) in inside.match_indices(['{', '}', '\n']) {
            match brace {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => break,
            }
            if depth == 0 {
                take(&inside[..end], Setting::Enclosed);
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each(text, |value, _| all.push(value.trim().to_owned()));
        all
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
    fn a_capture_ends_where_the_next_begins() {
        assert_eq!(captured("The answer is B, so the final answer is C"), ["B, so the final", "C"]);
        assert_eq!(captured("The answer is \\boxed{B}"), ["", "B"]);
    }
}
