use nalgebra::Point3;

use crate::{Camera, Curve, Projected};

/// What is seen where, by depth alone: a coarse depth buffer of tubes and balls.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, Lens, View, shapes};

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
}
