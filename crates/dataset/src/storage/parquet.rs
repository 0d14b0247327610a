use std::path::{Path, PathBuf};

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use topotrace_core::{Flaw, ensure};

use super::hashed_file::HashedFile;
use super::page::Page;
use super::{ClosedShard, Pages, ShardWriter, Storage, columns};
use crate::error::{Error, guarded};
use crate::folder;
use crate::row::Row;

/// Rows in a row group: streaming reads whole ones, and viewers fail on big ones.
pub(super) const GROUP_ROWS: usize = 100;

/// Writes a Parquet file, never holding more than a row group.
pub(crate) struct ParquetShard {
    path: PathBuf,
    writer: ArrowWriter<HashedFile>,
    waiting: Vec<Row>,
    /// The index of the first waiting row.
    first_index: u64,
}

impl ParquetShard {
    /// Adds a text that belongs to the file as a whole.
    pub(crate) fn annotate(&mut self, key: &str, text: String) {
        self.writer.append_key_value_metadata(KeyValue::new(key.to_owned(), text));
    }

    fn write_group(&mut self) -> Result<(), Error> {
        let batch =
            columns::encode(&self.waiting, self.first_index).map_err(|e| Error::content(&self.path, e))?;
        self.first_index += self.waiting.len() as u64;
        self.waiting.clear();
        self.writer.write(&batch).and_then(|()| self.writer.flush()).map_err(|e| unwritten(&self.path, e))
    }
}

impl ShardWriter for ParquetShard {
    const STORAGE: Storage = Storage::Parquet;

    fn create(path: &Path) -> Result<Self, Error> {
        let writer = ArrowWriter::try_new(HashedFile::create(path)?, columns::schema(), Some(properties()))
            .map_err(|e| unwritten(path, e))?;
        Ok(ParquetShard { path: path.to_owned(), writer, waiting: Vec::new(), first_index: 0 })
    }

    fn push(&mut self, row: Row, index: u64) -> Result<(), Error> {
        if self.waiting.is_empty() {
            self.first_index = index;
        }
        self.waiting.push(row);
        if self.waiting.len() == GROUP_ROWS { self.write_group() } else { Ok(()) }
    }

    fn bytes(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    fn close(mut self) -> Result<ClosedShard, Error> {
        if !self.waiting.is_empty() {
            self.write_group()?;
        }
        self.writer.into_inner().map_err(|e| unwritten(&self.path, e))?.close()
    }
}

/// What a file's writer met: of all that it can complain about, only the disk is not our own.
fn unwritten(path: &Path, error: ParquetError) -> Error {
    let error = match error {
        ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => std::io::Error::other(cause),
        },
        other => std::io::Error::other(other),
    };
    Error::file("written", path, error)
}

/// Pictures are compressed already and all different: they are stored as they are.
fn properties() -> WriterProperties {
    let pictures = || ColumnPath::from(["images", "list", "item", "bytes"].map(str::to_owned).to_vec());
    WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        // Pages end on batches, so this lets a reader skip within a row group of pictures.
        .set_write_batch_size(16)
        .set_column_compression(pictures(), Compression::UNCOMPRESSED)
        .set_column_dictionary_enabled(pictures(), false)
        .set_column_statistics_enabled(pictures(), EnabledStatistics::None)
        .build()
}

/// The row groups of a file that has exactly the columns of a dataset.
pub(super) fn pages(path: &Path) -> Result<Pages, Error> {
    let builder = open(path)?;
    let path = path.to_owned();
    let mut batches = builder.with_batch_size(GROUP_ROWS).build().map_err(|e| Error::content(&path, e))?;
    let mut broken = false;
    Ok(Box::new(std::iter::from_fn(move || {
        if broken {
            return None;
        }
        let next = guarded(|| batches.next());
        broken = next.is_err();
        let batch = match next {
            Ok(batch) => batch?.map_err(|e| Error::content(&path, e)),
            Err(panic) => Err(Error::content(&path, Flaw::new(format!("reading it fails badly: {panic}")))),
        };
        Some(batch.map(Page::of_columns))
    })))
}

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<std::fs::File>, Error> {
    let file = folder::open(path)?;
    // The reader is not ours: a hostile file must not take the process with it.
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file))
        .map_err(|panic| Error::content(path, Flaw::new(format!("reading it fails badly: {panic}"))))?
        .map_err(|e| Error::content(path, e))?;
    columns::check_schema(builder.schema()).map_err(|e| Error::content(path, e))?;
    Ok(builder)
}

/// The texts of one column of text. Nothing else of the file is read.
pub(crate) fn read_column(path: &Path, name: &str) -> Result<Vec<String>, Error> {
    let failed = |e| Error::content(path, e);
    let builder = open(path)?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), [name]);
    let mut texts = Vec::new();
    for batch in builder.with_projection(mask).build().map_err(failed)? {
        let batch = batch.map_err(|e| Error::content(path, e))?;
        let column = batch.column(0).as_string::<i32>();
        ensure(column.null_count() == 0, || format!("column {name} has a null"))
            .map_err(|flaw| Error::content(path, flaw))?;
        texts.extend(column.iter().flatten().map(str::to_owned));
    }
    Ok(texts)
}

/// The text that [`ParquetShard::annotate`] added.
pub(crate) fn read_metadata(path: &Path, key: &str) -> Result<String, Error> {
    let builder = open(path)?;
    let texts = builder.metadata().file_metadata().key_value_metadata();
    let found = texts.and_then(|texts| texts.iter().find(|text| text.key == key)?.value.clone());
    found.ok_or_else(|| Error::content(path, Flaw::new(format!("it has no metadata {key:?}"))))
}
