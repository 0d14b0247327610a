//! Where things lie in a dataset's folder.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, Split};

use crate::error::Error;
use crate::manifest::{MANIFEST, Manifest};

/// The name of the card's file.
pub(crate) const CARD: &str = "README.md";
/// The folder of the card's pictures.
pub(crate) const CARD_FOLDER: &str = "card";
/// The most bytes that are read of a file which is held in memory as a whole.
const LARGEST: u64 = 64 << 20;

/// Path of a data file within the dataset.
pub(crate) fn shard_path(config: &str, split: Split, number: usize, count: usize) -> String {
    format!("{config}/{split}-{number:05}-of-{count:05}.parquet")
}

/// Path of a task's contact sheet within the dataset; `slug` is the task's id without slashes.
pub(crate) fn sheet_path(slug: &str) -> String {
    format!("{CARD_FOLDER}/{slug}.png")
}

/// Where a data file is written before it is whole.
pub(crate) fn partial(folder: &Path, config: &str, split: Split, number: usize) -> PathBuf {
    folder.join(partial_name(config, split, number))
}

fn partial_name(config: &str, split: Split, number: usize) -> String {
    format!(".{config}-{split}-{number:05}.partial")
}

/// Where any other file is written before it is whole.
fn unfinished(name: &str) -> String {
    format!(".{}.partial", name.replace('/', "-"))
}

/// Writes a file under another name first, so that it is there as a whole or not at all.
pub(crate) fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let (path, partial) = (folder.join(name), folder.join(unfinished(name)));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| Error::file("created", parent, e))?;
    }
    fs::write(&partial, bytes).map_err(|e| Error::file("written", &partial, e))?;
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

/// The names that the build of one manifest gives its files.
pub(crate) struct OwnNames {
    /// The files of the finished dataset.
    files: BTreeSet<String>,
    /// The folders of these files.
    folders: BTreeSet<String>,
    /// Files under the names they have before they are whole.
    unfinished: BTreeSet<String>,
    /// What data files are made of, and whether all of them are listed.
    shards: BTreeSet<(String, Split)>,
    complete: bool,
}

impl OwnNames {
    pub(crate) fn of(manifest: &Manifest) -> Self {
        let mut names = OwnNames::of_nothing();
        let cards = manifest.groups.iter().map(|group| sheet_path(&slug(&group.task)));
        let small: BTreeSet<String> = cards.chain([MANIFEST.to_owned(), CARD.to_owned()]).collect();
        names.unfinished.extend(small.iter().map(|name| unfinished(name)));
        names.files.extend(small);
        names.files.extend(manifest.files.iter().map(|file| file.path.clone()));
        names.folders.insert(CARD_FOLDER.to_owned());
        names.folders.extend(manifest.groups.iter().map(|group| group.config.clone()));
        names.shards.extend(manifest.groups.iter().map(|group| (group.config.clone(), group.split)));
        names.complete = manifest.complete;
        names
    }

    /// The names of a build that has not written its manifest yet.
    pub(crate) fn of_nothing() -> Self {
        OwnNames {
            files: BTreeSet::new(),
            folders: BTreeSet::new(),
            unfinished: BTreeSet::from([unfinished(MANIFEST)]),
            shards: BTreeSet::new(),
            complete: false,
        }
    }

    /// Whether the finished dataset has a file of this name.
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        slashed(path).is_some_and(|path| self.files.contains(&path))
    }

    /// Whether files of the dataset lie in this folder.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        slashed(path).is_some_and(|path| self.folders.contains(&path))
    }

    /// Whether the build wrote a file of this name, for good or for the time being.
    pub(crate) fn is_removable(&self, path: &Path) -> bool {
        slashed(path).is_some_and(|path| {
            self.files.contains(&path)
                || self.unfinished.contains(&path)
                || self.shards.iter().any(|(config, split)| {
                    is_partial(&path, config, *split) || !self.complete && is_shard(&path, config, *split)
                })
        })
    }
}

