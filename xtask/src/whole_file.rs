use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes a file that is there as a whole or not at all.
///
/// # Errors
/// When it can't be written.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = WholeFile::create(path)?;
    file.writer().write_all(bytes).map_err(|e| Failure::file("write", path, &e))?;
    file.finish()
}

/// A file under a temporary name beside its own, which it gets when it is whole. What is not
/// finished is removed.
pub(crate) struct WholeFile {
    path: PathBuf,
    partial: PathBuf,
    writer: BufWriter<File>,
    finished: bool,
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".partial");
        let partial = path.with_file_name(name);
        let file = File::create(&partial).map_err(|e| Failure::file("create", &partial, &e))?;
        Ok(WholeFile { path: path.to_owned(), partial, writer: BufWriter::new(file), finished: false })
    }

    pub(crate) fn writer(&mut self) -> &mut BufWriter<File> {
        &mut self.writer
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|e| Failure::file("write", &self.partial, &e))?;
        fs::rename(&self.partial, &self.path).map_err(|e| Failure::file("write", &self.path, &e))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing is lost when it stays: the next run writes it anew.
            let _ = fs::remove_file(&self.partial);
        }
    }
}
