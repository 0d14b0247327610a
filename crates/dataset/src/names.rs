//! Which names a build gives its files, so that nobody else's are ever removed.

use std::collections::BTreeSet;
use std::path::Path;

use topotrace_core::Split;

use crate::folder::{
    CARD, CARD_FOLDER, LOCK, PIECES, partial_name, piece_path, sheet_path, slashed, slug, unfinished,
};
use crate::manifest::{MANIFEST, Manifest};
use crate::storage::{METADATA, Storage, is_picture_path};

/// The names that the build of one manifest gives its files.
pub(crate) struct OwnNames {
    /// The files of the finished dataset.
    files: BTreeSet<String>,
    /// The folders of these files.
    folders: BTreeSet<String>,
    /// Files under the names they have before they are whole.
    unfinished: BTreeSet<String>,
    /// What shards are made of, how, and whether all of them are listed.
    shards: BTreeSet<(String, Split)>,
    storage: Storage,
    complete: bool,
}

impl OwnNames {
    pub(crate) fn of(manifest: &Manifest) -> Self {
        let mut names = OwnNames::of_nothing();
        if manifest.part.is_none() {
            let sheets = manifest.groups.iter().map(|group| sheet_path(&slug(&group.task)));
            names.files.extend(sheets.chain([CARD.to_owned()]));
            names.folders.insert(CARD_FOLDER.to_owned());
            names.folders.extend(manifest.groups.iter().map(|group| group.config.clone()));
        }
        names.unfinished = names.files.iter().map(|name| unfinished(name)).collect();
        names.files.extend(manifest.files.iter().map(|file| file.path.clone()));
        let folders = manifest.files.iter().filter_map(|file| Some(file.path.rsplit_once('/')?.0.to_owned()));
        names.folders.extend(folders);
        names.shards.extend(manifest.groups.iter().map(|group| (group.config.clone(), group.split)));
        names.storage = manifest.storage;
        names.complete = manifest.complete;
        names
    }

    /// The names of a build that has not written its manifest yet.
    pub(crate) fn of_nothing() -> Self {
        let small = [MANIFEST, LOCK].map(str::to_owned);
        OwnNames {
            unfinished: small.iter().map(|name| unfinished(name)).collect(),
            files: BTreeSet::from(small),
            folders: BTreeSet::new(),
            shards: BTreeSet::new(),
            storage: Storage::default(),
            complete: false,
        }
    }

    /// Whether the finished dataset has a file of this name.
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        slashed(path).is_some_and(|path| {
            self.files.contains(&path)
                || image_folder_of(&path).is_some_and(|folder| self.is_image_folder(folder))
        })
    }

    /// Whether files of the dataset lie in this folder.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        slashed(path).is_some_and(|path| {
            self.folders.contains(&path)
                || path
                    .rsplit_once('/')
                    .is_some_and(|(folder, name)| is_number(name) && self.is_image_folder(folder))
        })
    }

    /// Whether the build wrote a file of this name, for good or for the time being.
    pub(crate) fn is_removable(&self, path: &Path) -> bool {
        self.is_file(path)
            || slashed(path).is_some_and(|path| {
                let metadata = || path.strip_suffix(METADATA)?.strip_suffix('/');
                self.unfinished.contains(&path)
                    || is_piece(&path)
                    || self.is_shard(&path)
                    || metadata().is_some_and(|folder| self.is_shard(folder))
                    || image_folder_of(&path).is_some_and(|folder| self.is_shard(folder))
            })
    }

    /// Whether the build made a folder of this name, for good or for the time being.
    pub(crate) fn is_removable_folder(&self, path: &Path) -> bool {
        self.is_folder(path)
            || slashed(path).is_some_and(|path| {
                let outer =
                    path.rsplit_once('/').filter(|(_, name)| is_number(name)).map(|(folder, _)| folder);
                path == PIECES
                    || self.storage == Storage::ImageFolder
                        && (self.is_shard(&path) || outer.is_some_and(|folder| self.is_shard(folder)))
            })
    }

    fn is_image_folder(&self, folder: &str) -> bool {
        self.storage == Storage::ImageFolder && self.files.contains(&format!("{folder}/{METADATA}"))
    }

    /// Whether a shard has this name, or had it before it was whole.
    fn is_shard(&self, path: &str) -> bool {
        self.shards.iter().any(|(config, split)| {
            is_partial(path, config, *split) || !self.complete && is_whole(path, self.storage, config, *split)
        })
    }
}

