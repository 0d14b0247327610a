//! Flat faces, checked once.

use topotrace_core::{Flaw, ensure, ensure_within};
use topotrace_space::MAX_COORDINATE;
use topotrace_space::nalgebra::{Point3, Vector3};

use super::outline::{Corner, Edge, convex_parts, cross_each_other};
use crate::Color;

/// The most corners of a face.
pub const MAX_CORNERS: usize = 256;

/// How far a corner may lie off its face's plane, as a share of the face's extent.
const FLATNESS: f64 = 1e-6;

/// A flat face of a solid: a polygon without holes, convex or not.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidFace {
    corners: Vec<Point3<f64>>,
    normal: Vector3<f64>,
    /// Whether the edge from each corner to the next one is shown as a line.
    pub(super) lined: Vec<bool>,
    /// Convex polygons that make it up, as indices of corners; none when it is convex itself.
    parts: Vec<Vec<usize>>,
    /// Its color where it differs from the solid's.
    pub(super) color: Option<Color>,
}

impl SolidFace {
    /// A face with its outer side where its corners run counterclockwise.
    ///
    /// # Errors
    /// When there are under 3 or over [`MAX_CORNERS`] corners, a coordinate is no number or beyond
    /// [`MAX_COORDINATE`], the corners lie in no plane, or the outline has no area, crosses or
    /// touches itself.
    pub(super) fn new(corners: Vec<Point3<f64>>) -> Result<SolidFace, Flaw> {
        let count = corners.len();
        ensure_within("number of corners of a face", count, 3, MAX_CORNERS)?;
        ensure_coordinates("corner", &corners)?;
        let first = corners[0];
        let extent = corners.iter().map(|corner| (corner - first).amax()).fold(0.0, f64::max);
        let doubled = (0..count)
            .map(|at| (corners[at] - first).cross(&(corners[(at + 1) % count] - first)))
            .sum::<Vector3<f64>>();
        let flat = || format!("a face with the corners {} has no area", listed(&corners));
        let normal = doubled.try_normalize(1e-9 * extent * extent).ok_or_else(|| Flaw::new(flat()))?;
        let middle = corners.iter().map(|corner| corner - first).sum::<Vector3<f64>>() / count as f64;
        for corner in &corners {
            let off = (corner - first - middle).dot(&normal).abs();
            ensure(off <= FLATNESS * extent, || {
                format!("corner {} lies {off} off the plane of its face", listed(&[*corner]))
            })?;
        }
        let flat = flattened(&corners, &normal);
        let sound = !cross_each_other(&flat);
        let parts = if sound { convex_parts(&flat) } else { None };
        let parts = parts.ok_or_else(|| {
            Flaw::new(format!("a face's outline crosses or touches itself: {}", listed(&corners)))
        })?;
        Ok(SolidFace { corners, normal, lined: vec![true; count], parts, color: None })
    }

    /// The corners, counterclockwise seen from outside.
    pub fn corners(&self) -> &[Point3<f64>] {
        &self.corners
    }

    /// The unit normal, outward.
    pub fn normal(&self) -> Vector3<f64> {
        self.normal
    }

    /// Whether the face is convex.
    pub(super) fn is_convex(&self) -> bool {
        self.parts.is_empty()
    }

    /// The convex polygons that make it up.
    pub(super) fn convex_parts(&self) -> Vec<Vec<Corner<Point3<f64>>>> {
        if self.is_convex() {
            return vec![self.outline()];
        }
        let count = self.corners.len();
        let part = |part: &Vec<usize>| {
            let next = |at: usize| part[(at + 1) % part.len()];
            let corner = |(at, corner): (usize, &usize)| {
                let on_outline = next(at) == (corner + 1) % count;
                let edge = if on_outline { Edge::of_face(self.lined[*corner]) } else { Edge::CUT };
                (self.corners[*corner], edge)
            };
            part.iter().enumerate().map(corner).collect()
        };
        self.parts.iter().map(part).collect()
    }

    /// The whole outline.
    pub(super) fn outline(&self) -> Vec<Corner<Point3<f64>>> {
        self.corners.iter().copied().zip(self.lined.iter().copied().map(Edge::of_face)).collect()
    }

