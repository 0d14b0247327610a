//! What a build measures of its answers, and the bounds that these measures must keep.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use topotrace_core::{AnswerKind, Difficulty, Digest, Instance, Level, MarkBox};

/// Rows below which a share says too little for a gate to fail.
pub const ENOUGH_ROWS: u64 = 200;

/// Answers longer than this many bytes are counted by their hash.
const LONGEST_COUNTED_ANSWER: usize = 64;
/// How many of the commonest answers and picture sizes are listed.
const LISTED: usize = 8;

/// What one instance adds to a [`Tally`]. Computing it costs more than adding it.
#[derive(Clone, Debug)]
pub struct Observation {
    task: &'static str,
    kind: AnswerKind,
    answer: String,
    chance: Option<f64>,
    effort: u64,
    /// For every shortcut solver whether its guess is right.
    shortcuts: Vec<(&'static str, bool)>,
    pictures: Vec<PictureFacts>,
    rejections: BTreeMap<String, u64>,
}

#[derive(Clone, Debug)]
struct PictureFacts {
    size: (u32, u32),
    bytes: u64,
    marks: u64,
    least_visible: Option<u32>,
}

impl Observation {
    /// What `instance` adds by itself, its pictures apart.
    pub fn of(instance: &dyn Instance) -> Self {
        let answer = instance.answer();
        let guesses = instance.guesses();
        let domain = instance.domain();
        Observation {
            task: instance.info().id,
            kind: domain.kind(),
            answer: answer.to_json(),
            chance: domain.chance(),
            effort: instance.effort(),
            shortcuts: guesses.into_iter().map(|(name, guess)| (name, instance.accepts(&guess))).collect(),
            pictures: Vec::new(),
            rejections: BTreeMap::new(),
        }
    }

    /// Adds a picture of `size` pixels whose PNG file has `bytes` bytes.
    pub fn add_picture(&mut self, size: (u32, u32), bytes: usize, boxes: &[MarkBox]) {
        self.pictures.push(PictureFacts {
            size,
            bytes: bytes as u64,
            marks: boxes.len() as u64,
            least_visible: boxes.iter().map(|mark| mark.visible).min(),
        });
    }

    /// Adds attempts that came to nothing, by reason.
    pub fn add_rejections<'a>(&mut self, rejections: impl IntoIterator<Item = (&'a str, u64)>) {
        for (reason, count) in rejections {
            *self.rejections.entry(reason.to_owned()).or_default() += count;
        }
    }
}

/// Counts over instances, by task and difficulty. The order in which they come makes no
/// difference.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<(String, u64, Entry)>", from = "Vec<(String, u64, Entry)>")]
pub struct Tally {
    /// By task and the bits of the difficulty, which are ordered as the difficulty itself.
    entries: BTreeMap<(String, u64), Entry>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    rows: u64,
    plans: bool,
    /// How many instances have a chance level of these bits.
    chances: BTreeMap<u64, u64>,
    answers: BTreeMap<String, u64>,
    shortcuts: BTreeMap<String, u64>,
    efforts: BTreeMap<u64, u64>,
    pictures: u64,
    png_bytes: u64,
    sizes: BTreeSet<(u32, u32)>,
    marks: u64,
    least_visible: Option<u32>,
    rejections: BTreeMap<String, u64>,
}

impl From<Tally> for Vec<(String, u64, Entry)> {
    fn from(tally: Tally) -> Self {
        tally.entries.into_iter().map(|((task, bits), entry)| (task, bits, entry)).collect()
    }
}

impl From<Vec<(String, u64, Entry)>> for Tally {
    fn from(entries: Vec<(String, u64, Entry)>) -> Self {
        Tally { entries: entries.into_iter().map(|(task, bits, entry)| ((task, bits), entry)).collect() }
    }
}

impl Tally {
    /// A tally of nothing.
    pub fn new() -> Self {
        Tally::default()
    }

