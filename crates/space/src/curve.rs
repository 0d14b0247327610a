use nalgebra::{Point3, Vector3};
use topotrace_core::{Flaw, ensure};

/// The most points of a curve.
pub const MAX_POINTS: usize = 8192;
/// The largest absolute coordinate of a point, in world units.
pub const MAX_COORDINATE: f64 = 1024.0;
/// Steps of a quantized coordinate in one world unit.
pub const QUANTA: f64 = 1024.0;

/// A polyline in space, open or closed; the center line of a rope.
///
/// It has 2 (open) or 3 (closed) to [`MAX_POINTS`] points with coordinates up to
/// [`MAX_COORDINATE`], and no two successive points are equal. Positions along it are arc lengths
/// in world units from the first point: on a closed curve they wrap around, on an open one they
/// are cut to its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    points: Vec<Point3<f64>>,
    closed: bool,
    /// The arc length at each point and, last, the whole length.
    starts: Vec<f64>,
}

impl Curve {
    /// A curve through `points`; a closed one returns from the last to the first.
    ///
    /// # Errors
    /// When the points are too few, too many, too far out, not numbers, or two successive ones
    /// are equal.
    pub fn new(points: Vec<Point3<f64>>, closed: bool) -> Result<Curve, Flaw> {
        let fewest = if closed { 3 } else { 2 };
        let count = points.len();
        ensure((fewest..=MAX_POINTS).contains(&count), || {
            format!("a curve has {count} points; allowed: {fewest} to {MAX_POINTS}")
        })?;
        for (index, point) in points.iter().enumerate() {
            let fine = point.iter().all(|value| value.abs() <= MAX_COORDINATE);
            ensure(fine, || {
                format!("point {index} of a curve has a coordinate beyond {MAX_COORDINATE}: {point}")
            })?;
        }
        let segments = if closed { count } else { count - 1 };
        let mut starts = Vec::with_capacity(segments + 1);
        let mut at = 0.0;
        for index in 0..segments {
            starts.push(at);
            let next = (index + 1) % count;
            let length = (points[next] - points[index]).norm();
            ensure(length > 0.0, || format!("points {index} and {next} of a curve are equal"))?;
            at += length;
        }
        starts.push(at);
        Ok(Curve { points, closed, starts })
    }

    /// The curve of a quantized center line; the inverse of [`Curve::quantized`] up to rounding.
    ///
    /// # Errors
    /// As [`Curve::new`].
    pub fn from_quantized(points: &[[i32; 3]], closed: bool) -> Result<Curve, Flaw> {
        Curve::new(
            points.iter().map(|point| Point3::from(point.map(|v| f64::from(v) / QUANTA))).collect(),
            closed,
        )
    }

    /// The points in whole steps of 1 / [`QUANTA`] of a world unit, rounded to the nearest.
    /// Successive points that become equal are kept once.
    pub fn quantized(&self) -> Vec<[i32; 3]> {
        let round = |point: &Point3<f64>| [point.x, point.y, point.z].map(|v| (v * QUANTA).round() as i32);
        let mut steps: Vec<_> = self.points.iter().map(round).collect();
        steps.dedup();
        if self.closed && steps.len() > 1 && steps.first() == steps.last() {
            steps.pop();
        }
        steps
    }

    /// The points, in order.
    pub fn points(&self) -> &[Point3<f64>] {
        &self.points
    }

    /// Whether the last point is joined to the first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The whole arc length in world units.
    pub fn length(&self) -> f64 {
        self.starts.last().copied().unwrap_or(0.0)
    }

    /// The number of segments: one less than points on an open curve.
    pub fn segment_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The two ends of a segment; an index beyond the last one wraps around.
    pub fn segment(&self, index: usize) -> (Point3<f64>, Point3<f64>) {
        let index = index % self.segment_count();
        (self.points[index], self.points[(index + 1) % self.points.len()])
    }

    /// The arc length at the beginning of a segment, and after the last one the whole length.
    pub fn start(&self, index: usize) -> f64 {
        self.starts[index.min(self.starts.len() - 1)]
    }

    /// The position within the curve: wrapped around or cut to the ends; 0 for what is no number.
    pub fn normalized(&self, position: f64) -> f64 {
        let length = self.length();
        if !position.is_finite() {
            0.0
        } else if self.closed {
            let turns = (position / length).floor();
            (position - turns * length).clamp(0.0, length)
        } else {
            position.clamp(0.0, length)
        }
    }

