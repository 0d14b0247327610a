use std::path::Path;

use topotrace_core::Registry;

use super::assemble::{Source, write_anew};
use super::{OutputOptions, Progress};
use crate::error::Error;
use crate::manifest::Manifest;
use crate::plan::Plan;
use crate::reader::Dataset;

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
    write_anew(&plan, found.clone(), vec![Source::of_dataset(&dataset)], to, output, progress)
}
