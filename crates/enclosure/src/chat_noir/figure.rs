//! The cat: a black head with ears and bright eyes.

use serde::{Deserialize, Serialize};
use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{Canvas, Color, Stroke, path};

/// The color of the cat, the same in every theme.
pub(super) const FUR: Color = Color::hex(0x1d1a21);
/// The inside of the ears and the nose.
const SKIN: Color = Color::hex(0xd98a96);
/// Half the width of the head without its cheeks, as a share of the cell's width.
const UNIT: f64 = 0.29;

/// How the cat looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Eyes {
    /// With narrow pupils.
    Slit,
    /// With wide pupils.
    Round,
    /// To the side.
    Sidelong,
}

/// The cat's head around `middle` in a cell of the given width; its eyes have the color `glow`.
pub(super) fn draw(
    canvas: &mut Canvas,
    middle: Point,
    cell_width: f64,
    glow: Color,
    eyes: Eyes,
    whiskers: bool,
) {
    let unit = UNIT * cell_width;
    let at = |x: f64, y: f64| middle + Vec2::new(x, y) * unit;
    if whiskers {
        canvas.stroke(&whisker_lines(at), Stroke::new(FUR, 0.06 * unit));
    }
    canvas.fill(&head(at), FUR);
    canvas.fill(&insides_of_ears(at), SKIN);
    let mut almonds = BezPath::new();
    let mut pupils = BezPath::new();
    for side in [-1.0, 1.0] {
        almonds.extend(almond(at, side));
        let (shift, width, height) = match eyes {
            Eyes::Slit => (0.0, 0.065, 0.2),
            Eyes::Round => (0.0, 0.14, 0.17),
            Eyes::Sidelong => (0.1, 0.11, 0.18),
        };
        pupils.extend(ellipse(at, side * 0.45 + shift, 0.06, width, height));
    }
    canvas.fill(&almonds, glow);
    canvas.fill(&pupils, FUR);
    canvas.fill(&path::polygon(&[at(-0.12, 0.4), at(0.12, 0.4), at(0.0, 0.54)]), SKIN);
}

/// The outline of the head, clockwise from the tip of the left ear.
fn head(at: impl Fn(f64, f64) -> Point) -> BezPath {
    let mut head = BezPath::new();
    head.move_to(at(-0.84, -1.12));
    head.curve_to(at(-0.72, -1.08), at(-0.5, -0.86), at(-0.36, -0.68));
    head.curve_to(at(-0.14, -0.75), at(0.14, -0.75), at(0.36, -0.68));
    head.curve_to(at(0.5, -0.86), at(0.72, -1.08), at(0.84, -1.12));
    head.curve_to(at(0.96, -1.1), at(1.02, -0.5), at(0.98, -0.22));
    head.curve_to(at(1.04, -0.02), at(1.08, 0.16), at(1.2, 0.34));
    head.curve_to(at(0.96, 0.72), at(0.5, 0.92), at(0.0, 0.92));
    head.curve_to(at(-0.5, 0.92), at(-0.96, 0.72), at(-1.2, 0.34));
    head.curve_to(at(-1.08, 0.16), at(-1.04, -0.02), at(-0.98, -0.22));
    head.curve_to(at(-1.02, -0.5), at(-0.96, -1.1), at(-0.84, -1.12));
    head.close_path();
    head
}

fn insides_of_ears(at: impl Fn(f64, f64) -> Point) -> BezPath {
    let mut ears = BezPath::new();
    for side in [-1.0, 1.0] {
        let corners = [at(side * 0.8, -0.93), at(side * 0.84, -0.5), at(side * 0.52, -0.62)];
        ears.extend(path::polygon(&corners));
    }
    ears
}

/// An eye whose outer corner stands higher.
fn almond(at: impl Fn(f64, f64) -> Point, side: f64) -> BezPath {
    let (outer, inner) = (at(side * 0.76, -0.06), at(side * 0.16, 0.2));
    let mut eye = BezPath::new();
    eye.move_to(outer);
    eye.curve_to(at(side * 0.62, -0.26), at(side * 0.24, -0.2), inner);
    eye.curve_to(at(side * 0.32, 0.34), at(side * 0.66, 0.3), outer);
    eye.close_path();
    eye
}

fn ellipse(at: impl Fn(f64, f64) -> Point, x: f64, y: f64, width: f64, height: f64) -> BezPath {
    let mut outline = BezPath::new();
    // A circle's outline, stretched.
    for element in path::circle(Point::ZERO, 1.0).elements() {
        use topotrace_draw::kurbo::PathEl;
        let to = |p: Point| at(x + p.x * width, y + p.y * height);
        outline.push(match *element {
            PathEl::MoveTo(p) => PathEl::MoveTo(to(p)),
            PathEl::LineTo(p) => PathEl::LineTo(to(p)),
            PathEl::QuadTo(a, p) => PathEl::QuadTo(to(a), to(p)),
            PathEl::CurveTo(a, b, p) => PathEl::CurveTo(to(a), to(b), to(p)),
            PathEl::ClosePath => PathEl::ClosePath,
        });
    }
    outline
}

fn whisker_lines(at: impl Fn(f64, f64) -> Point) -> BezPath {
    let mut lines = BezPath::new();
    for side in [-1.0, 1.0] {
        lines.extend(path::line(at(side * 0.7, 0.42), at(side * 1.42, 0.2)));
        lines.extend(path::line(at(side * 0.7, 0.52), at(side * 1.44, 0.5)));
    }
    lines
}
