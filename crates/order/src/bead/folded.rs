use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Difficulty, Domain, Flaw, Item, Operation, Outcome, Params, PromptRng,
    Property, Raster, Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, ensure,
};

use super::grammar::{self, StringParams};
use super::letters::{GUESSED, GUESSED_THINNED_PERCENT, LetteredAim, Letters, varied_colors};
use super::reading::{Reading, label};
use super::scene::{BeadScene, BeadStyle};
use super::shortcuts::{self, GuessedOrder};
use super::string::{BeadColor, BeadString, Strings};
use super::{explain, pixels, wording};

/// Which bead comes to lie beside a lettered one once the string is folded?
pub struct Folded;

/// The parameters of `bead/folded`: those of strings, without knots. On a symmetric knot the partners
/// mirror each other in the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FoldedParams(pub StringParams);

impl Params for FoldedParams {
    fn at(difficulty: Difficulty) -> Self {
        let params = StringParams::at(difficulty);
        FoldedParams(StringParams {
            beads_min: difficulty.blend_whole(6, 8, 10).clamp(5, 11),
            beads_max: difficulty.blend_whole(8, 10, 12).clamp(5, 12),
            complex: params.complex + params.knotted,
            knotted: 0,
            ..params
        })
    }

    fn check(&self) -> Result<(), Flaw> {
        self.0.check()
    }
}

/// The fold, and the bead whose partner is asked for.
const NAMES: [char; 2] = ['F', 'A'];

/// The partner's place in an order, from the places of the fold and of the bead.
fn mirrored(string: &BeadString, fold: usize, place: usize) -> Option<usize> {
    let count = string.beads.len();
    let partner = (2 * fold + if string.closed { count } else { 0 }).checked_sub(place)?;
    if string.closed { Some(partner % count) } else { (partner < count).then_some(partner) }
}

fn guess(item: &Item<Folded>, order: GuessedOrder) -> Answer {
    let string = &item.state.strings[0];
    let order = Reading(order(string));
    let [fold, place] = order.places(&item.marks);
    // A guessed order may leave no partner.
    let partner = mirrored(string, fold, place).unwrap_or(fold);
    label(string.beads[order.0[partner]].color)
}

/// The color of the bead that lies nearest to A.
fn guess_nearest(item: &Item<Folded>) -> Answer {
    let string = &item.state.strings[0];
    let at = string.place(&string.beads[item.marks.bead(1)]);
    label(string.beads[shortcuts::nearest_to(string, &at, &[item.marks.bead(0), item.marks.bead(1)])].color)
}

/// The color of the bead that lies nearest to the place opposite of A, as seen from F.
fn guess_opposite(item: &Item<Folded>) -> Answer {
    let string = &item.state.strings[0];
    let [fold, place] = [0, 1].map(|letter| string.place(&string.beads[item.marks.bead(letter)]));
    let at = fold + (fold - place);
    label(string.beads[shortcuts::nearest_to(string, &at, &[item.marks.bead(0), item.marks.bead(1)])].color)
}

/// What all other shortcut solvers guess.
fn guesses(item: &Item<Folded>) -> Vec<Answer> {
    let orders = [shortcuts::nearest_seen, shortcuts::along_x, shortcuts::around_the_middle];
    let mut guesses: Vec<_> = orders.iter().map(|order| guess(item, *order)).collect();
    guesses.extend([guess_nearest(item), guess_opposite(item)]);
    guesses
}

/// A color on the string that no other guess gives.
fn guess_the_rest(item: &Item<Folded>) -> Answer {
    shortcuts::unguessed(&item.state.strings[0], &guesses(item))
}

impl TaskProgram for Folded {
    const INFO: TaskInfo = TaskInfo {
        id: "bead/folded",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Label,
        contract: Contract::Equal,
        operations: &[Operation::Tracing, Operation::WhatIf],
        pictures: 1,
        units: 1,
        published: false,
        summary: "Which color lies beside bead A once the string is folded at bead F?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "nearest beads in the picture", guess: |i| guess(i, shortcuts::nearest_seen) },
        Shortcut { name: "order by x", guess: |i| guess(i, shortcuts::along_x) },
        Shortcut { name: "around the middle", guess: |i| guess(i, shortcuts::around_the_middle) },
        Shortcut { name: "nearest bead", guess: guess_nearest },
        Shortcut { name: "opposite of the fold in space", guess: guess_opposite },
        Shortcut { name: "a color that no other guess gives", guess: guess_the_rest },
    ];

    type Scene = BeadScene;
    type Params = FoldedParams;
    type Aim = LetteredAim;
    type Marks = Letters;
    type Query = ();
    type Evidence = Reading;

