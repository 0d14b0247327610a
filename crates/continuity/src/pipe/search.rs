//! The least number of turns by search: what each piece forces on its neighbors is worked out
//! first, and only what stays open is tried.
//!
//! The inferences are those of players of such puzzles: a side that all remaining positions of a
//! piece open, or none, decides the same side of its neighbor; a side between two pieces that hang
//! together already must stay closed, or there would be a loop; a part with no way out is dead. A
//! branch ends when the least turns of what is left already reach the best plan known.

use super::board::{Board, STEPS, opposite, turned};
use super::grammar::is_straight;

/// Nodes of a search after which it is given up. Boards of the hard tier take ten at most; this
/// many take a fraction of a second.
pub(super) const MOST_NODES: u32 = 20_000;

/// Cells of the greatest board.
const CELLS: usize = 64;

/// A least solution.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// Clockwise turns of every cell, row by row.
    pub(super) turns: Vec<u8>,
    /// Their sum.
    pub(super) least: u32,
    /// The number of nodes that were searched.
    pub(super) nodes: u32,
}

/// The search came to [`MOST_NODES`] before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooMany;

/// The fewest clockwise turns that connect all pipes; `None` when none do. For boards that
/// [`Board::validate`] accepts.
///
/// # Errors
/// When the board takes more than [`MOST_NODES`] nodes.
pub(super) fn search(board: &Board) -> Result<Option<Found>, TooMany> {
    let mut search = Search { board, pipes: board.pipes().collect(), nodes: 0, best: None };
    let mut turns = [0_u8; CELLS];
    for &index in &search.pipes {
        turns[index] = if is_straight(board.cells[index]) { 0b0011 } else { 0b1111 };
    }
    search.visit(turns)?;
    let nodes = search.nodes;
    Ok(search.best.map(|(least, turns)| Found { turns, least, nodes }))
}

struct Search<'a> {
    board: &'a Board,
    pipes: Vec<usize>,
    nodes: u32,
    best: Option<(u32, Vec<u8>)>,
}

/// For every cell the numbers of turns that are still possible, as bits 0 to 3.
type Possible = [u8; CELLS];

/// What the sides of a piece are in all, and in any, of its possible positions.
#[derive(Clone, Copy, PartialEq)]
struct Sides {
    surely: u8,
    maybe: u8,
}

/// [`Sides`] by openings and possible turns.
static SIDES: [[Sides; 16]; 16] = {
    let mut table = [[Sides { surely: 15, maybe: 0 }; 16]; 16];
    let mut openings = 0;
    while openings < 16 {
        let mut possible = 0;
        while possible < 16 {
            let (mut position, mut turns) = (openings as u8, 0);
            while turns < 4 {
                if possible >> turns & 1 == 1 {
                    table[openings][possible].surely &= position;
                    table[openings][possible].maybe |= position;
                }
                position = turned(position);
                turns += 1;
            }
            possible += 1;
        }
        openings += 1;
    }
    table
};

impl Search<'_> {
    fn visit(&mut self, mut possible: Possible) -> Result<(), TooMany> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(TooMany);
        }
        if !self.infer(&mut possible) {
            return Ok(());
        }
        let least: u32 = self.pipes.iter().map(|&index| possible[index].trailing_zeros()).sum();
        if self.best.as_ref().is_some_and(|(best, _)| least >= *best) {
            return Ok(());
        }
        let open = self.pipes.iter().copied().filter(|&index| possible[index].count_ones() > 1);
        let Some(index) = open.min_by_key(|&index| possible[index].count_ones()) else {
            let turns = |index: usize| {
                if self.board.cells[index] == 0 { 0 } else { possible[index].trailing_zeros() as u8 }
            };
            self.best = Some((least, (0..self.board.cells.len()).map(turns).collect()));
            return Ok(());
        };
        for turns in (0..4).filter(|turns| possible[index] >> turns & 1 == 1) {
            let mut next = possible;
            next[index] = 1 << turns;
            self.visit(next)?;
        }
        Ok(())
    }

    fn sides(&self, index: usize, possible: &Possible) -> Sides {
        SIDES[usize::from(self.board.cells[index] & 15)][usize::from(possible[index] & 15)]
    }

    /// Draws all inferences; false when there is a contradiction.
    fn infer(&self, possible: &mut Possible) -> bool {
        loop {
            if !self.settle_sides(possible) {
                return false;
            }
            match self.close_loops(possible) {
                None => return false,
                Some(false) => return true,
                Some(true) => {}
            }
        }
    }

    /// Makes neighbors agree on the side that they share until nothing changes.
    fn settle_sides(&self, possible: &mut Possible) -> bool {
        loop {
            let mut changed = false;
            for &index in &self.pipes {
                let (mut open, mut closed) = (0, 0);
                for (opening, _, _) in STEPS {
                    let beside = self.board.beside(index, opening).filter(|&at| self.board.cells[at] != 0);
                    match beside.map(|at| self.sides(at, possible)) {
                        Some(sides) if sides.surely & opposite(opening) != 0 => open |= opening,
                        Some(sides) if sides.maybe & opposite(opening) != 0 => {}
                        _ => closed |= opening,
                    }
                }
                changed |= self.restrict(index, open, closed, possible);
                if possible[index] == 0 {
                    return false;
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// Keeps the positions of a piece that open all sides of `open` and none of `closed`.
    fn restrict(&self, index: usize, open: u8, closed: u8, possible: &mut Possible) -> bool {
        let before = possible[index];
        let mut position = self.board.cells[index];
        for turns in 0..4 {
            if position & open != open || position & closed != 0 {
                possible[index] &= !(1 << turns);
            }
            position = turned(position);
        }
        possible[index] != before
    }

    /// Closes the sides that would close a loop. Whether any was closed; `None` when there is a
    /// loop already, or a part that nothing can join to the rest.
    fn close_loops(&self, possible: &mut Possible) -> Option<bool> {
        let mut part = [0_u8; CELLS];
        for &index in &self.pipes {
            part[index] = index as u8;
        }
        fn root(part: &[u8; CELLS], mut index: usize) -> usize {
            while usize::from(part[index]) != index {
                index = usize::from(part[index]);
            }
            index
        }
        // East and south only: every pair of neighbors once.
        let pairs = || {
            self.pipes.iter().flat_map(|&index| {
                STEPS[1..3].iter().filter_map(move |&(opening, _, _)| {
                    let beside = self.board.beside(index, opening)?;
                    (self.board.cells[beside] != 0).then_some((index, opening, beside))
                })
            })
        };
        let mut parts = self.pipes.len();
        for (index, opening, beside) in pairs() {
            if self.sides(index, possible).surely & opening != 0 {
                let (a, b) = (root(&part, index), root(&part, beside));
                if a == b {
                    return None;
                }
                part[b] = a as u8;
                parts -= 1;
            }
        }
        let mut open_parts = 0_u64;
        let mut changed = false;
        for (index, opening, beside) in pairs() {
            let sides = self.sides(index, possible);
            if sides.maybe & opening == 0 || sides.surely & opening != 0 {
                continue;
            }
            let (a, b) = (root(&part, index), root(&part, beside));
            if a == b {
                changed |= self.restrict(index, 0, opening, possible);
                changed |= self.restrict(beside, 0, opposite(opening), possible);
            } else {
                open_parts |= 1 << a | 1 << b;
            }
        }
        // Where sides were closed, others may have been decided on the way and were not counted.
        (changed || parts == 1 || open_parts.count_ones() as usize == parts).then_some(changed)
    }
}
