use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Domain, Flaw, Item, Operation, Outcome, PromptRng, Property, Raster,
    Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, ensure,
};

use super::colors;
use super::grammar::{self, ShapeAim, StringParams};
use super::reading::{Reading, turned_list};
use super::scene::{BeadScene, BeadStyle};
use super::shortcuts::{self, GuessedOrder};
use super::string::{BeadColor, Strings};
use super::views::Panel;
use super::{explain, pixels, wording};

/// How are the sequences of two strings related?
pub struct Relation;

/// How a second sequence follows from a first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Related {
    /// The same colors in the same order.
    Identical,
    /// The same colors from the other end.
    Reversed,
    /// Some colors, but not all, moved from the front to the end.
    CyclicRotation,
    /// None of these.
    Different,
}

impl Related {
    const ALL: [Related; 4] =
        [Related::Identical, Related::Reversed, Related::CyclicRotation, Related::Different];

    const fn name(self) -> &'static str {
        match self {
            Related::Identical => "IDENTICAL",
            Related::Reversed => "REVERSED",
            Related::CyclicRotation => "CYCLIC_ROTATION",
            Related::Different => "DIFFERENT",
        }
    }

    fn answer(self) -> Answer {
        Answer::Label(self.name().to_owned())
    }

    /// All relations that two sequences of equal length have.
    fn all_of(first: &[BeadColor], second: &[BeadColor]) -> Vec<Related> {
        let mut all = Vec::new();
        if first == second {
            all.push(Related::Identical);
        }
        if first.iter().eq(second.iter().rev()) {
            all.push(Related::Reversed);
        }
        if (1..first.len()).any(|shift| is_rotation(first, second, shift)) {
            all.push(Related::CyclicRotation);
        }
        if all.is_empty() {
            all.push(Related::Different);
        }
        all
    }
}

/// Whether the second sequence begins `shift` places later in the first.
fn is_rotation(first: &[BeadColor], second: &[BeadColor], shift: usize) -> bool {
    first.len() == second.len()
        && (0..first.len()).all(|place| second[place] == first[(place + shift) % first.len()])
}

/// The wanted relation, sequences and shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationAim {
    related: Related,
    shapes: [ShapeAim; 2],
    colors: [Vec<BeadColor>; 2],
}

/// How often the end beads of two sequences are left to chance, in percent; of six beads, which have
/// little room, more often. Otherwise all four have one color, whatever the relation, and so have two
/// neighbors inside of both, so that a rotation can have such ends, too.
const NATURAL_PERCENT: u32 = 6;
const NATURAL_PERCENT_OF_SIX: u32 = 50;
/// How often strings whose guessed orders have the wanted relation are drawn anew.
const ORDERS_THINNED_PERCENT: u32 = 95;
/// The guessed orders in question. On two knots of one kind they can be wrong in the same way.
const ORDERS: [GuessedOrder; 3] = [shortcuts::nearest_seen, shortcuts::along_x, shortcuts::around_the_middle];

/// After so many draws the ends are left to chance.
const MOST_DRAWS: u32 = 500;

/// Two sequences that have this relation and no other.
fn related_colors(related: Related, params: &StringParams, rng: &mut SemanticRng) -> [Vec<BeadColor>; 2] {
    let count = params.count(rng);
    let natural = match count {
        ..6 => true,
        6 => rng.percent(NATURAL_PERCENT_OF_SIX),
        _ => rng.percent(NATURAL_PERCENT),
    };
    // Unrelated sequences nearly have one of the relations. With two places that can be swapped, which six
    // beads leave, only equal sequences can be made unrelated.
    let base = match related {
        Related::Different if natural || count > 6 => *rng.pick(&Related::ALL[..3]),
        Related::Different => Related::Identical,
        related => related,
    };
    let mut draws = 0;
    loop {
        draws += 1;
        // Settings with few colors may leave nothing else.
        let natural = natural || draws > MOST_DRAWS;
        let mut first = params.colors(count, rng);
        if rng.percent(50) {
            spoil(&mut first, rng);
        }
        let mut shift = 1 + rng.below(count - 1);
        let end = first[0];
        if !natural {
            shift = 2 + rng.below(count - 3);
            for place in [count - 1, shift - 1, shift] {
                first[place] = end;
            }
        }
        if !natural && colors::variety(&first) < (count - 3).min(4) {
            continue;
        }
        let mut second = first.clone();
        match base {
            Related::Reversed => second.reverse(),
            Related::CyclicRotation => second.rotate_left(shift),
            Related::Identical | Related::Different => {}
        }
        if related == Related::Different {
            let places: Vec<_> = (0..count).filter(|place| natural || second[*place] != end).collect();
            let (a, b) = (*rng.pick(&places), *rng.pick(&places));
            second.swap(a, b);
        }
        if Related::all_of(&first, &second) == [related] {
            return [first, second];
        }
    }
}

