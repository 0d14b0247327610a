use arrow_array::RecordBatch;
use topotrace_core::Flaw;

use super::{columns, json_row};
use crate::error::chain;
use crate::row::Row;

/// Some rows of a shard as they were read.
pub(crate) struct Page {
    /// The rows. What repeats other parts of a record was not looked at: see
    /// [`Page::differences`].
    pub(crate) rows: Vec<Result<Row, BadRow>>,
    written: Written,
}

/// What the rows were read from.
enum Written {
    Columns(RecordBatch),
    Json { texts: Vec<String>, layout: json_row::Layout },
}

/// A row that can't be read: its id as far as known, and why.
#[derive(Clone, Debug)]
pub(crate) struct BadRow {
    pub(crate) id: String,
    pub(crate) flaw: Flaw,
}

impl BadRow {
    /// The id may be a stranger's: only its beginning is kept, and nothing that steers a terminal.
    pub(super) fn new(id: &str, flaw: Flaw) -> Self {
        BadRow { id: id.chars().filter(|c| !c.is_control()).take(64).collect(), flaw }
    }
}

impl Page {
    pub(super) fn of_columns(batch: RecordBatch) -> Self {
        Page { rows: columns::decode(&batch), written: Written::Columns(batch) }
    }

    pub(super) fn of_json(
        rows: Vec<Result<Row, BadRow>>,
        texts: Vec<String>,
        layout: json_row::Layout,
    ) -> Self {
        Page { rows, written: Written::Json { texts, layout } }
    }

    /// The columns of row number `at` that are not what `row`, the row that was read there, makes
    /// when it is written again as row number `index` of its configuration and split.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn differences(&self, at: usize, row: &Row, index: u64) -> Result<Vec<String>, String> {
        match &self.written {
            Written::Columns(batch) => {
                let again = columns::encode(std::slice::from_ref(row), index).map_err(|e| chain(&e))?;
                Ok(columns::differences(&batch.slice(at, 1), &again))
            }
            Written::Json { texts, layout } => {
                let again = json_row::encode(row, index, *layout).map_err(|flaw| flaw.to_string())?;
                Ok(json_row::differences(&texts[at], &again))
            }
        }
    }
}
