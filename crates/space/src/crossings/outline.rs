use super::reading::{planar_segment_distance, point_to_segment};
use super::things::{Ball, Pointer, ThingRule};
use super::{Strand, Tube, planar_distance};
use crate::{Camera, Curve, Projected};

/// What a ball or a pointer covers on the canvas: all within a distance of a segment, which is a
/// point for a ball.
pub(super) struct Outline {
    pub(super) strand: usize,
    /// The distance from the segment.
    pub(super) reach: f64,
    /// The arc length of the middle along the center line.
    position: f64,
    ends: (Projected, Projected),
    /// The depth of the middle, in world units, and the canvas units per world unit there.
    depth: f64,
    scale: f64,
    /// Half of the segment's length in space.
    half_length: f64,
}

impl Outline {
    /// The disc of a ball; none on a tube that isn't there or of a size that is no positive number.
    pub(super) fn of_ball(ball: &Ball, tubes: &[Tube<'_>], camera: &Camera) -> Option<Outline> {
        let fine = is_positive(ball.radius) && is_positive(ball.reach);
        let curve = tubes.get(ball.tube).filter(|_| fine)?.curve;
        let seen = camera.project(curve.point_at(ball.position));
        let scale = camera.scale_at(seen.depth);
        Some(Outline {
            strand: ball.tube,
            reach: ball.radius * ball.reach * scale,
            position: curve.normalized(ball.position),
            ends: (seen, seen),
            depth: seen.depth,
            scale,
            half_length: 0.0,
        })
    }

    /// The surroundings of a pointer's axis; none as for a ball.
    pub(super) fn of_pointer(pointer: &Pointer, tubes: &[Tube<'_>], camera: &Camera) -> Option<Outline> {
        let fine = is_positive(pointer.length) && is_positive(pointer.radius);
        let curve = tubes.get(pointer.tube).filter(|_| fine)?.curve;
        let half_length = pointer.length / 2.0;
        let middle = curve.point_at(pointer.position);
        let axis = pointer.axis(curve) * half_length;
        let seen = camera.project(middle);
        let scale = camera.scale_at(seen.depth);
        Some(Outline {
            strand: pointer.tube,
            reach: pointer.radius * scale,
            position: curve.normalized(pointer.position),
            ends: (camera.project(middle - axis), camera.project(middle + axis)),
            depth: seen.depth,
            scale,
            half_length,
        })
    }

    /// The distance of a point from the segment.
    pub(super) fn to_point(&self, point: &Projected) -> f64 {
        point_to_segment((point.x, point.y), &self.ends.0, &self.ends.1)
    }

    /// The distance of another segment from this one; segments that cross are near anyway.
    pub(super) fn to_segment(&self, from: &Projected, to: &Projected) -> f64 {
        if self.half_length == 0.0 {
            return point_to_segment((self.ends.0.x, self.ends.0.y), from, to);
        }
        planar_segment_distance((&self.ends.0, &self.ends.1), (from, to))
    }

    /// The distance between the edges of two outlines, below 0 where they overlap.
    pub(super) fn to_outline(&self, other: &Outline) -> f64 {
        self.to_segment(&other.ends.0, &other.ends.1) - self.reach - other.reach
    }

    /// The part of a pointer's length that is seen.
    pub(super) fn shown_length(&self) -> f64 {
        planar_distance(&self.ends.0, &self.ends.1) / (2.0 * self.half_length * self.scale).max(1e-9)
    }

    /// The part of a ball's disc that its own string covers where it comes out of the front.
    pub(super) fn covered_by_own(&self, ball: &Ball, tubes: &[Tube<'_>], camera: &Camera) -> f64 {
        let Tube { curve, radius: thin } = tubes[self.strand];
        let disc = ball.radius * self.scale;
        let mut area = 0.0;
        for way in [-1.0, 1.0] {
            let mut last = self.ends.0;
            let mut out = false;
            for step in 1..=COVER_STEPS {
                let position = self.position + way * f64::from(step) * COVER_STEP * ball.radius;
                let here = camera.project(curve.point_at(position));
                let (from, to) = (self.to_point(&last), self.to_point(&here));
                // How far the surfaces of string and ball are in front of the ball's middle, midway.
                let off = ((from + to) / 2.0).min(disc) / self.scale;
                let surface = (ball.radius * ball.radius - off * off).max(0.0).sqrt();
                let front = self.depth - (last.depth + here.depth) / 2.0 + thin;
                let (length, half) = (planar_distance(&last, &here), thin * camera.scale_at(here.depth));
                if front > surface {
                    let inside = if to > from { ((disc - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
                    area += 2.0 * half * length * inside;
                    if !out {
                        // The string comes out of the ball by an ellipse, not by a line.
                        let slope = ((last.depth - here.depth) / (COVER_STEP * ball.radius)).clamp(0.0, 1.0);
                        area -= (2.0 - std::f64::consts::FRAC_PI_2) * half * half * slope;
                        out = true;
                    }
                }
                if to >= disc {
                    break;
                }
                last = here;
            }
        }
        area.max(0.0) / (std::f64::consts::PI * disc * disc)
    }
}

/// The steps on which a string is followed out of its ball, in radii, and the most of them.
const COVER_STEP: f64 = 0.05;
const COVER_STEPS: i32 = 120;

fn is_positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

/// The piece of a thing's own strand around it.
pub(super) struct Own {
    /// The canvas length along the strand at the thing's middle.
    pub(super) along: f64,
    /// How much of the strand lies within the outline before and after the middle, in canvas units.
    pub(super) covered: [f64; 2],
    /// Its first vertex, its last one and how many segments the strand has. On a closed strand
    /// vertices may be below 0 and beyond the number of segments.
    low: i64,
    high: i64,
    count: i64,
}

impl Own {
    /// The piece up to where the strand has left the outline by its own width and the casing; it ends
    /// earlier where the strand has left the outline and turns back. None where the way out is too
    /// long, as on a strand that runs along the view.
    pub(super) fn of(outline: &Outline, strand: &Strand, curve: &Curve, rule: &ThingRule) -> Option<Own> {
        let (segment, share) = curve.locate(outline.position);
        let middle = segment as i64;
        let along = strand.start(segment) + share * (strand.start(segment + 1) - strand.start(segment));
        let count = strand.segment_count() as i64;
        let mut own = Own { along, covered: [0.0; 2], low: middle, high: middle + 1, count };
        let cosine = libm::cos(rule.steepest_degrees.to_radians()).max(0.01);
        for side in [0, 1] {
            // The distance from the outline's segment and the way on the canvas, at the last vertex.
            let mut last = (0.0, 0.0);
            let mut left = false;
            loop {
                let vertex = if side == 0 { own.low } else { own.high };
                let (index, turns) = strand.vertex(vertex);
                let away = outline.to_point(&strand.points[index % strand.points.len()]);
                let way = (strand.start(index) + turns * strand.length() - along).abs();
                let length = (curve.start(index) + turns * curve.length() - outline.position).abs();
                if left && away < last.0 {
                    let back = if side == 0 { 1 } else { -1 };
                    own.step(side, back);
                    break;
                }
                if !left {
                    left = away >= outline.reach;
                    let share = if left { (outline.reach - last.0) / (away - last.0).max(1e-9) } else { 1.0 };
                    own.covered[side] = last.1 + (way - last.1) * share;
                }
                let reach = outline.reach + strand.half_widths[index % strand.points.len()] + rule.casing;
                let is_end = !strand.closed && (vertex <= 0 && side == 0 || vertex >= count && side == 1);
                if away >= reach || is_end || own.high - own.low >= count {
                    break;
                }
                if (length - outline.half_length) * outline.scale * cosine > reach {
                    return None;
                }
                own.step(side, if side == 0 { -1 } else { 1 });
                last = (away, way);
            }
        }
        Some(own)
    }

    fn step(&mut self, side: usize, by: i64) {
        if side == 0 {
            self.low += by;
        } else {
            self.high += by;
        }
    }

    /// Whether a segment of the strand belongs to the piece.
    pub(super) fn holds(&self, segment: usize) -> bool {
        (segment as i64 - self.low).rem_euclid(self.count) < self.high - self.low
    }
}