    /// How far apart two positions are along the curve, the shorter way on a closed one.
    pub fn distance_along(&self, a: f64, b: f64) -> f64 {
        let gap = (self.normalized(a) - self.normalized(b)).abs();
        if self.closed { gap.min(self.length() - gap) } else { gap }
    }

    /// The segment that holds a position and the share of it that lies before.
    pub fn locate(&self, position: f64) -> (usize, f64) {
        let position = self.normalized(position);
        let index =
            self.starts.partition_point(|start| *start <= position).clamp(1, self.segment_count()) - 1;
        let length = self.starts[index + 1] - self.starts[index];
        (index, ((position - self.starts[index]) / length).clamp(0.0, 1.0))
    }

    /// The point at a position.
    pub fn point_at(&self, position: f64) -> Point3<f64> {
        let (index, share) = self.locate(position);
        let (from, to) = self.segment(index);
        from + (to - from) * share
    }

    /// The unit direction at a position. It turns evenly along each segment, from the mean of the
    /// directions on both sides of its first point to that at its last one.
    pub fn tangent_at(&self, position: f64) -> Vector3<f64> {
        let (index, share) = self.locate(position);
        let (from, to) = (self.tangent_of_point(index), self.tangent_of_point(index + 1));
        let (a, b) = self.segment(index);
        (from * (1.0 - share) + to * share).try_normalize(1e-9).unwrap_or_else(|| (b - a).normalize())
    }

    fn tangent_of_point(&self, index: usize) -> Vector3<f64> {
        let count = self.points.len();
        let direction = |segment: usize| {
            let (from, to) = self.segment(segment);
            (to - from).normalize()
        };
        if self.closed {
            return direction(index % count) + direction((index + count - 1) % count);
        }
        direction(index.min(count - 2)) + direction(index.max(1) - 1)
    }

    /// `count` points at equal arc lengths; the ends of an open curve stay.
    ///
    /// # Errors
    /// As [`Curve::new`], for `count` points.
    pub fn resampled(&self, count: usize) -> Result<Curve, Flaw> {
        let steps = if self.closed { count } else { count.saturating_sub(1) }.max(1);
        let step = self.length() / steps as f64;
        ensure(count <= MAX_POINTS, || format!("{count} points are more than {MAX_POINTS}"))?;
        let mut points: Vec<_> = (0..count).map(|index| self.point_at(index as f64 * step)).collect();
        if let (false, Some(last), Some(end)) = (self.closed, points.last_mut(), self.points.last()) {
            *last = *end;
        }
        Curve::new(points, self.closed)
    }

    /// A smooth curve through the same points with `pieces` segments for each of them: a
    /// Catmull–Rom spline with chord lengths as knots, which neither overshoots nor loops as much
    /// as the uniform one where points lie unevenly.
    ///
    /// # Errors
    /// As [`Curve::new`], for the new number of points.
    pub fn smoothed(&self, pieces: usize) -> Result<Curve, Flaw> {
        let count = self.points.len();
        let pieces = pieces.clamp(1, MAX_POINTS);
        let mut points = Vec::new();
        for index in 0..self.segment_count() {
            let (from, to) = self.segment(index);
            let (start, end) = (self.slope(index), self.slope((index + 1) % count));
            let length = self.starts[index + 1] - self.starts[index];
            for piece in 0..pieces {
                let t = piece as f64 / pieces as f64;
                let (square, cube) = (t * t, t * t * t);
                points.push(
                    from + (to - from) * (3.0 * square - 2.0 * cube)
                        + (start * (cube - 2.0 * square + t) + end * (cube - square)) * length,
                );
            }
            ensure(points.len() <= MAX_POINTS, || format!("a curve has more than {MAX_POINTS} points"))?;
        }
        if !self.closed {
            points.extend(self.points.last());
        }
        Curve::new(points, self.closed)
    }

