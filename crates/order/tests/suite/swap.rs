//! Swapping with the blank: the shortest length is exact, boards keep their tier's ranges, plans
//! work.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use topotrace_core::{
    Answer, Difficulty, Digest, Game as _, Generator, Item, Level, Outcome, Params as _, Planning as _,
    Rejections, SemanticRng, Settings, Slot, Split, Status, Task as _, TaskProgram as _, plan_succeeds,
};
use topotrace_order::swap::{Board, Cell, Cycle, Swap, SwapParams, SwapProof, SwapQuery};

fn item(board: Board) -> Item<Swap> {
    Item::<Swap> { query: SwapQuery { budget: 4 * board.current.len() as u32 }, state: board, marks: () }
}

fn generated(level: Level, seed: u64) -> Item<Swap> {
    let (_, instance) = Swap.generator(&level.into()).unwrap().generate(seed).unwrap();
    serde_json::from_str(&instance.item()).unwrap()
}

fn length(answer: &Answer) -> u32 {
    match answer {
        Answer::Plan(plan) => plan.len() as u32,
        _ => panic!("no plan"),
    }
}

/// How far every arrangement is from the one in order, by breadth-first search.
fn distances(cells: u8) -> BTreeMap<Vec<u8>, u32> {
    let goal: Vec<u8> = (0..cells).collect();
    let mut distances = BTreeMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(blocks) = queue.pop_front() {
        let distance = distances[&blocks];
        let blank = blocks.iter().position(|block| *block == 0).unwrap();
        for cell in (0..blocks.len()).filter(|cell| *cell != blank) {
            let mut next = blocks.clone();
            next.swap(cell, blank);
            if !distances.contains_key(&next) {
                distances.insert(next.clone(), distance + 1);
                queue.push_back(next);
            }
        }
    }
    distances
}

/// A board whose goal is `order`, with what lies in it named by `arrangement` as places in `order`.
fn named(rows: u32, columns: u32, arrangement: &[u8], order: &[u8]) -> Board {
    let current = arrangement.iter().map(|place| order[usize::from(*place)]).collect();
    Board { rows, columns, current, goal: order.to_vec() }
}

#[test]
fn every_small_board_takes_as_many_actions_as_brute_force_says() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
        for (arrangement, least) in distances((rows * columns) as u8) {
            let order: Vec<u8> = (0..(rows * columns) as u8).map(|block| (block * 7) % 16).collect();
            let item = item(named(rows, columns, &arrangement, &order));
            if least == 0 {
                assert!(Swap::validate(&item).is_err());
                assert_eq!(length(&Swap::recount(&item)), 0);
                continue;
            }
            Swap::validate(&item).unwrap();
            let outcome = Swap::execute(&item);
            assert_eq!(length(&outcome.answer), least, "{item:?}");
            Swap::check(&item, &outcome).unwrap();
            let again = Swap::recount(&item);
            assert_eq!(length(&again), least, "{item:?}");
            assert!(Swap::accepts(&item, &outcome.answer, &again));
        }
    }
}

#[test]
fn boards_of_eight_cells_take_as_many_actions_as_brute_force_says() {
    let distances = distances(8);
    let mut rng = SemanticRng::from_seed(8);
    let mut order: Vec<u8> = (0..8).collect();
    for (arrangement, least) in distances.iter().step_by(97) {
        // The goal's blank anywhere: search from the blank in cell 0 and rename the cells.
        rng.shuffle(&mut order);
        let mut board = Board { rows: 2, columns: 4, current: vec![0; 8], goal: vec![0; 8] };
        for (place, cell) in order.iter().enumerate() {
            board.goal[usize::from(*cell)] = place as u8;
            board.current[usize::from(*cell)] = arrangement[place];
        }
        let item = item(board);
        let outcome = Swap::execute(&item);
        assert_eq!(length(&outcome.answer), *least, "{item:?}");
        assert_eq!(length(&Swap::recount(&item)), *least, "{item:?}");
    }
    assert_eq!(distances.values().max(), Some(&10));
}

/// What the certificate's reasoning says of single actions.
#[test]
fn every_action_changes_the_distance_by_one() {
    for seed in 0..60 {
        let board = generated(Level::ALL[seed as usize % 3], seed).state;
        let least = length(&Swap::execute(&item(board.clone())).answer);
        for action in board.legal() {
            let next = board.apply(&action).unwrap();
            assert_eq!(Swap::oracle(&next).len().abs_diff(least as usize), 1, "{board:?} {action:?}");
        }
    }
}

