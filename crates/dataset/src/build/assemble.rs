//! From rows to a dataset's files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, Split, TaskInfo, ensure};

use super::{OutputOptions, Progress};
use crate::card::{self, Gallery};
use crate::error::Error;
use crate::manifest::Manifest;
use crate::plan::{Place, Plan};
use crate::reader::Dataset;
use crate::row::Row;
use crate::site::{Existing, Site};
use crate::storage::{RowSink, Storage};

/// Writes rows that come in the plan's order as the files of a dataset.
pub(super) struct Assembly<'a> {
    pub(super) folder: &'a Path,
    /// The facts of the tasks, by id.
    pub(super) tasks: &'a [&'static TaskInfo],
}

impl Assembly<'_> {
    /// Writes shards, card and manifest. What was measured stands in `manifest` already.
    pub(super) fn run(
        &self,
        mut manifest: Manifest,
        rows: impl Iterator<Item = Result<Row, Error>>,
    ) -> Result<Manifest, Error> {
        let storage = manifest.storage;
        let limits = manifest.limits.unwrap_or(storage.default_limits());
        let configs: BTreeMap<String, String> =
            manifest.groups.iter().map(|group| (group.task.clone(), group.config.clone())).collect();
        let mut gallery = Gallery::default();
        let mut open: Option<((String, Split), Box<dyn RowSink>)> = None;
        for row in rows {
            let row = row?;
            let config = configs.get(&row.record.task).cloned().ok_or_else(|| {
                Error::record(row.record.id, format!("the manifest has no group of {}", row.record.task))
            })?;
            let key = (config, row.record.split);
            let mut sink = match open.take() {
                Some((at, sink)) if at == key => sink,
                last => {
                    if let Some((_, sink)) = last {
                        manifest.files.extend(sink.finish()?);
                    }
                    storage.sink(self.folder, &key.0, key.1, limits)
                }
            };
            gallery.offer(&row);
            sink.push(row)?;
            open = Some((key, sink));
        }
        if let Some((_, sink)) = open {
            manifest.files.extend(sink.finish()?);
        }
        manifest.complete = true;
        card::write(self.folder, self.tasks, &manifest, &gallery)?;
        manifest.write(self.folder)?;
        Ok(manifest)
    }
}

/// Writes rows that are there already as the dataset of `plan` in the folder `to`. What was measured
/// stands in `begun` already; its format, limits and files are those of the output.
pub(super) fn write_anew(
    plan: &Plan,
    begun: Manifest,
    sources: Vec<Source<'_>>,
    to: &Path,
    output: &OutputOptions,
    progress: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Result<Manifest, Error> {
    let begun = Manifest {
        complete: false,
        storage: output.storage,
        limits: output.storage.limits(output.limits),
        part: None,
        files: Vec::new(),
        ..begun
    };
    let site = Site::claim(to, Existing { overwrite: output.overwrite, resume: false, anew: true })?;
    site.prepare(&begun)?;
    let (mut done, total) = (0, plan.rows());
    let rows = Interleaved::new(plan, sources).inspect(|row| {
        done += 1;
        let current = row.as_ref().map_or("", |row| &row.record.task);
        progress(Progress { done, total, current });
    });
    let assembly = Assembly { folder: site.folder(), tasks: &plan.tasks() };
    let manifest = site.or_clear(assembly.run(begun, rows))?;
    site.publish(&manifest)?;
    Ok(manifest)
}

/// Rows that are there already, and where they come from.
pub(super) struct Source<'a> {
    path: PathBuf,
    rows: Box<dyn Iterator<Item = Result<Row, Error>> + 'a>,
}

impl<'a> Source<'a> {
    /// The rows of a part's pieces.
    pub(super) fn of_pieces(folder: &Path, paths: Vec<PathBuf>) -> Self {
        let rows = paths.into_iter().flat_map(|path| rows_of(&path));
        Source { path: folder.to_owned(), rows: Box::new(rows) }
    }

    /// The rows of a dataset.
    pub(super) fn of_dataset(dataset: &'a Dataset) -> Self {
        Source { path: dataset.folder().to_owned(), rows: Box::new(dataset.rows()) }
    }
}

/// The rows of a piece, or the one error that keeps it from being opened.
fn rows_of(path: &Path) -> Box<dyn Iterator<Item = Result<Row, Error>>> {
    match Storage::Parquet.rows(path) {
        Ok(rows) => Box::new(rows),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// The rows of all sources in the plan's order, each where it belongs: no place is left empty, no
/// row is left over.
pub(super) struct Interleaved<'a> {
    plan: &'a Plan,
    places: Box<dyn Iterator<Item = (Place, usize)> + 'a>,
    /// The rows of each part, in its own order.
    parts: Vec<Source<'a>>,
}

impl<'a> Interleaved<'a> {
    /// `parts` are all parts of the plan, in order.
    pub(super) fn new(plan: &'a Plan, parts: Vec<Source<'a>>) -> Self {
        let owner = plan.owner(parts.len() as u32);
        let places = plan.sections().into_iter().flat_map(|section| section.places);
        let places = places.map(move |place| (place, owner(place) as usize - 1));
        Interleaved { plan, places: Box::new(places), parts }
    }

    /// What is there after all places are filled.
    fn left_over(&mut self) -> Option<Result<Row, Error>> {
        self.parts.iter_mut().find_map(|Source { path, rows }| {
            rows.next().map(|_| Err(Error::content(path, Flaw::new("it has more rows than its plan"))))
        })
    }
}

impl Iterator for Interleaved<'_> {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some((place, part)) = self.places.next() else { return self.left_over() };
        let Source { path, rows } = &mut self.parts[part];
        let row = rows
            .next()
            .unwrap_or_else(|| Err(Error::content(path, Flaw::new("it has fewer rows than its plan"))));
        Some(row.and_then(|row| check_place(self.plan, place, row)))
    }
}

/// Demands that a row fills its place.
fn check_place(plan: &Plan, place: Place, row: Row) -> Result<Row, Error> {
    let (group, record) = (&plan.groups()[place.group], &row.record);
    let (found, wanted) = (row.pictures.len(), group.task.info().pictures);
    ensure(found == wanted, || format!("it has {found} pictures, {wanted} are needed"))
        .map_err(|flaw: Flaw| Error::record(record.id, flaw))?;
    let fits = record.task == group.task.info().id
        && record.split == group.split
        && record.difficulty == group.settings.difficulty
        && plan.unit(place).owns(record.state_hash);
    ensure(fits, || {
        let (id, level, split) = (group.task.info().id, group.level(), group.split);
        format!(
            "{} ({}, {}) stands where one of {id} ({level}, {split}) belongs",
            record.task, record.level, record.split
        )
    })
    .map_err(|flaw: Flaw| Error::record(record.id, flaw))?;
    Ok(row)
}
