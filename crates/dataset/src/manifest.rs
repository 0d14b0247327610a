use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use topotrace_core::{Flaw, GENERATOR, Split, ensure};
use topotrace_draw::PngEffort;

use crate::error::Error;
use crate::folder;
use crate::gates::{Gate, Statistics};
use crate::plan::{Part, Plan};
use crate::storage::{ShardLimits, Storage};

/// The name of the manifest's file.
pub const MANIFEST: &str = "manifest.json";

/// The most parts that a manifest may speak of: more than any plan has units.
const MOST_PARTS: u32 = 100_000;

/// The most rows that a manifest may speak of.
const MOST_ROWS: u64 = 1 << 40;

/// The version of the manifest's and the files' format.
const FORMAT: u32 = 2;

/// What a dataset holds: what it was made from, its files, and what was measured.
///
/// It knows nothing of when or where it was made: the same plan gives the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the format.
    pub format: u32,
    /// Whether the build came to its end.
    pub complete: bool,
    /// Name and version of the generator.
    pub generator: String,
    /// The format of the files.
    pub storage: Storage,
    /// When a shard is closed and the next one begun; none where the format's own limits count.
    pub limits: Option<ShardLimits>,
    /// Which share of a build this is; none where it is a dataset. The files of a part are pieces
    /// to be merged.
    pub part: Option<Part>,
    /// The preset, where the plan is one.
    pub preset: Option<String>,
    /// The build seed, as decimal text.
    pub seed: String,
    /// Pixels on the longer side of every picture.
    pub side: u32,
    /// The theme of every picture, or none where each has its own.
    pub theme: Option<String>,
    /// How hard the pictures were compressed: `fast` or `small`.
    pub png: String,
    /// The plan's groups, in the order of the files.
    pub groups: Vec<GroupFacts>,
    /// The files, in order.
    pub files: Vec<FileFacts>,
    /// Measures by task and difficulty.
    pub statistics: Vec<Statistics>,
    /// The gates by task and difficulty.
    pub gates: Vec<Gate>,
}

/// Instances that are alike but for their seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFacts {
    /// The configuration that the rows belong to.
    pub config: String,
    /// The task's id.
    pub task: String,
    /// The task's version.
    pub task_version: u32,
    /// The tier's name, or the difficulty as a number.
    pub level: String,
    /// The difficulty.
    pub difficulty: f64,
    /// Parameters set by themselves, their values as JSON text.
    pub overrides: BTreeMap<String, String>,
    /// The split.
    pub split: Split,
    /// The number of instances.
    pub count: u32,
}

/// One data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileFacts {
    /// Path within the dataset, with forward slashes.
    pub path: String,
    /// The configuration that it belongs to.
    pub config: String,
    /// The split that it belongs to.
    pub split: Split,
    /// The number of rows.
    pub rows: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
}

impl fmt::Display for GroupFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GroupFacts { config, task, task_version, level, difficulty, overrides, split, count } = self;
        write!(f, "{config}: {task} version {task_version} {level} ({difficulty})")?;
        overrides.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))?;
        write!(f, ", {count} of {split}")
    }
}

impl Manifest {
    /// The manifest of a build that has only begun.
    pub(crate) fn begun(plan: &Plan, png: PngEffort, storage: Storage, part: Option<Part>) -> Self {
        let options = plan.options();
        let groups = plan.groups().iter().map(|group| GroupFacts {
            config: group.config(),
            task: group.task.info().id.to_owned(),
            task_version: group.task.info().version,
            level: group.level(),
            difficulty: group.settings.difficulty.value(),
            overrides: group.settings.overrides.clone(),
            split: group.split,
            count: group.count,
        });
        Manifest {
            format: FORMAT,
            complete: false,
            generator: GENERATOR.to_owned(),
            storage,
            limits: None,
            part,
            preset: plan.preset().map(|preset| preset.to_string()),
            seed: options.seed.to_string(),
            side: options.side,
            theme: options.theme.clone(),
            png: png_name(png).to_owned(),
            groups: groups.collect(),
            files: Vec::new(),
            statistics: Vec::new(),
            gates: Vec::new(),
        }
    }

