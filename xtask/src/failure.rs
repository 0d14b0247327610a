use std::error::Error;
use std::io::Write as _;

/// Why a command ends with a non-zero exit code.
pub(crate) struct Failure(Vec<String>);

impl Failure {
    /// A failure with one message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure(vec![message.into()])
    }

    /// A failure to do something with a file.
    pub(crate) fn file(what: &str, path: &std::path::Path, cause: &std::io::Error) -> Self {
        Failure(vec![format!("can't {what} {}", path.display()), cause.to_string()])
    }

    /// Writes the message and its causes to standard error.
    pub(crate) fn print(&self) {
        let mut out = std::io::stderr().lock();
        for (number, line) in self.0.iter().enumerate() {
            let lead = if number == 0 { "error" } else { "  because" };
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
        Failure(lines)
    }
}

/// Writes a line to standard output.
///
/// # Errors
/// When standard output is closed.
pub(crate) fn say(line: impl std::fmt::Display) -> Result<(), Failure> {
    writeln!(std::io::stdout().lock(), "{line}").map_err(Failure::from)
}