    /// The same face with its outer side on the other side.
    pub(super) fn turned(&self) -> SolidFace {
        let count = self.corners.len();
        let mirrored = |corner: &usize| count - 1 - corner;
        SolidFace {
            corners: self.corners.iter().rev().copied().collect(),
            normal: -self.normal,
            // The edge after a corner was the one before it.
            lined: (0..count).map(|at| self.lined[(2 * count - 2 - at) % count]).collect(),
            parts: self.parts.iter().map(|part| part.iter().rev().map(mirrored).collect()).collect(),
            color: self.color,
        }
    }

    /// The face with its corners elsewhere.
    ///
    /// # Errors
    /// As [`SolidFace::new`].
    pub(super) fn mapped(&self, place: impl Fn(Point3<f64>) -> Point3<f64>) -> Result<SolidFace, Flaw> {
        let mut face = SolidFace::new(self.corners.iter().map(|corner| place(*corner)).collect())?;
        face.lined.clone_from(&self.lined);
        face.color = self.color;
        Ok(face)
    }
}

/// Refuses coordinates that are no numbers or beyond [`MAX_COORDINATE`].
pub(super) fn ensure_coordinates(name: &str, points: &[Point3<f64>]) -> Result<(), Flaw> {
    for point in points {
        ensure(point.iter().all(|value| value.abs() <= MAX_COORDINATE), || {
            format!("{name} {} has a coordinate beyond {MAX_COORDINATE}", listed(&[*point]))
        })?;
    }
    Ok(())
}

fn listed(points: &[Point3<f64>]) -> String {
    let shown = |point: &Point3<f64>| format!("({}, {}, {})", point.x, point.y, point.z);
    points.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// The corners in their plane, counterclockwise, about the first one.
fn flattened(corners: &[Point3<f64>], normal: &Vector3<f64>) -> Vec<[f64; 2]> {
    // The axis that is farthest from the normal.
    let axis = Vector3::ith(normal.iamin(), 1.0);
    let across = axis.cross(normal).normalize();
    let along = normal.cross(&across);
    corners.iter().map(|corner| corner - corners[0]).map(|at| [at.dot(&across), at.dot(&along)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(corners: &[[f64; 3]]) -> Result<SolidFace, Flaw> {
        SolidFace::new(corners.iter().copied().map(Point3::from).collect())
    }

    const ELL: [[f64; 3]; 6] = [
        [0.0, 0.0, 1.0],
        [3.0, 0.0, 1.0],
        [3.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
        [1.0, 2.0, 1.0],
        [0.0, 2.0, 1.0],
    ];

    #[test]
    fn what_is_wrong_with_a_face_is_named() {
        let table: [(&[[f64; 3]], &str); 7] = [
            (&ELL[..2], "number of corners of a face 2 is not from 3 to 256"),
            (&[ELL[0], ELL[1], [f64::NAN, 0.0, 0.0]], "corner (NaN, 0, 0) has a coordinate beyond 1024"),
            (&[ELL[0], ELL[1], [0.0, 0.0, 1e9]], "corner (0, 0, 1000000000) has a coordinate beyond 1024"),
            (&[ELL[0], ELL[1], [1.0, 0.0, 1.0]], "a face with the corners"),
            (&[ELL[0], ELL[1], [3.0, 1.0, 1.5], [0.0, 1.0, 1.0]], "off the plane of its face"),
            (&[ELL[0], ELL[2], ELL[1], [0.0, 1.5, 1.0]], "crosses or touches itself"),
            (&[ELL[0], ELL[1], ELL[1], ELL[4]], "crosses or touches itself"),
        ];
        for (corners, expected) in table {
            let found = face(corners).expect_err("a flaw").to_string();
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn a_concave_face_is_made_of_parts_and_keeps_its_lines() {
        let mut ell = face(&ELL).expect("a face");
        assert_eq!(ell.normal(), Vector3::z());
        ell.lined[1] = false;
        for (face, way) in [(ell.clone(), 1.0), (ell.turned(), -1.0)] {
            assert_eq!(face.normal(), Vector3::z() * way);
            let parts = face.convex_parts();
            assert_eq!(parts.len(), 2);
            let lines = parts.iter().flatten().filter(|(_, edge)| edge.lined).count();
            assert_eq!(lines, 5, "{parts:?}");
            let missing = face.outline().iter().position(|(_, edge)| !edge.lined).expect("one");
            let ends = [face.corners()[missing], face.corners()[(missing + 1) % 6]];
            assert!(ends.iter().all(|end| end.x == 3.0), "{ends:?}");
        }
        assert_eq!(ell.turned().turned(), ell);
    }
}