    /// Reads the manifest of the dataset in `folder`, finished or not.
    ///
    /// # Errors
    /// When there is none, or it is of another format or lists files that no build would write.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(MANIFEST);
        let text = folder::read(&path)?;
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|e| Error::content(&path, e))?;
        manifest.check().map_err(|e| Error::content(&path, e))?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure(self.format == FORMAT, || format!("format {} is not {FORMAT}", self.format))?;
        let rows = self.files.iter().try_fold(0, |sum: u64, file| sum.checked_add(file.rows));
        ensure(rows.is_some_and(|rows| rows <= MOST_ROWS), || {
            format!("the files have more than {MOST_ROWS} rows")
        })?;
        if let Some(Part { number, of }) = self.part {
            ensure((1..=of).contains(&number) && of <= MOST_PARTS, || {
                format!("part {number}/{of} is not one of at most {MOST_PARTS}")
            })?;
        }
        for group in &self.groups {
            ensure(is_plain(&group.config), || format!("config {:?} is no name of a folder", group.config))?;
        }
        // Paths are joined to the folder: none may lead out of it or to what is not a data file.
        if self.part.is_some() {
            let wrong = self.files.iter().enumerate().find(|(at, file)| file.path != folder::piece_path(*at));
            return wrong.map_or(Ok(()), |(at, file)| {
                Err(Flaw::new(format!(
                    "piece {at} is called {:?} instead of {:?}",
                    file.path,
                    folder::piece_path(at)
                )))
            });
        }
        let mut counts: BTreeMap<(&str, Split), usize> = BTreeMap::new();
        for file in &self.files {
            ensure(is_plain(&file.config), || format!("config {:?} is no name of a folder", file.config))?;
            *counts.entry((&file.config, file.split)).or_default() += 1;
        }
        let mut numbers: BTreeMap<(&str, Split), usize> = BTreeMap::new();
        for file in &self.files {
            let key = (file.config.as_str(), file.split);
            let number = numbers.entry(key).or_default();
            let path = self.storage.listed_path(&file.config, file.split, *number, counts[&key]);
            ensure(file.path == path, || format!("a file is called {:?} instead of {path:?}", file.path))?;
            *number += 1;
        }
        Ok(())
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        let mut text = serde_json::to_string_pretty(self).expect("plain data can be written as JSON");
        text.push('\n');
        folder::write_whole(folder, MANIFEST, text.as_bytes())
    }

    /// Refuses what is only a part of a dataset.
    pub(crate) fn refuse_part(&self, folder: &Path) -> Result<(), Error> {
        self.part.map_or(Ok(()), |part| {
            Err(Error::folder(folder, format!("it is part {part} of a dataset; merge the parts first")))
        })
    }

    /// Demands that `other` is made from the same plan in the same way, part and outcome apart.
    ///
    /// # Errors
    /// Names the first thing in which they differ.
    pub(crate) fn ensure_same_plan(&self, other: &Manifest) -> Result<(), Flaw> {
        let facts = |m: &Manifest| {
            [
                ("generator", m.generator.clone()),
                ("seed", m.seed.clone()),
                ("size", m.side.to_string()),
                ("theme", m.theme.clone().unwrap_or_else(|| "none".to_owned())),
                ("png", m.png.clone()),
                ("format", m.storage.to_string()),
                ("limits", m.limits.map_or_else(|| "none".to_owned(), |limits| format!("{limits:?}"))),
                ("part", m.part.map_or_else(|| "none".to_owned(), |part| part.to_string())),
                ("preset", m.preset.clone().unwrap_or_else(|| "none".to_owned())),
            ]
        };
        for ((name, ours), (_, theirs)) in facts(self).into_iter().zip(facts(other)) {
            ensure(ours == theirs, || format!("{name} is {ours} there and {theirs} here"))?;
        }
        let group = self.groups.iter().zip(&other.groups).find(|(ours, theirs)| ours != theirs);
        group.map_or(Ok(()), |(ours, theirs)| {
            Err(Flaw::new(format!("the composition has {ours} there and {theirs} here")))
        })?;
        let (ours, theirs) = (self.groups.len(), other.groups.len());
        ensure(ours == theirs, || format!("the composition has {ours} groups there and {theirs} here"))
    }

    /// The number of instances.
    pub fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// The gates that fail.
    pub fn failed_gates(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter().filter(|gate| !gate.holds())
    }
}

/// The name of an effort in the manifest.
pub(crate) const fn png_name(effort: PngEffort) -> &'static str {
    match effort {
        PngEffort::Fast => "fast",
        PngEffort::Small => "small",
    }
}

/// Whether `name` can only be that of a folder in the dataset's own.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}
