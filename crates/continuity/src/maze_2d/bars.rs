use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Difficulty, Domain, Draw, Flaw, Item, Operation, Outcome, Params, Picture,
    PromptRng, Property, Raster, Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram,
    english_list, ensure,
};

use super::certificate::{check_cut, check_way};
use super::grammar::{MazeParams, build};
use super::lattice::Lattice;
use super::points::{self, Point};
use super::regions::{Regions, Triangle, shortest_way};
use super::scene::{self, Maze2d, MazeStyle, Overlay};
use super::walls::{Maze, Place};
use super::{explain, pixels, wording};

/// The colors of bars, in the order of a theme's hues.
pub const COLORS: [&str; 6] = ["purple", "red", "green", "blue", "yellow", "orange"];

/// Which colored walls, each taken away by itself, would connect `A` and `B`?
pub struct Bars;

/// The parameters of `maze-2d/bars`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarsParams {
    /// The maze.
    #[serde(flatten)]
    pub maze: MazeParams,
    /// Least number of bars, from 3 to 6.
    pub bars_min: u32,
    /// Greatest number of bars, from `bars_min` to 6.
    pub bars_max: u32,
    /// Least number of right bars, from 1 to `bars_min` - 2.
    pub right_min: u32,
    /// Least Manhattan distance between `A` and `B`, from 0 to 6.
    pub apart: u32,
    /// The part of the board that each of the regions of `A` and `B` covers at least, from 0 to
    /// 0.4.
    pub side_share: f64,
}

impl Params for BarsParams {
    fn at(difficulty: Difficulty) -> Self {
        BarsParams {
            maze: MazeParams::at(difficulty),
            bars_min: difficulty.blend_whole(3, 4, 4),
            bars_max: difficulty.blend_whole(4, 5, 6).min(6),
            right_min: difficulty.blend_whole(1, 2, 2),
            apart: difficulty.blend_whole(0, 3, 5),
            side_share: difficulty.blend(0.0, 0.25, 1.0 / 3.0),
        }
    }

    fn check(&self) -> Result<(), Flaw> {
        self.maze.check()?;
        ensure((3..=6).contains(&self.bars_min), || {
            format!("bars_min {} is not from 3 to 6", self.bars_min)
        })?;
        ensure((self.bars_min..=6).contains(&self.bars_max), || {
            format!("bars_max {} is not from bars_min {} to 6", self.bars_max, self.bars_min)
        })?;
        ensure((1..=self.bars_min - 2).contains(&self.right_min), || {
            format!("right_min {} is not from 1 to bars_min - 2 = {}", self.right_min, self.bars_min - 2)
        })?;
        ensure(self.apart <= 6, || format!("apart {} is not from 0 to 6", self.apart))?;
        ensure((0.0..=0.4).contains(&self.side_share), || {
            format!("side_share {} is not from 0 to 0.4", self.side_share)
        })
    }
}

/// The wanted answer and what the maze is to be made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarsAim {
    maze: MazeParams,
    areas: Vec<u32>,
    apart: u32,
    side_area: u32,
    right: Vec<String>,
    wrong: Vec<String>,
}

/// A colored bar on a blocking wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bar {
    /// Its color's name.
    pub color: String,
    /// Where it lies.
    pub place: Place,
}

/// What `maze-2d/bars` points at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarsMarks {
    /// `A` and `B`.
    pub points: Vec<Point>,
    /// The bars, in the order of their colors.
    pub bars: Vec<Bar>,
}

/// What proves which bars are right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarsProof {
    /// For each right bar, a way from `A` to `B` that is open once the bar is gone.
    pub ways: BTreeMap<String, Vec<Triangle>>,
    /// For each other bar, walls that part `A` and `B` without it.
    pub cuts: BTreeMap<String, Vec<Place>>,
}

impl TaskProgram for Bars {
    const INFO: TaskInfo = TaskInfo {
        id: "maze-2d/bars",
        version: 1,
        property: Property::Continuity,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Set,
        contract: Contract::Equal,
        operations: &[Operation::Reachability, Operation::Cut, Operation::WhatIf],
        pictures: 1,
        units: 8,
        published: true,
        summary: "Which colored walls of a maze, each removed by itself, would connect A and B?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "longest bar", guess: guess_longest },
        Shortcut { name: "bars between A and B", guess: guess_between },
        Shortcut { name: "bars around the smaller side", guess: guess_smaller_side },
        Shortcut { name: "bar nearest to the middle of A and B", guess: guess_middle },
    ];

    const THINNED_PERCENT: u32 = 75;

    type Scene = Maze2d;
    type Params = BarsParams;
    type Aim = BarsAim;
    type Marks = BarsMarks;
    type Query = ();
    type Evidence = BarsProof;

