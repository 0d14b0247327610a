use serde::{Deserialize, Serialize};
use topotrace_core::{
    Answer, AnswerKind, Contract, Domain, Draw, Flaw, Item, Operation, Outcome, Picture, PromptRng, Property,
    Raster, Rejected, SemanticRng, Shortcut, TaskInfo, TaskKind, TaskProgram, english_list, ensure,
};

use super::grammar::{MazeParams, build};
use super::points::{self, Point};
use super::reach::{self, ReachParams, ReachProof};
use super::regions::Regions;
use super::scene::{self, Maze2d, MazeStyle, Overlay};
use super::walls::{Cell, Line, Maze, Place};
use super::{explain, pixels, wording};

/// Which points would still be connected to `A` if one more wall stood?
pub struct WallAdded;

/// The least area in triangles that is more than a pocket: three cells.
const POCKET: u32 = 12;

/// What becomes of a point when the wall is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Fate {
    /// It stays connected to `A`.
    Stays,
    /// The new wall cuts it off.
    Lost,
    /// It never was connected.
    Never,
}

/// The wanted answer and what the maze is to be made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallAddedAim {
    maze: MazeParams,
    areas: Vec<u32>,
    apart: u32,
    fates: Vec<Fate>,
}

/// What `maze-2d/wall-added` points at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WallAddedMarks {
    /// The points; the first is `A`.
    pub points: Vec<Point>,
    /// Where the wall would stand.
    pub added: Place,
}

impl TaskProgram for WallAdded {
    const INFO: TaskInfo = TaskInfo {
        id: "maze-2d/wall-added",
        version: 1,
        property: Property::Continuity,
        kind: TaskKind::Reasoning,
        answer: AnswerKind::Set,
        contract: Contract::Equal,
        operations: &[Operation::Reachability, Operation::WhatIf],
        pictures: 1,
        units: 8,
        published: false,
        summary: "Which labeled points of a maze would still be connected to point A if one more wall stood?",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut { name: "the new wall changes nothing", guess: guess_unchanged },
        Shortcut { name: "same side of the new wall's line", guess: guess_same_side },
        Shortcut {
            name: "straight line of sight",
            guess: |i| points::guess_line_of_sight(&i.state, &i.marks.points),
        },
        Shortcut { name: "nearest two", guess: |i| points::guess_nearest_two(&i.marks.points) },
        Shortcut { name: "all but the point nearest to the new wall", guess: guess_all_but_nearest },
    ];

    const THINNED_PERCENT: u32 = 92;

    type Scene = Maze2d;
    type Params = ReachParams;
    type Aim = WallAddedAim;
    type Marks = WallAddedMarks;
    type Query = ();
    type Evidence = ReachProof;

    fn aim(params: &ReachParams, rng: &mut SemanticRng) -> WallAddedAim {
        let count = rng.between(params.points_min..=params.points_max) as usize;
        let mut fates: Vec<Fate> = (1..count)
            .map(|_| if rng.percent(50) { Fate::Stays } else { *rng.pick(&[Fate::Lost, Fate::Never]) })
            .collect();
        // Unless every point stays, the new wall has to matter.
        if !fates.contains(&Fate::Lost) {
            let gone: Vec<usize> = (0..fates.len()).filter(|&at| fates[at] == Fate::Never).collect();
            if !gone.is_empty() {
                fates[*rng.pick(&gone)] = Fate::Lost;
            }
        }
        let before: Vec<bool> = fates.iter().map(|fate| *fate != Fate::Never).collect();
        let regions = params.maze.regions as usize + usize::from(rng.percent(30));
        WallAddedAim {
            areas: reach::areas(params.maze.grid, regions, &before, rng),
            maze: params.maze.clone(),
            apart: params.apart,
            fates,
        }
    }

    fn sample(aim: &WallAddedAim, rng: &mut SemanticRng) -> Result<Maze, Rejected> {
        build(aim.maze.draw(rng), &aim.areas, rng)
    }

    fn pose(
        aim: &WallAddedAim,
        maze: &Maze,
        rng: &mut SemanticRng,
    ) -> Result<(WallAddedMarks, ()), Rejected> {
        let before = Regions::of(maze);
        let plain = maze.plain_cells();
        let mut places = free_places(maze, &plain);
        rng.shuffle(&mut places);
        let mut walls: Vec<(Place, Regions)> =
            places.into_iter().map(|place| (place, Regions::of(&maze.with(place)))).collect();
        // Most often a wall that cuts off more than a pocket comes first: a lone point in a dead end
        // beside the dashes is too easily seen.
        if rng.percent(75) {
            walls.sort_by_key(|(place, after)| cut_off(*place, after) < POCKET);
        }
        for (added, after) in walls {
            let splits = after.count() > before.count();
            if aim.fates.contains(&Fate::Lost) && !splits {
                continue;
            }
            let cells: Vec<Cell> = plain
                .iter()
                .filter(|&&cell| !(added.line.is_diagonal() && added.cell() == cell))
                .copied()
                .collect();
            let fate_of = |first: Cell, cell: Cell| {
                if after.of_cell(first) == after.of_cell(cell) {
                    Fate::Stays
                } else if before.of_cell(first) == before.of_cell(cell) {
                    Fate::Lost
                } else {
                    Fate::Never
                }
            };
            let fits = |first: Cell, number: usize, cell: Cell| fate_of(first, cell) == aim.fates[number];
            if let Some(cells) = points::place(&cells, aim.fates.len(), fits, aim.apart, rng) {
                return Ok((WallAddedMarks { points: points::named(&cells), added }, ()));
            }
        }
        Err(Rejected("no place for the new wall and the points"))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        let WallAddedMarks { points, added } = &item.marks;
        item.state.validate()?;
        points::validate(&item.state, points, 2..=points::NAMES.len())?;
        ensure(free_places(&item.state, &item.state.plain_cells()).contains(added), || {
            format!("the new wall at {added:?} is outside the maze, crosses a wall or stands on one")
        })?;
        let crossed = |point: &&Point| added.line.is_diagonal() && added.cell() == point.cell;
        match points.iter().find(crossed) {
            None => Ok(()),
            Some(point) => Err(Flaw::new(format!("the new wall at {added:?} crosses point {}", point.name))),
        }
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Set { members: points::others(&item.marks.points), at_least: 0 }
    }

