//! Balls, rings and cones on a rope.

use kurbo::{BezPath, Point, Vec2};

use super::look::{RopeLook, Tone};
use super::track::unit;
use super::tube::ellipse;
use crate::{Canvas, Color, Stroke, path};

/// A shaded ball of a canvas radius; with a small gloss near the brightest place, or without.
pub(super) fn draw_ball(
    canvas: &mut Canvas,
    center: Point,
    radius: f64,
    color: Color,
    gloss: bool,
    look: &RopeLook,
) {
    let light = Vec2::from(look.light());
    nested(canvas, &look.ball_tones(), |canvas, tone| {
        let middle = center + light * (radius * tone.shift);
        canvas.fill(&path::circle(middle, radius * tone.half), look.shade(color, tone.lightness));
    });
    if gloss {
        let shine = look.shade(color, 1.0).mix(Color::WHITE, 60);
        let middle = center + light * (radius * 0.44);
        canvas.shade(|canvas| canvas.fill(&path::circle(middle, radius * 0.11), shine));
    }
}

/// Draws all tones, of which the first covers the others.
fn nested(canvas: &mut Canvas, tones: &[Tone], draw: impl Fn(&mut Canvas, &Tone)) {
    let Some((rim, inner)) = tones.split_first() else { return };
    draw(canvas, rim);
    canvas.shade(|canvas| inner.iter().for_each(|tone| draw(canvas, tone)));
}

/// The bore of a body where its rope comes out towards the viewer.
pub(super) struct Bore {
    pub(super) center: Point,
    /// The direction of the rope on the canvas, and the part of it that points along the view.
    pub(super) direction: Vec2,
    pub(super) slope: f64,
    /// Half of the rope's width.
    pub(super) half_width: f64,
}

/// Draws a bore as a dark ellipse that stays within a disc around the body's middle.
pub(super) fn draw_bore(canvas: &mut Canvas, bore: &Bore, disc: (Point, f64), color: Color, look: &RopeLook) {
    let size = bore.half_width * BORE;
    let across = Vec2::new(-bore.direction.y, bore.direction.x);
    let corner = |step: i32| {
        let angle = f64::from(step) / f64::from(BORE_CORNERS) * std::f64::consts::TAU;
        let (sin, cos) = libm::sincos(angle);
        let point = bore.center + (bore.direction * (cos * bore.slope) + across * sin) * size;
        let off = point - disc.0;
        let length = off.hypot2().sqrt();
        if length > disc.1 { disc.0 + off * (disc.1 / length) } else { point }
    };
    let corners: Vec<_> = (0..BORE_CORNERS).map(corner).collect();
    let dark = look.shade(color, -1.0).mix(Color::BLACK, 45);
    canvas.shade(|canvas| canvas.fill(&path::polygon(&corners), dark));
}

/// The radius of a bore in radii of its rope, and the corners that stand for its edge.
const BORE: f64 = 1.3;
const BORE_CORNERS: i32 = 28;

/// A ring of round section that faces the viewer, around a bead of a canvas radius.
pub(super) fn draw_ring(canvas: &mut Canvas, center: Point, radius: f64, color: Color, look: &RopeLook) {
    let light = Vec2::from(look.light());
    let half = radius * RING_HALF_WIDTH;
    nested(canvas, &look.all_tones(), |canvas, tone| {
        let middle = center + light * (half * tone.shift);
        let circle = path::circle(middle, radius * RING_RADIUS);
        canvas.stroke(&circle, Stroke::new(look.shade(color, tone.lightness), 2.0 * half * tone.half));
    });
}

/// The radius of a ring's middle line and half of its width, as shares of the bead's radius.
const RING_RADIUS: f64 = 1.42;
const RING_HALF_WIDTH: f64 = 0.17;
/// The outer radius of a ring around a bead, in radii of the bead.
pub const RING_REACH: f64 = RING_RADIUS + RING_HALF_WIDTH;

/// A cone as seen: its base ellipse and its tip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// The middle of its base on the canvas.
    pub(super) base: Point,
    /// Its tip on the canvas.
    pub(super) tip: Point,
    /// The radius of its base in canvas units.
    pub(super) radius: f64,
    /// The part of its axis along the view: above 0 when it points away from the viewer.
    pub(super) away: f64,
}

/// A shaded cone, with the base in sight when it points away.
pub(super) fn draw_cone(canvas: &mut Canvas, cone: &Cone, color: Color, look: &RopeLook) {
    let axis = cone.tip - cone.base;
    let direction = unit(axis).unwrap_or(Vec2::new(1.0, 0.0));
    let across = Vec2::new(-direction.y, direction.x);
    let side = Vec2::from(look.light()).dot(across);
    canvas.fill(&silhouette(cone, direction), look.shade(color, -1.0));
    let tones = look.all_tones();
    canvas.shade(|canvas| {
        for tone in &tones[1..] {
            let (from, to) = (tone.shift * side - tone.half, tone.shift * side + tone.half);
            canvas.fill(&strip(cone, direction, from, to), look.shade(color, tone.lightness));
        }
    });
    if cone.away > 0.0 {
        let base = |share: f64| {
            ellipse(cone.base, direction * (cone.radius * share * cone.away), cone.radius * share)
        };
        canvas.shade(|canvas| {
            canvas.fill(&base(1.0), look.shade(color, -1.0));
            canvas.fill(&base(0.86), look.shade(color, -0.45));
        });
    }
}

/// The part of a cone's side between two lines from its tip to the edge of its base: by their shares of
/// the radius across the axis. A line of the darkest tone stays along the base.
fn strip(cone: &Cone, direction: Vec2, from: f64, to: f64) -> BezPath {
    let across = Vec2::new(-direction.y, direction.x);
    let depth = cone.away.abs();
    let edge = |step: i32| {
        let share = (from + (to - from) * f64::from(step) / f64::from(EDGE_STEPS)).clamp(-1.0, 1.0);
        let along = RIM - (1.0 - share * share).sqrt() * depth;
        cone.base + (across * share + direction * along) * cone.radius
    };
    let mut corners = vec![cone.tip];
    corners.extend((0..=EDGE_STEPS).map(edge));
    path::polygon(&corners)
}

/// Corners on the edge of a cone's base, and the width of the dark line there in radii.
const EDGE_STEPS: i32 = 12;
const RIM: f64 = 0.08;

/// The outline of a cone: the two lines from the tip that touch the base, and the base beyond.
fn silhouette(cone: &Cone, direction: Vec2) -> BezPath {
    let depth = cone.radius * cone.away.abs();
    let base = ellipse(cone.base, direction * depth, cone.radius);
    let length = (cone.tip - cone.base).dot(direction);
    if length <= depth {
        return base;
    }
    let cosine = depth / length;
    let sine = (1.0 - cosine * cosine).sqrt();
    let across = Vec2::new(-direction.y, direction.x) * (cone.radius * sine);
    let touch = cone.base + direction * (depth * cosine);
    // Both outlines turn the same way, so that they add up.
    let mut outline = path::polygon(&[cone.tip, touch + across, touch - across]);
    outline.extend(base);
    outline
}
