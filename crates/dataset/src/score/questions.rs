use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rayon::prelude::*;
use topotrace_core::{Difficulty, Digest, Record, Registry, Split, Task, TaskInfo, Verifier, ensure};

use crate::Dataset;
use crate::error::Error;

/// Rows that are checked at once.
const BATCH: usize = 256;

/// Which rows of a dataset are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowFilter {
    /// The wanted splits; all of them where none is given.
    pub splits: BTreeSet<Split>,
    /// The ids of the wanted tasks; all of them where none is given.
    pub tasks: BTreeSet<String>,
}

impl RowFilter {
    /// The rows of `splits` and of `tasks`, each the id of a task or a scene for all its programs.
    ///
    /// # Errors
    /// When a task is unknown; the error names the nearest id.
    pub fn new(
        registry: &Registry,
        splits: impl IntoIterator<Item = Split>,
        tasks: &[String],
    ) -> Result<Self, topotrace_core::Error> {
        let mut ids = BTreeSet::new();
        for name in tasks {
            ids.extend(registry.matching(name)?.iter().map(|task| task.info().id.to_owned()));
        }
        Ok(RowFilter { splits: splits.into_iter().collect(), tasks: ids })
    }

    fn wants(&self, record: &Record) -> bool {
        (self.splits.is_empty() || self.splits.contains(&record.split))
            && (self.tasks.is_empty() || self.tasks.contains(&record.task))
    }
}

/// What judging needs of one row, and the facts that results are sliced by. Without pictures.
pub struct Question {
    /// The record's id.
    pub id: Digest,
    /// The question's bounded argument, as JSON text.
    pub query: String,
    /// The difficulty.
    pub difficulty: Difficulty,
    /// The split.
    pub split: Split,
    /// The probability that a blind guess is right; `None` for plans.
    pub chance: Option<f64>,
    task: &'static dyn Task,
    item: Box<str>,
}

impl Question {
    /// What judging needs of `record`, whose facts are computed again from its item.
    fn new(registry: &Registry, record: &Record) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let task = registry.get(&record.task)?;
        let version = task.info().version;
        ensure(record.task_version == version, || {
            format!("it was made by version {} of {}, not {version}", record.task_version, record.task)
        })?;
        let instance = task.load(record.parse_trace()?.item.get())?;
        let (id, state_hash) = (instance.id(), instance.state_hash());
        ensure(id == record.id, || format!("its item is that of instance {id}"))?;
        ensure(state_hash == record.state_hash, || {
            format!("its state hash is {} but its state has {state_hash}", record.state_hash)
        })?;
        let split = Split::of(state_hash);
        ensure(split == record.split, || {
            format!("its split is {} but its state belongs to {split}", record.split)
        })?;
        Ok(Question {
            id,
            query: instance.query(),
            difficulty: record.difficulty,
            split,
            chance: instance.domain().chance(),
            task,
            item: instance.item().into(),
        })
    }

    /// The declared facts of the question's task.
    pub fn task(&self) -> &'static TaskInfo {
        self.task.info()
    }

    /// The contract, bound to the instance. Computes the answer, which takes longer than to judge
    /// a response.
    pub fn verifier(&self) -> Box<dyn Verifier> {
        self.task.load(&self.item).expect("an item that was loaded once loads again").verifier()
    }
}

/// What became of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is the row with this number.
    Row(usize),
    /// It is that of a row that was not wanted.
    Unselected,
    /// No row has it.
    Unknown,
}

/// The questions of the wanted rows of datasets, in the order of the rows.
#[derive(Default)]
pub struct Questions {
    rows: Vec<Question>,
    /// By id the number of the row; none for rows that were not wanted.
    index: BTreeMap<Digest, Option<usize>>,
    repeated: u64,
}

impl Questions {
    /// Reads the wanted rows of the datasets in `folders` and demands of each that its item makes
    /// the instance that it is named after. `on_progress` hears of rows done and rows in all.
    ///
    /// An instance that occurs several times is one question.
    ///
    /// # Errors
    /// When a dataset can't be read, or a record was made by another version of its task or
    /// changed since, or there are datasets but none has a wanted row.
    pub fn read(
        registry: &Registry,
        folders: &[PathBuf],
        filter: &RowFilter,
        on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, Error> {
        let datasets =
            folders.iter().map(|folder| Dataset::open(folder)).collect::<Result<Vec<_>, crate::Error>>()?;
        let total = datasets.iter().map(|dataset| dataset.manifest().rows()).sum();
        let mut questions = Questions::default();
        let mut seen = RowFilter::default();
        let mut done = 0;
        for (folder, dataset) in folders.iter().zip(&datasets) {
            let mut records = dataset.rows().map(|row| row.map(|row| row.record));
            loop {
                let batch = records.by_ref().take(BATCH).collect::<Result<Vec<Record>, crate::Error>>()?;
                if batch.is_empty() {
                    break;
                }
                for record in &batch {
                    seen.splits.insert(record.split);
                    seen.tasks.insert(record.task.clone());
                }
                let made: Vec<Option<Result<Question, Error>>> = batch
                    .par_iter()
                    .map(|record| {
                        filter.wants(record).then(|| {
                            Question::new(registry, record).map_err(|e| {
                                Error::record(format_args!("{} of {}", record.id, folder.display()), e)
                            })
                        })
                    })
                    .collect();
                for (record, question) in batch.iter().zip(made) {
                    questions.add(record.id, question.transpose()?);
                }
                done += batch.len() as u64;
                on_progress(done, total);
            }
        }
        if questions.rows.is_empty() && !folders.is_empty() {
            return Err(Error::nothing_to_score(nothing_wanted(filter, &seen)));
        }
        Ok(questions)
    }

    fn add(&mut self, id: Digest, question: Option<Question>) {
        match (question, self.index.get(&id)) {
            (Some(_), Some(Some(_))) => self.repeated += 1,
            (Some(question), _) => {
                self.index.insert(id, Some(self.rows.len()));
                self.rows.push(question);
            }
            (None, Some(_)) => {}
            (None, None) => {
                self.index.insert(id, None);
            }
        }
    }

    /// The questions, in the order of the rows.
    pub fn rows(&self) -> &[Question] {
        &self.rows
    }

    /// How many wanted rows repeat an instance of an earlier one.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// What `id` stands for.
    pub fn find(&self, id: &str) -> Found {
        match id.parse().ok().and_then(|id: Digest| self.index.get(&id)) {
            Some(Some(at)) => Found::Row(*at),
            Some(None) => Found::Unselected,
            None => Found::Unknown,
        }
    }
}

/// What was wanted, and what there is.
fn nothing_wanted(filter: &RowFilter, seen: &RowFilter) -> String {
    if seen.tasks.is_empty() {
        return "the dataset has no rows".to_owned();
    }
    let list = |names: Vec<&str>| names.join(", ");
    let splits = |splits: &BTreeSet<Split>| list(splits.iter().map(|split| split.name()).collect());
    let tasks = |tasks: &BTreeSet<String>| list(tasks.iter().map(String::as_str).collect());
    let mut wanted = Vec::new();
    if !filter.splits.is_empty() {
        wanted.push(format!("of split {}", splits(&filter.splits)));
    }
    if !filter.tasks.is_empty() {
        wanted.push(format!("of task {}", tasks(&filter.tasks)));
    }
    format!(
        "no row is {}; the dataset has rows of split {} and of task {}",
        wanted.join(" and "),
        splits(&seen.splits),
        tasks(&seen.tasks)
    )
}
