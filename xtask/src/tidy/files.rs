//! Rules on every text file.

/// The most lines of a Rust file outside its tests.
const LONGEST_FILE: usize = 600;
/// The architecture page.
const ARCHITECTURE: &str = "docs/architecture.md";
/// The most lines of the architecture page: longer, and nobody reads it.
const LONGEST_ARCHITECTURE: usize = 300;

/// A file ends with a newline, and no line of it with white space.
pub(super) fn check_ends(path: &str, text: &str) -> Option<String> {
    if !text.is_empty() && !text.ends_with('\n') {
        return Some(format!("{path}: the last line has no end; add a newline"));
    }
    let line = text.lines().position(|line| line.ends_with([' ', '\t']))?;
    Some(format!("{path}:{}: white space at the end of the line; run cargo fmt or delete it", line + 1))
}

/// Rust files and the architecture page are short.
pub(super) fn check_length(path: &str, text: &str) -> Option<String> {
    let in_tests = path.split('/').any(|part| ["tests", "benches"].contains(&part));
    let (lines, most) = match path {
        ARCHITECTURE => (text.lines().count(), LONGEST_ARCHITECTURE),
        _ if path.ends_with(".rs") && !in_tests => {
            (text.lines().take_while(|line| *line != "#[cfg(test)]").count(), LONGEST_FILE)
        }
        _ => return None,
    };
    (lines > most).then(|| format!("{path}: {lines} lines, at most {most}; split it by purpose"))
}

/// A page shows a Python file as it is, in a block of its own.
pub(super) fn check_quote(page: &str, text: &str, file: &str, content: &str) -> Option<String> {
    let shown = text.contains(&format!("```python\n{content}```\n"));
    (!shown).then(|| format!("{page} does not show {file} as it is; copy it into a block of its own"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::samples::assert_one_fault;

    #[test]
    fn ends_of_lines_and_files() {
        assert_one_fault(check_ends("a.md", "one\ntwo"), "a.md: the last line has no end");
        assert_one_fault(check_ends("a.md", "one\ntwo \nthree\n"), "a.md:2: white space");
        assert_one_fault(check_ends("a.md", "one\t\n"), "a.md:1: white space");
        assert_eq!(check_ends("a.md", "one\n\n  two\n"), None);
        assert_eq!(check_ends("a.md", ""), None);
    }

    #[test]
    fn length_outside_tests() {
        let long = "let a = 1;\n".repeat(LONGEST_FILE + 1);
        assert_one_fault(check_length("crates/core/src/a.rs", &long), "601 lines, at most 600");
        assert_eq!(check_length("crates/core/tests/a.rs", &long), None);
        assert_eq!(check_length("crates/core/src/a.rs", &format!("#[cfg(test)]\n{long}")), None);
        assert_eq!(check_length("docs/answers.md", &long), None);
        assert_one_fault(check_length(ARCHITECTURE, &long), "at most 300");
    }

    #[test]
    fn quoted_files() {
        let page = "Look:\n\n```python\nprint(1)\n```\n";
        assert_eq!(check_quote("a.md", page, "a.py", "print(1)\n"), None);
        assert_one_fault(check_quote("a.md", page, "a.py", "print(2)\n"), "a.md does not show a.py as it is");
    }
}
