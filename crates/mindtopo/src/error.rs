use topotrace_core::Flaw;

/// Why a row can't be read. It names the row, by its id or, where it has none, by its line.
#[derive(Clone, Debug, thiserror::Error)]
#[error("row {row} can't be read")]
pub struct Error {
    row: String,
    source: Flaw,
}

impl Error {
    pub(crate) fn new(row: impl Into<String>, source: Flaw) -> Self {
        Error { row: row.into(), source }
    }

    /// The row's id, or `on line N` where it has none.
    pub fn row(&self) -> &str {
        &self.row
    }
}
