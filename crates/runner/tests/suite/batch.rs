use topotrace_core::{Level, Policy, Status, Step};
use topotrace_runner::Batch;

use crate::common::{open, tasks};

fn batch() -> Batch {
    let seeds = 0..6;
    let episodes = tasks()
        .into_iter()
        .flat_map(|task| seeds.clone().map(move |seed| open(task, Level::Easy, seed).episode));
    Batch::new(episodes.collect())
}

/// Every step of a batch that moves at random, until all episodes have ended.
fn run(mut batch: Batch, threads: usize) -> Vec<Vec<Step>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut all = Vec::new();
        while batch.statuses().contains(&Status::Open) {
            let advice = batch.advise(Policy::Random, 7);
            let responses: Vec<String> = advice
                .into_iter()
                .map(|action| action.map_or_else(String::new, |action| format!("{{\"answer\":{action}}}")))
                .collect();
            all.push(batch.step(&responses).unwrap());
        }
        all
    })
}

#[test]
fn one_thread_and_two_agree() {
    let one = run(batch(), 1);
    assert!(one.len() > 10);
    assert_eq!(one, run(batch(), 2));
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut batch = batch();
    let before: Vec<String> = batch.episodes().iter().map(|episode| episode.snapshot()).collect();
    assert!(batch.step(&["x"]).unwrap_err().is_invalid_request());
    assert!(batch.act::<String>(&[]).unwrap_err().is_invalid_request());
    let after: Vec<String> = batch.episodes().iter().map(|episode| episode.snapshot()).collect();
    assert_eq!(before, after);

    let count = batch.len();
    let fresh = || open(tasks()[0], Level::Easy, 99).episode;
    let wanted = fresh().snapshot();
    assert_eq!(batch.replace(1, fresh()).unwrap().snapshot(), before[1]);
    assert_eq!(batch.episodes()[1].snapshot(), wanted);
    assert!(batch.replace(count, fresh()).is_err_and(|error| error.is_invalid_request()));
}

#[test]
fn neighboring_seeds_share_nothing() {
    let start = open(tasks()[0], Level::Hard, 1).episode;
    let batch = Batch::new((0..8).map(|_| start.fork()).collect());
    let advice = |seed| batch.advise(Policy::Random, seed);
    assert!(advice(7)[1..] != advice(8)[..7], "the same draws, one place further");
    assert_eq!(advice(7), advice(7));
}
