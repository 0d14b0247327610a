//! Faces as seen: polygons on the canvas, each with how near it is at every place.

use kurbo::{Point, Vec2};
use topotrace_space::Camera;
use topotrace_space::nalgebra::{Point3, Vector3};

use super::face::SolidFace;
use super::outline::{Corner, Edge, cut};

/// How near a face is, in canvas units towards the viewer, as a function of the canvas.
///
/// It is depth times scale, which is linear on the canvas for everything flat, with perspective or
/// without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearness {
    at_origin: f64,
    slope: Vec2,
}

impl Nearness {
    pub(super) fn at(&self, place: Point) -> f64 {
        self.at_origin + self.slope.dot(place.to_vec2())
    }

    /// How much nearer `self` is than `other`.
    pub(super) fn above(&self, other: &Nearness) -> Nearness {
        Nearness { at_origin: self.at_origin - other.at_origin, slope: self.slope - other.slope }
    }

    /// How fast it changes over the canvas.
    pub(super) fn steepness(&self) -> f64 {
        self.slope.hypot2().sqrt()
    }
}

/// A polygon on the canvas.
pub(super) type Outline = Vec<Corner<Point>>;

/// A face, or a part of it, as seen.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// What is painted.
    pub(super) outline: Outline,
    /// Convex polygons that make it up; none when the outline is convex.
    pub(super) parts: Vec<Outline>,
    pub(super) nearness: Nearness,
    /// Whether its inner side is seen.
    pub(super) from_behind: bool,
}

impl Facet {
    pub(super) fn convex_parts(&self) -> &[Outline] {
        if self.parts.is_empty() { std::slice::from_ref(&self.outline) } else { &self.parts }
    }
}

/// Points are cut off where things look over this many times larger than in the middle; the
/// camera itself gives up at 20.
const LARGEST: f64 = 16.0;
/// A face that shows less of itself than this, in canvas units across, is left out.
const THINNEST: f64 = 0.05;

/// Projects faces.
pub(super) struct Projection<'a> {
    camera: &'a Camera,
    center: Point,
    /// World units a canvas unit at depth 0, and what each world unit of depth adds.
    unit: f64,
    growth: f64,
}

impl<'a> Projection<'a> {
    pub(super) fn new(camera: &'a Camera) -> Self {
        let middle = camera.project(camera.target());
        let unit = 1.0 / camera.scale_at(0.0);
        let growth = 1.0 / camera.scale_at(1.0) - unit;
        Projection { camera, center: Point::new(middle.x, middle.y), unit, growth }
    }

    /// The face as seen: one facet, more where it comes too near to the eye, none where it is
    /// turned away (unless `two_sided`) or seen from its edge.
    pub(super) fn facets(&self, face: &SolidFace, two_sided: bool) -> Vec<Facet> {
        let Some((nearness, from_behind)) = self.nearness(face) else { return Vec::new() };
        if from_behind && !two_sided {
            return Vec::new();
        }
        let facet = |outline, parts| Facet { outline, parts, nearness, from_behind };
        let facets = if face.corners().iter().all(|corner| self.room(corner) > 0.0) {
            let parts = if face.is_convex() { Vec::new() } else { face.convex_parts() };
            let parts = parts.iter().map(|part| self.seen(part)).collect();
            vec![facet(self.seen(&face.outline()), parts)]
        } else {
            let far = |part: &Vec<_>| facet(self.seen(&self.far_part(part)), Vec::new());
            face.convex_parts().iter().map(far).collect()
        };
        facets.into_iter().filter(|facet| width(&facet.outline) > THINNEST).collect()
    }

    /// The nearness over the plane of a face, and whether its inner side is seen; none where the
    /// plane goes through the eye.
    fn nearness(&self, face: &SolidFace) -> Option<(Nearness, bool)> {
        let normal = face.normal();
        let offset = normal.dot(&(face.corners()[0] - self.camera.target()));
        // With rays as (x right + y up) (unit + growth depth) + forward depth, and nearness as
        // -depth / (unit + growth depth), the plane's equation is linear in x, y and nearness.
        let facing = normal.dot(&self.camera.forward()) + offset * self.growth / self.unit;
        if facing.abs() < 1e-9 {
            return None;
        }
        let slope = Vec2::new(normal.dot(&self.camera.right()), -normal.dot(&self.camera.up())) / facing;
        let at_center = -offset / self.unit / facing;
        let at_origin = at_center - slope.dot(self.center.to_vec2());
        Some((Nearness { at_origin, slope }, facing > 0.0))
    }

