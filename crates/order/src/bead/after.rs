use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Domain, Flaw, Item, Operation, Outcome, PromptRng, Property, Raster,
    Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, ensure,
};

use super::grammar::{self, StringParams};
use super::letters::{GUESSED, GUESSED_THINNED_PERCENT, LetteredAim, Letters, varied_colors};
use super::reading::{Reading, label};
use super::scene::{BeadScene, BeadStyle};
use super::shortcuts::{self, GuessedOrder};
use super::string::{Bead, BeadColor, Strings};
use super::{explain, pixels, wording};

/// Which bead comes so many places after a lettered one?
pub struct After;

const NAMES: [char; 1] = ['A'];

/// The wanted string and distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AfterAim {
    lettered: LetteredAim,
    steps: usize,
}

/// The bounded argument: how far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AfterQuery {
    /// The number of beads on from bead A, at least 2 and less than there are beads.
    pub steps: usize,
}

/// The place in the order of reading at which the asked bead lies, if the string is long enough.
fn place(item: &Item<After>, from: usize) -> Option<usize> {
    let string = &item.state.strings[0];
    let place = from + item.query.steps;
    if string.closed {
        Some(place % string.beads.len())
    } else {
        (place < string.beads.len()).then_some(place)
    }
}

fn guess(item: &Item<After>, order: GuessedOrder) -> Answer {
    let string = &item.state.strings[0];
    let order = Reading(order(string));
    let from = order.place_of(item.marks.bead(0)).unwrap_or(0);
    label(string.beads[order.0[(from + item.query.steps) % order.0.len()]].color)
}

/// The color of the bead that lies nearest to A.
fn guess_nearest(item: &Item<After>) -> Answer {
    let string = &item.state.strings[0];
    let from = item.marks.bead(0);
    let at = string.place(&string.beads[from]);
    label(string.beads[shortcuts::nearest_to(string, &at, &[from])].color)
}

/// The color of the bead that lies farthest from A.
fn guess_farthest(item: &Item<After>) -> Answer {
    let string = &item.state.strings[0];
    let at = string.place(&string.beads[item.marks.bead(0)]);
    let distance = |bead: &&Bead| (string.place(bead) - at).norm_squared();
    let farthest = string.beads.iter().max_by(|a, b| distance(a).total_cmp(&distance(b)));
    label(farthest.map_or(BeadColor::Red, |bead| bead.color))
}

/// What all other shortcut solvers guess.
fn guesses(item: &Item<After>) -> Vec<Answer> {
    let orders = [shortcuts::nearest_seen, shortcuts::along_x, shortcuts::around_the_middle];
    let mut guesses: Vec<_> = orders.iter().map(|order| guess(item, *order)).collect();
    guesses.extend([guess_nearest(item), guess_farthest(item), guess_commonest(item)]);
    guesses
}

/// A color on the string that no other guess gives.
fn guess_the_rest(item: &Item<After>) -> Answer {
    shortcuts::unguessed(&item.state.strings[0], &guesses(item))
}

/// The color that most beads have.
fn guess_commonest(item: &Item<After>) -> Answer {
    let beads = &item.state.strings[0].beads;
    let count = |color: &BeadColor| beads.iter().filter(|bead| bead.color == *color).count();
    label(BeadColor::ALL.into_iter().max_by_key(count).unwrap_or(BeadColor::Red))
}

impl TaskProgram for After {
    const INFO: TaskInfo = TaskInfo {
        id: "bead/after",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Label,
        contract: Contract::Equal,
        operations: &[Operation::Tracing, Operation::Counting],
        pictures: 1,
        units: 1,
        published: false,
        summary: "Which color has the bead that comes a number of places after bead A along the string?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "nearest beads in the picture", guess: |i| guess(i, shortcuts::nearest_seen) },
        Shortcut { name: "order by x", guess: |i| guess(i, shortcuts::along_x) },
        Shortcut { name: "around the middle", guess: |i| guess(i, shortcuts::around_the_middle) },
        Shortcut { name: "nearest bead", guess: guess_nearest },
        Shortcut { name: "farthest bead", guess: guess_farthest },
        Shortcut { name: "commonest color", guess: guess_commonest },
        Shortcut { name: "a color that no other guess gives", guess: guess_the_rest },
    ];

