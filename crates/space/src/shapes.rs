//! The usual curves, around the origin, as polylines of a given number of points.
//!
//! Every function fails as [`Curve::new`] does: when the number of points is too small or too
//! large or a size is no number, 0 or too large.

use std::f64::consts::{PI, TAU};

use nalgebra::Point3;
use topotrace_core::{Flaw, Rng, ensure, ensure_within};

use crate::Curve;

/// Samples `shape` at even parameters from 0 to 1, the end left out for a closed curve.
fn sampled(points: usize, closed: bool, shape: impl Fn(f64) -> [f64; 3]) -> Result<Curve, Flaw> {
    ensure_within("points", points, 2, crate::MAX_POINTS)?;
    let steps = if closed { points } else { points - 1 };
    Curve::new((0..points).map(|at| Point3::from(shape(at as f64 / steps as f64))).collect(), closed)
}

/// An arc of a circle in the plane z = 0, of the given angle, its middle at the top (+y).
pub fn arc(radius: f64, degrees: f64, points: usize) -> Result<Curve, Flaw> {
    let half = degrees / 360.0 * PI;
    sampled(points, false, |t| {
        let (sin, cos) = libm::sincos(PI / 2.0 + half * (1.0 - 2.0 * t));
        [radius * cos, radius * sin, 0.0]
    })
}

/// An S in the plane z = 0: two arcs of a circle of `radius` and 240°, joined at the origin.
pub fn s_curve(radius: f64, points: usize) -> Result<Curve, Flaw> {
    sampled(points, false, |t| {
        // One half; the other is its mirror image through the origin.
        let (side, u) = if t < 0.5 { (1.0, 1.0 - 2.0 * t) } else { (-1.0, 2.0 * t - 1.0) };
        let (sin, cos) = libm::sincos(-PI / 2.0 + u * PI * 4.0 / 3.0);
        [side * radius * cos, side * radius * (1.0 + sin), 0.0]
    })
}

/// A helix around the x axis; `pitch` is its advance in one turn.
pub fn helix(radius: f64, pitch: f64, turns: f64, points: usize) -> Result<Curve, Flaw> {
    sampled(points, false, |t| {
        let (sin, cos) = libm::sincos(TAU * turns * t);
        [pitch * turns * (t - 0.5), radius * sin, radius * cos]
    })
}

/// A circle in the plane z = 0.
pub fn ring(radius: f64, points: usize) -> Result<Curve, Flaw> {
    wavy_ring(radius, 0, 0.0, points)
}

/// A circle whose height rises and falls `waves` times between `-height` and `height`.
pub fn wavy_ring(radius: f64, waves: u32, height: f64, points: usize) -> Result<Curve, Flaw> {
    sampled(points, true, |t| {
        let (sin, cos) = libm::sincos(TAU * t);
        [radius * cos, radius * sin, height * libm::sin(TAU * f64::from(waves) * t)]
    })
}

/// The torus knot that winds `q` times around the tube (of radius `minor`) of a torus while it
/// winds `p` times around its axis, the z axis, at the distance `major`: (2, 3) is the trefoil.
///
/// # Errors
/// As [`Curve::new`], and when `p` or `q` is not from 1 to 64 or they have a common divisor, which
/// would make a link of several rings.
pub fn torus_knot(p: u32, q: u32, major: f64, minor: f64, points: usize) -> Result<Curve, Flaw> {
    ensure_within("p", p, 1, 64)?;
    ensure_within("q", q, 1, 64)?;
    let common = (2..=p.min(q)).find(|divisor| p.is_multiple_of(*divisor) && q.is_multiple_of(*divisor));
    ensure(common.is_none(), || format!("p {p} and q {q} have a common divisor"))?;
    sampled(points, true, |t| {
        let (sin_around, cos_around) = libm::sincos(TAU * f64::from(p) * t);
        let (sin_tube, cos_tube) = libm::sincos(TAU * f64::from(q) * t);
        let distance = major + minor * cos_tube;
        [distance * cos_around, distance * sin_around, minor * sin_tube]
    })
}

