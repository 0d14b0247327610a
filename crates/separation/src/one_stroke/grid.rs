//! Vertices, cells and edges as bits.
//!
//! A vertex and a cell both have an index: eight times the row, from 0 at the bottom, plus the
//! column. The cell of an index has the vertex of the same index at its bottom left. An edge has
//! the index of its lower or left end.

use serde::{Deserialize, Serialize};

/// Indices from one row to the next.
const ROW: u32 = 8;
/// The vertices of the leftmost column.
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
/// The vertex at the bottom left, where every stroke starts.
pub(super) const START: u32 = 0;

/// A step along one edge of the grid: an action of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Move {
    /// To the vertex above.
    U,
    /// To the vertex below.
    D,
    /// To the vertex at the left.
    L,
    /// To the vertex at the right.
    R,
}

impl Move {
    /// All moves, in the order in which they are listed.
    pub const ALL: [Move; 4] = [Move::U, Move::D, Move::L, Move::R];

    /// The letter that stands for the move: `U`, `D`, `L` or `R`.
    pub const fn letter(self) -> char {
        match self {
            Move::U => 'U',
            Move::D => 'D',
            Move::L => 'L',
            Move::R => 'R',
        }
    }

    /// The move of a letter, if it is one of the four.
    pub fn of_letter(letter: char) -> Option<Move> {
        Move::ALL.into_iter().find(|step| step.letter() == letter)
    }

    /// The move back along the same edge.
    pub const fn back(self) -> Move {
        match self {
            Move::U => Move::D,
            Move::D => Move::U,
            Move::L => Move::R,
            Move::R => Move::L,
        }
    }
}

/// Column and row (from the bottom) of an index.
pub(super) const fn column_and_row(index: u32) -> (u32, u32) {
    (index % ROW, index / ROW)
}

/// The index of a column and a row (from the bottom).
pub(super) const fn index(column: u32, row: u32) -> u32 {
    row * ROW + column
}

/// The bit of an index.
pub(super) const fn bit(index: u32) -> u64 {
    1 << index
}

/// The indices in a set.
pub(super) fn indices(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lowest < u64::BITS).then_some(lowest)
    })
}

/// A grid of so many cells along a side, from 1 to 7.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) size: u32,
}

impl Grid {
    /// All cells.
    pub(super) const fn cells(self) -> u64 {
        square(self.size)
    }

    /// All vertices.
    pub(super) const fn vertices(self) -> u64 {
        square(self.size + 1)
    }

    /// The vertices on the outline of the board.
    pub(super) const fn outline(self) -> u64 {
        // What is left, moved up and right by one, are the vertices inside.
        self.vertices() & !(square(self.size - 1) << (ROW + 1))
    }

    /// The vertex at the top right.
    pub(super) const fn target(self) -> u32 {
        index(self.size, self.size)
    }

    /// The vertex to which a move leads, if it lies on the board.
    pub(super) const fn beside(self, vertex: u32, step: Move) -> Option<u32> {
        let (column, row) = column_and_row(vertex);
        match step {
            Move::U if row < self.size => Some(vertex + ROW),
            Move::D if row > 0 => Some(vertex - ROW),
            Move::L if column > 0 => Some(vertex - 1),
            Move::R if column < self.size => Some(vertex + 1),
            _ => None,
        }
    }

    /// The number of moves between two vertices when nothing is in the way.
    pub(super) const fn distance(a: u32, b: u32) -> u32 {
        let ((x, y), (u, v)) = (column_and_row(a), column_and_row(b));
        x.abs_diff(u) + y.abs_diff(v)
    }

    /// The cells at the left and at the right of a move, as sets of one cell or, off the board, of
    /// none.
    pub(super) const fn sides(self, vertex: u32, step: Move) -> (u64, u64) {
        let here = bit(vertex);
        let (left, right) = match step {
            Move::U => (here >> 1, here),
            Move::D => (here >> ROW, here >> (ROW + 1)),
            Move::L => (here >> (ROW + 1), here >> 1),
            Move::R => (here, here >> ROW),
        };
        (left & self.cells(), right & self.cells())
    }

    /// The cells that have one of `vertices` as a corner.
    pub(super) const fn cells_at(self, vertices: u64) -> u64 {
        (vertices | vertices >> 1 | vertices >> ROW | vertices >> (ROW + 1)) & self.cells()
    }

    /// The vertices one move away from any of `vertices`, and these themselves.
    pub(super) const fn spread(self, vertices: u64) -> u64 {
        let right = (vertices & !(FIRST_COLUMN << (ROW - 1))) << 1;
        let left = (vertices & !FIRST_COLUMN) >> 1;
        (vertices | right | left | vertices << ROW | vertices >> ROW) & self.vertices()
    }
}

/// The indices below `side` in both directions.
const fn square(side: u32) -> u64 {
    let row = (1_u64 << side) - 1;
    let mut all = 0;
    let mut y = 0;
    while y < side {
        all |= row << (ROW * y);
        y += 1;
    }
    all
}

/// A set of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Edges {
    /// The edges that run up from a vertex; each has the cell of its index at its right.
    pub(super) upright: u64,
    /// The edges that run right from a vertex; each has the cell of its index above it.
    pub(super) level: u64,
}

