use nalgebra::Point3;
use proptest::prelude::*;
use topotrace_core::SemanticRng;

use super::*;
use crate::{Frame, Lens, View, shapes};

const FRAME: Frame = Frame { width: 1024, height: 1024, fill_percent: 80 };

fn top(curves: &[Curve], radius: f64) -> Diagram {
    seen(curves, radius, View::Top, Lens::Orthographic)
}

fn seen(curves: &[Curve], radius: f64, view: View, lens: Lens) -> Diagram {
    let points: Vec<_> = curves.iter().flat_map(Curve::points).copied().collect();
    let camera = Camera::around_points(view, lens, &points, radius, FRAME);
    let tubes: Vec<_> = curves.iter().map(|curve| Tube { curve, radius }).collect();
    Diagram::new(&tubes, &camera)
}

#[test]
fn torus_knots_have_their_number_of_crossings() {
    for (p, q, count) in [(2, 3, 3), (2, 5, 5), (3, 4, 8), (3, 5, 10), (2, 9, 9)] {
        for points in [120, 240, 241, 500] {
            let knot = shapes::torus_knot(p, q, 2.0, 0.8, points).unwrap();
            let diagram = top(&[knot], 0.1);
            assert_eq!(diagram.crossings().len(), count, "{p} {q} {points}");
            let signs: Vec<_> = diagram.crossings().iter().map(|c| c.sign).collect();
            assert!(signs.iter().all(|sign| *sign == signs[0]), "{signs:?}");
            if p == 2 {
                let visits = diagram.visits(0);
                assert!((0..visits.len()).all(|at| visits[at].2 != visits[(at + 1) % visits.len()].2));
            }
        }
    }
    let eight = top(&[shapes::figure_eight(1.0, 300).unwrap()], 0.1);
    assert_eq!(eight.crossings().iter().map(|c| c.sign).sum::<i32>(), 0);
    assert_eq!(eight.crossings().len(), 4);
}

#[test]
fn a_right_handed_crossing_has_sign_one() {
    let line = |x: f64, y: f64, z: f64| {
        Curve::new(vec![Point3::new(-x, -y, z), Point3::new(x, y, z)], false).unwrap()
    };
    // The upper strand to the upper right, the lower one to the upper left.
    let diagram = top(&[line(1.0, 1.0, 1.0), line(-1.0, 1.0, 0.0)], 0.1);
    let crossing = diagram.crossings()[0];
    assert_eq!((crossing.sign, crossing.over.strand), (1, 0));
    assert!((crossing.angle_degrees - 90.0).abs() < 1e-9);
    assert!((crossing.over.position - 2.0_f64.sqrt()).abs() < 1e-9);
    assert!((crossing.under.before - crossing.under.after).abs() < 1e-6);
}

#[test]
fn a_crossing_at_vertices_is_found_once() {
    // Vertices on vertices, vertices on segments, and segments that overlap for a while.
    let zigzag = |points: &[[i32; 2]], z: i32| {
        let points: Vec<_> = points.iter().map(|[x, y]| [x * 1024, y * 1024, z]).collect();
        Curve::from_quantized(&points, false).unwrap()
    };
    let line = zigzag(&[[-4, 0], [-2, 0], [0, 0], [2, 0], [4, 0]], 0);
    for (other, count) in [
        (vec![[0, -2], [0, 0], [0, 2]], 1),
        (vec![[1, -2], [1, 0], [1, 2]], 1),
        (vec![[1, -2], [-1, 2]], 1),
        (vec![[-3, -2], [-2, 0], [2, 0], [3, 2]], 1),
        (vec![[-3, -2], [-2, 0], [2, 0], [3, -2]], 0),
        (vec![[-1, -1], [0, 0], [1, -1]], 0),
    ] {
        let found = top(&[line.clone(), zigzag(&other, 900)], 0.1).crossings().len();
        // A touching piece is moved to either side: as it is, or with two crossings more or less.
        assert_eq!(found % 2, count % 2, "{other:?} {found}");
        assert!(found <= count + 2, "{other:?} {found}");
    }
}

