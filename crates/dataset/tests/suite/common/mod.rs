//! A task small enough to be read at a glance: how many of the dots are red?
//!
//! Some looks hide a dot behind a curtain, and some states always do, so that builds have to look
//! again and to go back.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)]

pub mod sample;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Difficulty, Domain, Draw, Flaw, Item, Operation, Outcome, Params, Picture,
    PromptRng, Property, Registry, Rejected, RenderRng, Scene, SemanticRng, Shortcut, Task, TaskInfo,
    TaskKind, TaskProgram, ensure,
};
use topotrace_draw::kurbo::Point;
use topotrace_draw::{Canvas, Theme, path};

pub const CELLS: usize = 16;

/// One picture an instance.
pub static ONE: Dots<1> = Dots;
/// Two pictures an instance.
pub static TWO: Dots<2> = Dots;

pub fn registry() -> Registry {
    static TASKS: &[&dyn Task] = &[&ONE, &TWO];
    Registry::new(&[TASKS])
}

pub struct Dots<const PICTURES: usize>;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    Empty,
    Red,
    Blue,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DotStyle {
    theme: String,
    radius: u32,
    curtain: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DotParams {
    /// The greatest number of red dots.
    most: u32,
    /// Whether there is a red dot in the last corner, which no look shows.
    hidden: bool,
}

/// How many dots are red, and whether one of them is hidden.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aim {
    red: u32,
    hidden: bool,
}

impl Params for DotParams {
    fn at(difficulty: Difficulty) -> Self {
        DotParams { most: difficulty.blend_whole(4, 6, 8), hidden: false }
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure((1..=12).contains(&self.most), || format!("most = {} is not from 1 to 12", self.most))
    }
}

impl<const PICTURES: usize> Scene for Dots<PICTURES> {
    const NAME: &'static str = if PICTURES == 1 { "dots" } else { "dots-twice" };
    const THEMES: &'static [&'static str] = &["paper", "dots-only"];
    type State = Vec<Cell>;
    type Style = DotStyle;

    fn style(_: &Vec<Cell>, theme: &'static str, rng: &mut RenderRng) -> DotStyle {
        DotStyle { theme: theme.to_owned(), radius: rng.between(12..=20), curtain: rng.percent(25) }
    }

    fn validate_style(_: &Vec<Cell>, style: &DotStyle) -> Result<(), Flaw> {
        ensure((12..=20).contains(&style.radius), || format!("radius {} is not from 12 to 20", style.radius))
    }

    fn least_side(_: &Vec<Cell>) -> u32 {
        96
    }
}

impl<const PICTURES: usize> Draw<()> for Dots<PICTURES> {
    fn draw(state: &Vec<Cell>, (): &(), style: &DotStyle) -> Vec<Picture> {
        (0..PICTURES).map(|_| picture(state, style)).collect()
    }
}

fn picture(state: &[Cell], style: &DotStyle) -> Picture {
    let theme = Theme::named("paper").unwrap();
    let mut canvas = Canvas::new(256, 256, theme.background.color);
    for (at, cell) in state.iter().enumerate() {
        let center = Point::new(32.0 + 64.0 * (at % 4) as f64, 32.0 + 64.0 * (at / 4) as f64);
        let paint = match cell {
            Cell::Empty => continue,
            Cell::Red => theme.hue("red").unwrap(),
            Cell::Blue => theme.hue("blue").unwrap(),
        };
        let dot = path::circle(center, f64::from(style.radius));
        canvas.mark(format!("dot {at}"), |canvas| canvas.fill(&dot, paint.color));
    }
    // A state with a dot in the last corner is hidden in every look.
    let (x, y) = if state[CELLS - 1] == Cell::Red { (192.0, 192.0) } else { (0.0, 0.0) };
    if style.curtain || state[CELLS - 1] == Cell::Red {
        canvas.fill(&path::rect(x, y, 64.0, 64.0), theme.ink.color);
    }
    canvas.finish()
}

