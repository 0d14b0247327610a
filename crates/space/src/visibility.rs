use nalgebra::{Point3, Vector3};

use crate::{Camera, Curve, Projected};

/// What is seen where, by depth alone: a coarse depth buffer of tubes, balls and
/// flat polygons.
///
/// It knows nothing of crossings and drawing order, so that it can check them, and it counts the
/// visible pixels of a thing before anything is drawn. Things are named by numbers.
#[derive(Clone, Debug)]
pub struct VisibilityBuffer {
    width: usize,
    height: usize,
    cell: f64,
    depth: Vec<f64>,
    thing: Vec<Option<u32>>,
}

/// The most cells on a side.
const MAX_CELLS: usize = 4096;

impl VisibilityBuffer {
    /// An empty buffer over a canvas of `width` by `height` units, in square cells of `cell`
    /// units; sides are cut to 4096 cells, and a `cell` that is no positive number counts as 1.
    pub fn new(width: u32, height: u32, cell: f64) -> Self {
        let cell = if cell.is_finite() && cell > 0.0 { cell } else { 1.0 };
        let count = |side: u32| ((f64::from(side) / cell).ceil() as usize).min(MAX_CELLS);
        let (width, height) = (count(width), count(height));
        let cells = width * height;
        VisibilityBuffer { width, height, cell, depth: vec![f64::INFINITY; cells], thing: vec![None; cells] }
    }

    /// The number of cells across and down.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Adds the ball around `center`.
    pub fn add_ball(&mut self, camera: &Camera, center: Point3<f64>, radius: f64, thing: u32) {
        let middle = camera.project(center);
        self.add_capsule(camera, middle, middle, radius, thing);
    }

    /// Adds the tube around a curve, with half balls at free ends, as a capsule a segment.
    pub fn add_tube(&mut self, camera: &Camera, curve: &Curve, radius: f64, thing: u32) {
        for index in 0..curve.segment_count() {
            let (from, to) = curve.segment(index);
            self.add_capsule(camera, camera.project(from), camera.project(to), radius, thing);
        }
    }

    /// Adds a capsule. Its silhouette is taken as the band between the circles around its ends,
    /// its front as half of a round tube: right for segments that are short against the distance.
    fn add_capsule(&mut self, camera: &Camera, from: Projected, to: Projected, radius: f64, thing: u32) {
        let (x, y) = (to.x - from.x, to.y - from.y);
        let square = x * x + y * y;
        let half = |p: &Projected| radius * camera.scale_at(p.depth);
        let (near, far) = (half(&from), half(&to));
        let reach = near.max(far);
        let columns = self.cells(from.x.min(to.x) - reach, from.x.max(to.x) + reach, self.width);
        let rows = self.cells(from.y.min(to.y) - reach, from.y.max(to.y) + reach, self.height);
        for row in rows {
            for column in columns.clone() {
                let (px, py) = self.middle(column, row);
                let share = if square > 0.0 {
                    (((px - from.x) * x + (py - from.y) * y) / square).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let half = near + (far - near) * share;
                let (dx, dy) = (px - from.x - x * share, py - from.y - y * share);
                let off = dx * dx + dy * dy;
                if off > half * half {
                    continue;
                }
                let within = camera.share_in_space(share, from.depth, to.depth);
                let depth = from.depth + (to.depth - from.depth) * within;
                let front = depth - (half * half - off).sqrt() / half.max(1e-9) * radius;
                let at = row * self.width + column;
                if front < self.depth[at] {
                    self.depth[at] = front;
                    self.thing[at] = Some(thing);
                }
            }
        }
    }

    /// Adds a flat polygon, convex or not, seen from both sides; edges that cross each other leave
    /// holes. What of it is nearer to the eye than a sixteenth of the eye's distance is left out. Over
    /// an earlier thing in the same plane, within a billionth of the depth, it is seen.
    pub fn add_polygon(&mut self, camera: &Camera, corners: &[Point3<f64>], thing: u32) {
        let Some(plane) = SeenPlane::new(camera, corners) else { return };
        let seen: Vec<_> = plane.far_part(corners).iter().map(|corner| camera.project(*corner)).collect();
        let (low, high) =
            seen.iter().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.depth), high.max(at.depth)));
        let (top, bottom) =
            seen.iter().fold((f64::MAX, f64::MIN), |(top, bottom), at| (top.min(at.y), bottom.max(at.y)));
        for row in self.cells(top, bottom, self.height) {
            let (_, y) = self.middle(0, row);
            let mut crossings = crossings(&seen, y);
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                for column in self.cells(pair[0], pair[1], self.width) {
                    let (x, _) = self.middle(column, row);
                    if x < pair[0] || x >= pair[1] {
                        continue;
                    }
                    // A plane seen from its edge has any depth there, the polygon only its own.
                    let depth = plane.depth(x, y).clamp(low, high);
                    let at = row * self.width + column;
                    if depth <= self.depth[at] + 1e-9 * (1.0 + depth.abs()) {
                        self.depth[at] = depth;
                        self.thing[at] = Some(thing);
                    }
                }
            }
        }
    }

    /// The cells whose middles may lie between two positions.
    fn cells(&self, low: f64, high: f64, count: usize) -> std::ops::Range<usize> {
        let cell = |value: f64| ((value / self.cell).max(0.0) as usize).min(count);
        cell(low)..(cell(high) + usize::from(high >= 0.0)).min(count)
    }

    /// The canvas position of the middle of a cell.
    pub fn middle(&self, column: usize, row: usize) -> (f64, f64) {
        ((column as f64 + 0.5) * self.cell, (row as f64 + 0.5) * self.cell)
    }

    /// The thing that is seen in a cell, if any; none outside of the buffer.
    pub fn thing(&self, column: usize, row: usize) -> Option<u32> {
        if column >= self.width {
            return None;
        }
        self.thing.get(row * self.width + column).copied().flatten()
    }

    /// How many cells show a thing.
    pub fn count(&self, thing: u32) -> usize {
        self.thing.iter().filter(|seen| **seen == Some(thing)).count()
    }
}