/// Crossings by brute force over all pairs in floating point.
fn brute(strands: &[Strand]) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    let all: Vec<_> = strands
        .iter()
        .enumerate()
        .flat_map(|(s, strand)| (0..strand.segment_count()).map(move |i| (s, i, strand.segment(i))))
        .collect();
    for (at, (s, i, a)) in all.iter().enumerate() {
        for (t, j, b) in &all[..at] {
            let count = strands[*s].segment_count();
            if s == t && (i.abs_diff(*j) <= 1 || strands[*s].closed && i.abs_diff(*j) + 1 == count) {
                continue;
            }
            let (ax, ay) = (a.1.x - a.0.x, a.1.y - a.0.y);
            let (bx, by) = (b.1.x - b.0.x, b.1.y - b.0.y);
            let below = ax * by - ay * bx;
            let (dx, dy) = (b.0.x - a.0.x, b.0.y - a.0.y);
            let (u, v) = ((dx * by - dy * bx) / below, (dx * ay - dy * ax) / below);
            if (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v) {
                found.push((a.0.x + ax * u, a.0.y + ay * u));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn crossings_are_those_of_brute_force(seed in any::<u64>(), closed in any::<bool>(), near in any::<bool>()) {
        let mut rng = SemanticRng::from_seed(seed);
        let curves = [6, 8].map(|controls| {
            shapes::random_spline(&mut rng, controls, [2.0, 2.0, 1.0], closed, 160).unwrap()
        });
        let lens = if near { Lens::Perspective { distance_percent: 250 } } else { Lens::Orthographic };
        let diagram = seen(&curves, 0.1, random_views(&mut rng, 1, -80, 80)[0], lens);
        let expected = brute(diagram.strands());
        prop_assert_eq!(diagram.crossings().len(), expected.len());
        for crossing in diagram.crossings() {
            // Rounding to the grid shifts a flat crossing along its strands.
            let near = 0.01 + 0.01 / libm::sin(crossing.angle_degrees.to_radians()).max(1e-6);
            let found = expected.iter().filter(|(x, y)| (x - crossing.x).abs() + (y - crossing.y).abs() < near);
            prop_assert!(found.count() > 0, "{:?}", crossing);
        }
        for crossing in diagram.crossings() {
            let curve = |visit: &Visit| curves[visit.strand].point_at(visit.position);
            prop_assert!(crossing.over.depth <= crossing.under.depth);
            prop_assert!((curve(&crossing.over) - curve(&crossing.under)).norm() + 1e-6
                >= crossing.under.depth - crossing.over.depth);
        }
        if closed {
            prop_assert_eq!(diagram.crossings_between(0, 1).count() % 2, 0);
        }
    }

    #[test]
    fn the_linking_number_does_not_depend_on_the_view(seed in any::<u64>()) {
        let mut rng = SemanticRng::from_seed(seed);
        let curves = [5, 5].map(|controls| {
            shapes::random_spline(&mut rng, controls, [2.0, 2.0, 2.0], true, 100).unwrap()
        });
        let linking = |view| {
            let diagram = seen(&curves, 0.1, view, Lens::Orthographic);
            diagram.crossings_between(0, 1).map(|c| c.sign).sum::<i32>()
        };
        let first = linking(View::Front);
        prop_assert_eq!(first % 2, 0);
        for view in random_views(&mut rng, 4, -90, 90) {
            prop_assert_eq!(linking(view), first);
        }
    }
}

/// Two straight ropes that cross at `degrees`, half a unit apart in height.
fn cross_of(degrees: f64) -> [Curve; 2] {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let line = |x: f64, y: f64, z: f64| {
        let points = (-20..=20).map(|i| f64::from(i) / 10.0).map(|t| Point3::new(x * t, y * t, z)).collect();
        Curve::new(points, false).unwrap()
    };
    [line(1.0, 0.0, 0.0), line(cos, sin, 0.5)]
}

#[test]
fn the_first_flaw_is_named() {
    let rule = ReadingRule::default();
    assert_eq!(top(&cross_of(60.0), 0.1).first_flaw(&rule), None);
    let flat = top(&cross_of(30.0), 0.1).first_flaw(&rule);
    assert!(matches!(flat, Some(Unreadable::Angle(0, angle)) if (angle - 30.0).abs() < 1e-6), "{flat:?}");

    // A third rope on top of the crossing.
    let [a, b] = cross_of(90.0);
    let third = b.mapped(|p| Point3::new(p.y - p.x, p.x + p.y, 1.0)).unwrap();
    let flaw = top(&[a.clone(), b.clone(), third], 0.02).first_flaw(&rule);
    assert!(matches!(flaw, Some(Unreadable::Hidden(..) | Unreadable::ThirdStrand(_))), "{flaw:?}");
    let beside = a.mapped(|p| Point3::new(p.x + 0.0001, p.y + p.x, 1.0)).unwrap();
    let flaw = top(&[a.clone(), b.clone(), beside], 0.02).first_flaw(&rule);
    assert!(flaw.is_some());

    // Parallel ropes that overlap, and that keep a gap.
    let near = a.mapped(|p| Point3::new(p.x, p.y + 0.15, 1.0)).unwrap();
    let far = a.mapped(|p| Point3::new(p.x, p.y + 0.25, 1.0)).unwrap();
    assert_eq!(top(&[a.clone(), near], 0.1).first_flaw(&rule), Some(Unreadable::Grazing(0, 1)));
    assert_eq!(top(&[a.clone(), far], 0.1).first_flaw(&rule), None);

    // Two ropes over one, too near to see it in between, and far enough apart.
    for (gap, fine) in [(0.3, false), (0.9, true)] {
        let over = [gap, -gap].map(|x| b.mapped(|p| Point3::new(p.x + x, p.y, p.z)).unwrap());
        let [left, right] = over;
        let flaw = top(&[a.clone(), left, right], 0.15).first_flaw(&rule);
        assert_eq!(flaw.is_none(), fine, "{flaw:?}");
        assert!(fine || flaw.is_some_and(|f| f.name() == "hidden strand"));
    }
}

#[test]
fn a_readable_view_of_a_trefoil_is_found() {
    let knot = shapes::torus_knot(2, 3, 2.0, 0.8, 240).unwrap();
    let tubes = [Tube { curve: &knot, radius: 0.2 }];
    let camera = |view| Camera::around_points(view, Lens::Orthographic, knot.points(), 0.2, FRAME);
    let views = random_views(&mut SemanticRng::from_seed(5), 60, 20, 90);
    let rule = ReadingRule::default();
    let (_, first) = choose_view(&tubes, views.iter().copied().map(camera), &rule, Choice::First).unwrap();
    let (_, best) = choose_view(&tubes, views.iter().copied().map(camera), &rule, Choice::Clearest).unwrap();
    let least = |d: &Diagram| d.crossings().iter().map(|c| c.angle_degrees).fold(90.0, f64::min);
    assert!(least(&best) >= least(&first) && least(&first) >= 40.0);
    // From the side it is a mess.
    let flaws = choose_view(&tubes, [camera(View::Front)], &rule, Choice::First).unwrap_err();
    assert_eq!(flaws.len(), 1);
}
