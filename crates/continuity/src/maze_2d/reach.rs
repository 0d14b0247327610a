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

/// Which points can be reached from `A`?
pub struct Reach;

/// The parameters of `maze-2d/reach` and `maze-2d/wall-added`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReachParams {
    /// The maze.
    #[serde(flatten)]
    pub maze: MazeParams,
    /// Least number of points, from 3 to 5.
    pub points_min: u32,
    /// Greatest number of points, from `points_min` to 5.
    pub points_max: u32,
    /// Least Manhattan distance between any two points, from 0 to 4.
    pub apart: u32,
}

impl Params for ReachParams {
    fn at(difficulty: Difficulty) -> Self {
        ReachParams {
            maze: MazeParams::at(difficulty),
            points_min: 3,
            points_max: 5,
            apart: difficulty.blend_whole(0, 3, 3),
        }
    }

    fn check(&self) -> Result<(), Flaw> {
        self.maze.check()?;
        ensure((3..=5).contains(&self.points_min), || {
            format!("points_min {} is not from 3 to 5", self.points_min)
        })?;
        ensure((self.points_min..=5).contains(&self.points_max), || {
            format!("points_max {} is not from points_min {} to 5", self.points_max, self.points_min)
        })?;
        ensure(self.apart <= 4, || format!("apart {} is not from 0 to 4", self.apart))
    }
}

/// The wanted answer and what the maze is to be made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReachAim {
    maze: MazeParams,
    areas: Vec<u32>,
    apart: u32,
    connected: Vec<bool>,
}

impl ReachAim {
    fn draw(params: &ReachParams, rng: &mut SemanticRng) -> Self {
        let count = rng.between(params.points_min..=params.points_max) as usize;
        let connected: Vec<bool> = (1..count).map(|_| rng.percent(50)).collect();
        let regions = params.maze.regions as usize + usize::from(rng.percent(30));
        ReachAim {
            areas: areas(params.maze.grid, regions, &connected, rng),
            maze: params.maze.clone(),
            apart: params.apart,
            connected,
        }
    }
}

/// Least areas of regions: the first has room for `A` and the points connected to it.
pub(super) fn areas(size: u32, regions: usize, connected: &[bool], rng: &mut SemanticRng) -> Vec<u32> {
    let inside = 1.0 + connected.iter().filter(|&&c| c).count() as f64;
    let outside = (connected.len() as f64 + 1.0 - inside).max(0.7) / (regions - 1) as f64;
    let weights: Vec<f64> = (0..regions)
        .map(|region| if region == 0 { inside } else { outside } * rng.uniform(0.7, 1.4))
        .collect();
    let total: f64 = weights.iter().sum();
    let half_board = f64::from(2 * size * size);
    weights.iter().map(|weight| ((half_board * weight / total) as u32).max(2)).collect()
}

/// What `maze-2d/reach` points at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachMarks {
    /// The points; the first is `A`.
    pub points: Vec<Point>,
}

/// What proves which points are connected to `A`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReachProof {
    /// For each connected point, a way from `A` over triangles of cells.
    pub ways: BTreeMap<String, Vec<Triangle>>,
    /// For each other point, walls that with the frame close it off from `A`.
    pub cuts: BTreeMap<String, Vec<Place>>,
}

impl ReachProof {
    /// The answer and its proof in a given maze.
    pub(super) fn find(maze: &Maze, points: &[Point]) -> Outcome<Self> {
        let mut proof = ReachProof { ways: BTreeMap::new(), cuts: BTreeMap::new() };
        let regions = Regions::of(maze);
        let from = points[0].cell;
        for point in &points[1..] {
            match shortest_way(maze, from, point.cell) {
                Some(way) => drop(proof.ways.insert(point.name.clone(), way)),
                None => {
                    drop(proof.cuts.insert(point.name.clone(), regions.border(maze, regions.of_cell(from))))
                }
            }
        }
        Outcome { answer: Answer::set(proof.ways.keys().cloned()), evidence: proof }
    }

    /// Checks the proof of an answer in a given maze.
    pub(super) fn check(maze: &Maze, points: &[Point], outcome: &Outcome<Self>) -> Result<(), Flaw> {
        let Answer::Set(names) = &outcome.answer else { return Err(Flaw::new("the answer is no set")) };
        for point in &points[1..] {
            let (from, to) = (points[0].cell, point.cell);
            let missing = |what: &str| Flaw::new(format!("there is no {what} for point {}", point.name));
            if names.contains(&point.name) {
                let way = outcome.evidence.ways.get(&point.name).ok_or_else(|| missing("way"))?;
                check_way(maze, from, to, way)?;
            } else {
                let cut = outcome.evidence.cuts.get(&point.name).ok_or_else(|| missing("cut"))?;
                check_cut(maze, cut, from, to)?;
            }
        }
        let known = points::others(points);
        ensure(names.iter().all(|name| known.contains(name)), || {
            "the answer names an unknown point".to_owned()
        })
    }
}