/// Where the outline crosses a horizontal line, from left to right once sorted.
fn crossings(outline: &[Projected], y: f64) -> Vec<f64> {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    edges
        .filter(|(from, to)| (from.y <= y) != (to.y <= y))
        .map(|(from, to)| from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y)))
        .collect()
}

/// The nearest that a polygon may come to the eye, as a share of the eye's distance.
const NEAREST: f64 = 1.0 / 16.0;

/// The plane of a polygon, to be met by the ray through a place on the canvas.
struct SeenPlane<'a> {
    camera: &'a Camera,
    normal: Vector3<f64>,
    /// From the camera's target to the plane along the normal.
    offset: f64,
    center: Projected,
    /// World units a canvas unit at depth 0, and what each world unit of depth adds.
    unit: f64,
    growth: f64,
}

impl<'a> SeenPlane<'a> {
    /// None where the corners have no area or a coordinate is no number.
    fn new(camera: &'a Camera, corners: &[Point3<f64>]) -> Option<SeenPlane<'a>> {
        let first = *corners.first()?;
        let triangle = |pair: &[Point3<f64>]| (pair[0] - first).cross(&(pair[1] - first));
        let doubled = corners.windows(2).map(triangle).sum::<Vector3<f64>>();
        let normal = doubled.try_normalize(f64::MIN_POSITIVE).filter(|normal| normal.norm().is_finite())?;
        let unit = 1.0 / camera.scale_at(0.0);
        let growth = 1.0 / camera.scale_at(1.0) - unit;
        let offset = normal.dot(&(first - camera.target()));
        let center = camera.project(camera.target());
        offset.is_finite().then_some(SeenPlane { camera, normal, offset, center, unit, growth })
    }

    /// The depth of the plane at a place on the canvas.
    fn depth(&self, x: f64, y: f64) -> f64 {
        let aside = self.camera.right() * (x - self.center.x) - self.camera.up() * (y - self.center.y);
        let across = self.normal.dot(&aside);
        let along = across * self.growth + self.normal.dot(&self.camera.forward());
        let depth = (self.offset - across * self.unit) / along;
        if depth.is_finite() { depth } else { f64::MAX }
    }

    /// The corners of what is far enough from the eye.
    fn far_part(&self, corners: &[Point3<f64>]) -> Vec<Point3<f64>> {
        let room = |point: &Point3<f64>| {
            let depth = (point - self.camera.target()).dot(&self.camera.forward());
            self.unit + self.growth * depth - self.unit * NEAREST
        };
        let mut far = Vec::with_capacity(corners.len() + 2);
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let (here, there) = (room(from), room(to));
            if here > 0.0 {
                far.push(*from);
            }
            if (here > 0.0) != (there > 0.0) {
                far.push(from + (to - from) * (here / (here - there)));
            }
        }
        far
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, Lens, View, shapes};
    use proptest::prelude::*;

    const FRAME: Frame = Frame { width: 400, height: 400, fill_percent: 50 };

    #[test]
    fn a_ball_has_its_area_and_hides_what_is_behind() {
        let camera = Camera::around_sphere(View::Front, Lens::Orthographic, Point3::origin(), 1.0, FRAME);
        let mut buffer = VisibilityBuffer::new(400, 400, 1.0);
        buffer.add_ball(&camera, Point3::new(0.0, 5.0, 0.0), 0.5, 2);
        let small = buffer.count(2) as f64;
        assert!((small / (2500.0 * std::f64::consts::PI) - 1.0).abs() < 0.01, "{small}");
        buffer.add_ball(&camera, Point3::origin(), 1.0, 1);
        assert_eq!(buffer.count(2), 0);
        assert_eq!(buffer.thing(200, 200), Some(1));
        assert_eq!((buffer.thing(0, 0), buffer.thing(400, 0), buffer.thing(0, 400)), (None, None, None));
    }

