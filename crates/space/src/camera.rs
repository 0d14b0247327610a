use nalgebra::{Point3, Vector3};
use serde::{Deserialize, Serialize};

/// From where a scene is seen.
///
/// The azimuth turns the viewer around the z axis, counterclockwise seen from above; at 0 he
/// looks along y. The elevation is his height above the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// Along y: x to the right, z up.
    Front,
    /// Azimuth 45°, elevation 35.264°: the three axes are equally foreshortened.
    Isometric,
    /// Azimuth 30°, elevation 25°.
    Oblique,
    /// From above: x to the right, y up.
    Top,
    /// Any direction, in thousandths of a degree.
    Angles {
        /// The azimuth; whole turns don't matter.
        azimuth_millidegrees: i32,
        /// The elevation, cut to −90,000 to 90,000.
        elevation_millidegrees: i32,
    },
}

impl View {
    /// The view of the given azimuth and elevation in degrees.
    pub const fn degrees(azimuth: i16, elevation: i16) -> View {
        View::Angles {
            azimuth_millidegrees: azimuth as i32 * 1000,
            elevation_millidegrees: elevation as i32 * 1000,
        }
    }

    /// Azimuth and elevation in thousandths of a degree; whole turns are left out and the elevation is
    /// cut to −90,000 to 90,000.
    pub fn millidegrees(self) -> (i32, i32) {
        match self {
            View::Front => (0, 0),
            View::Isometric => (45_000, 35_264),
            View::Oblique => (30_000, 25_000),
            View::Top => (0, 90_000),
            View::Angles { azimuth_millidegrees, elevation_millidegrees } => {
                (azimuth_millidegrees % 360_000, elevation_millidegrees.clamp(-90_000, 90_000))
            }
        }
    }

    /// Azimuth and elevation in radians.
    fn radians(self) -> (f64, f64) {
        let (azimuth, elevation) = self.millidegrees();
        let radians = |millidegrees: i32| f64::from(millidegrees) / 180_000.0 * std::f64::consts::PI;
        (radians(azimuth), radians(elevation))
    }
}

/// How depth is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lens {
    /// Parallel rays: a thing has the same size at every depth.
    Orthographic,
    /// Rays through one eye: what is nearer is larger.
    Perspective {
        /// From the eye to the middle of the scene, in percent of the scene's radius; values
        /// below 150 count as 150.
        distance_percent: u16,
    },
}

/// The canvas and the part of it that a scene fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Width in canvas units.
    pub width: u32,
    /// Height in canvas units.
    pub height: u32,
    /// How much of the canvas the scene may fill in each direction, 1 to 100 percent.
    pub fill_percent: u8,
}

/// A point on the canvas with its depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    /// Canvas units to the right of the left edge.
    pub x: f64,
    /// Canvas units below the upper edge.
    pub y: f64,
    /// World units behind the camera's target plane; grows away from the viewer.
    pub depth: f64,
}

/// Maps space to a canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    right: Vector3<f64>,
    up: Vector3<f64>,
    forward: Vector3<f64>,
    target: Point3<f64>,
    /// Canvas units per world unit in the target plane.
    scale: f64,
    /// From the eye to the target plane; `None` for parallel rays.
    eye_distance: Option<f64>,
    center: (f64, f64),
}

/// The nearest that a point may come to the eye, as a share of the eye's distance; nearer ones
/// are drawn as if there.
const NEAREST: f64 = 0.05;

impl Camera {
    /// A camera that looks at `center` and shows the sphere around it so that it fills the frame.
    /// A radius that is not a positive number counts as 1.
    pub fn around_sphere(view: View, lens: Lens, center: Point3<f64>, radius: f64, frame: Frame) -> Camera {
        let radius = if radius.is_finite() && radius > 0.0 { radius } else { 1.0 };
        let mut camera = Camera::unscaled(view, lens, center, radius);
        // The silhouette of a sphere is wider than its middle plane in perspective.
        let seen = match camera.eye_distance {
            Some(eye) => radius * eye / (eye * eye - radius * radius).sqrt(),
            None => radius,
        };
        let (width, height) = (f64::from(frame.width), f64::from(frame.height));
        camera.scale = width.min(height) * share(frame) / (2.0 * seen);
        camera.center = (width / 2.0, height / 2.0);
        camera
    }

