//! Plans that come from a look at single edges instead of regions.

use topotrace_core::{Game as _, Status};

use super::board::Board;
use super::grid::{Grid, Move, bit, index};

/// Up along the left edge, then right along the top.
pub(super) fn along_the_edge(board: &Board) -> Vec<Move> {
    let side = board.size as usize;
    [vec![Move::U; side], vec![Move::R; side]].concat()
}

/// Up and right in turns.
pub(super) fn staircase(board: &Board) -> Vec<Move> {
    [Move::U, Move::R].repeat(board.size as usize)
}

/// Of the shortest paths from corner to corner the one along which most edges lie between two
/// colors, an edge within one color counting against it.
pub(super) fn straightest_between_colors(board: &Board) -> Vec<Move> {
    // For each vertex, row by row from the bottom, the best score and the last move towards it.
    let side = board.size as usize + 1;
    let mut best: Vec<(i32, Option<Move>)> = vec![(0, None); side * side];
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        let score = |step: Move, row: usize, column: usize| {
            let from = index(column as u32, row as u32);
            (best[row * side + column].0 + contrast(board, from, step), Some(step))
        };
        let from_left = (column > 0).then(|| score(Move::R, row, column - 1));
        let from_below = (row > 0).then(|| score(Move::U, row - 1, column));
        let better = from_left.into_iter().chain(from_below).max_by_key(|(score, _)| *score);
        best[row * side + column] = better.unwrap_or((0, None));
    }
    let (mut row, mut column, mut moves) = (side - 1, side - 1, Vec::new());
    while let (_, Some(step)) = best[row * side + column] {
        moves.push(step);
        if step == Move::R { column -= 1 } else { row -= 1 }
    }
    moves.reverse();
    moves
}

/// From the start on always the move that [`rank`] puts first, until the target is reached or there
/// is no move onward.
pub(super) fn along_borders(board: &Board, budget: u32) -> Vec<Move> {
    let mut walked = board.clone();
    while walked.path.len() < budget as usize && walked.trace().head != board.grid().target() {
        let best = walked.onward().max_by_key(|(step, to)| rank(&walked, *step, *to));
        let Some((step, _)) = best else { break };
        walked.path.push(step);
    }
    walked.path
}

/// As [`along_borders`], after every uncolored cell has got the color of a nearest colored one.
pub(super) fn along_borders_when_filled(board: &Board, budget: u32) -> Vec<Move> {
    let size = board.size as usize;
    let mut filled = board.clone();
    let colored = || (0..board.cells.len()).filter(|place| board.cells[*place] != 0);
    for place in (0..board.cells.len()).filter(|place| board.cells[*place] == 0) {
        let far =
            |other: &usize| (other % size).abs_diff(place % size) + (other / size).abs_diff(place / size);
        filled.cells[place] = colored().min_by_key(far).map_or(0, |nearest| board.cells[nearest]);
    }
    along_borders(&filled, budget)
}

/// What speaks for a move that lengthens the stroke, the weightier first: that it does not end in
/// a dead end; that it runs between two colors and not within one; that it comes nearer to the
/// target.
pub(super) fn rank(board: &Board, step: Move, to: u32) -> (bool, i32, u32) {
    let (grid, trace) = (board.grid(), board.trace());
    let next = trace.onward(step, to);
    let goes_on = to == grid.target() || grid.spread(bit(to)) & !next.visited != 0;
    let nearer = u32::MAX - Grid::distance(to, grid.target());
    (goes_on, contrast(board, trace.head, step), nearer)
}

/// 1 for an edge between two colors, -1 for one within a color, 0 where a side has none.
fn contrast(board: &Board, from: u32, step: Move) -> i32 {
    let (left, right) = board.grid().sides(from, step);
    let color = |cell: u64| if cell == 0 { 0 } else { board.color_at(cell.trailing_zeros()) };
    match (color(left), color(right)) {
        (0, _) | (_, 0) => 0,
        (left, right) if left == right => -1,
        _ => 1,
    }
}

/// The moves that look best one step ahead: of those that lengthen the stroke the ones that
/// [`rank`] highest, apart from their distance to the target; the step back where every other
/// move ends in a dead end or fails at the target.
pub(super) fn best_moves(board: &Board) -> Vec<Move> {
    let grid = board.grid();
    let rated: Vec<(i32, Move)> = board
        .onward()
        .filter(|(step, to)| {
            let fails =
                *to == grid.target() && board.apply(step).is_ok_and(|next| next.status() == Status::Failure);
            rank(board, *step, *to).0 && !fails
        })
        .map(|(step, to)| (rank(board, step, to).1, step))
        .collect();
    let Some(best) = rated.iter().map(|(score, _)| *score).max() else {
        return match board.path.last() {
            Some(last) => vec![last.back()],
            None => board.legal(),
        };
    };
    rated.into_iter().filter(|(score, _)| *score == best).map(|(_, step)| step).collect()
}

#[cfg(test)]
mod tests {
    use super::super::grid::column_and_row;
    use super::*;

    #[test]
    fn every_guess_is_a_path_to_the_target_or_into_a_dead_end() {
        let board = Board { size: 3, cells: vec![1, 1, 2, 0, 3, 2, 3, 3, 2], path: Vec::new() };
        let end = |moves: Vec<Move>| {
            let path = moves.clone();
            Board { path, ..board.clone() }.validate().unwrap();
            let board = Board { path: moves, ..board.clone() };
            column_and_row(board.trace().head)
        };
        assert_eq!(end(along_the_edge(&board)), (3, 3));
        assert_eq!(end(staircase(&board)), (3, 3));
        assert_eq!(end(straightest_between_colors(&board)), (3, 3));
        end(along_borders(&board, 12));
        end(along_borders_when_filled(&board, 12));
    }
}
