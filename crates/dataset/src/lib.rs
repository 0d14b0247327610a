//! Datasets of topotrace tasks: planned, built, read and verified.
//!
//! A [`Plan`] says which instances are wanted, [`build()`] makes them into a folder of Parquet
//! files with a [`Manifest`] and a card, [`read_rows`] reads them back, and [`verify()`] makes
//! every record again, from its seeds and from its state, and compares. Nothing is printed:
//! progress goes to a closure.
//!
//! The same plan gives the same bytes on any number of threads.

mod build;
mod card;
mod columns;
mod error;
mod folder;
pub mod gallery;
mod gates;
mod manifest;
mod parquet;
mod plan;
mod preset;
mod reader;
mod render;
mod row;
mod site;
mod threads;
mod units;
mod verify;

pub use self::parquet::{ShardLimits, read_rows};
pub use build::{BuildOptions, Progress, build};
pub use error::Error;
pub use gates::{ENOUGH_ROWS, Gate, GateOutcome, Observation, Spread, Statistics, Tally};
pub use manifest::{FileFacts, GroupFacts, MANIFEST, Manifest};
pub use plan::{Group, MAX_COUNT, MAX_SIDE, MIN_SIDE, Plan, PlanOptions, Selection};
pub use preset::Preset;
pub use reader::Dataset;
pub use row::Row;
pub use topotrace_draw::PngEffort;
pub use verify::{Place, Problem, Report, VerifyOptions, verify};