    /// A camera that shows balls of radius `margin` around all `points`, as large as fits the
    /// frame and centered in it. Without points it shows the unit sphere.
    pub fn around_points(
        view: View,
        lens: Lens,
        points: &[Point3<f64>],
        margin: f64,
        frame: Frame,
    ) -> Camera {
        let Some(first) = points.first() else {
            return Camera::around_sphere(view, lens, Point3::origin(), 1.0, frame);
        };
        let margin = if margin.is_finite() { margin.max(0.0) } else { 0.0 };
        let (low, high) =
            points.iter().fold((*first, *first), |(low, high), point| (low.inf(point), high.sup(point)));
        let target = nalgebra::center(&low, &high);
        let farthest = points.iter().map(|point| (point - target).norm()).fold(0.0, f64::max);
        let mut camera = Camera::unscaled(view, lens, target, (farthest + margin).max(1e-6));
        let (mut left, mut right, mut above, mut below) = (f64::MAX, f64::MIN, f64::MAX, f64::MIN);
        for point in points {
            let seen = camera.project(*point);
            let reach = margin * camera.scale_at(seen.depth);
            (left, right) = (left.min(seen.x - reach), right.max(seen.x + reach));
            (above, below) = (above.min(seen.y - reach), below.max(seen.y + reach));
        }
        let (width, height) = (f64::from(frame.width), f64::from(frame.height));
        let fit_x = width * share(frame) / (right - left).max(1e-6);
        let fit_y = height * share(frame) / (below - above).max(1e-6);
        camera.scale = fit_x.min(fit_y);
        camera.center =
            ((width - camera.scale * (left + right)) / 2.0, (height - camera.scale * (above + below)) / 2.0);
        camera
    }

    /// One canvas unit a world unit, the target at the canvas origin.
    fn unscaled(view: View, lens: Lens, target: Point3<f64>, radius: f64) -> Camera {
        let (azimuth, elevation) = view.radians();
        let (sin_azimuth, cos_azimuth) = libm::sincos(azimuth);
        let (sin_elevation, cos_elevation) = libm::sincos(elevation);
        let to_viewer =
            Vector3::new(sin_azimuth * cos_elevation, -cos_azimuth * cos_elevation, sin_elevation);
        let right = Vector3::new(cos_azimuth, sin_azimuth, 0.0);
        let eye_distance = match lens {
            Lens::Orthographic => None,
            Lens::Perspective { distance_percent } => {
                Some(radius * f64::from(distance_percent.max(150)) / 100.0)
            }
        };
        Camera {
            right,
            up: to_viewer.cross(&right),
            forward: -to_viewer,
            target,
            scale: 1.0,
            eye_distance,
            center: (0.0, 0.0),
        }
    }

    /// The same camera with its picture moved on the canvas: to the right and down, in canvas units.
    pub fn moved(self, right: f64, down: f64) -> Camera {
        Camera { center: (self.center.0 + right, self.center.1 + down), ..self }
    }

    /// Where a point is seen and how deep it lies.
    pub fn project(&self, point: Point3<f64>) -> Projected {
        let offset = point - self.target;
        let depth = offset.dot(&self.forward);
        let scale = self.scale_at(depth);
        Projected {
            x: self.center.0 + scale * offset.dot(&self.right),
            y: self.center.1 - scale * offset.dot(&self.up),
            depth,
        }
    }

    /// Canvas units per world unit at this depth.
    pub fn scale_at(&self, depth: f64) -> f64 {
        match self.eye_distance {
            None => self.scale,
            Some(eye) => self.scale * eye / (eye + depth).max(eye * NEAREST),
        }
    }

    /// The share of a segment in space that belongs to the share `seen` of its projection; the
    /// two differ in perspective. `from` and `to` are the depths of the segment's ends.
    pub fn share_in_space(&self, seen: f64, from: f64, to: f64) -> f64 {
        // Inverse depth, not depth, is linear on the canvas.
        let (from, to) = (1.0 / self.scale_at(from), 1.0 / self.scale_at(to));
        let below = (1.0 - seen) * to + seen * from;
        if below > 0.0 { seen * from / below } else { seen }
    }

    /// The unit direction in which the viewer looks; a vector's part along it is its depth.
    pub fn forward(&self) -> Vector3<f64> {
        self.forward
    }

    /// The unit direction that points to the right on the canvas.
    pub fn right(&self) -> Vector3<f64> {
        self.right
    }

    /// The unit direction that points up on the canvas.
    pub fn up(&self) -> Vector3<f64> {
        self.up
    }

    /// The point at depth 0 that the camera looks at.
    pub fn target(&self) -> Point3<f64> {
        self.target
    }

    /// The unit direction from the eye to a point; the same everywhere without perspective.
    pub fn ray_to(&self, point: Point3<f64>) -> Vector3<f64> {
        match self.eye_distance {
            None => self.forward,
            Some(eye) => {
                let ray = point - (self.target - self.forward * eye);
                ray.try_normalize(1e-12).unwrap_or(self.forward)
            }
        }
    }

    /// Whether sizes change with depth.
    pub fn has_perspective(&self) -> bool {
        self.eye_distance.is_some()
    }
}

