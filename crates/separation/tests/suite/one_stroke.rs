//! One stroke: the shortest solution is exact, boards keep their tier's ranges, plans work.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use topotrace_core::{
    Answer, Difficulty, Draw as _, Game as _, Generator, Item, Level, Outcome, Params as _, Planning as _,
    RenderRng, Scene as _, SemanticRng, Settings, Status, Task as _, TaskProgram as _, conformance,
    plan_succeeds,
};
use topotrace_draw::{Rasterizer, check_visibility};
use topotrace_separation::one_stroke::{
    Board, Move, OneStroke, StrokeParams, StrokeProof, StrokeQuery, StrokeScene,
};

/// The length of a shortest solution over all simple paths, each followed to its end and judged
/// by merging cells; `None` when no path separates the colors.
fn brute_force(board: &Board) -> Option<usize> {
    fn visit(board: &Board, path: &mut Vec<(i32, i32)>, best: &mut Option<usize>) {
        let size = board.size as i32;
        let (x, y) = path[path.len() - 1];
        if (x, y) == (size, 0) {
            if best.is_none_or(|best| path.len() - 1 < best) && separates(board, path) {
                *best = Some(path.len() - 1);
            }
            return;
        }
        for to in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            if (0..=size).contains(&to.0) && (0..=size).contains(&to.1) && !path.contains(&to) {
                path.push(to);
                visit(board, path, best);
                path.pop();
            }
        }
    }
    let mut best = None;
    visit(board, &mut vec![(0, board.size as i32)], &mut best);
    best
}

fn separates(board: &Board, path: &[(i32, i32)]) -> bool {
    let size = board.size as i32;
    let drawn = |a: (i32, i32), b: (i32, i32)| path.windows(2).any(|pair| pair == [a, b] || pair == [b, a]);
    let mut label: Vec<usize> = (0..board.cells.len()).collect();
    let mut merge = |a: i32, b: i32| {
        let (a, b) = (label[a as usize], label[b as usize]);
        label.iter_mut().filter(|label| **label == a).for_each(|label| *label = b);
    };
    for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
        if x + 1 < size && !drawn((x + 1, y), (x + 1, y + 1)) {
            merge(y * size + x, y * size + x + 1);
        }
        if y + 1 < size && !drawn((x, y + 1), (x + 1, y + 1)) {
            merge(y * size + x, (y + 1) * size + x);
        }
    }
    let colored = || board.cells.iter().zip(&label).filter(|(color, _)| **color != 0);
    colored().all(|(color, label)| colored().all(|(other, at)| (color == other) == (label == at)))
}

/// A random board, whether it can be solved or not.
fn random_board(size: u32, rng: &mut SemanticRng) -> Board {
    let colors = 1 + rng.below(if size == 2 { 3 } else { 4 });
    let share = rng.between(15..=70);
    loop {
        let cell = |rng: &mut SemanticRng| if rng.percent(share) { 1 + rng.below(colors) as u8 } else { 0 };
        let cells = (0..size * size).map(|_| cell(rng)).collect();
        let board = Board { size, cells, path: Vec::new() };
        if board.validate().is_ok() {
            return board;
        }
    }
}

fn item(board: Board) -> Item<OneStroke> {
    let budget = 2 * (board.size + 1) * (board.size + 1);
    Item::<OneStroke> { query: StrokeQuery { budget }, state: board, marks: () }
}

fn generated(level: Level, seed: u64) -> Item<OneStroke> {
    let (_, instance) = OneStroke.generator(&level.into()).unwrap().generate(seed).unwrap();
    serde_json::from_str(&instance.item()).unwrap()
}

fn length(answer: &Answer) -> usize {
    match answer {
        Answer::Plan(plan) => plan.len(),
        _ => panic!("no plan"),
    }
}

#[test]
fn the_shortest_solution_is_that_of_brute_force() {
    let mut rng = SemanticRng::from_seed(12);
    let (mut solved, mut unsolvable) = (0, 0);
    while solved < 300 || unsolvable < 100 {
        let size = [2, 3, 3, 3, 4][rng.below(5)];
        let board = random_board(size, &mut rng);
        let least = brute_force(&board);
        let mut item = item(board);
        assert_eq!(OneStroke::validate(&item).is_ok(), least.is_some(), "{item:?}");
        let Some(least) = least else {
            unsolvable += 1;
            assert_eq!(length(&OneStroke::recount(&item)), 0);
            continue;
        };
        solved += 1;
        let outcome = OneStroke::execute(&item);
        assert_eq!(length(&outcome.answer), least, "{item:?}");
        assert_eq!(length(&OneStroke::recount(&item)), least, "{item:?}");
        assert!(OneStroke::accepts(&item, &outcome.answer, &OneStroke::recount(&item)));
        OneStroke::check(&item, &outcome).unwrap();
        item.query.budget = least as u32 - 1;
        assert!(OneStroke::validate(&item).is_err(), "{item:?}");
    }
}

