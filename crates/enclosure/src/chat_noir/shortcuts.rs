//! Plans that come from a look at the cat's next steps instead of the whole board, and the action
//! that looks best one step ahead.

use topotrace_core::{Game, Status};

use super::board::{Board, Cells};
use super::cut::least_cut;
use super::position::Position;

/// Always the open neighbor of the cat with the least number.
pub(super) fn beside_the_cat(position: &Position, budget: u32) -> Vec<u32> {
    follow(position, budget, |now| {
        let neighbors = now.board().around[now.cat as usize] & now.open();
        Cells::of(neighbors).iter().next()
    })
}

/// Always the next cell of a shortest way of the cat.
pub(super) fn next_on_its_way(position: &Position, budget: u32) -> Vec<u32> {
    follow(position, budget, |now| shortest_way(now).first().copied())
}

/// Always the cell of the rim to which a shortest way of the cat leads.
pub(super) fn end_of_its_way(position: &Position, budget: u32) -> Vec<u32> {
    follow(position, budget, |now| shortest_way(now).last().copied())
}

/// The cells of a least cut around the cat's first cell, in the order of their numbers.
pub(super) fn first_cut(position: &Position) -> Vec<u32> {
    let cut = least_cut(position.board(), position.open(), position.cat, 7);
    Cells::of(cut.cells).iter().collect()
}

/// Always the cell of a least cut around the cat that is nearest to it.
pub(super) fn nearest_of_the_cut(position: &Position, budget: u32) -> Vec<u32> {
    follow(position, budget, |now| {
        let cut = least_cut(now.board(), now.open(), now.cat, 7).cells;
        let mut reached = 1 << now.cat;
        while reached & cut == 0 && cut != 0 {
            reached = now.board().grown(reached);
        }
        Cells::of(reached & cut).iter().next()
    })
}

/// Whether some of these plans traps the cat.
pub(super) fn any_traps(position: &Position) -> bool {
    let all = position.free().count_ones();
    let plans = [beside_the_cat, next_on_its_way, end_of_its_way, nearest_of_the_cut];
    plans.iter().any(|plan| traps(position, &plan(position, all))) || traps(position, &first_cut(position))
}

/// Whether a plan traps the cat. What is illegal on the way changes nothing.
fn traps(position: &Position, plan: &[u32]) -> bool {
    let mut now = position.clone();
    for cell in plan {
        now = now.apply(cell).unwrap_or(now);
    }
    now.status() == Status::Success
}

/// Plays on with what `choose` says until the game ends or the budget is used up.
fn follow(position: &Position, budget: u32, choose: impl Fn(&Position) -> Option<u32>) -> Vec<u32> {
    let mut now = position.clone();
    let mut plan = Vec::new();
    while (plan.len() as u32) < budget && !now.legal().is_empty() {
        let Some(cell) = choose(&now) else { break };
        let Ok(next) = now.apply(&cell) else { break };
        plan.push(cell);
        now = next;
    }
    plan
}

/// A shortest way of the cat to the rim without its own cell; of neighbors that are equally near,
/// the one with the least number.
fn shortest_way(position: &Position) -> Vec<u32> {
    let (board, open) = (position.board(), position.open());
    let mut way = Vec::new();
    let mut at = position.cat;
    for wanted in (0..distance(board, open, at)).rev() {
        let neighbors = Cells::of(board.around[at as usize] & open);
        let mut nearer = neighbors.iter().filter(|cell| distance(board, open, *cell) == wanted);
        let Some(next) = nearer.next() else { break };
        way.push(next);
        at = next;
    }
    way
}

/// Steps over open cells from a cell to the rim; 64 when there is no way.
fn distance(board: &Board, open: u64, cell: u32) -> u32 {
    let (mut reached, mut distance) = (1_u64 << cell, 0);
    while reached & board.rim == 0 {
        let next = board.grown(reached) & open;
        if next | reached == reached {
            return 64;
        }
        reached |= next;
        distance += 1;
    }
    distance
}

/// The legal blocks that look best: those that trap the cat at once; else those after which the
/// cat is not out and the least cut around it is smallest; among equals, those after which it is
/// farthest from the rim.
pub(super) fn best_blocks(position: &Position) -> Vec<u32> {
    let mut best = ((3, 0, 0), Vec::new());
    for cell in position.legal() {
        let Ok(next) = position.apply(&cell) else { continue };
        let rank = rank(&next);
        if best.1.is_empty() || rank < best.0 {
            best = (rank, vec![cell]);
        } else if rank == best.0 {
            best.1.push(cell);
        }
    }
    best.1
}

/// The blocks of a game in which always the first of the best-looking ones is chosen, if they trap
/// the cat.
pub(super) fn trap_by_best_blocks(position: &Position) -> Option<Vec<u32>> {
    let plan = follow(position, u32::MAX, |now| best_blocks(now).first().copied());
    traps(position, &plan).then_some(plan)
}

/// The less, the better: the outcome, the size of a least cut, the distance that is missing.
fn rank(position: &Position) -> (u32, usize, u32) {
    let (board, open) = (position.board(), position.open());
    if board.rim >> position.cat & 1 == 1 {
        return (2, 0, 0);
    }
    match least_cut(board, open, position.cat, 7).size {
        0 => (0, 0, 0),
        size => (1, size, 64 - distance(board, open, position.cat)),
    }
}
