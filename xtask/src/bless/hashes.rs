//! Lists of hashes of a thousand instances of every task, or of fewer where they are dear: the exact pin
//! of what a version means.
//!
//! A line stands for the whole record of one seed at one tier and for the SVG text of its
//! pictures, so that no change of behavior goes unnoticed.

use rayon::prelude::*;
use topotrace_core::{
    Digest, Error, Flaw, Generator, Level, Record, RecordContext, Settings, Task, TaskInfo,
};

/// The folder of the lists.
pub(crate) const FOLDER: &str = "fixtures/hashes";
/// Seeds at each of the three tiers.
const SEEDS: u64 = 334;
/// The same for a task whose states are dear to sample.
const SEEDS_OF_DEAR: u64 = 50;
/// Hexadecimal digits of each hash.
const DIGITS: usize = 12;
/// Stands for the generator's name and release in what is hashed: a mere release is no change.
const GENERATOR: &str = "topotrace";
/// How many of the lines that differ a message shows.
const SHOWN: usize = 3;

/// The path of a task's list.
pub(crate) fn path(info: &TaskInfo) -> String {
    format!("{FOLDER}/{}.txt", info.slug())
}

/// What a version of a task makes of each seed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HashList {
    version: u32,
    /// Tier, seed and hash.
    lines: Vec<String>,
}

/// How a stored list stands to what the task does today.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// They are the same.
    Same,
    /// There is no list yet.
    Missing,
    /// The list is of an older version than the task.
    Older { listed: u32 },
    /// The list must not be overwritten just like that; says why and what to do.
    Broken(String),
}

impl HashList {
    /// The list of what a task does today, made on all threads.
    ///
    /// # Errors
    /// When an instance can't be made.
    pub(crate) fn compute(task: &dyn Task) -> Result<Self, Error> {
        // A build doesn't cut the work of a task whose states are dear to sample.
        let seeds = if task.info().units == 1 { SEEDS_OF_DEAR } else { SEEDS };
        let tiers = Level::ALL.into_par_iter().map(|level| {
            let generator = task.generator(&level.into())?;
            (0..seeds).into_par_iter().map(|seed| line(&*generator, level, seed)).collect()
        });
        let tiers: Vec<Vec<String>> = tiers.collect::<Result<_, Error>>()?;
        Ok(HashList { version: task.info().version, lines: tiers.concat() })
    }

    /// Reads a list.
    ///
    /// # Errors
    /// When its head line does not name a version.
    pub(crate) fn parse(text: &str) -> Result<Self, Flaw> {
        let mut lines = text.lines();
        let head = lines.next().unwrap_or_default();
        let version = head
            .strip_prefix("version ")
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| Flaw::new(format!("the head line {head:?} is not \"version N\"")))?;
        Ok(HashList { version, lines: lines.map(str::to_owned).collect() })
    }

    /// The list as text.
    pub(crate) fn text(&self) -> String {
        format!("version {}\n{}\n", self.version, self.lines.join("\n"))
    }

    /// The number of instances.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// How the text of the list stored at `path` stands to this one.
    pub(crate) fn judge(&self, path: &str, stored: Option<&str>) -> Standing {
        let Some(stored) = stored else { return Standing::Missing };
        match HashList::parse(stored) {
            Err(flaw) => {
                Standing::Broken(format!("{path}: {flaw}; restore the file with git checkout -- {path}"))
            }
            Ok(stored) if stored.version < self.version => Standing::Older { listed: stored.version },
            Ok(stored) if stored.version > self.version => Standing::Broken(format!(
                "{path} is of version {}, later than version {} of the task: versions only go up; raise \
                 the version in TaskInfo",
                stored.version, self.version
            )),
            Ok(stored) if stored == *self => Standing::Same,
            Ok(stored) => Standing::Broken(self.differences(path, &stored)),
        }
    }

    fn differences(&self, path: &str, stored: &HashList) -> String {
        let length = self.len().max(stored.len());
        let line = |list: &HashList, at: usize| list.lines.get(at).cloned().unwrap_or("nothing".to_owned());
        let pairs = (0..length).map(|at| (line(stored, at), line(self, at)));
        let differing: Vec<(String, String)> = pairs.filter(|(old, new)| old != new).collect();
        let mut text = format!("{path}: {} of {length} lines differ; the first:\n", differing.len());
        for (old, new) in differing.iter().take(SHOWN) {
            text.push_str(&format!("    {old} is now {new}\n"));
        }
        let version = self.version;
        text + &format!(
            "  behavior of version {version} changed: raise the version in TaskInfo, add a line to the \
             version history, run cargo xtask bless"
        )
    }
}