    /// Adds what was observed of an instance of this difficulty.
    pub fn add(&mut self, difficulty: Difficulty, seen: &Observation) {
        let entry = self.entries.entry((seen.task.to_owned(), difficulty.value().to_bits())).or_default();
        entry.rows += 1;
        entry.plans = seen.kind == AnswerKind::Plan;
        if let Some(chance) = seen.chance {
            *entry.chances.entry(chance.to_bits()).or_default() += 1;
        }
        *entry.answers.entry(countable(&seen.answer)).or_default() += 1;
        for (name, right) in &seen.shortcuts {
            *entry.shortcuts.entry((*name).to_owned()).or_default() += u64::from(*right);
        }
        *entry.efforts.entry(seen.effort).or_default() += 1;
        for picture in &seen.pictures {
            entry.pictures += 1;
            entry.png_bytes += picture.bytes;
            entry.sizes.insert(picture.size);
            entry.marks += picture.marks;
            entry.least_visible = least(entry.least_visible, picture.least_visible);
        }
        add_counts(&mut entry.rejections, &seen.rejections);
    }

    /// Adds everything that `other` counted.
    pub fn merge(&mut self, other: &Tally) {
        for (key, theirs) in &other.entries {
            let ours = self.entries.entry(key.clone()).or_default();
            ours.rows += theirs.rows;
            ours.plans |= theirs.plans;
            add_counts(&mut ours.chances, &theirs.chances);
            add_counts(&mut ours.answers, &theirs.answers);
            add_counts(&mut ours.shortcuts, &theirs.shortcuts);
            add_counts(&mut ours.efforts, &theirs.efforts);
            ours.pictures += theirs.pictures;
            ours.png_bytes += theirs.png_bytes;
            ours.sizes.extend(&theirs.sizes);
            ours.marks += theirs.marks;
            ours.least_visible = least(ours.least_visible, theirs.least_visible);
            add_counts(&mut ours.rejections, &theirs.rejections);
        }
    }

    /// The gates, by task and difficulty: the commonest answer, then every shortcut solver.
    pub fn gates(&self) -> Vec<Gate> {
        let mut gates = Vec::new();
        for ((task, bits), entry) in &self.entries {
            let level = level_name(f64::from_bits(*bits));
            let chance = entry.chance();
            let mut add = |name: String, hits: u64, bound: f64| {
                let share = ratio(hits, entry.rows);
                let outcome = match () {
                    () if share <= bound => GateOutcome::Holds,
                    () if entry.rows < ENOUGH_ROWS => GateOutcome::TooFew,
                    () => GateOutcome::Fails,
                };
                let (task, level) = (task.clone(), level.clone());
                gates.push(Gate { task, level, name, rows: entry.rows, chance, share, bound, outcome });
            };
            let commonest = entry.answers.values().max().copied().unwrap_or(0);
            add("commonest answer".to_owned(), commonest, prior_bound(chance));
            for (name, hits) in &entry.shortcuts {
                add(format!("shortcut: {name}"), *hits, shortcut_bound(chance, &level));
            }
        }
        gates
    }

    /// The measures, by task and difficulty.
    pub fn statistics(&self) -> Vec<Statistics> {
        self.entries
            .iter()
            .map(|((task, bits), entry)| entry.statistics(task, f64::from_bits(*bits)))
            .collect()
    }
}

impl Entry {
    /// The mean chance level; `None` for plans.
    fn chance(&self) -> Option<f64> {
        let sum: f64 = self.chances.iter().map(|(bits, count)| f64::from_bits(*bits) * *count as f64).sum();
        (!self.plans && self.rows > 0).then(|| sum / self.rows as f64)
    }

