//! The knots family of tasks: does it come apart?

use topotrace_core::Task;

/// The tasks of this family, sorted by id.
pub static TASKS: &[&dyn Task] = &[];
