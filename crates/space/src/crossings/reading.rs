use super::{Crossing, Diagram, Strand, Visit, planar_distance};
use crate::Projected;

/// When a crossing can be read. Lengths are canvas units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadingRule {
    /// The least angle between the strands, in degrees.
    pub least_angle_degrees: f64,
    /// The gap that is drawn on both sides of the upper strand, and the least one between strands
    /// that don't cross.
    pub casing: f64,
    /// How much of the lower strand's center line must be visible on both sides of the crossing
    /// before the next one or the rope's end, in widths of the lower strand.
    pub visible_widths: f64,
}

impl Default for ReadingRule {
    /// 40°, a casing of 6 and one width.
    fn default() -> Self {
        ReadingRule { least_angle_degrees: 40.0, casing: 6.0, visible_widths: 1.0 }
    }
}

/// Why a diagram can't be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unreadable {
    /// A crossing, by its index, at a small angle in degrees.
    Angle(usize, f64),
    /// Too little of the lower strand is visible beside a crossing: its index and the visible
    /// length in canvas units, which may be negative.
    Hidden(usize, f64),
    /// A third strand passes through a crossing; its index.
    ThirdStrand(usize),
    /// Two pieces lie side by side nearer than the casing without crossing: the strands' indices.
    Grazing(usize, usize),
}

impl Unreadable {
    /// A name for counting.
    pub fn name(&self) -> &'static str {
        match self {
            Unreadable::Angle(..) => "crossing angle",
            Unreadable::Hidden(..) => "hidden strand",
            Unreadable::ThirdStrand(..) => "third strand",
            Unreadable::Grazing(..) => "grazing strands",
        }
    }
}

/// How much farther than on straight strands a neighbor may be along a curved one.
const CURVED: f64 = 1.3;

impl Diagram {
    /// The first thing that keeps the diagram from being read, if any: crossing by crossing the
    /// angle, the visible lengths and third strands, then pieces that graze each other.
    pub fn first_flaw(&self, rule: &ReadingRule) -> Option<Unreadable> {
        for (index, crossing) in self.crossings().iter().enumerate() {
            if crossing.angle_degrees < rule.least_angle_degrees {
                return Some(Unreadable::Angle(index, crossing.angle_degrees));
            }
        }
        for (index, crossing) in self.crossings().iter().enumerate() {
            let visible = self.visible_below(crossing, rule.casing);
            if visible < rule.visible_widths * 2.0 * crossing.under.half_width {
                return Some(Unreadable::Hidden(index, visible));
            }
        }
        for (index, crossing) in self.crossings().iter().enumerate() {
            if self.third_strand(crossing, rule.casing) {
                return Some(Unreadable::ThirdStrand(index));
            }
        }
        self.grazing(rule.casing).map(|(a, b)| Unreadable::Grazing(a, b))
    }

    /// The least canvas length of the lower strand's center line that is visible on one side
    /// of a crossing: the way to the next crossing or the end, less what the upper strand and its
    /// casing cover here and what the other strand covers there. Strands count as straight.
    pub fn visible_below(&self, crossing: &Crossing, casing: f64) -> f64 {
        let own = covered(crossing, &crossing.over, casing);
        let visits = self.visits(crossing.under.strand);
        let closed = self.strands()[crossing.under.strand].closed;
        let here = |visit: &(f64, usize, bool)| visit.0 == crossing.under.along && !visit.2;
        let Some(at) = visits.iter().position(here) else {
            return f64::NEG_INFINITY;
        };
        let last = visits.len() - 1;
        let before = at.checked_sub(1).or(closed.then_some(last));
        let after = if at < last { Some(at + 1) } else { closed.then_some(0) };
        let there = |visit: Option<usize>| {
            visit.map_or(0.0, |at| {
                let (_, index, over) = visits[at];
                let next = &self.crossings()[index];
                if over { covered(next, &next.under, casing) } else { covered(next, &next.over, casing) }
            })
        };
        (crossing.under.before - there(before)).min(crossing.under.after - there(after)) - own
    }

