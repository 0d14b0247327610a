//! The order family of tasks: which comes next along the string?

use topotrace_core::Task;

/// The tasks of this family, sorted by id.
pub static TASKS: &[&dyn Task] = &[];
