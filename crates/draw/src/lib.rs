//! Drawing for topotrace: a canvas that writes SVG, checked palettes, and one door to resvg.
//!
//! A [`Canvas`] collects strokes, fills and text and finishes as a
//! [`Picture`](topotrace_core::Picture): the SVG itself, and an identity pass that tells how much
//! of every answer-bearing mark is visible. Colors come from a [`Theme`], whose colors can be told
//! apart. With the feature `raster` (on by default) a [`Rasterizer`] turns the SVG into pixels and
//! [`png`] into bytes.
//!
//! ```
//! use topotrace_draw::{Canvas, Stroke, Text, Theme, kurbo::Point, path};
//!
//! let theme = Theme::named("paper").ok_or("no such theme")?;
//! let mut canvas = Canvas::new(256, 256, theme.background.color);
//! canvas.stroke(&path::rect(32.0, 32.0, 192.0, 192.0), Stroke::new(theme.ink.color, 8.0));
//! canvas.mark("point A", |canvas| {
//!     canvas.fill(&path::circle(Point::new(128.0, 128.0), 30.0), theme.label.color);
//!     canvas.text(Text::new("A", 128.0, 128.0, 36.0, theme.background.color));
//! });
//! let picture = canvas.finish();
//! # #[cfg(feature = "raster")]
//! # {
//! use topotrace_draw::{Rasterizer, check_visibility, png};
//!
//! let mut rasterizer = Rasterizer::new();
//! check_visibility(&rasterizer.measure(&picture)?)?;
//! let raster = rasterizer.render(&picture.svg, 512)?;
//! let bytes = png::encode(&raster, png::PngEffort::Fast);
//! assert_eq!(png::decode(&bytes)?, raster);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod canvas;
mod color;
mod cords;
mod error;
pub mod font;
pub mod path;
pub mod rope;
mod shape;
pub mod solid;
mod theme;

#[cfg(feature = "raster")]
pub mod png;
#[cfg(feature = "raster")]
mod raster;
#[cfg(feature = "raster")]
mod sheet;

pub use blocks::BlockPalette;
pub use canvas::Canvas;
pub use color::{Color, Paint, difference};
pub use cords::CordPalette;
pub use error::Error;
pub use font::text_width;
pub use kurbo;
#[cfg(feature = "raster")]
pub use png::PngEffort;
#[cfg(feature = "raster")]
pub use raster::{MAX_SIDE, MIN_SIDE, MIN_VISIBLE_PERCENT, MIN_VISIBLE_PIXELS, Rasterizer, check_visibility};
pub use shape::{Cap, Stroke, Text};
#[cfg(feature = "raster")]
pub use sheet::contact_sheet;
pub use theme::Theme;
