//! Where things lie in a dataset's folder.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, Split};
use walkdir::WalkDir;

use crate::error::Error;
use crate::manifest::MANIFEST;

/// The name of the card's file.
pub(crate) const CARD: &str = "README.md";
/// The folder of the card's pictures.
pub(crate) const CARD_FOLDER: &str = "card";
/// The folder of what a build has made so far.
pub(crate) const PIECES: &str = "pieces";
/// The file that a running build holds locked.
pub(crate) const LOCK: &str = "lock";
/// The most bytes that are read of a file which is held in memory as a whole.
const LARGEST: u64 = 64 << 20;

/// Path of a task's contact sheet within the dataset; `slug` is the task's id without slashes.
pub(crate) fn sheet_path(slug: &str) -> String {
    format!("{CARD_FOLDER}/{slug}.png")
}

/// Where a shard is written before it is whole.
pub(crate) fn partial(folder: &Path, config: &str, split: Split, number: usize) -> PathBuf {
    folder.join(partial_name(config, split, number))
}

pub(crate) fn partial_name(config: &str, split: Split, number: usize) -> String {
    format!(".{config}-{split}-{number:05}.partial")
}

/// Where any other file is written before it is whole.
pub(crate) fn unfinished(name: &str) -> String {
    format!(".{}.partial", name.replace('/', "-"))
}

/// Writes a file under another name first, so that it is there as a whole or not at all.
pub(crate) fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let (path, partial) = (folder.join(name), folder.join(unfinished(name)));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| Error::file("created", parent, e))?;
    }
    let written = File::create(&partial).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|e| Error::file("written", &partial, e))?;
    fs::rename(&partial, &path).map_err(|e| Error::file("given its final name", &path, e))
}

/// Opens a file for reading, but only if it is a plain one: a pipe or a device may never end.
pub(crate) fn open(path: &Path) -> Result<File, Error> {
    let facts = fs::metadata(path).map_err(|e| Error::file("opened", path, e))?;
    if !facts.is_file() {
        return Err(Error::content(path, Flaw::new("it is no regular file")));
    }
    File::open(path).map_err(|e| Error::file("opened", path, e))
}

/// The bytes of a file of at most [`LARGEST`] bytes.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let failed = |e| Error::file("read", path, e);
    open(path)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::content(path, Flaw::new(format!("it has more than {LARGEST} bytes"))));
    }
    Ok(bytes)
}

/// Path of a build's piece within the folder where it is made.
pub(crate) fn piece_path(number: usize) -> String {
    format!("{PIECES}/{number:05}.parquet")
}

/// A task's id as part of a file name.
pub(crate) fn slug(task: &str) -> String {
    task.replace('/', "-")
}

/// A relative path with forward slashes, where it is plain text.
pub(crate) fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

/// As [`slashed`], for messages.
pub(crate) fn shown(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// What lies in a folder and the folders in it, as relative paths.
#[derive(Default)]
pub(crate) struct Contents {
    files: Vec<PathBuf>,
    /// Inner ones before those that hold them.
    folders: Vec<PathBuf>,
    /// Links, pipes, devices, and whatever lies deeper than a dataset is.
    others: Vec<PathBuf>,
}

/// How deep the files of a dataset lie at most.
const DEPTH: usize = 4;

impl Contents {
    pub(crate) fn of(folder: &Path) -> Result<Self, Error> {
        let mut contents = Contents::default();
        // Links are not followed: what they lead to is nobody's to remove.
        let walk =
            WalkDir::new(folder).min_depth(1).max_depth(DEPTH).contents_first(true).sort_by_file_name();
        for entry in walk {
            let entry = entry.map_err(|e| Error::file("listed", folder, e.into()))?;
            let (kind, depth) = (entry.file_type(), entry.depth());
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned();
            match () {
                () if kind.is_file() => contents.files.push(path),
                () if kind.is_dir() && depth < DEPTH => contents.folders.push(path),
                () => contents.others.push(path),
            }
        }
        Ok(contents)
    }

    /// The same without one file.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.files.retain(|file| file != Path::new(name));
        self
    }

    /// Whether there is a file in this folder.
    pub(crate) fn holds_in(&self, folder: &str) -> bool {
        self.files.iter().any(|file| file.starts_with(folder))
    }

    /// The same without the manifest, the folder of pieces and what lies in it.
    pub(crate) fn beyond_pieces(&self) -> Self {
        let beyond = |paths: &[PathBuf]| -> Vec<PathBuf> {
            let kept = |path: &&PathBuf| !path.starts_with(PIECES) && *path != Path::new(MANIFEST);
            paths.iter().filter(kept).cloned().collect()
        };
        Contents { files: beyond(&self.files), folders: beyond(&self.folders), others: beyond(&self.others) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty() && self.others.is_empty()
    }

    /// Whether there is a file of this name.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.files.iter().any(|file| file == Path::new(name))
    }

    /// The first path that is neither a file nor a folder of the wanted names.
    pub(crate) fn first_foreign(
        &self,
        file: impl Fn(&Path) -> bool,
        folder: impl Fn(&Path) -> bool,
    ) -> Option<PathBuf> {
        let files = self.files.iter().filter(|path| !file(path));
        let folders = self.folders.iter().filter(|path| !folder(path));
        self.others.iter().chain(files).chain(folders).next().cloned()
    }

    /// Everything but folders and files, links to files included, of the wanted names.
    pub(crate) fn beyond(
        &self,
        file: impl Fn(&Path) -> bool,
        folder: impl Fn(&Path) -> bool,
    ) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().chain(&self.others).filter(move |path| !file(path));
        files.chain(self.folders.iter().filter(move |path| !folder(path))).map(PathBuf::as_path)
    }

    /// Removes the files and folders, the manifest last: as long as it is there, the folder is
    /// known as ours.
    pub(crate) fn remove(&self, folder: &Path) -> Result<(), Error> {
        let (manifest, rest): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|path| *path == Path::new(MANIFEST));
        let remove_file = |path: &PathBuf| {
            let path = folder.join(path);
            fs::remove_file(&path).map_err(|e| Error::file("removed", &path, e))
        };
        rest.into_iter().try_for_each(remove_file)?;
        for path in &self.folders {
            let path = folder.join(path);
            fs::remove_dir(&path).map_err(|e| Error::file("removed", &path, e))?;
        }
        manifest.into_iter().try_for_each(remove_file)
    }
}
