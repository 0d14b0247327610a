//! The names under which a row's parts lie beside each other.

use topotrace_core::Digest;

/// The key of row number `index` of a configuration and split: loaders that sort names keep the
/// order of the rows, and there is no dot in it, where loaders would cut.
pub(crate) fn key(index: u64) -> String {
    format!("{index:09}")
}

/// The key of a sample in a tar file: the row's [`key`], then its id, so that no key occurs twice
/// where files of several configurations are read as one.
pub(crate) fn sample_key(index: u64, id: Digest) -> String {
    format!("{}-{id}", key(index))
}

/// The name of picture number `at` of `count` pictures under a key.
pub(crate) fn picture_under(key: &str, at: usize, count: usize) -> String {
    if count == 1 { format!("{key}.png") } else { format!("{key}.{at}.png") }
}

/// The name of picture number `at` of `count` pictures of a row.
pub(crate) fn picture_name(index: u64, at: usize, count: usize) -> String {
    picture_under(&key(index), at, count)
}

/// The folder, within an image folder, of a row's pictures: file systems grow slow with the files
/// of a folder.
pub(crate) fn subfolder(index: u64) -> String {
    format!("{:06}", index / SUBFOLDER_ROWS)
}

/// The path of a picture within an image folder.
pub(crate) fn picture_path(index: u64, at: usize, count: usize) -> String {
    format!("{}/{}", subfolder(index), picture_name(index, at, count))
}

/// Rows whose pictures share a folder.
const SUBFOLDER_ROWS: u64 = 1_000;

/// Whether a path can be that of a picture in an image folder.
pub(crate) fn is_picture_path(path: &str) -> bool {
    let split = || {
        let (folder, name) = path.split_once('/')?;
        let index: u64 = name.split_once('.')?.0.parse().ok()?;
        Some(is_picture_name(name) && folder == subfolder(index))
    };
    split().unwrap_or(false)
}

/// Whether a name can be that of a picture.
fn is_picture_name(name: &str) -> bool {
    let parts = || {
        let (key, rest) = name.split_once('.')?;
        let at = rest.strip_suffix("png")?;
        let at = if at.is_empty() { None } else { Some(at.strip_suffix('.')?.parse().ok()?) };
        Some((key.parse().ok()?, at))
    };
    match parts() {
        Some((index, None)) => name == picture_name(index, 0, 1),
        Some((index, Some(at))) => name == picture_name(index, at, 2),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_named_by_row_and_number() {
        assert_eq!(picture_name(7, 0, 1), "000000007.png");
        assert_eq!(picture_name(7, 2, 3), "000000007.2.png");
        assert!(is_picture_name("000000007.png") && is_picture_name("000000007.12.png"));
        for name in
            ["7.png", "holiday.png", "000000007.jpg", "000000007..png", "000000007.02.png", "+00000007.png"]
        {
            assert!(!is_picture_name(name), "{name}");
        }
        assert!(is_picture_path("000000/000000007.png") && is_picture_path("000012/000012999.1.png"));
        assert!(!is_picture_path("000001/000000007.png") && !is_picture_path("000000007.png"));
    }
}
