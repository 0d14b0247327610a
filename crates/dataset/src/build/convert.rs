use std::path::Path;

use topotrace_core::{Registry, TaskInfo};

use super::assemble::Assembly;
use super::{OutputOptions, Progress};
use crate::error::Error;
use crate::manifest::Manifest;
use crate::reader::Dataset;
use crate::site::{Existing, Site};

/// Writes the dataset in `from` once more, in another format, into the folder `to`. The outcome
/// is what a build in that format would have given, byte for byte.
///
/// # Errors
/// When there is no finished dataset in `from`, a row of it can't be read, or `to` can't be
/// written.
pub fn convert(
    from: &Path,
    to: &Path,
    registry: &Registry,
    output: &OutputOptions,
    progress: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Result<Manifest, Error> {
    let dataset = Dataset::open(from)?;
    let found = dataset.manifest();
    let mut tasks: Vec<&'static TaskInfo> = Vec::new();
    for group in &found.groups {
        let info = registry.get(&group.task)?.info();
        if !tasks.iter().any(|known| known.id == info.id) {
            tasks.push(info);
        }
    }
    tasks.sort_by_key(|info| info.id);
    let begun = Manifest { complete: false, storage: output.storage, files: Vec::new(), ..found.clone() };
    let site = Site::claim(to, Existing { overwrite: output.overwrite, resume: false })?;
    site.prepare(&begun)?;
    let (mut done, total) = (0, found.rows());
    let rows = dataset.rows().inspect(|row| {
        done += 1;
        let current = row.as_ref().map_or("", |row| &row.record.task);
        progress(Progress { done, total, current });
    });
    let manifest = site.or_clear(
        Assembly { folder: site.folder(), tasks: &tasks, limits: output.limits }.run(begun, rows),
    )?;
    site.publish(&manifest)?;
    Ok(manifest)
}