    fn aim(params: &BarsParams, rng: &mut SemanticRng) -> BarsAim {
        let bars = rng.between(params.bars_min..=params.bars_max);
        // At least two wrong bars: one on the border of each side with a third region, so that
        // neither side's bars are the answer.
        let right = rng.between(params.right_min..=bars - 2) as usize;
        let mut colors: Vec<String> = COLORS.iter().map(|&color| color.to_owned()).collect();
        rng.shuffle(&mut colors);
        colors.truncate(bars as usize);
        let wrong = colors.split_off(right);
        let board = 4 * params.maze.grid * params.maze.grid;
        let side_area = (f64::from(board) * params.side_share).ceil() as u32;
        let mut areas = vec![side_area.max(board / 6); 2];
        // Small mazes have too few walls for the borders of a fourth region.
        let more = params.maze.regions >= 3 && rng.percent(25);
        let third_parts = params.maze.regions.max(3) - 2 + u32::from(more);
        // What is left when both sides have their share, and a little slack for them.
        let rest = (board - areas.iter().sum::<u32>()) * 2 / 3;
        areas.extend(std::iter::repeat_n((rest / (2 * third_parts)).max(2), third_parts as usize));
        BarsAim { maze: params.maze.clone(), areas, apart: params.apart, side_area, right: colors, wrong }
    }

    fn sample(aim: &BarsAim, rng: &mut SemanticRng) -> Result<Maze, Rejected> {
        build(aim.maze.draw(rng), &aim.areas, rng)
    }