    fn statistics(&self, task: &str, difficulty: f64) -> Statistics {
        let mut answers: Vec<_> =
            self.answers.iter().map(|(answer, count)| (answer.clone(), *count)).collect();
        answers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let distinct_answers = answers.len() as u64;
        answers.truncate(if self.plans { 0 } else { LISTED });
        let effort: u128 =
            self.efforts.iter().map(|(effort, count)| u128::from(*effort) * u128::from(*count)).sum();
        Statistics {
            task: task.to_owned(),
            level: level_name(difficulty),
            rows: self.rows,
            chance: self.chance(),
            effort: Spread {
                least: self.efforts.keys().next().copied().unwrap_or(0),
                mean: effort as f64 / self.rows.max(1) as f64,
                most: self.efforts.keys().next_back().copied().unwrap_or(0),
            },
            distinct_answers,
            commonest_answers: answers,
            shortcuts: self.shortcuts.clone(),
            pictures: self.pictures,
            picture_sizes: self.sizes.iter().copied().take(LISTED).collect(),
            mean_png_bytes: self.png_bytes / self.pictures.max(1),
            marks: self.marks,
            least_visible_pixels: self.least_visible,
            rejections: self.rejections.clone(),
        }
    }
}

/// Measures of one task at one difficulty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    /// The task's id.
    pub task: String,
    /// The tier's name, or the difficulty as a number.
    pub level: String,
    /// The number of instances.
    pub rows: u64,
    /// The mean probability that a blind guess is right; `None` for plans.
    pub chance: Option<f64>,
    /// How much work a solver has.
    pub effort: Spread,
    /// The number of different answers.
    pub distinct_answers: u64,
    /// The commonest answers and how often each occurs; none are listed for plans.
    pub commonest_answers: Vec<(String, u64)>,
    /// How often each shortcut solver is right.
    pub shortcuts: BTreeMap<String, u64>,
    /// The number of pictures.
    pub pictures: u64,
    /// Width and height in pixels: the different ones, the first few.
    pub picture_sizes: Vec<(u32, u32)>,
    /// The mean size of a picture's file.
    pub mean_png_bytes: u64,
    /// The number of answer-bearing marks in all pictures.
    pub marks: u64,
    /// The visible pixels of the least visible mark, in the stored picture.
    pub least_visible_pixels: Option<u32>,
    /// How many attempts and looks came to nothing, by reason.
    pub rejections: BTreeMap<String, u64>,
}

/// The range of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The least value.
    pub least: u64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The greatest value.
    pub most: u64,
}

/// A share of right answers that a cheap trick gets, and its bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The task's id.
    pub task: String,
    /// The tier's name, or the difficulty as a number.
    pub level: String,
    /// The trick: `commonest answer`, or `shortcut: ` and the solver's name.
    pub name: String,
    /// The number of instances.
    pub rows: u64,
    /// The mean chance level; `None` for plans.
    pub chance: Option<f64>,
    /// The share of instances that the trick answers, from 0 to 1.
    pub share: f64,
    /// The greatest share that is allowed.
    pub bound: f64,
    /// What follows.
    pub outcome: GateOutcome,
}

impl Gate {
    /// Whether nothing speaks against the data: all but [`GateOutcome::Fails`].
    pub fn holds(&self) -> bool {
        self.outcome != GateOutcome::Fails
    }
}

/// What follows from a share and its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateOutcome {
    /// The share is within its bound.
    Holds,
    /// The share is above its bound.
    Fails,
    /// The share is above its bound, but over fewer than [`ENOUGH_ROWS`] instances.
    TooFew,
}

/// The greatest share for always giving the commonest answer: twice the chance level or ten
/// points above it, and never above 35 % where more than three answers are legal.
fn prior_bound(chance: Option<f64>) -> f64 {
    let level = chance.unwrap_or(0.0);
    let bound = (2.0 * level).max(level + 0.10);
    // Three legal answers have a chance of 0.333, four of 0.25.
    if level < 0.3 { bound.min(0.35) } else { bound.min(1.0) }
}

/// The greatest share for a shortcut solver: 15 points above the chance level, 30 when easy.
fn shortcut_bound(chance: Option<f64>, level: &str) -> f64 {
    let margin = if level == Level::Easy.name() { 0.30 } else { 0.15 };
    (chance.unwrap_or(0.0) + margin).min(1.0)
}

