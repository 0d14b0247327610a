use std::collections::BTreeMap;
use std::path::Path;

use topotrace_core::Split;
use topotrace_draw::PngEffort;

use crate::card::{self, Gallery};
use crate::error::Error;
use crate::gates::Tally;
use crate::manifest::Manifest;
use crate::parquet::{ParquetSink, RowSink, ShardLimits};
use crate::plan::Plan;
use crate::render::RenderOptions;
use crate::site::Site;
use crate::threads::with_threads;
use crate::units::{Place, Units};

/// How a plan is carried out. Apart from `png` and `limits` nothing here changes a byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildOptions {
    /// The number of threads, or as many as there are processors.
    pub threads: Option<usize>,
    /// How hard to compress the pictures.
    pub png: PngEffort,
    /// When a file is closed and the next one begun.
    pub limits: ShardLimits,
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

/// Makes the dataset of `plan` in `folder` and returns its manifest. `progress` is told after
/// every wave.
///
/// It is built in a folder beside `folder`, named `.{name}.partial`, and takes its place when it
/// is finished: a build that fails or is killed leaves what was in `folder` as it was, and the
/// next build begins anew.
///
/// # Errors
/// When the folder holds anything but a dataset that may be replaced, a place of the plan can't
/// be filled, or a file can't be written.
pub fn build(
    plan: &Plan,
    folder: &Path,
    options: &BuildOptions,
    progress: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Result<Manifest, Error> {
    let render =
        RenderOptions { side: plan.options().side, theme: plan.options().theme.as_deref(), png: options.png };
    let units = Units::new(plan, render)?;
    with_threads(options.threads, || {
        let site = Site::claim(folder, options.overwrite)?;
        let folder = site.folder();
        let manifest = Manifest::begun(plan, options.png);
        manifest.write(folder)?;
        let build = Build { plan, folder, options, tally: Tally::new(), gallery: Gallery::default() };
        let manifest = build.run(units, manifest, progress)?;
        site.publish(&manifest)?;
        Ok(manifest)
    })?
}

struct Build<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    options: &'a BuildOptions,
    tally: Tally,
    gallery: Gallery,
}

impl Build<'_> {
    fn run(
        mut self,
        mut units: Units<'_>,
        mut manifest: Manifest,
        progress: &mut (dyn FnMut(Progress<'_>) + Send),
    ) -> Result<Manifest, Error> {
        let (mut done, total) = (0, self.plan.rows());
        for ((config, split), groups) in files(self.plan) {
            let mut sink: Box<dyn RowSink> =
                Box::new(ParquetSink::new(self.folder, &config, split, self.options.limits));
            let places: Vec<Place> = groups
                .into_iter()
                .flat_map(|group| (0..self.plan.groups()[group].count).map(move |slot| Place { group, slot }))
                .collect();
            for wave in places.chunks(wave_length()) {
                for (place, filled) in wave.iter().zip(units.fill(wave)?) {
                    let group = &self.plan.groups()[place.group];
                    self.tally.add(group.settings.difficulty, &filled.seen);
                    self.gallery.offer(&filled.row);
                    sink.push(filled.row)?;
                }
                done += wave.len() as u64;
                let current = wave.last().map_or("", |place| self.plan.groups()[place.group].task.info().id);
                tracing::debug!(done, total, current, "wave");
                progress(Progress { done, total, current });
            }
            manifest.files.extend(sink.finish()?);
        }
        manifest.statistics = self.tally.statistics();
        manifest.gates = self.tally.gates();
        manifest.complete = true;
        card::write(self.folder, self.plan, &manifest, &self.gallery)?;
        manifest.write(self.folder)?;
        Ok(manifest)
    }
}

/// Rows that are in memory at once, apart from a row group: enough to keep every thread busy.
fn wave_length() -> usize {
    (8 * rayon::current_num_threads()).max(64)
}

/// The groups of each configuration and split, by their numbers.
fn files(plan: &Plan) -> BTreeMap<(String, Split), Vec<usize>> {
    let mut files: BTreeMap<(String, Split), Vec<usize>> = BTreeMap::new();
    for (number, group) in plan.groups().iter().enumerate() {
        files.entry((group.config(), group.split)).or_default().push(number);
    }
    files
}
