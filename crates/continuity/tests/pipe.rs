//! Pipes: the least number of turns is exact, boards keep their tier's ranges, plans work.

use proptest::prelude::*;
use topotrace_continuity::pipe::{Board, Cell, Pipe, PipeParams, PipeProof, PipeQuery, Pipes};
use topotrace_core::{
    Answer, Difficulty, Draw as _, Game as _, Generator, Item, Level, Outcome, Params as _, Planning as _,
    RenderRng, Scene as _, SemanticRng, Settings, Status, Task as _, TaskProgram as _, conformance,
    plan_succeeds,
};
use topotrace_draw::{Rasterizer, check_visibility};

fn turned(openings: u8) -> u8 {
    (openings << 1 | openings >> 3) & 15
}

/// The least turns over all positions of all pipes; `None` when none solves the board.
fn brute_force(board: &Board) -> Option<u32> {
    let pipes: Vec<usize> = (0..board.cells.len()).filter(|at| board.cells[*at] != 0).collect();
    let mut best = None;
    let mut trial = board.clone();
    for number in 0..1_usize << (2 * pipes.len()) {
        let mut cost = 0;
        for (place, at) in pipes.iter().enumerate() {
            let turns = number >> (2 * place) & 3;
            trial.cells[*at] = (0..turns).fold(board.cells[*at], |openings, _| turned(openings));
            cost += turns as u32;
        }
        if best.is_none_or(|best| cost < best) && trial.status() == Status::Success {
            best = Some(cost);
        }
    }
    best
}

fn item(board: Board) -> Item<Pipe> {
    Item::<Pipe> { query: PipeQuery { budget: 4 * board.cells.len() as u32 }, state: board, marks: () }
}

fn length(answer: &Answer) -> u32 {
    match answer {
        Answer::Plan(plan) => plan.len() as u32,
        _ => panic!("no plan"),
    }
}

/// A random 3×3 board with just as many openings as a tree has, whether it can be solved or not.
fn random_board(pipes: usize, rng: &mut SemanticRng) -> Board {
    loop {
        let mut cells: Vec<u8> =
            (0..9).map(|at| if at < pipes { 1 + rng.below(14) as u8 } else { 0 }).collect();
        rng.shuffle(&mut cells);
        let at = (0..9).find(|at| cells[*at] != 0).expect("a pipe") as u32;
        let board = Board { size: 3, source: Cell { x: at % 3, y: at / 3 }, cells };
        if board.validate().is_ok() {
            return board;
        }
    }
}

#[test]
fn the_least_number_of_turns_is_that_of_brute_force() {
    let mut rng = SemanticRng::from_seed(11);
    let (mut solved, mut unsolvable) = (0, 0);
    while solved < 300 || unsolvable < 100 {
        // Of the greatest boards, which take long by brute force, only a few that can be solved.
        let pipes = if solved % 20 == 1 { 9 } else { 3 + rng.below(4) };
        let board = random_board(pipes, &mut rng);
        let solved_already = board.status() == Status::Success;
        if solved_already || pipes == 9 && length(&Pipe::recount(&item(board.clone()))) == 0 {
            continue;
        }
        let least = brute_force(&board);
        let mut item = item(board);
        item.query.budget = 4 * pipes as u32;
        let valid = Pipe::validate(&item);
        assert_eq!(valid.is_ok(), least.is_some(), "{item:?} {valid:?}");
        let Some(least) = least else {
            unsolvable += 1;
            assert_eq!(length(&Pipe::recount(&item)), 0);
            continue;
        };
        solved += 1;
        let outcome = Pipe::execute(&item);
        assert_eq!(length(&outcome.answer), least, "{item:?}");
        assert_eq!(length(&Pipe::recount(&item)), least, "{item:?}");
        assert!(Pipe::accepts(&item, &outcome.answer, &Pipe::recount(&item)));
        Pipe::check(&item, &outcome).unwrap();
    }
}

#[test]
fn the_task_conforms() {
    conformance::check_seeds(&Pipe, 0..6).unwrap();
}

#[test]
fn a_forged_proof_is_refused() {
    let (_, instance) = Pipe.generator(&Level::Medium.into()).unwrap().generate(3).unwrap();
    let item: Item<Pipe> = serde_json::from_str(&instance.item()).unwrap();
    let outcome = Pipe::execute(&item);
    let refused = |change: &dyn Fn(&mut Outcome<PipeProof>)| {
        let mut forged = outcome.clone();
        change(&mut forged);
        Pipe::check(&item, &forged).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|o| o.evidence.least += 1));
    assert!(refused(&|o| o.evidence.turns.truncate(3)));
    assert!(refused(&|o| o.evidence.holds.truncate(3)));
    assert!(refused(&|o| o.evidence.holds.reverse()));
    assert!(refused(&|o| o.evidence.holds[0].x = u32::MAX - 1));
    assert!(refused(&|o| {
        o.evidence.least -= 1;
        let Answer::Plan(plan) = &mut o.answer else { panic!("no plan") };
        plan.pop();
    }));
}

