//! A run of a rope as nested strokes, or as nested bands where its width changes.

use kurbo::{BezPath, Point, Vec2};

use super::levels::{Body, Run, RunEnd};
use super::look::{RopeLook, Tone};
use super::track::Track;
use crate::{Canvas, Color, Stroke, path};

/// Below this difference of half widths, in canvas units, one width is taken for a whole run.
const EQUAL_WIDTHS: f64 = 0.12;
/// How far the rim goes on beyond a joint: enough for no background to show.
const OVERLAP: f64 = 0.5;
/// The part of the half width, and of the room beyond a joint, by which the innermost tone goes
/// on farther than the rim.
const REACH: f64 = 0.6;
const REACH_OF_ROOM: f64 = 0.45;

/// Draws runs of one rope that cover nothing of each other.
///
/// At a joint every tone ends a little later than the one around it, so that the edge of an end is
/// always drawn on its own color: no line across the rope can be seen.
pub(super) fn draw_runs(
    canvas: &mut Canvas,
    track: &Track,
    runs: &[&Run],
    bodies: &[Body],
    color: Color,
    look: &RopeLook,
) {
    let tones = look.all_tones();
    for (index, tone) in tones.iter().enumerate() {
        let inward = index as f64 / (tones.len() - 1) as f64;
        let paint =
            TonePaint { tone, inward, color: look.shade(color, tone.lightness), light: look.light().into() };
        let draw = |canvas: &mut Canvas| draw_tone(canvas, track, runs, bodies, &paint);
        if index == 0 { draw(canvas) } else { canvas.shade(draw) }
    }
}

/// One tone of a rope as it is drawn.
struct TonePaint<'a> {
    tone: &'a Tone,
    /// The part of the way from rim to core.
    inward: f64,
    color: Color,
    light: Vec2,
}

fn draw_tone(canvas: &mut Canvas, track: &Track, runs: &[&Run], bodies: &[Body], paint: &TonePaint<'_>) {
    let TonePaint { tone, color, light, .. } = *paint;
    let mut bands = BezPath::new();
    // Lines of one width, collected as long as the width stays.
    let mut lines = (BezPath::new(), 0.0);
    for run in runs {
        let (from, to) = extent(track, run, bodies, paint);
        if from >= to {
            continue;
        }
        let (low, high) = track.half_widths(from, to);
        if high - low > EQUAL_WIDTHS {
            append_band(track, from, to, tone, light, &mut bands);
        } else {
            let half = (low + high) / 2.0;
            if (half - lines.1).abs() > EQUAL_WIDTHS {
                stroke(canvas, &mut lines, tone, color);
                lines.1 = half;
            }
            let shift = light * (half * tone.shift);
            if run.closed {
                track.append_closed(shift, &mut lines.0);
            } else {
                track.append(from, to, shift, &mut lines.0);
            }
        }
        append_ends(track, run, bodies, tone, light, &mut bands);
    }
    stroke(canvas, &mut lines, tone, color);
    canvas.fill(&bands, color);
}

fn stroke(canvas: &mut Canvas, lines: &mut (BezPath, f64), tone: &Tone, color: Color) {
    let path = std::mem::take(&mut lines.0);
    canvas.stroke(&path, Stroke::new(color, 2.0 * lines.1 * tone.half).butt());
}

/// From where to where a tone of a run is drawn, before it is shifted.
fn extent(track: &Track, run: &Run, bodies: &[Body], paint: &TonePaint<'_>) -> (f64, f64) {
    let end = |side: usize, at: f64| {
        let outward = if side == 0 { -1.0 } else { 1.0 };
        // The shift towards the light moves an end along the rope, too.
        let back = |at: f64| {
            let place = track.place(at);
            track.moved(at, -paint.light.dot(place.direction) * place.half_width * paint.tone.shift)
        };
        match run.ends[side] {
            RunEnd::Joint(room) => {
                let reach = (REACH * track.place(at).half_width).min(REACH_OF_ROOM * room);
                back(track.moved(at, outward * (OVERLAP + paint.inward * reach)))
            }
            RunEnd::Free => at,
            // The parameters of a run may be a turn ahead of those of its body.
            RunEnd::Front(body) => {
                let exit = bodies[body].exits[1 - side].at;
                let turns = if track.is_closed() { ((at - exit) / track.end()).round() } else { 0.0 };
                back(exit + turns * track.end())
            }
        }
    };
    if run.closed { (run.from, run.to) } else { (end(0, run.from), end(1, run.to)) }
}

