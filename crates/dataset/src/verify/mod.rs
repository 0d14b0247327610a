mod card;
mod manifest;
mod record;
mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;
use topotrace_core::{Digest, Registry, Split};
use topotrace_draw::Rasterizer;

use crate::build::Progress;
use crate::card::Gallery;
use crate::error::{Error, chain, guarded};
use crate::folder::{Contents, shown};
use crate::gates::{Observation, Tally};
use crate::manifest::{FileFacts, Manifest};
use crate::names::OwnNames;
use crate::row::Row;
use crate::storage::{Fingerprint, Page, fingerprint};
use crate::threads::with_threads;

pub use report::{Place, Problem, Report};

/// How a dataset is verified.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// The number of threads, or as many as there are processors.
    pub threads: Option<usize>,
    /// Whether every picture is drawn again and compared: most of the work.
    pub pictures: bool,
    /// The most problems that are listed; the rest is counted.
    pub most_problems: usize,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions { threads: None, pictures: true, most_problems: 1_000 }
    }
}

/// Makes every record of the dataset in `folder` again, from its seeds and from its state, and
/// compares; checks certificates, pictures, files, quotas, splits and gates.
///
/// # Errors
/// When there is no manifest that can be read, or it is one of a part. Everything else is a [`Problem`] of the report.
pub fn verify(
    folder: &Path,
    registry: &Registry,
    options: &VerifyOptions,
    progress: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Result<Report, Error> {
    let manifest = Manifest::read(folder)?;
    manifest.refuse_part(folder)?;
    with_threads(options.threads, || {
        let mut reasons = Vec::new();
        let checked = guarded(|| manifest::check(&manifest, registry, &mut reasons));
        reasons.extend(checked.err().map(|panic| format!("checking it fails badly: {panic}")));
        let mut verification = Verification {
            params: guarded(|| manifest::params(&manifest, registry)).unwrap_or_default(),
            gallery: Gallery::default(),
            folder,
            registry,
            options,
            manifest: &manifest,
            report: Report::new(options.most_problems),
            ids: BTreeSet::new(),
            states: BTreeMap::new(),
            counts: BTreeMap::new(),
            observed: 0,
            tally: Tally::new(),
        };
        if !reasons.is_empty() {
            verification.report.add(Place::Manifest, reasons);
        }
        verification.run(progress)?;
        Ok(verification.report)
    })?
}

/// A group by its task, difficulty (its bits) and split.
type GroupKey = (String, u64, Split);

struct Verification<'a> {
    folder: &'a Path,
    registry: &'a Registry,
    options: &'a VerifyOptions,
    manifest: &'a Manifest,
    report: Report,
    /// The parameters of every group.
    params: BTreeMap<GroupKey, String>,
    gallery: Gallery,
    ids: BTreeSet<Digest>,
    /// The split in which each state was met.
    states: BTreeMap<Digest, Split>,
    /// Rows by group.
    counts: BTreeMap<GroupKey, u64>,
    /// Rows that could be read well enough to be counted in the measures.
    observed: u64,
    tally: Tally,
}

