//! Polygons in a plane: whether they are simple, their convex parts, cuts.

use std::ops::{Add, Mul, Sub};

type Place = [f64; 2];

/// The cross product of the ways from `a` to `b` and from `a` to `c`: above 0 where the three turn
/// counterclockwise.
fn turn(a: Place, b: Place, c: Place) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether `p` lies within the box around `a` and `b`; on the segment, where the three are in line.
fn between(p: Place, a: Place, b: Place) -> bool {
    (0..2).all(|axis| a[axis].min(b[axis]) <= p[axis] && p[axis] <= a[axis].max(b[axis]))
}

/// Whether two segments share a point.
fn meet(a: Place, b: Place, c: Place, d: Place) -> bool {
    let (c_side, d_side) = (turn(a, b, c), turn(a, b, d));
    let (a_side, b_side) = (turn(c, d, a), turn(c, d, b));
    let apart = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    if apart(c_side, d_side) || apart(a_side, b_side) {
        return false;
    }
    let touches = |side: f64, p: Place, from: Place, to: Place| side == 0.0 && between(p, from, to);
    let proper = [c_side, d_side, a_side, b_side].iter().all(|side| *side != 0.0);
    proper
        || touches(c_side, c, a, b)
        || touches(d_side, d, a, b)
        || touches(a_side, a, c, d)
        || touches(b_side, b, c, d)
}

/// Whether the closed line through `corners` crosses or touches itself, or has a corner twice in a
/// row.
pub(super) fn cross_each_other(corners: &[Place]) -> bool {
    let count = corners.len();
    let at = |index: usize| corners[index % count];
    let folded = |i: usize| {
        let (a, b, c) = (at(i), at(i + 1), at(i + 2));
        let back = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) <= 0.0;
        a == b || (turn(a, b, c) == 0.0 && back)
    };
    // A convex outline, the usual one, turns one way and around once.
    if (0..count).all(|i| turn(at(i), at(i + 1), at(i + 2)) > 0.0) && turns_once(corners) {
        return false;
    }
    (0..count).any(folded)
        || (0..count).any(|i| {
            (i + 2..count).filter(|j| (j + 1) % count != i).any(|j| meet(at(i), at(i + 1), at(j), at(j + 1)))
        })
}

/// Whether an outline that always turns left does so once in all: it then goes up once.
fn turns_once(corners: &[Place]) -> bool {
    let count = corners.len();
    let rises = |i: usize| {
        let (a, b) = (corners[i % count], corners[(i + 1) % count]);
        (a[1], a[0]) < (b[1], b[0])
    };
    (0..count).filter(|i| !rises(*i) && rises(i + 1)).count() == 1
}

/// Cuts a simple, counterclockwise polygon into convex ones, given as indices; none if it is convex
/// itself. Returns `None` where rounding leaves no cut to be made.
pub(super) fn convex_parts(corners: &[Place]) -> Option<Vec<Vec<usize>>> {
    let whole: Vec<usize> = (0..corners.len()).collect();
    let slack = slack(corners);
    if first_reflex(corners, &whole, slack).is_none() {
        return Some(Vec::new());
    }
    let (mut parts, mut rest) = (Vec::new(), vec![whole]);
    while let Some(polygon) = rest.pop() {
        match first_reflex(corners, &polygon, slack) {
            None => parts.push(polygon),
            Some(reflex) => {
                let other = best_cut(corners, &polygon, reflex, slack)?;
                let (low, high) = (reflex.min(other), reflex.max(other));
                let mut outer = polygon[..=low].to_vec();
                outer.extend(&polygon[high..]);
                rest.push(outer);
                rest.push(polygon[low..=high].to_vec());
            }
        }
    }
    Some(parts)
}

/// The cross product below which three corners count as in line.
fn slack(corners: &[Place]) -> f64 {
    let far = corners.iter().flatten().fold(0.0, |far: f64, value| far.max(value.abs()));
    far * far * 1e-12
}

