use kurbo::{BezPath, CubicBez, ParamCurve, Point, Vec2};
use topotrace_space::{Camera, Curve};

/// A projected center line as a smooth cubic spline.
///
/// Its parameter counts knots, which lie at equal arc lengths in space; handles follow from
/// neighboring knots (Catmull–Rom), so that the line turns smoothly everywhere.
pub(super) struct Track {
    points: Vec<Point>,
    half_widths: Vec<f64>,
    depths: Vec<f64>,
    /// The canvas length at each knot and, on a closed track, last the whole length.
    along: Vec<f64>,
    closed: bool,
    /// World units between knots.
    step: f64,
}

/// A place on a track.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) point: Point,
    /// The unit direction on the canvas.
    pub(super) direction: Vec2,
    pub(super) half_width: f64,
    pub(super) depth: f64,
}

/// The shortest and the longest canvas length between knots, on the average.
const KNOT_LENGTHS: (f64, f64) = (7.0, 22.0);
/// The most knots of a track.
const MAX_KNOTS: f64 = 2000.0;

impl Track {
    pub(super) fn new(curve: &Curve, radius: f64, camera: &Camera) -> Track {
        let middle = camera.project(curve.point_at(curve.length() / 2.0));
        let scale = camera.scale_at(middle.depth);
        let spacing = (1.5 * radius * scale).clamp(KNOT_LENGTHS.0, KNOT_LENGTHS.1);
        let wanted = (curve.length() * scale / spacing).ceil();
        let pieces = if wanted.is_finite() { wanted.clamp(8.0, MAX_KNOTS) } else { 8.0 };
        let closed = curve.is_closed();
        let (pieces, step) = (pieces as usize, curve.length() / pieces);
        let knots = if closed { pieces } else { pieces + 1 };
        let mut track = Track {
            points: Vec::with_capacity(knots),
            half_widths: Vec::with_capacity(knots),
            depths: Vec::with_capacity(knots),
            along: vec![0.0],
            closed,
            step,
        };
        for knot in 0..knots {
            let seen = camera.project(curve.point_at(knot as f64 * step));
            track.points.push(Point::new(seen.x, seen.y));
            track.half_widths.push(radius * camera.scale_at(seen.depth));
            track.depths.push(seen.depth);
        }
        let mut length = 0.0;
        for piece in 0..pieces {
            length += distance(track.points[piece], track.points[(piece + 1) % knots]);
            track.along.push(length);
        }
        track
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// The parameter at the end: the number of pieces.
    pub(super) fn end(&self) -> f64 {
        (self.along.len() - 1) as f64
    }

    /// The parameter of an arc length in space.
    pub(super) fn parameter(&self, position: f64) -> f64 {
        (position / self.step).clamp(0.0, self.end())
    }

    /// World units in a parameter step of 1.
    pub(super) fn world_step(&self) -> f64 {
        self.step
    }

    /// The canvas length at a parameter; beyond the ends of a closed track it goes on.
    pub(super) fn along(&self, u: f64) -> f64 {
        let (turns, u) = self.wrap(u);
        let piece = (u as usize).min(self.along.len() - 2);
        let share = u - piece as f64;
        turns * self.length() + self.along[piece] + (self.along[piece + 1] - self.along[piece]) * share
    }

    /// The inverse of [`Track::along`].
    pub(super) fn at_along(&self, along: f64) -> f64 {
        let length = self.length();
        let turns = if self.closed && length > 0.0 { (along / length).floor() } else { 0.0 };
        let rest = (along - turns * length).clamp(0.0, length);
        let piece = self.along.partition_point(|start| *start <= rest).clamp(1, self.along.len() - 1) - 1;
        let width = self.along[piece + 1] - self.along[piece];
        let share = if width > 0.0 { ((rest - self.along[piece]) / width).clamp(0.0, 1.0) } else { 0.0 };
        turns * self.end() + piece as f64 + share
    }

    pub(super) fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// The parameter moved by a canvas length, cut at free ends.
    pub(super) fn moved(&self, u: f64, canvas_length: f64) -> f64 {
        self.at_along(self.along(u) + canvas_length)
    }

    pub(super) fn place(&self, u: f64) -> Place {
        let (piece, share) = self.locate(u);
        let cubic = self.cubic(piece);
        let next = (piece + 1) % self.points.len();
        let mix = |values: &[f64]| values[piece] + (values[next] - values[piece]) * share;
        Place {
            point: cubic.eval(share),
            direction: direction(&cubic, share),
            half_width: mix(&self.half_widths),
            depth: mix(&self.depths),
        }
    }

    /// The least and the largest half width between two parameters, at their knots and ends.
    pub(super) fn half_widths(&self, from: f64, to: f64) -> (f64, f64) {
        let inner = (from.ceil() as i64..=to.floor() as i64).map(|knot| knot as f64);
        let all = [from, to].into_iter().chain(inner);
        all.fold((f64::INFINITY, 0.0_f64), |(low, high), u| {
            let (piece, share) = self.locate(u);
            let next = (piece + 1) % self.points.len();
            let half = self.half_widths[piece] + (self.half_widths[next] - self.half_widths[piece]) * share;
            (low.min(half), high.max(half))
        })
    }

    /// Appends the line from one parameter to a later one, shifted.
    pub(super) fn append(&self, from: f64, to: f64, shift: Vec2, path: &mut BezPath) {
        if to <= from {
            return;
        }
        let mut first = true;
        let mut piece = from.floor();
        while piece < to {
            let (low, high) = ((from - piece).max(0.0), (to - piece).min(1.0));
            let mut cubic = self.cubic(self.locate(piece + 0.5).0);
            if low > 0.0 || high < 1.0 {
                cubic = cubic.subsegment(low..high);
            }
            if high - low > 1e-9 {
                if first {
                    path.move_to(cubic.p0 + shift);
                    first = false;
                }
                path.curve_to(cubic.p1 + shift, cubic.p2 + shift, cubic.p3 + shift);
            }
            piece += 1.0;
        }
    }

    /// Appends the whole closed line, shifted.
    pub(super) fn append_closed(&self, shift: Vec2, path: &mut BezPath) {
        self.append(0.0, self.end(), shift, path);
        path.close_path();
    }

    fn wrap(&self, u: f64) -> (f64, f64) {
        let end = self.end();
        if self.closed {
            let turns = (u / end).floor();
            (turns, (u - turns * end).clamp(0.0, end))
        } else {
            (0.0, u.clamp(0.0, end))
        }
    }

    fn locate(&self, u: f64) -> (usize, f64) {
        let (_, u) = self.wrap(u);
        let piece = (u as usize).min(self.along.len() - 2);
        (piece, u - piece as f64)
    }

    fn cubic(&self, piece: usize) -> CubicBez {
        let count = self.points.len();
        let (from, to) = (self.points[piece], self.points[(piece + 1) % count]);
        let slope = |knot: usize| {
            if self.closed {
                return (self.points[(knot + 1) % count] - self.points[(knot + count - 1) % count]) / 2.0;
            }
            // At a free end the parabola through the last three knots.
            if knot == 0 {
                return (self.points[1] - self.points[0]) * 2.0 - (self.points[2] - self.points[0]) / 2.0;
            }
            if knot + 1 == count {
                let (a, b, c) = (self.points[count - 3], self.points[count - 2], self.points[count - 1]);
                return (c - b) * 2.0 - (c - a) / 2.0;
            }
            (self.points[knot + 1] - self.points[knot - 1]) / 2.0
        };
        CubicBez::new(from, from + slope(piece) / 3.0, to - slope((piece + 1) % count) / 3.0, to)
    }
}

fn direction(cubic: &CubicBez, t: f64) -> Vec2 {
    let s = 1.0 - t;
    let derivative = (cubic.p1 - cubic.p0) * (s * s)
        + (cubic.p2 - cubic.p1) * (2.0 * s * t)
        + (cubic.p3 - cubic.p2) * (t * t);
    unit(derivative).or_else(|| unit(cubic.p3 - cubic.p0)).unwrap_or(Vec2::new(1.0, 0.0))
}

pub(super) fn unit(vector: Vec2) -> Option<Vec2> {
    let length = vector.hypot2().sqrt();
    (length > 1e-9).then(|| vector / length)
}

pub(super) fn distance(a: Point, b: Point) -> f64 {
    (b - a).hypot2().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use topotrace_space::{Frame, Lens, View, shapes};

    fn track(curve: &Curve) -> Track {
        let frame = Frame { width: 1024, height: 1024, fill_percent: 80 };
        let camera = Camera::around_points(View::Top, Lens::Orthographic, curve.points(), 0.1, frame);
        Track::new(curve, 0.1, &camera)
    }

    #[test]
    fn a_ring_is_round_and_places_wrap_around() {
        let ring = track(&shapes::ring(1.0, 300).unwrap());
        let center = Point::new(512.0, 512.0);
        let radius = distance(ring.place(0.0).point, center);
        for step in 0..1000 {
            let u = f64::from(step) * 0.377;
            assert!((distance(ring.place(u).point, center) - radius).abs() < 0.05);
            assert!((ring.at_along(ring.along(u)) - u).abs() < 1e-6, "{u}");
        }
        assert!(distance(ring.place(-1.0).point, ring.place(ring.end() - 1.0).point) < 1e-6);
        assert!((ring.moved(0.5, -100.0) - ring.at_along(ring.along(0.5) - 100.0)).abs() < 1e-9);
        let mut path = BezPath::new();
        ring.append(ring.end() - 1.25, ring.end() + 2.5, Vec2::ZERO, &mut path);
        assert_eq!(path.elements().len(), 6);
    }

    #[test]
    fn an_open_track_stops_at_its_ends() {
        let arc = track(&shapes::arc(1.0, 120.0, 200).unwrap());
        assert_eq!(arc.moved(0.5, -1e4), 0.0);
        assert_eq!(arc.moved(0.5, 1e5), arc.end());
        let (from, to) = (arc.place(0.0).point, arc.place(arc.end()).point);
        assert!(from.x < to.x && (from.y - to.y).abs() < 0.01);
    }
}
