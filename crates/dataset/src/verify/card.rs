//! The checks of the card and its pictures.

use std::collections::BTreeMap;
use std::path::Path;

use topotrace_core::{GENERATOR, Registry, TaskInfo};

use super::record::compare;
use crate::card::{self, Gallery};
use crate::error::chain;
use crate::folder::{self, CARD, sheet_path};
use crate::manifest::Manifest;

/// What is wrong with the card's files, by their paths.
pub(super) fn check(
    folder: &Path,
    manifest: &Manifest,
    registry: &Registry,
    gallery: &Gallery,
) -> Vec<(String, String)> {
    let mut problems = Vec::new();
    let known = manifest.groups.iter().filter_map(|group| registry.get(&group.task).ok());
    let tasks: BTreeMap<&str, &TaskInfo> = known.map(|task| (task.info().id, task.info())).collect();
    for info in tasks.values() {
        let path = sheet_path(&info.slug());
        problems.extend(check_sheet(&folder.join(&path), info, gallery).err().map(|reason| (path, reason)));
    }
    let tasks: Vec<&TaskInfo> = tasks.into_values().collect();
    // Another version may word its card differently; then it only has to be there.
    let text = (manifest.generator == GENERATOR).then(|| card::text(manifest, &tasks));
    let checked = check_text(&folder.join(CARD), text.as_deref());
    problems.extend(checked.err().map(|reason| (CARD.to_owned(), reason)));
    problems
}

fn check_text(path: &Path, wanted: Option<&str>) -> Result<(), String> {
    let found = read(path)?;
    let Some(wanted) = wanted else { return Ok(()) };
    if found == wanted.as_bytes() {
        return Ok(());
    }
    let same = found.split(|byte| *byte == b'\n').zip(wanted.split('\n'));
    let line = 1 + same.take_while(|(found, wanted)| *found == wanted.as_bytes()).count();
    Err(format!("it is not what the manifest makes it, from line {line} on"))
}

fn check_sheet(path: &Path, info: &TaskInfo, gallery: &Gallery) -> Result<(), String> {
    let bytes = read(path)?;
    // Where the rows' own pictures are broken, that is said of the rows.
    match gallery.sheet(info.id) {
        Ok(wanted) => compare(&bytes, &wanted).map_err(|reason| format!("it {reason}")),
        Err(_) => Ok(()),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    if path.symlink_metadata().is_err() {
        return Err("it is missing".to_owned());
    }
    folder::read(path).map_err(|e| chain(&e))
}
