//! Connectivity a second way: walls as integer segments over a fine lattice of standing places.
//!
//! Knows nothing of triangles or of which walls "block": every wall, half ones included, is a
//! segment that no step may cross.

use petgraph::unionfind::UnionFind;

use super::walls::{Cell, Maze, Wall};

/// Lattice units along a cell's side.
const UNIT: i32 = 16;
/// Standing places a cell: eight across at odd columns, four down at rows 2, 6, 10 and 14. So no
/// standing place ever lies on a wall: walls run where a coordinate, or the sum or difference of
/// both, is a multiple of sixteen.
const ACROSS: i32 = 8;
const DOWN: i32 = 4;

/// Which standing places hang together.
pub struct Lattice {
    columns: i32,
    groups: UnionFind<usize>,
}

impl Lattice {
    /// Joins all neighboring standing places between which no wall passes.
    pub fn of(maze: &Maze) -> Self {
        let size = maze.size as i32;
        let (columns, rows) = (size * ACROSS, size * DOWN);
        let mut crossed = [vec![false; (columns * rows) as usize], vec![false; (columns * rows) as usize]];
        for wall in &maze.walls {
            let segment = segment(wall);
            let (cell_x, cell_y) = (wall.place.x as i32, wall.place.y as i32);
            // Steps into the cell from the row and the column before it may cross a diagonal too.
            for row in (cell_y * DOWN - 1).max(0)..((cell_y + 2) * DOWN).min(rows) {
                for column in (cell_x * ACROSS - 1).max(0)..((cell_x + 2) * ACROSS).min(columns) {
                    let here = position(column, row);
                    let at = (row * columns + column) as usize;
                    crossed[0][at] |= cross(segment, (here, position(column + 1, row)));
                    crossed[1][at] |= cross(segment, (here, position(column, row + 1)));
                }
            }
        }
        let mut groups = UnionFind::new((columns * rows) as usize);
        for row in 0..rows {
            for column in 0..columns {
                let at = (row * columns + column) as usize;
                if column + 1 < columns && !crossed[0][at] {
                    groups.union(at, at + 1);
                }
                if row + 1 < rows && !crossed[1][at] {
                    groups.union(at, at + columns as usize);
                }
            }
        }
        Lattice { columns, groups }
    }

    /// Whether one can walk from the middle of one cell to the middle of another.
    pub fn joined(&self, a: Cell, b: Cell) -> bool {
        self.groups.equiv(self.middle(a), self.middle(b))
    }

    fn middle(&self, cell: Cell) -> usize {
        let (column, row) = (cell.x as i32 * ACROSS + ACROSS / 2, cell.y as i32 * DOWN + DOWN / 2);
        (row * self.columns + column) as usize
    }
}

type Point = (i32, i32);

fn position(column: i32, row: i32) -> Point {
    (2 * column + 1, 4 * row + 2)
}

fn segment(wall: &Wall) -> (Point, Point) {
    let [(x0, y0), (x1, y1)] = wall.place.corners().map(|(x, y)| (x as i32 * UNIT, y as i32 * UNIT));
    let (from, to) = wall.extent.quarters();
    let along = |quarters: i32| (x0 + (x1 - x0) * quarters / 4, y0 + (y1 - y0) * quarters / 4);
    (along(from), along(to))
}

/// Whether two segments meet, their ends included.
fn cross((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let side =
        |p: Point, q: Point, r: Point| ((q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)).signum();
    side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0
}
