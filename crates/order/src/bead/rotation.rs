use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Difficulty, Domain, Flaw, Item, Operation, Outcome, Params, PromptRng,
    Property, Raster, Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, ensure,
    ensure_within,
};

use super::colors::variety;
use super::curves::CurveClass;
use super::grammar::{self, ShapeAim};
use super::reading::{Reading, turned_list};
use super::scene::{BeadScene, BeadStyle, OPTIONS};
use super::shortcuts::{self, GuessedOrder};
use super::string::{BeadColor, MAX_STRINGS, Strings};
use super::views::Panel;
use super::{explain, pixels, wording};

/// Which of four loops has the same cyclic order as another one?
pub struct Rotation;

/// The parameters of `bead/rotation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationParams {
    /// Fewest beads of a loop, from 6 to 10.
    pub beads_min: u32,
    /// Most beads of a loop, from `beads_min` to 10.
    pub beads_max: u32,
    /// How many percent of the loops are complex, as [`StringParams`](super::StringParams) says; the others
    /// are simple.
    pub complex_percent: u32,
    /// How many percent of the instances have mirror images among the options.
    pub mirrored_percent: u32,
}

impl Params for RotationParams {
    fn at(difficulty: Difficulty) -> Self {
        RotationParams {
            beads_min: difficulty.blend_whole(6, 7, 8).min(10),
            beads_max: difficulty.blend_whole(7, 8, 9).min(10),
            complex_percent: difficulty.blend_whole(0, 50, 100).min(100),
            mirrored_percent: 50,
        }
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure_within("beads_min", self.beads_min, 6, 10)?;
        ensure((self.beads_min..=10).contains(&self.beads_max), || {
            format!("beads_max {} is not from beads_min {} to 10", self.beads_max, self.beads_min)
        })?;
        ensure_within("complex_percent", self.complex_percent, 0, 100)?;
        ensure_within("mirrored_percent", self.mirrored_percent, 0, 100)
    }
}

/// The wanted colors and shapes: of the loop itself and of the four options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RotationAim {
    shapes: Vec<ShapeAim>,
    colors: Vec<Vec<BeadColor>>,
}

/// Whether one word of colors is a rotation of the other.
fn same_cycle(a: &[BeadColor], b: &[BeadColor]) -> bool {
    a.len() == b.len() && (0..a.len()).any(|shift| (0..a.len()).all(|at| b[at] == a[(at + shift) % a.len()]))
}

/// Four words of the same colors, no two with the same cyclic order, so that none of them stands out:
/// two changes, each made or not. The changes are swaps of neighbors, or one swap and the mirror image.
fn four_words(count: usize, mirrored: bool, rng: &mut SemanticRng) -> [Vec<BeadColor>; 4] {
    loop {
        let word = word(count, rng);
        let swapped = |word: &[BeadColor], at: usize| {
            let mut word = word.to_vec();
            word.swap(at, (at + 1) % count);
            word
        };
        let at = rng.below(count);
        let other = at + 2 + rng.below(count - 3);
        let second = |word: &[BeadColor]| match mirrored {
            true => word.iter().rev().copied().collect(),
            false => swapped(word, other % count),
        };
        let one = swapped(&word, at);
        let words = [second(&word), second(&one), word, one];
        let distinct = (0..4).all(|a| (0..a).all(|b| !same_cycle(&words[a], &words[b])));
        if distinct {
            return words;
        }
    }
}

/// A word in which every color occurs twice or more, so that no bead is a landmark.
fn word(count: usize, rng: &mut SemanticRng) -> Vec<BeadColor> {
    let mut palette = BeadColor::ALL;
    rng.shuffle(&mut palette);
    let palette = &palette[..count / 2];
    loop {
        let mut word: Vec<_> = palette.iter().chain(palette).copied().collect();
        while word.len() < count {
            word.push(*rng.pick(palette));
        }
        rng.shuffle(&mut word);
        if variety(&word) == palette.len() {
            return word;
        }
    }
}

fn words(item: &Item<Rotation>) -> Vec<Vec<BeadColor>> {
    item.state.strings.iter().map(turned_list).collect()
}

fn option(index: usize) -> Answer {
    Answer::Label(OPTIONS[index.min(OPTIONS.len() - 1)].to_string())
}

/// The first option that passes.
fn first_option(passes: impl Fn(usize) -> bool) -> Answer {
    option((0..OPTIONS.len()).find(|index| passes(*index)).unwrap_or(0))
}

