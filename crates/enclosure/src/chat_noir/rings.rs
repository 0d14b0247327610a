//! The least number of blocks a second time, by rings around the cat.
//!
//! Nothing here is shared with the first search. A board is one wide number whose bits are the
//! cells of a skewed grid of rows of eleven with an empty rim, so that all neighbors of a set are
//! six shifts of it. Instead of ways to the rim, rings around the cat are looked for: a ring costs
//! one for each of its open cells, and the cheapest ring says how many blocks shut the cat in.

use std::collections::BTreeSet;

use super::board::Direction;
use super::cat::Habit;
use super::position::Position;

/// Nodes after which the search is given up: far more than any board takes that is accepted.
const MOST_NODES: u32 = 60_000;
/// Bits in a row of the grid.
const ROW: u32 = 11;
/// The middle of the grid in both coordinates.
const MIDDLE: i32 = 5;

/// A set of cells of the grid.
type Set = u128;

/// Shifts towards the six neighbors, by the name of the direction.
fn shift(set: Set, direction: Direction) -> Set {
    match direction {
        Direction::Nw => set >> ROW,
        Direction::Ne => set >> (ROW - 1),
        Direction::W => set >> 1,
        Direction::E => set << 1,
        Direction::Sw => set << (ROW - 1),
        Direction::Se => set << ROW,
    }
}

fn neighbors(set: Set) -> Set {
    set >> ROW | set >> (ROW - 1) | set >> 1 | set << 1 | set << (ROW - 1) | set << ROW
}

fn singles(mut set: Set) -> impl Iterator<Item = Set> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// A board in this module's own form.
struct Grid {
    /// All cells.
    all: Set,
    /// The cells at the distance of the radius from the middle.
    rim: Set,
    /// The cells by their numbers.
    numbered: Vec<Set>,
}

impl Grid {
    fn new(radius: u32) -> Self {
        let radius = radius as i32;
        let mut grid = Grid { all: 0, rim: 0, numbered: Vec::new() };
        for row in -radius..=radius {
            for column in -radius..=radius {
                // The third cube coordinate bounds the corners.
                let third = -row - column;
                let distance = row.abs().max(column.abs()).max(third.abs());
                if distance <= radius {
                    let bit = 1 << ((row + MIDDLE) * ROW as i32 + column + MIDDLE);
                    grid.all |= bit;
                    grid.numbered.push(bit);
                    if distance == radius {
                        grid.rim |= bit;
                    }
                }
            }
        }
        grid
    }

    fn number(&self, cell: Set) -> u32 {
        self.numbered.iter().position(|other| *other == cell).unwrap_or(0) as u32
    }

    /// The open cells of a ring of least cost around `cell`, at most `limit`; more count as
    /// `limit + 1`.
    ///
    /// A closed chain goes around the cell just when it crosses the ray from it to the right an
    /// odd number of times. So chains are followed on two sheets, which every crossing changes,
    /// from each cell on the ray back to the same cell on the other sheet.
    fn ring(&self, open: Set, cell: Set, limit: u32) -> u32 {
        let mut usable = self.all & !cell;
        let mut least = limit + 1;
        let mut start = cell << 1;
        while start & self.all != 0 {
            let ray = self.ray(cell);
            least = least.min(chain_around(usable, open, start, ray, least));
            // Rings through this cell are done with.
            usable &= !start;
            start <<= 1;
        }
        least
    }

    /// The cells to the right of `cell` in its row.
    fn ray(&self, cell: Set) -> Set {
        let mut ray = 0;
        let mut next = cell << 1;
        while next & self.all != 0 {
            ray |= next;
            next <<= 1;
        }
        ray
    }

    fn escapes(&self, open: Set, cat: Set) -> bool {
        let mut reached = cat;
        loop {
            let next = (reached | neighbors(reached)) & open;
            if next & self.rim != 0 {
                return true;
            }
            if next == reached {
                return false;
            }
            reached = next;
        }
    }
}

/// The cost of a cheapest chain of `usable` cells from `start` around the end of the `ray` back to
/// it, if it is below `bound`; else `bound`.
fn chain_around(usable: Set, open: Set, start: Set, ray: Set, bound: u32) -> u32 {
    let mut cost = u32::from(start & open != 0);
    // The cells that were reached, on the first and on the second sheet.
    let mut sheets = [start, 0];
    while cost < bound {
        // What can be had for nothing: along blocked cells.
        loop {
            let next = on_both_sheets(sheets, ray);
            if next[1] & start != 0 {
                return cost;
            }
            let free = usable & !open;
            let grown = [sheets[0] | next[0] & free, sheets[1] | next[1] & free];
            if grown == sheets {
                break;
            }
            sheets = grown;
        }
        let next = on_both_sheets(sheets, ray);
        let grown = [sheets[0] | next[0] & usable, sheets[1] | next[1] & usable];
        if grown == sheets {
            return bound;
        }
        sheets = grown;
        cost += 1;
    }
    bound
}

/// The neighbors of what was reached, on the sheet where each is reached: between the ray's row
/// and the row below it, a step to or from a cell of the ray changes the sheet.
fn on_both_sheets(sheets: [Set; 2], ray: Set) -> [Set; 2] {
    let below = |set: Set| set << ROW | set << (ROW - 1);
    let above = |set: Set| set >> ROW | set >> (ROW - 1);
    let same = |set: Set| set << 1 | set >> 1 | below(set & !ray) | above(set) & !ray;
    let other = |set: Set| below(set & ray) | above(set) & ray;
    [same(sheets[0]) | other(sheets[1]), same(sheets[1]) | other(sheets[0])]
}

