use std::collections::BTreeMap;

use serde::Serialize;
use topotrace_core::{Difficulty, GENERATOR, Layer, Level, Property, Reason, Rewards, TaskKind, Verdict};

use super::intake::Intake;
use super::questions::Question;

/// How many different queries of one task are listed.
pub const LISTED_QUERIES: usize = 1000;

const PROPERTIES: [Property; 5] =
    [Property::Continuity, Property::Separation, Property::Order, Property::Enclosure, Property::Knots];

/// What the means need of one row's verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgment {
    /// Whether the answer is right.
    pub right: bool,
    /// Whether an answer was read that is legal for the instance.
    pub parsed: bool,
    /// Whether the strict layer read it.
    pub formatted: bool,
    /// The rewards.
    pub rewards: Rewards,
}

impl Judgment {
    /// What counts of `verdict`.
    pub fn of(verdict: &Verdict) -> Self {
        Judgment {
            right: verdict.right,
            parsed: verdict.legal,
            formatted: verdict.legal && verdict.layer == Some(Layer::Strict),
            rewards: verdict.rewards,
        }
    }
}

/// The verdict on a row without a response.
pub(super) fn missing() -> Verdict {
    Verdict::refused(None, Reason::Missing, None)
}

/// Means over rows, or over groups of rows. Shares are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// The number of rows.
    pub rows: u64,
    /// The share of right answers.
    pub accuracy: f64,
    /// The accuracy that blind guessing has; `None` where a plan is among the rows.
    pub chance: Option<f64>,
    /// The share of responses of which a legal answer was read.
    pub parse_rate: f64,
    /// The share of responses of which the strict layer read a legal answer.
    pub format_rate: f64,
    /// The mean rewards.
    pub rewards: Rewards,
}

/// A question and what came of it.
type Judged<'a> = (&'a Question, &'a Judgment);

impl Measures {
    fn of_row((question, judgment): &Judged<'_>) -> Self {
        let share = |yes: bool| if yes { 1.0 } else { 0.0 };
        Measures {
            rows: 1,
            accuracy: share(judgment.right),
            chance: question.chance,
            parse_rate: share(judgment.parsed),
            format_rate: share(judgment.formatted),
            rewards: judgment.rewards,
        }
    }

    fn of_rows(rows: &[Judged<'_>]) -> Self {
        Measures::mean(rows.iter().map(Measures::of_row))
    }

    /// The unweighted mean of `parts`, whose rows are added.
    fn mean(parts: impl IntoIterator<Item = Measures>) -> Self {
        let mut sum = Measures {
            rows: 0,
            accuracy: 0.0,
            chance: Some(0.0),
            parse_rate: 0.0,
            format_rate: 0.0,
            rewards: Rewards { exact: 0.0, formatted: 0.0, penalised: 0.0 },
        };
        let mut count = 0_u64;
        for part in parts {
            count += 1;
            sum.rows += part.rows;
            sum.accuracy += part.accuracy;
            sum.chance = sum.chance.zip(part.chance).map(|(sum, chance)| sum + chance);
            sum.parse_rate += part.parse_rate;
            sum.format_rate += part.format_rate;
            sum.rewards.exact += part.rewards.exact;
            sum.rewards.formatted += part.rewards.formatted;
            sum.rewards.penalised += part.rewards.penalised;
        }
        let count = count.max(1) as f64;
        Measures {
            rows: sum.rows,
            accuracy: sum.accuracy / count,
            chance: sum.chance.map(|chance| chance / count),
            parse_rate: sum.parse_rate / count,
            format_rate: sum.format_rate / count,
            rewards: Rewards {
                exact: sum.rewards.exact / count,
                formatted: sum.rewards.formatted / count,
                penalised: sum.rewards.penalised / count,
            },
        }
    }
}

/// The means of one task at one difficulty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelScore {
    /// The tier's name, or the difficulty as a number.
    pub level: String,
    /// The means.
    pub measures: Measures,
}

/// The means of one task and one query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryScore {
    /// The query as JSON text.
    pub query: String,
    /// The means.
    pub measures: Measures,
}

/// The means of one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskScore {
    /// The task's id.
    pub task: String,
    /// Its property.
    pub property: Property,
    /// Its kind.
    pub kind: TaskKind,
    /// The means over all its rows.
    pub measures: Measures,
    /// By difficulty, easiest first.
    pub levels: Vec<LevelScore>,
    /// How many different queries there are.
    pub distinct_queries: u64,
    /// By query, sorted, at most the first [`LISTED_QUERIES`].
    pub queries: Vec<QueryScore>,
}

/// A mean in which every part weighs the same, however many rows it has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// A tier, a kind, a property, or `macro`.
    pub name: String,
    /// The parts: tasks or properties.
    pub over: Vec<String>,
    /// The mean of the parts' means.
    pub measures: Measures,
}