fn neighbors(polygon: &[usize], at: usize) -> (usize, usize) {
    let count = polygon.len();
    (polygon[(at + count - 1) % count], polygon[(at + 1) % count])
}

fn first_reflex(corners: &[Place], polygon: &[usize], slack: f64) -> Option<usize> {
    (0..polygon.len()).find(|at| {
        let (before, after) = neighbors(polygon, *at);
        turn(corners[before], corners[polygon[*at]], corners[after]) < -slack
    })
}

/// The corner to which to cut from a reflex one: the nearest that mends it, or else the nearest.
fn best_cut(corners: &[Place], polygon: &[usize], reflex: usize, slack: f64) -> Option<usize> {
    let from = corners[polygon[reflex]];
    let candidates = (0..polygon.len()).filter(|to| is_diagonal(corners, polygon, reflex, *to, slack));
    let cost = |to: &usize| {
        let (before, after) = neighbors(polygon, reflex);
        let at = corners[polygon[*to]];
        let mends = turn(corners[before], from, at) >= -slack && turn(at, from, corners[after]) >= -slack;
        let (x, y) = (at[0] - from[0], at[1] - from[1]);
        (!mends, x * x + y * y)
    };
    candidates
        .map(|to| (cost(&to), to))
        .min_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
        .map(|(_, to)| to)
}

/// Whether the segment between two corners lies inside of the polygon and touches no other edge.
fn is_diagonal(corners: &[Place], polygon: &[usize], from: usize, to: usize, slack: f64) -> bool {
    let count = polygon.len();
    if from == to || (from + 1) % count == to || (to + 1) % count == from {
        return false;
    }
    let (a, b) = (corners[polygon[from]], corners[polygon[to]]);
    let inside = |at: usize, other: Place| {
        let (before, after) = neighbors(polygon, at);
        let (before, corner, after) = (corners[before], corners[polygon[at]], corners[after]);
        let (left, right) = (turn(corner, after, other), turn(before, corner, other));
        if turn(before, corner, after) >= -slack {
            left > slack && right > slack
        } else {
            left > slack || right > slack
        }
    };
    inside(from, b)
        && inside(to, a)
        && (0..count).all(|i| {
            let j = (i + 1) % count;
            let own = [i, j].iter().any(|end| *end == from || *end == to);
            own || !meet(a, b, corners[polygon[i]], corners[polygon[j]])
        })
}

/// The edge from a corner of an outline to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// Whether it is shown as a line.
    pub(super) lined: bool,
    /// Whether the solid goes on beyond it, with a face that is turned to the viewer, too.
    pub(super) inner: bool,
}

impl Edge {
    /// An edge that a cut has made.
    pub(super) const CUT: Edge = Edge { lined: false, inner: false };

    /// An edge that ends a face.
    pub(super) fn of_face(lined: bool) -> Edge {
        Edge { lined, inner: false }
    }
}

/// A corner of an outline in the plane or in space, with the edge that follows it.
pub(super) type Corner<P> = (P, Edge);