#[test]
fn a_forged_proof_is_refused() {
    let item = generated(Level::Hard, 3);
    let outcome = Swap::execute(&item);
    assert!(outcome.evidence.cycles.len() > 1, "{outcome:?}");
    let refused = |change: &dyn Fn(&mut Outcome<SwapProof>)| {
        let mut forged = outcome.clone();
        change(&mut forged);
        Swap::check(&item, &forged).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(!refused(&|o| o.evidence.cycles.reverse()));
    assert!(!refused(&|o| o.evidence.cycles[0].cells.rotate_left(1)));
    assert!(refused(&|o| o.evidence.least += 1));
    assert!(refused(&|o| o.evidence.cycles.truncate(1)));
    assert!(refused(&|o| o.evidence.cycles[0].cells.truncate(1)));
    assert!(refused(&|o| o.evidence.cycles[1].cells.clear()));
    assert!(refused(&|o| o.evidence.cycles[0].cells[0].row = u32::MAX));
    assert!(refused(&|o| o.evidence.cycles[0].blank ^= true));
    assert!(refused(&|o| {
        let again = o.evidence.cycles[0].clone();
        o.evidence.cycles.push(again);
    }));
    let in_place = (0..item.state.current.len()).find(|at| item.state.current[*at] == item.state.goal[*at]);
    if let Some(at) = in_place {
        let cell = Cell { row: at as u32 / item.state.columns, col: at as u32 % item.state.columns };
        assert!(refused(&|o| o.evidence.cycles.push(Cycle { blank: false, cells: vec![cell] })));
    }
    let plan = |change: fn(&mut Vec<topotrace_core::ActionText>)| {
        refused(&|o| {
            let Answer::Plan(plan) = &mut o.answer else { panic!("no plan") };
            change(plan);
            o.evidence.least = plan.len() as u32;
        })
    };
    assert!(plan(|plan| drop(plan.pop())));
    assert!(plan(Vec::clear));
    assert!(plan(|plan| plan.swap(0, 1)));
    assert!(plan(|plan| plan[0] = topotrace_core::ActionText::new("\"left\"")));
}

#[test]
fn any_parameter_can_be_set_by_itself() {
    let with = |level: Level, name: &str, value: &str| {
        let mut settings = Settings::from(level);
        settings.overrides.insert(name.into(), value.into());
        Swap.generator(&settings)
    };
    let board = |generator: Box<dyn Generator>| -> (Board, u32) {
        let (_, instance) = generator.generate(1).unwrap();
        let item: Item<Swap> = serde_json::from_str(&instance.item()).unwrap();
        (item.state, instance.reference_length().unwrap())
    };
    let (wide, _) = board(with(Level::Easy, "shapes", "[[2,4]]").unwrap());
    assert_eq!((wide.rows, wide.columns), (2, 4));
    // Nothing but 3×3 can be so far from its goal.
    let (far, least) = board(with(Level::Easy, "distance_min", "9").unwrap());
    assert_eq!((far.rows, far.columns), (3, 3));
    assert!((9..=10).contains(&least));
    let (_, least) = board(with(Level::Hard, "distance_max", "11").unwrap());
    assert_eq!(least, 11);
    for (level, name, value, named) in [
        (Level::Easy, "shapes", "[]", "shapes []"),
        (Level::Easy, "shapes", "[[2,5]]", "side 5"),
        (Level::Easy, "shapes", "[[3,3],[3,3]]", "[3,3] stands twice"),
        (Level::Medium, "shapes", "[[2,2]]", "distance_min 7"),
        (Level::Easy, "distance_min", "0", "distance_min 0"),
        (Level::Easy, "distance_max", "13", "distance_max 13"),
        (Level::Hard, "distance_max", "10", "distance_max 10"),
    ] {
        let error = with(level, name, value).err().unwrap();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.contains(named), "{error}: {cause}");
    }
}

/// As a build does it: eight units, each with a residue class of the test split's hashes, and no
/// two boards alike.
#[test]
fn two_hundred_different_boards_fill_the_test_split() {
    let generator = Swap.generator(&Level::Easy.into()).unwrap();
    let mut by_shape: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for unit in 0..8_u64 {
        let seen = std::cell::RefCell::new(BTreeSet::<Digest>::new());
        let keep = |hash: Digest| {
            let owned = Split::of(hash) == Split::Test && hash.high() % 8 == unit;
            owned && !seen.borrow().contains(&hash)
        };
        for slot in 0..25 {
            let slot = Slot::new(2026, Swap.info(), format!("easy {unit} {slot}"));
            let (attempt, instance) =
                generator.fill(&slot, 0..100_000, &keep, &mut Rejections::new()).unwrap();
            assert!(attempt < 50_000, "{attempt}");
            seen.borrow_mut().insert(instance.state_hash());
            let item: Item<Swap> = serde_json::from_str(&instance.item()).unwrap();
            *by_shape.entry((item.state.rows, item.state.columns)).or_default() += 1;
        }
    }
    assert_eq!(by_shape.values().sum::<u32>(), 200);
    assert!((1..=12).contains(&by_shape[&(2, 2)]), "{by_shape:?}");
    assert!(by_shape[&(2, 3)] > 35 && by_shape[&(3, 2)] > 35 && by_shape[&(3, 3)] > 45, "{by_shape:?}");
}

