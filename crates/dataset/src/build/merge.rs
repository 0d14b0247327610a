use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, GENERATOR, Registry, ensure};

use super::assemble::{Source, write_anew};
use super::pieces::read_notes;
use super::{OutputOptions, Progress};
use crate::error::Error;
use crate::gates::Tally;
use crate::manifest::{MANIFEST, Manifest};
use crate::plan::{Part, Plan};
use crate::storage::fingerprint;

/// Puts the parts of one build together in the folder `to`. The outcome is what a build without
/// parts would have given, byte for byte. The order of the parts makes no difference.
///
/// # Errors
/// When a part is missing, given twice, unfinished, changed since, or of another build, or `to`
/// can't be written.
pub fn merge(
    parts: &[PathBuf],
    to: &Path,
    registry: &Registry,
    output: &OutputOptions,
    progress: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Result<Manifest, Error> {
    let parts = in_order(parts)?;
    let first = &parts[0].1;
    let plan = Plan::of_manifest(first, registry)?;
    let mut tally = Tally::new();
    let mut sources = Vec::new();
    for (folder, manifest) in &parts {
        sources.push(Source::of_pieces(folder, check_pieces(folder, manifest, &mut tally)?));
    }
    let begun = Manifest { statistics: tally.statistics(), gates: tally.gates(), ..first.clone() };
    write_anew(&plan, begun, sources, to, output, progress)
}

/// The parts by their numbers, all of one build and every one there once.
fn in_order(folders: &[PathBuf]) -> Result<Vec<(PathBuf, Manifest)>, Error> {
    let mut parts: BTreeMap<u32, (PathBuf, Manifest)> = BTreeMap::new();
    let mut first: Option<(Part, PathBuf, Manifest)> = None;
    for folder in folders {
        let manifest = Manifest::read(folder)?;
        let flawed = |flaw: Flaw| Error::folder(folder, flaw.to_string());
        let part = manifest.part.ok_or_else(|| flawed(Flaw::new("it is a whole dataset, no part of one")))?;
        ensure(manifest.complete, || format!("the build of part {part} did not come to its end"))
            .map_err(flawed)?;
        ensure(manifest.generator == GENERATOR, || {
            format!("it was made by {}, this is {GENERATOR}", manifest.generator)
        })
        .map_err(flawed)?;
        if let Some((of_first, path, other)) = &first {
            let alike = Manifest { part: None, ..manifest.clone() };
            let same = alike.ensure_same_plan(&Manifest { part: None, ..other.clone() });
            same.map_err(|flaw| {
                flawed(Flaw::new(format!("not of one build with {}: {flaw}", path.display())))
            })?;
            ensure(of_first.of == part.of, || {
                format!("it is part {part}, but {} is part {of_first}", path.display())
            })
            .map_err(flawed)?;
        } else {
            first = Some((part, folder.clone(), manifest.clone()));
        }
        if let Some((other, _)) = parts.insert(part.number, (folder.clone(), manifest)) {
            return Err(flawed(Flaw::new(format!("it is part {part}, and so is {}", other.display()))));
        }
    }
    let Some((Part { of, .. }, path, _)) = first else {
        return Err(Error::plan("no parts are given"));
    };
    let missing: Vec<String> = (1..=of)
        .filter(|number| !parts.contains_key(number))
        .map(|number| format!("{number}/{of}"))
        .collect();
    ensure(missing.is_empty(), || format!("the parts {} are missing", missing.join(", ")))
        .map_err(|flaw| Error::folder(&path, flaw.to_string()))?;
    Ok(parts.into_values().collect())
}

/// The paths of a part's pieces, each as the part's manifest says.
fn check_pieces(folder: &Path, manifest: &Manifest, tally: &mut Tally) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    for file in &manifest.files {
        let path = folder.join(&file.path);
        let found = fingerprint(&path, Some(file.bytes))?;
        ensure((found.bytes, &found.sha256) == (file.bytes, &file.sha256), || {
            format!("it is not the file that {MANIFEST} lists")
        })
        .map_err(|flaw: Flaw| Error::content(&path, flaw))?;
        tally.merge(&read_notes(&path)?.tally);
        paths.push(path);
    }
    Ok(paths)
}
