//! Connectivity by search over triangles: four a cell, sharing its center.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use topotrace_draw::kurbo::Point as Spot;

use super::walls::{Cell, Extent, Line, Maze, Place, Wall, cells};

/// One of the four triangles of a cell, named by the edge it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The upper triangle.
    North,
    /// The right triangle.
    East,
    /// The lower triangle.
    South,
    /// The left triangle.
    West,
}

const SIDES: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];

/// A triangle of the maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triangle {
    /// Column of the cell.
    pub x: u32,
    /// Row of the cell.
    pub y: u32,
    /// Which of the cell's triangles.
    pub side: Side,
}

impl Triangle {
    /// The cell.
    pub fn cell(self) -> Cell {
        Cell { x: self.x, y: self.y }
    }

    /// Its three corners, in cells from the top left corner of the maze: the cell's center, then
    /// the ends of the edge, clockwise.
    pub fn outline(self) -> [Spot; 3] {
        let corner = |dx: u32, dy: u32| Spot::new(f64::from(self.x + dx), f64::from(self.y + dy));
        let (from, to) = match self.side {
            Side::North => (corner(0, 0), corner(1, 0)),
            Side::East => (corner(1, 0), corner(1, 1)),
            Side::South => (corner(1, 1), corner(0, 1)),
            Side::West => (corner(0, 1), corner(0, 0)),
        };
        [Spot::new(f64::from(self.x) + 0.5, f64::from(self.y) + 0.5), from, to]
    }

    fn of(cell: Cell, side: Side) -> Self {
        Triangle { x: cell.x, y: cell.y, side }
    }

    fn index(self, size: u32) -> usize {
        ((self.y * size + self.x) * 4 + self.side as u32) as usize
    }

    /// The neighboring triangles, each with the place where a full wall would stop the step.
    /// Steps out of the frame are left out.
    pub fn steps(self, size: u32) -> impl Iterator<Item = (Triangle, Place)> {
        let cell = self.cell();
        let turn = |by: usize| SIDES[(self.side as usize + by) % 4];
        let inner = [turn(1), turn(3)].map(|side| {
            Some((Triangle::of(cell, side), Place::new(cell, diagonal_between(self.side, side))))
        });
        inner.into_iter().chain([self.across(size)]).flatten()
    }

    /// The triangle on the other side of the cell's edge.
    fn across(self, size: u32) -> Option<(Triangle, Place)> {
        let Cell { x, y } = self.cell();
        let (next, side, place) = match self.side {
            Side::North => {
                (Cell { x, y: y.checked_sub(1)? }, Side::South, Place { x, y: y - 1, line: Line::South })
            }
            Side::East => (Cell { x: x + 1, y }, Side::West, Place { x, y, line: Line::East }),
            Side::South => (Cell { x, y: y + 1 }, Side::North, Place { x, y, line: Line::South }),
            Side::West => {
                (Cell { x: x.checked_sub(1)?, y }, Side::East, Place { x: x - 1, y, line: Line::East })
            }
        };
        (next.x < size && next.y < size).then(|| (Triangle::of(next, side), place))
    }
}

/// The diagonal that lies between two neighboring triangles of one cell.
fn diagonal_between(a: Side, b: Side) -> Line {
    match (a, b) {
        (Side::North, Side::East)
        | (Side::East, Side::North)
        | (Side::South, Side::West)
        | (Side::West, Side::South) => Line::Slash,
        _ => Line::Backslash,
    }
}

/// Which triangles hang together.
#[derive(Clone, Debug)]
pub struct Regions {
    size: u32,
    region: Vec<usize>,
    areas: Vec<u32>,
}

impl Regions {
    /// The regions of a maze, numbered from 0 in the order of their first triangles.
    pub fn of(maze: &Maze) -> Self {
        let blocked = Blocked::of(maze);
        let mut regions =
            Regions { size: maze.size, region: vec![usize::MAX; blocked.triangles()], areas: Vec::new() };
        for start in triangles(maze.size) {
            if regions.region[start.index(maze.size)] == usize::MAX {
                regions.fill(start, &blocked);
            }
        }
        regions
    }

    fn fill(&mut self, start: Triangle, blocked: &Blocked) {
        let number = self.areas.len();
        let mut area = 1;
        let mut queue = vec![start];
        self.region[start.index(self.size)] = number;
        while let Some(triangle) = queue.pop() {
            for (next, place) in triangle.steps(self.size) {
                let at = next.index(self.size);
                if self.region[at] == usize::MAX && !blocked.at(place) {
                    self.region[at] = number;
                    area += 1;
                    queue.push(next);
                }
            }
        }
        self.areas.push(area);
    }

