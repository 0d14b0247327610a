use proptest::prelude::*;
use topotrace_core::{
    Episode, EpisodeOptions, GENERATOR, Level, Policy, Record, RecordContext, SemanticRng, Settings, Status,
    StepReason, Task,
};
use topotrace_runner::{Played, open_trace, play};

use crate::common::{open, tasks};

/// What is done at a step: mostly something legal, now and then junk.
fn response(episode: &dyn Episode, rng: &mut SemanticRng) -> String {
    let action = episode.advise(Policy::Random, rng.bits()).unwrap();
    match rng.below(6) {
        0 => "no idea".to_owned(),
        1 => format!("{{\"answer\": {action}}} or {{\"answer\": 0}}"),
        2 => format!("I move so: {{\"answer\": {action}}}"),
        _ => format!("{{\"answer\": {action}}}"),
    }
}

/// The numbers of a task and of a tier, and a seed.
fn chosen() -> impl Strategy<Value = (usize, usize, u64)> {
    (0..tasks().len(), 0..Level::ALL.len(), any::<u64>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_snapshot_of_any_step_goes_on_to_the_same_states(
        (task, level, seed) in chosen(),
    ) {
        let (task, level) = (tasks()[task], Level::ALL[level]);
        let start = open(task, level, seed).episode;
        let mut rng = SemanticRng::from_seed(seed);
        let mut episode = start.fork();
        let (mut snapshots, mut responses, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        while episode.status() == Status::Open {
            snapshots.push(episode.snapshot());
            responses.push(response(&*episode, &mut rng));
            steps.push(episode.step(responses.last().unwrap()));
        }
        let mut other = start.fork();
        for (number, snapshot) in snapshots.iter().enumerate() {
            other.restore(snapshot).unwrap();
            prop_assert_eq!(&other.snapshot(), snapshot);
            // The next two steps are the same; the rest follows from the next snapshots.
            for at in number..steps.len().min(number + 2) {
                prop_assert_eq!(&other.step(&responses[at]), &steps[at]);
            }
        }
        other.restore(&episode.snapshot()).unwrap();
        prop_assert_eq!(other.status(), episode.status());
        prop_assert_eq!(other.text(), episode.text());
    }

    #[test]
    fn junk_uses_up_a_step_and_nothing_else(
        (task, level, seed) in chosen(),
        junk in prop::collection::vec(prop_oneof![".{0,60}", "\\{\"answer\": ?.{0,20}\\}", "[UDLR0-9\\[\\]{}\":,xy ]{0,30}"], 1..12),
    ) {
        let (task, level) = (tasks()[task], Level::ALL[level]);
        let opened = open(task, level, seed);
        let mut episode = opened.episode;
        let mut used = 0;
        for response in &junk {
            let (text, hash) = (episode.text(), episode.fork().step("").state_hash);
            let step = if used % 2 == 0 { episode.step(response) } else { episode.act(response) };
            match step.reason {
                StepReason::Ended => break,
                StepReason::Applied => {}
                StepReason::Illegal | StepReason::Unreadable => {
                    prop_assert!(step.detail.is_some());
                    prop_assert_eq!(episode.text(), text);
                    prop_assert_eq!(step.state_hash, hash);
                }
            }
            used += 1;
            prop_assert_eq!(&step.response, response);
            prop_assert_eq!(step.steps_left, opened.facts.budget - used);
        }
        // To the end, then beyond it.
        while episode.status() == Status::Open {
            episode.step("");
        }
        let (snapshot, text, left) = (episode.snapshot(), episode.text(), episode.steps_left());
        for response in &junk {
            let step = episode.step(response);
            prop_assert_eq!(step.reason, StepReason::Ended);
            prop_assert_eq!((episode.snapshot(), episode.text(), episode.steps_left()), (snapshot.clone(), text.clone(), left));
        }
    }
}

/// An instance and what a dataset stores of it.
fn record(task: &'static dyn Task, level: Level, seed: u64) -> Record {
    let settings = Settings::from(level);
    let generator = task.generator(&settings).unwrap();
    let (seeds, instance) = generator.generate(seed).unwrap();
    let style = instance.style(seeds.render, None).unwrap();
    let context = RecordContext {
        generator: GENERATOR,
        build_seed: seed,
        settings: &settings,
        params: generator.params(),
        seeds,
        style: &style,
        boxes: &[],
    };
    Record::new(&*instance, context).unwrap()
}

#[test]
fn a_record_opens_the_episode_of_its_seed() {
    for task in tasks() {
        for level in Level::ALL {
            let record = record(task, level, 12);
            let mut of_seed = open(task, level, 12);
            let mut of_record = open_trace(task, &record.trace, EpisodeOptions::default()).unwrap();
            assert_eq!(of_seed.facts, of_record.facts);
            assert_eq!(of_seed.episode.observe(), of_record.episode.observe());
            let played = play(&mut *of_seed.episode, Policy::Oracle, 0);
            assert_eq!(played, play(&mut *of_record.episode, Policy::Oracle, 0));
            let steps = of_record.facts.reference_length;
            assert_eq!(played, Played { status: Status::Success, steps, not_legal: 0 });
            assert_eq!(of_seed.episode.snapshot(), of_record.episode.snapshot());
        }
    }
}

#[test]
fn forged_snapshots_are_refused_and_change_nothing() {
    for task in tasks() {
        let mut episode = open(task, Level::Easy, 3).episode;
        let action = episode.advise(Policy::Oracle, 0).unwrap();
        episode.act(&action);
        let own = episode.snapshot();
        let other = open(task, Level::Easy, 4).episode.snapshot();
        let respaced: serde_json::Value = serde_json::from_str(&own).unwrap();
        let respaced = format!("{respaced:#}");
        assert!(episode.fork().restore(&respaced).is_ok(), "spaces mean nothing: {respaced}");
        let spaced = own.replace("\"log\":[", "\"log\":[ {\"no\": 1},");
        let endless = own.replace("\"log\":[", &format!("\"log\":[{}", "null,".repeat(500)));
        for forged in [other, spaced, endless, String::new(), "{}".to_owned(), own[1..].to_owned()] {
            assert!(episode.restore(&forged).is_err_and(|e| e.is_invalid_record()), "{forged}");
            assert_eq!(episode.snapshot(), own);
        }
    }
}

#[test]
fn acting_is_stepping_with_the_action_as_the_answer() {
    for task in tasks() {
        let start = open(task, Level::Easy, 8).episode;
        let legal = start.legal_actions().remove(0);
        let actions =
            [&legal, "-1", "99", "\"X\"", "\"u\"", "{\"x\":-1,\"y\":0}", "{\"row\": 0}", "true", "[", "1} {"];
        for action in actions {
            let acted = start.fork().act(action);
            let stepped = start.fork().step(&format!("{{\"answer\": {action}}}"));
            let judged =
                |step: topotrace_core::Step| (step.action, step.reason, step.detail, step.state_hash);
            assert_eq!(judged(acted), judged(stepped), "{} {action}", task.info().id);
        }
    }
    let numbered = tasks().into_iter().find(|task| task.info().id == "chat-noir").unwrap();
    let step = open(numbered, Level::Easy, 8).episode.act("-1");
    assert_eq!((step.reason, step.action.as_deref()), (StepReason::Illegal, Some("-1")));
}
