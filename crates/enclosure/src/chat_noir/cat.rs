//! How the cat steps: a function of the board, its cell, its habit and the draws alone.

use serde::{Deserialize, Serialize};

use super::board::{Board, Cells, Direction};
use super::cut::least_cut;

/// A draw is a coin from 0 to 9 times this, plus a choice from 0 to 59.
pub(super) const CHOICES: u16 = 60;
/// Coins are below this.
pub(super) const COINS: u16 = 10;

/// The rule by which the cat steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Habit {
    /// With a coin below 5 a step as [`Habit::Direct`], else one to any open neighbor.
    Wandering,
    /// As [`Habit::Wandering`], but direct with a coin below 3.
    WanderingBrowser,
    /// To the neighbor that is nearest to the rim.
    Direct,
    /// As [`Habit::Direct`], but not to where one block would shut it in, if it can.
    Wary,
}

impl Habit {
    /// The least coin with which the cat does not go the direct way; `None` without coins.
    pub(super) fn stray_from(self) -> Option<u16> {
        match self {
            Habit::Wandering => Some(5),
            Habit::WanderingBrowser => Some(3),
            Habit::Direct | Habit::Wary => None,
        }
    }
}

/// What decides the cat's steps besides the board.
#[derive(Clone, Copy)]
pub(super) struct Mind<'a> {
    pub(super) habit: Habit,
    /// The order in which equally good directions are taken.
    pub(super) order: [Direction; 6],
    /// One for each of the cat's moves.
    pub(super) draws: &'a [u16],
}

impl Mind<'_> {
    /// Where the cat at `cat` goes on its move number `turn`, over `open` cells, of which its own
    /// is one. It has a way to the rim and does not stand there.
    pub(super) fn step(&self, board: &Board, open: u64, cat: u32, turn: usize) -> u32 {
        match self.habit {
            Habit::Direct => self.direct(board, open, cat),
            Habit::Wary => self.wary(board, open, cat),
            Habit::Wandering | Habit::WanderingBrowser => {
                let draw = self.draws.get(turn).copied().unwrap_or(0);
                let straying = self.habit.stray_from().is_some_and(|least| draw / CHOICES >= least);
                if straying {
                    self.stray(board, open, cat, draw % CHOICES)
                } else {
                    self.direct(board, open, cat)
                }
            }
        }
    }

    /// The first of `cells`, which are neighbors of `cat`, in the order of directions.
    fn first(&self, board: &Board, cat: u32, cells: u64) -> u32 {
        let neighbors = self.order.iter().filter_map(|direction| board.beside(cat, *direction));
        neighbors.into_iter().find(|cell| cells >> cell & 1 == 1).unwrap_or(cat)
    }

    /// Neighbor number ⌊choice · n / 60⌋ of the n open ones, in the order of directions.
    fn stray(&self, board: &Board, open: u64, cat: u32, choice: u16) -> u32 {
        let neighbors = board.around[cat as usize] & open;
        let number = u32::from(choice) * neighbors.count_ones() / u32::from(CHOICES);
        let ordered = self.order.iter().filter_map(|direction| board.beside(cat, *direction));
        ordered.filter(|cell| neighbors >> cell & 1 == 1).nth(number as usize).unwrap_or(cat)
    }

    fn direct(&self, board: &Board, open: u64, cat: u32) -> u32 {
        let neighbors = board.around[cat as usize] & open;
        let mut layer = board.rim & open;
        let mut seen = layer;
        while layer & neighbors == 0 && layer != 0 {
            layer = board.grown(layer) & open & !seen;
            seen |= layer;
        }
        self.first(board, cat, layer & neighbors)
    }

    /// Among the neighbors from which no one block would cut all ways to the rim, or where there
    /// is none, among all: the least distance, then the most shortest ways to the rim, then the
    /// most open neighbors, then the order of directions. How many rim cells or cells at all can
    /// be reached never decides: all neighbors of the cat lie in one connected part.
    fn wary(&self, board: &Board, open: u64, cat: u32) -> u32 {
        let neighbors = board.around[cat as usize] & open;
        if neighbors & board.rim != 0 {
            return self.first(board, cat, neighbors & board.rim);
        }
        let layers = Layers::new(board, open, neighbors);
        let mut nearest = 0;
        for layer in layers.iter() {
            let here = layer & neighbors;
            if nearest == 0 {
                nearest = here;
            }
            let safe = Cells::of(here).iter().filter(|cell| least_cut(board, open, *cell, 2).size == 2);
            let safe = safe.fold(0, |safe, cell| safe | 1 << cell);
            if safe != 0 {
                return self.best_connected(board, open, cat, &layers, safe);
            }
        }
        self.best_connected(board, open, cat, &layers, nearest)
    }

    /// Of `cells` at one distance from the rim, the one with the most shortest ways to it, then
    /// the most open neighbors, then the first in the order of directions.
    fn best_connected(&self, board: &Board, open: u64, cat: u32, layers: &Layers, cells: u64) -> u32 {
        if cells.count_ones() == 1 {
            return cells.trailing_zeros();
        }
        let ways = layers.ways(board, cells);
        let rank = |cell: u32| (ways[cell as usize], (board.around[cell as usize] & open).count_ones());
        let best = Cells::of(cells).iter().map(rank).max();
        let best = Cells::of(cells).iter().filter(|cell| Some(rank(*cell)) == best);
        self.first(board, cat, best.fold(0, |set, cell| set | 1 << cell))
    }
}

/// The open cells by their distance from the rim.
struct Layers {
    layers: [u64; 64],
    count: usize,
}

impl Layers {
    /// The layers from the rim on until they hold all of `cells`, or all that can be reached.
    fn new(board: &Board, open: u64, cells: u64) -> Self {
        let mut layers = [0; 64];
        layers[0] = board.rim & open;
        let (mut seen, mut count) = (layers[0], 1);
        while cells & !seen != 0 && layers[count - 1] != 0 {
            layers[count] = board.grown(layers[count - 1]) & open & !seen;
            seen |= layers[count];
            count += 1;
        }
        Layers { layers, count }
    }

    fn iter(&self) -> impl Iterator<Item = u64> {
        self.layers[..self.count].iter().copied()
    }

    /// The numbers of shortest ways to the rim from every cell up to the layer of `cells`. They
    /// are at most the product of the sizes of disjoint sets of 61 cells, so below 3²¹.
    fn ways(&self, board: &Board, cells: u64) -> [u64; 64] {
        let mut ways = [0; 64];
        for cell in Cells::of(self.layers[0]).iter() {
            ways[cell as usize] = 1;
        }
        for pair in self.layers[..self.count].windows(2) {
            if pair[0] & cells != 0 {
                break;
            }
            for cell in Cells::of(pair[1]).iter() {
                let nearer = Cells::of(board.around[cell as usize] & pair[0]);
                ways[cell as usize] = nearer.iter().map(|near| ways[near as usize]).sum();
            }
        }
        ways
    }
}
