use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::Compression;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use sha2::{Digest as _, Sha256};
use topotrace_core::Split;

use crate::columns::{self, BadRow};
use crate::error::Error;
use crate::folder;
use crate::manifest::FileFacts;
use crate::row::Row;

/// Rows in a row group: streaming reads whole ones, and viewers fail on big ones.
pub(crate) const GROUP_ROWS: usize = 100;

/// When a file is closed and the next one begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardLimits {
    /// The most rows of a file.
    pub rows: usize,
    /// Bytes after which no further row group is begun.
    pub bytes: usize,
}

impl Default for ShardLimits {
    fn default() -> Self {
        ShardLimits { rows: 20_000, bytes: 400_000_000 }
    }
}

/// Takes the rows of one configuration and split in order and makes files of them.
pub(crate) trait RowSink {
    /// Adds a row.
    fn push(&mut self, row: Row) -> Result<(), Error>;
    /// Writes what is left and gives every file its final name.
    fn finish(self: Box<Self>) -> Result<Vec<FileFacts>, Error>;
}

/// Writes Parquet files, never holding more than a row group.
pub(crate) struct ParquetSink {
    folder: PathBuf,
    config: String,
    split: Split,
    limits: ShardLimits,
    waiting: Vec<Row>,
    /// The number of the next row to be written within configuration and split.
    index: u64,
    open: Option<Shard>,
    closed: Vec<ClosedShard>,
}

struct Shard {
    path: PathBuf,
    writer: ArrowWriter<Hashing<BufWriter<File>>>,
    rows: usize,
}

struct ClosedShard {
    path: PathBuf,
    rows: usize,
    bytes: u64,
    sha256: String,
}

impl ParquetSink {
    pub(crate) fn new(folder: &Path, config: &str, split: Split, limits: ShardLimits) -> Self {
        ParquetSink {
            folder: folder.to_owned(),
            config: config.to_owned(),
            split,
            limits,
            waiting: Vec::new(),
            index: 0,
            open: None,
            closed: Vec::new(),
        }
    }

    fn group_rows(&self) -> usize {
        let left = self.limits.rows.max(1) - self.open.as_ref().map_or(0, |shard| shard.rows);
        left.min(GROUP_ROWS)
    }

    fn write_group(&mut self) -> Result<(), Error> {
        let rows = std::mem::take(&mut self.waiting);
        let mut shard = match self.open.take() {
            Some(shard) => shard,
            None => {
                Shard::create(folder::partial(&self.folder, &self.config, self.split, self.closed.len()))?
            }
        };
        shard.write(&rows, self.index)?;
        self.index += rows.len() as u64;
        if shard.rows >= self.limits.rows || shard.writer.bytes_written() >= self.limits.bytes {
            self.closed.push(shard.close()?);
        } else {
            self.open = Some(shard);
        }
        Ok(())
    }
}

