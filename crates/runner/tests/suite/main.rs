//! Episodes of every planning task: replay, snapshots, junk, threads, and the protocol.

// Helpers of tests may panic as tests do.
#![allow(clippy::unwrap_used)]

mod batch;
mod common;
mod replay;
mod session;