impl Edges {
    /// The edge of a move that stays on the board.
    pub(super) const fn of(vertex: u32, step: Move) -> Edges {
        match step {
            Move::U => Edges { upright: bit(vertex), level: 0 },
            Move::D => Edges { upright: bit(vertex - ROW), level: 0 },
            Move::L => Edges { upright: 0, level: bit(vertex - 1) },
            Move::R => Edges { upright: 0, level: bit(vertex) },
        }
    }

    /// The edges between a cell of `these` and a neighbor in `those`.
    pub(super) const fn between(these: u64, those: u64) -> Edges {
        Edges {
            upright: these << 1 & those | those << 1 & these,
            level: these << ROW & those | those << ROW & these,
        }
    }

    pub(super) const fn and(self, other: Edges) -> Edges {
        Edges { upright: self.upright & other.upright, level: self.level & other.level }
    }

    pub(super) const fn or(self, other: Edges) -> Edges {
        Edges { upright: self.upright | other.upright, level: self.level | other.level }
    }

    pub(super) const fn without(self, other: Edges) -> Edges {
        Edges { upright: self.upright & !other.upright, level: self.level & !other.level }
    }

    pub(super) const fn is_empty(self) -> bool {
        self.upright | self.level == 0
    }

    pub(super) const fn count(self) -> u32 {
        self.upright.count_ones() + self.level.count_ones()
    }

    /// The vertices at which at least one, two and three of the edges end.
    pub(super) const fn ends(self) -> [u64; 3] {
        let (up, down) = (self.upright, self.upright << ROW);
        let (right, left) = (self.level, self.level << 1);
        let one = up | down | right | left;
        let two = up & down | right & left | (up | down) & (right | left);
        let three = up & down & (right | left) | right & left & (up | down);
        [one, two, three]
    }

    /// The cells that hang together with those of `from` over sides that are not in this set.
    pub(super) const fn region(self, from: u64, cells: u64) -> u64 {
        let mut region = from & cells;
        loop {
            let right = region << 1 & !self.upright;
            let left = (region & !self.upright) >> 1;
            let up = region << ROW & !self.level;
            let down = (region & !self.level) >> ROW;
            let grown = (region | right | left | up | down) & cells;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

/// A stroke as sets: where it ends, which vertices lie on it, which edges it runs along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trace {
    pub(super) head: u32,
    pub(super) visited: u64,
    pub(super) edges: Edges,
}

impl Trace {
    /// The stroke without a move.
    pub(super) const START: Trace =
        Trace { head: START, visited: bit(START), edges: Edges { upright: 0, level: 0 } };

    /// A stroke of moves that stay on the board.
    pub(super) fn of(path: &[Move], grid: Grid) -> Trace {
        path.iter().fold(Trace::START, |trace, step| match grid.beside(trace.head, *step) {
            Some(to) => trace.onward(*step, to),
            None => trace,
        })
    }

    /// The stroke with one move more, which leads to the vertex `to`.
    pub(super) const fn onward(self, step: Move, to: u32) -> Trace {
        Trace { head: to, visited: self.visited | bit(to), edges: self.edges.or(Edges::of(self.head, step)) }
    }

    /// Whether a vertex lies on the stroke.
    pub(super) const fn holds(self, vertex: u32) -> bool {
        self.visited & bit(vertex) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_sizes_of_what_they_hold() {
        for size in 1..=7 {
            let grid = Grid { size };
            assert_eq!(grid.cells().count_ones(), size * size);
            assert_eq!(grid.vertices().count_ones(), (size + 1) * (size + 1));
            assert_eq!(grid.outline().count_ones(), 4 * size);
            assert_eq!(indices(grid.outline()).count() as u32, 4 * size);
        }
    }

    #[test]
    fn moves_come_back_and_have_cells_at_their_sides() {
        let grid = Grid { size: 7 };
        for vertex in indices(grid.vertices()) {
            let mut around = bit(vertex);
            for step in Move::ALL {
                let Some(to) = grid.beside(vertex, step) else { continue };
                around |= bit(to);
                assert_eq!(grid.beside(to, step.back()), Some(vertex));
                assert_eq!(Edges::of(vertex, step), Edges::of(to, step.back()));
                let (left, right) = grid.sides(vertex, step);
                assert_eq!(grid.sides(to, step.back()), (right, left));
                assert_eq!(left.count_ones() + right.count_ones(), 2 - u32::from(left == 0 || right == 0));
                if left != 0 && right != 0 {
                    assert_eq!(Edges::between(left, right), Edges::of(vertex, step));
                }
            }
            assert_eq!(grid.spread(bit(vertex)), around);
        }
    }

    #[test]
    fn edges_part_regions() {
        let grid = Grid { size: 2 };
        let path = [Move::R, Move::U, Move::U];
        let trace = Trace::of(&path, grid);
        assert_eq!(trace.edges.region(bit(0), grid.cells()), bit(0) | bit(8));
        assert_eq!(trace.edges.ends()[1], bit(1) | bit(9));
        assert_eq!(trace.edges.count(), 3);
    }
}
