//! The gaps that are cut into what lies below at a crossing or under a bead.

use kurbo::{BezPath, Point, Vec2};

use super::levels::Body;
use super::track::{Place, Track, distance};
use crate::path;

/// How far a gap reaches beyond the edges of the lower strand, so that nothing of its rim stays.
const BEYOND: f64 = 1.0;
/// Lines along the lower strand on which the ends of a gap are looked for.
const LINES: usize = 9;
/// The steps of that search, in canvas units.
const STEP: f64 = 1.5;

/// A strand at a crossing or beside a body.
#[derive(Clone, Copy)]
pub(super) struct Passage<'a> {
    pub(super) track: &'a Track,
    /// The parameter in the middle of the gap.
    pub(super) at: f64,
    /// The canvas lengths before and after it within which the gap must end.
    pub(super) room: [f64; 2],
}

impl Passage<'_> {
    /// Places along the strand up to `span` to both sides, at most `step` apart, and the index of
    /// the middle one.
    fn places(&self, span: f64, step: f64) -> (Vec<Place>, usize) {
        let [before, after] = self.room.map(|room| (span.min(ROOM * room) / step).ceil().min(MOST) as i32);
        let place = |index: i32| self.track.place(self.track.moved(self.at, f64::from(index) * step));
        ((-before..=after).map(place).collect(), before as usize)
    }
}

/// How much farther than on straight strands a gap is looked for, and the least sine of an angle.
const CURVED: f64 = 1.4;
const FLATTEST: f64 = 0.3;
/// The part of the way to the next crossing that a gap may take.
const ROOM: f64 = 0.8;
/// The most steps of a search to one side.
const MOST: f64 = 1000.0;

/// The part of the lower strand that is nearer than `casing` to the edge of the upper one: bounded
/// by the edges of the lower strand and by two lines parallel to the upper one. Nothing beside the
/// lower strand is touched. `angle_degrees` is that between the strands.
pub(super) fn below_strand(
    lower: Passage<'_>,
    upper: Passage<'_>,
    casing: f64,
    angle_degrees: f64,
) -> BezPath {
    let (here, there) = (lower.track.place(lower.at), upper.track.place(upper.at));
    let reach = there.half_width + casing;
    let half = here.half_width + BEYOND;
    // As far as the gap would reach on straight strands, and some more for curved ones.
    let span = CURVED * (reach + half) / libm::sin(angle_degrees.to_radians()).max(FLATTEST);
    let spine: Vec<_> = upper.places(span, 2.0 * STEP).0.iter().map(|place| place.point).collect();
    outline(lower, BEYOND, span, |point| to_polyline(point, &spine) < reach)
}

/// The part of a strand that is nearer than `casing` to a body above it.
pub(super) fn below_body(strand: Passage<'_>, body: &Body, casing: f64) -> BezPath {
    let half = strand.track.place(strand.at).half_width + BEYOND;
    let reach = body.reach + casing;
    outline(strand, BEYOND, 2.0 * reach + half, |point| distance(point, body.center) < reach)
}

/// The part of a body's disc that is nearer than `casing` to the strand above it.
pub(super) fn on_body(strand: Passage<'_>, body: &Body, casing: f64) -> BezPath {
    let reach = body.reach + BEYOND;
    outline(strand, casing, 2.0 * reach, |point| distance(point, body.center) < reach)
}

/// The part of a strand, widened by `beyond` on both sides, where `inside` holds: found on lines along
/// it, from the place on each line nearest to the middle in both directions.
fn outline(strand: Passage<'_>, beyond: f64, span: f64, inside: impl Fn(Point) -> bool) -> BezPath {
    let (places, middle) = strand.places(span, STEP);
    let point = |line: usize, index: usize| {
        let place = &places[index];
        let share = 2.0 * line as f64 / (LINES - 1) as f64 - 1.0;
        let off = (place.half_width + beyond) * share;
        place.point + Vec2::new(-place.direction.y, place.direction.x) * off
    };
    // Each line's first and last place inside.
    let mut found: Vec<(usize, usize, usize)> = Vec::with_capacity(LINES);
    for line in 0..LINES {
        let holds = |index: &usize| *index < places.len() && inside(point(line, *index));
        let nearest = (0..places.len())
            .find_map(|away| middle.checked_sub(away).filter(holds).or(Some(middle + away).filter(holds)));
        let Some(nearest) = nearest else { continue };
        let first = (0..nearest).rev().take_while(holds).last().unwrap_or(nearest);
        let last = (nearest..places.len()).take_while(holds).last().unwrap_or(nearest);
        found.push((line, first, last));
    }
    let (Some(left), Some(right)) = (found.first(), found.last()) else {
        return BezPath::new();
    };
    let start = |(line, first, _): &(usize, usize, usize)| {
        edge(point(*line, *first), point(*line, first.saturating_sub(1)), &inside)
    };
    let stop = |(line, _, last): &(usize, usize, usize)| {
        edge(point(*line, *last), point(*line, (last + 1).min(places.len() - 1)), &inside)
    };
    // Around: the near end, one edge of the strand, the far end, the other edge.
    let mut corners: Vec<Point> = found.iter().map(start).collect();
    corners.extend((right.1..=right.2).map(|index| point(right.0, index)));
    corners.extend(found.iter().rev().map(stop));
    corners.extend((left.1..=left.2).rev().map(|index| point(left.0, index)));
    path::polygon(&corners)
}

/// The last point inside on the way to a point outside, by halving.
fn edge(mut within: Point, mut outside: Point, inside: &impl Fn(Point) -> bool) -> Point {
    for _ in 0..6 {
        let middle = within.midpoint(outside);
        if inside(middle) {
            within = middle;
        } else {
            outside = middle;
        }
    }
    within
}

fn to_polyline(point: Point, line: &[Point]) -> f64 {
    let mut least = f64::INFINITY;
    for pair in line.windows(2) {
        let (along, off) = (pair[1] - pair[0], point - pair[0]);
        let square = along.hypot2();
        let share = if square > 0.0 { (off.dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
        least = least.min((off - along * share).hypot2());
    }
    least.sqrt()
}
