use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};
use same_file::Handle;

use crate::error::Error;
use crate::folder::LOCK;

/// A folder that one build has for itself. The lock is the operating system's and dies with the
/// process, however that ends; dropping it also removes its file, and the folder where nothing
/// else is in it.
pub(crate) struct Lock {
    folder: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks `folder`.
    ///
    /// # Errors
    /// When another process holds it, or its file can't be made.
    pub(crate) fn hold(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(LOCK);
        let failed = |e| Error::file("locked", &path, e);
        let mut file = open_locked(folder, &path)?;
        file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(failed)?;
        Ok(Lock { folder: folder.to_owned(), _file: file })
    }

    /// Takes note that the folder has another name by now.
    pub(crate) fn renamed(&mut self, folder: &Path) {
        self.folder = folder.to_owned();
    }
}

/// The lock's file, open and locked.
fn open_locked(folder: &Path, path: &Path) -> Result<File, Error> {
    let failed = |e| Error::file("locked", path, e);
    loop {
        if path.symlink_metadata().is_ok_and(|facts| !facts.is_file()) {
            return Err(Error::folder(folder, format!("{} is no plain file; remove it", path.display())));
        }
        let options = || File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options().map_err(failed)?;
        match FileExt::try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Who it is helps, but is not needed.
                let _ = std::io::Read::by_ref(&mut file).take(20).read_to_string(&mut holder);
                let who = if holder.trim().is_empty() { "another" } else { holder.trim() };
                return Err(Error::folder(folder, format!("process {who} is building there")));
            }
        }
        // The holder before us may have removed the file after we opened it: then what we have is
        // no longer what others find.
        let ours = Handle::from_file(file.try_clone().map_err(failed)?).map_err(failed)?;
        if Handle::from_path(path).is_ok_and(|found| found == ours) {
            return Ok(file);
        }
        fs::create_dir_all(folder).map_err(failed)?;
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Neither can be reported, and neither does harm when it stays.
        let _ = fs::remove_file(self.folder.join(LOCK));
        let _ = fs::remove_dir(&self.folder);
    }
}