    /// Above 0 where a point is far enough from the eye.
    fn room(&self, point: &Point3<f64>) -> f64 {
        let depth = self.camera.project(*point).depth;
        self.unit + self.growth * depth - self.unit / LARGEST
    }

    fn seen(&self, outline: &[Corner<Point3<f64>>]) -> Outline {
        outline.iter().map(|(corner, edge)| (self.place(corner), *edge)).collect()
    }

    fn place(&self, point: &Point3<f64>) -> Point {
        let seen = self.camera.project(*point);
        Point::new(seen.x, seen.y)
    }

    /// A convex polygon as seen, without what is too near to the eye.
    pub(super) fn polygon(&self, corners: impl Iterator<Item = Point3<f64>>) -> Vec<Point> {
        let corners: Vec<_> = corners.map(|corner| (corner, Edge::CUT)).collect();
        self.far_part(&corners).iter().map(|(corner, _)| self.place(corner)).collect()
    }

    /// What of a convex polygon is far enough from the eye.
    fn far_part(&self, corners: &[Corner<Point3<f64>>]) -> Vec<Corner<Point3<f64>>> {
        let sides: Vec<_> = corners.iter().map(|(corner, _)| self.room(corner)).collect();
        let [_, far] = cut(corners, &sides);
        far
    }

    /// Canvas units a world unit at depth 0.
    pub(super) fn middle_scale(&self) -> f64 {
        1.0 / self.unit
    }

    /// Whether the viewer sees the upper side of a level plane.
    pub(super) fn sees_from_above(&self, height: f64) -> bool {
        let offset = height - self.camera.target().z;
        self.camera.forward().z + offset * self.growth / self.unit < 0.0
    }

    /// The unit vector that points to the right for the viewer, and the one that points to him,
    /// both level.
    pub(super) fn level(&self) -> (Vector3<f64>, Vector3<f64>) {
        let right = self.camera.right();
        (right, right.cross(&Vector3::z()))
    }
}

/// Twice the area on the canvas; above 0 where the corners run clockwise as seen.
pub(super) fn doubled_area(outline: &[Corner<Point>]) -> f64 {
    let Some((first, _)) = outline.first() else { return 0.0 };
    outline.windows(2).map(|pair| (pair[0].0 - *first).cross(pair[1].0 - *first)).sum()
}

/// The area by the longest extent along an axis.
fn width(outline: &[Corner<Point>]) -> f64 {
    let (mut low, mut high) = (Vec2::new(f64::MAX, f64::MAX), Vec2::new(f64::MIN, f64::MIN));
    for (at, _) in outline {
        low = Vec2::new(low.x.min(at.x), low.y.min(at.y));
        high = Vec2::new(high.x.max(at.x), high.y.max(at.y));
    }
    let extent = (high.x - low.x).max(high.y - low.y);
    if extent > 0.0 { doubled_area(outline).abs() / 2.0 / extent } else { 0.0 }
}

/// Marks the edges that two of the facets of a solid share.
pub(super) fn find_inner_edges(facets: &mut [Facet]) {
    let key = |from: Point, to: Point| [from.x, from.y, to.x, to.y].map(f64::to_bits);
    let edges = |outline: &Outline| {
        let next = outline.iter().cycle().skip(1);
        outline.iter().zip(next).map(|((from, _), (to, _))| (*from, *to)).collect::<Vec<_>>()
    };
    let outlines = facets.iter().flat_map(|facet| edges(&facet.outline));
    let mut known: Vec<_> = outlines.map(|(from, to)| key(from, to)).collect();
    known.sort_unstable();
    for facet in facets {
        for outline in facet.parts.iter_mut().chain([&mut facet.outline]) {
            let ends = edges(outline);
            for ((_, edge), (from, to)) in outline.iter_mut().zip(ends) {
                edge.inner = known.binary_search(&key(to, from)).is_ok();
            }
        }
    }
}