/// Makes another color out of one, so that a palindrome or a periodic sequence nearly is one.
fn spoil(colors: &mut [BeadColor], rng: &mut SemanticRng) {
    let at = rng.below(colors.len());
    let spoiled = *rng.pick(&BeadColor::ALL);
    let mut changed = colors.to_vec();
    changed[at] = spoiled;
    if colors::variety(&changed) >= colors::variety(colors) {
        colors[at] = spoiled;
    }
}

/// What the first and the last beads alone suggest.
fn ends(first: &[BeadColor], second: &[BeadColor]) -> Related {
    let last = first.len() - 1;
    if (first[0], first[last]) == (second[0], second[last]) {
        Related::Identical
    } else if (first[0], first[last]) == (second[last], second[0]) {
        Related::Reversed
    } else {
        Related::CyclicRotation
    }
}

/// What the first and the last beads suggest where unequal ends are taken for unrelated sequences.
fn equal_ends(first: &[BeadColor], second: &[BeadColor]) -> Related {
    if ends(first, second) == Related::Identical { Related::Identical } else { Related::Different }
}

/// What the end beads of the first sequence suggest: equal ones, that it was turned around.
fn own_ends(first: &[BeadColor], _: &[BeadColor]) -> Related {
    if first.first() == first.last() { Related::Reversed } else { Related::Identical }
}

/// What the marked beads alone suggest.
fn marked(first: &[BeadColor], second: &[BeadColor]) -> Related {
    if first[0] == second[0] { Related::Identical } else { Related::CyclicRotation }
}

fn read(item: &Item<Relation>) -> [Vec<BeadColor>; 2] {
    [0, 1].map(|index| turned_list(&item.state.strings[index]))
}

/// The relation of the colors in a guessed order.
fn guess(state: &Strings, order: GuessedOrder) -> Related {
    let [first, second] = [0, 1].map(|index| shortcuts::colors(&state.strings[index], order));
    Related::all_of(&first, &second)[0]
}

fn guess_by(item: &Item<Relation>, suggested: fn(&[BeadColor], &[BeadColor]) -> Related) -> Answer {
    let [first, second] = read(item);
    suggested(&first, &second).answer()
}

/// Both readings, and what tells the relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationProof {
    /// The beads of each string in the order of reading.
    pub readings: [Reading; 2],
    /// For `CYCLIC_ROTATION`, how many colors are moved from the front to the end.
    pub shift: Option<usize>,
    /// For `DIFFERENT`, places (from 0) at which the second sequence differs from the first one: as it
    /// is, reversed, and rotated by one, by two and so on.
    pub differences: Vec<usize>,
}

impl RelationProof {
    fn find(state: &Strings) -> Outcome<RelationProof> {
        let readings = [0, 1].map(|index| Reading::walk(&state.strings[index]));
        let [first, second] = [0, 1].map(|index| readings[index].colors(&state.strings[index]));
        let related = Related::all_of(&first, &second)[0];
        let shift = (1..first.len()).find(|shift| is_rotation(&first, &second, *shift));
        let differences = match related {
            Related::Different => candidates(&first)
                .iter()
                .filter_map(|candidate| {
                    (0..second.len()).find(|place| candidate.get(*place) != second.get(*place))
                })
                .collect(),
            _ => Vec::new(),
        };
        let shift = shift.filter(|_| related == Related::CyclicRotation);
        Outcome { answer: related.answer(), evidence: RelationProof { readings, shift, differences } }
    }

    fn check(&self, state: &Strings, answer: &Answer) -> Result<(), Flaw> {
        for (reading, string) in self.readings.iter().zip(&state.strings) {
            reading.check(string)?;
        }
        let [first, second] = [0, 1].map(|index| self.readings[index].colors(&state.strings[index]));
        let count = first.len();
        let holds = if *answer == Related::Identical.answer() {
            first == second
        } else if *answer == Related::Reversed.answer() {
            (0..count).all(|place| second[place] == first[count - 1 - place])
        } else if *answer == Related::CyclicRotation.answer() {
            self.shift.is_some_and(|shift| {
                (1..count).contains(&shift) && [&first[shift..], &first[..shift]].concat() == second
            })
        } else if *answer == Related::Different.answer() {
            // As it is, reversed, and rotated by one, by two and so on.
            let differs = |(number, place): (usize, &usize)| {
                let other = match number {
                    0 => *place,
                    1 => (count - 1).wrapping_sub(*place),
                    _ => (place + number - 1) % count,
                };
                *place < count && first.get(other) != second.get(*place)
            };
            self.differences.len() == count + 1 && self.differences.iter().enumerate().all(differs)
        } else {
            false
        };
        ensure(holds, || format!("the readings are not {answer:?}"))
    }
}

