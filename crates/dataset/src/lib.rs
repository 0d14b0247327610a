//! Datasets of topotrace tasks: planned, built, read and verified.
//!
//! A [`Plan`] says which instances are wanted, [`build()`] makes them into a folder of files in
//! one of three formats ([`Storage`]) with a [`Manifest`] and a card, [`Dataset`] reads them back,
//! and [`verify()`] makes every record again, from its seeds and from its state, and compares.
//! Nothing is printed: progress goes to a closure.
//!
//! The same plan gives the same bytes on any number of threads, interrupted or not, in one build or
//! in parts that [`merge`] puts together.

mod build;
mod card;
mod error;
mod folder;
pub mod gallery;
mod gates;
pub mod leaks;
mod lock;
mod manifest;
mod names;
mod plan;
mod reader;
mod row;
pub mod score;
mod site;
mod storage;
mod threads;
mod verify;
mod words;

pub use build::{
    BuildOptions, Look, OutputOptions, Progress, RenderOptions, build, convert, first_good_look,
    for_each_rows, merge,
};
pub use error::Error;
pub use gates::{ENOUGH_ROWS, Gate, GateOutcome, Observation, Spread, Statistics, Tally};
pub use manifest::{FileFacts, GroupFacts, MANIFEST, Manifest};
pub use plan::{Group, MAX_COUNT, MAX_SIDE, MIN_SIDE, Part, Plan, PlanOptions, Preset, Selection};
pub use reader::Dataset;
pub use row::Row;
pub use storage::{ShardLimits, Storage};
pub use topotrace_draw::PngEffort;
pub use verify::{Place, Problem, Report, VerifyOptions, verify};
