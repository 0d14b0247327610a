use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, Split};

/// Why a dataset could not be planned, built, read, verified, shown or scored.
///
/// What is wrong with single records is never an error: verification collects it in its
/// [`Report`](crate::Report).
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("the plan does not hold")]
    Plan { source: Flaw },
    #[error("the plan does not hold")]
    Task { source: topotrace_core::Error },
    #[error("{task} ({level}, {split}): slot {slot} can't be filled")]
    Slot {
        task: &'static str,
        level: String,
        split: Split,
        slot: u32,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("the folder {} can't be used", .path.display())]
    Folder { path: PathBuf, source: Flaw },
    #[error("{} can't be {action}", .path.display())]
    File { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("{} can't be read as part of a dataset", .path.display())]
    Content { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{parameter} = {value} is not allowed")]
    Threads { parameter: &'static str, value: usize, source: rayon::ThreadPoolBuildError },
    #[error("record {id} can't be used")]
    Record { id: String, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{what} can't be drawn")]
    Drawing { what: &'static str, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("there is nothing to score")]
    NothingToScore { source: Flaw },
    #[error("the {what} can't be {action}")]
    Stream { what: &'static str, action: &'static str, source: std::io::Error },
}

impl Error {
    pub(crate) fn plan(message: impl Into<String>) -> Self {
        Kind::Plan { source: Flaw::new(message) }.into()
    }

    pub(crate) fn slot(
        task: &'static str,
        level: String,
        split: Split,
        slot: u32,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Kind::Slot { task, level, split, slot, source: source.into() }.into()
    }

    pub(crate) fn folder(path: &Path, message: impl Into<String>) -> Self {
        Kind::Folder { path: path.to_owned(), source: Flaw::new(message) }.into()
    }

    pub(crate) fn file(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Kind::File { action, path: path.to_owned(), source }.into()
    }

    pub(crate) fn content(path: &Path, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Kind::Content { path: path.to_owned(), source: source.into() }.into()
    }

    pub(crate) fn threads(value: usize, source: rayon::ThreadPoolBuildError) -> Self {
        Kind::Threads { parameter: "threads", value, source }.into()
    }

    /// `id` is the record's, with where it was found as far as known.
    pub(crate) fn record(
        id: impl std::fmt::Display,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Kind::Record { id: id.to_string(), source: source.into() }.into()
    }

    pub(crate) fn drawing(
        what: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Kind::Drawing { what, source: source.into() }.into()
    }

    pub(crate) fn nothing_to_score(message: impl Into<String>) -> Self {
        Kind::NothingToScore { source: Flaw::new(message) }.into()
    }

    pub(crate) fn stream(what: &'static str, action: &'static str, source: std::io::Error) -> Self {
        Kind::Stream { what, action, source }.into()
    }

    /// Whether the plan asks for what can't be: an unknown preset or task, a count or a side out
    /// of range, settings that do not hold. Nothing was written.
    pub fn is_invalid_plan(&self) -> bool {
        matches!(*self.0, Kind::Plan { .. } | Kind::Task { .. })
    }

    /// Whether no instance was found for a place in the plan, or it can't be drawn as planned.
    pub fn is_unfillable(&self) -> bool {
        matches!(*self.0, Kind::Slot { .. })
    }

    /// Whether the output folder holds what must not be touched.
    pub fn is_unusable_folder(&self) -> bool {
        matches!(*self.0, Kind::Folder { .. })
    }

    /// Whether a file, folder or stream could not be read, written or renamed.
    pub fn is_io(&self) -> bool {
        matches!(*self.0, Kind::File { .. } | Kind::Stream { .. })
    }

    /// Whether there was no room left on the disk.
    pub fn is_disk_full(&self) -> bool {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        let is_full = |error: &std::io::Error| matches!(error.kind(), StorageFull | QuotaExceeded);
        matches!(&*self.0, Kind::File { source, .. } | Kind::Stream { source, .. } if is_full(source))
    }

    /// Whether a file was read but is not what a dataset holds, or a record is not what its task
    /// makes: of another version of the task, of no known task, or changed after it was made.
    pub fn is_invalid_content(&self) -> bool {
        matches!(*self.0, Kind::Content { .. } | Kind::Record { .. })
    }

    /// Whether no row is selected for scoring, or there is no response at all.
    pub fn is_nothing_to_score(&self) -> bool {
        matches!(*self.0, Kind::NothingToScore { .. })
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<topotrace_core::Error> for Error {
    fn from(source: topotrace_core::Error) -> Self {
        Kind::Task { source }.into()
    }
}

/// An error and its causes in one line, for reports.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text.push_str(": ");
        text.push_str(&next.to_string());
        cause = next.source();
    }
    text
}

/// The outcome of `work`, or what it said when it panicked.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "no reason given".to_owned())
    })
}
