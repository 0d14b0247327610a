//! Where a build writes, and how what it made takes its place.
//!
//! A build fills a folder of its own beside the one that was asked for. Only what is finished is
//! swapped in, so that a build that fails or is killed never harms a finished dataset.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::folder::{Contents, OwnNames};
use crate::manifest::{MANIFEST, Manifest};

/// The folders of one build.
pub(crate) struct Site {
    /// Where the dataset is wanted.
    out: PathBuf,
    /// Where it is made.
    work: PathBuf,
    /// Where the dataset that it replaces waits to be removed.
    old: PathBuf,
    overwrite: bool,
}

/// What lies where a dataset is wanted.
enum Target {
    Nothing,
    EmptyFolder,
    Dataset(Contents),
}

impl Site {
    /// Looks whether a dataset may take the place of what lies at `out`, and makes the folder to
    /// build it in. Nothing at `out` is touched.
    pub(crate) fn claim(out: &Path, overwrite: bool) -> Result<Self, Error> {
        let out = resolved(out)?;
        let Some(name) = out.file_name().map(ToOwned::to_owned) else {
            return Err(Error::folder(&out, "it has no name, so that nothing can be built beside it"));
        };
        let beside = |suffix: &str| {
            let mut hidden = OsString::from(".");
            hidden.push(&name);
            hidden.push(suffix);
            out.with_file_name(hidden)
        };
        let (work, old) = (beside(".partial"), beside(".old"));
        target(&out, overwrite)?;
        if old.symlink_metadata().is_ok() {
            return Err(Error::folder(
                &out,
                format!(
                    "{} is left of a build that was stopped while it replaced a dataset; keep what is needed of it \
                     and remove it",
                    old.display()
                ),
            ));
        }
        prepare(&work)?;
        Ok(Site { out, work, old, overwrite })
    }

    /// The folder to build in.
    pub(crate) fn folder(&self) -> &Path {
        &self.work
    }

    /// Gives the finished dataset its place.
    pub(crate) fn publish(self, manifest: &Manifest) -> Result<(), Error> {
        let Site { out, work, old, overwrite } = self;
        // Somebody may have put a file there in the meantime, or run another build of the same name.
        let target = target(&out, overwrite)?;
        ensure_whole(&work, manifest)?;
        let rename =
            |from: &Path, to: &Path| fs::rename(from, to).map_err(|e| Error::file("renamed", from, e));
        match target {
            Target::Nothing => rename(&work, &out),
            Target::EmptyFolder => {
                fs::remove_dir(&out).map_err(|e| Error::file("removed", &out, e))?;
                rename(&work, &out)
            }
            Target::Dataset(contents) => {
                rename(&out, &old)?;
                if let Err(error) = rename(&work, &out) {
                    rename(&old, &out)?;
                    return Err(error);
                }
                contents.remove(&old)?;
                fs::remove_dir(&old).map_err(|e| Error::file("removed", &old, e))
            }
        }
    }
}

/// The path without links, its parent made where there is none.
fn resolved(out: &Path) -> Result<PathBuf, Error> {
    let canonical = |path: &Path| path.canonicalize().map_err(|e| Error::file("found", path, e));
    match (out.symlink_metadata(), out.file_name()) {
        (Err(error), Some(name)) if error.kind() == ErrorKind::NotFound => {
            let parent = match out.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            fs::create_dir_all(parent).map_err(|e| Error::file("created", parent, e))?;
            Ok(canonical(parent)?.join(name))
        }
        _ => canonical(out),
    }
}

/// What lies at `out`, where a new dataset may take its place.
fn target(out: &Path, overwrite: bool) -> Result<Target, Error> {
    match out.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Target::Nothing),
        Err(error) => return Err(Error::file("found", out, error)),
        Ok(facts) if !facts.is_dir() => return Err(Error::folder(out, "it is no folder")),
        Ok(_) if is_mounted(out) => {
            return Err(Error::folder(
                out,
                "it is a file system of its own, which can't be replaced; name a folder inside it",
            ));
        }
        Ok(_) => {}
    }
    let contents = Contents::of(out)?;
    if contents.is_empty() {
        return Ok(Target::EmptyFolder);
    }
    if !contents.holds(MANIFEST) {
        return Err(Error::folder(out, format!("it is not empty and holds no {MANIFEST} of a dataset")));
    }
    let manifest = Manifest::read(out)?;
    if !overwrite {
        let state = if manifest.complete { "a finished" } else { "an unfinished" };
        return Err(Error::folder(
            out,
            format!("it holds {state} dataset; overwrite (--overwrite) replaces it"),
        ));
    }
    let names = OwnNames::of(&manifest);
    match contents.first_foreign(|path| names.is_removable(path), |path| names.is_folder(path)) {
        None => Ok(Target::Dataset(contents)),
        Some(path) => Err(foreign(out, &path)),
    }
}

/// Makes the folder to build in: new, or emptied of what a build left that did not end.
fn prepare(work: &Path) -> Result<(), Error> {
    match fs::create_dir(work) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(Error::file("created", work, error)),
    }
    if !work.symlink_metadata().is_ok_and(|facts| facts.is_dir()) {
        return Err(Error::folder(work, "it is no folder; a build needs this name"));
    }
    let contents = Contents::of(work)?;
    // A build may be killed before its manifest is written.
    let names = if contents.holds(MANIFEST) {
        let manifest = Manifest::read(work)?;
        if manifest.complete {
            return Err(Error::folder(
                work,
                "it holds a finished dataset whose build was stopped before it took its place; rename or remove it",
            ));
        }
        OwnNames::of(&manifest)
    } else {
        OwnNames::of_nothing()
    };
    match contents.first_foreign(|path| names.is_removable(path), |path| names.is_folder(path)) {
        None => contents.remove(work),
        Some(path) => Err(foreign(work, &path)),
    }
}

/// Demands that a folder holds the files of a dataset and nothing else.
fn ensure_whole(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    let names = OwnNames::of(manifest);
    let contents = Contents::of(folder)?;
    if let Some(path) = contents.first_foreign(|path| names.is_file(path), |path| names.is_folder(path)) {
        return Err(foreign(folder, &path));
    }
    for file in &manifest.files {
        let path = folder.join(&file.path);
        let bytes = path.metadata().map_err(|e| Error::file("found", &path, e))?.len();
        if bytes != file.bytes {
            return Err(Error::folder(
                folder,
                format!("{} has {bytes} bytes, {} were written", file.path, file.bytes),
            ));
        }
    }
    Ok(())
}

fn foreign(folder: &Path, path: &Path) -> Error {
    Error::folder(folder, format!("it also holds {}, which no build wrote", path.display()))
}

#[cfg(unix)]
fn is_mounted(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let device = |path: &Path| path.metadata().map(|facts| facts.dev()).ok();
    folder.parent().is_some_and(|parent| device(parent) != device(folder))
}

#[cfg(not(unix))]
fn is_mounted(_: &Path) -> bool {
    false
}
