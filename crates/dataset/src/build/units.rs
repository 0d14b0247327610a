//! The work of a task is cut into a fixed number of units. A unit owns a residue class of the
//! state hash, fills its slots in order and looks for repeats only within itself, so that the
//! outcome is the same however units are spread over threads or machines.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use topotrace_core::{
    Digest, Flaw, GENERATOR, Generator, Instance, MAX_ATTEMPTS, Record, RecordContext, Rejections, Slot,
    Split, ensure,
};
use topotrace_draw::Rasterizer;

use super::render::{Look, RenderOptions, first_good_look};
use crate::error::{Error, chain};
use crate::gates::Observation;
use crate::plan::{Group, Place, Plan, Unit};
use crate::row::Row;

/// How many instances of one slot may turn out to be unreadable in every look.
const UNREADABLE: u32 = 50;

/// What became of the places of one call.
pub(crate) struct Wave {
    /// The filled places, in order.
    pub(crate) filled: Vec<Filled>,
    /// The states that no look shows well enough, by the task that met them.
    pub(crate) refused: Vec<(&'static str, Digest)>,
}

/// A filled place.
pub(crate) struct Filled {
    pub(crate) row: Row,
    pub(crate) seen: Observation,
}

/// Fills places in the plan's order, wave by wave.
pub(crate) struct Units<'a> {
    plan: &'a Plan,
    render: RenderOptions<'a>,
    /// One for each group.
    generators: Vec<Box<dyn Generator>>,
    /// The states that each unit has used, whatever the group.
    used: BTreeMap<Unit, BTreeSet<Digest>>,
}

/// The work of one unit in one wave.
struct Lane {
    unit: Unit,
    used: BTreeSet<Digest>,
    /// The states that no look shows well enough. They stay used.
    refused: Vec<Digest>,
    /// The slots still to be filled, the first one first.
    waiting: Vec<Todo>,
}

/// What is left to do for a slot.
enum Todo {
    /// All of it.
    Find(Waiting),
    /// Nothing, provided that no slot before it takes its state.
    Keep(Drawn),
}

/// What a unit hands on to be drawn.
enum Found {
    New(Draft),
    Known(Drawn),
}

/// A slot that is still to be filled, and what was tried for it already.
struct Waiting {
    /// Where in the wave its row belongs.
    position: usize,
    place: Place,
    first_attempt: u32,
    unreadable: u32,
    rejections: Rejections,
}

/// An instance that was found for a slot, not drawn yet.
struct Draft {
    waiting: Waiting,
    attempt: u32,
    instance: Box<dyn Instance>,
}

impl<'a> Units<'a> {
    pub(crate) fn new(plan: &'a Plan, render: RenderOptions<'a>) -> Result<Self, Error> {
        let generators = plan.groups().iter().map(|group| group.task.generator(&group.settings));
        Ok(Units { plan, render, generators: generators.collect::<Result<_, _>>()?, used: BTreeMap::new() })
    }

