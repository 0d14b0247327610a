//! Separation: does it fall into parts? One stroke that parts colors.
//!
//! ```
//! use topotrace_core::{Level, Task as _};
//! use topotrace_separation::one_stroke::OneStroke;
//!
//! let generator = OneStroke.generator(&Level::Easy.into())?;
//! let (seeds, board) = generator.generate(7)?;
//! let style = board.style(seeds.render, Some("paper"))?;
//! assert!(board.draw(&style)?[0].svg.starts_with("<svg"));
//! assert!(board.verifier().verify(&board.answer().to_response()).right);
//! # Ok::<(), topotrace_core::Error>(())
//! ```

pub mod one_stroke;

use topotrace_core::Task;

/// The tasks of this family, alphabetically.
pub static TASKS: &[&dyn Task] = &[&one_stroke::OneStroke];
