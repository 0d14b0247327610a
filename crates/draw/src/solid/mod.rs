//! Flat-shaded solids in space with exact hidden surfaces.
//!
//! A [`SolidScene`] holds [`Solid`]s: boxes, prisms, cylinders, cones, sheets and meshes of flat
//! faces. Drawing projects the faces that are turned to the viewer and finds out, for each two
//! that overlap on the canvas, which one is in front; they are painted in an order that agrees with
//! all of that. Where no order agrees, because faces cover each other in a ring or pass through each
//! other, just these are cut along the planes of some of them. Nothing is ever sorted by its
//! distance.
//!
//! Faces are drawn without antialiasing and the picture asks for two samples a pixel in each
//! direction, so that no line of the ground shows between neighbors; edges, and whatever else is
//! drawn on the same canvas, stay smooth.
//!
//! ```
//! use topotrace_draw::solid::{Solid, SolidLook, SolidScene, draw_solids};
//! use topotrace_draw::{Canvas, Theme};
//! use topotrace_space::nalgebra::{Point3, Vector3};
//! use topotrace_space::{Camera, Frame, Lens, View};
//!
//! let theme = Theme::named("paper").ok_or("no such theme")?;
//! let [.., blue, _, orange] = theme.hues.map(|hue| hue.color);
//! let house = Solid::block(Point3::new(0.0, 0.0, 0.0), Point3::new(3.0, 4.0, 2.0), orange)?;
//! let gable = [[-0.2, 0.0, 2.0], [3.2, 0.0, 2.0], [1.5, 0.0, 3.2]].map(Point3::from);
//! let roof = Solid::prism(&gable, Vector3::new(0.0, 4.0, 0.0), blue)?.marked("roof");
//! let scene = SolidScene { solids: vec![house, roof] };
//!
//! let frame = Frame { width: 1024, height: 1024, fill_percent: 80 };
//! let lens = Lens::Perspective { distance_percent: 400 };
//! let camera = Camera::around_points(View::Oblique, lens, &scene.points(), 0.0, frame);
//! let mut canvas = Canvas::new(1024, 1024, theme.background.color);
//! draw_solids(&mut canvas, &scene, &camera, &SolidLook::default())?;
//! assert_eq!(canvas.finish().marks[0].name, "roof");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod face;
mod facet;
mod look;
mod make;
mod order;
mod outline;
mod overlap;
mod scene;
mod shadow;

pub use face::{MAX_CORNERS, SolidFace};
pub use look::{EdgeLines, GroundShadow, SolidLook};
pub use make::Solid;
pub use scene::{MAX_FACES, SolidScene, draw_solids};
