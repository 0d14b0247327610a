//! The game once more, for the checker alone: nothing here comes from the game's own code or from
//! the searches. A set of blocked cells, plain breadth-first distances, and the cat's rule as a
//! list of wishes.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

use topotrace_core::{Flaw, ensure};

use super::board::Direction;
use super::cat::Habit;
use super::position::Position;

/// An episode that is carried out block by block.
pub(super) struct Replay<'a> {
    start: &'a Position,
    /// For every cell its neighbors, in the order of directions by which the cat goes.
    neighbors: Vec<Vec<u32>>,
    blocked: BTreeSet<u32>,
    cat: u32,
    /// Blocks since the start of the episode.
    turn: usize,
}

impl<'a> Replay<'a> {
    /// The start of the episode.
    pub(super) fn new(start: &'a Position) -> Self {
        let places = places(start.radius);
        let beside = |place: (i32, i32), direction: &Direction| {
            let (across, down) = step(*direction);
            let wanted = (place.0 + across, place.1 + down);
            places.iter().position(|other| *other == wanted).map(|cell| cell as u32)
        };
        let around = |place: &(i32, i32)| start.order.iter().filter_map(|way| beside(*place, way)).collect();
        Replay {
            start,
            neighbors: places.iter().map(around).collect(),
            blocked: start.blocked.iter().collect(),
            cat: start.cat,
            turn: start.turn as usize,
        }
    }

    /// The cell of the cat.
    pub(super) fn cat(&self) -> u32 {
        self.cat
    }

    /// Blocks a cell; then the cat steps, if it still has a way to the rim.
    ///
    /// # Errors
    /// When the episode is over, or the cell can't be blocked.
    pub(super) fn block(&mut self, cell: u32) -> Result<(), Flaw> {
        ensure(!self.on_rim(self.cat), || "the cat has escaped before the plan ends".to_owned())?;
        ensure(self.has_way_out(), || "the cat is trapped before the plan ends".to_owned())?;
        ensure((cell as usize) < self.neighbors.len(), || format!("cell {cell} is not on the board"))?;
        ensure(cell != self.cat, || format!("cell {cell} is the cat's"))?;
        ensure(self.blocked.insert(cell), || format!("cell {cell} is blocked twice"))?;
        if self.has_way_out() {
            self.cat = self.next_step();
        }
        self.turn += 1;
        Ok(())
    }

    /// Whether a way over open cells leads from the cat to the rim.
    pub(super) fn has_way_out(&self) -> bool {
        self.distances()[self.cat as usize].is_some()
    }

