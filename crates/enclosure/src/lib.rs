//! The enclosure family of tasks: inside or outside, and how many holes?

use topotrace_core::Task;

/// The tasks of this family, sorted by id.
pub static TASKS: &[&dyn Task] = &[];