    fn aim(FoldedParams(params): &FoldedParams, rng: &mut SemanticRng) -> LetteredAim {
        let (shape, count) = (params.shape(rng), params.count(rng));
        let wanted = *rng.pick(&BeadColor::ALL);
        loop {
            let colors = varied_colors(params, count, rng);
            let mut choices = Vec::new();
            for fold in 0..count {
                // Two beads or more from the fold: its neighbors are too easily found.
                for away in 2..count.div_ceil(2) {
                    for (place, partner) in
                        [(fold + away, fold + count - away), (fold + count - away, fold + away)]
                    {
                        let fits = !shape.is_open() || away <= fold && fold + away < count;
                        let (place, partner) = (place % count, partner % count);
                        if fits && colors[partner] == wanted {
                            choices.push([fold, place]);
                        }
                    }
                }
            }
            if !choices.is_empty() {
                return LetteredAim { shape, colors, places: rng.pick(&choices).to_vec() };
            }
        }
    }

    fn sample(aim: &LetteredAim, rng: &mut SemanticRng) -> Result<Strings, Rejected> {
        aim.sample(rng)
    }

    fn pose(aim: &LetteredAim, state: &Strings, rng: &mut SemanticRng) -> Result<(Letters, ()), Rejected> {
        let item = Item::<Self> { state: state.clone(), marks: aim.letters(state, &NAMES), query: () };
        if guesses(&item).contains(&Self::recount(&item)) && rng.percent(GUESSED_THINNED_PERCENT) {
            return Err(GUESSED);
        }
        Ok((item.marks, ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate(1)?;
        item.marks.validate(&item.state, &NAMES)?;
        let string = &item.state.strings[0];
        let reading = Reading::walk(string);
        let [fold, place] = reading.places(&item.marks);
        let partner = mirrored(string, fold, place);
        ensure(partner.is_some_and(|partner| partner != place), || {
            "no other bead comes to lie beside bead A".to_owned()
        })
    }

    fn domain(_: &Item<Self>) -> Domain {
        Domain::Label { members: BeadColor::names() }
    }

    fn execute(item: &Item<Self>) -> Outcome<Reading> {
        let string = &item.state.strings[0];
        let reading = Reading::walk(string);
        let [fold, place] = reading.places(&item.marks);
        let bead = reading.0[mirrored(string, fold, place).unwrap_or(fold)];
        Outcome { answer: label(string.beads[bead].color), evidence: reading }
    }

    /// By stepping away from the fold on both sides at once until one side meets bead A.
    fn recount(item: &Item<Self>) -> Answer {
        let beads = &item.state.strings[0].beads;
        let (mut ahead, mut back) = (item.marks.bead(0), item.marks.bead(0));
        let target = item.marks.bead(1);
        for _ in 0..beads.len() {
            ahead = (ahead + 1) % beads.len();
            back = (back + beads.len() - 1) % beads.len();
            if ahead == target {
                return label(beads[back].color);
            }
            if back == target {
                return label(beads[ahead].color);
            }
        }
        label(beads[target].color)
    }

    fn check(item: &Item<Self>, outcome: &Outcome<Reading>) -> Result<(), Flaw> {
        let string = &item.state.strings[0];
        outcome.evidence.check(string)?;
        let [fold, place] = outcome.evidence.places(&item.marks).map(|place| place as i64);
        let count = string.beads.len() as i64;
        // The bead at the same distance on the other side, round the loop if there is one.
        let partner = fold - (place - fold);
        let partner = if string.closed { partner.rem_euclid(count) } else { partner };
        let bead = usize::try_from(partner).ok().and_then(|at| outcome.evidence.0.get(at));
        ensure(bead.is_some_and(|bead| label(string.beads[*bead].color) == outcome.answer), || {
            "the bead beside A has another color".to_owned()
        })
    }

    fn prompt(item: &Item<Self>, style: &BeadStyle, rng: &mut PromptRng) -> String {
        let string = &item.state.strings[0];
        [
            wording::one_string(string, style, rng),
            wording::crossings(rng),
            wording::folded_question(string, rng),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        grammar::effort(&item.state) + item.state.strings[0].beads.len() as u64
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<Reading>, style: &BeadStyle) -> Vec<String> {
        explain::numbered(&item.state, std::slice::from_ref(&outcome.evidence), style)
    }

    fn read_pixels(item: &Item<Self>, style: &BeadStyle, pictures: &[Raster]) -> Option<Answer> {
        let state = pixels::with_read_colors(&item.state, &item.marks.letters, style, pictures)?;
        Some(Self::recount(&Item::<Self> { state, ..item.clone() }))
    }
}
