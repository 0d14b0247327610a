//! Published planning records of the MindTopo benchmark, read as items of this project's tasks.
//!
//! [`parse`] takes the text of a `question.jsonl` file. Each row becomes a [`PlanningRow`], whose item
//! goes to [`Task::load`](topotrace_core::Task::load): from there on a published puzzle is played,
//! drawn and scored as one of ours. It is an outside format: keys that are not needed are ignored,
//! needed ones that are missing or contradict each other are named in an error with the row's id.
//!
//! What differs from ours stays in the item: the budget is the published one, a one-stroke board may
//! have a seventh color, and the cats of chat-noir break ties by the number of the cell, which is
//! an `order` here, or have a habit of their own.

mod chat_noir;
mod error;
mod field;
mod one_stroke;
mod pipe;
mod row;
mod swap;

pub use error::Error;
pub use row::{PlanningRow, parse, parse_row};