fn guess(item: &Item<Rotation>, order: GuessedOrder) -> Answer {
    let words: Vec<_> = item.state.strings.iter().map(|string| shortcuts::colors(string, order)).collect();
    first_option(|index| same_cycle(&words[0], &words[index + 1]))
}

/// Pairs of neighbors, each with its successor.
fn pairs(word: &[BeadColor]) -> Vec<(BeadColor, BeadColor)> {
    (0..word.len()).map(|at| (word[at], word[(at + 1) % word.len()])).collect()
}

/// The first option in which some bead of the first pair's color has the same successor.
fn guess_by_one_pair(item: &Item<Rotation>) -> Answer {
    let words = words(item);
    first_option(|index| pairs(&words[index + 1]).contains(&pairs(&words[0])[0]))
}

/// The option that shares most pairs of neighbors with the other options.
fn guess_most_alike(item: &Item<Rotation>) -> Answer {
    let words = words(item);
    let options: Vec<_> = words[1..].iter().map(|word| pairs(word)).collect();
    let alike = |index: &usize| {
        let own = &options[*index];
        options.iter().map(|other| own.iter().filter(|pair| other.contains(pair)).count()).sum::<usize>()
    };
    option((0..OPTIONS.len()).max_by_key(alike).unwrap_or(0))
}

/// All readings, and what tells the options apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RotationProof {
    /// The beads of each loop along its arrow, from the bead behind the arrow on.
    pub readings: Vec<Reading>,
    /// By how many beads the right option is rotated.
    pub shift: usize,
    /// For each wrong option, in their order, places (from 0) at which it differs from the loop: as it
    /// is, rotated by one, by two and so on.
    pub differences: Vec<Vec<usize>>,
}

impl RotationProof {
    fn find(state: &Strings) -> Outcome<RotationProof> {
        let readings: Vec<_> = state.strings.iter().map(Reading::walk).collect();
        let words: Vec<_> =
            readings.iter().zip(&state.strings).map(|(reading, string)| reading.colors(string)).collect();
        let count = words[0].len();
        let difference = |word: &[BeadColor], shift: usize| {
            (0..count).find(|at| word[*at] != words[0][(*at + shift) % count])
        };
        let right = (0..OPTIONS.len()).find(|index| same_cycle(&words[0], &words[index + 1])).unwrap_or(0);
        let shift = (0..count).find(|shift| difference(&words[right + 1], *shift).is_none()).unwrap_or(0);
        let wrong = (0..OPTIONS.len()).filter(|index| *index != right);
        let differences = wrong
            .map(|index| (0..count).filter_map(|s| difference(&words[index + 1], s)).collect())
            .collect();
        Outcome { answer: option(right), evidence: RotationProof { readings, shift, differences } }
    }

    fn check(&self, state: &Strings, answer: &Answer) -> Result<(), Flaw> {
        ensure(self.readings.len() == state.strings.len(), || "a reading is missing".to_owned())?;
        let mut words = Vec::new();
        for (reading, string) in self.readings.iter().zip(&state.strings) {
            reading.check(string)?;
            words.push(reading.colors(string));
        }
        let count = words[0].len();
        let (found, wrong) = (self.differences.len(), OPTIONS.len() - 1);
        ensure(found == wrong, || format!("differences of {found} options instead of {wrong}"))?;
        ensure(self.shift < count, || format!("shift {} is not below {count}", self.shift))?;
        let rotated = |shift: usize| [&words[0][shift..], &words[0][..shift]].concat();
        let mut differences = self.differences.iter();
        for (word, name) in words[1..].iter().zip(OPTIONS) {
            let holds = if *answer == Answer::Label(name.to_string()) {
                rotated(self.shift) == *word
            } else {
                differences.next().is_some_and(|places| {
                    places.len() == count
                        && (0..count).all(|s| places[s] < count && rotated(s)[places[s]] != word[places[s]])
                })
            };
            ensure(holds, || format!("option {name} is not shown to be right or wrong"))?;
        }
        ensure(differences.next().is_none(), || "the answer is no option".to_owned())
    }
}

