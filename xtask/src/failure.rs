use std::error::Error;
use std::io::Write as _;

/// Why a command ends with a non-zero exit code.
pub(crate) struct Failure {
    /// The message, then its causes.
    lines: Vec<String>,
    /// What to do.
    hint: Option<&'static str>,
}

impl Failure {
    /// A failure with one message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure { lines: vec![message.into()], hint: None }
    }

    /// A failure to do something with a file.
    pub(crate) fn file(what: &str, path: &std::path::Path, cause: &std::io::Error) -> Self {
        Failure { lines: vec![format!("can't {what} {}", path.display()), cause.to_string()], hint: None }
    }

    /// The same as the cause of `message`.
    pub(crate) fn within(mut self, message: String) -> Self {
        self.lines.insert(0, message);
        self
    }

    /// The same with a word on what to do.
    pub(crate) fn hint(self, hint: &'static str) -> Self {
        Failure { hint: Some(hint), ..self }
    }

    /// The message and its causes in one line.
    pub(crate) fn in_one_line(&self) -> String {
        self.lines.join(": ")
    }

    /// Writes the message and its causes to standard error.
    pub(crate) fn print(&self) {
        let mut out = std::io::stderr().lock();
        let leads = ["error"].into_iter().chain(std::iter::repeat("  because"));
        let lines = leads.zip(self.lines.iter().map(String::as_str));
        for (lead, line) in lines.chain(self.hint.map(|hint| ("  hint", hint))) {
            // Nothing is left to be done when even standard error is closed.
            let _ = writeln!(out, "{lead}: {line}");
        }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut lines = vec![error.to_string()];
        let mut cause = error.source();
        while let Some(error) = cause {
            lines.push(error.to_string());
            cause = error.source();
        }
        Failure { lines, hint: None }
    }
}

/// Writes a line to standard output.
///
/// # Errors
/// When standard output is closed.
pub(crate) fn say(line: impl std::fmt::Display) -> Result<(), Failure> {
    writeln!(std::io::stdout().lock(), "{line}").map_err(Failure::from)
}
