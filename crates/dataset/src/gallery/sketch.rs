//! The few things that charts are made of, in the colors of a light and of a dark page.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontStyle, IntoFont as _, RGBColor, ShapeStyle, TextStyle};

use crate::error::Error;

/// Colors of a chart.
pub(super) struct Scheme {
    /// The part of a file's name that tells it from the other scheme's.
    pub(super) name: &'static str,
    /// Words that matter.
    pub(super) ink: RGBColor,
    /// Words beside them.
    pub(super) muted: RGBColor,
    /// Axes, and the ground of bars.
    pub(super) rule: RGBColor,
    /// What is measured.
    pub(super) bar: RGBColor,
    /// A measure within its bound.
    pub(super) holds: RGBColor,
    /// One above it.
    pub(super) fails: RGBColor,
    /// One above it, over too few instances.
    pub(super) too_few: RGBColor,
}

/// For light pages and for dark ones.
pub(super) static SCHEMES: [Scheme; 2] = [
    Scheme {
        name: "light",
        ink: RGBColor(0x1b, 0x23, 0x30),
        muted: RGBColor(0x5b, 0x66, 0x76),
        rule: RGBColor(0xe3, 0xe7, 0xed),
        bar: RGBColor(0x35, 0x6f, 0xc4),
        holds: RGBColor(0x23, 0x78, 0x4f),
        fails: RGBColor(0xc9, 0x33, 0x33),
        too_few: RGBColor(0x96, 0x5f, 0x08),
    },
    Scheme {
        name: "dark",
        ink: RGBColor(0xe8, 0xeb, 0xf1),
        muted: RGBColor(0xa0, 0xaa, 0xba),
        rule: RGBColor(0x33, 0x3c, 0x4b),
        bar: RGBColor(0x76, 0xa9, 0xf2),
        holds: RGBColor(0x4f, 0xba, 0x8b),
        fails: RGBColor(0xf2, 0x77, 0x74),
        too_few: RGBColor(0xe3, 0xac, 0x4c),
    },
];

/// Where a text stands from its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// A chart in the making. Positions are in pixels from the top left corner.
pub(super) struct Sketch<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    /// The colors.
    pub(super) scheme: &'static Scheme,
}

/// The fonts of a chart: the viewer's own.
const FONT: &str = "system-ui, sans-serif";
/// A text of size 1 is drawn this much smaller.
const FONT_SCALE: f64 = 1.24;

impl Sketch<'_> {
    /// Draws a chart of this size in pixels as an SVG document with a transparent ground.
    pub(super) fn draw(
        (width, height): (i32, i32),
        scheme: &'static Scheme,
        draw: impl FnOnce(&Sketch<'_>) -> Result<(), Error>,
    ) -> Result<String, Error> {
        let mut svg = String::new();
        {
            let size = (width.max(1) as u32, height.max(1) as u32);
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let sketch = Sketch { area, scheme };
            draw(&sketch)?;
            sketch.area.present().map_err(undrawn)?;
        }
        Ok(svg)
    }

    /// A filled rectangle between two corners.
    pub(super) fn rectangle(&self, corners: [(i32, i32); 2], color: RGBColor) -> Result<(), Error> {
        self.area.draw(&Rectangle::new(corners, color.filled())).map_err(undrawn)
    }

    /// A straight line.
    pub(super) fn line(&self, ends: [(i32, i32); 2], color: RGBColor, width: u32) -> Result<(), Error> {
        let style = ShapeStyle { color: color.to_rgba(), filled: false, stroke_width: width };
        self.area.draw(&PathElement::new(ends.to_vec(), style)).map_err(undrawn)
    }

    /// A vertical dashed line from `top` to `bottom`.
    pub(super) fn dashes(&self, x: i32, (top, bottom): (i32, i32), color: RGBColor) -> Result<(), Error> {
        let mut y = top;
        while y < bottom {
            self.line([(x, y), (x, (y + 3).min(bottom))], color, 1)?;
            y += 5;
        }
        Ok(())
    }

    /// A line of text of the given font size; `y` is the middle of its small letters.
    pub(super) fn text(
        &self,
        text: &str,
        (x, y): (i32, i32),
        (size, bold): (f64, bool),
        color: RGBColor,
        anchor: Anchor,
    ) -> Result<(), Error> {
        let across = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = (FONT, size * FONT_SCALE).into_font().style(weight);
        let style = TextStyle::from(font).color(&color).pos(Pos::new(across, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), (x, y), style)).map_err(undrawn)
    }
}

/// The text, cut where it is longer than `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
    }
}

/// The backend's errors name its own error type, which is not ours to show.
fn undrawn(error: impl std::fmt::Display) -> Error {
    Error::drawing("a chart", error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_readable() {
        assert_eq!((shortened("abc", 3).as_str(), shortened("abcd", 3).as_str()), ("abc", "ab…"));
    }

    #[test]
    fn a_chart_is_one_document_of_the_wanted_size() {
        let svg = Sketch::draw((120, 40), &SCHEMES[0], |sketch| {
            sketch.rectangle([(0, 0), (10, 10)], sketch.scheme.bar)?;
            sketch.text("a < b", (60, 20), (12.0, true), sketch.scheme.ink, Anchor::Middle)
        })
        .unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert!(svg.contains(r#"viewBox="0 0 120 40""#) && svg.contains("a &lt; b"), "{svg}");
        assert!(svg.contains(r#"font-size="12""#) && svg.contains("text-anchor=\"middle\""), "{svg}");
    }
}
