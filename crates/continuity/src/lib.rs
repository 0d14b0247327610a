//! Continuity: is it one piece? Mazes and pipes.
//!
//! ```
//! use topotrace_core::{Level, Task as _};
//! use topotrace_continuity::maze_2d::Reach;
//!
//! let generator = Reach.generator(&Level::Easy.into())?;
//! let (seeds, maze) = generator.generate(7)?;
//! let style = maze.style(seeds.render, Some("paper"))?;
//! assert!(maze.draw(&style)?[0].svg.starts_with("<svg"));
//! assert!(maze.verifier().verify(&maze.answer().to_response()).right);
//! # Ok::<(), topotrace_core::Error>(())
//! ```

pub mod maze_2d;
pub mod pipe;

use topotrace_core::Task;

/// The tasks of this family, alphabetically.
pub static TASKS: &[&dyn Task] = &[&maze_2d::Bars, &maze_2d::Reach, &maze_2d::WallAdded, &pipe::Pipe];
