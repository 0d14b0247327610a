//! What proves that a plan works, and its checker.

use serde::{Deserialize, Serialize};
use topotrace_core::{Answer, Flaw, Outcome, ensure};

use super::board::{Board, Cell, EAST, NORTH, SOUTH, WEST};

/// A side of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Towards the row above.
    Up,
    /// Towards the column to the right.
    Right,
    /// Towards the row below.
    Down,
    /// Towards the column to the left.
    Left,
}

/// How often a pipe is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turned {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// Clockwise quarter turns, from 1 to 3.
    pub turns: u8,
}

/// On which neighbor a pipe of the solved board hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hold {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// The side of the neighbor, which is the source or stands earlier in the list.
    pub by: Side,
}

/// What proves that a plan reaches the goal.
///
/// It proves that the goal is reached and counts the actions. That no shorter plan does is not
/// in it: that takes a search, and the recount by dynamic programming is the second one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipeProof {
    /// The number of actions of a shortest plan.
    pub least: u32,
    /// The pipes that are turned, row by row.
    pub turns: Vec<Turned>,
    /// All pipes but the source, each after the one on which it hangs when all turns are done.
    pub holds: Vec<Hold>,
}

impl PipeProof {
    /// The proof for turns (row by row, one number a cell) that solve a board.
    pub(super) fn of(board: &Board, turns: &[u8]) -> Self {
        let mut solved = board.clone();
        let mut list = Vec::new();
        for (index, &turns) in turns.iter().enumerate().filter(|(_, turns)| **turns > 0) {
            let Cell { x, y } = board.cell(index);
            list.push(Turned { x, y, turns });
            let openings = solved.cells[index];
            solved.cells[index] = (openings << turns | openings >> (4 - turns)) & 15;
        }
        let least = turns.iter().map(|turns| u32::from(*turns)).sum();
        PipeProof { least, turns: list, holds: holds(&solved) }
    }
}

/// The pipes of a solved board in the order of a search from the source.
fn holds(solved: &Board) -> Vec<Hold> {
    const BACK: [(u8, u8, Side); 4] = [
        (NORTH, SOUTH, Side::Down),
        (EAST, WEST, Side::Left),
        (SOUTH, NORTH, Side::Up),
        (WEST, EAST, Side::Right),
    ];
    let mut order: Vec<usize> = solved.index(solved.source).into_iter().collect();
    let mut holds = Vec::new();
    let mut at = 0;
    while let Some(&index) = order.get(at) {
        at += 1;
        for (opening, back, by) in BACK {
            let Some(next) = solved.beside(index, opening) else { continue };
            let joined = solved.cells[index] & opening != 0 && solved.cells[next] & back != 0;
            if joined && !order.contains(&next) {
                order.push(next);
                let Cell { x, y } = solved.cell(next);
                holds.push(Hold { x, y, by });
            }
        }
    }
    holds
}

/// Checks that a plan is the proof's, reaches the goal, and is as long as the proof says.
///
/// # Errors
/// Names the first thing that does not hold.
pub(super) fn check(board: &Board, outcome: &Outcome<PipeProof>) -> Result<(), Flaw> {
    let Answer::Plan(plan) = &outcome.answer else { return Err(Flaw::new("the answer is no plan")) };
    let proof = &outcome.evidence;
    ensure(plan.len() as u64 == u64::from(proof.least), || {
        format!("the plan has {} actions, the proof says {}", plan.len(), proof.least)
    })?;
    let width = board.size as usize;
    let place = |x: u32, y: u32| {
        let index = (x < board.size && y < board.size).then(|| y as usize * width + x as usize);
        index.filter(|at| board.cells.get(*at).is_some_and(|openings| *openings != 0))
    };
    let no_pipe = |x: u32, y: u32| Flaw::new(format!("there is no pipe at x {x}, y {y}"));

    // The plan, action by action, on a copy of the cells.
    let mut cells = board.cells.clone();
    let mut counts = vec![0_u8; cells.len()];
    for action in plan {
        let Cell { x, y } = serde_json::from_str(action.as_str())
            .map_err(|e| Flaw::new(format!("the plan holds what is no action: {e}")))?;
        let at = place(x, y).ok_or_else(|| no_pipe(x, y))?;
        cells[at] = if cells[at] & 8 != 0 { (cells[at] & 7) * 2 + 1 } else { cells[at] * 2 };
        counts[at] = counts[at].saturating_add(1);
    }
    for turned in &proof.turns {
        let at = place(turned.x, turned.y).ok_or_else(|| no_pipe(turned.x, turned.y))?;
        ensure((1..=3).contains(&turned.turns) && counts[at] == turned.turns, || {
            format!("the plan doesn't turn x {}, y {} as the proof says", turned.x, turned.y)
        })?;
        counts[at] = 0;
    }
    ensure(counts.iter().all(|count| *count == 0), || "the plan turns what the proof doesn't".to_owned())?;

    // The tree: every pipe but the source hangs on the source or on one that hangs already.
    let mut hangs = vec![false; cells.len()];
    let source =
        place(board.source.x, board.source.y).ok_or_else(|| no_pipe(board.source.x, board.source.y))?;
    hangs[source] = true;
    for hold in &proof.holds {
        let at = place(hold.x, hold.y).ok_or_else(|| no_pipe(hold.x, hold.y))?;
        let (x, y, own, other) = match hold.by {
            Side::Up => (hold.x, hold.y.wrapping_sub(1), 1, 4),
            Side::Right => (hold.x + 1, hold.y, 2, 8),
            Side::Down => (hold.x, hold.y + 1, 4, 1),
            Side::Left => (hold.x.wrapping_sub(1), hold.y, 8, 2),
        };
        let beside = place(x, y).ok_or_else(|| no_pipe(x, y))?;
        ensure(cells[at] & own != 0 && cells[beside] & other != 0 && hangs[beside], || {
            format!("x {}, y {} doesn't hang on what the proof says", hold.x, hold.y)
        })?;
        hangs[at] = true;
    }
    ensure(cells.iter().zip(&hangs).all(|(openings, hangs)| *openings == 0 || *hangs), || {
        "a pipe is missing in the proof".to_owned()
    })
}
