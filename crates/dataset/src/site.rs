//! Where a build writes, and how what it made takes its place.
//!
//! A build fills a folder of its own beside the one that was asked for. Only what is finished is
//! swapped in, so that a build that fails or is killed never harms a finished dataset, and the
//! next one can go on where it ended.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::folder::{Contents, LOCK, PIECES};
use crate::lock::Lock;
use crate::manifest::{MANIFEST, Manifest};
use crate::names::OwnNames;

/// The folders of one build.
pub(crate) struct Site {
    /// Where the dataset is wanted.
    out: PathBuf,
    /// Where it is made.
    work: PathBuf,
    /// Where the dataset that it replaces waits to be removed.
    old: PathBuf,
    existing: Existing,
    lock: Lock,
}

/// What may happen to what lies there already.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Existing {
    /// A dataset is replaced when the new one is finished; what an interrupted build left is
    /// thrown away, unless `resume` is set too.
    pub(crate) overwrite: bool,
    /// What an interrupted build of the same dataset left is gone on with.
    pub(crate) resume: bool,
    /// For work that always begins anew: what was left of its like is thrown away, finished or
    /// not, but never what a build left.
    pub(crate) anew: bool,
}

/// What lies where a dataset is wanted.
enum Target {
    Nothing,
    EmptyFolder,
    Dataset(Contents),
}