    fn execute(item: &Item<Self>) -> Outcome<ReachProof> {
        ReachProof::find(&item.state.with(item.marks.added), &item.marks.points)
    }

    fn recount(item: &Item<Self>) -> Answer {
        reach::recount(&item.state.with(item.marks.added), &item.marks.points)
    }

    fn check(item: &Item<Self>, outcome: &Outcome<ReachProof>) -> Result<(), Flaw> {
        ReachProof::check(&item.state.with(item.marks.added), &item.marks.points, outcome)
    }

    fn prompt(item: &Item<Self>, style: &MazeStyle, rng: &mut PromptRng) -> String {
        let names = english_list(&points::others(&item.marks.points), "and");
        let accent = style.accent_name();
        let marks = format!(
            "the points A, {names} are labeled with their letters. The dashed {accent} line is no wall yet; it shows where one more might be built"
        );
        let questions = [
            format!(
                "Suppose a solid wall stood where the dashed line is, all the way from one corner to the other. Which of the points {names} would then be connected to A?"
            ),
            format!(
                "Imagine a solid wall in place of the dashed line, filling its edge or diagonal from corner to corner. Name every point among {names} that would still be connected to A."
            ),
            format!(
                "If a solid wall were built along the dashed line, from corner to corner and without a gap, which of {names} could still be reached from A?"
            ),
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
        reach::effort(&item.state, &item.marks.points)
            + reach::effort(&item.state.with(item.marks.added), &item.marks.points)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<ReachProof>, style: &MazeStyle) -> Vec<String> {
        vec![explain::reach(
            &item.state.with(item.marks.added),
            Some(item.marks.added),
            &item.marks.points,
            &outcome.evidence,
            style,
        )]
    }

    fn read_pixels(item: &Item<Self>, style: &MazeStyle, pictures: &[Raster]) -> Option<Answer> {
        let points = &item.marks.points;
        let drawn = [(style.palette().accent.color, pixels::Kind::Open)];
        let reader = pixels::Reader::new(pictures.first()?, style, item.state.size, points, &drawn);
        Some(reader.connected_with_wall(points, item.marks.added))
    }
}

impl Draw<WallAddedMarks> for Maze2d {
    fn draw(maze: &Maze, marks: &WallAddedMarks, style: &MazeStyle) -> Vec<Picture> {
        let overlay = Overlay { points: &marks.points, bars: &[], added: Some(marks.added) };
        vec![scene::draw(maze, overlay, style)]
    }
}

/// Where a wall may be added: edges without any wall and, in mazes that have diagonals, across
/// cells without one.
fn free_places(maze: &Maze, plain: &[Cell]) -> Vec<Place> {
    let edges = Maze::edges(maze.size).filter(|&place| maze.wall_at(place).is_none());
    let has_diagonals = maze.walls.iter().any(|wall| wall.place.line.is_diagonal());
    let across = plain
        .iter()
        .filter(|_| has_diagonals)
        .flat_map(|&cell| [Place::new(cell, Line::Slash), Place::new(cell, Line::Backslash)]);
    edges.chain(across).collect()
}

/// The area of the smaller part that a wall cuts off; 0 when it cuts off nothing.
fn cut_off(place: Place, after: &Regions) -> u32 {
    let [a, b] = after.beside(place);
    if a == b { 0 } else { after.area(a).min(after.area(b)) }
}

/// Guess: whatever was connected stays so.
fn guess_unchanged(item: &Item<WallAdded>) -> Answer {
    points::connected(&Regions::of(&item.state), &item.marks.points)
}

/// Guess: the wall cuts off the one point nearest to its middle.
fn guess_all_but_nearest(item: &Item<WallAdded>) -> Answer {
    let [(x0, y0), (x1, y1)] = item.marks.added.corners();
    let distance =
        |cell: Cell| (2 * cell.x + 1).abs_diff(x0 + x1).pow(2) + (2 * cell.y + 1).abs_diff(y0 + y1).pow(2);
    let nearest = item.marks.points.iter().skip(1).map(|point| distance(point.cell)).min();
    points::those(&item.marks.points, |point| Some(distance(point.cell)) != nearest)
}

/// Guess: the points on the same side of the straight line through the new wall as `A`.
fn guess_same_side(item: &Item<WallAdded>) -> Answer {
    let [(x0, y0), (x1, y1)] = item.marks.added.corners().map(|(x, y)| (2 * x as i32, 2 * y as i32));
    let side = |cell: Cell| {
        let (x, y) = (2 * cell.x as i32 + 1, 2 * cell.y as i32 + 1);
        ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)).signum()
    };
    let first = side(item.marks.points[0].cell);
    points::those(&item.marks.points, |point| side(point.cell) == first)
}
