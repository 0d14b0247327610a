//! A stroke along the sides of colored cells that cuts a board into one region for each color.

mod board;
mod certificate;
mod enumerate;
mod explain;
mod grammar;
mod grid;
mod letters;
mod scene;
mod search;
mod shortcuts;
mod task;
mod wording;

pub use board::{Board, MAX_COLORS, MAX_SIZE, MIN_SIZE};
pub use certificate::StrokeProof;
pub use grammar::{StrokeAim, StrokeParams};
pub use grid::Move;
pub use scene::{Lattice, LineFinish, StrokeScene, StrokeStyle, TileFinish, Uncolored};
pub use task::{OneStroke, StrokeQuery};
