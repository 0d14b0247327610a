use std::fmt::Write;

use kurbo::{BezPath, Rect};
use topotrace_core::{Picture, PictureMark};

use crate::shape::{Shape, Stroke, Text};
use crate::{Color, path};

/// A drawing in the making. Later shapes cover earlier ones.
///
/// Positions are in canvas units from the top left corner, y downward. By convention a picture is
/// 1024 by 1024 units. Strokes of one style are best given as one path of many subpaths: that is
/// read about five times faster than one path each.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: u32,
    height: u32,
    background: Color,
    shapes: Vec<Shape>,
    marks: Vec<String>,
    current: Option<usize>,
    shading: bool,
}

impl Canvas {
    /// An empty canvas. A `width` or `height` of 0 makes a picture that can't be rendered.
    pub fn new(width: u32, height: u32, background: Color) -> Self {
        Canvas {
            width,
            height,
            background,
            shapes: Vec::new(),
            marks: Vec::new(),
            current: None,
            shading: false,
        }
    }

    /// The width in canvas units.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The height in canvas units.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Strokes along `path`. An empty path draws nothing.
    pub fn stroke(&mut self, path: &BezPath, stroke: Stroke) {
        if !path.is_empty() {
            self.push(Shape::stroke(path, stroke, self.current));
        }
    }

    /// Fills the inside of `path`, by the nonzero rule. An empty path draws nothing.
    pub fn fill(&mut self, path: &BezPath, color: Color) {
        if !path.is_empty() {
            self.push(Shape::fill(path, color, 100, self.current));
        }
    }

    /// Fills the inside of `path`, covering only so many percent of what lies below.
    pub fn tint(&mut self, path: &BezPath, color: Color, opacity_percent: u8) {
        if !path.is_empty() {
            self.push(Shape::fill(path, color, opacity_percent, self.current));
        }
    }

    /// Fills the inside of `path` without antialiasing, so that no line of the ground shows between
    /// it and a neighbor. The picture then asks for two samples a pixel in each direction, which
    /// `Rasterizer::render` takes and averages: everything on it is as smooth as elsewhere.
    pub fn fill_crisp(&mut self, path: &BezPath, color: Color) {
        self.tint_crisp(path, color, 100);
    }

    /// As [`Canvas::fill_crisp`], covering only so many percent of what lies below.
    pub fn tint_crisp(&mut self, path: &BezPath, color: Color, opacity_percent: u8) {
        if !path.is_empty() {
            self.push(Shape::fill(path, color, opacity_percent, self.current).crisp());
        }
    }

    /// Writes a line of text. Blank text draws nothing.
    pub fn text(&mut self, text: Text<'_>) {
        if !text.content.trim().is_empty() {
            self.push(Shape::text(text, self.current));
        }
    }

    /// Draws an answer-bearing mark: every shape that `draw` adds belongs to the mark `name`. A
    /// name used again continues that mark; inside another mark, the inner name counts.
    pub fn mark(&mut self, name: impl Into<String>, draw: impl FnOnce(&mut Canvas)) {
        let outer = self.current;
        self.begin_mark(name);
        draw(self);
        self.current = outer;
    }

    /// Draws what only changes the looks of what its owner has drawn there already, such as the lighter
    /// tones of a ball: it is left out of the identity pass.
    pub fn shade(&mut self, draw: impl FnOnce(&mut Canvas)) {
        let outer = std::mem::replace(&mut self.shading, true);
        draw(self);
        self.shading = outer;
    }

    fn push(&mut self, mut shape: Shape) {
        shape.shading = self.shading;
        self.shapes.push(shape);
    }

    /// Begins the mark `name`, or continues it: shapes belong to it until [`Canvas::end_mark`]
    /// or the next beginning.
    pub fn begin_mark(&mut self, name: impl Into<String>) {
        let name = name.into();
        let index = self.marks.iter().position(|known| *known == name);
        self.current = Some(index.unwrap_or(self.marks.len()));
        if index.is_none() {
            self.marks.push(name);
        }
    }

    /// Ends the current mark, if any: shapes belong to no mark again.
    pub fn end_mark(&mut self) {
        self.current = None;
    }

    /// The finished picture. Marks keep the order of their beginnings.
    pub fn finish(mut self) -> Picture {
        let view = Rect::new(0.0, 0.0, f64::from(self.width), f64::from(self.height));
        let svg = self.own_colors(view);
        self.shapes.retain(|shape| !shape.shading);
        let identities = identities(self.marks.len());
        let marks = self
            .marks
            .iter()
            .zip(&identities)
            .enumerate()
            .map(|(index, (name, identity))| PictureMark {
                name: name.clone(),
                identity: identity.channels(),
                alone_svg: self.alone(index, *identity, view),
            })
            .collect();
        Picture {
            width: self.width,
            height: self.height,
            svg,
            identity_svg: self.identity_pass(&identities, view),
            marks,
        }
    }

