//! The repository's own files, by their paths from its root.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::whole_file::write_whole;

/// The root of a working tree. Paths in it are texts with `/`, as messages show them.
pub(crate) struct Repository(PathBuf);

impl Repository {
    /// The working tree that this program was compiled in.
    pub(crate) fn here() -> Self {
        let member = Path::new(env!("CARGO_MANIFEST_DIR"));
        Repository(member.parent().unwrap_or(member).to_owned())
    }

    /// The working tree at `root`.
    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Self {
        Repository(root.to_owned())
    }

    /// The root folder.
    pub(crate) fn root(&self) -> &Path {
        &self.0
    }

    /// The whole path of a file.
    pub(crate) fn full(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// A file's bytes; `None` when it is not there.
    ///
    /// # Errors
    /// When it is there and can't be read.
    pub(crate) fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        self.if_there(path, std::fs::read(self.full(path)))
    }

    /// A file's text; `None` when it is not there.
    ///
    /// # Errors
    /// When it is there and can't be read as UTF-8.
    pub(crate) fn text(&self, path: &str) -> Result<Option<String>, Failure> {
        self.if_there(path, std::fs::read_to_string(self.full(path)))
    }

    fn if_there<T>(&self, path: &str, read: std::io::Result<T>) -> Result<Option<T>, Failure> {
        match read {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::file("read", &self.full(path), &error)),
        }
    }

    /// The paths of the files right in `folder` whose names end in `.` and `extension`, sorted;
    /// none when there is no such folder.
    ///
    /// # Errors
    /// When the folder can't be listed.
    pub(crate) fn list(&self, folder: &str, extension: &str) -> Result<Vec<String>, Failure> {
        let Some(entries) = self.if_there(folder, std::fs::read_dir(self.full(folder)))? else {
            return Ok(Vec::new());
        };
        let mut paths = Vec::new();
        for entry in entries {
            let name = entry.map_err(|e| Failure::file("list", &self.full(folder), &e))?.file_name();
            if Path::new(&name).extension().is_some_and(|e| e == extension) {
                paths.push(format!("{folder}/{}", name.to_string_lossy()));
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// Writes a file, and its folder where it is missing, under another name first, so that it is
    /// there as a whole or not at all.
    ///
    /// # Errors
    /// When the folder or the file can't be written.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let full = self.full(path);
        let folder = full.parent().unwrap_or(&self.0);
        std::fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, &e))?;
        write_whole(&full, bytes)
    }

    /// Removes a file.
    ///
    /// # Errors
    /// When it can't be removed.
    pub(crate) fn remove(&self, path: &str) -> Result<(), Failure> {
        let full = self.full(path);
        std::fs::remove_file(&full).map_err(|e| Failure::file("remove", &full, &e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_listed_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        assert!(repository.list("new/folder", "txt").is_ok_and(|paths| paths.is_empty()));
        for name in ["b", "a"] {
            assert!(repository.write(&format!("new/folder/{name}.txt"), name.as_bytes()).is_ok());
        }
        assert!(repository.write("new/folder/c.png", b"c").is_ok());
        let listed = repository.list("new/folder", "txt").unwrap_or_default();
        assert_eq!(listed, ["new/folder/a.txt", "new/folder/b.txt"], "sorted, without partial files");
        assert!(repository.text("new/folder/a.txt").is_ok_and(|text| text.as_deref() == Some("a")));
        assert!(repository.remove("new/folder/a.txt").is_ok());
        assert!(repository.bytes("new/folder/a.txt").is_ok_and(|bytes| bytes.is_none()));
        assert!(repository.bytes("new/folder").is_err(), "a folder is no file");
    }
}