    /// Fills `places`, which go on where the last wave ended. Neither the cut into waves nor the
    /// number of threads makes a difference.
    pub(crate) fn fill(&mut self, places: &[Place]) -> Result<Wave, Error> {
        let mut lanes = self.lanes(places);
        let mut filled: Vec<Option<Filled>> = Vec::new();
        filled.resize_with(places.len(), || None);
        // Every instance is found on the assumption that those before it can be drawn. Where one
        // can't, its unit goes back to that slot.
        while lanes.iter().any(|lane| !lane.waiting.is_empty()) {
            let found: Vec<_> = lanes.par_iter_mut().map(|lane| self.find(lane)).collect();
            let mut all = Vec::with_capacity(places.len());
            for (lane, found) in found.into_iter().enumerate() {
                all.extend(found?.into_iter().map(|found| (lane, found)));
            }
            let drawn: Vec<_> = all
                .into_par_iter()
                .map_init(Rasterizer::new, |rasterizer, (lane, found)| match found {
                    Found::New(draft) => (lane, self.draw(rasterizer, draft)),
                    Found::Known(drawn) => (lane, Ok(drawn)),
                })
                .collect();
            for (lane, drawn) in drawn {
                let (lane, drawn) = (&mut lanes[lane], drawn?);
                if !lane.waiting.is_empty() {
                    // A slot before it goes first: this state is free again.
                    lane.used.remove(&drawn.state_hash());
                    lane.waiting.push(Todo::Keep(drawn));
                    continue;
                }
                match drawn {
                    Drawn::Unreadable(draft) => {
                        lane.refused.push(draft.instance.state_hash());
                        lane.waiting.push(Todo::Find(self.after(draft)?));
                    }
                    Drawn::Readable(draft, done) => filled[draft.waiting.position] = Some(*done),
                }
            }
        }
        let mut refused = Vec::new();
        for lane in lanes {
            refused.extend(lane.refused.into_iter().map(|state| (lane.unit.task, state)));
            self.used.insert(lane.unit, lane.used);
        }
        Ok(Wave { filled: filled.into_iter().flatten().collect(), refused })
    }

    /// Takes note of a place that was filled before, in an interrupted build.
    ///
    /// # Errors
    /// When the state can't be that of the place.
    pub(crate) fn keep(&mut self, place: Place, state_hash: Digest) -> Result<(), Flaw> {
        let (split, unit) = (self.group(place).split, self.plan.unit(place));
        let fits = Split::of(state_hash) == split && unit.owns(state_hash);
        ensure(fits && self.used.entry(unit).or_default().insert(state_hash), || {
            format!("state {state_hash} can't be that of {split} slot {} of {}", place.slot, unit.task)
        })
    }

    /// Takes note of a state that no look of `task` showed well enough, in an interrupted build.
    ///
    /// # Errors
    /// When the plan has no such task.
    pub(crate) fn refuse(&mut self, task: &str, state_hash: Digest) -> Result<(), Flaw> {
        let group = self.plan.groups().iter().position(|group| group.task.info().id == task);
        let group = group.ok_or_else(|| Flaw::new(format!("the plan has no task {task:?}")))?;
        let Unit { task, classes, .. } = self.plan.unit(Place { group, slot: 0 });
        let class = (state_hash.high() % u64::from(classes)) as u32;
        self.used.entry(Unit { task, class, classes }).or_default().insert(state_hash);
        Ok(())
    }

    fn lanes(&mut self, places: &[Place]) -> Vec<Lane> {
        let mut lanes: BTreeMap<Unit, Lane> = BTreeMap::new();
        for (position, &place) in places.iter().enumerate() {
            let unit = self.plan.unit(place);
            let lane = lanes.entry(unit).or_insert_with(|| Lane {
                unit,
                used: self.used.remove(&unit).unwrap_or_default(),
                refused: Vec::new(),
                waiting: Vec::new(),
            });
            lane.waiting.push(Todo::Find(Waiting {
                position,
                place,
                first_attempt: 0,
                unreadable: 0,
                rejections: Rejections::new(),
            }));
        }
        lanes.into_values().collect()
    }

    fn group(&self, place: Place) -> &Group {
        &self.plan.groups()[place.group]
    }

    fn slot(&self, place: Place) -> Slot {
        let group = self.group(place);
        Slot::new(self.plan.options().seed, group.task.info(), group.slot_name(place.slot))
    }

    /// An instance for every waiting slot of a unit, in order.
    fn find(&self, lane: &mut Lane) -> Result<Vec<Found>, Error> {
        let mut all = Vec::with_capacity(lane.waiting.len());
        // What was found before stands as long as the states used before it only grew in number
        // and its own is not among them.
        let mut stands = true;
        for todo in std::mem::take(&mut lane.waiting) {
            let waiting = match todo {
                Todo::Find(waiting) => waiting,
                Todo::Keep(drawn) if stands && lane.used.insert(drawn.state_hash()) => {
                    all.push(Found::Known(drawn));
                    continue;
                }
                Todo::Keep(drawn) => {
                    stands = false;
                    drawn.into_waiting()
                }
            };
            let draft = self.find_one(lane, waiting)?;
            lane.used.insert(draft.instance.state_hash());
            all.push(Found::New(draft));
        }
        Ok(all)
    }

