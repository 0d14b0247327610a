//! The solids that can be made.

use std::collections::BTreeSet;

use topotrace_core::{Flaw, ensure, ensure_within};
use topotrace_space::MAX_COORDINATE;
use topotrace_space::nalgebra::{Point3, Rotation3, Vector3};

use super::face::{MAX_CORNERS, SolidFace, ensure_coordinates};
use crate::Color;

/// A thing with flat faces: closed, so that its inside is never seen, or a thin sheet with two
/// sides.
///
/// All constructors fail when a coordinate is no number or beyond [`MAX_COORDINATE`], a length is
/// not above 0 and up to it, or a face has no area; the message names it. Solids may touch and pass
/// through each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    faces: Vec<SolidFace>,
    two_sided: bool,
    /// Its color, from which all tones are made.
    pub color: Color,
    /// The color of a sheet's other side, where it differs.
    pub back: Option<Color>,
    /// The answer-bearing mark that it is or belongs to, if any.
    pub mark: Option<String>,
    /// Whether it throws a shadow.
    pub casts_shadow: bool,
}

impl Solid {
    /// The box between two opposite corners, with edges along the axes. Its faces are in the order
    /// bottom, top, front (least y), right, back, left.
    ///
    /// # Errors
    /// When `high` is not above `low` in each coordinate, or as told above.
    pub fn block(low: Point3<f64>, high: Point3<f64>, color: Color) -> Result<Solid, Flaw> {
        let size = high - low;
        Solid::oriented_block(low + size / 2.0, size, &Rotation3::identity(), color)
    }

