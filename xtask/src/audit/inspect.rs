use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use topotrace_core::{
    Difficulty, EpisodeOptions, Flaw, Generator, Instance, MAX_ATTEMPTS, MarkBox, Picture, Policy, Raster,
    Rejections, Seeds, Slot, Status, Task, TaskKind,
};
use topotrace_dataset::{Gate, GateOutcome, Observation, Statistics, Tally};
use topotrace_draw::{PngEffort, Rasterizer, check_visibility, png};

/// The most faults that are listed by their text.
const LISTED_FAULTS: usize = 40;
/// How many looks of one instance are tried, as in a build.
const LOOKS: u32 = 8;

/// What is measured by task and tier, beside what a build's tally holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    /// Instances whose pixels were read back.
    pub(super) pixel_checks: u64,
    /// Looks that hid a mark.
    pub(super) hidden_looks: u64,
    /// Time spent, by stage.
    pub(super) stages: BTreeMap<&'static str, Duration>,
    /// Episodes that a policy brought to success.
    pub(super) successes: BTreeMap<Policy, u64>,
}

/// Everything an audit found.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    tally: Tally,
    measures: BTreeMap<(String, String), Measures>,
    faults: Vec<String>,
    fault_count: u64,
}

impl Findings {
    /// Adds everything that `other` found.
    pub(super) fn merge(&mut self, other: Findings) {
        self.tally.merge(&other.tally);
        for (key, theirs) in other.measures {
            let ours = self.measures.entry(key).or_default();
            ours.pixel_checks += theirs.pixel_checks;
            ours.hidden_looks += theirs.hidden_looks;
            theirs
                .stages
                .into_iter()
                .for_each(|(stage, time)| *ours.stages.entry(stage).or_default() += time);
            theirs
                .successes
                .into_iter()
                .for_each(|(policy, won)| *ours.successes.entry(policy).or_default() += won);
        }
        self.fault_count += other.fault_count;
        self.faults.extend(other.faults);
        self.faults.truncate(LISTED_FAULTS);
    }

    /// The first faults, in words.
    pub(super) fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The number of faulty instances.
    pub(super) fn fault_count(&self) -> u64 {
        self.fault_count
    }

    /// The gates.
    pub(super) fn gates(&self) -> Vec<Gate> {
        self.tally.gates()
    }

    /// The number of gates that fail.
    pub(super) fn failed_gates(&self) -> usize {
        self.gates().iter().filter(|gate| gate.outcome == GateOutcome::Fails).count()
    }

    /// The tally's measures, each with the audit's own.
    pub(super) fn rows(&self) -> Vec<(Statistics, Measures)> {
        let measures = |s: &Statistics| self.measures.get(&(s.task.clone(), s.level.clone())).cloned();
        self.tally.statistics().into_iter().map(|s| (s.clone(), measures(&s).unwrap_or_default())).collect()
    }
}

/// Makes and inspects the instances of one task at one tier.
pub(super) struct Inspector<'a> {
    pub(super) task: &'static dyn Task,
    pub(super) generator: &'a dyn Generator,
    pub(super) tier: Difficulty,
    pub(super) seed: u64,
    pub(super) side: u32,
}

