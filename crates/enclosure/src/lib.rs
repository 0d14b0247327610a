//! Enclosure: inside or outside? A cat that is to be shut in.
//!
//! ```
//! use topotrace_core::{Level, Task as _};
//! use topotrace_enclosure::chat_noir::ChatNoir;
//!
//! let generator = ChatNoir.generator(&Level::Medium.into())?;
//! let (seeds, cat) = generator.generate(7)?;
//! let style = cat.style(seeds.render, Some("paper"))?;
//! assert!(cat.draw(&style)?[0].svg.starts_with("<svg"));
//! assert!(cat.verifier().verify(&cat.answer().to_response()).right);
//! # Ok::<(), topotrace_core::Error>(())
//! ```

pub mod chat_noir;

use topotrace_core::Task;

/// The tasks of this family, alphabetically.
pub static TASKS: &[&dyn Task] = &[&chat_noir::ChatNoir];
