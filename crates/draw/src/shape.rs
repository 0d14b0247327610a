use std::fmt::Write;

use kurbo::{BezPath, Rect, Shape as _};

use crate::font::{CAP_HEIGHT, FAMILY, WEIGHT, text_width};
use crate::{Color, path};

/// How a stroke ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// With half a disc beyond the end point.
    Round,
    /// Straight, at the end point.
    Butt,
}

/// How a line is stroked; joins are always round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The color.
    pub color: Color,
    /// The width in canvas units, above 0.
    pub width: f64,
    /// The ends, of dashes too.
    pub cap: Cap,
    /// Lengths of dash and gap in canvas units, both above 0; `None` for a solid line.
    pub dash: Option<(f64, f64)>,
    /// How much it covers of what lies below, from 0 to 100 percent. Ignored in the identity pass.
    pub opacity_percent: u8,
}

impl Stroke {
    /// A solid, opaque stroke with round ends.
    pub const fn new(color: Color, width: f64) -> Self {
        Stroke { color, width, cap: Cap::Round, dash: None, opacity_percent: 100 }
    }

    /// The same stroke with straight ends.
    pub const fn butt(self) -> Self {
        Stroke { cap: Cap::Butt, ..self }
    }

    /// The same stroke in dashes of length `dash` with gaps of length `gap`, in canvas units.
    pub const fn dashed(self, dash: f64, gap: f64) -> Self {
        Stroke { dash: Some((dash, gap)), ..self }
    }

    /// The same stroke, covering only so many percent of what lies below. Where the path crosses
    /// itself it covers no more than elsewhere.
    pub const fn translucent(self, opacity_percent: u8) -> Self {
        Stroke { opacity_percent, ..self }
    }
}

/// A line of text in the bundled font, centered on a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Text<'a> {
    /// The text; only Latin characters have glyphs.
    pub content: &'a str,
    /// The middle of the line, in canvas units.
    pub x: f64,
    /// The middle of the capital letters, in canvas units.
    pub y: f64,
    /// The font size in canvas units, above 0.
    pub size: f64,
    /// The color.
    pub color: Color,
}

impl<'a> Text<'a> {
    /// A line of text centered on (`x`, `y`).
    pub const fn new(content: &'a str, x: f64, y: f64, size: f64, color: Color) -> Self {
        Text { content, x, y, size, color }
    }
}

/// One drawn element with its numbers already written.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Where it may leave pixels.
    pub(crate) bounds: Rect,
    /// The index of the mark it belongs to.
    pub(crate) mark: Option<usize>,
    color: Color,
    /// The element up to the color, and what follows it.
    before: String,
    after: String,
    /// An attribute for its own colors alone; none where it is opaque.
    opacity: Option<String>,
    /// Whether it has no antialiasing in its own colors, either.
    pub(crate) crisp: bool,
    /// Whether it only changes the looks of what its owner has drawn there already.
    pub(crate) shading: bool,
}

impl Shape {
    pub(crate) fn stroke(path: &BezPath, stroke: Stroke, mark: Option<usize>) -> Self {
        // A stroke thinner than a pixel still touches whole pixels.
        let reach = stroke.width.max(1.0) / 2.0;
        let mut after = String::from("\" stroke-width=\"");
        path::write_number(stroke.width, &mut after);
        if stroke.cap == Cap::Round {
            after.push_str("\" stroke-linecap=\"round");
        }
        if let Some((dash, gap)) = stroke.dash {
            after.push_str("\" stroke-dasharray=\"");
            path::write_number(dash, &mut after);
            after.push(' ');
            path::write_number(gap, &mut after);
        }
        after.push_str("\"/>\n");
        Shape {
            bounds: path.bounding_box().inflate(reach, reach),
            mark,
            color: stroke.color,
            before: path_element(path, "\" fill=\"none\" stroke=\""),
            after,
            opacity: opacity("stroke", stroke.opacity_percent),
            crisp: false,
            shading: false,
        }
    }

    pub(crate) fn fill(path: &BezPath, color: Color, opacity_percent: u8, mark: Option<usize>) -> Self {
        Shape {
            bounds: path.bounding_box(),
            mark,
            color,
            before: path_element(path, "\" fill=\""),
            after: "\"/>\n".to_owned(),
            opacity: opacity("fill", opacity_percent),
            crisp: false,
            shading: false,
        }
    }

    /// The same shape without antialiasing.
    pub(crate) fn crisp(self) -> Self {
        Shape { crisp: true, ..self }
    }

    pub(crate) fn text(text: Text<'_>, mark: Option<usize>) -> Self {
        let mut before = String::from("<text x=\"");
        path::write_number(text.x, &mut before);
        before.push_str("\" y=\"");
        path::write_number(text.y + text.size * CAP_HEIGHT / 2.0, &mut before);
        before.push_str("\" font-size=\"");
        path::write_number(text.size, &mut before);
        // The family list ends in a generic one for other viewers; ours finds the first.
        let _ = write!(
            before,
            "\" font-family=\"{FAMILY}, sans-serif\" font-weight=\"{WEIGHT}\" text-anchor=\"middle\" fill=\""
        );
        let half = text_width(text.content, text.size) / 2.0;
        // Accents reach above the capitals and some letters below the baseline.
        let (above, below) = (text.size * 0.7, text.size * 0.65);
        Shape {
            bounds: Rect::new(text.x - half, text.y - above, text.x + half, text.y + below),
            mark,
            color: text.color,
            before,
            after: format!("\">{}</text>\n", escape(text.content)),
            opacity: None,
            crisp: false,
            shading: false,
        }
    }

    /// Appends the element in its own color, or in `color` if given.
    pub(crate) fn write(&self, color: Option<Color>, out: &mut String) {
        out.push_str(&self.before);
        let _ = write!(out, "{}", color.unwrap_or(self.color));
        if let (None, Some(opacity)) = (color, &self.opacity) {
            out.push_str(opacity);
        }
        if color.is_none() && self.crisp {
            out.push_str("\" shape-rendering=\"crispEdges");
        }
        out.push_str(&self.after);
    }

    /// Whether the other shape may share a pixel with this one.
    pub(crate) fn touches(&self, other: &Shape) -> bool {
        let (a, b) = (self.bounds, other.bounds);
        a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1
    }
}

/// The attribute that makes the stroke or the fill see-through, to stand between the color and its
/// closing quote; `None` for an opaque one.
fn opacity(what: &str, percent: u8) -> Option<String> {
    let mut text = format!("\" {what}-opacity=\"");
    path::write_number(f64::from(percent.min(100)) / 100.0, &mut text);
    (percent < 100).then_some(text)
}

fn path_element(path: &BezPath, tail: &str) -> String {
    // About 14 bytes a point; a cubic has three.
    let mut out = String::with_capacity(path.elements().len() * 16 + 48);
    out.push_str("<path d=\"");
    path::write_data(path, &mut out);
    out.push_str(tail);
    out
}

/// `content` as XML character data; a control character, which XML forbids, becomes a space.
pub(crate) fn escape(content: &str) -> String {
    let mut out = String::with_capacity(content.len());
    for character in content.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            other if other.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}
