//! Leaks: states that two datasets share, or that lie in two splits of one.
//!
//! Two rows with the same state show the same scene and differ at most in the question, the look
//! and the words. States are compared by the recorded `state_hash`; [`verify()`](crate::verify())
//! is what checks that a record's hash is that of its state.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use topotrace_core::{Digest, Record, Split};

use crate::error::Error;
use crate::reader::Dataset;

/// How many ids of each side are listed with a pair of splits.
pub const LISTED_IDS: usize = 5;
/// How many states that lie in several splits are listed.
pub const LISTED_STATES: usize = 1000;

/// The states of one dataset, by hash, with the rows that show them. Without the states
/// themselves: some 50 bytes a row.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// Scenes, by name; rows hold their places.
    scenes: Vec<String>,
    rows: Vec<StateRow>,
}

/// Rows are ordered by state, then by split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct StateRow {
    state: Digest,
    split: Split,
    id: Digest,
    scene: usize,
}

impl States {
    /// The states of all rows of `dataset`. `on_progress` hears how many rows were read.
    ///
    /// # Errors
    /// When a row can't be read.
    pub fn read(dataset: &Dataset, on_progress: &mut dyn FnMut(u64)) -> Result<Self, Error> {
        let mut states = States::default();
        for row in dataset.rows() {
            states.add(&row?.record);
            on_progress(states.rows.len() as u64);
        }
        states.rows.sort_unstable();
        Ok(states)
    }

    fn add(&mut self, record: &Record) {
        let known = self.scenes.iter().position(|scene| *scene == record.scene);
        let scene = known.unwrap_or_else(|| {
            self.scenes.push(record.scene.clone());
            self.scenes.len() - 1
        });
        self.rows.push(StateRow { state: record.state_hash, split: record.split, id: record.id, scene });
    }

    /// The rows of each state, in the order of the hashes.
    fn by_state(&self) -> impl Iterator<Item = &[StateRow]> {
        self.rows.chunk_by(|a, b| a.state == b.state)
    }

    fn side(&self) -> Side {
        let mut side = Side { rows: self.rows.len() as u64, ..Side::default() };
        for rows in self.by_state() {
            side.states += 1;
            let splits: BTreeSet<Split> = rows.iter().map(|row| row.split).collect();
            if splits.len() > 1 {
                side.torn_states += 1;
                if side.torn.len() < LISTED_STATES {
                    side.torn.push(TornState {
                        state_hash: rows[0].state,
                        scene: self.scenes[rows[0].scene].clone(),
                        splits: splits.into_iter().collect(),
                        ids: rows.iter().take(LISTED_IDS).map(|row| row.id).collect(),
                    });
                }
            }
        }
        side
    }
}

/// What two datasets share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leaks {
    /// The first dataset by itself.
    pub a: Side,
    /// The second dataset by itself.
    pub b: Side,
    /// How many states both have.
    pub shared_states: u64,
    /// By scene and splits, where states are shared. A state that lies in several splits of one
    /// side counts with each.
    pub shared: Vec<Shared>,
}

/// One dataset by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The number of rows.
    pub rows: u64,
    /// The number of different states.
    pub states: u64,
    /// How many states lie in several splits.
    pub torn_states: u64,
    /// The first of them by hash, at most [`LISTED_STATES`].
    pub torn: Vec<TornState>,
}

/// A state that lies in several splits of one dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TornState {
    /// The state's hash.
    pub state_hash: Digest,
    /// The scene's name.
    pub scene: String,
    /// The splits.
    pub splits: Vec<Split>,
    /// The ids of the first rows, at most [`LISTED_IDS`].
    pub ids: Vec<Digest>,
}

/// What one split of the first dataset shares with one split of the second, within a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// The scene's name.
    pub scene: String,
    /// The split of the first dataset.
    pub split_a: Split,
    /// The split of the second dataset.
    pub split_b: Split,
    /// The number of states in both.
    pub states: u64,
    /// The number of rows of the first dataset that show them.
    pub rows_a: u64,
    /// The number of rows of the second dataset that show them.
    pub rows_b: u64,
    /// The ids of the first of these rows by state, at most [`LISTED_IDS`].
    pub ids_a: Vec<Digest>,
    /// The same of the second dataset.
    pub ids_b: Vec<Digest>,
}

