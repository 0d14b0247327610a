//! Balls, rings and cones on a rope.

use kurbo::{BezPath, Point, Vec2};

use super::look::RopeLook;
use super::track::unit;
use super::tube::ellipse;
use crate::{Canvas, Color, Stroke, path};

/// A shaded ball of a canvas radius.
pub(super) fn draw_ball(canvas: &mut Canvas, center: Point, radius: f64, color: Color, look: &RopeLook) {
    let light = Vec2::from(look.light());
    for tone in look.all_tones() {
        let middle = center + light * (radius * tone.shift);
        canvas.fill(&path::circle(middle, radius * tone.half), look.shade(color, tone.lightness));
    }
    // A small gloss near the brightest place.
    let shine = look.shade(color, 1.0).mix(Color::WHITE, 60);
    canvas.fill(&path::circle(center + light * (radius * 0.44), radius * 0.11), shine);
}

/// The bore of a bead where its rope comes out towards the viewer.
pub(super) fn draw_bore(
    canvas: &mut Canvas,
    center: Point,
    direction: Vec2,
    half_width: f64,
    slope: f64,
    color: Color,
    look: &RopeLook,
) {
    let size = half_width * 1.3;
    let dark = look.shade(color, -1.0).mix(Color::BLACK, 45);
    canvas.fill(&ellipse(center, direction * (size * slope), size), dark);
}

/// A ring of round section that faces the viewer, around a bead of a canvas radius.
pub(super) fn draw_ring(canvas: &mut Canvas, center: Point, radius: f64, color: Color, look: &RopeLook) {
    let light = Vec2::from(look.light());
    let half = radius * RING_HALF_WIDTH;
    for tone in look.all_tones() {
        let middle = center + light * (half * tone.shift);
        let circle = path::circle(middle, radius * RING_RADIUS);
        canvas.stroke(&circle, Stroke::new(look.shade(color, tone.lightness), 2.0 * half * tone.half));
    }
}

/// The radius of a ring's middle line and half of its width, as shares of the bead's radius.
const RING_RADIUS: f64 = 1.42;
const RING_HALF_WIDTH: f64 = 0.17;
/// The outer radius of a ring, as a share of the bead's radius.
pub(super) const RING_REACH: f64 = RING_RADIUS + RING_HALF_WIDTH;

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
    for tone in look.all_tones() {
        let (half, shift) = (cone.radius * tone.half, cone.radius * tone.shift * side);
        let part = Cone { base: cone.base + across * shift, radius: half, ..*cone };
        canvas.fill(&silhouette(&part, direction), look.shade(color, tone.lightness));
    }
    if cone.away > 0.0 {
        let base = |share: f64| {
            ellipse(cone.base, direction * (cone.radius * share * cone.away), cone.radius * share)
        };
        canvas.fill(&base(1.0), look.shade(color, -1.0));
        canvas.fill(&base(0.86), look.shade(color, -0.45));
    }
}

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