    /// Whether a strand other than the two passes through the disc around a crossing.
    fn third_strand(&self, crossing: &Crossing, casing: f64) -> bool {
        let (over, under) = (&crossing.over, &crossing.under);
        let radius = over.half_width.max(under.half_width) + casing;
        self.strands().iter().enumerate().any(|(index, strand)| {
            (0..strand.segment_count()).any(|at| {
                let reach = radius + strand.half_widths[at];
                let (from, to) = strand.segment(at);
                if point_to_segment((crossing.x, crossing.y), &from, &to) >= reach {
                    return false;
                }
                let middle = (strand.start(at) + strand.start(at + 1)) / 2.0;
                let own = |visit: &Visit| {
                    let slack = (strand.start(at + 1) - strand.start(at)) / 2.0;
                    visit.strand == index
                        && strand.distance_along(middle, visit.along) - slack <= CURVED * reach
                };
                !own(over) && !own(under)
            })
        })
    }

    /// Two strands with pieces nearer than the casing that are parts of no crossing.
    fn grazing(&self, casing: f64) -> Option<(usize, usize)> {
        for (a, first) in self.strands().iter().enumerate() {
            for (b, second) in self.strands().iter().enumerate().skip(a) {
                for i in 0..first.segment_count() {
                    let (from, to) = first.segment(i);
                    let length = first.start(i + 1) - first.start(i);
                    let begin = if a == b { i + 1 } else { 0 };
                    for j in begin..second.segment_count() {
                        let near = first.half_widths[i] + second.half_widths[j] + casing;
                        let (other_from, other_to) = second.segment(j);
                        // Cheap and safe: the distance of first points less both lengths.
                        let reach = near + length + second.start(j + 1) - second.start(j);
                        let (x, y) = (from.x - other_from.x, from.y - other_from.y);
                        if x * x + y * y >= reach * reach
                            || a == b && first.distance_along(first.start(i), second.start(j)) <= 2.0 * near
                            || planar_segment_distance((&from, &to), (&other_from, &other_to)) >= near
                        {
                            continue;
                        }
                        if !self.part_of_crossing((a, i), (b, j), near) {
                            return Some((a, b));
                        }
                    }
                }
            }
        }
        None
    }

    /// Whether two segments, each named by its strand and its index, lie near one crossing of these
    /// strands.
    fn part_of_crossing(&self, a: (usize, usize), b: (usize, usize), near: f64) -> bool {
        self.crossings().iter().any(|crossing| {
            let sine = libm::sin(crossing.angle_degrees.to_radians()).max(0.05);
            let reach = CURVED * near / sine + near * 0.5;
            let at = |(strand, index): (usize, usize), visit: &Visit| {
                let segments: &Strand = &self.strands()[visit.strand];
                strand == visit.strand && {
                    let (start, end) = (segments.start(index), segments.start(index + 1));
                    let from = |place| segments.distance_along(place, visit.along);
                    (start..=end).contains(&visit.along) || from(start).min(from(end)) <= reach
                }
            };
            (at(a, &crossing.over) && at(b, &crossing.under))
                || (at(b, &crossing.over) && at(a, &crossing.under))
        })
    }
}

/// How far from the crossing the center line of one strand is covered by the other one.
pub(super) fn covered(crossing: &Crossing, other: &Visit, casing: f64) -> f64 {
    let sine = libm::sin(crossing.angle_degrees.to_radians()).max(0.01);
    (other.half_width + casing) / sine
}

pub(super) fn point_to_segment(point: (f64, f64), from: &Projected, to: &Projected) -> f64 {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let square = x * x + y * y;
    let share = (point.0 - from.x) * x + (point.1 - from.y) * y;
    let share = if square > 0.0 { (share / square).clamp(0.0, 1.0) } else { 0.0 };
    let nearest = Projected { x: from.x + x * share, y: from.y + y * share, depth: 0.0 };
    planar_distance(&nearest, &Projected { x: point.0, y: point.1, depth: 0.0 })
}

/// The least distance of two segments that don't cross; pieces that do cross are near anyway.
pub(super) fn planar_segment_distance(a: (&Projected, &Projected), b: (&Projected, &Projected)) -> f64 {
    let at = |p: &Projected| (p.x, p.y);
    point_to_segment(at(a.0), b.0, b.1)
        .min(point_to_segment(at(a.1), b.0, b.1))
        .min(point_to_segment(at(b.0), a.0, a.1))
        .min(point_to_segment(at(b.1), a.0, a.1))
}