/// The least number of actions to success over all strokes; `None` when there is no way.
fn breadth_first(board: &Board) -> Option<usize> {
    let mut distances = BTreeMap::from([(board.path.clone(), 0)]);
    let mut queue = VecDeque::from([board.clone()]);
    while let Some(board) = queue.pop_front() {
        let distance = distances[&board.path];
        if board.status() == Status::Success {
            return Some(distance);
        }
        for next in board.legal().iter().map(|action| board.apply(action).unwrap()) {
            if !distances.contains_key(&next.path) {
                distances.insert(next.path.clone(), distance + 1);
                queue.push_back(next);
            }
        }
    }
    None
}

fn after_random_actions(mut board: Board, most: usize, rng: &mut SemanticRng) -> Board {
    for _ in 0..rng.below(most + 1) {
        let legal = board.legal();
        if legal.is_empty() {
            break;
        }
        board = board.apply(rng.pick(&legal)).unwrap();
    }
    board
}

#[test]
fn the_oracle_is_as_short_as_a_search_of_all_strokes() {
    let mut rng = SemanticRng::from_seed(3);
    let mut open = 0;
    while open < 150 {
        let board = random_board(3, &mut rng);
        if OneStroke::validate(&item(board.clone())).is_err() {
            continue;
        }
        let board = after_random_actions(board, 14, &mut rng);
        let plan = OneStroke::oracle(&board);
        if board.status() == Status::Open {
            open += 1;
            assert_eq!(Some(plan.len()), breadth_first(&board), "{board:?}");
        } else {
            assert!(plan.is_empty());
        }
        let mut end = board.clone();
        for action in plan {
            end = end.apply(&action).unwrap();
        }
        assert!(end.status() != Status::Open);
    }
}

#[test]
fn the_task_conforms() {
    conformance::check_seeds(&OneStroke, 0..6).unwrap();
}

#[test]
fn a_forged_proof_is_refused() {
    let item = generated(Level::Medium, 3);
    let outcome = OneStroke::execute(&item);
    let refused = |change: &dyn Fn(&mut Outcome<StrokeProof>)| {
        let mut forged = outcome.clone();
        change(&mut forged);
        OneStroke::check(&item, &forged).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|o| o.evidence.least += 1));
    assert!(refused(&|o| o.evidence.path.truncate(3)));
    assert!(refused(&|o| o.evidence.path[0] = o.evidence.path[0].back()));
    assert!(refused(&|o| o.evidence.regions.truncate(3)));
    assert!(refused(&|o| o.evidence.regions[0] = 1 - o.evidence.regions[0].min(1)));
    assert!(refused(&|o| o.evidence.regions[7] = u32::MAX));
    assert!(refused(&|o| o.evidence.colors.swap(0, 1)));
    assert!(refused(&|o| o.evidence.colors.push(0)));
    assert!(refused(&|o| o.evidence.colors[0] = o.evidence.colors[1]));
    let plan = |o: &mut Outcome<StrokeProof>, moves: &[Move]| {
        o.answer = topotrace_core::plan_of(moves);
        o.evidence.path = moves.to_vec();
        o.evidence.least = moves.len() as u32;
    };
    let moves = outcome.evidence.path.clone();
    assert!(!refused(&|o| plan(o, &moves)));
    assert!(refused(&|o| plan(o, &moves[..moves.len() - 1])));
    assert!(refused(&|o| plan(o, &[])));
    assert!(refused(&|o| plan(o, &[&moves[..], &[Move::L]].concat())));
    assert!(refused(&|o| plan(o, &[&[moves[0], moves[0].back()], &moves[..]].concat())));
    assert!(refused(&|o| plan(o, &[vec![Move::U; 5], vec![Move::R; 5]].concat())));
    assert!(refused(&|o| plan(o, &[Move::D])));
}

#[test]
fn foreign_boards_of_every_kind_are_loaded() {
    let load = |size: u32, cells: Vec<u8>, path: &[Move], budget: u32| {
        let state = Board { size, cells, path: path.to_vec() };
        OneStroke::validate(&Item::<OneStroke> { state, marks: (), query: StrokeQuery { budget } })
    };
    // One color, once; some cells in corners and the middle of the greatest board.
    let one = |place: usize, size: u32| {
        let mut cells = vec![0; (size * size) as usize];
        cells[place] = 4;
        cells
    };
    load(2, one(1, 2), &[], 4).unwrap();
    load(7, one(24, 7), &[], 14).unwrap();
    let mut corners = vec![0; 49];
    for (place, color) in [(0, 7), (6, 2), (24, 5)] {
        corners[place] = color;
    }
    load(7, corners, &[], 16).unwrap();
    let refused = |size: u32, cells: Vec<u8>, path: &[Move], budget: u32| {
        load(size, cells, path, budget).unwrap_err().to_string()
    };
    assert!(refused(2, one(1, 2), &[], 3).contains("no stroke of 3 moves"));
    assert!(refused(2, one(1, 2), &[], 19).contains("budget 19"));
    assert!(refused(2, one(1, 2), &[Move::U], 8).contains("begun"));
    assert!(refused(2, vec![1, 2, 2, 1], &[], 8).contains("separates"));
    assert!(refused(2, vec![0; 4], &[], 8).contains("no cell"));
}

