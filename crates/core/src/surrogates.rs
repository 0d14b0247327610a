use std::borrow::Cow;

/// The escape of U+FFFD, which stands for what is no character.
const REPLACEMENT: &str = "\\ufffd";
/// Length of an escape such as `\ud83d`.
const ESCAPE: usize = 6;

/// JSON text whose lone surrogates (`\ud83d` without its other half) are replaced by U+FFFD.
///
/// A model's tokens may break a character in two, and other languages write the half as JSON,
/// which is then no text at all. Everything else stays as it is.
pub fn without_lone_surrogates(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let bytes = json.as_bytes();
    let (mut mended, mut kept, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match (surrogate(json, at), surrogate(json, at + ESCAPE)) {
            (Some(Half::High), Some(Half::Low)) => at += 2 * ESCAPE,
            (Some(_), _) => {
                mended.push_str(&json[kept..at]);
                mended.push_str(REPLACEMENT);
                at += ESCAPE;
                kept = at;
            }
            // Another escape, such as that of a backslash.
            (None, _) => at += 2,
        }
    }
    mended.push_str(&json[kept..]);
    Cow::Owned(mended)
}

enum Half {
    High,
    Low,
}

/// The half that the escape at this byte stands for, if it is one.
fn surrogate(json: &str, at: usize) -> Option<Half> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lone_halves_are_replaced() {
        let table = [
            (r#""plain""#, r#""plain""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""a\uDE00b\ud83d\ud83d\ude00""#, r#""a\ufffdb\ufffd\ud83d\ude00""#),
            (r#""\\ud83d \u00e9 \n""#, r#""\\ud83d \u00e9 \n""#),
            (r#""\ud83"#, r#""\ud83"#),
            (r#""\ud83d\"#, r#""\ufffd\"#),
            (r#""é\ud800é""#, r#""é\ufffdé""#),
        ];
        for (json, wanted) in table {
            assert_eq!(without_lone_surrogates(json), wanted);
        }
        let text: String = serde_json::from_str(&without_lone_surrogates(r#""x\udc00""#)).unwrap();
        assert_eq!(text, "x\u{fffd}");
    }
}
