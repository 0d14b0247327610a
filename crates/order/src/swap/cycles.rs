//! A shortest plan from the cycles of a board.
//!
//! Walk from a cell to the one where its block belongs, and on from there: the way comes back to
//! where it began. Such a cycle of `k` cells takes `k - 1` actions when the blank is in it, for
//! then every action brings a block home, and `k + 1` when it is not: one more to bring the blank
//! in and one to take it out. Why fewer never do is told with the certificate.

use super::board::{BLANK, Board, MAX_CELLS, place};

/// The cycles of two cells or more, each in such an order that what lies in a cell belongs in the
/// next one, and what lies in the last one in the first. The blank's cycle comes first, beginning
/// with the blank; the others follow in the order of their first cells.
pub(super) fn cycles(board: &Board) -> Vec<Vec<usize>> {
    let mut visited = [false; MAX_CELLS];
    let mut cycles = Vec::new();
    for start in board.blank().into_iter().chain(0..board.current.len()) {
        let mut cycle = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut visited[at], true) {
            cycle.push(at);
            let Some(next) = place(&board.goal, board.current[at]) else { break };
            at = next;
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

/// The cells whose blocks change places with the blank, one after the other, in a plan without a
/// needless action: the blank's cycle, then the others in their order.
pub(super) fn shortest(board: &Board) -> Vec<usize> {
    let mut plan = Vec::new();
    let Some(home) = place(&board.goal, BLANK) else { return plan };
    for cycle in cycles(board) {
        // Against the order of the cycle: the block of the cell before belongs where the blank is.
        let backwards = cycle[1..].iter().rev();
        if board.current[cycle[0]] == BLANK {
            plan.extend(backwards);
        } else {
            plan.push(cycle[0]);
            plan.extend(backwards);
            plan.push(home);
        }
    }
    plan
}

/// The number of actions of a shortest plan.
pub(super) fn distance(board: &Board) -> u32 {
    let with_blank = |cycle: &Vec<usize>| board.current[cycle[0]] == BLANK;
    let cost = |cycle: Vec<usize>| if with_blank(&cycle) { cycle.len() - 1 } else { cycle.len() + 1 };
    cycles(board).into_iter().map(cost).sum::<usize>() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use topotrace_core::{Game as _, Status};

    #[test]
    fn a_plan_follows_the_cycles() {
        // The blank, 1 and 2 go round; 3 and 4 are exchanged; 5 is in its place.
        let board =
            Board { rows: 2, columns: 3, current: vec![0, 1, 2, 4, 3, 5], goal: vec![2, 0, 1, 3, 4, 5] };
        assert_eq!(cycles(&board), [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(shortest(&board), [2, 1, 3, 4, 1]);
        assert_eq!(distance(&board), 5);
        let apply = |board: Board, at: usize| board.apply(&board.cell(at)).unwrap();
        assert_eq!(shortest(&board).into_iter().fold(board, apply).status(), Status::Success);
    }
}