    /// The box of this size around a center, turned about it. Faces are in the order of
    /// [`Solid::block`], as before the turn.
    ///
    /// # Errors
    /// When a size is not above 0, or as told above.
    pub fn oriented_block(
        center: Point3<f64>,
        size: Vector3<f64>,
        turn: &Rotation3<f64>,
        color: Color,
    ) -> Result<Solid, Flaw> {
        for (name, side) in ["x", "y", "z"].iter().zip(size.iter()) {
            ensure_length(&format!("{name} size of a block"), *side)?;
        }
        let half = size / 2.0;
        let base = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| center + turn * Vector3::new(x * half.x, y * half.y, -half.z));
        Solid::prism(&base, turn * Vector3::new(0.0, 0.0, size.z), color)
    }

    /// What a flat outline, convex or not, passes over when it is moved by `sweep`. The first two
    /// faces are the outline before and after, then follows one for each of its edges.
    ///
    /// # Errors
    /// When `sweep` runs within the outline's plane, the outline is no simple polygon of 3 to
    /// [`MAX_CORNERS`] corners, or as told above.
    pub fn prism(outline: &[Point3<f64>], sweep: Vector3<f64>, color: Color) -> Result<Solid, Flaw> {
        ensure_length("length of a prism's sweep", sweep.norm())?;
        let face = SolidFace::new(outline.to_vec())?;
        let rise = face.normal().dot(&sweep);
        ensure(rise.abs() > 1e-9 * sweep.norm(), || {
            format!(
                "the sweep ({}, {}, {}) of a prism runs within its outline's plane",
                sweep.x, sweep.y, sweep.z
            )
        })?;
        let (start, end) = (face.clone(), face.mapped(|corner| corner + sweep)?);
        let (start, end) = if rise > 0.0 { (start.turned(), end) } else { (start, end.turned()) };
        let mut faces = vec![start, end];
        for (from, to) in edges(outline) {
            let (from, to) = if rise > 0.0 { (from, to) } else { (to, from) };
            faces.push(SolidFace::new(vec![from, to, to + sweep, from + sweep])?);
        }
        Ok(Solid::closed(faces, color))
    }

    /// A round column between two points, of 3 to 128 flat sides. No lines are shown between its
    /// sides. The first two faces are its ends.
    ///
    /// # Errors
    /// When the points are equal, `radius` or `sides` are out of range, or as told above.
    pub fn cylinder(
        from: Point3<f64>,
        to: Point3<f64>,
        radius: f64,
        sides: usize,
        color: Color,
    ) -> Result<Solid, Flaw> {
        let ring = ring("cylinder", from, to, radius, sides)?;
        let mut solid = Solid::prism(&ring, to - from, color)?;
        for side in &mut solid.faces[2..] {
            (side.lined[1], side.lined[3]) = (false, false);
        }
        Ok(solid)
    }

    /// A cone of 3 to 128 flat sides, between which no lines are shown. The first face is its base.
    ///
    /// # Errors
    /// When base and tip are equal, `radius` or `sides` are out of range, or as told above.
    pub fn cone(
        base: Point3<f64>,
        tip: Point3<f64>,
        radius: f64,
        sides: usize,
        color: Color,
    ) -> Result<Solid, Flaw> {
        let ring = ring("cone", base, tip, radius, sides)?;
        ensure_coordinates("tip", &[tip])?;
        let mut faces = vec![SolidFace::new(ring.clone())?.turned()];
        for (from, to) in edges(&ring) {
            let mut side = SolidFace::new(vec![from, to, tip])?;
            (side.lined[1], side.lined[2]) = (false, false);
            faces.push(side);
        }
        Ok(Solid::closed(faces, color))
    }

    /// A thin sheet, seen from both sides; its front is where its corners run counterclockwise.
    ///
    /// # Errors
    /// When the outline is no simple, flat polygon of 3 to [`MAX_CORNERS`] corners, or as told
    /// above.
    pub fn sheet(outline: &[Point3<f64>], color: Color) -> Result<Solid, Flaw> {
        let faces = vec![SolidFace::new(outline.to_vec())?];
        Ok(Solid { two_sided: true, ..Solid::closed(faces, color) })
    }

    /// Flat faces, given by indices of points, that enclose a space. Each edge belongs to two faces
    /// that run along it in opposite ways; whether all run clockwise or all counterclockwise doesn't
    /// matter.
    ///
    /// # Errors
    /// When an index is out of range, an edge does not belong to two such faces, a face is no
    /// simple, flat polygon of 3 to [`MAX_CORNERS`] corners, or as told above.
    pub fn mesh(points: &[Point3<f64>], faces: &[Vec<usize>], color: Color) -> Result<Solid, Flaw> {
        let mut edges = BTreeSet::new();
        for face in faces {
            for (at, index) in face.iter().enumerate() {
                let count = points.len();
                ensure(*index < count, || format!("a mesh of {count} points has a face with point {index}"))?;
                let next = face[(at + 1) % face.len()];
                ensure(edges.insert((*index, next)), || {
                    format!("two faces of a mesh run along its edge from point {index} to point {next}")
                })?;
            }
        }
        for (from, to) in &edges {
            ensure(edges.contains(&(*to, *from)), || {
                format!("only one face of a mesh runs along its edge from point {from} to point {to}")
            })?;
        }
        let face = |face: &Vec<usize>| SolidFace::new(face.iter().map(|index| points[*index]).collect());
        let mut faces = faces.iter().map(face).collect::<Result<Vec<_>, _>>()?;
        ensure(faces.len() >= 4, || format!("a mesh of {} faces encloses no space", faces.len()))?;
        turn_outward(&mut faces);
        Ok(Solid::closed(faces, color))
    }

    fn closed(faces: Vec<SolidFace>, color: Color) -> Solid {
        Solid { faces, two_sided: false, color, back: None, mark: None, casts_shadow: true }
    }

    /// The same solid as the mark of this name, or as a part of it.
    pub fn marked(self, name: impl Into<String>) -> Solid {
        Solid { mark: Some(name.into()), ..self }
    }

    /// The same sheet with another color on its back. It changes nothing for a closed solid.
    pub fn with_back(self, color: Color) -> Solid {
        Solid { back: Some(color), ..self }
    }

    /// The same solid with another color on one face.
    ///
    /// # Errors
    /// When there is no face of this index.
    pub fn with_face_color(mut self, index: usize, color: Color) -> Result<Solid, Flaw> {
        let count = self.faces.len();
        let face = self.faces.get_mut(index);
        face.ok_or_else(|| Flaw::new(format!("face {index} of a solid of {count}")))?.color = Some(color);
        Ok(self)
    }

    /// The same solid without any lines along its edges.
    pub fn without_lines(mut self) -> Solid {
        for face in &mut self.faces {
            face.lined.fill(false);
        }
        self
    }

    /// The same solid without a shadow.
    pub fn without_shadow(self) -> Solid {
        Solid { casts_shadow: false, ..self }
    }

    /// The solid with every point elsewhere, such as turned, moved or mirrored.
    ///
    /// # Errors
    /// When a face is no longer a flat, simple polygon, or a coordinate is out of range.
    pub fn mapped(&self, place: impl Fn(Point3<f64>) -> Point3<f64>) -> Result<Solid, Flaw> {
        let mut faces = self.faces.iter().map(|face| face.mapped(&place)).collect::<Result<Vec<_>, _>>()?;
        if !self.two_sided {
            turn_outward(&mut faces);
        }
        Ok(Solid { faces, ..self.clone() })
    }

    /// The faces, in the order of the constructor.
    pub fn faces(&self) -> &[SolidFace] {
        &self.faces
    }

    /// Whether both sides of its faces are seen: whether it is a sheet.
    pub fn is_two_sided(&self) -> bool {
        self.two_sided
    }
}