/// The points joined to `A` by the lattice.
pub(super) fn recount(maze: &Maze, points: &[Point]) -> Answer {
    let lattice = Lattice::of(maze);
    points::those(points, |point| lattice.joined(points[0].cell, point.cell))
}

/// The number of triangles that a search from `A` visits, and the length of the ways it finds.
pub(super) fn effort(maze: &Maze, points: &[Point]) -> u64 {
    let regions = Regions::of(maze);
    let ways = points[1..].iter().filter_map(|point| shortest_way(maze, points[0].cell, point.cell));
    u64::from(regions.area(regions.of_cell(points[0].cell)))
        + ways.map(|way| way.len() as u64).sum::<u64>()
        + maze.walls.len() as u64
}

impl TaskProgram for Reach {
    const INFO: TaskInfo = TaskInfo {
        id: "maze-2d/reach",
        version: 1,
        property: Property::Continuity,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Set,
        contract: Contract::Equal,
        operations: &[Operation::Reachability],
        pictures: 1,
        units: 8,
        published: true,
        summary: "Which labeled points of a maze are connected to point A?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut {
            name: "same half of the board",
            guess: |i| points::guess_same_half(&i.state, &i.marks.points),
        },
        Shortcut {
            name: "walls around the point's own cell",
            guess: |i| points::guess_open_cells(&i.state, &i.marks.points),
        },
        Shortcut {
            name: "straight line of sight",
            guess: |i| points::guess_line_of_sight(&i.state, &i.marks.points),
        },
        Shortcut { name: "nearest two", guess: |i| points::guess_nearest_two(&i.marks.points) },
    ];

    const THINNED_PERCENT: u32 = 65;

    type Scene = Maze2d;
    type Params = ReachParams;
    type Aim = ReachAim;
    type Marks = ReachMarks;
    type Query = ();
    type Evidence = ReachProof;

    fn aim(params: &ReachParams, rng: &mut SemanticRng) -> ReachAim {
        ReachAim::draw(params, rng)
    }

    fn sample(aim: &ReachAim, rng: &mut SemanticRng) -> Result<Maze, Rejected> {
        build(aim.maze.draw(rng), &aim.areas, rng)
    }

    fn pose(aim: &ReachAim, maze: &Maze, rng: &mut SemanticRng) -> Result<(ReachMarks, ()), Rejected> {
        let regions = Regions::of(maze);
        let fits = |first, number: usize, cell| {
            (regions.of_cell(first) == regions.of_cell(cell)) == aim.connected[number]
        };
        let cells = points::place(&maze.plain_cells(), aim.connected.len(), fits, aim.apart, rng)
            .ok_or(Rejected("no place for the points"))?;
        Ok((ReachMarks { points: points::named(&cells) }, ()))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate()?;
        points::validate(&item.state, &item.marks.points, 2..=points::NAMES.len())
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Set { members: points::others(&item.marks.points), at_least: 0 }
    }

    fn execute(item: &Item<Self>) -> Outcome<ReachProof> {
        ReachProof::find(&item.state, &item.marks.points)
    }

    fn recount(item: &Item<Self>) -> Answer {
        recount(&item.state, &item.marks.points)
    }

    fn check(item: &Item<Self>, outcome: &Outcome<ReachProof>) -> Result<(), Flaw> {
        ReachProof::check(&item.state, &item.marks.points, outcome)
    }

    fn prompt(item: &Item<Self>, style: &MazeStyle, rng: &mut PromptRng) -> String {
        let names = english_list(&points::others(&item.marks.points), "and");
        let marks = format!("the points A, {names} are labeled with their letters");
        let questions = [
            format!("Which of the points {names} are connected to A?"),
            format!("Starting from A, which of {names} can be reached?"),
            format!("Name every point among {names} that is connected to A."),
        ];
        [
            wording::picture(style, &marks, rng),
            wording::walls(style, "", rng),
            wording::connected(rng),
            rng.pick(&questions).clone(),
            Self::domain(item).sentence(),
        ]
        .join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        effort(&item.state, &item.marks.points)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<ReachProof>, style: &MazeStyle) -> Vec<String> {
        vec![explain::reach(&item.state, None, &item.marks.points, &outcome.evidence, style)]
    }

    fn read_pixels(item: &Item<Self>, style: &MazeStyle, pictures: &[Raster]) -> Option<Answer> {
        let reader = pixels::Reader::new(pictures.first()?, style, item.state.size, &item.marks.points, &[]);
        Some(reader.connected(&item.marks.points))
    }
}

impl Draw<ReachMarks> for Maze2d {
    fn draw(maze: &Maze, marks: &ReachMarks, style: &MazeStyle) -> Vec<Picture> {
        vec![scene::draw(maze, Overlay { points: &marks.points, ..Overlay::default() }, style)]
    }
}
