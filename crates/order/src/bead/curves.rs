//! The shapes of strings, before they are turned towards a viewer: flat enough that they can be read
//! from above (along z), and so bent that the nearest bead is seldom the next one.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};
use topotrace_core::{Flaw, SemanticRng};
use topotrace_space::nalgebra::Point3;
use topotrace_space::{Curve, shapes};

/// How tangled a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CurveClass {
    /// An arc, a spiral, an S, a helix, a horseshoe or a ring with a waist.
    Simple,
    /// A spline, a Lissajous curve, loops along an arc, or a ring of curled lobes.
    Complex,
    /// A torus knot.
    Knotted,
}

/// Points of a curve before it is resampled.
const POINTS: usize = 360;

/// A random curve of a class; `open` asks for an open one, which no knot is.
pub(super) fn draw_curve(class: CurveClass, open: bool, rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    match (class, open) {
        (CurveClass::Simple, true) => match rng.below(3) {
            0 => arc(rng),
            1 => s_curve(rng),
            _ => helix(rng),
        },
        (CurveClass::Simple, false) if rng.percent(75) => horseshoe(rng),
        (CurveClass::Simple, false) => {
            let waves = [(2, rng.uniform(0.1, 0.42)), (3, rng.uniform(0.0, 0.2))];
            ring(&waves, 0.0, rng)
        }
        (CurveClass::Complex, true) => match rng.below(3) {
            0 => spline(false, rng),
            1 => loops(rng),
            _ => opened(&lissajous(rng)?, rng),
        },
        (CurveClass::Complex, false) => match rng.below(3) {
            0 => spline(true, rng),
            1 => {
                let waves = [(rng.between(3..=5), rng.uniform(0.35, 0.5)), (2, rng.uniform(0.0, 0.15))];
                ring(&waves, rng.uniform(0.7, 1.5), rng)
            }
            _ => lissajous(rng),
        },
        (CurveClass::Knotted, _) => torus_knot(rng),
    }
}

/// Most of a circle, or a spiral of more than one turn, bent out of its plane.
fn arc(rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let spiral = rng.percent(60);
    let (degrees, drift) = match spiral {
        true => (rng.uniform(420.0, 580.0), rng.uniform(1.2, 1.8)),
        false => (rng.uniform(270.0, 345.0), rng.uniform(0.0, 0.3)),
    };
    let (squash, bend) = (rng.uniform(0.7, 1.0), rng.uniform(-0.4, 0.4));
    let mut at = 0.0;
    shapes::arc(1.0, degrees, POINTS)?.mapped(|point| {
        at += 1.0 / POINTS as f64;
        let grown = 1.0 + drift * at;
        Point3::new(grown * point.x, squash * grown * point.y, bend * libm::sin(TAU * at))
    })
}

fn s_curve(rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let (squash, bend) = (rng.uniform(0.5, 0.8), rng.uniform(-0.3, 0.3));
    let lean = rng.uniform(-0.3, 0.3);
    shapes::s_curve(1.0, POINTS)?.mapped(|point| {
        Point3::new(point.x + lean * point.y, squash * point.y, bend * libm::sin(2.0 * point.x))
    })
}

/// A helix seen from the side and a little along its axis, so that its turns come near each other.
fn helix(rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let (sin, cos) = libm::sincos(rng.uniform(-0.9, 0.9));
    let helix = shapes::helix(1.0, rng.uniform(0.75, 1.25), rng.uniform(1.6, 2.6), POINTS)?;
    helix.mapped(|p| Point3::new(cos * p.x - sin * p.z, p.y, sin * p.x + cos * p.z))
}

/// A long flat ring bent around a center, so that its two sides run side by side.
fn horseshoe(rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let (half_angle, width) = (rng.uniform(95.0, 150.0).to_radians(), rng.uniform(0.22, 0.36));
    let (height, phase) = (rng.uniform(0.05, 0.3), rng.uniform(0.0, TAU));
    shapes::ring(1.0, POINTS)?.mapped(|point| {
        let (sin, cos) = libm::sincos(half_angle * point.x);
        let distance = 1.0 + width * point.y;
        Point3::new(distance * sin, distance * cos, height * libm::sin(2.0 * point.x + phase))
    })
}

