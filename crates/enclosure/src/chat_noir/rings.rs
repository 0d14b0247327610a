//! The least number of blocks a second time, by rings around the cat.
//!
//! Nothing here is shared with the first search. A board is one wide number whose bits are the
//! cells of a skewed grid of rows of eleven with an empty rim, so that all neighbors of a set are
//! six shifts of it. Instead of ways to the rim, rings around the cat are looked for: a ring costs
//! one for each of its open cells, and the cheapest ring says how many blocks shut the cat in.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::board::Direction;
use super::cat::Habit;
use super::position::Position;

/// Rings and steps of the cat after which the search is given up. It prunes as well as the first
/// search does; four times the limit of that one was enough for every board that was tried and
/// that the first search accepts.
pub(super) const MOST_WORK: u32 = 2_400_000;
/// Bits in a row of the grid.
const ROW: u32 = 11;
/// The middle of the grid in both coordinates.
const MIDDLE: i32 = 5;

/// The search came to its limit of work before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GaveUp;

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
        let ray = self.ray(cell);
        let mut start = cell << 1;
        while start & self.all != 0 {
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

/// A least plan, as the numbers of cells; `None` when there is none.
///
/// # Errors
/// When it takes more than `most_work` rings and steps.
pub(super) fn least_plan(position: &Position, most_work: u32) -> Result<Option<Vec<u32>>, GaveUp> {
    let grid = Grid::new(position.radius);
    let blocked = position.blocked.iter().filter_map(|cell| grid.numbered.get(cell as usize));
    let open = blocked.fold(grid.all, |open, cell| open & !cell);
    let Some(cat) = grid.numbered.get(position.cat as usize).copied() else { return Ok(None) };
    let mut search = Search { grid, position, work: 0, most_work, cut_short: false, lost: BTreeSet::new() };
    for blocks in 1..=open.count_ones() {
        search.lost.clear();
        search.cut_short = false;
        if let Some(mut plan) = search.trap(open, cat, position.turn, blocks)? {
            plan.reverse();
            return Ok(Some(plan.into_iter().map(|cell| search.grid.number(cell)).collect()));
        }
        if !search.cut_short {
            // More blocks would be of no use: every game ended before its last one.
            break;
        }
    }
    Ok(None)
}

struct Search<'a> {
    grid: Grid,
    position: &'a Position,
    /// Rings looked for and steps made until now.
    work: u32,
    most_work: u32,
    /// Whether a game was broken off with the cat neither trapped nor out.
    cut_short: bool,
    /// Open cells and cats that are known to be lost with the blocks left.
    lost: BTreeSet<(Set, Set)>,
}

