//! From a plan to a dataset: pieces are made, then assembled.

mod assemble;
mod convert;
mod merge;
mod pieces;
mod render;
mod rows;
mod units;

use std::path::Path;

use topotrace_core::Flaw;
use topotrace_draw::PngEffort;

use self::assemble::{Assembly, Interleaved, Source};
use self::pieces::{Notes, Piece};
use self::units::{Units, Wave};
use crate::error::{Error, chain};
use crate::gates::Tally;
use crate::manifest::{FileFacts, Manifest};
use crate::plan::{Part, Plan};
use crate::site::{Existing, Site};
use crate::storage::{ShardLimits, Storage};
use crate::threads::with_threads;

pub use convert::convert;
pub use merge::merge;
pub use render::{Look, RenderOptions, first_good_look};
pub(crate) use render::{in_pixels, measure, render};
pub use rows::for_each_rows;

/// How a plan is carried out. `png`, `storage` and `limits` change the files; nothing here
/// changes an instance.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildOptions {
    /// The number of threads, or as many as there are processors.
    pub threads: Option<usize>,
    /// How hard to compress the pictures.
    pub png: PngEffort,
    /// The format of the files. A part has none of its own: it is given when parts are merged.
    pub storage: Storage,
    /// When a shard is closed and the next one begun; the format's own limits where none are set.
    /// Neither parts nor image folders are split.
    pub limits: Option<ShardLimits>,
    /// Make only this share of the instances: a part, to be merged with the others.
    pub part: Option<Part>,
    /// Whether a dataset that lies in the folder already is replaced when the new one is finished,
    /// and what an interrupted build left is thrown away.
    pub overwrite: bool,
    /// Whether to go on with what an interrupted build of the same plan left.
    pub resume: bool,
}

/// How rows that are there already are written as a dataset.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputOptions {
    /// The format of the files.
    pub storage: Storage,
    /// When a shard is closed and the next one begun; the format's own limits where none are set.
    pub limits: Option<ShardLimits>,
    /// Whether a dataset that lies in the folder already is replaced when the new one is finished.
    pub overwrite: bool,
}

/// How far a build or a verification has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Instances that are done.
    pub done: u64,
    /// Instances in all.
    pub total: u64,
    /// What the last of them belongs to: a task's id or a file.
    pub current: &'a str,
}

/// Makes the dataset of `plan` in `folder`, or a part of it, and returns its manifest. `progress`
/// is told after every piece.
///
/// It is built in a folder beside `folder`, named `.{name}.partial` and locked against other
/// builds, and takes its place when it is finished: a build that fails or is killed leaves what
/// was in `folder` as it was. What it had made stays for a build that resumes; the outcome is the
/// same, byte for byte. While it runs, instances lie on the disk twice.
///
/// # Errors
/// When the folder holds anything but a dataset that may be replaced, another build has it, a
/// place of the plan can't be filled, or a file can't be written.
pub fn build(
    plan: &Plan,
    folder: &Path,
    options: &BuildOptions,
    progress: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Result<Manifest, Error> {
    let part = options.part.unwrap_or(Part::WHOLE);
    plan.check_part(part).map_err(|flaw| Error::plan(flaw.to_string()))?;
    // The files of a part are pieces, whatever becomes of them.
    let storage = if options.part.is_some() { Storage::default() } else { options.storage };
    let begun = Manifest {
        limits: storage.limits(options.limits),
        ..Manifest::begun(plan, options.png, storage, options.part)
    };
    let render =
        RenderOptions { side: plan.options().side, theme: plan.options().theme.as_deref(), png: options.png };
    let units = Units::new(plan, render)?;
    with_threads(options.threads, || {
        let existing = Existing { overwrite: options.overwrite, resume: options.resume, anew: false };
        let site = Site::claim(folder, existing)?;
        if let Some(manifest) = site.finished().filter(|found| options.resume && is_same(found, &begun)) {
            match site.ensure_finished_whole(&manifest) {
                Ok(()) => return Ok(manifest),
                // What is broken is made again, where it may be replaced.
                Err(_) if options.overwrite => {}
                Err(error) => return Err(error),
            }
        }
        let manifest = match site.prepare(&begun)? {
            Some(manifest) => manifest,
            None => {
                let build = Build { plan, part, folder: site.folder(), tally: Tally::new() };
                build.run(units, begun, options, progress)?
            }
        };
        if options.part.is_none() {
            pieces::remove(site.folder())?;
        }
        site.publish(&manifest)?;
        Ok(manifest)
    })?
}

fn is_same(found: &Manifest, begun: &Manifest) -> bool {
    found.ensure_same_plan(begun).is_ok()
}

struct Build<'a> {
    plan: &'a Plan,
    part: Part,
    folder: &'a Path,
    tally: Tally,
}

impl Build<'_> {
    fn run(
        mut self,
        mut units: Units<'_>,
        mut manifest: Manifest,
        options: &BuildOptions,
        progress: &mut (dyn FnMut(Progress<'_>) + Send),
    ) -> Result<Manifest, Error> {
        let pieces = Piece::of_part(self.plan, self.part);
        let (mut done, total) = (0, pieces.iter().map(|piece| piece.places.len() as u64).sum());
        let mut files = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            let facts = match piece.is_there(self.folder) {
                true => self.take_up(piece, &mut units)?,
                false => self.make(piece, &mut units)?,
            };
            done += facts.rows;
            files.push(facts);
            let current = piece.places.last().map_or("", |place| self.plan.unit(*place).task);
            tracing::debug!(done, total, current, "piece");
            progress(Progress { done, total, current });
        }
        manifest.statistics = self.tally.statistics();
        manifest.gates = self.tally.gates();
        if options.part.is_some() {
            manifest.files = files;
            manifest.complete = true;
            manifest.write(self.folder)?;
            return Ok(manifest);
        }
        let paths = files.into_iter().map(|file| self.folder.join(file.path)).collect();
        let rows = Interleaved::new(self.plan, vec![Source::of_pieces(self.folder, paths)]);
        Assembly { folder: self.folder, tasks: &self.plan.tasks() }.run(manifest, rows)
    }

    fn make(&mut self, piece: &Piece, units: &mut Units<'_>) -> Result<FileFacts, Error> {
        let Wave { filled, refused } = units.fill(&piece.places)?;
        let mut tally = Tally::new();
        for (place, filled) in piece.places.iter().zip(&filled) {
            tally.add(self.plan.groups()[place.group].settings.difficulty, &filled.seen);
        }
        self.tally.merge(&tally);
        let refused = refused.into_iter().map(|(task, state)| (task.to_owned(), state)).collect();
        piece.write(self.folder, filled, &Notes { tally, refused })
    }

    /// Takes up a piece that an interrupted build left.
    fn take_up(&mut self, piece: &Piece, units: &mut Units<'_>) -> Result<FileFacts, Error> {
        let (states, notes, facts) = match piece.read(self.folder) {
            Ok(read) => read,
            Err(error) => {
                tracing::warn!(piece = piece.number, reason = chain(&error), "made again");
                return self.make(piece, units);
            }
        };
        let flawed = |flaw: Flaw| Error::content(&self.folder.join(&facts.path), flaw);
        for (place, state) in piece.places.iter().zip(states) {
            units.keep(*place, state).map_err(flawed)?;
        }
        for (task, state) in &notes.refused {
            units.refuse(task, *state).map_err(flawed)?;
        }
        self.tally.merge(&notes.tally);
        Ok(facts)
    }
}