/// Round caps at free ends, and at the front of a body the near half of the tube's rim there.
fn append_ends(track: &Track, run: &Run, bodies: &[Body], tone: &Tone, light: Vec2, path: &mut BezPath) {
    for (side, end) in run.ends.iter().enumerate() {
        let (at, slope) = match end {
            RunEnd::Free => (if side == 0 { run.from } else { run.to }, 1.0),
            RunEnd::Front(body) => {
                let exit = bodies[*body].exits[1 - side];
                (exit.at, exit.slope)
            }
            RunEnd::Joint(_) => continue,
        };
        let place = track.place(at);
        let half = place.half_width * tone.half;
        // The rim at a body is not shifted along the rope.
        let along = if slope < 1.0 { place.direction * light.dot(place.direction) } else { Vec2::ZERO };
        let center = place.point + (light - along) * (place.half_width * tone.shift);
        path.extend(ellipse(center, place.direction * (half * slope), half));
    }
}

/// An ellipse with one half axis given as a vector and the other one as a length.
pub(super) fn ellipse(center: Point, along: Vec2, across: f64) -> BezPath {
    let length = along.hypot2().sqrt();
    let direction = if length > 1e-9 { along / length } else { Vec2::new(1.0, 0.0) };
    let turn = kurbo::Affine::new([
        direction.x * length,
        direction.y * length,
        -direction.y * across,
        direction.x * across,
        center.x,
        center.y,
    ]);
    turn * path::circle(Point::ORIGIN, 1.0)
}

/// Appends a band of changing width, piece by piece. All outlines turn the same way, so that they
/// add up under the nonzero rule, and neighbors share an edge exactly.
fn append_band(track: &Track, from: f64, to: f64, tone: &Tone, light: Vec2, path: &mut BezPath) {
    let rib = |u: f64| {
        let place = track.place(u);
        let half = place.half_width * tone.half;
        let center = place.point + light * (place.half_width * tone.shift);
        Rib { center, direction: place.direction, half }
    };
    let mut previous = rib(from);
    let mut at = from;
    while at < to {
        let mut step = 0.5;
        let mut next_at = to.min(at + step);
        let mut next = rib(next_at);
        while previous.direction.dot(next.direction) < FINE_TURN && step > 0.02 {
            step /= 2.0;
            next_at = to.min(at + step);
            next = rib(next_at);
        }
        path.extend(between(&previous, &next));
        // The inner side of a bend that is tighter than the band.
        let tight = (next.center - previous.center).dot(next.direction) < TIGHT * previous.swing(&next);
        if tight {
            path.extend(path::circle(next.center, next.half));
        }
        (previous, at) = (next, next_at);
    }
}

/// The least cosine of the turn between two ribs.
const FINE_TURN: f64 = 0.985;
/// A bend counts as tight below this ratio of its radius to the half width.
const TIGHT: f64 = 1.15;

/// A cross section of a band.
struct Rib {
    center: Point,
    direction: Vec2,
    half: f64,
}

impl Rib {
    /// How far the end of the rib swings on the way to the next one.
    fn swing(&self, next: &Rib) -> f64 {
        self.direction.cross(next.direction).abs() * next.half
    }

    fn ends(&self) -> (Point, Point) {
        let normal = Vec2::new(-self.direction.y, self.direction.x) * self.half;
        (self.center + normal, self.center - normal)
    }
}

fn between(a: &Rib, b: &Rib) -> BezPath {
    let ((a_left, a_right), (b_left, b_right)) = (a.ends(), b.ends());
    let mut outline = BezPath::with_capacity(6);
    // A side that runs backward, inside of a tight bend, is drawn straight.
    let side = |outline: &mut BezPath, from: Point, to: Point, first: Vec2, last: Vec2| {
        let chord = to - from;
        if chord.dot(first) <= 0.0 || chord.dot(last) <= 0.0 {
            outline.line_to(to);
        } else {
            let handle = chord.hypot2().sqrt() / 3.0;
            outline.curve_to(from + first * handle, to - last * handle, to);
        }
    };
    let area = |points: [Point; 4]| {
        (0..4).map(|at| points[at].to_vec2().cross(points[(at + 1) % 4].to_vec2())).sum::<f64>()
    };
    if area([a_right, b_right, b_left, a_left]) >= 0.0 {
        outline.move_to(a_right);
        side(&mut outline, a_right, b_right, a.direction, b.direction);
        outline.line_to(b_left);
        side(&mut outline, b_left, a_left, -b.direction, -a.direction);
    } else {
        outline.move_to(a_left);
        side(&mut outline, a_left, b_left, a.direction, b.direction);
        outline.line_to(b_right);
        side(&mut outline, b_right, a_right, -b.direction, -a.direction);
    }
    outline.close_path();
    outline
}
