//! The least number of blocks that would shut the cat in where it stands, by maximum flow.
//!
//! Ford and Fulkerson's method on unit capacities, with Menger's theorem: the least number of
//! cells whose blocking cuts all ways from a cell to the rim is the greatest number of ways that
//! share no cell but the first. Every cell but the first has capacity one, rim cells included.

use super::board::{Board, Cells};

/// A least cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// How many cells it takes, or the limit where it takes at least as many.
    pub(super) size: usize,
    /// The cells of a least cut, as bits; empty where the limit was reached.
    pub(super) cells: u64,
}

/// A least cut between `cell` and the rim over `open` cells. `cell` itself is no rim cell. More
/// than `limit` ways are not looked for.
pub(super) fn least_cut(board: &Board, open: u64, cell: u32, limit: usize) -> Cut {
    let mut flow = Flow {
        board,
        open: open & !(1 << cell),
        source: cell as u8,
        used: 0,
        next: [0; 64],
        before: [0; 64],
    };
    for size in 0..limit {
        if let Some(cells) = flow.augment() {
            return Cut { size, cells };
        }
    }
    Cut { size: limit, cells: 0 }
}

/// Ways from the source to the rim that share no cell.
struct Flow<'a> {
    board: &'a Board,
    /// The open cells without the source.
    open: u64,
    source: u8,
    /// All cells of the ways.
    used: u64,
    /// For a cell of a way, the cell after it (no meaning for the last one, on the rim).
    next: [u8; 64],
    /// For a cell of a way, the cell before it.
    before: [u8; 64],
}

/// How a search for one more way came to where it is.
struct Trail {
    /// Cells that were entered, and from where. A used cell that was entered from itself has been
    /// given up by its way.
    entered: u64,
    from: [u8; 64],
    /// Used cells from which the search went on elsewhere than their way does, and the cell of
    /// the way that was given up for it.
    left: u64,
    instead_of: [u8; 64],
}

impl Flow<'_> {
    /// Adds one way, if there is one; else the cells of a least cut.
    fn augment(&mut self) -> Option<u64> {
        let mut trail = Trail { entered: 0, from: [0; 64], left: 0, instead_of: [0; 64] };
        let mut queue = [0_u8; 64];
        queue[0] = self.source;
        let (mut first, mut end) = (0, 1);
        while first < end {
            let at = queue[first];
            first += 1;
            let fresh = self.board.around[usize::from(at)] & self.open & !trail.entered;
            trail.entered |= fresh;
            for cell in Cells::of(fresh & !self.used).iter() {
                trail.from[cell as usize] = at;
                if self.board.rim >> cell & 1 == 1 {
                    self.take(&trail, cell as u8);
                    return None;
                }
                queue[end] = cell as u8;
                end += 1;
            }
            for cell in Cells::of(fresh & self.used).iter() {
                trail.from[cell as usize] = at;
                // Back along the way, which gives up its cells from here on.
                let mut cell = cell as u8;
                loop {
                    let before = self.before[usize::from(cell)];
                    if before == self.source || trail.left >> before & 1 == 1 {
                        break;
                    }
                    trail.left |= 1 << before;
                    trail.instead_of[usize::from(before)] = cell;
                    queue[end] = before;
                    end += 1;
                    if trail.entered >> before & 1 == 1 {
                        break;
                    }
                    trail.entered |= 1 << before;
                    trail.from[usize::from(before)] = before;
                    cell = before;
                }
            }
        }
        Some(trail.entered & self.used & !trail.left)
    }

    /// Makes the way that was found, from its last cell backward, one of the ways.
    fn take(&mut self, trail: &Trail, last: u8) {
        let mut cell = last;
        let used = self.used;
        self.used |= 1 << last;
        loop {
            // `cell` was entered from `at`.
            let mut at = trail.from[usize::from(cell)];
            self.before[usize::from(cell)] = at;
            if at == self.source {
                return;
            }
            self.next[usize::from(at)] = cell;
            if used >> at & 1 == 0 {
                self.used |= 1 << at;
                cell = at;
                continue;
            }
            // `at` belongs to a way that gave up what followed it.
            loop {
                let given_up = trail.instead_of[usize::from(at)];
                if trail.from[usize::from(given_up)] != given_up {
                    cell = given_up;
                    break;
                }
                self.used &= !(1 << given_up);
                at = given_up;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topotrace_core::SemanticRng;

    /// The least number of cells to block, by trying all sets of growing size.
    fn by_trial(board: &Board, open: u64, cell: u32) -> usize {
        fn cuts(board: &Board, open: u64, cell: u32, from: u32, left: usize) -> bool {
            if left == 0 {
                return !board.reaches_rim(open, cell);
            }
            (from..board.cells as u32)
                .filter(|other| *other != cell && open >> other & 1 == 1)
                .any(|other| cuts(board, open & !(1 << other), cell, other + 1, left - 1))
        }
        (0..).find(|size| cuts(board, open, cell, 0, *size)).unwrap()
    }

    #[test]
    fn cuts_are_least_and_cut() {
        let mut rng = SemanticRng::from_seed(3);
        for round in 0..400 {
            let board = Board::of(if round % 4 == 0 { 3 } else { 2 });
            let inner: Vec<u32> = Cells::of(board.all & !board.rim).iter().collect();
            let cell = *rng.pick(&inner);
            let share = rng.between(10..=60);
            let open =
                (0..board.cells).filter(|_| !rng.percent(share)).fold(1 << cell, |open, at| open | 1 << at);
            let wanted = by_trial(board, open, cell);
            let cut = least_cut(board, open, cell, 7);
            assert_eq!(cut.size, wanted);
            assert_eq!(cut.cells.count_ones() as usize, wanted);
            assert!(!board.reaches_rim(open & !cut.cells, cell));
            assert_eq!(least_cut(board, open, cell, 2).size, wanted.min(2));
        }
    }
}