/// A least plan, as the numbers of cells; `None` when none is found.
pub(super) fn least_plan(position: &Position) -> Option<Vec<u32>> {
    let grid = Grid::new(position.radius);
    let blocked = position.blocked.iter().filter_map(|cell| grid.numbered.get(cell as usize));
    let open = blocked.fold(grid.all, |open, cell| open & !cell);
    let cat = *grid.numbered.get(position.cat as usize)?;
    let mut search = Search { grid, position, visited: 0, lost: BTreeSet::new() };
    for blocks in 1..=open.count_ones() {
        search.lost.clear();
        if let Some(mut plan) = search.trap(open, cat, position.turn, blocks) {
            plan.reverse();
            return Some(plan.into_iter().map(|cell| search.grid.number(cell)).collect());
        }
        if search.visited > MOST_NODES {
            break;
        }
    }
    None
}

struct Search<'a> {
    grid: Grid,
    position: &'a Position,
    visited: u32,
    /// Open cells and cats that are known to be lost with the blocks left.
    lost: BTreeSet<(Set, Set)>,
}

impl Search<'_> {
    /// The cells of a plan of at most `left` blocks, the last one first.
    fn trap(&mut self, open: Set, cat: Set, turn: u32, left: u32) -> Option<Vec<Set>> {
        self.visited += 1;
        if self.visited > MOST_NODES || left == 0 || self.lost.contains(&(open, cat)) {
            return None;
        }
        let mut children = Vec::new();
        for block in singles(open & !cat) {
            let rest = open & !block;
            if !self.grid.escapes(rest, cat) {
                return Some(vec![block]);
            }
            if left == 1 {
                continue;
            }
            let next = self.step(rest, cat, turn);
            if next & self.grid.rim == 0 && self.can_be_enough(rest, next, left - 1) {
                children.push((self.grid.ring(rest, next, left), block, next));
            }
        }
        children.sort_unstable();
        for (_, block, next) in children {
            if let Some(mut plan) = self.trap(open & !block, next, turn + 1, left - 1) {
                plan.push(block);
                return Some(plan);
            }
        }
        self.lost.insert((open, cat));
        None
    }

    /// Whether a cell that the cat may come to before it is too late for a ring around it has such
    /// a ring of at most `left` open cells: its own cell at once, others after some steps. A cat
    /// that heads for the rim enters a ring only while that still has a second gap, which costs
    /// one block more.
    fn can_be_enough(&self, open: Set, cat: Set, left: u32) -> bool {
        let spare = if self.position.habit.stray_from().is_none() { 2 } else { 1 };
        let (mut reached, mut fresh) = (cat, cat);
        let mut steps = left.saturating_sub(spare);
        loop {
            if singles(fresh).any(|cell| self.grid.ring(open, cell, left) <= left) {
                return true;
            }
            if steps == 0 {
                return false;
            }
            steps -= 1;
            fresh = neighbors(reached) & open & !self.grid.rim & !reached;
            reached |= fresh;
        }
    }

    /// The cat's step, by the rules of its habit.
    fn step(&self, open: Set, cat: Set, turn: u32) -> Set {
        let ordered: Vec<Set> = self.position.order.iter().map(|way| shift(cat, *way) & open).collect();
        let ordered: Vec<Set> = ordered.into_iter().filter(|cell| *cell != 0).collect();
        let draw = u32::from(self.position.draws.get(turn as usize).copied().unwrap_or(0));
        let coin = draw / 60;
        let direct = match self.position.habit {
            Habit::Wary => return self.wary(open, &ordered),
            Habit::Direct => true,
            Habit::Wandering => coin <= 4,
            Habit::WanderingBrowser => coin <= 2,
        };
        let chosen = if direct {
            ordered.iter().min_by_key(|cell| self.distance(open, **cell))
        } else {
            ordered.get((draw % 60) as usize * ordered.len() / 60)
        };
        chosen.copied().unwrap_or(cat)
    }

    /// The least by a list of wishes: the rim; not to be shut in by one block; near to the rim;
    /// many shortest ways; many open neighbors. `min_by_key` takes the first of equals.
    fn wary(&self, open: Set, ordered: &[Set]) -> Set {
        let wishes = |cell: Set| {
            if cell & self.grid.rim != 0 {
                return (false, false, 0, 0, 0);
            }
            let shut = self.grid.ring(open, cell, 1) <= 1;
            let distance = self.distance(open, cell);
            let ways = self.shortest_ways(open, cell, distance);
            (true, shut, distance, -ways, -i64::from((neighbors(cell) & open).count_ones()))
        };
        ordered.iter().copied().min_by_key(|cell| wishes(*cell)).unwrap_or(0)
    }

    /// Steps from a cell to the rim.
    fn distance(&self, open: Set, cell: Set) -> u32 {
        let mut reached = cell;
        let mut distance = 0;
        while reached & self.grid.rim == 0 {
            let next = (reached | neighbors(reached)) & open;
            if next == reached {
                return u32::MAX;
            }
            reached = next;
            distance += 1;
        }
        distance
    }

    /// How many ways of `distance` steps lead from a cell to the rim, carried step by step from
    /// the cell outward.
    fn shortest_ways(&self, open: Set, cell: Set, distance: u32) -> i64 {
        let mut counts = vec![(cell, 1_i64)];
        let mut seen = cell;
        for _ in 0..distance {
            let here = counts.iter().fold(0, |set, (cell, _)| set | cell);
            let fresh = neighbors(here) & open & !seen;
            seen |= fresh;
            let carried = |cell: Set| {
                let from = counts.iter().filter(|(other, _)| neighbors(*other) & cell != 0);
                from.map(|(_, count)| count).sum()
            };
            counts = singles(fresh).map(|cell| (cell, carried(cell))).collect();
        }
        counts.iter().filter(|(cell, _)| cell & self.grid.rim != 0).map(|(_, count)| count).sum()
    }
}
