//! Which of two facets is in front where they overlap.

use kurbo::Point;

use super::facet::{Nearness, Outline, doubled_area};

/// What two facets are to each other on the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// They share no area.
    Apart,
    /// The first is in front wherever they overlap.
    Above,
    /// The second is.
    Below,
    /// They lie in one plane.
    Level,
    /// Each is in front somewhere: they pass through each other.
    Crossing,
}

/// The width on the canvas, in units, below which an overlap or a passage is not to be seen.
const INVISIBLE: f64 = 0.02;
/// Facets that are nowhere farther apart than this, in canvas units, lie in one plane.
const LEVEL: f64 = 1e-4;

/// How far two nearnesses must differ to count, if their difference changes over the canvas as
/// told by `above`: then a part that is worth seeing lies on that side.
pub(super) fn least_difference(above: &Nearness) -> f64 {
    LEVEL.max(INVISIBLE * above.steepness())
}

/// What is seen of a facet for the comparison: convex polygons, and its nearness.
pub(super) struct Seen<'a> {
    pub(super) parts: &'a [Outline],
    pub(super) nearness: Nearness,
}

/// Compares facets; it keeps its memory from one pair to the next.
#[derive(Default)]
pub(super) struct Comparison {
    shared: Vec<Point>,
    spare: Vec<Point>,
}

impl Comparison {
    pub(super) fn relation(&mut self, a: &Seen<'_>, b: &Seen<'_>) -> Relation {
        let above = a.nearness.above(&b.nearness);
        let least = least_difference(&above);
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for part in a.parts {
            for other in b.parts {
                self.intersect(part, other);
                for place in &self.shared {
                    let difference = above.at(*place);
                    (lowest, highest) = (lowest.min(difference), highest.max(difference));
                }
            }
        }
        match (highest > least, lowest < -least) {
            (true, true) => Relation::Crossing,
            (true, false) => Relation::Above,
            (false, true) => Relation::Below,
            (false, false) if (0.0..=2.0 * LEVEL).contains(&(highest - lowest)) => Relation::Level,
            // No overlap, or one so narrow that the order doesn't show.
            (false, false) => Relation::Apart,
        }
    }

    /// Leaves in `shared` what two convex polygons have in common, but for a margin that can't be
    /// seen: nothing for two that only touch.
    fn intersect(&mut self, a: &Outline, b: &Outline) {
        self.shared.clear();
        self.shared.extend(a.iter().map(|(at, _)| *at));
        let way = if doubled_area(b) > 0.0 { 1.0 } else { -1.0 };
        let count = b.len();
        for at in 0..count {
            let (from, along) = (b[at].0, b[(at + 1) % count].0 - b[at].0);
            let length = along.hypot2().sqrt();
            if length < 1e-9 {
                continue;
            }
            let inside = |place: Point| way * along.cross(place - from) - INVISIBLE / 2.0 * length;
            clip(&self.shared, &mut self.spare, inside);
            std::mem::swap(&mut self.shared, &mut self.spare);
            if self.shared.len() < 3 {
                self.shared.clear();
                return;
            }
        }
    }
}

/// Writes the part of a convex polygon where `inside` is above 0.
fn clip(polygon: &[Point], out: &mut Vec<Point>, inside: impl Fn(Point) -> f64) {
    out.clear();
    let Some(last) = polygon.last() else { return };
    let (mut before, mut side_before) = (*last, inside(*last));
    for place in polygon {
        let side = inside(*place);
        if (side > 0.0) != (side_before > 0.0) {
            out.push(before.lerp(*place, side_before / (side_before - side)));
        }
        if side > 0.0 {
            out.push(*place);
        }
        (before, side_before) = (*place, side);
    }
}

#[cfg(test)]
mod tests {
    use super::super::face::SolidFace;
    use super::super::facet::Projection;
    use super::*;
    use topotrace_space::nalgebra::Point3;
    use topotrace_space::{Camera, Frame, Lens, View};

    /// The relation of two triangles, or polygons, seen from above at 100 units a world unit.
    fn relation(a: &[[f64; 3]], b: &[[f64; 3]]) -> Relation {
        let frame = Frame { width: 1000, height: 1000, fill_percent: 100 };
        let camera = Camera::around_sphere(View::Top, Lens::Orthographic, Point3::origin(), 5.0, frame);
        let facet = |corners: &[[f64; 3]]| {
            let face = SolidFace::new(corners.iter().copied().map(Point3::from).collect()).expect("a face");
            Projection::new(&camera).facets(&face, true).remove(0)
        };
        let (a, b) = (facet(a), facet(b));
        let seen = |facet: &super::super::facet::Facet| -> (Vec<Outline>, Nearness) {
            (facet.convex_parts().to_vec(), facet.nearness)
        };
        let ((a, near), (b, other)) = (seen(&a), seen(&b));
        let (a, b) = (Seen { parts: &a, nearness: near }, Seen { parts: &b, nearness: other });
        Comparison::default().relation(&a, &b)
    }

    fn square(x: f64, low: f64, high: f64) -> [[f64; 3]; 4] {
        [[x, 0.0, low], [x + 1.0, 0.0, high], [x + 1.0, 1.0, high], [x, 1.0, low]]
    }

    #[test]
    fn relations_are_told_apart() {
        let base = square(0.0, 0.0, 0.0);
        let table = [
            (square(0.5, 0.1, 0.1), Relation::Below),
            (square(0.5, -0.1, -0.1), Relation::Above),
            (square(0.5, 0.0, 0.0), Relation::Level),
            (square(1.0, 0.3, 0.3), Relation::Apart),
            (square(0.9999, 0.3, 0.3), Relation::Apart),
            (square(0.999, 0.3, 0.3), Relation::Below),
            (square(0.5, -0.1, 0.1), Relation::Above),
            (square(0.0, -0.1, 0.1), Relation::Crossing),
            (square(0.0, 0.0, 0.1), Relation::Below),
            (square(0.0, -1e-7, 0.1), Relation::Below),
        ];
        for (other, expected) in table {
            assert_eq!(relation(&base, &other), expected, "{other:?}");
            let turned = match expected {
                Relation::Above => Relation::Below,
                Relation::Below => Relation::Above,
                same => same,
            };
            assert_eq!(relation(&other, &base), turned, "{other:?}");
        }
    }

    #[test]
    fn the_notch_of_a_concave_facet_is_empty() {
        let hook = [
            [0.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
            [3.0, 3.0, 0.0],
            [2.0, 3.0, 0.0],
            [2.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 3.0, 0.0],
            [0.0, 3.0, 0.0],
        ];
        let within = square(1.0, 1.0, -1.0).map(|[x, y, z]| [x, y + 1.5, z]);
        assert_eq!(relation(&hook, &within), Relation::Apart);
        assert_eq!(relation(&hook, &within.map(|[x, y, z]| [x, y - 0.8, z])), Relation::Crossing);
    }
}