impl Verification<'_> {
    fn run(&mut self, progress: &mut (dyn FnMut(Progress<'_>) + Send)) -> Result<(), Error> {
        let (contents, names) = (Contents::of(self.folder)?, OwnNames::of(self.manifest));
        for path in contents.beyond(|path| names.is_file(path), |path| names.is_folder(path)) {
            self.report.add(Place::File(shown(path)), vec!["it is not in the manifest".to_owned()]);
        }
        let mut first_index: BTreeMap<(&str, Split), u64> = BTreeMap::new();
        for facts in &self.manifest.files {
            let index = first_index.entry((&facts.config, facts.split)).or_default();
            if self.folder.join(&facts.path).symlink_metadata().is_ok() {
                self.check_file(facts, *index, progress);
            } else {
                self.report.add(Place::File(facts.path.clone()), vec!["it is missing".to_owned()]);
            }
            *index += facts.rows;
            self.report.files += 1;
        }
        self.check_groups();
        self.check_measures();
        for (path, reason) in card::check(self.folder, self.manifest, self.registry, &self.gallery) {
            self.report.add(Place::File(path), vec![reason]);
        }
        Ok(())
    }

    fn check_file(
        &mut self,
        facts: &FileFacts,
        first_index: u64,
        progress: &mut (dyn FnMut(Progress<'_>) + Send),
    ) {
        let path = self.folder.join(&facts.path);
        let mut reasons = Vec::new();
        match fingerprint(&path, Some(facts.bytes)) {
            Err(error) => reasons.push(chain(&error)),
            Ok(Fingerprint { bytes, .. }) if bytes != facts.bytes => {
                reasons.push(format!("it has {bytes} bytes, the manifest says {}", facts.bytes));
            }
            Ok(Fingerprint { sha256, .. }) if sha256 != facts.sha256 => {
                reasons.push(format!("its SHA-256 is {sha256}, the manifest says {}", facts.sha256));
            }
            Ok(_) => {}
        }
        // Records are named even where the file as a whole is known to be bad. The readers of
        // compressed pages are not ours: a hostile file must not take the process with it.
        let mut rows = 0;
        let read = guarded(|| -> Result<(), Error> {
            for page in self.manifest.storage.pages(&path)? {
                let page = page?;
                self.check_page(facts, &page, first_index + rows);
                rows += page.rows.len() as u64;
                let (done, total) = (self.report.rows, self.manifest.rows());
                progress(Progress { done, total, current: &facts.path });
            }
            self.manifest.storage.check_extent(&path, rows, self.pictures(&facts.config))
        });
        match read {
            Ok(Ok(())) if rows != facts.rows => {
                reasons.push(format!("it has {rows} rows, the manifest says {}", facts.rows));
            }
            Ok(Ok(())) => {}
            Ok(Err(error)) => reasons.push(chain(&error)),
            Err(panic) => reasons.push(format!("reading it fails badly: {panic}")),
        }
        if !reasons.is_empty() {
            self.report.add(Place::File(facts.path.clone()), reasons);
        }
    }

    /// The number of pictures of a configuration's rows.
    fn pictures(&self, config: &str) -> usize {
        let group = self.manifest.groups.iter().find(|group| group.config == config);
        let task = group.and_then(|group| self.registry.get(&group.task).ok());
        task.map_or(1, |task| task.info().pictures)
    }

    fn check_page(&mut self, facts: &FileFacts, page: &Page, first_index: u64) {
        let context = record::Context {
            registry: self.registry,
            manifest: self.manifest,
            facts,
            params: &self.params,
            pictures: self.options.pictures,
        };
        let checked: Vec<(Vec<String>, Option<Observation>)> = page
            .rows
            .par_iter()
            .enumerate()
            .map_init(Rasterizer::new, |rasterizer, (at, row)| match row {
                Err(bad) => (vec![bad.flaw.to_string()], None),
                Ok(row) => guarded(|| {
                    let differences = page.differences(at, row, first_index + at as u64);
                    check_row(row, differences, &context, rasterizer)
                })
                .unwrap_or_else(|panic| (vec![format!("checking it fails badly: {panic}")], None)),
            })
            .collect();
        for (row, (mut reasons, seen)) in page.rows.iter().zip(checked) {
            self.report.rows += 1;
            let id = match row {
                Err(bad) => bad.id.clone(),
                Ok(row) => {
                    self.gallery.offer(row);
                    let record = &row.record;
                    self.check_repeats(record, &mut reasons);
                    let key = (record.task.clone(), record.difficulty.value().to_bits(), record.split);
                    *self.counts.entry(key).or_default() += 1;
                    if let Some(seen) = seen {
                        self.tally.add(record.difficulty, &seen);
                        self.observed += 1;
                    }
                    record.id.to_string()
                }
            };
            if !reasons.is_empty() {
                self.report.add(Place::Record { id, file: facts.path.clone() }, reasons);
            }
        }
    }

    fn check_repeats(&mut self, record: &topotrace_core::Record, reasons: &mut Vec<String>) {
        if !self.ids.insert(record.id) {
            reasons.push("the id occurs twice".to_owned());
        }
        let split = *self.states.entry(record.state_hash).or_insert(record.split);
        if split != record.split {
            reasons.push(format!("the state {} is also in {split}", record.state_hash));
        }
    }

    fn check_groups(&mut self) {
        let mut counts = std::mem::take(&mut self.counts);
        let mut reasons = Vec::new();
        for group in &self.manifest.groups {
            let key = (group.task.clone(), group.difficulty.to_bits(), group.split);
            let found = counts.remove(&key).unwrap_or(0);
            if found != u64::from(group.count) {
                reasons.push(format!(
                    "{} ({}, {}) has {found} rows, the manifest says {}",
                    group.task, group.level, group.split, group.count
                ));
            }
        }
        for ((task, difficulty, split), count) in counts {
            let difficulty = f64::from_bits(difficulty);
            reasons.push(format!(
                "{count} rows of {task} at difficulty {difficulty} in {split} are not in the manifest"
            ));
        }
        if !reasons.is_empty() {
            self.report.add(Place::Manifest, reasons);
        }
    }

    fn check_measures(&mut self) {
        if self.observed != self.manifest.rows() {
            // Rows are missing, and that is already said: the measures can't agree.
            return;
        }
        let mut reasons = Vec::new();
        if self.tally.gates() != self.manifest.gates {
            reasons.push("the gates are not those of the rows".to_owned());
        }
        let mut statistics = self.tally.statistics();
        for (ours, theirs) in statistics.iter_mut().zip(&self.manifest.statistics) {
            // What was rejected can't be seen in what was kept.
            ours.rejections.clone_from(&theirs.rejections);
        }
        if statistics != self.manifest.statistics {
            reasons.push("the statistics are not those of the rows".to_owned());
        }
        if !reasons.is_empty() {
            self.report.add(Place::Manifest, reasons);
        }
    }
}

fn check_row(
    row: &Row,
    differences: Result<Vec<String>, String>,
    context: &record::Context<'_>,
    rasterizer: &mut Rasterizer,
) -> (Vec<String>, Option<Observation>) {
    let mut reasons = Vec::new();
    match differences {
        Err(reason) => reasons.push(reason),
        Ok(names) => {
            let reason = |name| format!("column {name} is not what the record makes it");
            reasons.extend(names.into_iter().map(reason));
        }
    }
    let seen = record::check(row, context, rasterizer, &mut reasons);
    (reasons, seen)
}
