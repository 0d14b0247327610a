use topotrace_core::{
    Answer, AnswerKind, Contract, Domain, Flaw, Item, Operation, Outcome, PromptRng, Property, Rejected,
    SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, ensure,
};

use super::grammar::{self, StringParams};
use super::letters::{LetteredAim, Letters};
use super::reading::Reading;
use super::scene::{BeadScene, BeadStyle};
use super::shortcuts::{self, GuessedOrder};
use super::string::Strings;
use super::{explain, wording};

/// How many beads lie between two lettered ones?
pub struct Between;

const NAMES: [char; 2] = ['A', 'B'];

fn integer(count: usize) -> Answer {
    Answer::Integer(count as i64)
}

/// The number of beads after the one place and before the other, around a closed string.
fn between(item: &Item<Between>, from: usize, to: usize) -> usize {
    let count = item.state.strings[0].beads.len();
    (to + count - from - 1) % count
}

fn guess(item: &Item<Between>, order: GuessedOrder) -> Answer {
    let [a, b] = Reading(order(&item.state.strings[0])).places(&item.marks);
    integer(between(item, a, b))
}

/// The number of other beads in the ball over the straight line from A to B.
fn guess_in_ball(item: &Item<Between>) -> Answer {
    let string = &item.state.strings[0];
    let place = |bead: usize| string.place(&string.beads[bead]);
    let (a, b) = (place(item.marks.bead(0)), place(item.marks.bead(1)));
    let inside = |bead: &usize| (place(*bead) - a).dot(&(place(*bead) - b)) < 0.0;
    integer((0..string.beads.len()).filter(inside).count())
}

/// The straight distance from A to B in steps from bead to bead, less one.
fn guess_by_distance(item: &Item<Between>) -> Answer {
    let string = &item.state.strings[0];
    let place = |bead: usize| string.place(&string.beads[bead]);
    let distance = (place(item.marks.bead(0)) - place(item.marks.bead(1))).norm();
    let steps = string.curve().map_or(1.0, |curve| curve.length() / string.beads.len() as f64);
    integer(((distance / steps).round() as usize).saturating_sub(1))
}

impl TaskProgram for Between {
    const INFO: TaskInfo = TaskInfo {
        id: "bead/between",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Integer,
        contract: Contract::Equal,
        operations: &[Operation::Tracing, Operation::Counting],
        pictures: 1,
        units: 1,
        published: false,
        summary: "How many beads lie between beads A and B along the string?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "nearest beads in the picture", guess: |i| guess(i, shortcuts::nearest_seen) },
        Shortcut { name: "order by x", guess: |i| guess(i, shortcuts::along_x) },
        Shortcut { name: "around the middle", guess: |i| guess(i, shortcuts::around_the_middle) },
        Shortcut { name: "beads between as the crow flies", guess: guess_in_ball },
        Shortcut { name: "straight distance", guess: guess_by_distance },
        Shortcut { name: "half of the others", guess: |i| integer((i.state.strings[0].beads.len() - 2) / 2) },
    ];

    const THINNED_PERCENT: u32 = 35;

    type Scene = BeadScene;
    type Params = StringParams;
    type Aim = LetteredAim;
    type Marks = Letters;
    type Query = ();
    type Evidence = Reading;

    fn aim(params: &StringParams, rng: &mut SemanticRng) -> LetteredAim {
        let (shape, count) = (params.shape(rng), params.count(rng));
        let steps = 1 + rng.below(count - 1);
        let from = if shape.is_open() { rng.below(count - steps) } else { rng.below(count) };
        LetteredAim { shape, colors: params.colors(count, rng), places: vec![from, (from + steps) % count] }
    }

    fn sample(aim: &LetteredAim, rng: &mut SemanticRng) -> Result<Strings, Rejected> {
        aim.sample(rng)
    }

    fn pose(aim: &LetteredAim, state: &Strings, _: &mut SemanticRng) -> Result<(Letters, ()), Rejected> {
        Ok((aim.letters(state, &NAMES), ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate(1)?;
        item.marks.validate(&item.state, &NAMES)?;
        let string = &item.state.strings[0];
        let [a, b] = Reading::walk(string).places(&item.marks);
        ensure(string.closed || a < b, || "bead B does not come after bead A".to_owned())
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Integer { min: 0, max: item.state.strings[0].beads.len() as i64 - 2 }
    }

    fn execute(item: &Item<Self>) -> Outcome<Reading> {
        let reading = Reading::walk(&item.state.strings[0]);
        let [a, b] = reading.places(&item.marks);
        Outcome { answer: integer(between(item, a, b)), evidence: reading }
    }

    /// By asking of every bead whether its point lies on the way from A to B.
    fn recount(item: &Item<Self>) -> Answer {
        let string = &item.state.strings[0];
        let [a, b] = [0, 1].map(|letter| string.beads[item.marks.bead(letter)].at);
        let (low, high) = if string.forward { (a, b) } else { (b, a) };
        let on_the_way = |at: u32| {
            if low < high { low < at && at < high } else { at > low || at < high }
        };
        integer(string.beads.iter().filter(|bead| on_the_way(bead.at)).count())
    }

    fn check(item: &Item<Self>, outcome: &Outcome<Reading>) -> Result<(), Flaw> {
        outcome.evidence.check(&item.state.strings[0])?;
        // From A on, bead by bead, until B comes.
        let beads = &outcome.evidence.0;
        let way = beads.iter().chain(beads).skip_while(|bead| **bead != item.marks.bead(0)).skip(1);
        let passed = way.take_while(|bead| **bead != item.marks.bead(1)).count();
        ensure(integer(passed) == outcome.answer, || format!("{passed} beads are passed from A to B"))
    }

    fn prompt(item: &Item<Self>, style: &BeadStyle, rng: &mut PromptRng) -> String {
        [
            wording::one_string(&item.state.strings[0], style, rng),
            wording::crossings(rng),
            wording::direction_of_one(style, rng),
            wording::between_question(rng),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        grammar::effort(&item.state)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<Reading>, style: &BeadStyle) -> Vec<String> {
        explain::numbered(&item.state, std::slice::from_ref(&outcome.evidence), style)
    }
}
