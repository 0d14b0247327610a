use nalgebra::{Point3, Vector3};
use topotrace_core::{Flaw, Rng, ensure};

use crate::distance::gap_along;
use crate::{Curve, least_distance};

/// How curves are deformed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deformation {
    /// The least distance that strands keep, in world units: at least the ropes' diameter.
    pub thickness: f64,
    /// The number of steps; each is one random field.
    pub steps: u32,
    /// The largest displacement of a step, in world units.
    pub amplitude: f64,
    /// The radius of a bump of the field, in world units: where it has fallen to 61 %.
    pub width: f64,
    /// The radius of the ball around the origin that no point leaves; infinite for none.
    pub within: f64,
}

/// How often a step that is refused is tried at half its size.
const HALVINGS: u32 = 4;
/// Bumps of one field.
const BUMPS: usize = 3;

/// Deforms curves at random without passing one strand through another, so that knots and links
/// stay what they are. Returns how many steps were made; refused steps are tried smaller and
/// then left out.
///
/// Each step moves every point by a smooth random field (a sum of Gaussian bumps) and is made
/// only if nothing can have passed through anything while the points moved along straight lines:
/// - Let d be the least distance between two pieces of different curves, or of one curve at least
///   two thicknesses apart along it. Every vertex moves by less than d / 2. A point of a segment
///   moves by a mean of its ends' moves, thus by less than d / 2 too, and two such pieces never
///   meet.
/// - Pieces nearer along a curve lie in one short run of segments. For each run there is a
///   direction in which every segment advances, before and after the step. Each segment moves as
///   a mean of the two, so it advances in this direction all the time, and a run that always
///   advances can't meet itself.
///
/// So the polygons stay embedded throughout, which is an isotopy. Afterwards d is at least the
/// thickness again, or the step is refused.
///
/// # Errors
/// When the curves are nearer than the thickness to begin with, fold back within two
/// thicknesses, or a parameter is no positive number.
pub fn deform<S>(curves: &mut [Curve], how: &Deformation, rng: &mut Rng<S>) -> Result<u32, Flaw> {
    for (name, value) in [("thickness", how.thickness), ("amplitude", how.amplitude), ("width", how.width)] {
        ensure(value.is_finite() && value > 0.0, || format!("{name} {value} is not a positive number"))?;
    }
    let neighborhood = 2.0 * how.thickness;
    let mut distance = least_distance(curves, neighborhood);
    ensure(distance >= how.thickness, || {
        format!("curves are {distance} apart, less than the thickness {}", how.thickness)
    })?;
    let advancing = curves.iter().all(|curve| advances(curve, curve, neighborhood));
    ensure(advancing, || "a curve folds back within two thicknesses".to_owned())?;
    if curves.is_empty() {
        return Ok(0);
    }
    let mut made = 0;
    for _ in 0..how.steps {
        let field = Field::random(curves, how, rng);
        let mut size = 1.0;
        for _ in 0..=HALVINGS {
            if let Some((moved, nearest)) = step(curves, &field, size, distance, how) {
                curves.clone_from_slice(&moved);
                distance = nearest;
                made += 1;
                break;
            }
            size /= 2.0;
        }
    }
    Ok(made)
}

/// The curves after the step and their least distance, if the step is allowed.
fn step(
    curves: &[Curve],
    field: &Field,
    size: f64,
    distance: f64,
    how: &Deformation,
) -> Option<(Vec<Curve>, f64)> {
    let neighborhood = 2.0 * how.thickness;
    let mut farthest: f64 = 0.0;
    let mut outside = false;
    let mut moved = Vec::with_capacity(curves.len());
    for curve in curves {
        let image = |point: &Point3<f64>| {
            let shift = field.at(point) * size;
            farthest = farthest.max(shift.norm());
            outside |= (point + shift).coords.norm() > how.within;
            point + shift
        };
        moved.push(curve.mapped(image).ok()?);
    }
    // A little less than half, so that rounding can't matter.
    if outside || farthest > 0.49 * distance {
        return None;
    }
    let kept = curves.iter().zip(&moved).all(|(old, new)| even(old, new) && advances(old, new, neighborhood));
    if !kept {
        return None;
    }
    let nearest = least_distance(&moved, neighborhood);
    (nearest >= how.thickness).then_some((moved, nearest))
}