impl TaskProgram for Rotation {
    const INFO: TaskInfo = TaskInfo {
        id: "bead/rotation",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Label,
        contract: Contract::Equal,
        operations: &[Operation::Tracing, Operation::Comparison],
        pictures: 2,
        units: 1,
        published: false,
        summary: "Which of four loops of beads has the same cyclic order as a given one?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "nearest beads in the pictures", guess: |i| guess(i, shortcuts::nearest_seen) },
        Shortcut { name: "around the middle", guess: |i| guess(i, shortcuts::around_the_middle) },
        Shortcut { name: "one pair of neighbors", guess: guess_by_one_pair },
        Shortcut { name: "option most like the others", guess: guess_most_alike },
    ];

    const THINNED_PERCENT: u32 = 40;

    type Scene = BeadScene;
    type Params = RotationParams;
    type Aim = RotationAim;
    type Marks = ();
    type Query = ();
    type Evidence = RotationProof;

    fn aim(params: &RotationParams, rng: &mut SemanticRng) -> RotationAim {
        let count = rng.between(params.beads_min..=params.beads_max) as usize;
        let mut words = four_words(count, rng.percent(params.mirrored_percent), rng);
        rng.shuffle(&mut words);
        let right = words[rng.below(OPTIONS.len())].clone();
        let mut colors: Vec<_> = std::iter::once(right).chain(words).collect();
        colors.iter_mut().for_each(|word| word.rotate_left(rng.below(count)));
        let mut shape = || {
            let complex = rng.percent(params.complex_percent);
            let class = if complex { CurveClass::Complex } else { CurveClass::Simple };
            ShapeAim { crossings: 0, ..ShapeAim::new(class, false, rng) }
        };
        RotationAim { shapes: (0..MAX_STRINGS).map(|_| shape()).collect(), colors }
    }

    fn sample(aim: &RotationAim, rng: &mut SemanticRng) -> Result<Strings, Rejected> {
        let panels = Panel::all(MAX_STRINGS);
        let parts = aim.shapes.iter().zip(&aim.colors).zip(&panels);
        let strings = parts.map(|((shape, colors), panel)| grammar::string(*shape, colors, panel, rng));
        Ok(Strings { strings: strings.collect::<Result<_, _>>()? })
    }

    fn pose(_: &RotationAim, _: &Strings, _: &mut SemanticRng) -> Result<((), ()), Rejected> {
        Ok(((), ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate(MAX_STRINGS)?;
        let count = item.state.strings[0].beads.len();
        for (index, string) in item.state.strings.iter().enumerate() {
            ensure(string.closed, || format!("string {index} is open"))?;
            let found = string.beads.len();
            ensure(found == count, || format!("string {index} has {found} beads, the first {count}"))?;
        }
        let words = words(item);
        let right = words[1..].iter().filter(|word| same_cycle(&words[0], word)).count();
        ensure(right == 1, || format!("{right} options have the cyclic order of the first loop"))
    }

    fn domain(_: &Item<Self>) -> Domain {
        Domain::Label { members: OPTIONS.map(|name| name.to_string()).to_vec() }
    }

    fn execute(item: &Item<Self>) -> Outcome<RotationProof> {
        RotationProof::find(&item.state)
    }

    /// By comparing the rotations that come first in the order of colors.
    fn recount(item: &Item<Self>) -> Answer {
        let least = |mut word: Vec<BeadColor>| {
            let mut best = word.clone();
            for _ in 1..word.len() {
                word.rotate_left(1);
                best = best.min(word.clone());
            }
            best
        };
        let words: Vec<_> = words(item).into_iter().map(least).collect();
        first_option(|index| words[index + 1] == words[0])
    }

    fn check(item: &Item<Self>, outcome: &Outcome<RotationProof>) -> Result<(), Flaw> {
        outcome.evidence.check(&item.state, &outcome.answer)
    }

    fn prompt(item: &Item<Self>, style: &BeadStyle, rng: &mut PromptRng) -> String {
        [
            wording::options(&item.state.strings, style, rng),
            wording::crossings(rng),
            wording::direction(style, rng),
            wording::rotation_question(rng),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        grammar::effort(&item.state)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<RotationProof>, style: &BeadStyle) -> Vec<String> {
        explain::numbered(&item.state, &outcome.evidence.readings, style)
    }

    fn read_pixels(item: &Item<Self>, style: &BeadStyle, pictures: &[Raster]) -> Option<Answer> {
        let state = pixels::with_read_colors(&item.state, &[], style, pictures)?;
        Some(Self::recount(&Item::<Self> { state, ..item.clone() }))
    }
}
