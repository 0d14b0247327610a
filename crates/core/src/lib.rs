//! The vocabulary of topotrace.

mod answer;
mod domain;
mod flaw;
mod picture;
pub mod reading;
mod verdict;

pub use answer::{ActionText, Answer, AnswerKind};
pub use domain::{ActionShape, Domain, Field};
pub use flaw::{Flaw, ensure};
pub use picture::{MarkBox, Picture, PictureMark, Raster};
pub use verdict::{Layer, Reason, Rewards, Verdict, Verifier};