/// Whether `path` is that of a data file of this configuration and split.
fn is_shard(path: &str, config: &str, split: Split) -> bool {
    let numbers = || {
        let name = path.strip_prefix(config)?.strip_prefix('/')?.strip_suffix(".parquet")?;
        let (number, count) = name.strip_prefix(split.name())?.strip_prefix('-')?.split_once("-of-")?;
        Some((number.parse().ok()?, count.parse().ok()?))
    };
    numbers().is_some_and(|(number, count)| path == shard_path(config, split, number, count))
}

/// Whether `path` is that of a data file of this configuration and split that is not whole yet.
fn is_partial(path: &str, config: &str, split: Split) -> bool {
    let number = || path.rsplit_once('-')?.1.strip_suffix(".partial")?.parse().ok();
    number().is_some_and(|number| path == partial_name(config, split, number))
}

/// A task's id as part of a file name.
fn slug(task: &str) -> String {
    task.replace('/', "-")
}

/// A relative path with forward slashes, where it is plain text.
fn slashed(path: &Path) -> Option<String> {
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
    folders: Vec<PathBuf>,
    /// Links, pipes, devices, and whatever lies deeper than a dataset is.
    others: Vec<PathBuf>,
}

impl Contents {
    pub(crate) fn of(folder: &Path) -> Result<Self, Error> {
        let mut contents = Contents::default();
        contents.collect(folder, Path::new(""))?;
        Ok(contents)
    }

    fn collect(&mut self, root: &Path, within: &Path) -> Result<(), Error> {
        let folder = root.join(within);
        let failed = |e| Error::file("listed", &folder, e);
        let mut inner = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Links are not followed: what they lead to is nobody's to remove.
            let kind = entry.file_type().map_err(failed)?;
            let path = within.join(entry.file_name());
            match () {
                () if kind.is_file() => self.files.push(path),
                () if kind.is_dir() && within.as_os_str().is_empty() => inner.push(path),
                () => self.others.push(path),
            }
        }
        inner.sort();
        for path in inner {
            self.collect(root, &path)?;
            self.folders.push(path);
        }
        self.files.sort();
        self.others.sort();
        Ok(())
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

    /// Everything but folders of the dataset and files, links to files included, that belong to
    /// it.
    pub(crate) fn beyond<'a>(&'a self, names: &'a OwnNames) -> impl Iterator<Item = &'a Path> {
        let files = self.files.iter().chain(&self.others).filter(|path| !names.is_file(path));
        files.chain(self.folders.iter().filter(|path| !names.is_folder(path))).map(PathBuf::as_path)
    }

    /// Removes the files, the manifest last: as long as it is there, the folder is known as ours.
    pub(crate) fn remove(&self, folder: &Path) -> Result<(), Error> {
        let (manifest, rest): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|path| *path == Path::new(MANIFEST));
        for path in rest {
            let path = folder.join(path);
            fs::remove_file(&path).map_err(|e| Error::file("removed", &path, e))?;
        }
        for path in &self.folders {
            let path = folder.join(path);
            fs::remove_dir(&path).map_err(|e| Error::file("removed", &path, e))?;
        }
        for path in manifest {
            let path = folder.join(path);
            fs::remove_file(&path).map_err(|e| Error::file("removed", &path, e))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_known_by_their_whole_name() {
        let path = shard_path("order-5-pictures", Split::Validation, 3, 12);
        assert!(is_shard(&path, "order-5-pictures", Split::Validation));
        assert!(
            !is_shard(&path, "order", Split::Validation) && !is_shard(&path, "order-5-pictures", Split::Test)
        );
        for name in ["test-0-of-1", "dev-00000-of-00001", "test-00000-of-1", "test-+0000-of-00001"] {
            assert!(!is_shard(&format!("knots/{name}.parquet"), "knots", Split::Test), "{name}");
        }
        assert!(is_partial(".knots-test-00000.partial", "knots", Split::Test));
        for name in [
            ".knots-test-0.partial",
            ".notes.partial",
            ".knots-train-00000.partial",
            "x/.knots-test-00000.partial",
        ] {
            assert!(!is_partial(name, "knots", Split::Test), "{name}");
        }
    }
}