    /// Checks that `ring` is a closed chain of blocked cells that parts the cat from the rim.
    ///
    /// # Errors
    /// Names the first thing that does not hold.
    pub(super) fn check_ring(&self, ring: &[u32]) -> Result<(), Flaw> {
        let distinct: BTreeSet<u32> = ring.iter().copied().collect();
        ensure(distinct.len() == ring.len() && ring.len() >= 6, || "the ring is no ring".to_owned())?;
        if let Some(cell) = ring.iter().find(|cell| !self.blocked.contains(*cell)) {
            return Err(Flaw::new(format!("cell {cell} of the ring is not blocked")));
        }
        for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            ensure(self.neighbors[*a as usize].contains(b), || {
                format!("cells {a} and {b} of the ring are no neighbors")
            })?;
        }
        // From the cat over all cells but the ring's, blocked ones too.
        let mut reached = BTreeSet::from([self.cat]);
        let mut left = vec![self.cat];
        while let Some(cell) = left.pop() {
            ensure(!self.on_rim(cell), || format!("the ring leaves a way to cell {cell} of the rim"))?;
            let around = self.neighbors[cell as usize].iter().copied();
            left.extend(around.filter(|next| !distinct.contains(next) && reached.insert(*next)));
        }
        Ok(())
    }

    fn on_rim(&self, cell: u32) -> bool {
        self.neighbors[cell as usize].len() < 6
    }

    fn open_neighbors(&self, cell: u32) -> Vec<u32> {
        let around = self.neighbors[cell as usize].iter().copied();
        around.filter(|next| !self.blocked.contains(next)).collect()
    }

    /// For every cell, its steps over open cells to the nearest open cell of the rim; `None` where
    /// there is no way.
    fn distances(&self) -> Vec<Option<u32>> {
        let mut steps = vec![None; self.neighbors.len()];
        let cells = 0..self.neighbors.len() as u32;
        let mut queue: VecDeque<(u32, u32)> = cells
            .filter(|cell| self.on_rim(*cell) && !self.blocked.contains(cell))
            .map(|cell| (cell, 0))
            .collect();
        while let Some((cell, distance)) = queue.pop_front() {
            if steps[cell as usize].is_none() {
                steps[cell as usize] = Some(distance);
                queue.extend(self.open_neighbors(cell).into_iter().map(|next| (next, distance + 1)));
            }
        }
        steps
    }

    /// Where the cat goes. It has a way to the rim and does not stand there.
    fn next_step(&self) -> u32 {
        let neighbors = self.open_neighbors(self.cat);
        let distances = self.distances();
        let distance = |cell: &u32| distances[*cell as usize].unwrap_or(u32::MAX);
        // `min_by_key` takes the first of equals.
        let direct = || neighbors.iter().copied().min_by_key(distance);
        let by_draw = |direct_below: u16| {
            let draw = self.start.draws.get(self.turn).copied().unwrap_or(0);
            let number = usize::from(draw % 60) * neighbors.len() / 60;
            if draw / 60 < direct_below { direct() } else { neighbors.get(number).copied() }
        };
        let chosen = match self.start.habit {
            Habit::Direct => direct(),
            Habit::Wandering => by_draw(5),
            Habit::WanderingBrowser => by_draw(3),
            Habit::Wary => neighbors.iter().copied().min_by_key(|cell| {
                let on_rim = self.on_rim(*cell);
                // What lies on the rim is equally good.
                (!on_rim).then(|| {
                    let ways = self.shortest_ways(*cell, &distances);
                    let around = self.open_neighbors(*cell).len();
                    (self.one_block_traps(*cell, &distances), distance(cell), Reverse(ways), Reverse(around))
                })
            }),
        };
        chosen.unwrap_or(self.cat)
    }

    /// The first cells of the shortest ways from a cell to the rim.
    fn nearer(&self, cell: u32, distances: &[Option<u32>]) -> Vec<u32> {
        let wanted = distances[cell as usize].and_then(|distance| distance.checked_sub(1));
        let mut nearer = self.open_neighbors(cell);
        nearer.retain(|next| wanted.is_some() && distances[*next as usize] == wanted);
        nearer
    }

    /// How many shortest ways lead from a cell to the rim: one from the rim itself, else as many
    /// as from all the neighbors together that are nearer.
    fn shortest_ways(&self, cell: u32, distances: &[Option<u32>]) -> u64 {
        let most = distances[cell as usize].unwrap_or(0);
        let mut ways = vec![0_u64; self.neighbors.len()];
        for distance in 0..=most {
            for at in (0..ways.len()).filter(|at| distances[*at] == Some(distance)) {
                let nearer = self.nearer(at as u32, distances);
                let sum = nearer.iter().map(|next| ways[*next as usize]).sum();
                ways[at] = if distance == 0 { 1 } else { sum };
            }
        }
        ways[cell as usize]
    }

    /// Whether one block more, not on the cell itself, would cut all ways from there to the rim.
    /// It would have to lie on each of them, so it is enough to try the cells of one.
    fn one_block_traps(&self, cell: u32, distances: &[Option<u32>]) -> bool {
        let mut way = Vec::new();
        let mut at = cell;
        while let Some(next) = self.nearer(at, distances).first() {
            way.push(*next);
            at = *next;
        }
        way.iter().any(|block| {
            let mut blocked = self.blocked.clone();
            blocked.insert(*block);
            let neighbors = self.neighbors.clone();
            let then = Replay { start: self.start, neighbors, blocked, cat: cell, turn: self.turn };
            !then.has_way_out()
        })
    }
}

/// For every cell its place: half cells from the left and rows from the top.
fn places(radius: u32) -> Vec<(i32, i32)> {
    let radius = radius as i32;
    let row = |row: i32| {
        let short = (row - radius).abs();
        (0..2 * radius + 1 - short).map(move |number| (short + 2 * number, row))
    };
    (0..=2 * radius).flat_map(row).collect()
}

/// A step in such places.
fn step(direction: Direction) -> (i32, i32) {
    match direction {
        Direction::Nw => (-1, -1),
        Direction::Ne => (1, -1),
        Direction::W => (-2, 0),
        Direction::E => (2, 0),
        Direction::Sw => (-1, 1),
        Direction::Se => (1, 1),
    }
}

#[cfg(test)]
mod tests {
    use topotrace_core::{Game, SemanticRng, Status};

    use super::super::grammar::{BudgetRule, ChatNoirAim, build};
    use super::*;

    #[test]
    fn it_goes_as_the_game_does() {
        let mut rng = SemanticRng::from_seed(31);
        let mut steps = 0;
        for round in 0..400 {
            let habit = [Habit::Wandering, Habit::WanderingBrowser, Habit::Direct, Habit::Wary][round % 4];
            let radius = rng.between(2..=4);
            let blocks = rng.between(0..=radius * radius * 2);
            let aim = ChatNoirAim { habit, radius, blocks, budget: BudgetRule::Open };
            let Ok(start) = build(&aim, &mut rng) else { continue };
            let (mut now, mut replay) = (start.clone(), Replay::new(&start));
            while now.status() == Status::Open {
                let cell = *rng.pick(&now.legal());
                now = now.apply(&cell).unwrap();
                replay.block(cell).unwrap();
                assert_eq!(replay.cat(), now.cat, "{start:?} {cell}");
                assert_eq!(replay.has_way_out(), now.status() != Status::Success);
                steps += 1;
            }
            // Nothing goes on after the end.
            assert!((0..61).all(|cell| replay.block(cell).is_err()));
        }
        assert!(steps > 800, "{steps}");
    }

    #[test]
    fn what_can_not_be_blocked_is_refused() {
        let aim = ChatNoirAim { habit: Habit::Direct, radius: 3, blocks: 4, budget: BudgetRule::Open };
        let start = build(&aim, &mut SemanticRng::from_seed(1)).unwrap();
        let blocked = start.blocked.iter().next().unwrap();
        for cell in [start.cat, blocked, 37] {
            assert!(Replay::new(&start).block(cell).is_err());
        }
    }
}
