//! Properties of the maze programs over many seeds.

// Helpers of tests may panic as tests do.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use topotrace_continuity::maze_2d::{
    Bars, BarsMarks, Cell, Extent, Line, Maze, Place, Reach, ReachMarks, WallAdded, WallAddedMarks,
};
use topotrace_core::{Answer, Instance, Level, Posed, Settings, Task};
use topotrace_draw::Rasterizer;

type Item<M> = Posed<Maze, M, ()>;

fn make(task: &dyn Task, level: Level, seed: u64) -> (topotrace_core::Seeds, Box<dyn Instance>) {
    task.generator(&level.into()).unwrap().generate(seed).unwrap()
}

fn item<M: serde::de::DeserializeOwned>(instance: &dyn Instance) -> Item<M> {
    serde_json::from_str(&instance.item()).unwrap()
}

/// The tier table of mazes: cells a side, least and greatest density, diagonals, half walls.
const TIERS: [(Level, u32, f64, f64, bool, bool); 3] = [
    (Level::Easy, 4, 0.35, 0.45, false, false),
    (Level::Medium, 5, 0.40, 0.50, false, true),
    (Level::Hard, 6, 0.45, 0.55, true, true),
];

fn check_tier(maze: &Maze, tier: (Level, u32, f64, f64, bool, bool)) {
    let (_, size, least, most, diagonals, halves) = tier;
    assert_eq!(maze.size, size);
    let density = maze.walls.len() as f64 / f64::from(2 * size * (size - 1));
    assert!((least..=most).contains(&density), "density {density}");
    let share = |count: usize| count as f64 / maze.walls.len() as f64;
    // Shares are rounded to whole walls.
    let rounding = 0.5 / maze.walls.len() as f64 + 1e-9;
    let diagonal = share(maze.walls.iter().filter(|w| w.place.line.is_diagonal()).count());
    let half = share(maze.walls.iter().filter(|w| w.extent != Extent::Full).count());
    assert!((diagonal - if diagonals { 0.25 } else { 0.0 }).abs() <= rounding, "diagonals {diagonal}");
    assert!((half - if halves { 0.30 } else { 0.0 }).abs() <= rounding, "half walls {half}");
}

/// Triangles of the regions of a maze, by a flood of this test's own.
struct Flood {
    size: u32,
    region: Vec<usize>,
    areas: Vec<usize>,
}

impl Flood {
    fn of(maze: &Maze) -> Self {
        let size = maze.size;
        let count = (size * size * 4) as usize;
        let mut flood = Flood { size, region: vec![usize::MAX; count], areas: Vec::new() };
        for start in 0..count {
            if flood.region[start] == usize::MAX {
                let number = flood.areas.len();
                flood.areas.push(0);
                let mut open = vec![start];
                while let Some(at) = open.pop() {
                    if std::mem::replace(&mut flood.region[at], number) == number {
                        continue;
                    }
                    flood.areas[number] += 1;
                    let (cell, side) = (at as u32 / 4, at as u32 % 4);
                    let (x, y) = (cell % size, cell / size);
                    let line = |turn: u32| {
                        if (side + turn).is_multiple_of(2) { Line::Slash } else { Line::Backslash }
                    };
                    let inner = [(1, line(0)), (3, line(1))];
                    for (turn, line) in inner {
                        if !maze.blocks(Place { x, y, line }) {
                            open.push((cell * 4 + (side + turn) % 4) as usize);
                        }
                    }
                    let across = match side {
                        0 => y.checked_sub(1).map(|y| (x, y, 2, Place { x, y, line: Line::South })),
                        1 => Some((x + 1, y, 3, Place { x, y, line: Line::East })),
                        2 => Some((x, y + 1, 0, Place { x, y, line: Line::South })),
                        _ => x.checked_sub(1).map(|x| (x, y, 1, Place { x, y, line: Line::East })),
                    };
                    if let Some((x, y, side, place)) = across
                        && x < size
                        && y < size
                        && !maze.blocks(place)
                    {
                        open.push(((y * size + x) * 4 + side) as usize);
                    }
                }
            }
        }
        flood
    }

    fn at(&self, cell: Cell) -> usize {
        self.region[((cell.y * self.size + cell.x) * 4) as usize]
    }

    /// The regions on both sides of an edge wall; those of a diagonal, top and bottom.
    fn beside(&self, place: Place) -> [usize; 2] {
        let of = |x: u32, y: u32, side: u32| self.region[((y * self.size + x) * 4 + side) as usize];
        let (x, y) = (place.x, place.y);
        match place.line {
            Line::East => [of(x, y, 1), of(x + 1, y, 3)],
            Line::South => [of(x, y, 2), of(x, y + 1, 0)],
            Line::Slash | Line::Backslash => [of(x, y, 0), of(x, y, 2)],
        }
    }
}