fn ensure_length(name: &str, value: f64) -> Result<(), Flaw> {
    ensure(value > 0.0 && value <= MAX_COORDINATE, || {
        format!("{name} {value} is not above 0 and up to {MAX_COORDINATE}")
    })
}

fn edges(outline: &[Point3<f64>]) -> impl Iterator<Item = (Point3<f64>, Point3<f64>)> {
    outline.iter().copied().zip(outline.iter().copied().cycle().skip(1))
}

/// The corners of a round base, counterclockwise seen from the side to which the axis points.
fn ring(
    name: &str,
    base: Point3<f64>,
    top: Point3<f64>,
    radius: f64,
    sides: usize,
) -> Result<Vec<Point3<f64>>, Flaw> {
    ensure_length(&format!("radius of a {name}"), radius)?;
    ensure_length(&format!("length of a {name}"), (top - base).norm())?;
    ensure_within(&format!("number of sides of a {name}"), sides, 3, MAX_CORNERS / 2)?;
    let axis = (top - base).normalize();
    let across = Vector3::ith(axis.iamin(), 1.0).cross(&axis).normalize();
    let along = axis.cross(&across);
    let corner = |at: usize| {
        let (sin, cos) = libm::sincos(at as f64 / sides as f64 * std::f64::consts::TAU);
        base + (across * cos + along * sin) * radius
    };
    Ok((0..sides).map(corner).collect())
}

