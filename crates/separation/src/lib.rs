//! The separation family of tasks: does it fall into parts?

use topotrace_core::Task;

/// The tasks of this family, sorted by id.
pub static TASKS: &[&dyn Task] = &[];