/// The same outline with each edge moved outward by as much as `by` says. Corners go to where the
/// edges meet then, but no farther than four times as much as the farther edge.
pub(super) fn grown(outline: &Outline, by: impl Fn(Edge) -> f64) -> Outline {
    let way = if doubled_area(outline) > 0.0 { 1.0 } else { -1.0 };
    // To the left of the way on the canvas, where y goes down, is outside.
    let outward = |from: Point, to: Point| {
        let along = to - from;
        let length = along.hypot2().sqrt();
        (length > 1e-9).then(|| Vec2::new(along.y, -along.x) * (way / length))
    };
    let count = outline.len();
    let moved = |at: usize| {
        let ((before, first), (corner, second)) = (outline[(at + count - 1) % count], outline[at]);
        let (after, _) = outline[(at + 1) % count];
        let (Some(a), Some(b)) = (outward(before, corner), outward(corner, after)) else { return corner };
        let (first, second) = (by(first), by(second));
        if first.max(second) <= 0.0 {
            return corner;
        }
        let cosine = a.dot(b);
        let offset = if cosine.abs() > 0.999 {
            (a * first + b * second) / 2.0
        } else {
            (a * (first - cosine * second) + b * (second - cosine * first)) / (1.0 - cosine * cosine)
        };
        let most = 4.0 * first.max(second);
        corner + offset * (most / offset.hypot2().sqrt().max(most))
    };
    (0..count).map(|at| (moved(at), outline[at].1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use topotrace_space::{Frame, Lens, View};

    const FRAME: Frame = Frame { width: 1000, height: 800, fill_percent: 90 };

    proptest! {
        #[test]
        fn nearness_is_depth_by_scale_everywhere_on_a_face(
            azimuth in any::<i16>(), elevation in -90..90_i16, flat in any::<bool>(),
            corners in proptest::array::uniform3(proptest::array::uniform3(-2.0..2.0_f64)),
        ) {
            let lens = if flat { Lens::Orthographic } else { Lens::Perspective { distance_percent: 200 } };
            let target = Point3::new(0.3, -0.2, 0.1);
            let camera = Camera::around_sphere(View::degrees(azimuth, elevation), lens, target, 2.5, FRAME);
            let corners = corners.map(Point3::from).to_vec();
            let Ok(face) = SolidFace::new(corners.clone()) else { return Ok(()) };
            let ray = camera.ray_to(corners[0]);
            prop_assume!(face.normal().dot(&ray).abs() > 1e-3);
            let projection = Projection::new(&camera);
            let (nearness, from_behind) = projection.nearness(&face).expect("no edge-on face");
            prop_assert_eq!(from_behind, face.normal().dot(&ray) > 0.0);
            let middle = inner_point(&corners);
            for point in corners.iter().chain([&middle]) {
                let seen = camera.project(*point);
                let expected = -seen.depth * camera.scale_at(seen.depth);
                let found = nearness.at(Point::new(seen.x, seen.y));
                prop_assert!((found - expected).abs() < 1e-6, "{found} {expected}");
            }
            for facet in projection.facets(&face, true) {
                prop_assert_eq!(doubled_area(&facet.outline) > 0.0, from_behind);
            }
        }
    }

    fn inner_point(corners: &[Point3<f64>]) -> Point3<f64> {
        corners[0] + (corners[1] - corners[0]) * 0.3 + (corners[2] - corners[0]) * 0.4
    }

    #[test]
    fn a_grown_square_is_larger_all_around() {
        let corner = |at| (Point::from(at), Edge::CUT);
        let mut square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)].map(corner).to_vec();
        for _ in 0..2 {
            let mut places: Vec<_> = grown(&square, |_| 0.5).iter().map(|(at, _)| *at).collect();
            places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
            assert_eq!(places, [(-0.5, -0.5), (-0.5, 4.5), (4.5, -0.5), (4.5, 4.5)].map(Point::from));
            square.reverse();
        }
        square[0].1.inner = true;
        let grown = grown(&square, |edge| if edge.inner { 0.0 } else { 0.5 });
        let places: Vec<_> = grown.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [(-0.5, 0.0), (4.5, 0.0), (4.5, 4.5), (-0.5, 4.5)].map(Point::from));
    }

    #[test]
    fn a_face_behind_the_eye_is_cut_off() {
        let lens = Lens::Perspective { distance_percent: 150 };
        let camera = Camera::around_sphere(View::Front, lens, Point3::origin(), 1.0, FRAME);
        let floor = [[-1.0, -9.0, -1.0], [1.0, -9.0, -1.0], [1.0, 1.0, -1.0], [-1.0, 1.0, -1.0]];
        let face = SolidFace::new(floor.map(Point3::from).to_vec()).expect("a face");
        let facets = Projection::new(&camera).facets(&face, false);
        assert_eq!(facets.len(), 1);
        let outline = &facets[0].outline;
        assert_eq!((outline.len(), outline.iter().filter(|(_, edge)| edge.lined).count()), (4, 3));
        assert!(outline.iter().all(|(at, _)| at.y > 400.0 && at.y < 10_000.0), "{outline:?}");
    }
}
