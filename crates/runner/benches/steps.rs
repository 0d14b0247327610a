//! What a step and an observation cost: `cargo bench -p topotrace-runner`.

#![allow(missing_docs, clippy::unwrap_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use topotrace_core::{EpisodeOptions, Level, Policy, Settings, Status};
use topotrace_runner::{Opened, Painter, open_seed};

const TASKS: [&str; 4] = ["chat-noir", "one-stroke", "pipe", "swap"];

fn main() {
    divan::main();
}

fn open(id: &str, seed: u64) -> Opened {
    let task = topotrace::registry().get(id).unwrap();
    open_seed(task, &Settings::from(Level::Medium), seed, None, None, EpisodeOptions::default()).unwrap()
}

/// Whole episodes of legal random actions, chosen beforehand, by their JSON text.
#[divan::bench(args = TASKS)]
fn act(bencher: Bencher<'_, '_>, id: &str) {
    let mut episodes = Vec::new();
    for seed in 0..64 {
        let start = open(id, seed).episode;
        let mut trial = start.fork();
        let mut actions = Vec::new();
        while trial.status() == Status::Open {
            let action = trial.advise(Policy::Random, seed).unwrap();
            trial.act(&action);
            actions.push(action);
        }
        episodes.push((start, actions));
    }
    let steps: usize = episodes.iter().map(|(_, actions)| actions.len()).sum();
    bencher.counter(ItemsCount::new(steps)).bench_local(|| {
        for (start, actions) in &episodes {
            let mut episode = start.fork();
            for action in actions {
                black_box(episode.act(action));
            }
        }
    });
}

/// Drawing, rendering and encoding what an agent sees.
#[divan::bench(args = TASKS)]
fn observation_512(bencher: Bencher<'_, '_>, id: &str) {
    let episode = open(id, 1).episode;
    let mut painter = Painter::new();
    bencher.bench_local(|| {
        let seen = episode.observe();
        seen.pictures.iter().map(|picture| painter.paint(picture, 512).unwrap().png.len()).sum::<usize>()
    });
}
