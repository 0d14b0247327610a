use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, ensure};

use crate::error::Error;
use crate::manifest::{MANIFEST, Manifest};
use crate::row::Row;

/// A finished dataset, to be read row by row.
#[derive(Clone, Debug)]
pub struct Dataset {
    folder: PathBuf,
    manifest: Manifest,
}

impl Dataset {
    /// Opens the dataset in `folder`. No row is read yet.
    ///
    /// # Errors
    /// When there is no manifest that can be read, the build did not come to its end, or it is a
    /// part of a dataset.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let manifest = Manifest::read(folder)?;
        manifest.refuse_part(folder)?;
        ensure(manifest.complete, || "the build of this dataset did not come to its end".to_owned())
            .map_err(|flaw: Flaw| Error::content(&folder.join(MANIFEST), flaw))?;
        Ok(Dataset { folder: folder.to_owned(), manifest })
    }

    /// What the dataset holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// All rows, in the order of the files. Few of them are in memory at once. A file that holds
    /// fewer or more rows than the manifest says ends with an error.
    pub fn rows(&self) -> impl Iterator<Item = Result<Row, Error>> + '_ {
        self.manifest.files.iter().flat_map(|file| {
            let path = self.folder.join(&file.path);
            let (rows, failed) = match self.manifest.storage.rows(&path) {
                Ok(rows) => (Some(rows), None),
                Err(error) => (None, Some(Err(error))),
            };
            let is_open = rows.is_some();
            let mut count = 0;
            let counted = rows.into_iter().flatten().map(Some).chain(std::iter::once(None));
            let counted = counted.filter_map(move |row| {
                count += u64::from(row.is_some());
                row.or_else(|| {
                    let flaw = || Flaw::new(format!("it has {count} rows, the manifest says {}", file.rows));
                    (is_open && count != file.rows).then(|| Err(Error::content(&path, flaw())))
                })
            });
            counted.chain(failed)
        })
    }
}
