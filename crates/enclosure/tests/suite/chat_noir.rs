//! The task: boards keep their tier's ranges, plans work, proofs can't be forged.

use proptest::prelude::*;
use topotrace_core::{
    Answer, Difficulty, EpisodeOptions, Game as _, Generator, Item, Level, Outcome, Params as _,
    Planning as _, Policy, SemanticRng, Settings, Status, Task as _, TaskProgram as _, plan_succeeds,
};
use topotrace_enclosure::chat_noir::{
    BudgetRule, ChatNoir, ChatNoirParams, ChatNoirQuery, Coins, Habit, Position, TrapProof,
};

fn generated(level: Level, seed: u64) -> Item<ChatNoir> {
    let (_, instance) = ChatNoir.generator(&level.into()).unwrap().generate(seed).unwrap();
    serde_json::from_str(&instance.item()).unwrap()
}

#[test]
fn a_forged_proof_is_refused() {
    let item = generated(Level::Easy, 3);
    let outcome = ChatNoir::execute(&item);
    let refused = |change: &dyn Fn(&mut Outcome<TrapProof>)| {
        let mut forged = outcome.clone();
        change(&mut forged);
        ChatNoir::check(&item, &forged).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|o| o.evidence.least += 1));
    assert!(refused(&|o| o.evidence.coins = Coins::None));
    assert!(refused(&|o| o.evidence.way[0] += 1));
    assert!(refused(&|o| o.evidence.way.truncate(1)));
    assert!(refused(&|o| o.evidence.ring.clear()));
    assert!(refused(&|o| o.evidence.ring.truncate(5)));
    assert!(refused(&|o| o.evidence.ring[0] = u32::MAX));
    assert!(refused(&|o| o.evidence.ring[0] = item.state.cat));
    assert!(refused(&|o| {
        o.evidence.ring.pop();
    }));
    assert!(refused(&|o| {
        let first = o.evidence.ring[0];
        o.evidence.ring.push(first);
    }));
    assert!(refused(&|o| {
        o.evidence.least -= 1;
        let Answer::Plan(plan) = &mut o.answer else { panic!("no plan") };
        plan.pop();
    }));
    assert!(refused(&|o| {
        o.evidence.least = 0;
        o.answer = Answer::Plan(Vec::new());
    }));
}

#[test]
fn what_can_not_be_played_is_refused() {
    let item = generated(Level::Medium, 4);
    let flaw = |change: &dyn Fn(&mut Position, &mut ChatNoirQuery)| {
        let mut other = item.clone();
        change(&mut other.state, &mut other.query);
        ChatNoir::validate(&other).unwrap_err().to_string()
    };
    let least = ChatNoir::execute(&item).evidence.least;
    assert!(flaw(&|_, q| q.budget = least - 1).contains("shortest plan"));
    assert!(flaw(&|_, q| q.budget += 1).contains("can be blocked"));
    assert!(flaw(&|p, _| p.turn = 1).contains("turn"));
    let blocked = item.state.blocked;
    let corner = (0..4).find(|cell| !blocked.contains(*cell)).unwrap();
    assert!(flaw(&|p, _| p.cat = corner).contains("stands on the rim"));
    let cells = if item.state.radius == 3 { 37 } else { 61 };
    let others = |cat: u32| (0..cells).filter(move |cell| *cell != cat);
    let all = others(item.state.cat).fold(blocked, |set, cell| set.with(cell));
    assert!(flaw(&|p, _| p.blocked = all).contains("trapped already"));
}

#[test]
fn any_parameter_can_be_set_by_itself() {
    for (name, value) in [
        ("habit", "\"wary\""),
        ("habit", "\"wandering_browser\""),
        ("radius_min", "4"),
        ("radius_max", "3"),
        ("blocks_3_min", "10"),
        ("blocks_3_max", "9"),
        ("blocks_4_min", "13"),
        ("blocks_4_max", "16"),
        ("budget", "\"tight\""),
    ] {
        let mut settings = Settings::from(Level::Easy);
        settings.overrides.insert(name.into(), value.into());
        let (_, instance) = ChatNoir.generator(&settings).unwrap().generate(1).unwrap();
        instance.audit().unwrap();
    }
    for (name, value, wanted) in [
        ("radius_min", "2", "radius_min 2"),
        ("radius_max", "5", "radius_max 5"),
        ("blocks_3_min", "3", "blocks_3_min 3"),
        ("blocks_3_max", "19", "blocks_3_max 19"),
        ("blocks_4_min", "7", "blocks_4_min 7"),
        ("blocks_4_max", "31", "blocks_4_max 31"),
        ("habit", "\"lazy\"", "lazy"),
        ("budget", "\"none\"", "none"),
    ] {
        let mut settings = Settings::from(Level::Easy);
        settings.overrides.insert(name.into(), value.into());
        let error = ChatNoir.generator(&settings).err().unwrap();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(format!("{error} {cause}").contains(wanted), "{error} {cause}");
    }
}

