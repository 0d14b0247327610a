//! Ropes in space drawn as shaded tubes, with beads and arrows on them.
//!
//! Each rope is cut between its crossings into runs, and runs, beads and arrows are put into
//! levels by who is over whom; a level covers the ones below it. A run is drawn as nested strokes
//! from a dark rim to a light core shifted towards the light, and at each crossing a gap is cut
//! into the lower strand first.

mod bead;
mod gap;
mod levels;
mod look;
mod order;
mod passing;
mod scene;
mod shadow;
mod track;
mod tube;

pub use bead::RING_REACH;
pub use look::{RopeLook, Shadow, ShadowPlane};
pub use scene::{Arrow, Bead, Rope, RopeScene, draw_ropes};
