//! The crate as its users see it. One binary: each would link all of Parquet again.

#![allow(clippy::unwrap_used)]

mod building;
mod claims;
mod common;
mod families;
mod formats;
mod gallery;
mod leaks;
mod parts;
mod scoring;
mod tampering;