#[test]
fn a_tight_budget_is_one_and_a_half_times_the_reference() {
    let mut settings = Settings::from(Level::Hard);
    settings.overrides.insert("budget".into(), "\"tight\"".into());
    let generator = ChatNoir.generator(&settings).unwrap();
    for seed in 0..10 {
        let (_, instance) = generator.generate(seed).unwrap();
        let least = instance.reference_length().unwrap();
        assert_eq!(instance.budget(), Some((3 * least).div_ceil(2)));
        instance.audit().unwrap();
    }
}

#[test]
fn observations_list_the_legal_cells_and_name_the_cat_s() {
    let (seeds, instance) = ChatNoir.generator(&Level::Hard.into()).unwrap().generate(5).unwrap();
    let item: Item<ChatNoir> = serde_json::from_str(&instance.item()).unwrap();
    let style = instance.style(seeds.render, None).unwrap();
    let mut episode = instance.episode(&style, EpisodeOptions::default(), 1).unwrap().unwrap();
    let prompt = episode.observe().prompt;
    assert!(prompt.contains(&format!("The cat is on cell {}.", item.state.cat)), "{prompt}");
    let legal: Vec<String> = item.state.legal().iter().map(u32::to_string).collect();
    assert!(prompt.contains(&format!("Legal actions: {}.", legal.join(", "))), "{prompt}");
    let step = episode.step(&format!("{{\"answer\": {}}}", item.state.cat));
    assert!(!step.legal() && step.detail.unwrap().contains("stands"));
    assert_eq!(episode.steps_left(), item.query.budget - 1);
}

#[test]
fn a_plan_for_a_wandering_cat_can_be_made_from_the_prompt() {
    let (seeds, instance) = ChatNoir.generator(&Level::Easy.into()).unwrap().generate(2).unwrap();
    let item: Item<ChatNoir> = serde_json::from_str(&instance.item()).unwrap();
    let style = instance.style(seeds.render, None).unwrap();
    let told: Vec<String> = item.state.draws[..12]
        .iter()
        .map(|draw| if draw / 60 < 5 { "D".to_owned() } else { (draw % 60).to_string() })
        .collect();
    for seed in 0..6 {
        assert!(instance.prompt(seed, &style).unwrap().contains(&told.join(", ")));
    }
}

/// The random policy hardly ever traps a cat; the oracle always does, within a tight budget, too.
#[test]
fn policies_play_as_well_as_they_should() {
    let mut random = 0;
    for (number, level) in Level::ALL.into_iter().cycle().take(60).enumerate() {
        let (seeds, instance) = ChatNoir.generator(&level.into()).unwrap().generate(number as u64).unwrap();
        let style = instance.style(seeds.render, None).unwrap();
        let start = instance.episode(&style, EpisodeOptions::default(), 1).unwrap().unwrap();
        let play = |policy| {
            let mut episode = start.fork();
            let mut steps = 0;
            while let Some(action) = episode.advise(policy, number as u64) {
                assert!(episode.act(&action).legal());
                steps += 1;
            }
            (episode.status(), steps)
        };
        assert_eq!(play(Policy::Oracle), (Status::Success, instance.reference_length().unwrap()));
        random += u32::from(play(Policy::Random).0 == Status::Success);
        play(Policy::Greedy);
    }
    assert!(random <= 3, "{random}");
}

