use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Domain, Flaw, Item, Operation, Outcome, PromptRng, Property, Raster,
    Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, ensure,
};

use super::grammar::{self, ShapeAim, StringParams};
use super::reading::{Reading, sequence, turned_list};
use super::scene::{BeadScene, BeadStyle};
use super::string::{BeadColor, BeadString, Strings};
use super::views::Panel;
use super::{explain, pixels, shortcuts, wording};

/// Which colors follow each other along the string?
pub struct Sequence;

/// The wanted colors and the wanted shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequenceAim {
    shape: ShapeAim,
    colors: Vec<BeadColor>,
}

fn guess(item: &Item<Sequence>, order: shortcuts::GuessedOrder) -> Answer {
    sequence(&shortcuts::colors(&item.state.strings[0], order))
}

impl TaskProgram for Sequence {
    const INFO: TaskInfo = TaskInfo {
        id: "bead/sequence",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Sequence,
        contract: Contract::Equal,
        operations: &[Operation::Tracing],
        pictures: 1,
        units: 1,
        published: true,
        summary: "In which order do the colors of the beads follow each other along the string?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "nearest bead in the picture", guess: |i| guess(i, shortcuts::nearest_seen) },
        Shortcut { name: "nearest bead in space", guess: |i| guess(i, shortcuts::nearest_in_space) },
        Shortcut { name: "order by x", guess: |i| guess(i, shortcuts::along_x) },
        Shortcut { name: "order by y", guess: |i| guess(i, shortcuts::along_y) },
        Shortcut { name: "around the middle", guess: |i| guess(i, shortcuts::around_the_middle) },
        Shortcut {
            name: "alternating colors",
            guess: |i| sequence(&shortcuts::alternating(&i.state.strings[0])),
        },
    ];

    type Scene = BeadScene;
    type Params = StringParams;
    type Aim = SequenceAim;
    type Marks = ();
    type Query = ();
    type Evidence = Reading;

    fn aim(params: &StringParams, rng: &mut SemanticRng) -> SequenceAim {
        let count = params.count(rng);
        SequenceAim { shape: params.shape(rng), colors: params.colors(count, rng) }
    }

    fn sample(aim: &SequenceAim, rng: &mut SemanticRng) -> Result<Strings, Rejected> {
        let string = grammar::string(aim.shape, &aim.colors, &Panel::all(1)[0], rng)?;
        Ok(Strings { strings: vec![string] })
    }

    fn pose(_: &SequenceAim, _: &Strings, _: &mut SemanticRng) -> Result<((), ()), Rejected> {
        Ok(((), ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate(1)
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Sequence { members: BeadColor::names(), length: item.state.strings[0].beads.len() }
    }

    fn execute(item: &Item<Self>) -> Outcome<Reading> {
        let string = &item.state.strings[0];
        let reading = Reading::walk(string);
        Outcome { answer: sequence(&reading.colors(string)), evidence: reading }
    }

    fn recount(item: &Item<Self>) -> Answer {
        sequence(&turned_list(&item.state.strings[0]))
    }

    fn check(item: &Item<Self>, outcome: &Outcome<Reading>) -> Result<(), Flaw> {
        let string: &BeadString = &item.state.strings[0];
        outcome.evidence.check(string)?;
        ensure(sequence(&outcome.evidence.colors(string)) == outcome.answer, || {
            "the beads have other colors".to_owned()
        })
    }

    fn prompt(item: &Item<Self>, style: &BeadStyle, rng: &mut PromptRng) -> String {
        let string = &item.state.strings[0];
        [
            wording::one_string(string, style, rng),
            wording::crossings(rng),
            wording::reading(string, style, rng),
            wording::sequence_question(string, rng),
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

    fn read_pixels(item: &Item<Self>, style: &BeadStyle, pictures: &[Raster]) -> Option<Answer> {
        let state = pixels::with_read_colors(&item.state, &[], style, pictures)?;
        Some(Self::recount(&Item::<Self> { state, ..item.clone() }))
    }
}