impl Search<'_> {
    /// The cells of a plan of at most `left` blocks, the last one first.
    fn trap(&mut self, open: Set, cat: Set, turn: u32, left: u32) -> Result<Option<Vec<Set>>, GaveUp> {
        if self.lost.contains(&(open, cat)) {
            return Ok(None);
        }
        let mut children = Vec::new();
        for block in singles(open & !cat) {
            let rest = open & !block;
            if !self.grid.escapes(rest, cat) {
                return Ok(Some(vec![block]));
            }
            self.count_work()?;
            let next = self.step(rest, cat, turn);
            if next & self.grid.rim != 0 {
                continue;
            }
            let size = self.ring(rest, next, left - 1)?;
            if left > 1 && self.can_be_enough(rest, next, size, left - 1)? {
                children.push((size, block, next));
            } else {
                self.cut_short = true;
            }
        }
        children.sort_unstable();
        for (_, block, next) in children {
            if let Some(mut plan) = self.trap(open & !block, next, turn + 1, left - 1)? {
                plan.push(block);
                return Ok(Some(plan));
            }
        }
        self.lost.insert((open, cat));
        Ok(None)
    }

    fn count_work(&mut self) -> Result<(), GaveUp> {
        self.work += 1;
        if self.work > self.most_work { Err(GaveUp) } else { Ok(()) }
    }

    fn ring(&mut self, open: Set, cell: Set, limit: u32) -> Result<u32, GaveUp> {
        self.count_work()?;
        Ok(self.grid.ring(open, cell, limit))
    }

    /// Whether a cell that the cat may come to before it is too late for a ring around it has such
    /// a ring of at most `left` open cells: its own cell at once, others after some steps. A cat
    /// that heads for the rim enters a ring only while that still has a second gap, which costs
    /// one block more.
    ///
    /// `size` is the cost of the ring around the cat's own cell, or more than `left`.
    fn can_be_enough(&mut self, open: Set, cat: Set, size: u32, left: u32) -> Result<bool, GaveUp> {
        if size <= left {
            return Ok(true);
        }
        let spare = if self.position.habit.stray_from().is_none() { 2 } else { 1 };
        let (mut reached, mut fresh) = (cat, cat);
        for _ in 0..left.saturating_sub(spare) {
            fresh = neighbors(fresh) & open & !self.grid.rim & !reached;
            reached |= fresh;
            for cell in singles(fresh) {
                if self.ring(open, cell, left)? <= left {
                    return Ok(true);
                }
            }
        }
        Ok(false)
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

    /// A cell of the rim, else the least by a list of wishes: not to be shut in by one block; near to
    /// the rim; many shortest ways; many open neighbors. `min_by_key` takes the first of equals.
    fn wary(&self, open: Set, ordered: &[Set]) -> Set {
        if let Some(on_rim) = ordered.iter().find(|cell| **cell & self.grid.rim != 0) {
            return *on_rim;
        }
        let wishes = |cell: Set| {
            let spread = self.shortest_ways(open, cell);
            let around = (neighbors(cell) & open).count_ones();
            (self.shut(open, cell, &spread), spread.len(), Reverse(number_of_ways(&spread)), Reverse(around))
        };
        ordered.iter().copied().min_by_key(|cell| wishes(*cell)).unwrap_or(0)
    }

    /// Whether one more block cuts all ways from a cell to the rim. It would have to lie on each
    /// shortest way, so to be the only cell of these at its distance.
    fn shut(&self, open: Set, cell: Set, spread: &[Set]) -> bool {
        let mut narrow = spread.iter().skip(1).filter(|cells| cells.count_ones() == 1);
        narrow.any(|block| !self.grid.escapes(open & !block, cell))
    }

    /// The cells of all shortest ways from a cell to the rim, by their distance from the cell;
    /// empty where there is no way.
    fn shortest_ways(&self, open: Set, cell: Set) -> Vec<Set> {
        let mut spread = vec![cell];
        let (mut seen, mut last) = (cell, cell);
        while last & self.grid.rim == 0 {
            last = neighbors(last) & open & !seen;
            if last == 0 {
                return Vec::new();
            }
            seen |= last;
            spread.push(last);
        }
        let mut after = self.grid.rim;
        for cells in spread.iter_mut().rev() {
            *cells &= after;
            after = neighbors(*cells);
        }
        spread
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
}

/// How many ways go through sets of cells, from one to the next, carried step by step.
fn number_of_ways(spread: &[Set]) -> u64 {
    let mut counts: Vec<(Set, u64)> = Vec::new();
    for (number, cells) in spread.iter().enumerate() {
        let carried = |cell: Set| {
            let from = counts.iter().filter(|(other, _)| neighbors(*other) & cell != 0);
            if number == 0 { 1 } else { from.map(|(_, count)| count).sum() }
        };
        counts = singles(*cells).map(|cell| (cell, carried(cell))).collect();
    }
    counts.iter().map(|(_, count)| count).sum()
}

#[cfg(test)]
mod tests {
    use topotrace_core::SemanticRng;

    use super::super::grammar::{BudgetRule, ChatNoirAim, build};
    use super::super::search::{self, shortest};
    use super::*;

    /// Few blocks leave the most to search. Where the first search ends within a limit, this one
    /// ends within four times as much, and finds as many blocks.
    #[test]
    fn its_limit_is_out_of_reach_where_the_first_search_ends() {
        let mut rng = SemanticRng::from_seed(41);
        let mut ended = 0;
        for (radius, blocks) in [(3, 0), (3, 2), (3, 4), (3, 7), (4, 0), (4, 4), (4, 8), (4, 11)] {
            for habit in [Habit::Wandering, Habit::WanderingBrowser, Habit::Direct, Habit::Wary] {
                let aim = ChatNoirAim { habit, radius, blocks, budget: BudgetRule::Open };
                let Ok(position) = build(&aim, &mut rng) else { continue };
                for limit in [300, 3_000, 30_000, search::MOST_WORK] {
                    let Ok(found) = shortest(&position, limit) else { continue };
                    let again = least_plan(&position, 4 * limit).unwrap();
                    assert_eq!(again.map(|plan| plan.len()), found.map(|found| found.plan.len()));
                    ended += 1;
                    break;
                }
            }
        }
        assert!(ended >= 16, "{ended}");
        assert_eq!(MOST_WORK, 4 * search::MOST_WORK);
    }

    #[test]
    fn giving_up_is_not_the_same_as_finding_no_plan() {
        let aim = ChatNoirAim { habit: Habit::Direct, radius: 3, blocks: 6, budget: BudgetRule::Open };
        let position = build(&aim, &mut SemanticRng::from_seed(1)).unwrap();
        assert_eq!(least_plan(&position, 5), Err(GaveUp));
        let mut lost = position;
        // A cat beside an open rim of a board without blocks can't be kept from it.
        (lost.radius, lost.cat, lost.blocked) = (3, 5, Default::default());
        assert_eq!(least_plan(&lost, MOST_WORK), Ok(None));
    }
}