#[test]
fn every_mark_is_visible_in_every_theme_and_style() {
    let mut rasterizer = Rasterizer::new();
    for (seed, level) in Level::ALL.into_iter().cycle().take(12).enumerate() {
        let (_, instance) = Pipe.generator(&level.into()).unwrap().generate(seed as u64).unwrap();
        let item: Item<Pipe> = serde_json::from_str(&instance.item()).unwrap();
        for (number, theme) in Pipes::THEMES.iter().enumerate() {
            let mut rng = RenderRng::from_seed((seed * 10 + number) as u64);
            let style = Pipes::style(&item.state, theme, &mut rng);
            Pipes::validate_style(&item.state, &style).unwrap();
            let picture = &Pipes::draw(&item.state, &(), &style)[0];
            let boxes = rasterizer.measure(picture).unwrap();
            check_visibility(&boxes).unwrap_or_else(|flaw| panic!("{style:?}: {flaw}"));
            assert_eq!(boxes.len(), item.state.cells.iter().filter(|openings| **openings != 0).count() + 1);
            // Only the source's mark and its own pipe lie over each other.
            assert!(picture.marks.iter().filter(|mark| mark.alone_svg.is_some()).count() <= 1);
        }
    }
}

#[test]
fn any_parameter_can_be_set_by_itself() {
    let mut settings = Settings::from(Level::Easy);
    settings.overrides.insert("board".into(), "6".into());
    settings.overrides.insert("turns_max".into(), "14".into());
    let (_, instance) = Pipe.generator(&settings).unwrap().generate(1).unwrap();
    let item: Item<Pipe> = serde_json::from_str(&instance.item()).unwrap();
    assert_eq!(item.state.size, 6);
    assert!((13..=14).contains(&instance.reference_length().unwrap()));
    settings.overrides.insert("board".into(), "9".into());
    let error = Pipe.generator(&settings).err().unwrap();
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(format!("{error} {cause}").contains("board 9"), "{error} {cause}");
}

/// Two boards of the easy tier that a person solved from the picture and the prompt alone.
#[test]
fn plans_made_by_eye_work_and_are_shortest() {
    type Turns = &'static [(u32, u32, usize)];
    const BY_EYE: [(u64, Turns); 2] = [
        (100, &[(0, 0, 3), (1, 0, 1), (0, 2, 3), (1, 2, 3), (2, 2, 1), (3, 2, 3)]),
        (101, &[(0, 1, 1), (3, 1, 3), (2, 1, 2), (0, 2, 1), (1, 2, 2), (0, 3, 1), (2, 3, 3)]),
    ];
    for (seed, turns) in BY_EYE {
        let (_, instance) = Pipe.generator(&Level::Easy.into()).unwrap().generate(seed).unwrap();
        let plan: Vec<String> = turns
            .iter()
            .flat_map(|(x, y, times)| vec![format!("{{\"x\": {x}, \"y\": {y}}}"); *times])
            .collect();
        let verdict = instance.verifier().verify(&format!("{{\"answer\": [{}]}}", plan.join(", ")));
        assert!(verdict.right, "{seed}: {verdict:?}");
        assert_eq!(Some(plan.len() as u32), instance.reference_length(), "{seed}");
    }
}

fn holds_ranges(generator: &dyn Generator, params: &PipeParams, seed: u64) -> Result<(), TestCaseError> {
    let (_, instance) = generator.generate(seed).expect("an instance");
    instance.audit().expect("a sound instance");
    let item: Item<Pipe> = serde_json::from_str(&instance.item()).expect("an item");
    let pipes = item.state.cells.iter().filter(|openings| **openings != 0).count() as u32;
    let three_way = item.state.cells.iter().filter(|openings| openings.count_ones() == 3).count() as u32;
    let least = instance.reference_length().expect("a plan");
    prop_assert_eq!(item.state.size, params.board);
    prop_assert!((params.pipes_min..=params.pipes_max).contains(&pipes));
    prop_assert!((params.three_way_min..=params.three_way_max).contains(&three_way));
    prop_assert!((params.turns_min..=params.turns_max).contains(&least));
    prop_assert_eq!(instance.budget(), Some((13 * least).div_ceil(10)));
    let Answer::Plan(plan) = instance.answer() else { panic!("no plan") };
    prop_assert!(plan_succeeds(&item.state, plan, least));
    prop_assert!(!plan_succeeds(&item.state, plan, least - 1));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_tier_holds_its_ranges_and_both_ways_agree(seed in any::<u64>(), level in 0..3_usize) {
        let level = Level::ALL[level];
        let generator = Pipe.generator(&level.into()).unwrap();
        holds_ranges(&*generator, &PipeParams::at(level.into()), seed)?;
    }

    #[test]
    fn so_does_every_difficulty_between_and_beyond(seed in any::<u64>(), percent in 0..=125_u32) {
        let difficulty = Difficulty::new(f64::from(percent) / 100.0).unwrap();
        let generator = Pipe.generator(&Settings::at(difficulty)).unwrap();
        holds_ranges(&*generator, &PipeParams::at(difficulty), seed)?;
    }

    #[test]
    fn the_oracle_solves_from_wherever_random_turns_lead(seed in any::<u64>()) {
        let (_, instance) = Pipe.generator(&Level::Hard.into()).unwrap().generate(seed).unwrap();
        let item: Item<Pipe> = serde_json::from_str(&instance.item()).unwrap();
        let mut rng = SemanticRng::from_seed(seed);
        let mut board = item.state;
        for _ in 0..rng.below(20) {
            let legal = board.legal();
            if legal.is_empty() {
                break;
            }
            board = board.apply(rng.pick(&legal)).unwrap();
        }
        for action in Pipe::oracle(&board) {
            board = board.apply(&action).unwrap();
        }
        prop_assert_eq!(board.status(), Status::Success);
        prop_assert!(Pipe::oracle(&board).is_empty());
    }
}
