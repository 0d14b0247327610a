//! Where things lie in a dataset's folder, and which folders may be written to.

use std::fs;
use std::path::{Path, PathBuf};

use topotrace_core::Split;

use crate::error::Error;
use crate::manifest::{MANIFEST, Manifest};

/// The name of the card's file.
pub(crate) const CARD: &str = "README.md";
/// The folder of the card's pictures.
pub(crate) const CARD_FOLDER: &str = "card";

/// Path of a data file within the dataset.
pub(crate) fn shard_path(config: &str, split: Split, number: usize, count: usize) -> String {
    format!("{config}/{split}-{number:05}-of-{count:05}.parquet")
}

/// Where a data file is written before it is whole.
pub(crate) fn partial(folder: &Path, config: &str, split: Split, number: usize) -> PathBuf {
    folder.join(format!(".{config}-{split}-{number:05}.partial"))
}

/// Writes a file under another name first, so that it is there as a whole or not at all.
pub(crate) fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let (path, partial) = (folder.join(name), folder.join(format!(".{}.partial", name.replace('/', "-"))));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| Error::file("created", parent, e))?;
    }
    fs::write(&partial, bytes).map_err(|e| Error::file("written", &partial, e))?;
    fs::rename(&partial, &path).map_err(|e| Error::file("given its final name", &path, e))
}

/// Makes `folder` ready for a build: new or empty, or emptied of a dataset that may be replaced.
pub(crate) fn claim(folder: &Path, overwrite: bool) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|e| Error::file("created", folder, e))?;
    let contents = Contents::of(folder)?;
    if contents.is_empty() {
        return Ok(());
    }
    if !contents.files.iter().any(|file| file == Path::new(MANIFEST)) {
        return Err(Error::folder(folder, format!("it is not empty and holds no {MANIFEST} of a dataset")));
    }
    let manifest = Manifest::read(folder)?;
    if !overwrite {
        let state = if manifest.complete { "a finished" } else { "an unfinished" };
        return Err(Error::folder(
            folder,
            format!("it holds {state} dataset; only with overwrite is it replaced"),
        ));
    }
    let unknown = contents.files.iter().filter(|path| !is_ours(path));
    if let Some(foreign) = contents.others.iter().chain(unknown).next() {
        return Err(Error::folder(
            folder,
            format!("it also holds {}, which no build wrote", foreign.display()),
        ));
    }
    contents.remove(folder)
}

/// Data files of a dataset's folder, as paths with forward slashes, sorted.
pub(crate) fn data_files(folder: &Path) -> Result<Vec<String>, Error> {
    let parquet = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "parquet");
    let contents = Contents::of(folder)?;
    let mut files: Vec<String> = contents
        .files
        .iter()
        .chain(&contents.others)
        .filter(|path| parquet(path))
        .map(|path| {
            path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
        })
        .collect();
    files.sort();
    Ok(files)
}

/// What lies in a folder and the folders in it, as relative paths.
#[derive(Default)]
struct Contents {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// Links, and whatever lies deeper than a dataset is.
    others: Vec<PathBuf>,
}

impl Contents {
    fn of(folder: &Path) -> Result<Self, Error> {
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

    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty() && self.others.is_empty()
    }

    /// Removes the files, the manifest last: as long as it is there, the folder is known as ours.
    fn remove(&self, folder: &Path) -> Result<(), Error> {
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

/// Whether a build writes files of this name.
fn is_ours(path: &Path) -> bool {
    let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    match parts.as_deref() {
        Some([name]) => {
            *name == MANIFEST || *name == CARD || (name.starts_with('.') && name.ends_with(".partial"))
        }
        Some([CARD_FOLDER, name]) => name.ends_with(".png"),
        Some([_, name]) => is_shard_name(name),
        _ => false,
    }
}

/// Whether `name` has the form `{split}-{i:05}-of-{n:05}.parquet`.
fn is_shard_name(name: &str) -> bool {
    let number = |text: &str| text.len() >= 5 && text.bytes().all(|b| b.is_ascii_digit());
    let parts: Option<Vec<&str>> = name.strip_suffix(".parquet").map(|stem| stem.split('-').collect());
    match parts.as_deref() {
        Some([split, index, "of", count]) => {
            Split::ALL.iter().any(|known| known.name() == *split) && number(index) && number(count)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_files_are_known() {
        let ours = ["manifest.json", "README.md", ".knots-test-00000.partial", "card/pipe.png"];
        assert!(ours.iter().all(|path| is_ours(Path::new(path))));
        assert!(is_ours(Path::new(&shard_path("order-5-pictures", Split::Validation, 3, 12))));
        let foreign =
            ["notes.txt", ".git", "knots/notes.txt", "card/pipe.svg", "test-00000-of-00001.parquet"];
        assert!(foreign.iter().all(|path| !is_ours(Path::new(path))));
        assert!(!is_shard_name("dev-00000-of-00001.parquet") && !is_shard_name("test-0-of-1.parquet"));
    }
}