impl Site {
    /// Makes and locks the folder to build in, and ends what a build that was killed in its last
    /// steps left undone. What else lies at `out` is not touched.
    pub(crate) fn claim(out: &Path, existing: Existing) -> Result<Self, Error> {
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
        let (work, old) = (beside(".partial"), beside(".replaced"));
        ensure_outside_datasets(&out)?;
        match fs::create_dir(&work) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(Error::file("created", &work, error));
            }
            _ if !work.symlink_metadata().is_ok_and(|facts| facts.is_dir()) => {
                return Err(Error::folder(&work, "it is no folder; a build needs this name"));
            }
            _ => {}
        }
        let site = Site { lock: Lock::hold(&work)?, out, work, old, existing };
        site.finish_replacement()?;
        Ok(site)
    }

    /// The finished dataset at `out`, where there is one.
    pub(crate) fn finished(&self) -> Option<Manifest> {
        Manifest::read(&self.out).ok().filter(|manifest| manifest.complete)
    }

    /// Demands that every file of the finished dataset at `out` is there and has its size.
    pub(crate) fn ensure_finished_whole(&self, manifest: &Manifest) -> Result<(), Error> {
        ensure_whole(&self.out, manifest)
    }

    /// The folder to build in.
    pub(crate) fn folder(&self) -> &Path {
        &self.work
    }

    /// Makes the folder ready for the build of `begun`: emptied, or, to go on, with the pieces
    /// that are there already. Returns the manifest where nothing is left to be done.
    ///
    /// # Errors
    /// When no dataset may take the place of what lies at `out`, or what lies in the folder must
    /// not be touched or does not belong to this build.
    pub(crate) fn prepare(&self, begun: &Manifest) -> Result<Option<Manifest>, Error> {
        let Existing { overwrite, resume, anew } = self.existing;
        target(&self.out, overwrite)?;
        let contents = Contents::of(&self.work)?.without(LOCK);
        // A build may be killed before its manifest is written.
        let left = match contents.holds(MANIFEST).then(|| Manifest::read(&self.work)).transpose() {
            Ok(left) => left,
            Err(_) if overwrite && !resume => None,
            Err(error) => return Err(error),
        };
        let names = left.as_ref().map_or_else(OwnNames::of_nothing, OwnNames::of);
        ensure_own(&self.work, &contents, &names)?;
        let worth_keeping = |left: &Manifest| left.complete && !anew || contents.holds_in(PIECES);
        match left {
            Some(left) if resume => {
                left.ensure_same_plan(begun).map_err(|flaw| {
                    Error::folder(
                        &self.work,
                        format!("it holds an unfinished build of something else: {flaw}"),
                    )
                })?;
                if left.complete {
                    return Ok(Some(left));
                }
                contents.beyond_pieces().remove(&self.work)?;
            }
            Some(left) if !overwrite && worth_keeping(&left) => {
                return Err(Error::folder(
                    &self.work,
                    "it holds what an interrupted build left: resume (--resume) goes on with it, overwrite \
                     (--overwrite) begins anew",
                ));
            }
            _ => contents.remove(&self.work)?,
        }
        begun.write(&self.work)?;
        Ok(None)
    }

    /// The outcome of work in the folder. Where it failed, nothing of it is kept: for work that is
    /// no build and would begin anew in any case.
    pub(crate) fn or_clear<T>(&self, outcome: Result<T, Error>) -> Result<T, Error> {
        if outcome.is_err() {
            // The first error is the one that matters.
            let _ = Contents::of(&self.work).and_then(|contents| contents.remove(&self.work));
        }
        outcome
    }

    /// Gives the finished dataset its place.
    pub(crate) fn publish(self, manifest: &Manifest) -> Result<(), Error> {
        let Site { out, work, old, existing, mut lock } = self;
        // Somebody may have put a file there in the meantime.
        let target = target(&out, existing.overwrite)?;
        ensure_whole(&work, manifest)?;
        let rename =
            |from: &Path, to: &Path| fs::rename(from, to).map_err(|e| Error::file("renamed", from, e));
        match target {
            Target::Nothing => rename(&work, &out)?,
            Target::EmptyFolder => {
                fs::remove_dir(&out).map_err(|e| Error::file("removed", &out, e))?;
                rename(&work, &out)?;
            }
            Target::Dataset(contents) => {
                rename(&out, &old)?;
                if let Err(error) = rename(&work, &out) {
                    rename(&old, &out)?;
                    return Err(error);
                }
                lock.renamed(&out);
                contents.remove(&old)?;
                fs::remove_dir(&old).map_err(|e| Error::file("removed", &old, e))?;
            }
        }
        lock.renamed(&out);
        Ok(())
    }

    /// Ends the replacement of a dataset that was broken off between its steps: the old one is
    /// put back where nothing has its place, and removed where the new one has.
    fn finish_replacement(&self) -> Result<(), Error> {
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        if is_there(&self.old) && !is_there(&self.out) {
            return fs::rename(&self.old, &self.out).map_err(|e| Error::file("renamed", &self.old, e));
        }
        if self.finished().is_none() {
            return match is_there(&self.old) {
                false => Ok(()),
                true => Err(Error::folder(
                    &self.out,
                    format!(
                        "it is no finished dataset, and {} holds another; remove one of them",
                        self.old.display()
                    ),
                )),
            };
        }
        // Whoever held this lock is gone: it is of the folder that we hold.
        let _ = fs::remove_file(self.out.join(LOCK));
        if is_there(&self.old) {
            let contents = Contents::of(&self.old)?;
            if contents.holds(MANIFEST) {
                ensure_own(&self.old, &contents, &OwnNames::of(&Manifest::read(&self.old)?))?;
                contents.remove(&self.old)?;
            }
            fs::remove_dir(&self.old).map_err(|e| Error::file("removed", &self.old, e))?;
        }
        Ok(())
    }
}

/// Demands that a folder lies in no dataset: that would count it among its own.
pub(crate) fn ensure_outside_datasets(out: &Path) -> Result<(), Error> {
    let within = out.ancestors().skip(1).find(|folder| Manifest::read(folder).is_ok());
    within.map_or(Ok(()), |folder| {
        Err(Error::folder(
            out,
            format!("it lies in the dataset {}; choose a place outside", folder.display()),
        ))
    })
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
    ensure_own(out, &contents, &OwnNames::of(&manifest))?;
    Ok(Target::Dataset(contents))
}

/// Demands that a folder holds nothing that its build did not write.
fn ensure_own(folder: &Path, contents: &Contents, names: &OwnNames) -> Result<(), Error> {
    let foreign =
        contents.first_foreign(|path| names.is_removable(path), |path| names.is_removable_folder(path));
    foreign.map_or(Ok(()), |path| Err(self::foreign(folder, &path)))
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
