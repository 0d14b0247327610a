use nalgebra::Point3;

use crate::Curve;

/// The least distance between two segments in space.
///
/// Closest points by the case analysis of Ericson, Real-Time Collision Detection (2005),
/// section 5.1.9; exact up to rounding, also for parallel segments and single points.
pub fn segment_distance(a: (Point3<f64>, Point3<f64>), b: (Point3<f64>, Point3<f64>)) -> f64 {
    let (along_a, along_b, between) = (a.1 - a.0, b.1 - b.0, a.0 - b.0);
    let (square_a, square_b) = (along_a.norm_squared(), along_b.norm_squared());
    let (from_a, from_b, mixed) = (along_a.dot(&between), along_b.dot(&between), along_a.dot(&along_b));
    let share = |above: f64, below: f64| if below > 0.0 { (above / below).clamp(0.0, 1.0) } else { 0.0 };
    let spread = square_a * square_b - mixed * mixed;
    let mut s = share(mixed * from_b - from_a * square_b, spread);
    let mut t = share(mixed * s + from_b, square_b);
    // Once t is cut to its segment, s is the nearest to that end, and once more for a parallel pair.
    s = share(mixed * t - from_a, square_a);
    t = share(mixed * s + from_b, square_b);
    (between + along_a * s - along_b * t).norm()
}

/// The least distance between two different curves, in world units.
pub fn least_distance_between(a: &Curve, b: &Curve) -> f64 {
    let (a, b) = (balls(a), balls(b));
    let mut least = f64::INFINITY;
    for first in &a {
        for second in &b {
            least = nearer(first, second, least);
        }
    }
    least
}

/// The least distance between two pieces of the curves, of different curves or of one: on the
/// same curve only pieces at least `neighborhood` apart along it count. Infinite when there is no
/// such pair.
///
/// All pairs of segments whose bounding balls are not already farther apart than the least
/// distance found are measured exactly.
pub fn least_distance(curves: &[Curve], neighborhood: f64) -> f64 {
    let mut least = f64::INFINITY;
    let all: Vec<_> = curves.iter().map(balls).collect();
    for (index, (curve, own)) in curves.iter().zip(&all).enumerate() {
        for other in &all[..index] {
            for first in own {
                for second in other {
                    least = nearer(first, second, least);
                }
            }
        }
        for (at, first) in own.iter().enumerate() {
            for (later, second) in own.iter().enumerate().skip(at + 1) {
                if gap_along(curve, at, later) >= neighborhood {
                    least = nearer(first, second, least);
                }
            }
        }
    }
    least
}

/// The arc length between the nearest ends of two segments of a curve, `first` before `second`.
pub(crate) fn gap_along(curve: &Curve, first: usize, second: usize) -> f64 {
    let between = curve.start(second) - curve.start(first + 1);
    if !curve.is_closed() {
        return between;
    }
    between.min(curve.length() - curve.start(second + 1) + curve.start(first))
}

/// A segment and the ball around it.
struct Ball {
    segment: (Point3<f64>, Point3<f64>),
    middle: Point3<f64>,
    radius: f64,
}

fn balls(curve: &Curve) -> Vec<Ball> {
    (0..curve.segment_count())
        .map(|index| {
            let segment = curve.segment(index);
            let middle = nalgebra::center(&segment.0, &segment.1);
            Ball { segment, middle, radius: (segment.0 - middle).norm() }
        })
        .collect()
}

fn nearer(a: &Ball, b: &Ball, least: f64) -> f64 {
    let reach = least + a.radius + b.radius;
    if (a.middle - b.middle).norm_squared() >= reach * reach {
        return least;
    }
    least.min(segment_distance(a.segment, b.segment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use proptest::prelude::*;

    fn sampled(a: (Point3<f64>, Point3<f64>), b: (Point3<f64>, Point3<f64>)) -> f64 {
        let mut least = f64::INFINITY;
        for s in 0..=60 {
            for t in 0..=60 {
                let p = a.0 + (a.1 - a.0) * (f64::from(s) / 60.0);
                let q = b.0 + (b.1 - b.0) * (f64::from(t) / 60.0);
                least = least.min((p - q).norm());
            }
        }
        least
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn distance_agrees_with_sampling(values in proptest::collection::vec(-4..5_i8, 12), far in 0.0..1.0_f64) {
            // Small whole coordinates: parallel, crossing and degenerate segments are frequent.
            let p = |at: usize| Point3::new(f64::from(values[at]), f64::from(values[at + 1]), f64::from(values[at + 2]) * far);
            let (a, b) = ((p(0), p(3)), (p(6), p(9)));
            let (found, rough) = (segment_distance(a, b), sampled(a, b));
            let step = ((a.1 - a.0).norm() + (b.1 - b.0).norm()) / 60.0;
            prop_assert!(found <= rough + 1e-9 && found >= rough - step, "{} {}", found, rough);
            prop_assert!((found - segment_distance(b, a)).abs() < 1e-9);
        }
    }

    #[test]
    fn known_distances() {
        let ring = shapes::ring(1.0, 400).unwrap();
        let other = ring.mapped(|p| Point3::new(p.x + 1.0, p.z, p.y)).unwrap();
        assert!((least_distance_between(&ring, &other) - 1.0).abs() < 1e-3);
        assert!((least_distance(&[ring.clone(), other], 1.0) - 2.0 * libm::sin(0.5)).abs() < 0.02);
        assert_eq!(least_distance(&[ring], 4.0), f64::INFINITY);
        // The two strands of a (2, 3) torus knot are nearly opposite each other on its tube.
        let knot = shapes::torus_knot(2, 3, 2.0, 0.8, 300).unwrap();
        let found = least_distance(std::slice::from_ref(&knot), 1.5);
        assert!((1.3..1.6).contains(&found), "{found}");
    }
}
