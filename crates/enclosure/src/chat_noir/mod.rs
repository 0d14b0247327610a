//! A cat on a hexagonal board: block cells until it has no way to the rim.

mod board;
mod cat;
mod certificate;
mod cut;
mod explain;
mod figure;
mod forced;
mod grammar;
mod position;
mod replay;
mod rings;
mod scene;
mod search;
mod shortcuts;
mod task;
mod wording;

pub use board::{Cells, Direction, MAX_RADIUS, MIN_RADIUS};
pub use cat::Habit;
pub use certificate::TrapProof;
pub use figure::Eyes;
pub use forced::Coins;
pub use grammar::{BudgetRule, ChatNoirAim, ChatNoirParams};
pub use position::Position;
pub use scene::{Garden, GardenStyle, RimMark, Stone};
pub use task::{ChatNoir, ChatNoirQuery};
