//! Tests of the separation family, in one binary.

// Helpers of tests may panic as tests do.
#![allow(clippy::unwrap_used)]

mod one_stroke;