    #[test]
    fn a_string_leaves_its_bead_on_both_sides() {
        let camera = Camera::around_sphere(View::Front, Lens::Orthographic, Point3::origin(), 1.0, FRAME);
        let string = shapes::helix(1e-3, 2.0, 1.0, 40).unwrap();
        let mut buffer = VisibilityBuffer::new(400, 400, 1.0);
        buffer.add_tube(&camera, &string, 0.1, 1);
        buffer.add_ball(&camera, Point3::origin(), 0.5, 2);
        let row: Vec<_> = [105, 140, 160, 200, 240, 260].iter().map(|x| buffer.thing(*x, 200)).collect();
        assert_eq!(row, [Some(1), Some(1), Some(2), Some(2), Some(2), Some(1)]);
    }

    #[test]
    fn odd_sizes_do_no_harm() {
        let camera = Camera::around_sphere(View::Front, Lens::Orthographic, Point3::origin(), 1.0, FRAME);
        for (width, cell) in [(0, 1.0), (u32::MAX, 1.0), (100, f64::NAN), (100, 1e9), (100, 1e-9)] {
            let mut buffer = VisibilityBuffer::new(width, 10, cell);
            buffer.add_ball(&camera, Point3::new(900.0, 0.0, -900.0), 3.0, 1);
            assert_eq!(buffer.thing(usize::MAX, 0), None);
        }
    }

    fn polygon(corners: &[[f64; 3]]) -> Vec<Point3<f64>> {
        corners.iter().copied().map(Point3::from).collect()
    }

    #[test]
    fn a_concave_polygon_has_its_area_and_a_later_one_in_its_plane_is_seen() {
        let camera = Camera::around_sphere(View::Front, Lens::Orthographic, Point3::origin(), 1.0, FRAME);
        let mut buffer = VisibilityBuffer::new(400, 400, 1.0);
        let hook = [
            [-1.0, 0.0, -1.0],
            [1.0, 0.0, -1.0],
            [1.0, 0.0, 1.0],
            [0.5, 0.0, 1.0],
            [0.5, 0.0, -0.5],
            [-0.5, 0.0, -0.5],
            [-0.5, 0.0, 1.0],
            [-1.0, 0.0, 1.0],
        ];
        buffer.add_polygon(&camera, &polygon(&hook), 1);
        assert_eq!(buffer.count(1), 200 * 200 - 100 * 150);
        let square = [[-1.0, 0.0, -1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
        buffer.add_polygon(&camera, &polygon(&square), 2);
        buffer.add_polygon(&camera, &polygon(&square.map(|[x, _, z]| [x, 1e-3, z])), 3);
        assert_eq!((buffer.count(2), buffer.count(3)), (10_000, 0));
    }

    #[test]
    fn polygons_pass_through_each_other_in_perspective() {
        let lens = Lens::Perspective { distance_percent: 150 };
        let camera = Camera::around_sphere(View::Top, lens, Point3::origin(), 1.0, FRAME);
        let mut buffer = VisibilityBuffer::new(400, 400, 1.0);
        let level = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
        let slope = level.map(|[x, y, _]| [x, y, 0.6 * x - 0.12]);
        buffer.add_polygon(&camera, &polygon(&level), 1);
        buffer.add_polygon(&camera, &polygon(&slope), 2);
        // They meet at x = 0.2, in the level plane.
        let edge = camera.project(Point3::new(0.2, 0.0, 0.0)).x.round() as usize;
        assert_eq!((buffer.thing(edge - 1, 200), buffer.thing(edge, 200)), (Some(1), Some(2)));
    }

    proptest! {
        #[test]
        fn any_polygon_is_taken(
            corners in proptest::collection::vec(proptest::array::uniform3(prop_oneof![
                8 => -3.0..3.0_f64, 1 => any::<f64>(), 1 => Just(1e300), 1 => Just(0.0),
            ]), 0..8),
            azimuth in any::<i16>(), distance in any::<u16>(),
        ) {
            let lens = Lens::Perspective { distance_percent: distance };
            let camera = Camera::around_sphere(View::degrees(azimuth, 20), lens, Point3::origin(), 1.0, FRAME);
            let mut buffer = VisibilityBuffer::new(40, 40, 1.0);
            buffer.add_polygon(&camera, &polygon(&corners), 1);
            prop_assert!(buffer.count(1) <= 1600);
        }
    }
}
