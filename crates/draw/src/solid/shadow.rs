//! A soft shadow on level ground without blur: one path a tone, each tone a little smaller.

use kurbo::{BezPath, Point};
use topotrace_core::Flaw;
use topotrace_space::nalgebra::{Point3, Vector3};

use super::face::SolidFace;
use super::facet::Projection;
use super::look::GroundShadow;
use super::make::Solid;
use super::outline::{Corner, Edge, cut};
use super::scene::SolidScene;
use crate::{Canvas, path};

/// Tones of a shadow.
const LAYERS: u8 = 6;
/// How far a shadow is shifted away from level light, as a share of the height.
const SLOPE: f64 = 0.45;
/// The radius of the disc that a point's shadow is, as a share of its height.
const SOFTNESS: f64 = 0.1;
/// What is added to each height for it, as a share of the solid's: shadows are soft on the ground,
/// too.
const LEAST_HEIGHT: f64 = 0.12;
/// The corners of a disc with a radius of one canvas unit, and of any disc. The number goes by the root
/// of the radius: then an edge is nowhere off by more than about a unit, which a soft one hides.
const UNIT_DISC: f64 = 2.4;
const DISC: (f64, f64) = (4.0, 24.0);

/// Draws the shadows of all solids as one.
///
/// # Errors
/// When the ground's outline is no simple polygon.
pub(super) fn draw_shadow(
    canvas: &mut Canvas,
    scene: &SolidScene,
    projection: &Projection<'_>,
    light: Vector3<f64>,
    shadow: &GroundShadow,
) -> Result<(), Flaw> {
    let ground = ground_parts(shadow)?;
    if !projection.sees_from_above(shadow.height) {
        return Ok(());
    }
    let lit = Vector3::new(light.x, light.y, 0.0) * -SLOPE;
    let casters: Vec<_> = scene
        .solids
        .iter()
        .filter(|solid| solid.casts_shadow)
        .flat_map(|solid| casters(solid, shadow.height, lit))
        .collect();
    let scale = projection.middle_scale();
    for (layer, percent) in (0..).zip(layers(shadow.opacity_percent)) {
        let share = 1.0 - f64::from(layer) / f64::from(LAYERS - 1);
        let mut tone = BezPath::new();
        for caster in &casters {
            let hull = hull(caster.iter().flat_map(|spot| spot.disc(share, scale)).collect());
            for part in within(&hull, &ground) {
                let corners = part.iter().map(|[x, y]| Point3::new(*x, *y, shadow.height));
                tone.extend(path::polygon(&projection.polygon(corners)));
            }
        }
        if percent > 0 {
            canvas.tint_crisp(&tone, shadow.color, percent);
        }
    }
    Ok(())
}

/// Whole percents for the layers, of which all together cover the wanted part.
fn layers(opacity_percent: u8) -> impl Iterator<Item = u8> {
    let open = 1.0 - f64::from(opacity_percent.clamp(1, 95)) / 100.0;
    let each = (1.0 - libm::pow(open, 1.0 / f64::from(LAYERS))) * 100.0;
    let so_far = move |count: u8| (each * f64::from(count)).round() as u8;
    (0..LAYERS).map(move |layer| so_far(layer + 1) - so_far(layer))
}

/// The convex parts of the ground's outline, counterclockwise; none for endless ground.
fn ground_parts(shadow: &GroundShadow) -> Result<Vec<Vec<[f64; 2]>>, Flaw> {
    if shadow.ground.is_empty() {
        return Ok(Vec::new());
    }
    let face = SolidFace::new(shadow.ground.iter().map(|[x, y]| Point3::new(*x, *y, 0.0)).collect())
        .map_err(|flaw| Flaw::new(format!("the ground of a shadow: {flaw}")))?;
    let face = if face.normal().z < 0.0 { face.turned() } else { face };
    let part = |part: Vec<Corner<Point3<f64>>>| part.iter().map(|(at, _)| [at.x, at.y]).collect();
    Ok(face.convex_parts().into_iter().map(part).collect())
}

/// The shadow of a point: a disc on the ground.
struct Spot {
    center: [f64; 2],
    radius: f64,
}

impl Spot {
    /// Points around it at this share of its radius, as many as are needed at this scale; the center
    /// alone at none.
    fn disc(&self, share: f64, scale: f64) -> impl Iterator<Item = [f64; 2]> {
        let radius = self.radius * share;
        let corners = (UNIT_DISC * (radius * scale).sqrt()).ceil().clamp(DISC.0, DISC.1);
        (0..if radius > 0.0 { corners as u32 } else { 1 }).map(move |at| {
            let (sin, cos) = libm::sincos((f64::from(at) + 0.5) * std::f64::consts::TAU / corners);
            [self.center[0] + radius * cos, self.center[1] + radius * sin]
        })
    }
}

