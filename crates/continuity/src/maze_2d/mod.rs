//! Mazes in the plane with edge walls, diagonal walls, and walls that cover half of their line.

mod bars;
mod certificate;
mod explain;
mod grammar;
mod lattice;
mod pixels;
mod points;
mod reach;
mod regions;
mod routes;
mod scene;
mod wall_added;
mod walls;
mod wording;

pub use bars::{Bar, Bars, BarsMarks, BarsParams};
pub use grammar::{MazeParams, WallCounts};
pub use points::Point;
pub use reach::{Reach, ReachMarks, ReachParams};
pub use regions::{Side, Triangle};
pub use scene::{Grid, Maze2d, MazeStyle};
pub use wall_added::{WallAdded, WallAddedMarks};
pub use walls::{Cell, Extent, Line, MAX_SIZE, MIN_SIZE, Maze, Place, Wall};