/// Cuts a convex outline where `sides`, given for its corners, changes its sign: what is on the
/// negative side, then what is on the positive one.
pub(super) fn cut<P, V>(outline: &[Corner<P>], sides: &[f64]) -> [Vec<Corner<P>>; 2]
where
    P: Copy + Sub<P, Output = V> + Add<V, Output = P>,
    V: Mul<f64, Output = V>,
{
    let mut halves = [Vec::new(), Vec::new()];
    let count = outline.len();
    for at in 0..count {
        let next = (at + 1) % count;
        let ((corner, edge), side, after) = (outline[at], sides[at], sides[next]);
        let [negative, positive] = &mut halves;
        // Where a half is left at a corner on the cut, the cut itself is what follows.
        if side <= 0.0 {
            negative.push((corner, if side < 0.0 || after <= 0.0 { edge } else { Edge::CUT }));
        }
        if side >= 0.0 {
            positive.push((corner, if side > 0.0 || after >= 0.0 { edge } else { Edge::CUT }));
        }
        if (side < 0.0 && after > 0.0) || (side > 0.0 && after < 0.0) {
            let crossing = corner + (outline[next].0 - corner) * (side / (side - after));
            let (left, entered) = if side < 0.0 { (negative, positive) } else { (positive, negative) };
            left.push((crossing, Edge::CUT));
            entered.push((crossing, edge));
        }
    }
    halves
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::Point;
    use proptest::prelude::*;

    fn area(corners: &[Place], part: &[usize]) -> f64 {
        (1..part.len() - 1)
            .map(|i| turn(corners[part[0]], corners[part[i]], corners[part[i + 1]]))
            .sum::<f64>()
            / 2.0
    }

    /// A star-shaped outline, counterclockwise.
    fn star(radii: &[f64]) -> Vec<Place> {
        let step = std::f64::consts::TAU / radii.len() as f64;
        let corner = |(at, radius): (usize, &f64)| {
            let (sin, cos) = libm::sincos(at as f64 * step);
            [radius * cos, radius * sin]
        };
        radii.iter().enumerate().map(corner).collect()
    }

    #[test]
    fn crossings_and_touches_are_found() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        assert!(!cross_each_other(&square) && convex_parts(&square) == Some(Vec::new()));
        assert!(cross_each_other(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]));
        let touching = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]];
        assert!(cross_each_other(&touching));
        let spike = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [4.0, 2.0], [0.0, 4.0]];
        assert!(cross_each_other(&spike));
        // A pentagram turns left at every corner.
        let twice: Vec<_> = (0..5).map(|at| star(&[1.0; 5])[at * 2 % 5]).collect();
        assert!(cross_each_other(&twice));
        assert!(!cross_each_other(&star(&[1.0; 5])));
    }

    #[test]
    fn a_cut_shows_no_line() {
        let square: Vec<_> = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
            .map(|at| (Point::from(at), Edge::of_face(true)))
            .to_vec();
        let sides: Vec<_> = square.iter().map(|(at, _)| at.x - 1.0).collect();
        let [left, right] = cut(&square, &sides);
        let corners = |half: &[Corner<Point>]| -> Vec<(f64, f64, bool)> {
            half.iter().map(|(at, edge)| (at.x, at.y, edge.lined)).collect()
        };
        let on = |x: f64, y: f64| (x, y, true);
        assert_eq!(corners(&left), [on(0.0, 0.0), (1.0, 0.0, false), on(1.0, 4.0), on(0.0, 4.0)]);
        assert_eq!(corners(&right), [on(1.0, 0.0), on(4.0, 0.0), on(4.0, 4.0), (1.0, 4.0, false)]);
        // Through two corners: the edges stay, the diagonal shows none.
        let sides: Vec<_> = square.iter().map(|(at, _)| at.x - at.y).collect();
        for half in cut(&square, &sides) {
            assert_eq!((half.len(), half.iter().filter(|(_, edge)| edge.lined).count()), (3, 2), "{half:?}");
        }
    }

    proptest! {
        #[test]
        fn convex_parts_are_convex_and_make_up_the_whole(
            radii in proptest::collection::vec(0.3..3.0_f64, 3..24),
        ) {
            let corners = star(&radii);
            prop_assert!(!cross_each_other(&corners));
            let whole: Vec<_> = (0..corners.len()).collect();
            let mut parts = convex_parts(&corners).expect("parts");
            if parts.is_empty() {
                parts.push(whole.clone());
            }
            let slack = slack(&corners);
            let mut sum = 0.0;
            for part in &parts {
                prop_assert!(part.len() >= 3 && first_reflex(&corners, part, slack).is_none());
                prop_assert!(area(&corners, part) > 0.0);
                sum += area(&corners, part);
            }
            prop_assert!((sum - area(&corners, &whole)).abs() < 1e-9);
        }
    }
}
