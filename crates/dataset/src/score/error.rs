use std::path::{Path, PathBuf};

use topotrace_core::{Digest, Flaw};

/// Why responses could not be scored.
///
/// What is wrong with single responses is never an error: a bad answer is a verdict, and a bad
/// line stands in the [`Intake`](super::Intake).
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error(transparent)]
    Dataset(crate::Error),
    #[error("record {id} of {} can't be judged", .folder.display())]
    Record { id: Digest, folder: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("there is nothing to score")]
    Nothing { source: Flaw },
    #[error("the responses can't be read")]
    Read { source: std::io::Error },
    #[error("the verdicts can't be written")]
    Write { source: std::io::Error },
}

impl Error {
    pub(super) fn record(
        id: Digest,
        folder: &Path,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Kind::Record { id, folder: folder.to_owned(), source: source.into() }.into()
    }

    pub(super) fn nothing(message: impl Into<String>) -> Self {
        Kind::Nothing { source: Flaw::new(message) }.into()
    }

    pub(super) fn read(source: std::io::Error) -> Self {
        Kind::Read { source }.into()
    }

    pub(super) fn write(source: std::io::Error) -> Self {
        Kind::Write { source }.into()
    }

    /// Whether a record is not what its task makes: of another version of the task, of no known
    /// task, or changed after it was made.
    pub fn is_invalid_record(&self) -> bool {
        matches!(*self.0, Kind::Record { .. })
    }

    /// Whether no row is selected or there is no response at all.
    pub fn is_nothing(&self) -> bool {
        matches!(*self.0, Kind::Nothing { .. })
    }

    /// Whether responses could not be read or verdicts not be written.
    pub fn is_io(&self) -> bool {
        matches!(*self.0, Kind::Read { .. } | Kind::Write { .. })
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<crate::Error> for Error {
    fn from(source: crate::Error) -> Self {
        Kind::Dataset(source).into()
    }
}