impl RowSink for ParquetSink {
    fn push(&mut self, row: Row) -> Result<(), Error> {
        self.waiting.push(row);
        if self.waiting.len() >= self.group_rows() { self.write_group() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<FileFacts>, Error> {
        if !self.waiting.is_empty() {
            self.write_group()?;
        }
        if let Some(shard) = self.open.take() {
            self.closed.push(shard.close()?);
        }
        let count = self.closed.len();
        let parent = self.folder.join(&self.config);
        std::fs::create_dir_all(&parent).map_err(|e| Error::file("created", &parent, e))?;
        let mut facts = Vec::with_capacity(count);
        for (number, shard) in self.closed.into_iter().enumerate() {
            let path = folder::shard_path(&self.config, self.split, number, count);
            let whole = self.folder.join(&path);
            std::fs::rename(&shard.path, &whole)
                .map_err(|e| Error::file("given its final name", &whole, e))?;
            facts.push(FileFacts {
                path,
                config: self.config.clone(),
                split: self.split,
                rows: shard.rows as u64,
                bytes: shard.bytes,
                sha256: shard.sha256,
            });
        }
        Ok(facts)
    }
}

impl Shard {
    fn create(path: PathBuf) -> Result<Self, Error> {
        let file = File::create(&path).map_err(|e| Error::file("created", &path, e))?;
        let target = Hashing { inner: BufWriter::new(file), sha256: Sha256::new(), bytes: 0 };
        let writer = ArrowWriter::try_new(target, columns::schema(), Some(properties()))
            .map_err(|e| Error::content(&path, e))?;
        Ok(Shard { path, writer, rows: 0 })
    }

    fn write(&mut self, rows: &[Row], first_index: u64) -> Result<(), Error> {
        let batch = columns::encode(rows, first_index).map_err(|e| Error::content(&self.path, e))?;
        self.rows += rows.len();
        self.writer
            .write(&batch)
            .and_then(|()| self.writer.flush())
            .map_err(|e| Error::content(&self.path, e))
    }

    fn close(self) -> Result<ClosedShard, Error> {
        let Shard { path, writer, rows } = self;
        let target = writer.into_inner().map_err(|e| Error::content(&path, e))?;
        let (bytes, sha256) = (target.bytes, hex(&target.sha256.finalize()));
        let file = target.inner.into_inner().map_err(|e| Error::file("written", &path, e.into_error()))?;
        file.sync_all().map_err(|e| Error::file("written", &path, e))?;
        Ok(ClosedShard { path, rows, bytes, sha256 })
    }
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

/// Counts and hashes what goes through.
struct Hashing<W> {
    inner: W,
    sha256: Sha256,
    bytes: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.sha256.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// What a file is known by.
pub(crate) struct Fingerprint {
    pub(crate) bytes: u64,
    /// Empty where the size says enough.
    pub(crate) sha256: String,
}

/// Size and SHA-256 of a file. One of another size than wanted is not read.
pub(crate) fn fingerprint(path: &Path, wanted: u64) -> Result<Fingerprint, Error> {
    let failed = |e| Error::file("read", path, e);
    let file = folder::open(path)?;
    let bytes = file.metadata().map_err(failed)?.len();
    if bytes != wanted {
        return Ok(Fingerprint { bytes, sha256: String::new() });
    }
    let mut target = Hashing { inner: io::sink(), sha256: Sha256::new(), bytes: 0 };
    io::copy(&mut file.take(wanted), &mut target).map_err(failed)?;
    Ok(Fingerprint { bytes: target.bytes, sha256: hex(&target.sha256.finalize()) })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The row groups of a file, one after the other.
pub(crate) struct ShardReader {
    path: PathBuf,
    batches: ParquetRecordBatchReader,
}

impl ShardReader {
    /// Opens a file that has exactly the columns of a dataset.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let file = folder::open(path)?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| Error::content(path, e))?;
        columns::check_schema(builder.schema()).map_err(|e| Error::content(path, e))?;
        let batches = builder.with_batch_size(GROUP_ROWS).build().map_err(|e| Error::content(path, e))?;
        Ok(ShardReader { path: path.to_owned(), batches })
    }
}

impl Iterator for ShardReader {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.batches.next()?.map_err(|e| Error::content(&self.path, e)))
    }
}

/// The rows of a dataset file in order, at most a row group of them in memory.
///
/// # Errors
/// When the file can't be opened or has other columns; each row fails by itself.
pub fn read_rows(path: &Path) -> Result<impl Iterator<Item = Result<Row, Error>> + use<>, Error> {
    let path = path.to_owned();
    let rows = ShardReader::open(&path)?.flat_map(|batch| match batch {
        Ok(batch) => columns::decode(&batch).into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    Ok(rows.map(move |row| {
        row?.map_err(|BadRow { id, flaw }| {
            Error::content(&path, topotrace_core::Flaw::new(format!("record {id:?}: {flaw}")))
        })
    }))
}