impl<const PICTURES: usize> TaskProgram for Dots<PICTURES> {
    const INFO: TaskInfo = TaskInfo {
        id: if PICTURES == 1 { "dots/red" } else { "dots-twice/red" },
        version: 1,
        property: Property::Enclosure,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Integer,
        contract: Contract::Equal,
        operations: &[Operation::Reachability],
        pictures: PICTURES,
        units: if PICTURES == 1 { 4 } else { 1 },
        published: false,
        summary: "How many of the dots are red?",
    };
    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "always three", guess: |_| Answer::Integer(3) },
        Shortcut { name: "first row", guess: |item| count(&item.state[..4], Cell::Red) },
        Shortcut { name: "the blue ones", guess: |item| count(&item.state, Cell::Blue) },
    ];
    type Scene = Self;
    type Params = DotParams;
    type Aim = Aim;
    type Marks = ();
    type Query = ();
    type Evidence = Vec<usize>;

    fn aim(params: &DotParams, rng: &mut SemanticRng) -> Aim {
        Aim { red: rng.between(1..=params.most), hidden: params.hidden }
    }

    fn sample(aim: &Aim, rng: &mut SemanticRng) -> Result<Vec<Cell>, Rejected> {
        let mut state = vec![Cell::Red; aim.red as usize];
        state.extend((state.len()..CELLS).map(|_| if rng.percent(50) { Cell::Blue } else { Cell::Empty }));
        rng.shuffle(&mut state);
        match () {
            () if state[0] == Cell::Empty => Err(Rejected("no dot in the first corner")),
            () if aim.hidden && state[CELLS - 1] != Cell::Red => Err(Rejected("no hidden dot")),
            () => Ok(state),
        }
    }

    fn pose(_: &Aim, _: &Vec<Cell>, _: &mut SemanticRng) -> Result<((), ()), Rejected> {
        Ok(((), ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        ensure(item.state.len() == CELLS, || {
            format!("there are {} cells, {CELLS} are needed", item.state.len())
        })
    }

    fn domain(_: &Item<Self>) -> Domain {
        Domain::Integer { min: 0, max: CELLS as i64 }
    }

    fn execute(item: &Item<Self>) -> Outcome<Vec<usize>> {
        let evidence: Vec<usize> = (0..CELLS).filter(|&at| item.state[at] == Cell::Red).collect();
        Outcome { answer: Answer::Integer(evidence.len() as i64), evidence }
    }

    fn recount(item: &Item<Self>) -> Answer {
        count(&item.state, Cell::Red)
    }

    fn check(item: &Item<Self>, outcome: &Outcome<Vec<usize>>) -> Result<(), Flaw> {
        let reds = item.state.iter().enumerate().filter(|(_, cell)| **cell == Cell::Red).map(|(at, _)| at);
        ensure(reds.eq(outcome.evidence.iter().copied()), || "the red dots are others".to_owned())?;
        let number = Answer::Integer(outcome.evidence.len() as i64);
        ensure(number == outcome.answer, || format!("{} red dots are listed", outcome.evidence.len()))
    }

    fn prompt(item: &Item<Self>, _: &DotStyle, rng: &mut PromptRng) -> String {
        let question = rng.pick(&[
            "How many of the dots are red?",
            "Count the red dots.",
            "What is the number of red dots?",
            "How many dots in the picture are red?",
        ]);
        format!("The picture shows dots. {question} {}", Self::domain(item).sentence())
    }

    fn effort(item: &Item<Self>) -> u64 {
        item.state.iter().filter(|cell| **cell != Cell::Empty).count() as u64
    }
}

fn count(cells: &[Cell], wanted: Cell) -> Answer {
    Answer::Integer(cells.iter().filter(|cell| **cell == wanted).count() as i64)
}

/// All files under a folder, by their paths within it.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let inner = files(&path).into_iter();
            all.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            all.insert(name, std::fs::read(&path).unwrap());
        }
    }
    all
}