#[test]
fn colors_may_be_named_otherwise() {
    let board = generated(Level::Hard, 5).state;
    let mut other = board.clone();
    other.cells.iter_mut().filter(|color| **color != 0).for_each(|color| *color = 8 - *color);
    assert_ne!(board, other);
    assert_eq!(StrokeScene::canonical(&board), StrokeScene::canonical(&other));
    assert_eq!(StrokeScene::canonical(&board), StrokeScene::canonical(&StrokeScene::canonical(&board)));
}

#[test]
fn every_mark_is_visible_in_every_theme_and_style() {
    let mut rasterizer = Rasterizer::new();
    let crowded = Board { size: 7, cells: (0..49).map(|cell| cell % 7 + 1).collect(), path: Vec::new() };
    let boards = (0..9).map(|seed| generated(Level::ALL[seed as usize % 3], seed).state);
    for (seed, start) in boards.chain([crowded]).enumerate() {
        for (number, theme) in StrokeScene::THEMES.iter().enumerate() {
            let mut rng = RenderRng::from_seed((seed * 10 + number) as u64);
            // At the start, somewhere on the way, and at the end.
            let plan = OneStroke::oracle(&start);
            let done = [0, rng.below(plan.len() + 1), plan.len()][number % 3];
            let board = plan[..done].iter().fold(start.clone(), |board, action| board.apply(action).unwrap());
            let style = StrokeScene::style(&board, theme, &mut rng);
            StrokeScene::validate_style(&board, &style).unwrap();
            let picture = &StrokeScene::draw(&board, &(), &style)[0];
            let boxes = rasterizer.measure(picture).unwrap();
            check_visibility(&boxes).unwrap_or_else(|flaw| panic!("{style:?}: {flaw}"));
            let colored = boxes.iter().filter(|mark| mark.name.starts_with("cell"));
            // The stroke lies in the gaps: it hides no cell. A ring touches the tile in its corner.
            let last = board.size - 1;
            let corners = [format!("cell 0,{last}"), format!("cell {last},0")];
            for mark in colored.clone() {
                let least = if corners.contains(&mark.name) { 92 } else { 100 };
                assert!(mark.visible * 100 >= mark.silhouette * least, "{mark:?} {style:?}");
            }
            assert_eq!(colored.count(), board.cells.iter().filter(|color| **color != 0).count());
            assert_eq!(
                boxes.iter().filter(|mark| ["start", "target", "head"].contains(&&*mark.name)).count(),
                3
            );
        }
    }
}

#[test]
fn any_parameter_can_be_set_by_itself() {
    let mut settings = Settings::from(Level::Medium);
    settings.overrides.insert("board".into(), "6".into());
    settings.overrides.insert("colors_min".into(), "4".into());
    settings.overrides.insert("colors_max".into(), "4".into());
    settings.overrides.insert("uncolored_max".into(), "0".into());
    settings.overrides.insert("solution_min".into(), "16".into());
    settings.overrides.insert("solution_max".into(), "16".into());
    settings.overrides.insert("path_min".into(), "18".into());
    settings.overrides.insert("path_max".into(), "18".into());
    let (_, instance) = OneStroke.generator(&settings).unwrap().generate(1).unwrap();
    let item: Item<OneStroke> = serde_json::from_str(&instance.item()).unwrap();
    assert_eq!((item.state.size, item.query.budget), (6, 22));
    assert_eq!(instance.reference_length(), Some(16));
    for (name, value) in [
        ("board", "8"),
        ("colors_min", "1"),
        ("colors_max", "8"),
        ("path_min", "8"),
        ("path_max", "31"),
        ("solution_min", "9"),
        ("solution_max", "29"),
        ("uncolored_max", "61"),
    ] {
        let mut settings = Settings::from(Level::Medium);
        settings.overrides.insert(name.into(), value.into());
        let error = OneStroke.generator(&settings).err().unwrap();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.contains(&format!("{name} {value} is not from")), "{error} {cause}");
    }
}

