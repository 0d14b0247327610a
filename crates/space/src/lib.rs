//! Geometry in space for topotrace, without any drawing: cameras, curves, their diagrams.
//!
//! A [`Curve`] is a polyline, open or closed; [`shapes`] makes the usual ones and [`deform`]
//! changes them without passing a strand through another. A [`Camera`] projects them, a
//! [`Diagram`] finds every crossing of the projection and says whether all can be read, and
//! a [`VisibilityBuffer`] tells by depth alone what is seen where.
//!
//! World axes: x to the right, y away from the viewer of the front view, z up.
//!
//! ```
//! use topotrace_space::{Camera, Diagram, Frame, Lens, ReadingRule, Tube, View, shapes};
//!
//! let trefoil = shapes::torus_knot(2, 3, 2.0, 0.8, 200)?;
//! let frame = Frame { width: 1024, height: 1024, fill_percent: 80 };
//! let camera = Camera::around_points(View::Top, Lens::Orthographic, trefoil.points(), 0.15, frame);
//! let diagram = Diagram::new(&[Tube { curve: &trefoil, radius: 0.15 }], &camera);
//! assert_eq!(diagram.crossings().len(), 3);
//! assert_eq!(diagram.first_flaw(&ReadingRule::default()), None);
//! # Ok::<(), topotrace_core::Flaw>(())
//! ```

mod camera;
mod crossings;
mod curve;
mod deform;
mod distance;
pub mod shapes;
mod visibility;

pub use camera::{Camera, Frame, Lens, Projected, View};
pub use crossings::{
    Ball, Choice, Crossing, Diagram, Hidden, Pointer, ReadingRule, Strand, ThingRule, Tube, Unreadable,
    Visit, choose_view, random_views,
};
pub use curve::{Curve, MAX_COORDINATE, MAX_POINTS, QUANTA};
pub use deform::{Deformation, deform};
pub use distance::{least_distance, least_distance_between, segment_distance};
pub use nalgebra;
pub use visibility::VisibilityBuffer;