/// The image folder that a picture may lie in.
fn image_folder_of(path: &str) -> Option<&str> {
    let (outer, name) = path.rsplit_once('/')?;
    let (folder, subfolder) = outer.rsplit_once('/')?;
    is_picture_path(&format!("{subfolder}/{name}")).then_some(folder)
}

/// Whether a name can be that of a folder of pictures.
fn is_number(name: &str) -> bool {
    name.len() == 6 && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether `path` is that of a whole shard of this configuration and split.
fn is_whole(path: &str, storage: Storage, config: &str, split: Split) -> bool {
    let numbers = || {
        let name = path.strip_prefix(config)?.strip_prefix('/')?.strip_prefix(split.name())?;
        if name.is_empty() {
            return Some((0, 1));
        }
        let (number, count) = name.strip_prefix('-')?.split_once("-of-")?;
        let digits = count.find(|c: char| !c.is_ascii_digit()).map_or(count, |end| &count[..end]);
        Some((number.parse().ok()?, digits.parse().ok()?))
    };
    numbers().is_some_and(|(number, count)| path == storage.shard_path(config, split, number, count))
}

/// Whether `path` is that of a shard of this configuration and split that is not whole yet.
fn is_partial(path: &str, config: &str, split: Split) -> bool {
    number_before(path, ".partial").is_some_and(|number| path == partial_name(config, split, number))
}

/// Whether `path` is that of a piece, whole or not.
fn is_piece(path: &str) -> bool {
    let whole = path
        .strip_prefix(PIECES)
        .and_then(|name| name.strip_prefix('/')?.strip_suffix(".parquet")?.parse().ok());
    let whole = whole.is_some_and(|number| path == piece_path(number));
    whole
        || number_before(path, ".parquet.partial")
            .is_some_and(|number| path == unfinished(&piece_path(number)))
}

fn number_before(path: &str, ending: &str) -> Option<usize> {
    path.rsplit_once('-')?.1.strip_suffix(ending)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_known_by_their_whole_name() {
        let config = "order-5-pictures";
        for storage in Storage::ALL {
            let path = storage.shard_path(config, Split::Validation, 3, 12);
            assert!(is_whole(&path, storage, config, Split::Validation), "{path}");
            assert!(!is_whole(&path, storage, "order", Split::Validation), "{path}");
            assert!(!is_whole(&path, storage, config, Split::Test), "{path}");
        }
        for name in [
            "test-0-of-1",
            "dev-00000-of-00001",
            "test-00000-of-1",
            "test-+0000-of-00001",
            "test-00000-of-00001x",
        ] {
            let path = format!("knots/{name}.parquet");
            assert!(!is_whole(&path, Storage::Parquet, "knots", Split::Test), "{name}");
        }
    }

    #[test]
    fn unfinished_names_are_known_by_their_whole_name() {
        assert!(is_partial(".knots-test-00000.partial", "knots", Split::Test));
        for name in [
            ".knots-test-0.partial",
            ".notes.partial",
            ".knots-train-00000.partial",
            "x/.knots-test-00000.partial",
        ] {
            assert!(!is_partial(name, "knots", Split::Test), "{name}");
        }
        assert!(is_piece("pieces/00012.parquet") && is_piece(".pieces-00012.parquet.partial"));
        assert!(
            !is_piece("pieces/12.parquet") && !is_piece("pieces/notes.parquet") && !is_piece("00012.parquet")
        );
    }

    #[test]
    fn image_folders_hold_pictures_named_by_number() {
        assert_eq!(image_folder_of("a/test/000000/000000001.png"), Some("a/test"));
        assert_eq!(image_folder_of("a/test/000003/000003001.2.png"), Some("a/test"));
        for path in
            ["a/test/000001/000000001.png", "a/test/holiday.png", "000000/000000001.png", "000000001.png"]
        {
            assert_eq!(image_folder_of(path), None, "{path}");
        }
    }
}