impl Leaks {
    /// Compares two datasets.
    pub fn between(a: &States, b: &States) -> Self {
        let mut pairs: BTreeMap<(&str, Split, Split), Shared> = BTreeMap::new();
        let mut shared_states = 0;
        let mut theirs = b.by_state().peekable();
        for ours in a.by_state() {
            while theirs.next_if(|rows| rows[0].state < ours[0].state).is_some() {}
            let Some(theirs) = theirs.next_if(|rows| rows[0].state == ours[0].state) else { continue };
            shared_states += 1;
            let scene = a.scenes[ours[0].scene].as_str();
            for in_a in ours.chunk_by(|a, b| a.split == b.split) {
                for in_b in theirs.chunk_by(|a, b| a.split == b.split) {
                    let key = (scene, in_a[0].split, in_b[0].split);
                    pairs.entry(key).or_insert_with(|| Shared::nothing(key)).add(in_a, in_b);
                }
            }
        }
        Leaks { a: a.side(), b: b.side(), shared_states, shared: pairs.into_values().collect() }
    }

    /// Whether no state is shared and none lies in several splits.
    pub fn is_clean(&self) -> bool {
        self.shared_states + self.a.torn_states + self.b.torn_states == 0
    }
}

impl Shared {
    fn nothing((scene, split_a, split_b): (&str, Split, Split)) -> Self {
        Shared {
            scene: scene.to_owned(),
            split_a,
            split_b,
            states: 0,
            rows_a: 0,
            rows_b: 0,
            ids_a: Vec::new(),
            ids_b: Vec::new(),
        }
    }

    /// Adds the rows that show one state.
    fn add(&mut self, in_a: &[StateRow], in_b: &[StateRow]) {
        self.states += 1;
        self.rows_a += in_a.len() as u64;
        self.rows_b += in_b.len() as u64;
        add_ids(&mut self.ids_a, in_a);
        add_ids(&mut self.ids_b, in_b);
    }
}

fn add_ids(ids: &mut Vec<Digest>, rows: &[StateRow]) {
    let room = LISTED_IDS - ids.len();
    ids.extend(rows.iter().take(room).map(|row| row.id));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u32) -> Digest {
        format!("{number:032x}").parse().unwrap()
    }

    /// Rows as state, split and id.
    fn states(rows: &[(u32, Split, u32)]) -> States {
        let row = |&(state, split, id)| StateRow { state: digest(state), split, id: digest(id), scene: 0 };
        let mut rows: Vec<StateRow> = rows.iter().map(row).collect();
        rows.sort_unstable();
        States { scenes: vec!["dots".to_owned()], rows }
    }

    #[test]
    fn shared_states_are_counted_by_splits() {
        use Split::{Test, Train};
        let a = states(&[(1, Train, 10), (2, Train, 20), (2, Train, 21), (3, Test, 30), (9, Test, 90)]);
        let b = states(&[(2, Train, 22), (3, Test, 31), (3, Train, 32), (3, Train, 33), (4, Test, 40)]);
        let leaks = Leaks::between(&a, &b);
        assert_eq!((leaks.shared_states, leaks.a.states, leaks.b.states), (2, 4, 3));
        assert_eq!((leaks.a.torn_states, leaks.b.torn_states), (0, 1));
        assert_eq!(leaks.b.torn[0].splits, [Train, Test]);
        assert_eq!(leaks.b.torn[0].ids, [32, 33, 31].map(digest));
        let found: Vec<_> =
            leaks.shared.iter().map(|s| (s.split_a, s.split_b, s.states, s.rows_a, s.rows_b)).collect();
        assert_eq!(found, [(Train, Train, 1, 2, 1), (Test, Train, 1, 1, 2), (Test, Test, 1, 1, 1)]);
        assert_eq!(leaks.shared[0].ids_a, [20, 21].map(digest));
        assert!(!leaks.is_clean());
    }

    #[test]
    fn nothing_shared_is_clean() {
        let (a, b) = (states(&[(1, Split::Train, 1)]), states(&[(2, Split::Test, 2)]));
        assert!(Leaks::between(&a, &b).is_clean());
        let torn = states(&[(2, Split::Test, 2), (2, Split::Train, 3)]);
        assert!(!Leaks::between(&a, &torn).is_clean());
        assert!(!Leaks::between(&a, &a).is_clean());
    }

    #[test]
    fn few_ids_are_listed() {
        let many = states(&Vec::from_iter((0..20).map(|n| (n, Split::Train, n))));
        let leaks = Leaks::between(&many, &many);
        assert_eq!((leaks.shared[0].states, leaks.shared[0].ids_a.len()), (20, LISTED_IDS));
    }
}