    /// The number of regions.
    pub fn count(&self) -> usize {
        self.areas.len()
    }

    /// The number of triangles of a region.
    pub fn area(&self, region: usize) -> u32 {
        self.areas[region]
    }

    /// The region of a triangle.
    pub fn of_triangle(&self, triangle: Triangle) -> usize {
        self.region[triangle.index(self.size)]
    }

    /// The region of a cell without a diagonal.
    pub fn of_cell(&self, cell: Cell) -> usize {
        self.of_triangle(Triangle::of(cell, Side::North))
    }

    /// The regions on the two sides of a place.
    pub fn beside(&self, place: Place) -> [usize; 2] {
        let cell = place.cell();
        let (a, b) = match place.line {
            Line::East => {
                (Triangle::of(cell, Side::East), Triangle { x: place.x + 1, y: place.y, side: Side::West })
            }
            Line::South => {
                (Triangle::of(cell, Side::South), Triangle { x: place.x, y: place.y + 1, side: Side::North })
            }
            Line::Slash => (Triangle::of(cell, Side::North), Triangle::of(cell, Side::East)),
            Line::Backslash => (Triangle::of(cell, Side::North), Triangle::of(cell, Side::West)),
        };
        [self.of_triangle(a), self.of_triangle(b)]
    }

    /// The blocking walls on the border of a region: with the frame they close it off.
    pub fn border(&self, maze: &Maze, region: usize) -> Vec<Place> {
        maze.blocking()
            .filter(|&place| {
                let [a, b] = self.beside(place);
                a != b && (a == region || b == region)
            })
            .collect()
    }
}

/// A shortest way from one cell to another over triangles, both ends included; `None` when there
/// is none. Both cells are free of diagonals.
pub fn shortest_way(maze: &Maze, from: Cell, to: Cell) -> Option<Vec<Triangle>> {
    let blocked = Blocked::of(maze);
    let size = maze.size;
    let mut previous: Vec<Option<Triangle>> = vec![None; blocked.triangles()];
    let mut queue = VecDeque::new();
    for side in SIDES {
        let start = Triangle::of(from, side);
        previous[start.index(size)] = Some(start);
        queue.push_back(start);
    }
    while let Some(triangle) = queue.pop_front() {
        if triangle.cell() == to {
            let mut way = vec![triangle];
            let mut at = triangle;
            while let Some(before) = previous[at.index(size)].filter(|&before| before != at) {
                way.push(before);
                at = before;
            }
            way.reverse();
            return Some(way);
        }
        for (next, place) in triangle.steps(size) {
            if previous[next.index(size)].is_none() && !blocked.at(place) {
                previous[next.index(size)] = Some(triangle);
                queue.push_back(next);
            }
        }
    }
    None
}

/// The triangles that can be reached from a cell without a diagonal when `walls` alone stand inside
/// the frame.
pub fn flood(size: u32, walls: &[Place], from: Cell) -> Vec<Triangle> {
    let maze = Maze {
        size,
        walls: walls.iter().map(|place| Wall { place: *place, extent: Extent::Full }).collect(),
    };
    let regions = Regions::of(&maze);
    triangles(size).filter(|triangle| regions.of_triangle(*triangle) == regions.of_cell(from)).collect()
}

/// Blocking walls by place, for lookup in constant time.
struct Blocked {
    size: u32,
    places: Vec<bool>,
}

impl Blocked {
    fn of(maze: &Maze) -> Self {
        let mut blocked =
            Blocked { size: maze.size, places: vec![false; (maze.size * maze.size * 4) as usize] };
        for place in maze.blocking() {
            let at = blocked.index(place);
            blocked.places[at] = true;
        }
        blocked
    }

    fn triangles(&self) -> usize {
        self.places.len()
    }

    fn index(&self, place: Place) -> usize {
        ((place.y * self.size + place.x) * 4 + place.line as u32) as usize
    }

    fn at(&self, place: Place) -> bool {
        self.places[self.index(place)]
    }
}

/// All triangles, cell by cell.
pub fn triangles(size: u32) -> impl Iterator<Item = Triangle> {
    cells(size).flat_map(|cell| SIDES.map(|side| Triangle::of(cell, side)))
}
