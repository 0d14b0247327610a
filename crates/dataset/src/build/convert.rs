use std::path::Path;

use topotrace_core::Registry;

use super::assemble::{Assembly, Interleaved, Source};
use super::{OutputOptions, Progress};
use crate::error::Error;
use crate::manifest::Manifest;
use crate::plan::Plan;
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
    let plan = Plan::of_manifest(found, registry)?;
    let limits = output.storage.limits(output.limits);
    let begun =
        Manifest { complete: false, storage: output.storage, limits, files: Vec::new(), ..found.clone() };
    let site = Site::claim(to, Existing { overwrite: output.overwrite, resume: false, anew: true })?;
    site.prepare(&begun)?;
    let (mut done, total) = (0, found.rows());
    let rows = Interleaved::new(&plan, vec![Source::of_dataset(&dataset)]).inspect(|row| {
        done += 1;
        let current = row.as_ref().map_or("", |row| &row.record.task);
        progress(Progress { done, total, current });
    });
    let assembly = Assembly { folder: site.folder(), tasks: &plan.tasks() };
    let manifest = site.or_clear(assembly.run(begun, rows))?;
    site.publish(&manifest)?;
    Ok(manifest)
}