/// The sequence as it is, reversed, and rotated by one and more.
fn candidates(first: &[BeadColor]) -> Vec<Vec<BeadColor>> {
    let reversed = first.iter().rev().copied().collect();
    let rotated = (1..first.len()).map(|shift| [&first[shift..], &first[..shift]].concat());
    [first.to_vec(), reversed].into_iter().chain(rotated).collect()
}

impl TaskProgram for Relation {
    const INFO: TaskInfo = TaskInfo {
        id: "bead/relation",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Label,
        contract: Contract::Equal,
        operations: &[Operation::Tracing, Operation::Comparison],
        pictures: 2,
        units: 1,
        published: true,
        summary: "Are the colors of two strings in the same, the reversed, a rotated or another order?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut {
            name: "nearest beads in the pictures",
            guess: |i| guess(&i.state, shortcuts::nearest_seen).answer(),
        },
        Shortcut { name: "order by x", guess: |i| guess(&i.state, shortcuts::along_x).answer() },
        Shortcut {
            name: "around the middle",
            guess: |i| guess(&i.state, shortcuts::around_the_middle).answer(),
        },
        Shortcut { name: "marked beads alone", guess: |i| guess_by(i, marked) },
        Shortcut { name: "first and last beads alone", guess: |i| guess_by(i, ends) },
        Shortcut { name: "first and last beads equal or not", guess: |i| guess_by(i, equal_ends) },
        Shortcut { name: "one string's first and last beads", guess: |i| guess_by(i, own_ends) },
    ];

    type Scene = BeadScene;
    type Params = StringParams;
    type Aim = RelationAim;
    type Marks = ();
    type Query = ();
    type Evidence = RelationProof;

    fn aim(params: &StringParams, rng: &mut SemanticRng) -> RelationAim {
        let related = *rng.pick(&Related::ALL);
        let colors = related_colors(related, params, rng);
        RelationAim { related, shapes: [params.shape(rng), params.shape(rng)], colors }
    }

    fn sample(aim: &RelationAim, rng: &mut SemanticRng) -> Result<Strings, Rejected> {
        let panels = Panel::all(2);
        let mut strings = Vec::new();
        for ((shape, colors), panel) in aim.shapes.iter().zip(&aim.colors).zip(&panels) {
            strings.push(grammar::string(*shape, colors, panel, rng)?);
        }
        let state = Strings { strings };
        let guessed = ORDERS.iter().any(|order| guess(&state, *order) == aim.related);
        if aim.related != Related::Different && guessed && rng.percent(ORDERS_THINNED_PERCENT) {
            return Err(Rejected("related in a guessed order too"));
        }
        Ok(state)
    }

    fn pose(_: &RelationAim, _: &Strings, _: &mut SemanticRng) -> Result<((), ()), Rejected> {
        Ok(((), ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate(2)?;
        let counts = [0, 1].map(|index| item.state.strings[index].beads.len());
        ensure(counts[0] == counts[1], || format!("{} beads are compared with {}", counts[0], counts[1]))?;
        let [first, second] = read(item);
        let all = Related::all_of(&first, &second);
        ensure(all.len() == 1, || format!("several relations apply: {all:?}"))
    }

    fn domain(_: &Item<Self>) -> Domain {
        Domain::Label { members: Related::ALL.map(|related| related.name().to_owned()).to_vec() }
    }

    fn execute(item: &Item<Self>) -> Outcome<RelationProof> {
        RelationProof::find(&item.state)
    }

    /// By searching one word in another: a rotation of a word stands in the word written twice.
    fn recount(item: &Item<Self>) -> Answer {
        let [first, second] = read(item)
            .map(|colors| colors.iter().map(|color| char::from(b'a' + *color as u8)).collect::<String>());
        let backwards: String = first.chars().rev().collect();
        let inner = [first.clone(), first.clone()].concat();
        let related = if first == second {
            Related::Identical
        } else if backwards == second {
            Related::Reversed
        } else if inner.contains(&second) {
            Related::CyclicRotation
        } else {
            Related::Different
        };
        related.answer()
    }

    fn check(item: &Item<Self>, outcome: &Outcome<RelationProof>) -> Result<(), Flaw> {
        outcome.evidence.check(&item.state, &outcome.answer)
    }

    fn prompt(item: &Item<Self>, style: &BeadStyle, rng: &mut PromptRng) -> String {
        [
            wording::two_strings(&item.state.strings, style, rng),
            wording::crossings(rng),
            wording::both_readings(style, rng),
            wording::relation_question(rng),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        grammar::effort(&item.state)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<RelationProof>, style: &BeadStyle) -> Vec<String> {
        explain::numbered(&item.state, &outcome.evidence.readings, style)
    }

    fn read_pixels(item: &Item<Self>, style: &BeadStyle, pictures: &[Raster]) -> Option<Answer> {
        let state = pixels::with_read_colors(&item.state, &[], style, pictures)?;
        Some(Self::recount(&Item::<Self> { state, ..item.clone() }))
    }
}