/// Boards that were solved from the pictures and the prompt alone, as rows and columns of cells.
#[test]
fn plans_made_by_eye_work_and_are_shortest() {
    const BY_EYE: [(Level, u64, &str); 4] = [
        (Level::Easy, 902, "00 10 21 00"),
        (Level::Medium, 904, "32 11 31 22 10 00 30 21 10 01 12 02 10"),
        (Level::Hard, 908, "31 30 00 12 11 32 20 02 10 01 23 10 21 22 10 03 13 10"),
        (Level::Hard, 911, "22 02 31 33 10 01 11 03 12 13 32 11 21 23 30 11"),
    ];
    for (level, seed, cells) in BY_EYE {
        let (_, instance) = Swap.generator(&level.into()).unwrap().generate(seed).unwrap();
        let action = |cell: &str| format!("{{\"row\": {}, \"col\": {}}}", &cell[..1], &cell[1..]);
        let plan: Vec<String> = cells.split(' ').map(action).collect();
        let verdict = instance.verifier().verify(&format!("{{\"answer\": [{}]}}", plan.join(", ")));
        assert!(verdict.right, "{seed}: {verdict:?}");
        assert_eq!(Some(plan.len() as u32), instance.reference_length(), "{seed}");
    }
}

/// Every tier's shares lie well below the bounds: 30 percent at easy, 15 beyond.
#[test]
fn shortcuts_are_seldom_right() {
    for (level, bound) in Level::ALL.into_iter().zip([25, 10, 10]) {
        let generator = Swap.generator(&level.into()).unwrap();
        let mut right: BTreeMap<&str, u32> = BTreeMap::new();
        for seed in 0..300 {
            let (_, instance) = generator.generate(seed).unwrap();
            for (name, guess) in instance.guesses() {
                *right.entry(name).or_default() += u32::from(instance.accepts(&guess));
            }
        }
        assert!(right.values().all(|count| *count < 3 * bound), "{level}: {right:?}");
    }
}

fn holds_ranges(generator: &dyn Generator, params: &SwapParams, seed: u64) -> Result<(), TestCaseError> {
    let (_, instance) = generator.generate(seed).expect("an instance");
    instance.audit().expect("a sound instance");
    let item: Item<Swap> = serde_json::from_str(&instance.item()).expect("an item");
    let least = instance.reference_length().expect("a plan");
    let sides = (item.state.rows, item.state.columns);
    prop_assert!(params.shapes.iter().any(|shape| (shape.rows, shape.columns) == sides));
    prop_assert!((params.distance_min..=params.distance_max).contains(&least));
    prop_assert_eq!(instance.budget(), Some((6 * least).div_ceil(5)));
    let Answer::Plan(plan) = instance.answer() else { panic!("no plan") };
    prop_assert!(plan_succeeds(&item.state, plan, least));
    prop_assert!(!plan_succeeds(&item.state, plan, least - 1));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_tier_holds_its_ranges_and_both_ways_agree(seed in any::<u64>(), level in 0..3_usize) {
        let level = Level::ALL[level];
        let generator = Swap.generator(&level.into()).unwrap();
        holds_ranges(&*generator, &SwapParams::at(level.into()), seed)?;
    }

    #[test]
    fn so_does_every_difficulty_between_and_beyond(seed in any::<u64>(), percent in 0..=125_u32) {
        let difficulty = Difficulty::new(f64::from(percent) / 100.0).unwrap();
        let generator = Swap.generator(&Settings::at(difficulty)).unwrap();
        holds_ranges(&*generator, &SwapParams::at(difficulty), seed)?;
    }

    #[test]
    fn the_oracle_solves_from_wherever_random_swaps_lead(seed in any::<u64>(), level in 0..3_usize) {
        let mut board = generated(Level::ALL[level], seed).state;
        let mut rng = SemanticRng::from_seed(seed);
        for _ in 0..rng.below(24) {
            let legal = board.legal();
            if legal.is_empty() {
                break;
            }
            board = board.apply(rng.pick(&legal)).unwrap();
        }
        let plan = Swap::oracle(&board);
        prop_assert_eq!(plan.len() as u32, length(&Swap::recount(&item(board.clone()))));
        for action in plan {
            board = board.apply(&action).unwrap();
        }
        prop_assert_eq!(board.status(), Status::Success);
        prop_assert!(Swap::oracle(&board).is_empty() && board.legal().is_empty());
    }
}