/// Boards that were played from the picture and the prompt alone, before the state was looked at.
#[test]
fn plans_made_by_eye_work() {
    const BY_EYE: [(Level, u64, &str); 8] = [
        (Level::Easy, 502, "24, 20, 31, 26, 12"),
        (Level::Easy, 503, "30, 29, 26, 16, 4, 6"),
        (Level::Medium, 502, "31, 26, 21, 7"),
        (Level::Medium, 503, "5, 23, 22, 4, 24"),
        (Level::Hard, 501, "57, 51, 58, 59, 45, 47"),
        (Level::Hard, 502, "31, 26, 21, 7"),
        (Level::Hard, 503, "20, 3, 14, 6, 23"),
        (Level::Hard, 504, "40, 17, 10, 25, 22"),
    ];
    let works = |level: Level, seed: u64, plan: &str| {
        let (_, instance) = ChatNoir.generator(&level.into()).unwrap().generate(seed).unwrap();
        instance.verifier().verify(&format!("{{\"answer\": [{plan}]}}")).right
    };
    let wrong: Vec<_> = BY_EYE.iter().filter(|(level, seed, plan)| !works(*level, *seed, plan)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn holds_ranges(generator: &dyn Generator, params: &ChatNoirParams, seed: u64) -> Result<(), TestCaseError> {
    let (_, instance) = generator.generate(seed).expect("an instance");
    instance.audit().expect("a sound instance");
    let item: Item<ChatNoir> = serde_json::from_str(&instance.item()).expect("an item");
    let position = &item.state;
    prop_assert_eq!(position.habit, params.habit);
    prop_assert!((params.radius_min..=params.radius_max).contains(&position.radius));
    let (blocks, cells, middle) = match position.radius {
        3 => (params.blocks_3_min..=params.blocks_3_max, 37, [11, 12, 17, 18, 19, 24, 25]),
        _ => (params.blocks_4_min..=params.blocks_4_max, 61, [21, 22, 29, 30, 31, 38, 39]),
    };
    prop_assert!(blocks.contains(&position.blocked.count()));
    prop_assert!(middle.contains(&position.cat));
    let open = cells - position.blocked.count() - 1;
    let least = instance.reference_length().expect("a plan");
    let budget = if params.budget == BudgetRule::Open { open } else { (3 * least).div_ceil(2) };
    prop_assert_eq!(instance.budget(), Some(budget));
    let with_coins = matches!(params.habit, Habit::Wandering | Habit::WanderingBrowser);
    prop_assert_eq!(position.draws.len() as u32, if with_coins { open } else { 0 });
    let Answer::Plan(plan) = instance.answer() else { panic!("no plan") };
    prop_assert!(plan_succeeds(position, plan, least));
    prop_assert!(!plan_succeeds(position, plan, least - 1));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_tier_holds_its_ranges_and_both_ways_agree(seed in any::<u64>(), level in 0..3_usize) {
        let level = Level::ALL[level];
        let generator = ChatNoir.generator(&level.into()).unwrap();
        holds_ranges(&*generator, &ChatNoirParams::at(level.into()), seed)?;
    }

    #[test]
    fn so_does_every_difficulty_between_and_beyond(seed in any::<u64>(), percent in 0..=125_u32) {
        let difficulty = Difficulty::new(f64::from(percent) / 100.0).unwrap();
        let generator = ChatNoir.generator(&Settings::at(difficulty)).unwrap();
        holds_ranges(&*generator, &ChatNoirParams::at(difficulty), seed)?;
    }

    #[test]
    fn the_oracle_traps_the_cat_wherever_it_still_can_be(seed in any::<u64>(), level in 0..3_usize) {
        let item = generated(Level::ALL[level], seed);
        let mut rng = SemanticRng::from_seed(seed);
        let mut now = item.state;
        for _ in 0..rng.below(4) {
            let legal = now.legal();
            if legal.is_empty() {
                break;
            }
            now = now.apply(rng.pick(&legal)).unwrap();
        }
        let plan = ChatNoir::oracle(&now);
        if plan.is_empty() {
            // The episode is over, or a game of the best-looking blocks does not trap the cat either.
            if now.status() == Status::Open {
                while let Some(cell) = ChatNoir::greedy(&now, &mut rng) {
                    now = now.apply(&cell).unwrap();
                }
                prop_assert_eq!(now.status(), Status::Failure);
            }
            return Ok(());
        }
        for cell in plan {
            now = now.apply(&cell).unwrap();
        }
        prop_assert_eq!(now.status(), Status::Success);
        prop_assert!(ChatNoir::oracle(&now).is_empty());
    }
}
