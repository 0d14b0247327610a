//! Planning episodes at work: opened from seeds and records, run many at once over threads,
//! played by policies, told as transcripts, and driven by other languages over JSON lines.
//!
//! ```
//! use topotrace_core::{EpisodeOptions, Level, Policy, Settings, Split, Status};
//! use topotrace_runner::{Batch, open_seed};
//!
//! let pipe = topotrace::registry().get("pipe")?;
//! let settings = Settings::from(Level::Easy);
//! let (split, options) = (Some(Split::Train), EpisodeOptions::default());
//! let open = |seed| open_seed(pipe, &settings, seed, split, None, options);
//! let opened = (0..4).map(open).collect::<Result<Vec<_>, _>>()?;
//!
//! let mut batch = Batch::new(opened.into_iter().map(|opened| opened.episode).collect());
//! while batch.statuses().contains(&Status::Open) {
//!     let actions = batch.advise(Policy::Oracle, 0);
//!     batch.act(&actions.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>())?;
//! }
//! assert!(batch.statuses().iter().all(|status| *status == Status::Success));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod baseline;
mod batch;
mod error;
mod opened;
mod painter;
mod play;
pub mod session;
mod transcript;

pub use baseline::{Baseline, BaselineRow};
pub use batch::Batch;
pub use error::Error;
pub use opened::{Facts, Opened, open_instance, open_item, open_seed, open_trace};
pub use painter::{Painted, Painter};
pub use play::{Played, play};
pub use transcript::{Transcript, transcript_of_seed};
