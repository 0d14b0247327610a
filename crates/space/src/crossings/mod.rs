//! The diagram of ropes: their projection with all crossings.

mod orientation;
mod outline;
mod reading;
mod things;
mod view;

pub use reading::{ReadingRule, Unreadable};
pub use things::{Ball, Hidden, Pointer, ThingRule};
pub use view::{Choice, choose_view, random_views};

use orientation::Vertex;

use crate::{Camera, Curve, Projected};

/// A rope to be projected: its center line and its radius in world units.
#[derive(Clone, Copy, Debug)]
pub struct Tube<'a> {
    /// The center line.
    pub curve: &'a Curve,
    /// The radius in world units.
    pub radius: f64,
}

/// A projected rope.
#[derive(Clone, Debug)]
pub struct Strand {
    /// The projected points of the center line, in order.
    pub points: Vec<Projected>,
    /// Half of the drawn width at each point, in canvas units.
    pub half_widths: Vec<f64>,
    /// Whether the last point is joined to the first.
    pub closed: bool,
    /// The canvas length at each point and, last, the whole length.
    along: Vec<f64>,
}

/// One of the two passages at a crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// The index of the rope.
    pub strand: usize,
    /// The arc length in world units along its center line.
    pub position: f64,
    /// The length in canvas units along its projection.
    pub along: f64,
    /// Half of the drawn width here, in canvas units.
    pub half_width: f64,
    /// The depth here, in world units.
    pub depth: f64,
    /// The canvas length back to the previous visit of a crossing along the rope, or to its
    /// beginning.
    pub before: f64,
    /// The canvas length on to the next visit of a crossing along the rope, or to its end.
    pub after: f64,
}

/// A crossing of two projected ropes or of one with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The passage nearer to the viewer.
    pub over: Visit,
    /// The passage behind it.
    pub under: Visit,
    /// The position on the canvas.
    pub x: f64,
    /// The position on the canvas.
    pub y: f64,
    /// The angle between the two passages, from 0 to 90 degrees.
    pub angle_degrees: f64,
    /// 1 for a right-handed crossing, −1 for a left-handed one.
    pub sign: i32,
}

/// All ropes as seen by one camera.
#[derive(Clone, Debug)]
pub struct Diagram {
    strands: Vec<Strand>,
    crossings: Vec<Crossing>,
    /// For each strand the crossings along it: length, index of the crossing, whether over.
    visits: Vec<Vec<(f64, usize, bool)>>,
}

/// A segment of a strand with its place on the canvas.
struct Edge {
    strand: usize,
    index: usize,
    ends: (Vertex, Vertex),
    low: (f64, f64),
    high: (f64, f64),
}

impl Diagram {
    /// Projects the tubes and finds every crossing, also those at a vertex, exactly once.
    pub fn new(tubes: &[Tube<'_>], camera: &Camera) -> Diagram {
        let strands: Vec<_> = tubes.iter().map(|tube| Strand::new(tube, camera)).collect();
        let mut edges = edges(&strands);
        edges.sort_by(|a, b| a.low.0.total_cmp(&b.low.0));
        let mut crossings = Vec::new();
        for (at, first) in edges.iter().enumerate() {
            for second in edges[at + 1..].iter().take_while(|second| second.low.0 <= first.high.0) {
                let apart = second.low.1 > first.high.1 || first.low.1 > second.high.1;
                if !apart
                    && !strands_adjoin(&strands, first, second)
                    && orientation::cross(first.ends, second.ends)
                {
                    crossings.push(crossing(tubes, &strands, camera, first, second));
                }
            }
        }
        let key = |c: &Crossing| (c.over.strand.min(c.under.strand), c.over.strand.max(c.under.strand));
        crossings.sort_by(|a, b| {
            key(a)
                .cmp(&key(b))
                .then(a.over.along.total_cmp(&b.over.along))
                .then(a.under.along.total_cmp(&b.under.along))
        });
        let mut diagram = Diagram { strands, crossings, visits: Vec::new() };
        diagram.visits = (0..diagram.strands.len()).map(|strand| diagram.collect_visits(strand)).collect();
        diagram.measure_gaps();
        diagram
    }

    /// The projected ropes, in the order of the tubes.
    pub fn strands(&self) -> &[Strand] {
        &self.strands
    }

    /// All crossings, in a fixed order.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// The crossings along a strand in the order of their canvas length: that length, the index
    /// of the crossing, and whether the strand passes over. None for an index beyond the strands.
    pub fn visits(&self, strand: usize) -> &[(f64, usize, bool)] {
        self.visits.get(strand).map_or(&[], Vec::as_slice)
    }

    /// The crossings of one strand with another; of a strand with itself when both are equal.
    pub fn crossings_between(&self, first: usize, second: usize) -> impl Iterator<Item = &Crossing> {
        self.crossings.iter().filter(move |crossing| {
            let (over, under) = (crossing.over.strand, crossing.under.strand);
            (over, under) == (first, second) || (over, under) == (second, first)
        })
    }

    fn collect_visits(&self, strand: usize) -> Vec<(f64, usize, bool)> {
        let mut visits = Vec::new();
        for (index, crossing) in self.crossings.iter().enumerate() {
            for (visit, over) in [(&crossing.over, true), (&crossing.under, false)] {
                if visit.strand == strand {
                    visits.push((visit.along, index, over));
                }
            }
        }
        visits.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        visits
    }

    fn measure_gaps(&mut self) {
        for (strand, visits) in self.strands.iter().zip(&self.visits) {
            let length = strand.length();
            for (at, (along, index, over)) in visits.iter().enumerate() {
                let before = match at.checked_sub(1) {
                    Some(previous) => along - visits[previous].0,
                    None if strand.closed => along + length - visits[visits.len() - 1].0,
                    None => *along,
                };
                let after = match visits.get(at + 1) {
                    Some(next) => next.0 - along,
                    None if strand.closed => length - along + visits[0].0,
                    None => length - along,
                };
                let crossing = &mut self.crossings[*index];
                let visit = if *over { &mut crossing.over } else { &mut crossing.under };
                (visit.before, visit.after) = (before, after);
            }
        }
    }
}

impl Strand {
    fn new(tube: &Tube<'_>, camera: &Camera) -> Strand {
        let points: Vec<_> = tube.curve.points().iter().map(|point| camera.project(*point)).collect();
        let half_widths = points.iter().map(|p| tube.radius * camera.scale_at(p.depth)).collect();
        let closed = tube.curve.is_closed();
        let mut along = vec![0.0];
        let mut total = 0.0;
        for index in 0..tube.curve.segment_count() {
            let (a, b) = (&points[index], &points[(index + 1) % points.len()]);
            total += planar_distance(a, b);
            along.push(total);
        }
        Strand { points, half_widths, closed, along }
    }

