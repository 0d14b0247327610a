use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use topotrace_core::{Flaw, ensure};

/// The least number of cells along a side.
pub const MIN_SIZE: u32 = 2;
/// The greatest number of cells along a side.
pub const MAX_SIZE: u32 = 12;

/// A cell: column from the left, row from the top, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

impl Cell {
    /// The number of steps between two cells along rows and columns.
    pub fn manhattan(self, other: Cell) -> u32 {
        self.x.abs_diff(other.x) + self.y.abs_diff(other.y)
    }
}

/// Where a wall lies relative to its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// On the edge to the next cell on the right, from top to bottom.
    East,
    /// On the edge to the next cell below, from left to right.
    South,
    /// From the top right corner of the cell to its bottom left corner.
    Slash,
    /// From the top left corner of the cell to its bottom right corner.
    Backslash,
}

impl Line {
    /// Whether the line crosses the cell instead of lying on an edge.
    pub fn is_diagonal(self) -> bool {
        matches!(self, Line::Slash | Line::Backslash)
    }
}

/// How much of its line a wall covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// All of it: the wall blocks.
    Full,
    /// The first half: one can walk around the end.
    FirstHalf,
    /// The second half.
    SecondHalf,
    /// The middle half: one can walk around both ends.
    MiddleHalf,
}

impl Extent {
    /// The three extents that leave a passage.
    pub const HALVES: [Extent; 3] = [Extent::FirstHalf, Extent::SecondHalf, Extent::MiddleHalf];

    /// Start and end along the line, in quarters of its length.
    pub fn quarters(self) -> (i32, i32) {
        match self {
            Extent::Full => (0, 4),
            Extent::FirstHalf => (0, 2),
            Extent::SecondHalf => (2, 4),
            Extent::MiddleHalf => (1, 3),
        }
    }
}

/// A line of the grid: a place where a wall may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Column of the cell.
    pub x: u32,
    /// Row of the cell.
    pub y: u32,
    /// Where in the cell.
    pub line: Line,
}

impl Place {
    /// The place of `line` at a cell.
    pub fn new(cell: Cell, line: Line) -> Self {
        Place { x: cell.x, y: cell.y, line }
    }

    /// The cell.
    pub fn cell(self) -> Cell {
        Cell { x: self.x, y: self.y }
    }

    /// The two ends of the line as grid corners: columns and rows of corners from 0.
    pub fn corners(self) -> [(u32, u32); 2] {
        let (x, y) = (self.x, self.y);
        match self.line {
            Line::East => [(x + 1, y), (x + 1, y + 1)],
            Line::South => [(x, y + 1), (x + 1, y + 1)],
            Line::Slash => [(x + 1, y), (x, y + 1)],
            Line::Backslash => [(x, y), (x + 1, y + 1)],
        }
    }

    /// Whether the place lies inside a grid of `size` by `size` cells, off its frame.
    pub fn is_inside(self, size: u32) -> bool {
        self.x < size
            && self.y < size
            && match self.line {
                Line::East => self.x + 1 < size,
                Line::South => self.y + 1 < size,
                Line::Slash | Line::Backslash => true,
            }
    }
}

/// One wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// How much of its line it covers.
    pub extent: Extent,
}

/// A square maze: walls on edges between cells and on diagonals across cells, inside a closed
/// frame. This is the scene's whole state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maze {
    /// Cells along a side.
    pub size: u32,
    /// The walls, sorted by place, one a place, and at most one diagonal a cell.
    pub walls: Vec<Wall>,
}

impl Maze {
    /// The places of all edges inside the frame, row by row.
    pub fn edges(size: u32) -> impl Iterator<Item = Place> {
        cells(size)
            .flat_map(|cell| [Place::new(cell, Line::East), Place::new(cell, Line::South)])
            .filter(move |place| place.is_inside(size))
    }

    /// The wall at a place.
    pub fn wall_at(&self, place: Place) -> Option<Wall> {
        self.walls.binary_search_by_key(&place, |wall| wall.place).ok().map(|at| self.walls[at])
    }

    /// Whether a blocking wall stands at a place.
    pub fn blocks(&self, place: Place) -> bool {
        self.wall_at(place).is_some_and(|wall| wall.extent == Extent::Full)
    }

    /// The walls that block.
    pub fn blocking(&self) -> impl Iterator<Item = Place> {
        self.walls.iter().filter(|wall| wall.extent == Extent::Full).map(|wall| wall.place)
    }

    /// The cells without any diagonal, where points may lie.
    pub fn plain_cells(&self) -> Vec<Cell> {
        let diagonal: BTreeSet<Cell> =
            self.walls.iter().filter(|w| w.place.line.is_diagonal()).map(|w| w.place.cell()).collect();
        cells(self.size).filter(|cell| !diagonal.contains(cell)).collect()
    }

    /// The maze without the wall at `place`.
    pub fn without(&self, place: Place) -> Maze {
        let walls = self.walls.iter().filter(|wall| wall.place != place).copied().collect();
        Maze { size: self.size, walls }
    }

    /// The maze with a blocking wall at `place`, in the stead of whatever stands there.
    pub fn with(&self, place: Place) -> Maze {
        let mut maze = self.without(place);
        maze.walls.push(Wall { place, extent: Extent::Full });
        maze.walls.sort();
        maze
    }

    /// Checks a stranger's maze.
    ///
    /// # Errors
    /// Names the first value that makes no sense.
    pub fn validate(&self) -> Result<(), Flaw> {
        ensure((MIN_SIZE..=MAX_SIZE).contains(&self.size), || {
            format!("size {} is not from {MIN_SIZE} to {MAX_SIZE}", self.size)
        })?;
        for wall in &self.walls {
            ensure(wall.place.is_inside(self.size), || {
                format!("the wall at {:?} is not inside a maze of size {}", wall.place, self.size)
            })?;
        }
        for pair in self.walls.windows(2) {
            ensure(pair[0].place < pair[1].place, || {
                format!(
                    "the walls at {:?} and {:?} are not sorted or share a place",
                    pair[0].place, pair[1].place
                )
            })?;
            let crossed = pair[0].place.cell() == pair[1].place.cell()
                && pair[0].place.line.is_diagonal()
                && pair[1].place.line.is_diagonal();
            ensure(!crossed, || format!("two diagonals cross in cell {:?}", pair[0].place.cell()))?;
        }
        Ok(())
    }
}

/// All cells of a square grid, row by row.
pub fn cells(size: u32) -> impl Iterator<Item = Cell> {
    (0..size).flat_map(move |y| (0..size).map(move |x| Cell { x, y }))
}