/// Tier, seed and hash of one instance: of its record and of its pictures in the style it draws.
fn line(generator: &dyn Generator, level: Level, seed: u64) -> Result<String, Error> {
    let (seeds, instance) = generator.generate(seed)?;
    let style = instance.style(seeds.render, None)?;
    let context = RecordContext {
        generator: GENERATOR,
        build_seed: seed,
        settings: &Settings::from(level),
        params: generator.params(),
        seeds,
        style: &style,
        boxes: &[],
    };
    let record = Record::new(&*instance, context)?;
    let record = serde_json::to_string(&record).expect("plain data can be written as JSON");
    let pictures = instance.draw(&style)?;
    let parts: Vec<&str> =
        std::iter::once(&*record).chain(pictures.iter().map(|picture| &*picture.svg)).collect();
    let hash = Digest::of("topotrace 2026 behavior", &parts).to_string();
    Ok(format!("{level} {seed} {}", &hash[..DIGITS]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "fixtures/hashes/task.txt";

    fn list(version: u32, lines: &[&str]) -> HashList {
        HashList { version, lines: lines.iter().map(|line| (*line).to_owned()).collect() }
    }

    #[test]
    fn text_round_trip() {
        let list = list(3, &["easy 0 00", "hard 1 ff"]);
        assert_eq!(list.text(), "version 3\neasy 0 00\nhard 1 ff\n");
        assert_eq!(HashList::parse(&list.text()), Ok(list));
    }

    #[test]
    fn a_version_is_pinned_until_the_next_one() {
        let (one, other) = (list(2, &["easy 0 00", "easy 1 11"]), list(2, &["easy 0 00", "easy 1 22"]));
        assert_eq!(one.judge(PATH, Some(&one.text())), Standing::Same);
        assert_eq!(one.judge(PATH, None), Standing::Missing);
        assert_eq!(one.judge(PATH, Some(&list(1, &[]).text())), Standing::Older { listed: 1 });
        let Standing::Broken(fault) = one.judge(PATH, Some(&other.text())) else { panic!("they differ") };
        for part in [
            "1 of 2 lines differ",
            "easy 1 22 is now easy 1 11",
            "behavior of version 2 changed: raise the version",
        ] {
            assert!(fault.contains(part), "{fault}");
        }
    }

    #[test]
    fn a_cut_list_a_later_version_and_a_conflict_are_faults() {
        let whole = list(2, &["easy 0 00", "easy 1 11"]);
        for (text, part) in [
            ("version 2\neasy 0 00\n", "nothing is now easy 1 11"),
            ("version 3\neasy 0 00\neasy 1 11\n", "versions only go up"),
            ("<<<<<<< HEAD\nversion 2\n", "\"<<<<<<< HEAD\" is not \"version N\""),
            ("", "git checkout -- fixtures/hashes/task.txt"),
        ] {
            let Standing::Broken(fault) = whole.judge(PATH, Some(text)) else { panic!("{text:?} passes") };
            assert!(fault.contains(part), "{fault}");
        }
    }

    #[test]
    fn a_line_knows_its_tier_and_its_seed() {
        let registry = topotrace::registry();
        let task = registry.tasks()[0];
        let make = |level: Level, seed| line(&*task.generator(&level.into()).unwrap(), level, seed).unwrap();
        let first = make(Level::Easy, 1);
        assert!(first.starts_with("easy 1 ") && first.len() == "easy 1 ".len() + DIGITS, "{first}");
        assert_eq!(first, make(Level::Easy, 1));
        let hash = |line: &str| line.rsplit(' ').next().map(str::to_owned);
        assert_ne!(hash(&first), hash(&make(Level::Easy, 2)));
        assert_ne!(hash(&first), hash(&make(Level::Medium, 1)));
    }
}