/// The maze as it seems to who takes every line for a wall that blocks.
fn all_lines_block(maze: &Maze) -> Maze {
    let mut maze = maze.clone();
    maze.walls.iter_mut().for_each(|wall| wall.extent = Extent::Full);
    maze
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn instances_hold_their_tier_and_their_proofs(seed in any::<u64>(), tier in 0..3_usize, task in 0..3_usize) {
        let task: &dyn Task = [&Reach as &dyn Task, &Bars, &WallAdded][task];
        let (_, instance) = make(task, TIERS[tier].0, seed);
        instance.audit().unwrap();
        let state = item::<serde_json::Value>(&*instance).state;
        check_tier(&state, TIERS[tier]);
        prop_assert!(Flood::of(&state).areas.len() >= [2, 3, 3][tier]);
    }

    #[test]
    fn the_finished_picture_gives_the_answer(seed in any::<u64>(), tier in 0..3_usize, task in 0..3_usize, side in 0..700_u32) {
        let task: &dyn Task = [&Reach as &dyn Task, &Bars, &WallAdded][task];
        let (seeds, instance) = make(task, TIERS[tier].0, seed);
        let style = instance.style(seeds.render, None).unwrap();
        let picture = instance.draw(&style).unwrap().remove(0);
        let side = instance.least_side() + side;
        let raster = Rasterizer::new().render(&picture.svg, side).unwrap();
        let seen = instance.read_pixels(&style, &[raster]).unwrap();
        prop_assert_eq!(seen.as_ref(), Some(instance.answer()));
    }

    #[test]
    fn points_keep_their_distance(seed in any::<u64>(), tier in 0..3_usize) {
        let apart = [1, 3, 3][tier];
        let (_, reach) = make(&Reach, TIERS[tier].0, seed);
        let (_, added) = make(&WallAdded, TIERS[tier].0, seed);
        for points in [item::<ReachMarks>(&*reach).marks.points, item::<WallAddedMarks>(&*added).marks.points] {
            prop_assert!((3..=5).contains(&points.len()));
            for (number, a) in points.iter().enumerate() {
                for b in &points[..number] {
                    prop_assert!(a.cell.manhattan(b.cell) >= apart);
                }
            }
        }
    }

    #[test]
    fn bars_hold_their_tier(seed in any::<u64>(), tier in 0..3_usize) {
        let (few, many, right, apart) = [(3, 4, 1, 1), (4, 5, 2, 3), (4, 6, 2, 5)][tier];
        let (_, instance) = make(&Bars, TIERS[tier].0, seed);
        let marks = item::<BarsMarks>(&*instance).marks;
        prop_assert!((few..=many).contains(&marks.bars.len()));
        prop_assert!(marks.points[0].cell.manhattan(marks.points[1].cell) >= apart);
        let Answer::Set(names) = instance.answer() else { panic!("no set") };
        prop_assert!(names.len() >= right && names.len() + 2 <= marks.bars.len());
        let maze = item::<BarsMarks>(&*instance).state;
        let flood = Flood::of(&maze);
        let [a, b] = [&marks.points[0], &marks.points[1]].map(|point| flood.at(point.cell));
        let board = (maze.size * maze.size * 4) as f64;
        let smaller = flood.areas[a].min(flood.areas[b]) as f64;
        prop_assert!(smaller >= board * [0.0, 0.25, 1.0 / 3.0][tier], "smaller side {smaller} of {board}");
        // Wrong bars lie on the borders of both sides with a third region.
        for (side, other) in [(a, b), (b, a)] {
            let third = |place: Place| {
                let [p, q] = flood.beside(place);
                p != q && [p, q].contains(&side) && ![p, q].contains(&other)
            };
            prop_assert!(marks.bars.iter().any(|bar| !names.contains(&bar.color) && third(bar.place)));
        }
    }

    #[test]
    fn a_damaged_certificate_proves_nothing(seed in any::<u64>(), tier in 0..3_usize) {
        let (_, instance) = make(&Reach, TIERS[tier].0, seed);
        let empty = r#"{"ways":{},"cuts":{}}"#;
        prop_assert!(instance.check_evidence(instance.answer(), empty).is_err());
        let uncut = instance.evidence().replace("\"line\":\"east\"", "\"line\":\"south\"");
        if uncut != instance.evidence() {
            prop_assert!(instance.check_evidence(instance.answer(), &uncut).is_err());
        }
    }
}

#[test]
fn half_walls_matter_often() {
    // Whoever takes each short line for a closed wall must often be wrong.
    for level in [Level::Medium, Level::Hard] {
        let misled = (0..100).filter(|&seed| {
            let (_, instance) = make(&Reach, level, seed);
            let mut item = item::<ReachMarks>(&*instance);
            item.state = all_lines_block(&item.state);
            let seeming = Reach.load(&serde_json::to_string(&item).unwrap()).unwrap();
            seeming.answer() != instance.answer()
        });
        let misled = misled.count();
        assert!(misled >= 30, "{level}: only {misled} of 100 are misled");
    }
}

#[test]
fn the_added_wall_matters_unless_all_points_stay() {
    for seed in 0..60 {
        let (_, instance) = make(&WallAdded, Level::Medium, seed);
        let item = item::<WallAddedMarks>(&*instance);
        let before =
            Posed { state: item.state, marks: ReachMarks { points: item.marks.points.clone() }, query: () };
        let before = Reach.load(&serde_json::to_string(&before).unwrap()).unwrap();
        let Answer::Set(names) = instance.answer() else { panic!("no set") };
        assert_eq!(before.answer() == instance.answer(), names.len() == item.marks.points.len() - 1);
    }
}

#[test]
fn bad_parameters_are_named() {
    for (name, value) in [
        ("grid", "99"),
        ("density_min", "0.9"),
        ("half_share", "-1"),
        ("points_min", "9"),
        ("apart", "7"),
        ("grid", "\"six\""),
    ] {
        let mut settings = Settings::from(Level::Hard);
        settings.overrides.insert(name.into(), value.into());
        let error = Reach.generator(&settings).err().expect("refused");
        assert!(error.is_invalid_settings());
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains(name) || cause.contains("six"), "{cause}");
    }
}
