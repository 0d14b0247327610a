use topotrace_core::{
    Answer, AnswerKind, Contract, Domain, Flaw, Item, Operation, Outcome, PromptRng, Property, Raster,
    Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, ensure,
};

use super::grammar::{self, StringParams};
use super::letters::{LetteredAim, Letters};
use super::reading::{Reading, sequence, turned_list};
use super::scene::{BeadScene, BeadStyle};
use super::shortcuts::{self, GuessedOrder};
use super::string::{BeadColor, Strings};
use super::{explain, pixels, wording};

/// Which colors follow each other once a piece of the string is turned end for end?
pub struct Turned;

const NAMES: [char; 2] = ['P', 'Q'];

/// The order with the piece from the first to the second lettered bead turned; as it is when they don't
/// lie in this order.
fn turn(item: &Item<Turned>, order: &[usize]) -> Vec<usize> {
    let place = |letter| order.iter().position(|bead| *bead == item.marks.bead(letter));
    let mut turned = order.to_vec();
    if let (Some(from), Some(to)) = (place(0), place(1))
        && from < to
    {
        turned[from..=to].reverse();
    }
    turned
}

fn colors(item: &Item<Turned>, order: &[usize]) -> Vec<BeadColor> {
    order.iter().map(|bead| item.state.strings[0].beads[*bead].color).collect()
}

fn guess(item: &Item<Turned>, order: GuessedOrder) -> Answer {
    sequence(&colors(item, &turn(item, &order(&item.state.strings[0]))))
}

impl TaskProgram for Turned {
    const INFO: TaskInfo = TaskInfo {
        id: "bead/turned",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Sequence,
        contract: Contract::Equal,
        operations: &[Operation::Tracing, Operation::WhatIf],
        pictures: 1,
        units: 1,
        published: false,
        summary: "In which order do the colors follow once the piece that leads from P to Q is turned end for end?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "nearest beads in the picture", guess: |i| guess(i, shortcuts::nearest_seen) },
        Shortcut { name: "order by x", guess: |i| guess(i, shortcuts::along_x) },
        Shortcut { name: "around the middle", guess: |i| guess(i, shortcuts::around_the_middle) },
        Shortcut { name: "as it is, nothing turned", guess: |i| sequence(&turned_list(&i.state.strings[0])) },
    ];

    type Scene = BeadScene;
    type Params = StringParams;
    type Aim = LetteredAim;
    type Marks = Letters;
    type Query = ();
    type Evidence = Reading;

    fn aim(params: &StringParams, rng: &mut SemanticRng) -> LetteredAim {
        let (shape, count) = (params.shape(rng), params.count(rng));
        loop {
            // The marked bead stays, and three beads or more are turned.
            let from = 1 + rng.below(count - 3);
            let to = from + 2 + rng.below(count - from - 2);
            let colors = params.colors(count, rng);
            if !colors[from..=to].iter().eq(colors[from..=to].iter().rev()) {
                return LetteredAim { shape, colors, places: vec![from, to] };
            }
        }
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
        let reading = Reading::walk(&item.state.strings[0]);
        let [from, to] = reading.places(&item.marks);
        ensure(0 < from && from < to, || {
            format!("beads P and Q are read at places {from} and {to}, from 0")
        })?;
        let piece = colors(item, &reading.0[from..=to]);
        ensure(!piece.iter().eq(piece.iter().rev()), || {
            "the piece from P to Q is the same when turned".to_owned()
        })
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Sequence { members: BeadColor::names(), length: item.state.strings[0].beads.len() }
    }

    fn execute(item: &Item<Self>) -> Outcome<Reading> {
        let reading = Reading::walk(&item.state.strings[0]);
        let turned = turn(item, &reading.0);
        Outcome { answer: sequence(&colors(item, &turned)), evidence: reading }
    }

    /// Place by place: within the piece the color comes from the mirrored place.
    fn recount(item: &Item<Self>) -> Answer {
        let string = &item.state.strings[0];
        let read = turned_list(string);
        let count = read.len();
        let place = |letter: usize| {
            let bead = item.marks.bead(letter);
            if string.forward {
                (bead + count - string.first) % count
            } else {
                (string.first + count - bead) % count
            }
        };
        let (from, to) = (place(0), place(1));
        let color = |at: usize| if (from..=to).contains(&at) { read[from + to - at] } else { read[at] };
        sequence(&(0..count).map(color).collect::<Vec<_>>())
    }

    fn check(item: &Item<Self>, outcome: &Outcome<Reading>) -> Result<(), Flaw> {
        outcome.evidence.check(&item.state.strings[0])?;
        let beads = &outcome.evidence.0;
        let [from, to] = [0, 1].map(|letter| outcome.evidence.place_of(item.marks.bead(letter)).unwrap_or(0));
        let (before, piece, after) =
            (&beads[..from], &beads[from..=to.max(from)], &beads[to.max(from) + 1..]);
        let turned: Vec<usize> = before.iter().chain(piece.iter().rev()).chain(after).copied().collect();
        ensure(sequence(&colors(item, &turned)) == outcome.answer, || {
            "the turned piece gives other colors".to_owned()
        })
    }

    fn prompt(item: &Item<Self>, style: &BeadStyle, rng: &mut PromptRng) -> String {
        let string = &item.state.strings[0];
        [
            wording::one_string(string, style, rng),
            wording::crossings(rng),
            wording::reading(string, style, rng),
            wording::turned_question(string, rng),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        grammar::effort(&item.state) + item.state.strings[0].beads.len() as u64
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<Reading>, style: &BeadStyle) -> Vec<String> {
        let turned = Reading(turn(item, &outcome.evidence.0));
        explain::numbered(&item.state, &[turned], style)
    }

    fn read_pixels(item: &Item<Self>, style: &BeadStyle, pictures: &[Raster]) -> Option<Answer> {
        let state = pixels::with_read_colors(&item.state, &item.marks.letters, style, pictures)?;
        Some(Self::recount(&Item::<Self> { state, ..item.clone() }))
    }
}
