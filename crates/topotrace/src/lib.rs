//! Topological visual-reasoning tasks: one registry of every family.
//!
//! Each family is a cargo feature (all are on by default) and a crate of its own, which can also
//! be used alone. What tasks are made of is in [`core`](mod@core); what they are drawn with, in
//! [`draw`].
//!
//! ```
//! let registry = topotrace::registry();
//! for task in registry.tasks() {
//!     let info = task.info();
//!     assert!(!info.summary.is_empty(), "{} says what it asks", info.id);
//! }
//! ```

use topotrace_core::{Registry, Task};
pub use {topotrace_core as core, topotrace_draw as draw};

/// The families that are compiled in: name and tasks, in the order of the properties.
pub static FAMILIES: &[(&str, &[&dyn Task])] = &[
    #[cfg(feature = "continuity")]
    ("continuity", topotrace_continuity::TASKS),
    #[cfg(feature = "separation")]
    ("separation", topotrace_separation::TASKS),
    #[cfg(feature = "order")]
    ("order", topotrace_order::TASKS),
    #[cfg(feature = "enclosure")]
    ("enclosure", topotrace_enclosure::TASKS),
    #[cfg(feature = "knots")]
    ("knots", topotrace_knots::TASKS),
];

/// The tasks of all families that are compiled in.
pub fn registry() -> Registry {
    let families: Vec<&[&'static dyn Task]> = FAMILIES.iter().map(|(_, tasks)| *tasks).collect();
    Registry::new(&families)
}

/// The design pages, as they stand in `docs/`.
pub mod documentation {
    #[doc = include_str!("../../../docs/architecture.md")]
    pub mod architecture {}

    #[doc = include_str!("../../../docs/adding-a-task.md")]
    pub mod adding_a_task {}

    #[doc = include_str!("../../../docs/answers.md")]
    pub mod answers {}

    #[doc = include_str!("../../../docs/determinism.md")]
    pub mod determinism {}

    #[doc = include_str!("../../../docs/episodes.md")]
    pub mod episodes {}

    #[doc = include_str!("../../../docs/tasks/bead.md")]
    pub mod bead {}

    #[doc = include_str!("../../../docs/tasks/chat-noir.md")]
    pub mod chat_noir {}

    #[doc = include_str!("../../../docs/tasks/maze-2d.md")]
    pub mod maze_2d {}

    #[doc = include_str!("../../../docs/tasks/one-stroke.md")]
    pub mod one_stroke {}

    #[doc = include_str!("../../../docs/tasks/pipe.md")]
    pub mod pipe {}

    #[doc = include_str!("../../../docs/tasks/swap.md")]
    pub mod swap {}
}
