//! What proves that a plan traps the cat, and its checker.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use topotrace_core::{Answer, Flaw, Game, Outcome, ensure};

use super::board::{Board, Cells};
use super::cat::Habit;
use super::forced::{self, Coins};
use super::position::Position;
use super::replay::Replay;

/// What proves that a plan reaches the goal.
///
/// It proves that the cat is trapped and counts the blocks. That no shorter plan traps it, and
/// what trapping it depends on, is not in it: both take a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrapProof {
    /// The number of blocks of a shortest plan.
    pub least: u32,
    /// Where the cat stands from the beginning on, one cell for each block: it does not step after
    /// the last one.
    pub way: Vec<u32>,
    /// Blocked cells that go around the cat in the end, each next to the one before it and the
    /// first one next to the last.
    pub ring: Vec<u32>,
    /// Whether trapping the cat takes knowing its coins.
    pub coins: Coins,
}

impl TrapProof {
    /// The proof for a shortest plan.
    pub(super) fn of(position: &Position, plan: &[u32]) -> Self {
        let mut way = Vec::with_capacity(plan.len());
        let mut end = position.clone();
        for cell in plan {
            way.push(end.cat);
            end = end.apply(cell).unwrap_or(end);
        }
        let coins = forced::coins(position);
        TrapProof { least: plan.len() as u32, way, ring: shortest_ring(&end), coins }
    }
}

/// The shortest ring of blocked cells around the cat; empty where there is none.
///
/// A closed chain of cells goes around the cat just when it crosses the ray from the cat to the
/// right an odd number of times. So the search keeps whether it has crossed it, and the shortest
/// chain from a cell on the ray back to it with an odd number is looked for.
fn shortest_ring(position: &Position) -> Vec<u32> {
    let board = position.board();
    let (column, row) = board.places[position.cat as usize & 63];
    let on_ray = |cell: u32| {
        let place = board.places[cell as usize];
        place.1 == row && place.0 > column
    };
    let below = |cell: u32| board.places[cell as usize].1 == row + 1;
    let crosses = |a: u32, b: u32| on_ray(a) && below(b) || on_ray(b) && below(a);
    let starts = position.blocked.iter().filter(|cell| on_ray(*cell));
    let rings = starts.filter_map(|start| odd_chain(board, position.blocked, start, crosses));
    rings.min_by_key(Vec::len).unwrap_or_default()
}

/// The shortest closed chain of `cells` from `start` with an odd number of crossings.
fn odd_chain(
    board: &Board,
    cells: Cells,
    start: u32,
    crosses: impl Fn(u32, u32) -> bool,
) -> Option<Vec<u32>> {
    let mut before = [[None; 64]; 2];
    let mut queue = VecDeque::from([(start, false)]);
    while let Some((at, odd)) = queue.pop_front() {
        for next in Cells::of(board.around[at as usize] & cells.bits()).iter() {
            let next_odd = odd != crosses(at, next);
            if before[usize::from(next_odd)][next as usize].is_some() || (next, next_odd) == (start, false) {
                continue;
            }
            before[usize::from(next_odd)][next as usize] = Some((at, odd));
            queue.push_back((next, next_odd));
        }
    }
    let mut chain = Vec::new();
    let mut at = before[1][start as usize]?;
    loop {
        chain.push(at.0);
        if at == (start, false) {
            return Some(chain);
        }
        at = before[usize::from(at.1)][at.0 as usize]?;
    }
}

/// Checks that a plan traps the cat, not before its last block, and that the ring goes around it.
/// The plan is carried out by code that is there for this alone.
///
/// # Errors
/// Names the first thing that does not hold.
pub(super) fn check(position: &Position, outcome: &Outcome<TrapProof>) -> Result<(), Flaw> {
    let Answer::Plan(plan) = &outcome.answer else { return Err(Flaw::new("the answer is no plan")) };
    let proof = &outcome.evidence;
    ensure(plan.len() as u64 == u64::from(proof.least), || {
        format!("the plan has {} actions, the proof says {}", plan.len(), proof.least)
    })?;
    let with_coins = matches!(position.habit, Habit::Wandering | Habit::WanderingBrowser);
    ensure(with_coins == (proof.coins != Coins::None), || {
        "the proof has coins where the habit has none, or none where it has some".to_owned()
    })?;

    let mut way = Vec::new();
    let mut replay = Replay::new(position);
    for action in plan {
        let cell: u32 = serde_json::from_str(action.as_str())
            .map_err(|e| Flaw::new(format!("the plan holds what is no action: {e}")))?;
        way.push(replay.cat());
        replay.block(cell)?;
    }
    ensure(!replay.has_way_out(), || "the plan does not trap the cat".to_owned())?;
    ensure(way == proof.way, || format!("the cat goes {way:?}, not {:?}", proof.way))?;
    replay.check_ring(&proof.ring)
}
