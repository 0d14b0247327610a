//! Strings of colored beads in space: what comes next along the string?
//!
//! A string is a center line with beads at equal distances, a marked bead and an arrow. `curves` and
//! `colors` draw the parts, `grammar` puts them together so that every crossing and every bead can be
//! read (`views`), `reading` follows the string in two ways, and each program is one file.

mod after;
mod between;
mod colors;
mod curves;
mod explain;
mod folded;
mod grammar;
mod letters;
mod pixels;
mod reading;
mod relation;
mod rotation;
mod scene;
mod sequence;
mod shortcuts;
mod string;
mod turned;
mod views;
mod wording;

pub use after::{After, AfterAim, AfterQuery};
pub use between::Between;
pub use colors::ColorMode;
pub use curves::CurveClass;
pub use folded::{Folded, FoldedParams};
pub use grammar::{ShapeAim, StringParams};
pub use letters::{Letter, LetteredAim, Letters};
pub use reading::Reading;
pub use relation::{Related, Relation, RelationAim, RelationProof};
pub use rotation::{Rotation, RotationAim, RotationParams, RotationProof};
pub use scene::{BeadScene, BeadStyle};
pub use sequence::{Sequence, SequenceAim};
pub use string::{
    Bead, BeadColor, BeadString, MAX_BEADS, MAX_LINE, MAX_STEP, MAX_STRINGS, MIN_BEADS, Strings,
};
pub use turned::Turned;
