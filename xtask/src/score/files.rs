use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file under a temporary name beside its own, which it gets when it is whole. What is not
/// finished is removed.
pub(super) struct Partial {
    path: PathBuf,
    partial: PathBuf,
    writer: BufWriter<File>,
    finished: bool,
}

impl Partial {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".partial");
        let partial = path.with_file_name(name);
        let file = File::create(&partial).map_err(|e| Failure::file("create", &partial, &e))?;
        Ok(Partial { path: path.to_owned(), partial, writer: BufWriter::new(file), finished: false })
    }

    pub(super) fn writer(&mut self) -> &mut BufWriter<File> {
        &mut self.writer
    }

    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|e| Failure::file("write", &self.partial, &e))?;
        fs::rename(&self.partial, &self.path).map_err(|e| Failure::file("write", &self.path, &e))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing is lost when it stays: the next run writes it anew.
            let _ = fs::remove_file(&self.partial);
        }
    }
}
