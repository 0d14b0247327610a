//! A soft shadow without blur: one line through everything, stroked in falling widths.

use kurbo::{BezPath, Point, Vec2};
use topotrace_space::nalgebra::{Point3, Vector3};
use topotrace_space::{Camera, Curve};

use super::look::{RopeLook, Shadow, ShadowPlane};
use super::track::Track;
use crate::{Canvas, Stroke, path};

/// Strokes of a shadow.
const LAYERS: u8 = 7;

/// The most circles that fill a ball's shadow.
const MAX_CIRCLES: u32 = 64;
/// How far a shadow is shifted, as a share of the distance from the wall.
const WALL_SLOPE: f64 = 0.22;

/// What throws a shadow: a tube, or a ball at a point.
pub(super) enum Caster<'a> {
    Tube(&'a Curve, f64),
    Ball(Point3<f64>, f64),
}

/// Draws the shadows of all casters as one, darkest where they are thick.
pub(super) fn draw_shadow(
    canvas: &mut Canvas,
    casters: &[Caster<'_>],
    camera: &Camera,
    look: &RopeLook,
    shadow: &Shadow,
) {
    let light = ShadowLight::new(casters, camera, look, shadow.plane);
    // (opaque) ^ (1 / layers) each, so that all together cover the wanted part.
    let open = 1.0 - f64::from(shadow.opacity_percent.clamp(1, 95)) / 100.0;
    let each = (1.0 - libm::pow(open, 1.0 / f64::from(LAYERS))) * 100.0;
    let lines: Vec<_> = casters.iter().filter_map(|caster| light.cast(caster)).collect();
    let mut done = 0.0;
    for layer in 0..LAYERS {
        // From nearly twice the width down to less than a half.
        let share = 1.7 - 1.3 * f64::from(layer) / f64::from(LAYERS - 1);
        // Whole percents that add up.
        let percent = (each * f64::from(layer + 1)).round() - done;
        done += percent;
        if percent < 1.0 {
            continue;
        }
        let mut widths: Vec<(f64, BezPath)> = Vec::new();
        for line in &lines {
            let width = 2.0 * line.half_width() * share;
            let known = widths.iter().position(|(found, _)| (found - width).abs() < 0.25);
            let at = known.unwrap_or(widths.len());
            if known.is_none() {
                widths.push((width, BezPath::new()));
            }
            line.append(share, &mut widths[at].1);
        }
        for (width, path) in &widths {
            canvas.stroke(path, Stroke::new(shadow.color, *width).translucent(percent as u8));
        }
    }
}

/// A cast shadow.
enum Line {
    Tube(Track, f64),
    Ball(Point, f64, f64),
}

impl Line {
    fn half_width(&self) -> f64 {
        match self {
            Line::Tube(_, half) | Line::Ball(_, _, half) => *half,
        }
    }

    fn append(&self, share: f64, path: &mut BezPath) {
        match self {
            Line::Tube(track, _) if track.is_closed() => track.append_closed(Vec2::ZERO, path),
            Line::Tube(track, _) => track.append(0.0, track.end(), Vec2::ZERO, path),
            Line::Ball(center, radius, half) => {
                // A disc filled by circles of the stroke's width, from the outside in.
                let stroke = half * share;
                let mut circle = radius - half;
                for _ in 0..MAX_CIRCLES {
                    path.extend(path::circle(*center, circle.max(0.2)));
                    circle -= 1.8 * stroke;
                    if circle <= -stroke {
                        break;
                    }
                }
            }
        }
    }
}

/// How shadows fall.
struct ShadowLight {
    camera: Camera,
    /// A point of the plane, its normal, and the direction of the light.
    plane: Point3<f64>,
    normal: Vector3<f64>,
    rays: Vector3<f64>,
    /// The half width of the thinnest tube, in world units, for the strokes that fill balls.
    thin: f64,
}

impl ShadowLight {
    fn new(casters: &[Caster<'_>], camera: &Camera, look: &RopeLook, plane: ShadowPlane) -> Self {
        let (x, y) = look.light();
        let (normal, rays, point) = match plane {
            ShadowPlane::Floor(height) => {
                let side = camera.right() * x - camera.up() * y;
                let side = Vector3::new(side.x, side.y, 0.0);
                (Vector3::z(), -Vector3::z() - side * 0.45, Point3::new(0.0, 0.0, height))
            }
            ShadowPlane::Wall(gap) => {
                let toward_light = camera.right() * x - camera.up() * y;
                let rays = camera.forward() - toward_light * WALL_SLOPE;
                let deepest = casters.iter().map(|caster| deepest(caster, camera)).fold(f64::MIN, f64::max);
                let gap = if gap.is_finite() { gap } else { 0.0 };
                (camera.forward(), rays, camera.target() + camera.forward() * (deepest.max(-1e6) + gap))
            }
        };
        let radii = casters.iter().filter_map(|caster| match caster {
            Caster::Tube(_, radius) => Some(*radius),
            Caster::Ball(..) => None,
        });
        let thin = radii.fold(f64::INFINITY, f64::min);
        ShadowLight { camera: *camera, plane: point, normal, rays, thin }
    }

    fn image(&self, point: &Point3<f64>) -> Point3<f64> {
        point + self.rays * ((self.plane - point).dot(&self.normal) / self.rays.dot(&self.normal))
    }

    fn cast(&self, caster: &Caster<'_>) -> Option<Line> {
        let half =
            |point: Point3<f64>, radius: f64| radius * self.camera.scale_at(self.camera.project(point).depth);
        match caster {
            Caster::Tube(curve, radius) => {
                let cast = curve.mapped(|point| self.image(point)).ok()?;
                let middle = cast.point_at(cast.length() / 2.0);
                Some(Line::Tube(Track::new(&cast, *radius, &self.camera), half(middle, *radius)))
            }
            Caster::Ball(center, radius) => {
                let center = self.image(center);
                let seen = self.camera.project(center);
                let thin = self.thin.min(*radius);
                Some(Line::Ball(Point::new(seen.x, seen.y), half(center, *radius), half(center, thin)))
            }
        }
    }
}

fn deepest(caster: &Caster<'_>, camera: &Camera) -> f64 {
    let depth = |point: &Point3<f64>, radius: f64| camera.project(*point).depth + radius;
    match caster {
        Caster::Tube(curve, radius) => {
            curve.points().iter().map(|point| depth(point, *radius)).fold(f64::MIN, f64::max)
        }
        Caster::Ball(center, radius) => depth(center, *radius),
    }
}
