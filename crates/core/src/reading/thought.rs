//! What a response thinks aloud, which is no part of its answer.

const NAMES: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// The text after the last closing tag of thought and before an opening one that is never closed.
pub(super) fn spoken(response: &str) -> &str {
    let after = tags(response).filter(|tag| tag.closes).last().map_or(0, |tag| tag.end);
    let text = &response[after..];
    let open = tags(text).find(|tag| !tag.closes).map_or(text.len(), |tag| tag.start);
    &text[..open]
}

struct Tag {
    start: usize,
    end: usize,
    closes: bool,
}

fn tags(text: &str) -> impl Iterator<Item = Tag> {
    text.match_indices('<').filter_map(|(start, _)| {
        let after = &text[start + 1..];
        let name = after.strip_prefix('/').unwrap_or(after);
        let length = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let rest = &name[length..];
        let known = NAMES.iter().any(|known| name[..length].eq_ignore_ascii_case(known));
        let end = text.len() - rest.strip_prefix('>')?.len();
        known.then_some(Tag { start, end, closes: name.len() < after.len() })
    })
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn thoughts_are_not_spoken() {
        for (response, said) in [
            ("plain <b>", "plain <b>"),
            ("<think>a</think>b", "b"),
            ("a</THINK>b</thinking> c", " c"),
            ("<reasoning>a</reasoning>b<think>c", "b"),
            ("<think>a", ""),
            ("a <thinker> <think b> </ think>", "a <thinker> <think b> </ think>"),
        ] {
            assert_eq!(spoken(response), said, "{response}");
        }
    }
}