/// The shadows of the points of each convex thing that makes up a solid: of the solid itself, or of
/// the convex parts of its faces.
fn casters(solid: &Solid, ground: f64, lit: Vector3<f64>) -> Vec<Vec<Spot>> {
    let all = || solid.faces().iter().flat_map(SolidFace::corners);
    let height = |point: &Point3<f64>| (point.z - ground).max(0.0);
    let top = all().map(height).fold(0.0, f64::max);
    if top == 0.0 {
        return Vec::new();
    }
    let spot = |point: &Point3<f64>| {
        let at = point + lit * height(point);
        let radius = SOFTNESS * (height(point) + LEAST_HEIGHT * top);
        Spot { center: [at.x, at.y], radius }
    };
    if is_convex(solid) {
        let mut corners: Vec<_> = all().collect();
        corners.sort_by(|a, b| a.iter().partial_cmp(b.iter()).unwrap_or(std::cmp::Ordering::Equal));
        corners.dedup();
        return vec![corners.into_iter().map(spot).collect()];
    }
    let parts = solid.faces().iter().flat_map(SolidFace::convex_parts);
    parts.map(|part| part.iter().map(|(corner, _)| spot(corner)).collect()).collect()
}

/// Whether no point of a closed solid lies outside of one of its faces.
fn is_convex(solid: &Solid) -> bool {
    let inside = |face: &SolidFace| {
        let (origin, normal) = (face.corners()[0], face.normal());
        let others = solid.faces().iter().flat_map(SolidFace::corners);
        others
            .map(|corner| (corner - origin).dot(&normal))
            .all(|off| off <= 1e-9 * (1.0 + origin.coords.amax()))
    };
    !solid.is_two_sided() && solid.faces().iter().all(inside)
}

/// The convex hull, counterclockwise.
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let turns_left = |a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    };
    let chain = |points: &mut dyn Iterator<Item = &[f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while chain.len() > 1 && !turns_left(&chain[chain.len() - 2], &chain[chain.len() - 1], point) {
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut lower = chain(&mut points.iter());
    lower.extend(chain(&mut points.iter().rev()));
    lower
}

/// The parts of a convex polygon within convex pieces of ground, or all of it on endless ground.
fn within(polygon: &[[f64; 2]], ground: &[Vec<[f64; 2]>]) -> Vec<Vec<[f64; 2]>> {
    if ground.is_empty() {
        return vec![polygon.to_vec()];
    }
    let part = |part: &Vec<[f64; 2]>| {
        let mut rest: Vec<_> = polygon.iter().map(|at| (Point::from((at[0], at[1])), Edge::CUT)).collect();
        for (at, from) in part.iter().enumerate() {
            let (from, to) = (Point::from((from[0], from[1])), part[(at + 1) % part.len()]);
            let along = Point::from((to[0], to[1])) - from;
            let sides: Vec<_> = rest.iter().map(|(place, _)| along.cross(*place - from)).collect();
            [_, rest] = cut(&rest, &sides);
        }
        rest.iter().map(|(place, _)| [place.x, place.y]).collect::<Vec<_>>()
    };
    ground.iter().map(part).filter(|part| part.len() > 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_holds_all_points_and_turns_left() {
        let points: Vec<_> = (0..60).map(|at| [f64::from(at * 37 % 61), f64::from(at * 23 % 59)]).collect();
        let hull = hull(points.clone());
        let count = hull.len();
        assert!((4..20).contains(&count), "{hull:?}");
        for (at, from) in hull.iter().enumerate() {
            let to = hull[(at + 1) % count];
            let side =
                |p: &[f64; 2]| (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
            assert!(points.iter().all(|point| side(point) >= 0.0));
            assert!(side(&hull[(at + 2) % count]) > 0.0);
        }
        assert!(super::hull(vec![[1.0, 1.0]; 3]).len() < 3);
    }

    #[test]
    fn layers_add_up_to_the_opacity() {
        for opacity in [1, 7, 30, 60, 95] {
            let open = layers(opacity).map(|percent| 1.0 - f64::from(percent) / 100.0).product::<f64>();
            assert!((1.0 - open - f64::from(opacity) / 100.0).abs() < 0.05, "{opacity} {open}");
        }
    }

    #[test]
    fn a_shadow_stays_on_its_ground() {
        let ell = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
        let shadow = |ground: &[[f64; 2]]| GroundShadow {
            color: crate::Color::BLACK,
            opacity_percent: 30,
            height: 0.0,
            ground: ground.to_vec(),
        };
        let parts = ground_parts(&shadow(&ell)).expect("parts");
        let found = within(&[[-1.0, -1.0], [2.0, -1.0], [2.0, 2.0], [-1.0, 2.0]], &parts);
        let area = |polygon: &Vec<[f64; 2]>| {
            let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
            edges.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
        };
        assert!((found.iter().map(area).sum::<f64>() - 3.0).abs() < 1e-9, "{found:?}");
        let wrong = ground_parts(&shadow(&ell[..2])).expect_err("a flaw").to_string();
        assert!(wrong.starts_with("the ground of a shadow: number of corners"), "{wrong}");
    }
}
