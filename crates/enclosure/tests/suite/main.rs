//! The family's tests, as one binary.

// Helpers of tests may panic as tests do.
#![allow(clippy::unwrap_used)]

mod chat_noir;
mod conformance;
mod exhaustive;
mod pictures;