/// Turns all faces around if they enclose a negative space.
fn turn_outward(faces: &mut [SolidFace]) {
    let Some(origin) = faces.first().map(|face| face.corners()[0]) else { return };
    let cone = |face: &SolidFace| {
        let corners = face.corners();
        let first = corners[0] - origin;
        let triangle = |pair: &[Point3<f64>]| first.dot(&(pair[0] - origin).cross(&(pair[1] - origin)));
        corners.windows(2).map(triangle).sum::<f64>()
    };
    if faces.iter().map(cone).sum::<f64>() < 0.0 {
        for face in faces {
            *face = face.turned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOR: Color = Color::WHITE;

    fn point(x: f64, y: f64, z: f64) -> Point3<f64> {
        Point3::new(x, y, z)
    }

    /// The enclosed volume, and whether every edge has two faces.
    fn volume(solid: &Solid) -> f64 {
        let mut sum = 0.0;
        let key = |at: &Point3<f64>| [at.x, at.y, at.z].map(|value| (value * 1e6).round() as i64);
        let mut edges = BTreeSet::new();
        for face in solid.faces() {
            let corners = face.corners();
            for (from, to) in super::edges(corners) {
                assert!(edges.insert((key(&from), key(&to))));
                sum += corners[0].coords.dot(&from.coords.cross(&to.coords)) / 6.0;
            }
        }
        assert!(edges.iter().all(|(from, to)| edges.contains(&(*to, *from))));
        sum
    }

    #[test]
    fn solids_are_closed_and_turned_outward() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        let block = Solid::block(point(1.0, 2.0, 3.0), point(2.0, 4.0, 6.0), COLOR).unwrap();
        near(volume(&block), 6.0);
        let normals: Vec<_> = block.faces().iter().map(|face| face.normal()).collect();
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        for (found, expected) in normals.iter().zip([-z, z, -y, x, y, -x]) {
            assert!((found - expected).norm() < 1e-12, "{normals:?}");
        }
        near(volume(&block.mapped(|p| point(-p.x, p.y, p.z)).unwrap()), 6.0);
        let ell = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]
            .map(|(x, y)| point(x, y, 1.0));
        for sweep in [point(0.5, 0.0, 2.0).coords, point(0.5, 0.0, -2.0).coords] {
            near(volume(&Solid::prism(&ell, sweep, COLOR).unwrap()), 8.0);
        }
        // The area of a regular octagon of radius 1.
        let base = 2.0 * std::f64::consts::SQRT_2;
        let ends = [point(0.0, 0.0, 5.0), point(0.0, 3.0, 5.0)];
        near(volume(&Solid::cylinder(ends[0], ends[1], 1.0, 8, COLOR).unwrap()), 3.0 * base);
        let (foot, tip) = (point(1.0, 0.0, 5.0), point(1.0, 0.0, 2.0));
        near(volume(&Solid::cone(foot, tip, 1.0, 8, COLOR).unwrap()), base);
        let corners =
            [point(0.0, 0.0, 0.0), point(1.0, 0.0, 0.0), point(0.0, 1.0, 0.0), point(0.0, 0.0, 1.0)];
        for faces in
            [[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]], [[2, 1, 0], [1, 3, 0], [3, 2, 0], [2, 3, 1]]]
        {
            let faces = faces.map(|face| face.to_vec());
            near(volume(&Solid::mesh(&corners, &faces, COLOR).unwrap()), 1.0 / 6.0);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let (o, p) = (point(0.0, 0.0, 0.0), point(1.0, 1.0, 1.0));
        let flaw = |found: Result<Solid, Flaw>| found.expect_err("a flaw").to_string();
        assert_eq!(flaw(Solid::block(p, o, COLOR)), "x size of a block -1 is not above 0 and up to 1024");
        assert!(flaw(Solid::cylinder(o, o, 1.0, 8, COLOR)).contains("length of a cylinder 0 is not"));
        assert!(flaw(Solid::cone(o, p, f64::NAN, 8, COLOR)).contains("radius of a cone NaN is not"));
        assert!(flaw(Solid::cone(o, p, 1.0, 2, COLOR)).contains("sides of a cone 2 is not from 3 to 128"));
        let triangle = [o, point(1.0, 0.0, 0.0), point(0.0, 1.0, 0.0)];
        assert!(flaw(Solid::prism(&triangle, Vector3::x(), COLOR)).contains("runs within its outline"));
        assert!(
            flaw(Solid::mesh(&triangle, &[vec![0, 1, 3]], COLOR))
                .contains("3 points has a face with point 3")
        );
        assert!(flaw(Solid::mesh(&triangle, &[vec![0, 1, 2]], COLOR)).contains("only one face of a mesh"));
        let twice = [vec![0, 1, 2], vec![0, 1, 2]];
        assert!(flaw(Solid::mesh(&triangle, &twice, COLOR)).contains("from point 0 to point 1"));
        assert!(flaw(Solid::mesh(&[], &[], COLOR)).contains("a mesh of 0 faces"));
        let sheet = Solid::sheet(&triangle, COLOR).unwrap();
        assert!(flaw(sheet.with_face_color(1, COLOR)).contains("face 1 of a solid of 1"));
    }
}