/// The tier's name, or the number where a difficulty is no tier.
fn level_name(difficulty: f64) -> String {
    Difficulty::new(difficulty).map_or_else(|_| difficulty.to_string(), Difficulty::name)
}

/// Long answers are all different, and only their number matters.
fn countable(answer: &str) -> String {
    if answer.len() <= LONGEST_COUNTED_ANSWER {
        answer.to_owned()
    } else {
        Digest::of("topotrace 2026 counted answer", &[answer]).to_string()
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn least(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    a.into_iter().chain(b).min()
}

fn add_counts<K: Clone + Ord>(ours: &mut BTreeMap<K, u64>, theirs: &BTreeMap<K, u64>) {
    for (key, count) in theirs {
        *ours.entry(key.clone()).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(answer: &str, chance: Option<f64>, lucky: bool) -> Observation {
        Observation {
            task: "scene/question",
            kind: if chance.is_some() { AnswerKind::Label } else { AnswerKind::Plan },
            answer: answer.to_owned(),
            chance,
            effort: answer.len() as u64,
            shortcuts: vec![("glance", lucky)],
            pictures: Vec::new(),
            rejections: BTreeMap::new(),
        }
    }

    fn tally(level: Level, rows: u64, chance: Option<f64>, commonest: u64, lucky: u64) -> Tally {
        let mut tally = Tally::new();
        for row in 0..rows {
            let answer = if row < commonest { "\"A\"".to_owned() } else { format!("\"B{row}\"") };
            tally.add(level.into(), &observed(&answer, chance, row < lucky));
        }
        tally
    }

    fn outcomes(tally: &Tally) -> Vec<GateOutcome> {
        tally.gates().iter().map(|gate| gate.outcome).collect()
    }

    #[test]
    fn bounds_follow_the_chance_level() {
        assert_eq!(prior_bound(Some(0.5)), 1.0);
        assert_eq!(prior_bound(Some(0.25)), 0.35);
        assert_eq!(prior_bound(Some(0.125)), 0.25);
        assert!((prior_bound(Some(0.05)) - 0.15).abs() < 1e-12);
        assert_eq!(shortcut_bound(Some(0.25), "medium"), 0.4);
        assert_eq!(shortcut_bound(Some(0.25), "easy"), 0.55);
        assert_eq!(shortcut_bound(Some(0.25), "0.3"), 0.4);
    }

    #[test]
    fn a_share_above_its_bound_fails_where_there_are_enough_rows() {
        use GateOutcome::{Fails, Holds, TooFew};
        assert_eq!(outcomes(&tally(Level::Hard, 400, Some(0.25), 140, 160)), [Holds, Holds]);
        assert_eq!(outcomes(&tally(Level::Hard, 400, Some(0.25), 141, 161)), [Fails, Fails]);
        assert_eq!(outcomes(&tally(Level::Easy, 400, Some(0.25), 141, 161)), [Fails, Holds]);
        assert_eq!(outcomes(&tally(Level::Hard, 100, Some(0.25), 90, 10)), [TooFew, Holds]);
        assert_eq!(outcomes(&tally(Level::Hard, 400, None, 390, 390)), [Fails, Fails]);
    }

    #[test]
    fn merging_is_adding() {
        let (mut a, b) = (tally(Level::Easy, 30, Some(0.2), 9, 3), tally(Level::Easy, 30, Some(0.3), 9, 3));
        let hard = tally(Level::Hard, 5, Some(0.5), 1, 1);
        let mut other = b.clone();
        other.merge(&hard);
        other.merge(&a);
        a.merge(&b);
        a.merge(&hard);
        assert_eq!(a, other);
        let statistics = a.statistics();
        assert_eq!(statistics.iter().map(|s| s.level.as_str()).collect::<Vec<_>>(), ["easy", "hard"]);
        assert_eq!((statistics[0].rows, statistics[0].commonest_answers[0].1), (60, 18));
        assert_eq!(statistics[0].chance, Some(0.25));
    }
}
