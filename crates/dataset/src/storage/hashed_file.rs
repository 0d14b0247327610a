use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::ClosedShard;
use crate::error::Error;
use crate::folder;

/// A file in the making that counts and hashes what is written to it.
pub(super) struct HashedFile {
    path: PathBuf,
    inner: BufWriter<File>,
    sha256: Sha256,
    bytes: u64,
}

impl HashedFile {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        let file = File::create(path).map_err(|e| Error::file("created", path, e))?;
        let inner = BufWriter::new(file);
        Ok(HashedFile { path: path.to_owned(), inner, sha256: Sha256::new(), bytes: 0 })
    }

    /// The bytes that were written so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes sure that everything is on the disk.
    pub(super) fn close(self) -> Result<ClosedShard, Error> {
        let HashedFile { path, inner, sha256, bytes } = self;
        let file = inner.into_inner().map_err(|e| Error::file("written", &path, e.into_error()))?;
        file.sync_all().map_err(|e| Error::file("written", &path, e))?;
        Ok(ClosedShard { bytes, sha256: hex(&sha256.finalize()) })
    }
}

impl Write for HashedFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.sha256.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// What a file is known by.
pub(crate) struct Fingerprint {
    pub(crate) bytes: u64,
    /// Empty where the size says enough.
    pub(crate) sha256: String,
}

/// Size and SHA-256 of a file. Where another size is `wanted`, it is not read.
pub(crate) fn fingerprint(path: &Path, wanted: Option<u64>) -> Result<Fingerprint, Error> {
    let failed = |e| Error::file("read", path, e);
    let file = folder::open(path)?;
    let bytes = file.metadata().map_err(failed)?.len();
    if wanted.is_some_and(|wanted| wanted != bytes) {
        return Ok(Fingerprint { bytes, sha256: String::new() });
    }
    let mut hasher = Sha256::new();
    io::copy(&mut file.take(bytes), &mut HashWriter(&mut hasher)).map_err(failed)?;
    Ok(Fingerprint { bytes, sha256: hex(&hasher.finalize()) })
}

struct HashWriter<'a>(&'a mut Sha256);

impl Write for HashWriter<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.update(buffer);
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
