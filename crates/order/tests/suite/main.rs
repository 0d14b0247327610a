//! Tests of the order family.

// Helpers of tests may panic as tests do.
#![allow(clippy::unwrap_used)]

mod bead;
mod swap;
mod swap_pictures;

use topotrace_core::conformance;
use topotrace_order::TASKS;

#[test]
fn every_task_conforms() {
    for task in TASKS {
        if let Err(findings) = conformance::check_seeds(*task, 0..6) {
            panic!("{}:\n{findings}", task.info().id);
        }
    }
}
