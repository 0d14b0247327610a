//! The folder of a gallery: built beside its place, and put there when it is whole.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::folder::LOCK;
use crate::lock::Lock;
use crate::site::ensure_outside_datasets;

/// The file that makes a folder known as a gallery: a line that says so, then the paths of all
/// other files, one a line.
pub(super) const MARKER: &str = ".topotrace-gallery";
/// The first line of the marker.
const HEADING: &str = "topotrace gallery 1";

/// A gallery in the making, in a folder beside its place that no other build has.
pub(super) struct Stage {
    /// Where it will lie.
    place: PathBuf,
    /// Where it is built.
    folder: PathBuf,
    overwrite: bool,
    files: BTreeSet<String>,
    lock: Lock,
}

impl Stage {
    /// Begins a gallery for the folder `place`. What an earlier build that was broken off left
    /// beside it is removed.
    ///
    /// # Errors
    /// When the folder holds anything that no gallery wrote, or a gallery that may not be
    /// replaced, another build is at work there, or the new one can't be begun.
    pub(super) fn begin(place: &Path, overwrite: bool) -> Result<Self, Error> {
        check_place(place, overwrite)?;
        ensure_outside_datasets(&std::path::absolute(place).map_err(|e| Error::file("found", place, e))?)?;
        let folder = beside(place, "partial")?;
        let left = match fs::symlink_metadata(&folder) {
            Ok(facts) if !facts.is_dir() => return Err(Error::folder(&folder, "it is no folder")),
            Ok(_) => files_of(&folder)?,
            Err(_) => Vec::new(),
        };
        // A build locks its folder before it writes anything else.
        if !left.is_empty() && !left.iter().any(|file| [LOCK, MARKER].contains(&file.as_str())) {
            return Err(Error::folder(&folder, "it is in the way and is no gallery; remove it by hand"));
        }
        fs::create_dir_all(&folder).map_err(|e| Error::file("created", &folder, e))?;
        let lock = Lock::hold(&folder)?;
        empty(&folder)?;
        let stage = Stage { place: place.to_owned(), folder, overwrite, files: BTreeSet::new(), lock };
        stage.write_marker()?;
        Ok(stage)
    }

    /// Writes a file; `name` is its path with forward slashes.
    pub(super) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| Error::file("created", parent, e))?;
        }
        fs::write(&path, bytes).map_err(|e| Error::file("written", &path, e))?;
        self.files.insert(name.to_owned());
        Ok(())
    }

    /// Puts the finished gallery in its place, instead of one that lies there.
    ///
    /// # Errors
    /// When something else lies there by now, or a folder can't be renamed.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.write_marker()?;
        // Somebody may have put a file there in the meantime.
        check_place(&self.place, self.overwrite)?;
        let old = beside(&self.place, "old")?;
        remove_gallery(&old)?;
        // An empty folder can be removed at once; a gallery is kept until the new one lies there.
        if self.place.exists() && fs::remove_dir(&self.place).is_err() {
            rename(&self.place, &old)?;
        }
        rename(&self.folder, &self.place)?;
        self.lock.renamed(&self.place);
        remove_gallery(&old)
    }

    fn write_marker(&self) -> Result<(), Error> {
        let mut text = format!("{HEADING}\n");
        for file in &self.files {
            text.push_str(file);
            text.push('\n');
        }
        let path = self.folder.join(MARKER);
        fs::write(&path, text).map_err(|e| Error::file("written", &path, e))
    }
}

/// Demands that there is nothing at `place`, or an empty folder, or a gallery that may be replaced.
fn check_place(place: &Path, overwrite: bool) -> Result<(), Error> {
    let files = match fs::symlink_metadata(place) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::file("looked at", place, error)),
        Ok(facts) if !facts.is_dir() => return Err(Error::folder(place, "it is no folder")),
        Ok(_) => files_of(place)?,
    };
    if files.is_empty() {
        let mut entries = fs::read_dir(place).map_err(|e| Error::file("listed", place, e))?;
        return match entries.next() {
            None => Ok(()),
            Some(_) => Err(Error::folder(place, "it holds folders and is no gallery")),
        };
    }
    let Some(known) = marked_files(place)? else {
        return Err(Error::folder(place, format!("it holds {} and is no gallery", files[0])));
    };
    let is_own = |file: &String| [LOCK, MARKER].contains(&file.as_str()) || known.contains(file);
    if let Some(foreign) = files.iter().find(|file| !is_own(file)) {
        return Err(Error::folder(place, format!("it holds {foreign}, which no gallery wrote")));
    }
    if overwrite {
        Ok(())
    } else {
        Err(Error::folder(place, "it holds a gallery, which is replaced only when overwriting is allowed"))
    }
}

/// The folder beside `place` that is called as `place` is, with a dot before and `what` after it.
fn beside(place: &Path, what: &str) -> Result<PathBuf, Error> {
    let name = place.file_name().ok_or_else(|| Error::folder(place, "it has no name of its own"))?;
    Ok(place.with_file_name(format!(".{}.gallery-{what}", name.to_string_lossy())))
}

/// Removes a folder that this program left beside a gallery's place, if there is one.
fn remove_gallery(folder: &Path) -> Result<(), Error> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::file("looked at", folder, error)),
        Ok(facts) if !facts.is_dir() => return Err(Error::folder(folder, "it is no folder")),
        Ok(_) => {}
    }
    if marked_files(folder)?.is_none() {
        return Err(Error::folder(folder, "it is in the way and is no gallery; remove it by hand"));
    }
    fs::remove_dir_all(folder).map_err(|e| Error::file("removed", folder, e))
}

/// Removes all that lies in a folder but its lock.
fn empty(folder: &Path) -> Result<(), Error> {
    let failed = |e| Error::file("emptied", folder, e);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        let removed = match is_folder {
            true => fs::remove_dir_all(entry.path()),
            false if entry.file_name() == LOCK => Ok(()),
            false => fs::remove_file(entry.path()),
        };
        removed.map_err(failed)?;
    }
    Ok(())
}

/// The files that a gallery's marker lists; `None` for a folder that is no gallery.
fn marked_files(folder: &Path) -> Result<Option<BTreeSet<String>>, Error> {
    let path = folder.join(MARKER);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::file("read", &path, error)),
    };
    let mut lines = text.lines();
    Ok((lines.next() == Some(HEADING)).then(|| lines.map(str::to_owned).collect()))
}

/// The paths of all that lies in a folder but folders, with forward slashes, sorted. Links are not
/// followed.
fn files_of(folder: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut left = vec![(folder.to_owned(), String::new())];
    while let Some((path, prefix)) = left.pop() {
        let failed = |e| Error::file("listed", &path, e);
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().map_err(failed)?.is_dir() {
                left.push((entry.path(), format!("{name}/")));
            } else {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(|e| Error::file("renamed", from, e))
}
