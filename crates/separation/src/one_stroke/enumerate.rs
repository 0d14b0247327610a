//! The length of a shortest solution a second time: every path of the least length from corner to
//! corner is made and tried, then every path of two moves more, and so on.

use super::board::{Board, longest};
use super::grid::Move;

/// The first shortest path that separates the colors, in the order in which paths are made; `None`
/// when none does that is short enough. For boards that [`Board::validate`] accepts.
pub(super) fn first_shortest(board: &Board) -> Option<Vec<Move>> {
    (2 * board.size..=longest(board.size)).step_by(2).find_map(|length| {
        let mut paths = Paths::new(board);
        let start =
            At { x: 0, y: paths.size, seen: 1 << (paths.size * (paths.size + 1)), beside: 0, below: 0 };
        paths.any(start, length as i32).then_some(paths.taken)
    })
}

/// All paths on a board. Vertices and cells count rows from the top.
struct Paths<'a> {
    size: i32,
    cells: &'a [u8],
    taken: Vec<Move>,
    /// The cells whose right neighbor has another color, and those where both have the same.
    beside: [u64; 2],
    /// The cells whose lower neighbor has another color, and those where both have the same.
    below: [u64; 2],
}

/// Where a path has come to, and what it has left behind.
#[derive(Clone, Copy)]
struct At {
    x: i32,
    y: i32,
    /// The vertices on the path, row by row.
    seen: u64,
    /// The cells with a piece of the path at their right side, row by row.
    beside: u64,
    /// The cells with a piece of the path at their lower side.
    below: u64,
}

impl<'a> Paths<'a> {
    fn new(board: &'a Board) -> Self {
        let (size, cells) = (board.size as usize, &board.cells);
        let (mut beside, mut below) = ([0; 2], [0; 2]);
        for (place, color) in cells.iter().enumerate().filter(|(_, color)| **color != 0) {
            let compare = |other: usize, sets: &mut [u64; 2]| match cells.get(other) {
                None | Some(0) => {}
                Some(other) => sets[usize::from(other == color)] |= 1 << place,
            };
            if place % size != size - 1 {
                compare(place + 1, &mut beside);
            }
            compare(place + size, &mut below);
        }
        Paths { size: board.size as i32, cells, taken: Vec::new(), beside, below }
    }

    /// Whether a path can be completed with exactly `left` moves; they are then in `taken`.
    fn any(&mut self, at: At, left: i32) -> bool {
        let size = self.size;
        if (at.x, at.y) == (size, 0) {
            return left == 0 && self.parts_neighbors(at) && self.parts_colors(at);
        }
        for step in [Move::U, Move::R, Move::D, Move::L] {
            let mut next = at;
            match step {
                Move::U => next.y -= 1,
                Move::R => next.x += 1,
                Move::D => next.y += 1,
                Move::L => next.x -= 1,
            }
            let inside = next.x >= 0 && next.x <= size && next.y >= 0 && next.y <= size;
            if !inside || size - next.x + next.y > left - 1 {
                continue;
            }
            let vertex = 1 << (next.y * (size + 1) + next.x);
            if at.seen & vertex != 0 {
                continue;
            }
            next.seen |= vertex;
            // The cell at the upper left of the piece's right or lower end.
            let (x, y) = (at.x.max(next.x) - 1, at.y.max(next.y) - 1);
            if at.y == next.y && y >= 0 && at.y < size {
                next.below |= 1 << (y * size + x);
            }
            if at.x == next.x && x >= 0 && at.x < size {
                next.beside |= 1 << (y * size + x);
            }
            self.taken.push(step);
            if self.any(next, left - 1) {
                return true;
            }
            self.taken.pop();
        }
        false
    }

    /// Whether a finished path runs between all neighbors of two colors and between none of one
    /// color: what a look at each pair of neighbors can tell.
    fn parts_neighbors(&self, path: At) -> bool {
        let [two, one] = self.beside;
        let [two_below, one_below] = self.below;
        two & !path.beside | one & path.beside | two_below & !path.below | one_below & path.below == 0
    }

    /// Whether a finished path parts the colors: a flood from every colored cell that none has
    /// reached yet, which must not meet another color, nor start in one that was flooded before.
    fn parts_colors(&self, path: At) -> bool {
        let size = self.size as usize;
        let (mut reached, mut flooded) = (0_u64, 0_u8);
        let mut waiting = [0_usize; 49];
        for first in 0..self.cells.len() {
            let color = self.cells[first];
            if color == 0 || reached >> first & 1 == 1 {
                continue;
            }
            if flooded >> color & 1 == 1 {
                return false;
            }
            flooded |= 1 << color;
            reached |= 1 << first;
            waiting[0] = first;
            let mut count = 1;
            while count > 0 {
                count -= 1;
                let cell = waiting[count];
                if self.cells[cell] != 0 && self.cells[cell] != color {
                    return false;
                }
                let (x, y) = (cell % size, cell / size);
                for (open, next) in [
                    (x + 1 < size && path.beside >> cell & 1 == 0, cell + 1),
                    (x > 0 && path.beside >> (cell.max(1) - 1) & 1 == 0, cell.max(1) - 1),
                    (y + 1 < size && path.below >> cell & 1 == 0, cell + size),
                    (y > 0 && path.below >> (cell.max(size) - size) & 1 == 0, cell.max(size) - size),
                ] {
                    if open && reached >> next & 1 == 0 {
                        reached |= 1 << next;
                        waiting[count] = next;
                        count += 1;
                    }
                }
            }
        }
        true
    }
}