    fn pose(aim: &BarsAim, maze: &Maze, rng: &mut SemanticRng) -> Result<(BarsMarks, ()), Rejected> {
        let regions = Regions::of(maze);
        let (a, b) = choose_sides(aim, maze, &regions, rng)?;
        let mut cells = maze.plain_cells();
        cells.retain(|&cell| [a, b].contains(&regions.of_cell(cell)));
        if cells.is_empty() {
            return Err(Rejected("no place for A and B"));
        }
        let fits = |first, _, cell| regions.of_cell(first) != regions.of_cell(cell);
        let ends = points::place(&cells, 1, fits, aim.apart, rng).ok_or(Rejected("no place for A and B"))?;
        let mut right = Vec::new();
        let mut beside = [Vec::new(), Vec::new()];
        let mut elsewhere = Vec::new();
        for place in maze.blocking() {
            let [p, q] = regions.beside(place);
            match [p, q].map(|region| region == a || region == b) {
                [true, true] if p != q => right.push(place),
                [true, false] | [false, true] => beside[usize::from(p == b || q == b)].push(place),
                _ => elsewhere.push(place),
            }
        }
        let mut places = Vec::new();
        rng.shuffle(&mut right);
        places.extend(right.into_iter().take(aim.right.len()));
        if places.len() < aim.right.len() || beside.iter().any(Vec::is_empty) {
            return Err(Rejected("too short a border"));
        }
        for side in &mut beside {
            rng.shuffle(side);
            places.extend(side.pop());
        }
        let mut others: Vec<Place> = beside.concat().into_iter().chain(elsewhere).collect();
        rng.shuffle(&mut others);
        places.extend(others);
        if places.len() < aim.right.len() + aim.wrong.len() {
            return Err(Rejected("too few walls for the bars"));
        }
        let mut bars: Vec<Bar> = aim
            .right
            .iter()
            .chain(&aim.wrong)
            .zip(places)
            .map(|(color, place)| Bar { color: color.clone(), place })
            .collect();
        bars.sort_by_key(|bar| color_number(&bar.color));
        Ok((BarsMarks { points: points::named(&ends), bars }, ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        let BarsMarks { points, bars } = &item.marks;
        item.state.validate()?;
        points::validate(&item.state, points, 2..=2)?;
        ensure((1..=COLORS.len()).contains(&bars.len()), || {
            format!("{} bars are not from 1 to 6", bars.len())
        })?;
        for bar in bars {
            ensure(color_number(&bar.color).is_some(), || format!("bar color {:?} is unknown", bar.color))?;
            ensure(item.state.blocks(bar.place), || {
                format!("bar {} at {:?} lies on no blocking wall", bar.color, bar.place)
            })?;
        }
        for (number, bar) in bars.iter().enumerate() {
            let rest = &bars[number + 1..];
            ensure(rest.iter().all(|other| color_number(&other.color) > color_number(&bar.color)), || {
                format!("bar {} is out of order or given twice", bar.color)
            })?;
            ensure(rest.iter().all(|other| other.place != bar.place), || {
                format!("bar {} shares its wall with another", bar.color)
            })?;
        }
        let regions = Regions::of(&item.state);
        ensure(regions.of_cell(points[0].cell) != regions.of_cell(points[1].cell), || {
            "A and B are connected already".to_owned()
        })?;
        ensure(bars.iter().any(|bar| is_right(&regions, points, bar)), || "no bar is right".to_owned())
    }

    fn domain(item: &Item<Self>) -> Domain {
        let members = item.marks.bars.iter().map(|bar| bar.color.clone()).collect();
        Domain::Set { members, at_least: 1 }
    }

    fn execute(item: &Item<Self>) -> Outcome<BarsProof> {
        let Item::<Self> { state: maze, marks: BarsMarks { points, bars }, .. } = item;
        let (a, b) = (points[0].cell, points[1].cell);
        let mut proof = BarsProof { ways: BTreeMap::new(), cuts: BTreeMap::new() };
        for bar in bars {
            let without = maze.without(bar.place);
            if let Some(way) = shortest_way(&without, a, b) {
                proof.ways.insert(bar.color.clone(), way);
            } else {
                let regions = Regions::of(&without);
                proof.cuts.insert(bar.color.clone(), regions.border(&without, regions.of_cell(a)));
            }
        }
        Outcome { answer: Answer::set(proof.ways.keys().cloned()), evidence: proof }
    }

    fn recount(item: &Item<Self>) -> Answer {
        let (a, b) = (item.marks.points[0].cell, item.marks.points[1].cell);
        let right =
            item.marks.bars.iter().filter(|bar| Lattice::of(&item.state.without(bar.place)).joined(a, b));
        Answer::set(right.map(|bar| bar.color.clone()))
    }

    fn check(item: &Item<Self>, outcome: &Outcome<BarsProof>) -> Result<(), Flaw> {
        let Answer::Set(names) = &outcome.answer else { return Err(Flaw::new("the answer is no set")) };
        let (a, b) = (item.marks.points[0].cell, item.marks.points[1].cell);
        for bar in &item.marks.bars {
            let without = item.state.without(bar.place);
            let missing = |what: &str| Flaw::new(format!("there is no {what} for bar {}", bar.color));
            if names.contains(&bar.color) {
                check_way(
                    &without,
                    a,
                    b,
                    outcome.evidence.ways.get(&bar.color).ok_or_else(|| missing("way"))?,
                )?;
            } else {
                check_cut(
                    &without,
                    outcome.evidence.cuts.get(&bar.color).ok_or_else(|| missing("cut"))?,
                    a,
                    b,
                )?;
            }
        }
        let known = |name: &String| item.marks.bars.iter().any(|bar| bar.color == *name);
        ensure(names.iter().all(known), || "the answer names an unknown bar".to_owned())
    }

    fn prompt(item: &Item<Self>, style: &MazeStyle, rng: &mut PromptRng) -> String {
        let colors: Vec<String> = item.marks.bars.iter().map(|bar| bar.color.clone()).collect();
        let names = english_list(&colors, "and");
        let marks = format!(
            "{} more walls are drawn as colored bars ({names}), which block just the same; two points are labeled A and B",
            colors.len()
        );
        let questions = [
            "A and B are not connected. Which bars would connect them if that bar alone were removed and everything else stayed?",
            "At present no path joins A and B. Find every bar whose removal, by itself and with all other walls and bars in place, opens a path between them.",
            "There is no way from A to B yet. For which bars would taking away just that one bar make a way?",
        ];
        [
            wording::picture(style, &marks, rng),
            wording::walls(style, " or a colored bar", rng),
            wording::connected(rng),
            (*rng.pick(&questions)).to_owned(),
            "Name each such bar by its color.".to_owned(),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        let regions = Regions::of(&item.state);
        let sides =
            item.marks.points.iter().map(|point| u64::from(regions.area(regions.of_cell(point.cell))));
        sides.sum::<u64>() + item.state.walls.len() as u64 * item.marks.bars.len() as u64
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<BarsProof>, style: &MazeStyle) -> Vec<String> {
        vec![explain::bars(&item.state, &item.marks, &outcome.evidence, style)]
    }

    fn read_pixels(item: &Item<Self>, style: &MazeStyle, pictures: &[Raster]) -> Option<Answer> {
        let points = &item.marks.points;
        let bars: Vec<(&Bar, u8)> =
            item.marks.bars.iter().filter_map(|bar| Some((bar, color_number(&bar.color)?))).collect();
        let hues = style.palette().hues;
        let drawn: Vec<_> =
            bars.iter().map(|(_, hue)| (hues[usize::from(*hue)].color, pixels::Kind::Bar(*hue))).collect();
        let reader = pixels::Reader::new(pictures.first()?, style, item.state.size, points, &drawn);
        let [a, b] = [points[0].cell, points[1].cell];
        let right = bars.into_iter().filter(|(_, hue)| reader.joined_without_bar(*hue, a, b));
        Some(Answer::set(right.map(|(bar, _)| bar.color.clone())))
    }
}

impl Draw<BarsMarks> for Maze2d {
    fn draw(maze: &Maze, marks: &BarsMarks, style: &MazeStyle) -> Vec<Picture> {
        let bars: Vec<(Place, &str)> = marks.bars.iter().map(|bar| (bar.place, bar.color.as_str())).collect();
        vec![scene::draw(maze, Overlay { points: &marks.points, bars: &bars, added: None }, style)]
    }
}

/// Two regions that are large enough, share a long enough border, and each have a border with a
/// third region.
fn choose_sides(
    aim: &BarsAim,
    maze: &Maze,
    regions: &Regions,
    rng: &mut SemanticRng,
) -> Result<(usize, usize), Rejected> {
    let mut shared = vec![vec![0_usize; regions.count()]; regions.count()];
    for place in maze.blocking() {
        let [p, q] = regions.beside(place);
        if p != q {
            shared[p][q] += 1;
            shared[q][p] += 1;
        }
    }
    let third = |a: usize, b: usize| (0..regions.count()).any(|c| c != b && shared[a][c] > 0);
    let large = |region: usize| regions.area(region) >= aim.side_area;
    let pairs: Vec<(usize, usize)> = (0..regions.count())
        .flat_map(|a| (0..regions.count()).map(move |b| (a, b)))
        .filter(|&(a, b)| a != b && large(a) && large(b))
        .filter(|&(a, b)| shared[a][b] >= aim.right.len() && third(a, b) && third(b, a))
        .collect();
    if pairs.is_empty() {
        Err(Rejected("no two sides with a third region beside both"))
    } else {
        Ok(*rng.pick(&pairs))
    }
}

fn color_number(color: &str) -> Option<u8> {
    COLORS.iter().position(|known| *known == color).map(|at| at as u8)
}

fn is_right(regions: &Regions, points: &[Point], bar: &Bar) -> bool {
    let mut sides = regions.beside(bar.place);
    let mut ends = [regions.of_cell(points[0].cell), regions.of_cell(points[1].cell)];
    sides.sort_unstable();
    ends.sort_unstable();
    sides == ends
}

fn colors_of<'a>(bars: impl Iterator<Item = &'a Bar>) -> Answer {
    Answer::set(bars.map(|bar| bar.color.clone()))
}

/// Guess: the longest bars, which are those on diagonals where there are any.
fn guess_longest(item: &Item<Bars>) -> Answer {
    let any = item.marks.bars.iter().any(|bar| bar.place.line.is_diagonal());
    colors_of(item.marks.bars.iter().filter(|bar| bar.place.line.is_diagonal() == any))
}

/// Twice the middle of a place, in half cells.
fn middle(place: Place) -> (u32, u32) {
    let [(x0, y0), (x1, y1)] = place.corners();
    (x0 + x1, y0 + y1)
}

/// Guess: the bars inside the rectangle with `A` and `B` in its corners.
fn guess_between(item: &Item<Bars>) -> Answer {
    let [a, b] = [&item.marks.points[0], &item.marks.points[1]].map(|p| (2 * p.cell.x + 1, 2 * p.cell.y + 1));
    let inside = |bar: &&Bar| {
        let (x, y) = middle(bar.place);
        (a.0.min(b.0)..=a.0.max(b.0)).contains(&x) && (a.1.min(b.1)..=a.1.max(b.1)).contains(&y)
    };
    colors_of(item.marks.bars.iter().filter(inside))
}

/// Guess: the bars on the rim of the smaller of the regions of `A` and `B`.
fn guess_smaller_side(item: &Item<Bars>) -> Answer {
    let regions = Regions::of(&item.state);
    let [a, b] = [&item.marks.points[0], &item.marks.points[1]].map(|p| regions.of_cell(p.cell));
    let smaller = if regions.area(a) <= regions.area(b) { a } else { b };
    let on_rim = |bar: &&Bar| {
        let [p, q] = regions.beside(bar.place);
        p != q && (p == smaller || q == smaller)
    };
    colors_of(item.marks.bars.iter().filter(on_rim))
}

/// Guess: the one bar nearest to the middle of `A` and `B`.
fn guess_middle(item: &Item<Bars>) -> Answer {
    let [a, b] = [&item.marks.points[0], &item.marks.points[1]].map(|p| p.cell);
    let target = (a.x + b.x + 1, a.y + b.y + 1);
    let distance = |bar: &&Bar| {
        let (x, y) = middle(bar.place);
        x.abs_diff(target.0).pow(2) + y.abs_diff(target.1).pow(2)
    };
    colors_of(item.marks.bars.iter().min_by_key(distance).into_iter())
}
