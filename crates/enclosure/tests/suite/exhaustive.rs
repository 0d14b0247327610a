//! The searches against plain trial of all blocks, and the cat's steps against its rules as the
//! page of the task words them. Nothing here comes from the crate but the state and its game.

use topotrace_core::{Answer, Game as _, Item, SemanticRng, Status, TaskProgram as _};
use topotrace_enclosure::chat_noir::{Cells, ChatNoir, ChatNoirQuery, Direction, Habit, Position};

/// For every cell its axial coordinates.
fn places(radius: i32) -> Vec<(i32, i32)> {
    let all = (-radius..=radius).flat_map(|row| (-radius..=radius).map(move |column| (column, row)));
    all.filter(|(column, row)| (column + row).abs() <= radius).collect()
}

fn step(direction: Direction) -> (i32, i32) {
    match direction {
        Direction::Nw => (0, -1),
        Direction::Ne => (1, -1),
        Direction::W => (-1, 0),
        Direction::E => (1, 0),
        Direction::Sw => (-1, 1),
        Direction::Se => (0, 1),
    }
}

struct Board {
    places: Vec<(i32, i32)>,
    radius: i32,
    open: Vec<bool>,
}

impl Board {
    fn of(position: &Position) -> Self {
        let places = places(position.radius as i32);
        let open = (0..places.len() as u32).map(|cell| !position.blocked.contains(cell)).collect();
        Board { places, radius: position.radius as i32, open }
    }

    /// The open neighbors of a cell in an order of directions.
    fn neighbors(&self, cell: usize, order: &[Direction; 6]) -> Vec<usize> {
        let next = |direction: &Direction| {
            let (column, row) = step(*direction);
            let wanted = (self.places[cell].0 + column, self.places[cell].1 + row);
            self.places.iter().position(|place| *place == wanted)
        };
        order.iter().filter_map(next).filter(|cell| self.open[*cell]).collect()
    }

    fn on_rim(&self, cell: usize) -> bool {
        let (column, row) = self.places[cell];
        column.abs().max(row.abs()).max((column + row).abs()) == self.radius
    }

    /// Steps from `cell` to every cell; `None` where there is no way.
    fn steps_from(&self, cell: usize) -> Vec<Option<usize>> {
        let mut steps = vec![None; self.places.len()];
        steps[cell] = Some(0);
        let mut queue = std::collections::VecDeque::from([cell]);
        while let Some(at) = queue.pop_front() {
            for next in self.neighbors(at, &Direction::ALL) {
                if steps[next].is_none() {
                    steps[next] = steps[at].map(|steps| steps + 1);
                    queue.push_back(next);
                }
            }
        }
        steps
    }

    fn distance(&self, cell: usize) -> Option<usize> {
        let steps = self.steps_from(cell);
        (0..steps.len()).filter(|at| self.on_rim(*at)).filter_map(|at| steps[at]).min()
    }

    fn rim_reached(&self, cell: usize) -> usize {
        let steps = self.steps_from(cell);
        (0..steps.len()).filter(|at| self.on_rim(*at) && steps[*at].is_some()).count()
    }

    /// How many ways of exactly `left` steps lead to the rim.
    fn ways(&self, cell: usize, left: usize) -> u64 {
        if left == 0 {
            return u64::from(self.on_rim(cell));
        }
        self.neighbors(cell, &Direction::ALL).into_iter().map(|next| self.ways(next, left - 1)).sum()
    }

    fn one_block_traps(&self, cell: usize) -> bool {
        (0..self.open.len()).filter(|at| *at != cell).any(|block| {
            let mut open = self.open.clone();
            open[block] = false;
            Board { places: self.places.clone(), radius: self.radius, open }.distance(cell).is_none()
        })
    }
}

/// The cat's step by the words of the rules, all wishes included. `None` when it is trapped.
fn step_by_the_rules(position: &Position) -> Option<u32> {
    let board = Board::of(position);
    let cat = position.cat as usize;
    board.distance(cat)?;
    let neighbors = board.neighbors(cat, &position.order);
    let direct = |board: &Board| neighbors.iter().copied().min_by_key(|cell| board.distance(*cell));
    let coin = |least: u16, board: &Board| {
        let draw = position.draws[position.turn as usize];
        if draw / 60 < least {
            direct(board)
        } else {
            Some(neighbors[usize::from(draw % 60) * neighbors.len() / 60])
        }
    };
    let next = match position.habit {
        Habit::Direct => direct(&board),
        Habit::Wandering => coin(5, &board),
        Habit::WanderingBrowser => coin(3, &board),
        Habit::Wary => {
            let wish = |cell: &usize| {
                let distance = board.distance(*cell).unwrap();
                (
                    board.one_block_traps(*cell),
                    distance,
                    std::cmp::Reverse(board.rim_reached(*cell)),
                    std::cmp::Reverse(board.ways(*cell, distance)),
                    std::cmp::Reverse(board.neighbors(*cell, &Direction::ALL).len()),
                )
            };
            let on_rim = neighbors.iter().copied().find(|cell| board.on_rim(*cell));
            on_rim.or_else(|| neighbors.iter().copied().min_by_key(wish))
        }
    };
    next.map(|cell| cell as u32)
}