/// Whether no segment is stretched or shrunk so much that the polyline stops being a good one.
fn even(old: &Curve, new: &Curve) -> bool {
    let mean = new.length() / new.segment_count() as f64;
    (0..new.segment_count()).all(|index| {
        let length = new.start(index + 1) - new.start(index);
        let before = old.start(index + 1) - old.start(index);
        length < (2.0 * mean).max(before) && length > (0.4 * mean).min(before)
    })
}

/// Whether every run of segments in which some are neighbors, in the old or the new curve,
/// advances in one direction in both.
fn advances(old: &Curve, new: &Curve, neighborhood: f64) -> bool {
    let count = old.segment_count();
    let edge = |curve: &Curve, index: usize| {
        let (from, to) = curve.segment(index);
        to - from
    };
    for first in 0..count {
        let mut run = Vec::new();
        for offset in 0..count {
            let index = first + offset;
            if index >= count && !old.is_closed() {
                break;
            }
            let (low, high) = (first.min(index % count), first.max(index % count));
            let near = |curve: &Curve| gap_along(curve, low, high) < neighborhood;
            if low != high && !near(old) && !near(new) {
                break;
            }
            run.push((edge(old, index), edge(new, index)));
        }
        if run.len() == count && old.is_closed() {
            return false;
        }
        let direction: Vector3<f64> = run.iter().map(|(a, b)| a + b).sum();
        if run.iter().any(|(a, b)| a.dot(&direction) <= 0.0 || b.dot(&direction) <= 0.0) {
            return false;
        }
    }
    true
}

/// A sum of Gaussian bumps.
struct Field {
    bumps: [(Point3<f64>, Vector3<f64>); BUMPS],
    width: f64,
}

impl Field {
    /// Bumps near points of the curves, in random directions.
    fn random<S>(curves: &[Curve], how: &Deformation, rng: &mut Rng<S>) -> Field {
        let mut bump = || {
            let points = rng.pick(curves).points();
            let at = *rng.pick(points) + direction(rng) * (how.width * rng.unit());
            (at, direction(rng) * (how.amplitude * rng.uniform(0.4, 1.0)))
        };
        Field { bumps: std::array::from_fn(|_| bump()), width: how.width }
    }

    fn at(&self, point: &Point3<f64>) -> Vector3<f64> {
        let fall = -0.5 / (self.width * self.width);
        self.bumps.iter().map(|(at, push)| push * libm::exp((point - at).norm_squared() * fall)).sum()
    }
}

