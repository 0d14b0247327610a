//! Plans that come from a look at single pieces instead of the whole board.

use topotrace_core::Game;

use super::board::{Board, Cell, EAST, NORTH, SOUTH, STEPS, WEST, opposite, turned};

/// Every pipe once.
pub(super) fn every_pipe_once(board: &Board) -> Vec<Cell> {
    board.pipes().map(|index| board.cell(index)).collect()
}

/// Always the turn after which most pipes are connected, the first of them row by row.
pub(super) fn most_connected_next(board: &Board, budget: u32) -> Vec<Cell> {
    let mut board = board.clone();
    let mut plan = Vec::new();
    for _ in 0..budget {
        // The greatest count wins, and among equals the first, which has the least index.
        let Some((next, _, cell)) = best_turns(&board).into_iter().next() else { break };
        plan.push(cell);
        board = next;
    }
    plan
}

/// The turns after which most pipes are connected: the board after each, the number, the cell.
pub(super) fn best_turns(board: &Board) -> Vec<(Board, usize, Cell)> {
    let mut best: Vec<(Board, usize, Cell)> = Vec::new();
    for cell in board.legal() {
        let Ok(next) = board.apply(&cell) else { continue };
        let count = next.connected_count();
        let record = best.first().map_or(0, |(_, count, _)| *count);
        if count > record {
            best.clear();
        }
        if count >= record {
            best.push((next, count, cell));
        }
    }
    best
}

/// Each pipe until it opens neither to the frame nor to an empty cell.
pub(super) fn away_from_nothing(board: &Board) -> Vec<Cell> {
    piece_by_piece(board, |board, index, openings| {
        STEPS
            .iter()
            .all(|(opening, _, _)| openings & opening == 0 || board.openings_beside(index, *opening) != 0)
    })
}

/// Each pipe, row by row, until it fits the pipes above and to the left as they have been turned
/// and opens neither to the frame nor to an empty cell.
pub(super) fn fit_above_and_left(board: &Board) -> Vec<Cell> {
    piece_by_piece(board, |board, index, openings| {
        let fits_behind = [NORTH, WEST]
            .into_iter()
            .all(|side| (openings & side != 0) == (board.openings_beside(index, side) & opposite(side) != 0));
        let fits_ahead = [EAST, SOUTH]
            .into_iter()
            .all(|side| openings & side == 0 || board.openings_beside(index, side) != 0);
        fits_behind && fits_ahead
    })
}

/// Turns each pipe, row by row, to the first of its positions that `fits`; leaves it where none
/// does. `fits` sees the board with the earlier pipes as they were turned.
fn piece_by_piece(board: &Board, fits: impl Fn(&Board, usize, u8) -> bool) -> Vec<Cell> {
    let mut board = board.clone();
    let mut turns = vec![0_u8; board.cells.len()];
    for index in board.pipes().collect::<Vec<_>>() {
        let mut openings = board.cells[index];
        for count in 0..4 {
            if fits(&board, index, openings) {
                turns[index] = count;
                board.cells[index] = openings;
                break;
            }
            openings = turned(openings);
        }
    }
    board.plan(&turns)
}