/// The figure-eight knot within a ball of about 3 `size`, with four crossings seen along z.
pub fn figure_eight(size: f64, points: usize) -> Result<Curve, Flaw> {
    sampled(points, true, |t| {
        let (sin, cos) = libm::sincos(3.0 * TAU * t);
        let distance = size * (2.0 + libm::cos(2.0 * TAU * t));
        [distance * cos, distance * sin, size * libm::sin(4.0 * TAU * t)]
    })
}

/// A Lissajous curve: a cosine of `turns` periods and a phase in turns along each axis, of the
/// given half sizes.
pub fn lissajous(turns: [u32; 3], phases: [f64; 3], sizes: [f64; 3], points: usize) -> Result<Curve, Flaw> {
    sampled(points, true, |t| {
        std::array::from_fn(|axis| sizes[axis] * libm::cos(TAU * (f64::from(turns[axis]) * t + phases[axis])))
    })
}

/// A smooth curve through `controls` random points (4 to 64) in the box of half sizes `half`,
/// resampled at equal arc length. Successive control points are at least a third of the box's
/// diagonal apart where a hundred draws find one.
///
/// # Errors
/// As [`Curve::new`], and when `controls` is out of range.
pub fn random_spline<S>(
    rng: &mut Rng<S>,
    controls: usize,
    half: [f64; 3],
    closed: bool,
    points: usize,
) -> Result<Curve, Flaw> {
    ensure_within("controls", controls, 4, 64)?;
    let apart = Point3::from(half).coords.norm() * 2.0 / 3.0;
    let mut chosen: Vec<Point3<f64>> = Vec::with_capacity(controls);
    for index in 0..controls {
        let mut draw = || Point3::from(half.map(|size| rng.uniform(-size, size)));
        let mut point = draw();
        for _ in 0..100 {
            let last = index + 1 == controls && closed;
            let near = |other: Option<&Point3<f64>>| other.is_some_and(|o| (o - point).norm() < apart);
            if near(chosen.last()) || last && near(chosen.first()) {
                point = draw();
            } else {
                break;
            }
        }
        chosen.push(point);
    }
    Curve::new(chosen, closed)?.smoothed(64)?.resampled(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topotrace_core::SemanticRng;

    #[test]
    fn sizes_are_as_said() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 2e-3, "{a} {b}");
        near(arc(2.0, 180.0, 300).unwrap().length(), TAU);
        near(ring(1.5, 300).unwrap().length(), 1.5 * TAU);
        near(s_curve(1.0, 300).unwrap().length(), TAU * 4.0 / 3.0);
        near(helix(1.0, 0.5, 3.0, 400).unwrap().length(), 3.0 * (TAU * TAU + 0.25).sqrt());
        let top = arc(2.0, 90.0, 101).unwrap();
        assert!((top.point_at(top.length() / 2.0) - Point3::new(0.0, 2.0, 0.0)).norm() < 1e-9);
        for point in torus_knot(2, 3, 2.0, 0.5, 100).unwrap().points() {
            let around = (point.x * point.x + point.y * point.y).sqrt();
            let tube = (around - 2.0) * (around - 2.0) + point.z * point.z;
            assert!((tube - 0.25).abs() < 1e-9);
        }
    }

    #[test]
    fn the_s_has_no_corner() {
        let curve = s_curve(1.0, 201).unwrap();
        for index in 1..curve.segment_count() {
            let direction = |(a, b): (Point3<f64>, Point3<f64>)| (b - a).normalize();
            assert!(direction(curve.segment(index)).dot(&direction(curve.segment(index - 1))) > 0.99);
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert!(ring(0.0, 10).is_err() && ring(f64::NAN, 10).is_err() && ring(1.0, 2).is_err());
        assert!(ring(1.0, 0).is_err() && ring(1.0, usize::MAX).is_err());
        assert!(torus_knot(0, 3, 2.0, 0.5, 99).is_err() && torus_knot(4, 6, 2.0, 0.5, 99).is_err());
        assert!(lissajous([0, 0, 0], [0.0; 3], [1.0; 3], 50).is_err());
        let mut rng = SemanticRng::from_seed(1);
        assert!(random_spline(&mut rng, 3, [1.0; 3], true, 99).is_err());
        assert!(random_spline(&mut rng, 5, [0.0; 3], true, 99).is_err());
    }
}