fn share(frame: Frame) -> f64 {
    f64::from(frame.fill_percent.clamp(1, 100)) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FRAME: Frame = Frame { width: 1024, height: 512, fill_percent: 80 };

    #[test]
    fn axes_point_where_the_named_views_say() {
        let camera = |view| Camera::around_sphere(view, Lens::Orthographic, Point3::origin(), 1.0, FRAME);
        let seen = |view, x, y, z| {
            let p = camera(view).project(Point3::new(x, y, z));
            ((p.x - 512.0) / 204.8, (256.0 - p.y) / 204.8, p.depth)
        };
        let near = |a: (f64, f64, f64), b: (f64, f64, f64)| {
            assert!((a.0 - b.0).abs() + (a.1 - b.1).abs() + (a.2 - b.2).abs() < 1e-9, "{a:?} {b:?}");
        };
        near(seen(View::Front, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0));
        near(seen(View::Front, 0.0, 1.0, 0.0), (0.0, 0.0, 1.0));
        near(seen(View::Front, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0));
        near(seen(View::Top, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0));
        near(seen(View::Top, 0.0, 0.0, 1.0), (0.0, 0.0, -1.0));
        near(seen(View::degrees(90, 0), 0.0, 1.0, 0.0), (1.0, 0.0, 0.0));
        let lengths = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)].map(|(x, y, z)| {
            let (a, b, _) = seen(View::Isometric, x, y, z);
            a * a + b * b
        });
        assert!(lengths.iter().all(|l| (l - 2.0 / 3.0).abs() < 1e-5), "{lengths:?}");
    }

    #[test]
    fn a_sphere_fills_its_part_of_the_frame() {
        for lens in [Lens::Orthographic, Lens::Perspective { distance_percent: 300 }] {
            let camera = Camera::around_sphere(View::Oblique, lens, Point3::new(1.0, 2.0, 3.0), 2.0, FRAME);
            let mut highest = f64::MAX;
            for step in 0..3600 {
                let (sin, cos) = libm::sincos(f64::from(step) * std::f64::consts::PI / 1800.0);
                let at = camera.target() + (camera.up() * cos + camera.forward() * sin) * 2.0;
                highest = highest.min(camera.project(at).y);
            }
            assert!((highest - 256.0 * 0.2).abs() < 0.01, "{highest}");
        }
    }

    #[test]
    fn a_moved_camera_moves_the_picture_alone() {
        let lens = Lens::Perspective { distance_percent: 300 };
        let camera = Camera::around_sphere(View::Oblique, lens, Point3::origin(), 1.0, FRAME);
        let at = Point3::new(0.3, -0.2, 0.5);
        let (here, there) = (camera.project(at), camera.moved(512.0, -7.0).project(at));
        assert!((there.x - here.x - 512.0).abs() + (there.y - here.y + 7.0).abs() < 1e-9);
        assert_eq!(there.depth, here.depth);
    }

    proptest! {
        #[test]
        fn points_stay_in_the_frame_and_touch_it(
            azimuth in any::<i32>(), elevation in any::<i32>(), distance in any::<u16>(), flat in any::<bool>(),
            points in proptest::collection::vec([-9.0..9.0_f64, -9.0..9.0, -9.0..9.0], 2..20),
        ) {
            let points: Vec<_> = points.into_iter().map(Point3::from).collect();
            let lens = if flat { Lens::Orthographic } else { Lens::Perspective { distance_percent: distance } };
            let view = View::Angles { azimuth_millidegrees: azimuth, elevation_millidegrees: elevation };
            let camera = Camera::around_points(view, lens, &points, 0.0, FRAME);
            let seen: Vec<_> = points.iter().map(|p| camera.project(*p)).collect();
            let span = |values: Vec<f64>| {
                let low = values.iter().copied().fold(f64::MAX, f64::min);
                (low, values.iter().copied().fold(f64::MIN, f64::max))
            };
            let (left, right) = span(seen.iter().map(|p| p.x).collect());
            let (top, bottom) = span(seen.iter().map(|p| p.y).collect());
            prop_assert!(left > 102.0 && right < 922.0 && top > 51.0 && bottom < 461.0);
            let filled = ((right - left) / 819.2).max((bottom - top) / 409.6);
            prop_assert!((filled - 1.0).abs() < 1e-6, "{}", filled);
        }

        #[test]
        fn a_share_on_the_canvas_is_a_share_in_space(seen in 0.0..1.0_f64, a in -1.0..1.0_f64, b in -1.0..1.0_f64) {
            let lens = Lens::Perspective { distance_percent: 200 };
            let camera = Camera::around_sphere(View::Front, lens, Point3::origin(), 1.5, FRAME);
            let (from, to) = (Point3::new(-1.0, a, 0.2), Point3::new(0.7, b, -0.4));
            let (first, last) = (camera.project(from), camera.project(to));
            let share = camera.share_in_space(seen, first.depth, last.depth);
            let found = camera.project(from + (to - from) * share);
            prop_assert!((found.x - first.x - (last.x - first.x) * seen).abs() < 1e-6);
            prop_assert!((found.y - first.y - (last.y - first.y) * seen).abs() < 1e-6);
        }
    }
}
