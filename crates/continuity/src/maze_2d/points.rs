//! Labeled points in cells: names, choice of cells, checks, and guesses that look at points alone.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use topotrace_core::{Answer, Flaw, SemanticRng, ensure};

use super::regions::Regions;
use super::walls::{Cell, Maze, Wall};

/// The names that points may have, in order.
pub const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

/// A labeled point at the center of a cell without a diagonal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Its name: a capital letter.
    pub name: String,
    /// Its cell.
    pub cell: Cell,
}

/// Names cells `A`, `B`, `C` … in their order.
pub fn named(cells: &[Cell]) -> Vec<Point> {
    NAMES.iter().zip(cells).map(|(name, &cell)| Point { name: (*name).to_owned(), cell }).collect()
}

/// The names of all points but the first, `A`.
pub fn others(points: &[Point]) -> Vec<String> {
    points.iter().skip(1).map(|point| point.name.clone()).collect()
}

/// The answer that names the points other than the first for which `holds`.
pub fn those(points: &[Point], holds: impl Fn(&Point) -> bool) -> Answer {
    Answer::set(points.iter().skip(1).filter(|point| holds(point)).map(|point| point.name.clone()))
}

/// Checks a stranger's points.
///
/// # Errors
/// Names the first point that makes no sense.
pub fn validate(maze: &Maze, points: &[Point], count: std::ops::RangeInclusive<usize>) -> Result<(), Flaw> {
    ensure(count.contains(&points.len()), || {
        format!("{} points are not from {} to {}", points.len(), count.start(), count.end())
    })?;
    let plain: BTreeSet<Cell> = maze.plain_cells().into_iter().collect();
    let mut taken = BTreeSet::new();
    for (point, name) in points.iter().zip(NAMES) {
        ensure(point.name == name, || format!("point {:?} stands where {name:?} is wanted", point.name))?;
        ensure(plain.contains(&point.cell), || {
            format!("point {name} at {:?} is outside the maze or on a diagonal", point.cell)
        })?;
        ensure(taken.insert(point.cell), || format!("point {name} shares its cell {:?}", point.cell))?;
    }
    Ok(())
}

/// Chooses cells for a first point and `count` others, all at pairwise Manhattan distance of at
/// least `apart`; `fits(first, number, cell)` says whether a cell will do for the other point of
/// that number. `None` when a few tries found no place for all.
pub fn place(
    cells: &[Cell],
    count: usize,
    fits: impl Fn(Cell, usize, Cell) -> bool,
    apart: u32,
    rng: &mut SemanticRng,
) -> Option<Vec<Cell>> {
    const TRIES: usize = 24;
    (0..TRIES).find_map(|_| {
        let first = *rng.pick(cells);
        let mut chosen = vec![first];
        for number in 0..count {
            let free = |cell: &&Cell| {
                fits(first, number, **cell)
                    && chosen.iter().all(|other| *cell != other && cell.manhattan(*other) >= apart)
            };
            let candidates: Vec<Cell> = cells.iter().filter(free).copied().collect();
            chosen.push(if candidates.is_empty() { return None } else { *rng.pick(&candidates) });
        }
        Some(chosen)
    })
}

/// The points of the same region as the first, by a maze's regions.
pub fn connected(regions: &Regions, points: &[Point]) -> Answer {
    those(points, |point| regions.of_cell(point.cell) == regions.of_cell(points[0].cell))
}

/// Guess: the points in the same half of the board as `A`, left or right.
pub fn guess_same_half(maze: &Maze, points: &[Point]) -> Answer {
    let half = |point: &Point| (2 * point.cell.x + 1).cmp(&maze.size);
    those(points, |point| half(point) == half(&points[0]))
}

/// Guess: the points whose own cell is walled on at most two sides, whatever lies beyond.
pub fn guess_open_cells(maze: &Maze, points: &[Point]) -> Answer {
    let walls = |cell: Cell| {
        let touches = |wall: &&Wall| {
            let ends = wall.place.corners();
            let corners =
                |(x, y): (u32, u32)| (cell.x..=cell.x + 1).contains(&x) && (cell.y..=cell.y + 1).contains(&y);
            ends.into_iter().all(corners)
        };
        let frame = [cell.x == 0, cell.y == 0, cell.x + 1 == maze.size, cell.y + 1 == maze.size];
        maze.walls.iter().filter(touches).count() + frame.into_iter().filter(|&at| at).count()
    };
    those(points, |point| walls(point.cell) <= 2)
}

/// Guess: the points that `A` sees in a straight line past all walls.
pub fn guess_line_of_sight(maze: &Maze, points: &[Point]) -> Answer {
    those(points, |point| maze.walls.iter().all(|wall| !hides(wall, points[0].cell, point.cell)))
}

/// Guess: the two points nearest to `A` as the crow flies.
pub fn guess_nearest_two(points: &[Point]) -> Answer {
    let from = points[0].cell;
    let distance = |cell: Cell| {
        let (dx, dy) = (cell.x.abs_diff(from.x), cell.y.abs_diff(from.y));
        dx * dx + dy * dy
    };
    let mut order: Vec<&Point> = points.iter().skip(1).collect();
    order.sort_by_key(|point| distance(point.cell));
    Answer::set(order.into_iter().take(2).map(|point| point.name.clone()))
}

/// Whether a wall crosses the straight line between two cell centers.
fn hides(wall: &Wall, a: Cell, b: Cell) -> bool {
    let center = |cell: Cell| (cell.x as i32 * 8 + 4, cell.y as i32 * 8 + 4);
    let [(x0, y0), (x1, y1)] = wall.place.corners().map(|(x, y)| (x as i32 * 8, y as i32 * 8));
    let (from, to) = wall.extent.quarters();
    let at = |q: i32| (x0 + (x1 - x0) * q / 4, y0 + (y1 - y0) * q / 4);
    let side = |p: (i32, i32), q: (i32, i32), r: (i32, i32)| {
        ((q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)).signum()
    };
    let (p, q, r, s) = (center(a), center(b), at(from), at(to));
    side(p, q, r) * side(p, q, s) <= 0 && side(r, s, p) * side(r, s, q) <= 0
}
