use std::fs;
use std::path::{Path, PathBuf};

use topotrace_core::Split;

use super::{RowSink, ShardLimits, Storage};
use crate::error::Error;
use crate::folder;
use crate::manifest::FileFacts;
use crate::row::Row;

/// Writes one shard under a name that it keeps until it is whole.
pub(crate) trait ShardWriter: Sized {
    /// The format.
    const STORAGE: Storage;

    /// Begins a shard at `path`.
    fn create(path: &Path) -> Result<Self, Error>;
    /// Adds a row; `index` is its number within configuration and split.
    fn push(&mut self, row: Row, index: u64) -> Result<(), Error>;
    /// The bytes that were written so far.
    fn bytes(&self) -> u64;
    /// Writes what is left and makes sure that it is on the disk.
    fn close(self) -> Result<ClosedShard, Error>;
}

/// A shard that is whole: size and SHA-256 of the file that lists or holds its rows.
pub(crate) struct ClosedShard {
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// Cuts the rows of one configuration and split into shards.
pub(super) struct ShardedSink<W> {
    folder: PathBuf,
    config: String,
    split: Split,
    limits: ShardLimits,
    /// The number of the next row within configuration and split.
    index: u64,
    open: Option<Open<W>>,
    closed: Vec<Closed>,
}

struct Open<W> {
    path: PathBuf,
    writer: W,
    rows: u64,
}

struct Closed {
    path: PathBuf,
    rows: u64,
    shard: ClosedShard,
}

impl<W: ShardWriter> ShardedSink<W> {
    pub(super) fn new(folder: &Path, config: &str, split: Split, limits: ShardLimits) -> Self {
        ShardedSink {
            folder: folder.to_owned(),
            config: config.to_owned(),
            split,
            limits,
            index: 0,
            open: None,
            closed: Vec::new(),
        }
    }

    fn begin(&self) -> Result<Open<W>, Error> {
        let path = folder::partial(&self.folder, &self.config, self.split, self.closed.len());
        Ok(Open { writer: W::create(&path)?, path, rows: 0 })
    }

    fn close(&mut self, open: Open<W>) -> Result<(), Error> {
        let Open { path, writer, rows } = open;
        self.closed.push(Closed { path, rows, shard: writer.close()? });
        Ok(())
    }
}

impl<W: ShardWriter> RowSink for ShardedSink<W> {
    fn push(&mut self, row: Row) -> Result<(), Error> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.begin()?,
        };
        open.writer.push(row, self.index)?;
        self.index += 1;
        open.rows += 1;
        if open.rows >= self.limits.rows as u64 || open.writer.bytes() >= self.limits.bytes {
            self.close(open)
        } else {
            self.open = Some(open);
            Ok(())
        }
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<FileFacts>, Error> {
        if let Some(open) = self.open.take() {
            self.close(open)?;
        }
        let count = self.closed.len();
        let parent = self.folder.join(&self.config);
        fs::create_dir_all(&parent).map_err(|e| Error::file("created", &parent, e))?;
        let mut facts = Vec::with_capacity(count);
        for (number, Closed { path, rows, shard }) in self.closed.into_iter().enumerate() {
            let whole = self.folder.join(W::STORAGE.shard_path(&self.config, self.split, number, count));
            fs::rename(&path, &whole).map_err(|e| Error::file("given its final name", &whole, e))?;
            facts.push(FileFacts {
                path: W::STORAGE.listed_path(&self.config, self.split, number, count),
                config: self.config.clone(),
                split: self.split,
                rows,
                bytes: shard.bytes,
                sha256: shard.sha256,
            });
        }
        Ok(facts)
    }
}