/// Three boards, one of each tier, that were solved from the picture and the prompt alone.
#[test]
fn plans_made_by_eye_work_and_are_shortest() {
    // Colors from the top, budget, moves.
    const BY_EYE: [(&[&str], u32, &str); 3] = [
        (&["1122", "1011", "0330", "3330"], 20, "URURRRULLURR"),
        (&["30301", "30022", "03333", "30000", "00000"], 24, "UUUUURRRDDRRULUR"),
        (&["111113", "111111", "111114", "111101", "111115", "211610"], 27, "URDRRURDRUURULURULUR"),
    ];
    for (rows, budget, moves) in BY_EYE {
        let state = Board {
            size: rows.len() as u32,
            cells: rows.concat().bytes().map(|digit| digit - b'0').collect(),
            path: Vec::new(),
        };
        let item = Item::<OneStroke> { state, marks: (), query: StrokeQuery { budget } };
        let instance = OneStroke.load(&serde_json::to_string(&item).unwrap()).unwrap();
        let plan: Vec<String> = moves.chars().map(|letter| format!("\"{letter}\"")).collect();
        let verdict = instance.verifier().verify(&format!("{{\"answer\": [{}]}}", plan.join(", ")));
        assert!(verdict.right, "{rows:?}: {verdict:?}");
        assert_eq!(Some(plan.len() as u32), instance.reference_length(), "{rows:?}");
    }
}

fn holds_ranges(generator: &dyn Generator, params: &StrokeParams, seed: u64) -> Result<(), TestCaseError> {
    let (_, instance) = generator.generate(seed).expect("an instance");
    instance.audit().expect("a sound instance");
    let item: Item<OneStroke> = serde_json::from_str(&instance.item()).expect("an item");
    let colors = (1..=7).filter(|color| item.state.cells.contains(color)).count() as u32;
    let least = instance.reference_length().expect("a plan");
    prop_assert_eq!(item.state.size, params.board);
    prop_assert!(item.state.path.is_empty());
    prop_assert!((params.colors_min..=params.colors_max).contains(&colors));
    prop_assert!((params.solution_min..=params.solution_max).contains(&least));
    let lengths = params.path_min..=params.path_max;
    let budgets: Vec<u32> = lengths.step_by(2).map(|path| (6 * path).div_ceil(5)).collect();
    prop_assert!(budgets.contains(&item.query.budget) && instance.budget() == Some(item.query.budget));
    let Answer::Plan(plan) = instance.answer() else { panic!("no plan") };
    prop_assert!(plan_succeeds(&item.state, plan, least));
    prop_assert!(!plan_succeeds(&item.state, plan, least - 1));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn every_tier_holds_its_ranges_and_both_ways_agree(seed in any::<u64>(), level in 0..3_usize) {
        let level = Level::ALL[level];
        let generator = OneStroke.generator(&level.into()).unwrap();
        holds_ranges(&*generator, &StrokeParams::at(level.into()), seed)?;
    }

    #[test]
    fn so_does_every_difficulty_between_and_beyond(seed in any::<u64>(), percent in 0..=125_u32) {
        let difficulty = Difficulty::new(f64::from(percent) / 100.0).unwrap();
        let generator = OneStroke.generator(&Settings::at(difficulty)).unwrap();
        holds_ranges(&*generator, &StrokeParams::at(difficulty), seed)?;
    }

    #[test]
    fn the_oracle_solves_from_wherever_random_moves_lead(seed in any::<u64>(), level in 0..3_usize) {
        let item = generated(Level::ALL[level], seed);
        let board = after_random_actions(item.state, 30, &mut SemanticRng::from_seed(seed));
        let plan = OneStroke::oracle(&board);
        prop_assert_eq!(plan.is_empty(), board.status() != Status::Open);
        let mut end = board.clone();
        for action in &plan {
            end = end.apply(action).unwrap();
        }
        prop_assert!(plan.is_empty() || end.status() == Status::Success);
        prop_assert!(OneStroke::oracle(&end).is_empty());
        // Taking everything back is one way, so that the oracle's is not longer.
        let start = Board { path: Vec::new(), ..board.clone() };
        prop_assert!(plan.len() <= board.path.len() + OneStroke::oracle(&start).len());
    }

    #[test]
    fn every_legal_action_can_be_applied_and_no_other(seed in any::<u64>()) {
        let item = generated(Level::Medium, seed % 16);
        let mut rng = SemanticRng::from_seed(seed);
        let board = after_random_actions(item.state, 20, &mut rng);
        let legal = board.legal();
        for action in Move::ALL {
            let next = board.apply(&action);
            prop_assert_eq!(next.is_ok(), legal.contains(&action));
            if let Ok(next) = next {
                next.validate().expect("a sound board");
            }
        }
        let greedy = OneStroke::greedy(&board, &mut rng);
        prop_assert_eq!(greedy.is_some(), board.status() == Status::Open);
        prop_assert!(greedy.is_none_or(|action| legal.contains(&action)));
    }
}