    type Scene = BeadScene;
    type Params = StringParams;
    type Aim = AfterAim;
    type Marks = Letters;
    type Query = AfterQuery;
    type Evidence = Reading;

    fn aim(params: &StringParams, rng: &mut SemanticRng) -> AfterAim {
        let (shape, count) = (params.shape(rng), params.count(rng));
        let wanted = *rng.pick(&BeadColor::ALL);
        let steps = rng.between(2..=count as u32 - 2) as usize;
        loop {
            let colors = varied_colors(params, count, rng);
            // On an open string the way must not run beyond the end.
            let least = if shape.is_open() { steps } else { 0 };
            let places: Vec<_> = (least..count).filter(|place| colors[*place] == wanted).collect();
            if !places.is_empty() {
                let from = (*rng.pick(&places) + count - steps) % count;
                return AfterAim { lettered: LetteredAim { shape, colors, places: vec![from] }, steps };
            }
        }
    }

    fn sample(aim: &AfterAim, rng: &mut SemanticRng) -> Result<Strings, Rejected> {
        aim.lettered.sample(rng)
    }

    fn pose(
        aim: &AfterAim,
        state: &Strings,
        rng: &mut SemanticRng,
    ) -> Result<(Letters, AfterQuery), Rejected> {
        let marks = aim.lettered.letters(state, &NAMES);
        let item = Item::<Self> { state: state.clone(), marks, query: AfterQuery { steps: aim.steps } };
        if guesses(&item).contains(&Self::recount(&item)) && rng.percent(GUESSED_THINNED_PERCENT) {
            return Err(GUESSED);
        }
        Ok((item.marks, item.query))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate(1)?;
        item.marks.validate(&item.state, &NAMES)?;
        let (count, steps) = (item.state.strings[0].beads.len(), item.query.steps);
        ensure((2..count).contains(&steps), || format!("steps {steps} is not from 2 to {}", count - 1))?;
        let from = Reading::walk(&item.state.strings[0]).place_of(item.marks.bead(0));
        ensure(from.and_then(|from| place(item, from)).is_some(), || {
            format!("there are not {steps} beads after bead A")
        })
    }

    fn domain(_: &Item<Self>) -> Domain {
        Domain::Label { members: BeadColor::names() }
    }

    fn execute(item: &Item<Self>) -> Outcome<Reading> {
        let string = &item.state.strings[0];
        let reading = Reading::walk(string);
        let from = reading.place_of(item.marks.bead(0)).unwrap_or(0);
        let bead = reading.0[(from + item.query.steps) % reading.0.len()];
        Outcome { answer: label(string.beads[bead].color), evidence: reading }
    }

    /// By counting in the list of beads, without reading it from the marked one.
    fn recount(item: &Item<Self>) -> Answer {
        let string = &item.state.strings[0];
        let (from, count, steps) = (item.marks.bead(0), string.beads.len(), item.query.steps);
        let to = if string.forward { from + steps } else { from + count - steps };
        label(string.beads[to % count].color)
    }

    fn check(item: &Item<Self>, outcome: &Outcome<Reading>) -> Result<(), Flaw> {
        let string = &item.state.strings[0];
        outcome.evidence.check(string)?;
        let from = outcome.evidence.place_of(item.marks.bead(0));
        let asked = from.and_then(|from| place(item, from)).map(|place| outcome.evidence.0[place]);
        ensure(asked.is_some_and(|bead| label(string.beads[bead].color) == outcome.answer), || {
            "the asked bead has another color".to_owned()
        })
    }

    fn prompt(item: &Item<Self>, style: &BeadStyle, rng: &mut PromptRng) -> String {
        let string = &item.state.strings[0];
        [
            wording::one_string(string, style, rng),
            wording::crossings(rng),
            wording::direction_of_one(style, rng),
            wording::after_question(item.query.steps, rng),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        grammar::effort(&item.state) + item.query.steps as u64
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<Reading>, style: &BeadStyle) -> Vec<String> {
        explain::numbered(&item.state, std::slice::from_ref(&outcome.evidence), style)
    }

    fn read_pixels(item: &Item<Self>, style: &BeadStyle, pictures: &[Raster]) -> Option<Answer> {
        let state = pixels::with_read_colors(&item.state, &item.marks.letters, style, pictures)?;
        Some(Self::recount(&Item::<Self> { state, ..item.clone() }))
    }
}