/// A unit vector, every direction equally likely: a point of the ball drawn from the cube.
fn direction<S>(rng: &mut Rng<S>) -> Vector3<f64> {
    for _ in 0..1000 {
        let vector = Vector3::from_fn(|_, _| rng.uniform(-1.0, 1.0));
        let square = vector.norm_squared();
        if square <= 1.0 && square > 1e-6 {
            return vector / square.sqrt();
        }
    }
    Vector3::x()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Diagram, Frame, Lens, Tube, View, least_distance_between, shapes};
    use topotrace_core::SemanticRng;

    const HOW: Deformation =
        Deformation { thickness: 0.3, steps: 60, amplitude: 0.3, width: 0.8, within: 4.0 };

    /// The linking number of the first two curves, from the signs of their crossings.
    fn linking(curves: &[Curve], view: View) -> i32 {
        let frame = Frame { width: 1024, height: 1024, fill_percent: 80 };
        let camera = Camera::around_points(view, Lens::Orthographic, curves[0].points(), 1.0, frame);
        let tubes: Vec<_> = curves.iter().map(|curve| Tube { curve, radius: 0.1 }).collect();
        let diagram = Diagram::new(&tubes, &camera);
        let mixed = diagram.crossings().iter().filter(|c| c.over.strand != c.under.strand);
        mixed.map(|c| c.sign).sum::<i32>() / 2
    }

    #[test]
    fn links_stay_linked_and_distances_are_kept() {
        for seed in 0..6 {
            let ring = shapes::ring(1.5, 120).unwrap();
            let linked = ring.mapped(|p| Point3::new(p.x + 1.5, p.z, p.y)).unwrap();
            let free = ring.mapped(|p| Point3::new(p.x, p.y, p.z + 1.0)).unwrap();
            let start = [ring, linked, free];
            let before = linking(&start[..2], View::Oblique);
            assert_eq!(before.abs(), 1);
            let mut curves = start.clone();
            let mut rng = SemanticRng::from_seed(seed);
            let made = deform(&mut curves, &HOW, &mut rng).unwrap();
            assert!(made > 40, "{made}");
            assert!(least_distance(&curves, 0.6) >= 0.3);
            assert!(least_distance_between(&curves[0], &curves[1]) >= 0.3);
            for view in [View::Oblique, View::Top, View::degrees(77, -31)] {
                assert_eq!(linking(&curves[..2], view), before);
                assert_eq!(linking(&[curves[0].clone(), curves[2].clone()], view), 0);
            }
            let far = |a: &Curve, b: &Curve| {
                a.points().iter().zip(b.points()).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max)
            };
            assert!(far(&start[0], &curves[0]) > 0.3, "it hardly moved");
            assert!(curves.iter().flat_map(Curve::points).all(|p| p.coords.norm() <= 4.0));
        }
    }

    #[test]
    fn equal_seeds_give_equal_curves() {
        let run = || {
            let mut curves = [shapes::torus_knot(2, 3, 2.0, 0.8, 150).unwrap()];
            let made = deform(&mut curves, &HOW, &mut SemanticRng::from_seed(7)).unwrap();
            (made, curves)
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn a_step_through_another_strand_is_refused() {
        let line = |z: f64| {
            let points = (0..40).map(|i| Point3::new(f64::from(i) * 0.1 - 2.0, 0.0, z)).collect();
            Curve::new(points, false).unwrap()
        };
        let curves = [line(0.0), line(0.5)];
        let bump = |height: f64| Field {
            bumps: [(Point3::origin(), Vector3::new(0.0, 0.0, height)); BUMPS],
            width: 0.05,
        };
        let how = Deformation { thickness: 0.2, ..HOW };
        // Only the lower line is within the bump; three bumps add up to 0.9, beyond the other one.
        assert!(step(&curves, &bump(0.3), 1.0, 0.5, &how).is_none());
        assert!(step(&curves, &bump(0.01), 1.0, 0.5, &how).is_some());
        // A run that folds back is refused though it stays far from everything else.
        let folded = Field { bumps: [(Point3::origin(), Vector3::new(-0.06, 0.0, 0.0)); BUMPS], width: 0.05 };
        assert!(step(&curves[..1], &folded, 1.0, 9.0, &how).is_none());
    }

    #[test]
    fn what_is_too_near_at_first_is_refused() {
        let mut rng = SemanticRng::from_seed(1);
        let ring = shapes::ring(1.0, 60).unwrap();
        let near = ring.mapped(|p| Point3::new(p.x, p.y, 0.1)).unwrap();
        assert!(deform(&mut [ring.clone(), near], &HOW, &mut rng).is_err());
        let thick = Deformation { thickness: 1.8, ..HOW };
        assert!(deform(std::slice::from_mut(&mut ring.clone()), &thick, &mut rng).is_err());
        assert!(deform(&mut [ring], &Deformation { width: f64::NAN, ..HOW }, &mut rng).is_err());
        assert_eq!(deform(&mut [], &HOW, &mut rng), Ok(0));
    }
}
