//! Plans that come from a look at single cells instead of the way all blocks have to go.

use topotrace_core::Game as _;

use super::board::{BLANK, Board, place};

/// Fills the blank with the block that belongs there until the blank is in place, and stops.
pub(super) fn fill_the_blank(board: &Board) -> Vec<usize> {
    let mut blocks = board.current.clone();
    let mut plan = Vec::new();
    while let Some(blank) = place(&blocks, BLANK).filter(|blank| board.goal[*blank] != BLANK) {
        let Some(from) = place(&blocks, board.goal[blank]) else { break };
        blocks.swap(from, blank);
        plan.push(from);
    }
    plan
}

/// Puts the right block in one cell after the other, row by row: first takes out the block that
/// lies there, unless the blank does, then fetches the right one from where the first picture
/// shows it. The cell in which the blank is wanted is skipped.
///
/// With a look at where each block has gone by then, the same would reach the goal in the end:
/// that is no shortcut but a whole solution, and often a few actions too long.
pub(super) fn cell_by_cell(board: &Board) -> Vec<usize> {
    let mut plan = Vec::new();
    for (cell, &wanted) in board.goal.iter().enumerate() {
        if wanted == BLANK || board.current[cell] == wanted {
            continue;
        }
        if board.current[cell] != BLANK {
            plan.push(cell);
        }
        plan.extend(place(&board.current, wanted));
    }
    plan
}

/// Every block that is not in place once, row by row.
pub(super) fn every_misplaced_block_once(board: &Board) -> Vec<usize> {
    let misplaced = |at: &usize| board.current[*at] != board.goal[*at] && board.current[*at] != BLANK;
    (0..board.current.len()).filter(misplaced).collect()
}

/// Always the swap after which most cells are as in the goal, the first of them row by row.
pub(super) fn most_cells_right_next(board: &Board, budget: u32) -> Vec<usize> {
    let mut board = board.clone();
    let mut plan = Vec::new();
    for _ in 0..budget {
        let Some(cell) = best_swaps(&board).into_iter().next() else { break };
        let Ok(next) = board.apply(&board.cell(cell)) else { break };
        board = next;
        plan.push(cell);
    }
    plan
}

/// The swaps after which most cells are as in the goal, the blank's among them: their cells, row
/// by row. None when the board is as wanted.
pub(super) fn best_swaps(board: &Board) -> Vec<usize> {
    let Some(blank) = board.blank().filter(|_| board.current != board.goal) else { return Vec::new() };
    let gain = |cell: usize| {
        let right = |block: u8, at: usize| i32::from(board.goal[at] == block);
        let block = board.current[cell];
        right(block, blank) + right(BLANK, cell) - right(block, cell) - right(BLANK, blank)
    };
    let cells = (0..board.current.len()).filter(|cell| *cell != blank);
    let best = cells.clone().map(gain).max().unwrap_or(0);
    cells.filter(|cell| gain(*cell) == best).collect()
}
