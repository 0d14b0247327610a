//! How rows lie in files: three formats behind one writer and one reader.

mod columns;
mod hashed_file;
mod image_folder;
mod json_row;
mod key;
mod page;
mod parquet;
mod sharded;
mod webdataset;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use topotrace_core::{Flaw, Split, nearest};

use self::image_folder::ImageFolderShard;
use self::sharded::ShardedSink;
use self::webdataset::WebDatasetShard;
use crate::error::Error;
use crate::manifest::FileFacts;
use crate::row::Row;

pub(crate) use columns::MEANINGS;
pub(crate) use hashed_file::{Fingerprint, fingerprint};
pub(crate) use image_folder::METADATA;
pub(crate) use key::is_picture_path;
pub(crate) use page::{BadRow, Page};
pub(crate) use parquet::{ParquetShard, read_column, read_metadata};
pub(crate) use sharded::{ClosedShard, ShardWriter};

/// The format of a dataset's files. Each is named as loaders name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// Parquet files that hold the pictures.
    #[default]
    Parquet,
    /// Tar files of adjacent `KEY.json` and `KEY.png`, as WebDataset reads them.
    WebDataset,
    /// Folders of PNG files with a `metadata.jsonl`.
    ImageFolder,
}

impl Storage {
    /// All formats.
    pub const ALL: [Storage; 3] = [Storage::Parquet, Storage::WebDataset, Storage::ImageFolder];

    /// The format's name, as on the command line and in the manifest.
    pub const fn name(self) -> &'static str {
        match self {
            Storage::Parquet => "parquet",
            Storage::WebDataset => "webdataset",
            Storage::ImageFolder => "imagefolder",
        }
    }

    /// The limits of a shard where none are set. An image folder is never split: loaders read
    /// several metadata files in no certain order.
    pub const fn default_limits(self) -> ShardLimits {
        match self {
            Storage::Parquet => ShardLimits { rows: 20_000, bytes: 400_000_000 },
            Storage::WebDataset => ShardLimits { rows: 1_000, bytes: 400_000_000 },
            Storage::ImageFolder => ShardLimits { rows: usize::MAX, bytes: u64::MAX },
        }
    }

    /// The limits that count: those that are set, where the format has shards at all.
    pub(crate) fn limits(self, set: Option<ShardLimits>) -> Option<ShardLimits> {
        set.filter(|_| self != Storage::ImageFolder)
    }

    /// Path of a shard within the dataset: of a file, or of a folder of files.
    pub(crate) fn shard_path(self, config: &str, split: Split, number: usize, count: usize) -> String {
        match self {
            Storage::Parquet => format!("{config}/{split}-{number:05}-of-{count:05}.parquet"),
            Storage::WebDataset => format!("{config}/{split}-{number:05}-of-{count:05}.tar"),
            Storage::ImageFolder => format!("{config}/{split}"),
        }
    }

    /// Path of the file by which a shard is listed in the manifest.
    pub(crate) fn listed_path(self, config: &str, split: Split, number: usize, count: usize) -> String {
        let shard = self.shard_path(config, split, number, count);
        match self {
            Storage::ImageFolder => format!("{shard}/{}", METADATA),
            _ => shard,
        }
    }

    /// What finds the shards of a configuration and split, for cards.
    pub(crate) fn pattern(self, config: &str, split: Split) -> String {
        match self {
            Storage::Parquet => format!("{config}/{split}-*.parquet"),
            Storage::WebDataset => format!("{config}/{split}-*.tar"),
            Storage::ImageFolder => format!("{config}/{split}/**"),
        }
    }

    /// A sink for the rows of one configuration and split.
    pub(crate) fn sink(
        self,
        folder: &Path,
        config: &str,
        split: Split,
        limits: ShardLimits,
    ) -> Box<dyn RowSink> {
        match self {
            Storage::Parquet => Box::new(ShardedSink::<ParquetShard>::new(folder, config, split, limits)),
            Storage::WebDataset => {
                Box::new(ShardedSink::<WebDatasetShard>::new(folder, config, split, limits))
            }
            Storage::ImageFolder => {
                Box::new(ShardedSink::<ImageFolderShard>::new(folder, config, split, limits))
            }
        }
    }

    /// The rows of the shard that is listed as `path`, some at a time.
    pub(crate) fn pages(self, path: &Path) -> Result<Pages, Error> {
        match self {
            Storage::Parquet => parquet::pages(path),
            Storage::WebDataset => webdataset::pages(path),
            Storage::ImageFolder => image_folder::pages(path),
        }
    }

    /// The rows of the shard that is listed as `path`, in order.
    pub(crate) fn rows(
        self,
        path: &Path,
    ) -> Result<impl Iterator<Item = Result<Row, Error>> + Send + use<>, Error> {
        let path = path.to_owned();
        let rows = self.pages(&path)?.flat_map(|page| match page {
            Ok(page) => page.rows.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        });
        Ok(rows.map(move |row| {
            row?.map_err(|BadRow { id, flaw }| {
                Error::content(&path, Flaw::new(format!("record {id:?}: {flaw}")))
            })
        }))
    }

    /// Demands that the shard that is listed as `path` holds nothing but so many rows of so many
    /// pictures each. A shard that is one file has been read to its end when this is asked.
    pub(crate) fn check_extent(self, path: &Path, rows: u64, pictures: usize) -> Result<(), Error> {
        match self {
            Storage::Parquet | Storage::WebDataset => Ok(()),
            Storage::ImageFolder => image_folder::check_extent(path, rows, pictures),
        }
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Storage {
    type Err = Flaw;

    fn from_str(text: &str) -> Result<Self, Flaw> {
        let names = Storage::ALL.map(Storage::name);
        Storage::ALL.into_iter().find(|storage| storage.name() == text).ok_or_else(|| {
            let hint = nearest(text, names.into_iter())
                .map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
            Flaw::new(format!("format {text:?} is unknown, there are {}{hint}", names.join(", ")))
        })
    }
}

/// When a shard is closed and the next one begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardLimits {
    /// The most rows of a shard; 0 counts as 1.
    pub rows: usize,
    /// Bytes after which nothing more is added to a shard.
    pub bytes: u64,
}

/// Takes the rows of one configuration and split in order and makes shards of them.
pub(crate) trait RowSink {
    /// Adds a row.
    fn push(&mut self, row: Row) -> Result<(), Error>;
    /// Writes what is left and gives every shard its final name.
    fn finish(self: Box<Self>) -> Result<Vec<FileFacts>, Error>;
}

/// The rows of a shard, some at a time.
pub(crate) type Pages = Box<dyn Iterator<Item = Result<Page, Error>> + Send>;
