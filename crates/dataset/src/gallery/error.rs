use std::path::{Path, PathBuf};

use topotrace_core::Flaw;

/// Why a gallery could not be made.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct GalleryError(Box<Kind>);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("the folder {} can't be used for a gallery", .path.display())]
    Folder { path: PathBuf, source: Flaw },
    #[error("{} can't be {action}", .path.display())]
    File { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("the dataset can't be read")]
    Dataset { source: crate::Error },
    #[error("record {id} of the dataset can't be shown")]
    Record { id: String, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("a chart can't be drawn")]
    Chart { source: Flaw },
}

impl GalleryError {
    pub(super) fn folder(path: &Path, message: impl Into<String>) -> Self {
        Kind::Folder { path: path.to_owned(), source: Flaw::new(message) }.into()
    }

    pub(super) fn file(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Kind::File { action, path: path.to_owned(), source }.into()
    }

    pub(super) fn record(
        id: impl std::fmt::Display,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Kind::Record { id: id.to_string(), source: source.into() }.into()
    }

    pub(super) fn chart(cause: impl std::fmt::Display) -> Self {
        Kind::Chart { source: Flaw::new(cause.to_string()) }.into()
    }

    /// Whether the output folder holds what must not be touched.
    pub fn is_unusable_folder(&self) -> bool {
        matches!(*self.0, Kind::Folder { .. })
    }

    /// Whether a file or folder could not be read, written or renamed.
    pub fn is_io(&self) -> bool {
        matches!(*self.0, Kind::File { .. })
    }

    /// Whether the dataset, or a record in it, is not what this version can read.
    pub fn is_invalid_content(&self) -> bool {
        matches!(*self.0, Kind::Dataset { .. } | Kind::Record { .. })
    }
}

impl From<Kind> for GalleryError {
    fn from(kind: Kind) -> Self {
        GalleryError(Box::new(kind))
    }
}

impl From<crate::Error> for GalleryError {
    fn from(source: crate::Error) -> Self {
        Kind::Dataset { source }.into()
    }
}
