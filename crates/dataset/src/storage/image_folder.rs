//! Folders of PNG files with a `metadata.jsonl`: one line a row, the pictures named in it. The
//! pictures lie in folders of a thousand rows each.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, ensure};
use walkdir::WalkDir;

use super::hashed_file::HashedFile;
use super::json_row::{self, Decoded, Layout};
use super::key::{picture_name, picture_path, subfolder};
use super::page::{BadRow, Page};
use super::{ClosedShard, Pages, ShardWriter, Storage};
use crate::error::Error;
use crate::folder;
use crate::row::{Row, png_size};

/// The file that lists a folder's rows.
pub(crate) const METADATA: &str = "metadata.jsonl";
/// Rows that are read at a time.
const PAGE_ROWS: usize = 100;
/// The most bytes of a line.
const LONGEST_LINE: u64 = 16 << 20;

pub(super) struct ImageFolderShard {
    folder: PathBuf,
    metadata: HashedFile,
    picture_bytes: u64,
}

impl ShardWriter for ImageFolderShard {
    const STORAGE: Storage = Storage::ImageFolder;

    fn create(path: &Path) -> Result<Self, Error> {
        fs::create_dir(path).map_err(|e| Error::file("created", path, e))?;
        let metadata = HashedFile::create(&path.join(METADATA))?;
        Ok(ImageFolderShard { folder: path.to_owned(), metadata, picture_bytes: 0 })
    }

    fn push(&mut self, row: Row, index: u64) -> Result<(), Error> {
        let path = self.folder.join(METADATA);
        let mut line = json_row::encode(&row, index, Layout::Named).map_err(|e| Error::content(&path, e))?;
        line.push('\n');
        let subfolder = self.folder.join(subfolder(index));
        fs::create_dir_all(&subfolder).map_err(|e| Error::file("created", &subfolder, e))?;
        for (at, bytes) in row.pictures.iter().enumerate() {
            let path = subfolder.join(picture_name(index, at, row.pictures.len()));
            fs::write(&path, bytes).map_err(|e| Error::file("written", &path, e))?;
            self.picture_bytes += bytes.len() as u64;
        }
        self.metadata.write_all(line.as_bytes()).map_err(|e| Error::file("written", &path, e))
    }

    fn bytes(&self) -> u64 {
        self.picture_bytes + self.metadata.bytes()
    }

    fn close(self) -> Result<ClosedShard, Error> {
        self.metadata.close()
    }
}

/// The rows of the folder that `path`, its metadata file, lists, some at a time.
pub(super) fn pages(path: &Path) -> Result<Pages, Error> {
    let mut reader = Reader { path: path.to_owned(), lines: BufReader::new(folder::open(path)?) };
    Ok(Box::new(std::iter::from_fn(move || reader.page().transpose())))
}

struct Reader {
    path: PathBuf,
    lines: BufReader<fs::File>,
}

impl Reader {
    fn page(&mut self) -> Result<Option<Page>, Error> {
        let (mut rows, mut texts) = (Vec::new(), Vec::new());
        while rows.len() < PAGE_ROWS {
            let Some(text) = self.line()? else { break };
            rows.push(self.row(&text));
            texts.push(text);
        }
        Ok((!rows.is_empty()).then(|| Page::of_json(rows, texts, Layout::Named)))
    }

    fn line(&mut self) -> Result<Option<String>, Error> {
        let mut line = Vec::new();
        let failed = |e| Error::file("read", &self.path, e);
        self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.pop() != Some(b'\n') {
            let flaw = Flaw::new(format!("a line has no end, or more than {LONGEST_LINE} bytes"));
            return Err(Error::content(&self.path, flaw));
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }

    fn row(&self, text: &str) -> Result<Row, BadRow> {
        let Decoded { record, file_names, index } =
            json_row::decode(text).map_err(|(id, flaw)| BadRow::new(&id, flaw))?;
        let id = record.id.to_string();
        ensure(!file_names.is_empty(), || "it has no picture".to_owned())
            .map_err(|flaw| BadRow::new(&id, flaw))?;
        let mut row = Row { record, pictures: vec![Vec::new(); file_names.len()] };
        for (at, name) in file_names.iter().enumerate() {
            // Only the one name that it can have is opened: a stranger's may lead anywhere.
            let wanted = picture_path(index, at, file_names.len());
            ensure(*name == wanted, || format!("its picture {at} is {name:?}, not {wanted:?}"))
                .map_err(|flaw| BadRow::new(&id, flaw))?;
            let bytes = folder::read(&self.path.with_file_name(name))
                .map_err(|e| BadRow::new(&id, Flaw::new(crate::error::chain(&e))))?;
            // The name may be a link to any file: what is no picture goes no further.
            ensure(png_size(&bytes).is_some(), || format!("picture {at} is no 8-bit RGB PNG"))
                .map_err(|flaw| BadRow::new(&id, flaw))?;
            row.pictures[at] = bytes;
        }
        Ok(row)
    }
}

/// Demands that the folder holds as many pictures as its rows have, and nothing else.
pub(super) fn check_extent(path: &Path, rows: u64, pictures: usize) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    let files = WalkDir::new(folder)
        .into_iter()
        .filter(|entry| !entry.as_ref().is_ok_and(|e| e.file_type().is_dir()));
    let found = files.count() as u64;
    let wanted = 1 + rows * pictures as u64;
    ensure(found == wanted, || format!("its folder holds {found} files, its rows make {wanted}"))
        .map_err(|flaw| Error::content(path, flaw))
}
