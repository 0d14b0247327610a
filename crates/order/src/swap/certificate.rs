//! What proves that a plan works and that no shorter one does, and its checker.

use serde::{Deserialize, Serialize};
use topotrace_core::{Answer, Flaw, Outcome, ensure};

use super::board::{BLANK, Board, Cell};
use super::cycles;

/// Cells whose contents change places in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycle {
    /// Whether the blank lies in one of the cells.
    pub blank: bool,
    /// Two cells or more: what lies in a cell belongs in the next one, and what lies in the last
    /// one belongs in the first.
    pub cells: Vec<Cell>,
}

/// What proves that a plan reaches the goal and is a shortest one: the cycles of the board.
///
/// Let a cycle of `k` cells cost `k - 1` when it holds the blank and `k + 1` when it doesn't, and a
/// board the sum of its cycles. The goal costs 0, and no other board does: what is not in place
/// lies in a cycle. An action exchanges what lies in two cells, of which one is the blank's, and so
/// it touches the blank's cycle, of `k` cells (1 where the blank is in place), in one of two ways.
///
/// * The other cell lies in the same cycle. The cycle then falls in two, of `j` cells with the
///   blank and of `k - j` without. Instead of `k - 1` they cost `(j - 1) + (k - j + 1)`, which is
///   one more; or, where `k - j` is 1 and that one cell is in place now, `j - 1`, which is one less.
/// * The other cell lies outside, in a cycle of `l` cells or, with `l` = 1, in place. Both become
///   one cycle with the blank. Instead of `(k - 1) + (l + 1)` it costs `k + l - 1`, which is one
///   less; or, where `l` is 1, `k` instead of `k - 1`, which is one more.
///
/// No action takes off more than one, so a plan has at least as many actions as the board costs.
/// The checker adds up the costs and runs the plan; this reasoning is all that is left to believe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapProof {
    /// The number of actions of a shortest plan: the sum of what the cycles cost.
    pub least: u32,
    /// All cells whose contents are not in place, each in one cycle.
    pub cycles: Vec<Cycle>,
}

impl SwapProof {
    /// The proof for a board.
    pub(super) fn of(board: &Board) -> Self {
        let listed = |cycle: Vec<usize>| Cycle {
            blank: board.current[cycle[0]] == BLANK,
            cells: cycle.into_iter().map(|index| board.cell(index)).collect(),
        };
        let cycles = cycles::cycles(board).into_iter().map(listed).collect();
        SwapProof { least: cycles::distance(board), cycles }
    }
}

/// Checks that the cycles are those of the board, that the plan has as many actions as they cost,
/// and that it reaches the goal with its last action.
///
/// # Errors
/// Names the first thing that does not hold.
pub(super) fn check(board: &Board, outcome: &Outcome<SwapProof>) -> Result<(), Flaw> {
    let Answer::Plan(plan) = &outcome.answer else { return Err(Flaw::new("the answer is no plan")) };
    let SwapProof { least, cycles } = &outcome.evidence;
    let width = board.columns as usize;
    let place = |cell: &Cell| {
        let inside = cell.row < board.rows && cell.col < board.columns;
        let off_board = || Flaw::new(format!("there is no cell at row {}, col {}", cell.row, cell.col));
        inside.then_some(cell.row as usize * width + cell.col as usize).ok_or_else(off_board)
    };

    let mut listed = vec![false; board.current.len()];
    let mut costs = 0;
    for cycle in cycles {
        ensure(cycle.cells.len() > 1, || "a cycle has fewer than two cells".to_owned())?;
        let mut blank = false;
        for (cell, next) in cycle.cells.iter().zip(cycle.cells.iter().cycle().skip(1)) {
            let (from, to) = (place(cell)?, place(next)?);
            let (row, col) = (cell.row, cell.col);
            ensure(!std::mem::replace(&mut listed[from], true), || {
                format!("row {row}, col {col} is listed twice")
            })?;
            ensure(board.current[from] == board.goal[to], || {
                format!("what lies at row {row}, col {col} doesn't belong in the next cell of its cycle")
            })?;
            blank |= board.current[from] == 0;
        }
        ensure(blank == cycle.blank, || "a cycle is wrong about the blank".to_owned())?;
        costs += cycle.cells.len() + 1 - if blank { 2 } else { 0 };
    }
    let misplaced = (0..listed.len()).find(|at| !listed[*at] && board.current[*at] != board.goal[*at]);
    ensure(misplaced.is_none(), || "a cell that is not in place is in no cycle".to_owned())?;
    ensure(costs == *least as usize && costs == plan.len(), || {
        format!("the plan has {} actions, the proof says {least}, its cycles cost {costs}", plan.len())
    })?;

    let mut blocks = board.current.clone();
    for action in plan {
        let cell: Cell = serde_json::from_str(action.as_str())
            .map_err(|e| Flaw::new(format!("the plan holds what is no action: {e}")))?;
        let at = place(&cell)?;
        let blank = blocks.iter().position(|block| *block == 0);
        let blank =
            blank.filter(|blank| *blank != at).ok_or_else(|| Flaw::new("the plan moves the blank"))?;
        (blocks[at], blocks[blank]) = (0, blocks[at]);
    }
    ensure(blocks == board.goal, || "the plan doesn't reach the goal".to_owned())
}