/// How well a file of responses does on the selected rows of a dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scores {
    /// Name and version of the program that judged.
    pub generator: String,
    /// The splits that the rows belong to.
    pub splits: Vec<String>,
    /// What became of the lines.
    pub intake: Intake,
    /// The means over all rows, each row with the same weight.
    pub all_rows: Measures,
    /// The mean over the properties that have rows.
    pub macro_mean: Mean,
    /// The properties without rows.
    pub absent_properties: Vec<Property>,
    /// By property over its tasks.
    pub properties: Vec<Mean>,
    /// By kind over its tasks.
    pub kinds: Vec<Mean>,
    /// By tier over the tasks that have rows in it; the easy, medium and hard one only.
    pub levels: Vec<Mean>,
    /// By task, sorted by id.
    pub tasks: Vec<TaskScore>,
}

impl Scores {
    /// The means over `questions`, of which each has its judgment, and the intake as it is. They
    /// depend on the order of the questions and not on that of the responses.
    pub fn new(questions: &[Question], judgments: &[Judgment], intake: Intake) -> Self {
        let rows: Vec<Judged<'_>> = questions.iter().zip(judgments).collect();
        let by_task = group(&rows, |question| question.task().id);
        let tasks: Vec<TaskScore> = by_task.values().map(|rows| score_task(rows)).collect();
        let properties: Vec<Mean> = PROPERTIES
            .iter()
            .filter_map(|property| mean_of_tasks(property.name(), &tasks, |task| task.property == *property))
            .collect();
        let is_present = |property: &Property| properties.iter().any(|mean| mean.name == property.name());
        Scores {
            generator: GENERATOR.to_owned(),
            splits: group(&rows, |question| question.split).keys().map(|split| split.to_string()).collect(),
            intake,
            all_rows: Measures::of_rows(&rows),
            macro_mean: Mean {
                name: "macro".to_owned(),
                over: properties.iter().map(|mean| mean.name.clone()).collect(),
                measures: Measures::mean(properties.iter().map(|mean| mean.measures)),
            },
            absent_properties: PROPERTIES.into_iter().filter(|property| !is_present(property)).collect(),
            kinds: [TaskKind::Reasoning, TaskKind::Planning]
                .iter()
                .filter_map(|kind| mean_of_tasks(kind.name(), &tasks, |task| task.kind == *kind))
                .collect(),
            levels: Level::ALL.iter().filter_map(|level| mean_of_level(level.name(), &tasks)).collect(),
            properties,
            tasks,
        }
    }
}

/// The rows by `key`, in the order of the keys; within a group they stay in order.
fn group<'a, K: Ord>(rows: &[Judged<'a>], key: impl Fn(&'a Question) -> K) -> BTreeMap<K, Vec<Judged<'a>>> {
    let mut groups: BTreeMap<K, Vec<Judged<'a>>> = BTreeMap::new();
    for row in rows {
        groups.entry(key(row.0)).or_default().push(*row);
    }
    groups
}

fn score_task(rows: &[Judged<'_>]) -> TaskScore {
    let info = rows[0].0.task();
    // The bits of numbers that are not negative are ordered as the numbers.
    let levels = group(rows, |question| question.difficulty.value().to_bits());
    let queries = group(rows, |question| question.query.as_str());
    TaskScore {
        task: info.id.to_owned(),
        property: info.property,
        kind: info.kind,
        measures: Measures::of_rows(rows),
        levels: levels
            .values()
            .map(|rows| LevelScore {
                level: Difficulty::name(rows[0].0.difficulty),
                measures: Measures::of_rows(rows),
            })
            .collect(),
        distinct_queries: queries.len() as u64,
        queries: queries
            .iter()
            .take(LISTED_QUERIES)
            .map(|(query, rows)| QueryScore { query: (*query).to_owned(), measures: Measures::of_rows(rows) })
            .collect(),
    }
}

/// The mean over the tasks that `belongs` picks, when there are any.
fn mean_of_tasks(name: &str, tasks: &[TaskScore], belongs: impl Fn(&TaskScore) -> bool) -> Option<Mean> {
    mean(name, tasks.iter().filter(|task| belongs(task)).map(|task| (task.task.clone(), task.measures)))
}

/// The mean over the tasks that have rows at this tier, when there are any.
fn mean_of_level(name: &str, tasks: &[TaskScore]) -> Option<Mean> {
    let levels = tasks.iter().flat_map(|task| task.levels.iter().map(move |level| (task, level)));
    let wanted = levels.filter(|(_, level)| level.level == name);
    mean(name, wanted.map(|(task, level)| (task.task.clone(), level.measures)))
}

fn mean(name: &str, parts: impl Iterator<Item = (String, Measures)>) -> Option<Mean> {
    let (over, measures): (Vec<String>, Vec<Measures>) = parts.unzip();
    (!over.is_empty()).then(|| Mean { name: name.to_owned(), over, measures: Measures::mean(measures) })
}
