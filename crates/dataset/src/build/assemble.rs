//! From rows to a dataset's files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use topotrace_core::{Flaw, Split, TaskInfo, ensure};

use crate::card::{self, Gallery};
use crate::error::Error;
use crate::manifest::Manifest;
use crate::plan::{Place, Plan};
use crate::row::Row;
use crate::storage::{RowSink, ShardLimits, Storage};

/// Writes rows that come in the plan's order as the files of a dataset.
pub(super) struct Assembly<'a> {
    pub(super) folder: &'a Path,
    /// The facts of the tasks, by id.
    pub(super) tasks: &'a [&'static TaskInfo],
    pub(super) limits: Option<ShardLimits>,
}

impl Assembly<'_> {
    /// Writes shards, card and manifest. What was measured stands in `manifest` already.
    pub(super) fn run(
        &self,
        mut manifest: Manifest,
        rows: impl Iterator<Item = Result<Row, Error>>,
    ) -> Result<Manifest, Error> {
        let storage = manifest.storage;
        let limits = self.limits.unwrap_or(storage.default_limits());
        let configs: BTreeMap<String, String> =
            manifest.groups.iter().map(|group| (group.task.clone(), group.config.clone())).collect();
        let mut gallery = Gallery::default();
        let mut open: Option<((String, Split), Box<dyn RowSink>)> = None;
        for row in rows {
            let row = row?;
            let config = configs.get(&row.record.task).cloned().unwrap_or_default();
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

/// The rows of all parts of a plan, in the plan's order.
pub(super) struct Interleaved<'a> {
    plan: &'a Plan,
    places: Box<dyn Iterator<Item = (Place, usize)> + 'a>,
    /// The rows of each part, in its own order.
    parts: Vec<Box<dyn Iterator<Item = Result<Row, Error>>>>,
}

impl<'a> Interleaved<'a> {
    /// `parts` are the paths of every part's pieces, in order.
    pub(super) fn new(plan: &'a Plan, parts: Vec<Vec<PathBuf>>) -> Self {
        let owner = plan.owner(parts.len() as u32);
        let places = plan.sections().into_iter().flat_map(|section| section.places);
        let places = places.map(move |place| (place, owner(place) as usize - 1));
        let rows = |paths: Vec<PathBuf>| -> Box<dyn Iterator<Item = Result<Row, Error>>> {
            Box::new(paths.into_iter().flat_map(|path| rows_of(&path)))
        };
        Interleaved { plan, places: Box::new(places), parts: parts.into_iter().map(rows).collect() }
    }
}

impl Iterator for Interleaved<'_> {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let (place, part) = self.places.next()?;
        let row = self.parts[part].next().unwrap_or_else(|| {
            Err(Error::plan(format!("part {} has fewer rows than the plan needs", part + 1)))
        });
        Some(row.and_then(|row| check_place(self.plan, place, row)))
    }
}

/// The rows of a piece, or the one error that keeps it from being opened.
fn rows_of(path: &Path) -> Box<dyn Iterator<Item = Result<Row, Error>>> {
    match Storage::Parquet.rows(path) {
        Ok(rows) => Box::new(rows),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// Demands that a row fills its place.
fn check_place(plan: &Plan, place: Place, row: Row) -> Result<Row, Error> {
    let (group, record) = (&plan.groups()[place.group], &row.record);
    let fits = record.task == group.task.info().id
        && record.split == group.split
        && record.difficulty == group.settings.difficulty
        && plan.unit(place).owns(record.state_hash);
    ensure(fits, || {
        format!(
            "record {} ({}, {}, {}) is not the one for {group:?}",
            record.id, record.task, record.level, record.split
        )
    })
    .map_err(|flaw: Flaw| Error::plan(flaw.to_string()))?;
    Ok(row)
}
