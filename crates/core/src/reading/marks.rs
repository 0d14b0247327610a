//! What stands around a value in prose: quotes, brackets, markdown, LaTeX.

/// Quotes, markdown, and characters that can't be seen. Not `~`, which strikes out.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | '*' | '_')
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\0')
}

/// The text without what may stand before a value.
pub(super) fn opened(text: &str) -> &str {
    text.trim_start_matches(|c: char| {
        c.is_whitespace() || is_mark(c) || matches!(c, '(' | '[' | '{' | '$' | '\\' | ':' | '=' | '#')
    })
}

/// The text without what may stand right after a value.
pub(super) fn closed(text: &str) -> &str {
    text.trim_start_matches(|c: char| is_mark(c) || matches!(c, ')' | ']' | '}' | '$' | '\\'))
}

/// The text without decoration on either side.
pub(super) fn trimmed(text: &str) -> &str {
    opened(text).trim_end_matches(|c: char| {
        c.is_whitespace()
            || is_mark(c)
            || matches!(c, ')' | ']' | '}' | '$' | '\\' | '.' | ',' | ';' | ':' | '!' | '?')
    })
}

/// LaTeX as plain text: what `\text{…}` and its like hold, and names for a few signs.
pub(super) fn plain(text: &str) -> String {
    const COMMANDS: [(&str, &str); 14] = [
        ("\\textbf{", " "),
        ("\\textit{", " "),
        ("\\texttt{", " "),
        ("\\textsf{", " "),
        ("\\textrm{", " "),
        ("\\text{", " "),
        ("\\mathrm{", " "),
        ("\\mathbf{", " "),
        ("\\mathsf{", " "),
        ("\\rightarrow", "→"),
        ("\\to", "→"),
        ("\\emptyset", "∅"),
        ("\\,", " "),
        ("\\ ", " "),
    ];
    if !text.contains('\\') {
        return text.to_owned();
    }
    COMMANDS.iter().fold(text.to_owned(), |text, (command, sign)| text.replace(command, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoration_comes_off_and_signs_stay() {
        assert_eq!(trimmed(" **(\u{200f}-2)**. "), "-2");
        assert_eq!(trimmed(".5"), ".5");
        assert_eq!(closed("** the"), " the");
        assert_eq!(opened(": {“B”}"), "B”}");
    }

    #[test]
    fn latex_becomes_plain() {
        assert_eq!(trimmed(&plain(r"\text{RED}\,")), "RED");
        assert_eq!(plain(r"A \to B"), "A → B");
        assert_eq!(plain("A {B}"), "A {B}");
    }
}
