use super::{Findings, hostile};
use crate::episode::{Episode, EpisodeOptions, Policy, StepReason};
use crate::game::Status;
use crate::info::TaskKind;
use crate::seeds::Seeds;
use crate::task::Instance;

/// The rules of the closed loop.
pub(super) fn check(instance: &dyn Instance, seeds: &Seeds, findings: &mut Findings) {
    let opened = instance
        .style(seeds.render, None)
        .and_then(|style| instance.episode(&style, EpisodeOptions::default(), seeds.prompt));
    let planning = instance.info().kind == TaskKind::Planning;
    match findings.take("episode", opened).flatten() {
        None => findings.demand("episode", !planning, || "a planning task has no episode".to_owned()),
        Some(_) if !planning => findings.add("episode", "a reasoning task has an episode"),
        Some(start) => {
            check_oracle(&*start, findings);
            check_junk(&*start, findings);
            check_snapshots(&*start, findings);
        }
    }
}

fn check_oracle(start: &dyn Episode, findings: &mut Findings) {
    let mut episode = start.fork();
    let observation = episode.observe();
    findings.demand("episode", !observation.pictures.is_empty() && !observation.prompt.is_empty(), || {
        "the observation is empty".to_owned()
    });
    while let Some(action) = episode.advise(Policy::Oracle, 0) {
        let step = episode.step(&format!("{{\"answer\":{action}}}"));
        if !step.legal() {
            return findings.add("episode", format!("the oracle's action {action} is {:?}", step.reason));
        }
    }
    findings.demand("episode", episode.status() == Status::Success, || {
        format!("the oracle ends with {:?}", episode.status())
    });
    let (before, left) = (episode.snapshot(), episode.steps_left());
    let step = episode.step("{\"answer\":0}");
    let unchanged =
        step.reason == StepReason::Ended && episode.snapshot() == before && episode.steps_left() == left;
    findings.demand("episode", unchanged, || "a step after the end changes something".to_owned());
}

fn check_junk(start: &dyn Episode, findings: &mut Findings) {
    let mut episode = start.fork();
    for response in hostile::RESPONSES {
        if episode.status() != Status::Open {
            break;
        }
        let (text, left) = (episode.text(), episode.steps_left());
        let step = episode.step(response);
        let kept = !step.legal() && episode.text() == text && episode.steps_left() + 1 == left;
        findings.demand("episode", kept && step.detail.is_some(), || {
            format!("the response {response:?} gives {step:?}")
        });
    }
}

fn check_snapshots(start: &dyn Episode, findings: &mut Findings) {
    let mut episode = start.fork();
    for seed in 0..6 {
        let Some(action) = episode.advise(Policy::Random, seed) else { break };
        let step = if seed == 2 { episode.step("no action") } else { episode.act(&action) };
        let mut other = start.fork();
        let restored = other.restore(&episode.snapshot());
        findings.take("snapshot", restored);
        let same = other.snapshot() == episode.snapshot()
            && other.text() == episode.text()
            && other.steps_left() == episode.steps_left()
            && other.status() == step.status;
        findings.demand("snapshot", same, || "restoring a snapshot gives another episode".to_owned());
    }
    let forged = start.snapshot().replace("\"log\":[]", "\"log\":[],\"state\":{}");
    findings.demand("snapshot", start.fork().restore(&forged).is_err(), || {
        "a forged snapshot is restored".to_owned()
    });
    findings
        .demand("snapshot", start.fork().restore("").is_err(), || "an empty snapshot is restored".to_owned());
}