    fn find_one(&self, lane: &Lane, mut waiting: Waiting) -> Result<Draft, Error> {
        let split = self.group(waiting.place).split;
        let keep =
            |hash: Digest| Split::of(hash) == split && lane.unit.owns(hash) && !lane.used.contains(&hash);
        let attempts = waiting.first_attempt..MAX_ATTEMPTS;
        let (attempt, instance) = self.generators[waiting.place.group]
            .fill(&self.slot(waiting.place), attempts, &keep, &mut waiting.rejections)
            .map_err(|e| self.error(waiting.place, e))?;
        Ok(Draft { waiting, attempt, instance })
    }

    fn draw(&self, rasterizer: &mut Rasterizer, mut draft: Draft) -> Result<Drawn, Error> {
        let place = draft.waiting.place;
        let slot = self.slot(place);
        let seeds = |look| slot.seeds(draft.attempt, look);
        let rejections = &mut draft.waiting.rejections;
        let look = first_good_look(rasterizer, &*draft.instance, seeds, self.render, rejections)
            .map_err(|message| self.error(place, message))?;
        let Some(look) = look else { return Ok(Drawn::Unreadable(draft)) };
        let mut seen = Observation::of(&*draft.instance);
        for ((size, picture), boxes) in look.sizes.iter().zip(&look.pictures).zip(&look.boxes) {
            seen.add_picture(*size, picture.len(), boxes);
        }
        seen.add_rejections(draft.waiting.rejections.iter().map(|(reason, count)| (*reason, *count)));
        let row = self.row(&draft, look)?;
        Ok(Drawn::Readable(draft, Box::new(Filled { row, seen })))
    }

    fn row(&self, draft: &Draft, look: Look) -> Result<Row, Error> {
        let place = draft.waiting.place;
        let context = RecordContext {
            generator: GENERATOR,
            build_seed: self.plan.options().seed,
            settings: &self.group(place).settings,
            params: self.generators[place.group].params(),
            seeds: look.seeds,
            style: &look.style,
            boxes: &look.boxes,
        };
        let record = Record::new(&*draft.instance, context).map_err(|e| self.error(place, chain(&e)))?;
        Ok(Row { record, pictures: look.pictures })
    }

    /// The slot of an instance that no look shows well enough: its next attempt.
    fn after(&self, draft: Draft) -> Result<Waiting, Error> {
        let Draft { waiting, attempt, .. } = draft;
        if waiting.unreadable + 1 == UNREADABLE {
            return Err(self.error(
                waiting.place,
                format!("{UNREADABLE} instances had a mark that can't be seen well enough in any look"),
            ));
        }
        Ok(Waiting { first_attempt: attempt + 1, unreadable: waiting.unreadable + 1, ..waiting })
    }

    fn error(&self, place: Place, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        let group = self.group(place);
        Error::slot(group.task.info().id, group.level(), group.split, place.slot, source)
    }
}

/// An instance after an attempt to draw it.
enum Drawn {
    Readable(Draft, Box<Filled>),
    Unreadable(Draft),
}

impl Drawn {
    fn state_hash(&self) -> Digest {
        let (Drawn::Readable(draft, _) | Drawn::Unreadable(draft)) = self;
        draft.instance.state_hash()
    }

    /// The slot as it was before anything was tried for it.
    fn into_waiting(self) -> Waiting {
        let (Drawn::Readable(draft, _) | Drawn::Unreadable(draft)) = self;
        Waiting { rejections: Rejections::new(), first_attempt: 0, unreadable: 0, ..draft.waiting }
    }
}