    /// The whole length on the canvas.
    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// The number of segments.
    pub fn segment_count(&self) -> usize {
        self.along.len() - 1
    }

    /// The canvas length at the beginning of a segment.
    pub fn start(&self, segment: usize) -> f64 {
        self.along[segment.min(self.along.len() - 1)]
    }

    /// The two ends of a segment; an index beyond the last one wraps around.
    pub fn segment(&self, index: usize) -> (Projected, Projected) {
        let index = index % self.segment_count();
        (self.points[index], self.points[(index + 1) % self.points.len()])
    }

    /// The index of a vertex and the turns before it: on a closed strand vertices go on below 0 and
    /// beyond the last one, on an open one they are cut to its ends.
    fn vertex(&self, vertex: i64) -> (usize, f64) {
        let count = self.segment_count() as i64;
        if self.closed {
            (vertex.rem_euclid(count) as usize, vertex.div_euclid(count) as f64)
        } else {
            (vertex.clamp(0, count) as usize, 0.0)
        }
    }

    /// How far apart two canvas lengths are along the strand, the shorter way on a closed one.
    pub fn distance_along(&self, a: f64, b: f64) -> f64 {
        let gap = (a - b).abs();
        if self.closed { gap.min((self.length() - gap).abs()) } else { gap }
    }
}

fn planar_distance(a: &Projected, b: &Projected) -> f64 {
    let (x, y) = (b.x - a.x, b.y - a.y);
    (x * x + y * y).sqrt()
}

fn edges(strands: &[Strand]) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut number = 0;
    for (strand, projected) in strands.iter().enumerate() {
        let make = |(at, p): (usize, &Projected)| Vertex::new(p.x, p.y, number + at);
        let vertices: Vec<_> = projected.points.iter().enumerate().map(make).collect();
        number += vertices.len();
        for index in 0..projected.segment_count() {
            let (a, b) = projected.segment(index);
            // Wider by more than a vertex is rounded and moved.
            let low = (a.x.min(b.x) - 0.01, a.y.min(b.y) - 0.01);
            let high = (a.x.max(b.x) + 0.01, a.y.max(b.y) + 0.01);
            let ends = (vertices[index], vertices[(index + 1) % vertices.len()]);
            edges.push(Edge { strand, index, ends, low, high });
        }
    }
    edges
}

/// Whether two edges are the same or share a vertex.
fn strands_adjoin(strands: &[Strand], a: &Edge, b: &Edge) -> bool {
    let gap = a.index.abs_diff(b.index);
    let strand = &strands[a.strand];
    a.strand == b.strand && (gap <= 1 || strand.closed && gap + 1 == strand.segment_count())
}

fn crossing(tubes: &[Tube<'_>], strands: &[Strand], camera: &Camera, a: &Edge, b: &Edge) -> Crossing {
    let (share_a, share_b) = orientation::meeting(a.ends, b.ends);
    let visit = |edge: &Edge, seen: f64| {
        let strand = &strands[edge.strand];
        let (from, to) = strand.segment(edge.index);
        let share = camera.share_in_space(seen, from.depth, to.depth);
        let curve = tubes[edge.strand].curve;
        let depth = from.depth + (to.depth - from.depth) * share;
        let (start, end) = (curve.start(edge.index), curve.start(edge.index + 1));
        let length = strand.start(edge.index + 1) - strand.start(edge.index);
        let visit = Visit {
            strand: edge.strand,
            position: start + (end - start) * share,
            along: strand.start(edge.index) + length * seen,
            half_width: tubes[edge.strand].radius * camera.scale_at(depth),
            depth,
            before: 0.0,
            after: 0.0,
        };
        let at = (from.x + (to.x - from.x) * seen, from.y + (to.y - from.y) * seen);
        (visit, at, (to.x - from.x, to.y - from.y))
    };
    let (first, at, along_a) = visit(a, share_a);
    let (second, _, along_b) = visit(b, share_b);
    let cross = along_a.0 * along_b.1 - along_a.1 * along_b.0;
    let dot = along_a.0 * along_b.0 + along_a.1 * along_b.1;
    let first_over = first.depth <= second.depth;
    // With y downward the over strand turned counterclockwise onto the under strand has a
    // negative cross product; that is the right-handed crossing.
    let sign = if (cross < 0.0) == first_over { 1 } else { -1 };
    let (over, under) = if first_over { (first, second) } else { (second, first) };
    let angle_degrees = libm::atan2(cross.abs(), dot.abs()).to_degrees();
    Crossing { over, under, x: at.0, y: at.1, angle_degrees, sign }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod things_tests;
