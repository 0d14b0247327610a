//! Pipes on a square board: turn the pieces until all of them are connected to the source.

mod board;
mod certificate;
mod explain;
mod grammar;
mod profile;
mod scene;
mod search;
mod shortcuts;
mod task;
mod wording;

pub use board::{Board, Cell, MAX_SIZE, MIN_SIZE};
pub use certificate::{Hold, PipeProof, Side, Turned};
pub use grammar::{PipeAim, PipeParams};
pub use scene::{Backdrop, Finish, PipeStyle, Pipes, SourceMark};
pub use task::{Pipe, PipeQuery};