    /// The finished drawing without its background, as a complete SVG document with the view box
    /// of a picture of the same size: to be laid over one. Marks play no part in it.
    pub fn finish_overlay(self) -> String {
        let view = Rect::new(0.0, 0.0, f64::from(self.width), f64::from(self.height));
        let mut svg = opening(view, &self.samples());
        self.write_shapes(&mut svg);
        svg
    }

    fn own_colors(&self, view: Rect) -> String {
        let mut svg = head(view, self.background, &self.samples());
        self.write_shapes(&mut svg);
        svg
    }

    /// What asks for more samples where a shape is crisp.
    fn samples(&self) -> String {
        let crisp = self.shapes.iter().any(|shape| shape.crisp);
        if crisp { format!(" {SAMPLES}=\"2\"") } else { String::new() }
    }

    /// Appends all shapes in their own colors and the end of the document.
    fn write_shapes(&self, svg: &mut String) {
        for shape in &self.shapes {
            shape.write(None, svg);
        }
        svg.push_str("</svg>\n");
    }

    fn identity_pass(&self, identities: &[Color], view: Rect) -> String {
        let mut svg = head(view, Color::BLACK, CRISP);
        for (index, shape) in self.shapes.iter().enumerate() {
            match shape.mark {
                Some(mark) => shape.write(Some(identities[mark]), &mut svg),
                // Black on black: needed only where it covers a part of an earlier mark.
                None => {
                    let earlier = &self.shapes[..index];
                    if earlier.iter().any(|other| other.mark.is_some() && shape.touches(other)) {
                        shape.write(Some(Color::BLACK), &mut svg);
                    }
                }
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The mark drawn alone when a later shape of another owner may cover it. The view is cut to
    /// whole units around the mark, so that it costs little and keeps the pixel grid.
    fn alone(&self, mark: usize, identity: Color, view: Rect) -> Option<String> {
        let own = || self.shapes.iter().enumerate().filter(|(_, shape)| shape.mark == Some(mark));
        let covered = own().any(|(index, shape)| {
            self.shapes[index + 1..].iter().any(|later| later.mark != Some(mark) && later.touches(shape))
        });
        if !covered {
            return None;
        }
        let bounds = own().map(|(_, shape)| shape.bounds).reduce(|a, b| a.union(b))?;
        let cut = bounds.inflate(1.0, 1.0).expand().intersect(view);
        if cut.width() < 1.0 || cut.height() < 1.0 {
            return None;
        }
        let mut svg = head(cut, Color::BLACK, CRISP);
        for (_, shape) in own() {
            shape.write(Some(identity), &mut svg);
        }
        svg.push_str("</svg>\n");
        Some(svg)
    }
}

/// Attributes that keep resvg from antialiasing shapes and text.
const CRISP: &str = " shape-rendering=\"crispEdges\" text-rendering=\"optimizeSpeed\"";

/// The root's attribute that asks for two samples a pixel in each direction; it means nothing to
/// other programs.
pub(crate) const SAMPLES: &str = "data-samples";

/// The beginning of an SVG document that shows the rectangle `view` at one pixel a unit, filled
/// with the background.
fn head(view: Rect, background: Color, attributes: &str) -> String {
    let mut svg = opening(view, attributes);
    let (width, height) = (view.width() as u32, view.height() as u32);
    let (x, y) = (view.x0 as i64, view.y0 as i64);
    let origin = if (x, y) == (0, 0) { String::new() } else { format!("x=\"{x}\" y=\"{y}\" ") };
    let _ = writeln!(svg, "<rect {origin}width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>");
    svg
}

/// The opening tag of such a document.
fn opening(view: Rect, attributes: &str) -> String {
    let mut corner = String::new();
    path::write_number(view.x0, &mut corner);
    corner.push(' ');
    path::write_number(view.y0, &mut corner);
    let (width, height) = (view.width() as u32, view.height() as u32);
    let mut svg = String::with_capacity(4096);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{corner} {width} {height}\" stroke-linejoin=\"round\"{attributes}>"
    );
    svg
}

/// `count` distinct colors other than black, on the coarsest even grid of the color cube that
/// holds them. Above 16,777,215 they would repeat; no picture has as many marks.
fn identities(count: usize) -> Vec<Color> {
    let mut levels: u32 = 2;
    while levels < 256 && (levels.pow(3) as usize) <= count {
        levels += 1;
    }
    let channel = |step: u32| (step % levels * 255 / (levels - 1)) as u8;
    (1..=count as u32)
        .map(|index| Color::rgb(channel(index / levels / levels), channel(index / levels), channel(index)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::Point;

    fn small() -> Canvas {
        let mut canvas = Canvas::new(100, 80, Color::WHITE);
        canvas.stroke(&path::rect(10.0, 10.0, 80.0, 60.0), Stroke::new(Color::hex(0x1a1a1a), 4.0));
        canvas.mark("bar red", |canvas| {
            canvas.fill(&path::rect(20.0, 20.0, 30.0, 10.0), Color::hex(0xd42a2a));
        });
        canvas.mark("point A", |canvas| {
            canvas.fill(&path::circle(Point::new(60.0, 50.0), 10.25), Color::hex(0x6b7280));
            canvas.text(Text::new("A & <\"b\">", 60.0, 50.0, 12.0, Color::WHITE));
        });
        let wall = path::line(Point::new(0.0, 25.0), Point::new(100.0, 25.0));
        canvas.stroke(&wall, Stroke::new(Color::hex(0xe83fa8), 2.0).butt().dashed(6.0, 4.5));
        canvas
    }

    #[test]
    fn a_small_picture_is_written_as_expected() {
        let picture = small().finish();
        let mut all = picture.svg.clone();
        all.push_str(&picture.identity_svg);
        for mark in &picture.marks {
            all.push_str(&format!("{} {:?}\n", mark.name, mark.identity));
            all.push_str(mark.alone_svg.as_deref().unwrap_or("nothing covers it\n"));
        }
        insta::assert_snapshot!(all);
    }

    #[test]
    fn an_overlay_has_the_view_of_a_picture_and_no_ground() {
        let mut canvas = Canvas::new(100, 80, Color::WHITE);
        let rect = path::rect(10.0, 10.0, 20.0, 20.0);
        canvas.mark("m", |canvas| canvas.tint(&rect, Color::BLACK, 25));
        canvas.stroke(&rect, Stroke::new(Color::BLACK, 2.0).translucent(50));
        let (overlay, picture) = (canvas.clone().finish_overlay(), canvas.finish());
        let tag = |svg: &str| svg.split_once('>').map(|(tag, _)| tag.to_owned());
        assert_eq!(tag(&overlay), tag(&picture.svg));
        assert!(!overlay.contains("<rect") && picture.svg.contains("<rect"));
        assert!(overlay.contains("fill=\"#000000\" fill-opacity=\"0.25\"/>"), "{overlay}");
        assert!(overlay.contains("stroke=\"#000000\" stroke-opacity=\"0.5\" stroke-width"), "{overlay}");
        assert!(!picture.identity_svg.contains("opacity"), "{}", picture.identity_svg);
    }

    #[test]
    fn identities_are_distinct_and_never_black() {
        for count in [0, 1, 7, 8, 26, 27, 500, 5_000] {
            let mut colors = identities(count);
            colors.push(Color::BLACK);
            colors.sort_unstable();
            colors.dedup();
            assert_eq!(colors.len(), count + 1);
        }
        assert!(identities(7).iter().all(|c| c.channels().iter().all(|v| [0, 255].contains(v))));
    }

    #[test]
    fn a_mark_may_be_continued_and_nested() {
        let mut canvas = Canvas::new(64, 64, Color::WHITE);
        let dot = path::rect(0.0, 0.0, 2.0, 2.0);
        canvas.mark("a", |canvas| {
            canvas.mark("b", |canvas| canvas.fill(&dot, Color::BLACK));
            canvas.fill(&dot, Color::BLACK);
        });
        canvas.begin_mark("b");
        canvas.fill(&dot, Color::BLACK);
        canvas.end_mark();
        canvas.fill(&dot, Color::BLACK);
        let owners: Vec<_> = canvas.shapes.iter().map(|shape| shape.mark).collect();
        assert_eq!(owners, [Some(1), Some(0), Some(1), None]);
        assert_eq!(canvas.finish().marks.len(), 2);
    }

    #[test]
    fn shading_is_left_out_of_the_identity_pass() {
        let (rect, inner) = (path::rect(10.0, 10.0, 20.0, 20.0), path::rect(12.0, 12.0, 8.0, 8.0));
        let picture = |shade: bool| {
            let mut canvas = Canvas::new(64, 64, Color::WHITE);
            for name in ["a", "b"] {
                canvas.mark(name, |canvas| {
                    canvas.fill(&rect, Color::BLACK);
                    if shade {
                        canvas.shade(|canvas| canvas.fill(&inner, Color::hex(0x445566)));
                    }
                });
            }
            canvas.fill(&inner, Color::BLACK);
            canvas.finish()
        };
        let (plain, shaded) = (picture(false), picture(true));
        assert_eq!(shaded.svg.matches("#445566").count(), 2);
        assert_eq!((plain.identity_svg, plain.marks), (shaded.identity_svg, shaded.marks));
    }

    #[test]
    fn only_a_later_touching_stranger_makes_a_mark_drawn_alone() {
        let mark = path::rect(10.0, 10.0, 20.0, 20.0);
        let near = path::line(Point::new(0.0, 33.0), Point::new(60.0, 33.0));
        let alone = |width: f64, first: bool| {
            let mut canvas = Canvas::new(64, 64, Color::WHITE);
            let stroke = Stroke::new(Color::BLACK, width);
            if first {
                canvas.stroke(&near, stroke);
            }
            canvas.mark("m", |canvas| canvas.fill(&mark, Color::BLACK));
            if !first {
                canvas.stroke(&near, stroke);
            }
            canvas.finish().marks.remove(0).alone_svg.is_some()
        };
        assert!(alone(8.0, false));
        assert!(!alone(4.0, false) && !alone(8.0, true));
    }
}