    /// The derivative by arc length at a point: of the parabola through it and its neighbors.
    fn slope(&self, index: usize) -> Vector3<f64> {
        let count = self.points.len();
        if !self.closed && (index == 0 || index + 1 == count) {
            let (from, to) = self.segment(index.min(count - 2));
            return (to - from).normalize();
        }
        let before = self.points[(index + count - 1) % count];
        let (here, after) = (self.points[index], self.points[(index + 1) % count]);
        let (left, right) = ((here - before).norm(), (after - here).norm());
        ((here - before) / left * right + (after - here) / right * left) / (left + right)
    }

    /// The curve of the images of all points.
    ///
    /// # Errors
    /// As [`Curve::new`].
    pub fn mapped(&self, image: impl FnMut(&Point3<f64>) -> Point3<f64>) -> Result<Curve, Flaw> {
        Curve::new(self.points.iter().map(image).collect(), self.closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use proptest::prelude::*;

    #[test]
    fn positions_wrap_around_or_stop() {
        let square = [[0, 0, 0], [1024, 0, 0], [1024, 1024, 0], [0, 1024, 0]];
        let closed = Curve::from_quantized(&square, true).unwrap();
        let open = Curve::from_quantized(&square, false).unwrap();
        assert_eq!((closed.length(), open.length()), (4.0, 3.0));
        assert_eq!(closed.point_at(-0.5), Point3::new(0.0, 0.5, 0.0));
        assert_eq!(closed.point_at(9.25), Point3::new(1.0, 0.25, 0.0));
        assert_eq!(open.point_at(9.25), Point3::new(0.0, 1.0, 0.0));
        assert_eq!(open.point_at(f64::NAN), Point3::origin());
        assert_eq!(closed.distance_along(0.25, 3.75), 0.5);
        assert_eq!(open.distance_along(0.25, 2.75), 2.5);
        assert!((closed.tangent_at(0.0) - Vector3::new(1.0, -1.0, 0.0).normalize()).norm() < 1e-12);
        assert_eq!(open.tangent_at(0.0), Vector3::x());
    }

    #[test]
    fn what_makes_no_curve_is_refused() {
        let p = |x: f64| Point3::new(x, 0.0, 0.0);
        for (points, closed) in [
            (vec![], false),
            (vec![p(0.0)], false),
            (vec![p(0.0), p(1.0)], true),
            (vec![p(0.0), p(0.0)], false),
            (vec![p(0.0), p(1.0), p(0.0)], true),
            (vec![p(0.0), p(f64::NAN)], false),
            (vec![p(0.0), p(1025.0)], false),
            (vec![p(0.0), p(f64::INFINITY)], false),
        ] {
            assert!(Curve::new(points.clone(), closed).is_err(), "{points:?}");
        }
        assert!(Curve::from_quantized(&[[i32::MIN; 3], [i32::MAX; 3]], false).is_err());
        let ring = shapes::ring(1.0, 30).unwrap();
        assert!(ring.resampled(2).is_err() && ring.resampled(usize::MAX).is_err());
        assert!(ring.smoothed(usize::MAX).is_err());
    }

    #[test]
    fn smoothing_a_coarse_ring_makes_it_round() {
        let ring = shapes::ring(2.0, 12).unwrap().smoothed(16).unwrap();
        for index in 0..ring.segment_count() {
            let (a, b) = ring.segment(index);
            let radius = nalgebra::center(&a, &b).coords.norm();
            assert!((radius - 2.0).abs() < 0.01, "{radius}");
        }
    }

    proptest! {
        #[test]
        fn resampling_gives_equal_steps_and_quantizing_little_change(
            count in 40_usize..300, closed in any::<bool>(), seed in any::<u64>(),
        ) {
            let mut rng = topotrace_core::SemanticRng::from_seed(seed);
            let curve = shapes::random_spline(&mut rng, 7, [3.0, 2.0, 1.0], closed, 400).unwrap();
            let even = curve.resampled(count).unwrap();
            prop_assert_eq!(even.points().len(), count);
            let step = curve.length() / even.segment_count() as f64;
            prop_assert!(even.length() > 0.9 * curve.length());
            for index in 0..even.segment_count() {
                let length = even.start(index + 1) - even.start(index);
                prop_assert!(length <= step + 1e-9);
            }
            let back = Curve::from_quantized(&even.quantized(), closed).unwrap();
            for (a, b) in even.points().iter().zip(back.points()) {
                prop_assert!((a - b).amax() <= 0.5 / QUANTA + 1e-9);
            }
        }
    }
}