/// A ring whose distance from the middle and whose height rise and fall, twisted around the middle by
/// `swirl` radians for each unit of distance.
fn ring(waves: &[(u32, f64)], swirl: f64, rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let waves: Vec<_> = waves.iter().map(|wave| (*wave, rng.uniform(0.0, TAU))).collect();
    let (rises, height, phase) = (rng.between(1..=4), rng.uniform(0.05, 0.3), rng.uniform(0.0, TAU));
    let (squash, swirl) = (rng.uniform(0.7, 1.0), if rng.percent(50) { swirl } else { -swirl });
    shapes::ring(1.0, POINTS)?.mapped(|point| {
        let angle = libm::atan2(point.y, point.x);
        let wave =
            |((count, size), shift): &((u32, f64), f64)| size * libm::cos(f64::from(*count) * angle + shift);
        let distance = 1.0 + waves.iter().map(wave).sum::<f64>();
        let (sin, cos) = libm::sincos(angle + swirl * distance);
        let up = height * libm::sin(f64::from(rises) * angle + phase);
        Point3::new(distance * cos, squash * distance * sin, up)
    })
}

/// Loops along an arc, as in joined-up writing.
fn loops(rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let (turns, phase) = (rng.uniform(1.8, 3.3), rng.uniform(0.0, TAU));
    let (half_angle, radius) = (rng.uniform(0.9, 1.9), rng.uniform(0.26, 0.4));
    let (stretch, rise) = (rng.uniform(0.8, 1.2), rng.uniform(0.3, 0.9));
    let (waves, shift) = (rng.uniform(0.6, 1.6), rng.uniform(0.0, TAU));
    shapes::helix(1.0, 1.0, turns, POINTS)?.mapped(|point| {
        // The helix's own parameter, from 0 to 1.
        let t = point.x / turns + 0.5;
        let (sin_loop, cos_loop) = libm::sincos(TAU * turns * t + phase);
        let angle = half_angle * (2.0 * t - 1.0) + radius * stretch * sin_loop;
        let distance = 1.0 + radius * cos_loop;
        let (sin, cos) = libm::sincos(angle);
        let up = 0.3 * libm::sin(TAU * waves * t + shift) + rise * t;
        Point3::new(distance * sin, distance * cos, up)
    })
}

/// A closed curve that swings a few times along each axis.
fn lissajous(rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let turns = *rng.pick(&[[1, 2], [1, 3], [2, 3], [2, 3]]);
    let phases = [0, 1, 2].map(|_| rng.unit());
    let rises = *rng.pick(&[3, 5, 7]);
    let sizes = [1.0, rng.uniform(0.7, 1.0), rng.uniform(0.25, 0.45)];
    shapes::lissajous([turns[0], turns[1], rises], phases, sizes, POINTS)
}

/// A closed curve with a piece cut out.
fn opened(curve: &Curve, rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let start = rng.uniform(0.0, curve.length());
    let length = curve.length() * rng.uniform(0.75, 0.92);
    let at = |index: usize| curve.point_at(start + length * index as f64 / (POINTS - 1) as f64);
    Curve::new((0..POINTS).map(at).collect(), false)
}

fn spline(closed: bool, rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let controls = rng.between(6..=8) as usize;
    shapes::random_spline(rng, controls, [1.0, 1.0, 0.6], closed, POINTS)
}

/// Windings around the axis and around the tube, and tube radii at which the crossings lie well apart.
const TORUS_KNOTS: [(u32, u32, f64, f64); 6] = [
    (2, 3, 0.36, 0.80),
    (2, 5, 0.30, 0.60),
    (2, 7, 0.27, 0.42),
    (2, 9, 0.25, 0.31),
    (3, 4, 0.63, 0.76),
    (3, 5, 0.70, 0.80),
];

/// A torus knot, stretched and shifted off its axis.
fn torus_knot(rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let (p, q, low, high) = *rng.pick(&TORUS_KNOTS);
    let (squash, shift) = (rng.uniform(0.85, 1.0), rng.uniform(0.0, 0.1));
    let mirror = if rng.percent(50) { 1.0 } else { -1.0 };
    shapes::torus_knot(p, q, 1.0, rng.uniform(low, high), POINTS)?
        .mapped(|point| Point3::new(point.x * (1.0 + shift * point.y), squash * point.y, mirror * point.z))
}
