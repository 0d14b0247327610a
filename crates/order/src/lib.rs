//! Order: what goes where, and in which order? Beads on strings in space, and blocks that change places
//! with a blank.
//!
//! ```
//! use topotrace_core::{Level, Task as _};
//! use topotrace_order::swap::Swap;
//!
//! let generator = Swap.generator(&Level::Easy.into())?;
//! let (seeds, board) = generator.generate(7)?;
//! let style = board.style(seeds.render, Some("paper"))?;
//! let [now, goal] = &board.draw(&style)?[..] else { panic!("two pictures") };
//! assert!(now.svg.starts_with("<svg") && now.svg != goal.svg);
//! assert!(board.verifier().verify(&board.answer().to_response()).right);
//! # Ok::<(), topotrace_core::Error>(())
//! ```

pub mod bead;
pub mod swap;

use topotrace_core::Task;

/// The tasks of this family, alphabetically.
pub static TASKS: &[&dyn Task] = &[
    &bead::After,
    &bead::Between,
    &bead::Folded,
    &bead::Relation,
    &bead::Rotation,
    &bead::Sequence,
    &bead::Turned,
    &swap::Swap,
];