/// A random position of any habit whose cat is not out.
fn random_position(radius: u32, blocks: usize, rng: &mut SemanticRng) -> Position {
    let count = places(radius as i32).len();
    let inner: Vec<u32> = {
        let empty = Position { radius, ..blank() };
        let board = Board::of(&empty);
        (0..count).filter(|cell| !board.on_rim(*cell)).map(|cell| cell as u32).collect()
    };
    let cat = *rng.pick(&inner);
    let mut cells: Vec<u32> = (0..count as u32).filter(|cell| *cell != cat).collect();
    rng.shuffle(&mut cells);
    let blocked = cells[..blocks].iter().fold(Cells::default(), |set, cell| set.with(*cell));
    let mut order = Direction::ALL;
    rng.shuffle(&mut order);
    let habit = *rng.pick(&[Habit::Wandering, Habit::WanderingBrowser, Habit::Direct, Habit::Wary]);
    let draws = match habit {
        Habit::Direct | Habit::Wary => 0,
        Habit::Wandering | Habit::WanderingBrowser => count - blocks - 1,
    };
    let draws = (0..draws).map(|_| rng.below(600) as u16).collect();
    Position { radius, cat, blocked, habit, order, draws, turn: 0 }
}

fn blank() -> Position {
    Position {
        radius: 2,
        cat: 9,
        blocked: Cells::default(),
        habit: Habit::Direct,
        order: Direction::ALL,
        draws: Vec::new(),
        turn: 0,
    }
}

#[test]
fn the_cat_steps_by_its_rules() {
    let mut rng = SemanticRng::from_seed(21);
    let mut steps = [0; 4];
    while steps.iter().any(|steps| *steps < 150) {
        let radius = rng.between(2..=4);
        let cells = places(radius as i32).len();
        let blocks = rng.between(cells as u32 / 6..=cells as u32 / 2) as usize;
        let mut now = random_position(radius, blocks, &mut rng);
        while now.status() == Status::Open {
            let action = *rng.pick(&now.legal());
            let next = now.apply(&action).unwrap();
            let mut blocked = now.clone();
            blocked.blocked = blocked.blocked.with(action);
            assert_eq!(next.cat, step_by_the_rules(&blocked).unwrap_or(now.cat), "{now:?} {action}");
            steps[now.habit as usize] += 1;
            now = next;
        }
    }
}

/// Whether at most `left` blocks trap the cat, by trying all of them.
fn can_trap(position: &Position, left: usize) -> bool {
    match position.status() {
        Status::Success => true,
        Status::Open if left > 0 => {
            position.legal().iter().any(|cell| can_trap(&position.apply(cell).unwrap(), left - 1))
        }
        _ => false,
    }
}

fn length(answer: &Answer) -> usize {
    match answer {
        Answer::Plan(plan) => plan.len(),
        _ => panic!("no plan"),
    }
}

fn item(state: Position) -> Item<ChatNoir> {
    let budget = state.legal().len() as u32;
    Item::<ChatNoir> { state, marks: (), query: ChatNoirQuery { budget } }
}

#[test]
fn the_least_number_of_blocks_is_that_of_trying_all() {
    /// Longer plans take too many trials.
    const LONGEST: usize = 4;
    let mut rng = SemanticRng::from_seed(22);
    let mut counts = [0; LONGEST + 1];
    let mut untrappable = 0;
    while counts.iter().sum::<u32>() < 300 || counts[LONGEST] < 30 || untrappable < 20 {
        let (radius, blocks) = match rng.below(4) {
            0 => (3, rng.between(12..=24)),
            _ => (2, rng.between(2..=11)),
        };
        let position = random_position(radius, blocks as usize, &mut rng);
        if position.status() != Status::Open {
            continue;
        }
        let item = item(position);
        if ChatNoir::validate(&item).is_err() {
            // All plans that are left to try on a crowded small board.
            if blocks >= 9 && radius == 2 {
                assert!(!can_trap(&item.state, 9), "{item:?}");
                untrappable += 1;
            }
            assert_eq!(length(&ChatNoir::recount(&item)), 0);
            continue;
        }
        let outcome = ChatNoir::execute(&item);
        let least = length(&outcome.answer);
        assert_eq!(length(&ChatNoir::recount(&item)), least, "{item:?}");
        ChatNoir::check(&item, &outcome).unwrap();
        if least <= LONGEST {
            counts[least] += 1;
            assert!(can_trap(&item.state, least) && !can_trap(&item.state, least - 1), "{item:?}");
        }
    }
    assert!(counts[1..].iter().all(|count| *count >= 20), "{counts:?}");
}

/// Long plans on small boards: so few cells are open that all plans can be tried.
#[test]
fn so_is_that_of_longer_plans_on_crowded_boards() {
    let mut rng = SemanticRng::from_seed(24);
    let mut counts = [0; 7];
    for _ in 0..20_000 {
        let blocks = rng.between(6..=11) as usize;
        let position = random_position(2, blocks, &mut rng);
        let item = item(position);
        if item.state.status() != Status::Open || ChatNoir::validate(&item).is_err() {
            continue;
        }
        let least = length(&ChatNoir::execute(&item).answer);
        if (5..=6).contains(&least) && counts[least] < 20 {
            counts[least] += 1;
            assert_eq!(length(&ChatNoir::recount(&item)), least, "{item:?}");
            assert!(can_trap(&item.state, least) && !can_trap(&item.state, least - 1), "{item:?}");
        }
    }
    assert!(counts[5] >= 10 && counts[6] >= 3, "{counts:?}");
}

/// A cat that walks into a corner is shut in behind it: fewer blocks than a ring around its first
/// cell would take. A bound by that ring alone would be wrong.
#[test]
fn a_ring_may_be_closed_behind_the_cat() {
    let mut rng = SemanticRng::from_seed(23);
    let mut found = 0;
    for _ in 0..4000 {
        let blocks = rng.between(10..=18) as usize;
        let position = random_position(3, blocks, &mut rng);
        let item = item(position);
        if item.state.status() != Status::Open || ChatNoir::validate(&item).is_err() {
            continue;
        }
        let outcome = ChatNoir::execute(&item);
        found += u32::from(outcome.evidence.ring.contains(&item.state.cat));
        if found >= 5 {
            return;
        }
    }
    panic!("only {found} such boards");
}