impl Inspector<'_> {
    /// Inspects the instance of one slot.
    pub(super) fn inspect(&self, slot: u32, rasterizer: &mut Rasterizer, findings: &mut Findings) {
        let level = self.tier.name();
        let mut measures = Measures::default();
        let slot_name = format!("audit/{level}/{slot}");
        let slot = Slot::new(self.seed, self.task.info(), slot_name.clone());
        if let Err(flaw) = self.inspect_slot(&slot, rasterizer, &mut measures, &mut findings.tally) {
            findings.fault_count += 1;
            findings.faults.push(format!("{} {slot_name}: {flaw}", self.task.info().id));
        }
        let mut single = Findings::default();
        single.measures.insert((self.task.info().id.to_owned(), level), measures);
        findings.merge(single);
    }

    fn inspect_slot(
        &self,
        slot: &Slot,
        rasterizer: &mut Rasterizer,
        measures: &mut Measures,
        tally: &mut Tally,
    ) -> Result<(), Flaw> {
        let mut rejections = Rejections::new();
        let mut clock = Clock { stages: &mut measures.stages };
        let filled =
            clock.time("make", || self.generator.fill(slot, 0..MAX_ATTEMPTS, &|_| true, &mut rejections));
        let (attempt, instance) = filled.map_err(|e| flaw(&e))?;
        clock.time("prove", || instance.audit())?;
        clock.time("replay", || self.replay(&slot.seeds(attempt, 0), &*instance))?;
        let mut look = 0;
        let (style, pictures, boxes) = loop {
            let seeds = slot.seeds(attempt, look);
            let style = instance.style(seeds.render, None).map_err(|e| flaw(&e))?;
            let pictures = clock.time("draw", || instance.draw(&style)).map_err(|e| flaw(&e))?;
            let boxes = clock.time("measure", || measure(rasterizer, &pictures))?;
            match boxes.iter().try_for_each(|boxes| check_visibility(boxes)) {
                Ok(()) => break (style, pictures, boxes),
                Err(flaw) if look + 1 == LOOKS => return Err(flaw),
                Err(_) => look += 1,
            }
        };
        let mut seen = Observation::of(&*instance);
        let mut rasters = Vec::new();
        for (picture, boxes) in pictures.iter().zip(&boxes) {
            let raster =
                clock.time("render", || rasterizer.render(&picture.svg, self.side)).map_err(|e| flaw(&e))?;
            let bytes = clock.time("encode", || png::encode(&raster, PngEffort::Fast));
            seen.add_picture((raster.width, raster.height), bytes.len(), boxes);
            rasters.push(raster);
        }
        seen.add_rejections(rejections);
        tally.add(self.tier, &seen);
        let read = clock.time("read pixels", || read_pixels(&*instance, &style, &rasters))?;
        measures.hidden_looks += u64::from(look);
        measures.pixel_checks += u64::from(read);
        if self.task.info().kind == TaskKind::Planning {
            self.play(&*instance, &style, measures)?;
        }
        Ok(())
    }

    /// Replays from the seeds and from the state.
    fn replay(&self, seeds: &Seeds, instance: &dyn Instance) -> Result<(), Flaw> {
        let from_seeds = self.generator.attempt(seeds, &|_| true).map_err(|r| Flaw::new(r.0))?;
        let from_state = self.task.load(&instance.item()).map_err(|e| flaw(&e))?;
        for again in [from_seeds, from_state] {
            let same = again.id() == instance.id()
                && again.item() == instance.item()
                && again.answer() == instance.answer()
                && again.evidence() == instance.evidence();
            topotrace_core::ensure(same, || format!("instance {} does not replay", instance.id()))?;
        }
        Ok(())
    }

    /// Plays the closed loop with every policy; the oracle must win.
    fn play(&self, instance: &dyn Instance, style: &str, measures: &mut Measures) -> Result<(), Flaw> {
        let episode = instance.episode(style, EpisodeOptions::default(), 0).map_err(|e| flaw(&e))?;
        let Some(start) = episode else { return Err(Flaw::new("a planning task without an episode")) };
        for policy in Policy::ALL {
            let mut episode = start.fork();
            while let Some(action) = episode.advise(policy, self.seed) {
                episode.act(&action);
            }
            let won = episode.status() == Status::Success;
            *measures.successes.entry(policy).or_default() += u64::from(won);
            topotrace_core::ensure(won || policy != Policy::Oracle, || {
                format!("the oracle does not solve instance {}", instance.id())
            })?;
        }
        Ok(())
    }
}

/// Adds up the time of stages.
struct Clock<'a> {
    stages: &'a mut BTreeMap<&'static str, Duration>,
}

impl Clock<'_> {
    fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = work();
        *self.stages.entry(stage).or_default() += begun.elapsed();
        result
    }
}

fn measure(rasterizer: &mut Rasterizer, pictures: &[Picture]) -> Result<Vec<Vec<MarkBox>>, Flaw> {
    pictures.iter().map(|picture| rasterizer.measure(picture).map_err(|e| flaw(&e))).collect()
}

/// Whether the task reads pixels; then what it reads must be the answer.
fn read_pixels(instance: &dyn Instance, style: &str, rasters: &[Raster]) -> Result<bool, Flaw> {
    let Some(read) = instance.read_pixels(style, rasters).map_err(|e| flaw(&e))? else { return Ok(false) };
    topotrace_core::ensure(read == *instance.answer(), || {
        let answer = instance.answer().to_json();
        format!("instance {}: the pixels say {}, the answer is {answer}", instance.id(), read.to_json())
    })?;
    Ok(true)
}

fn flaw(error: &dyn std::error::Error) -> Flaw {
    let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
    Flaw::new(format!("{error}{cause}"))
}
