//! Blocks on a board with one blank: swap blocks with the blank until the board is as wanted.

mod board;
mod certificate;
mod cycles;
mod explain;
mod grammar;
mod kinds;
mod pixels;
mod scene;
mod shortcuts;
mod task;
mod wording;

pub use board::{BLOCKS, Board, Cell, MAX_SIDE, MIN_SIDE};
pub use certificate::{Cycle, SwapProof};
pub use grammar::{Shape, SwapAim, SwapParams, Wish};
pub use scene::{Blocks, Captions, Finish, Ground, SlotMark, SwapStyle};
pub use task::{Swap, SwapQuery};
