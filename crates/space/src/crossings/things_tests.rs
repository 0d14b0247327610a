use nalgebra::Point3;
use proptest::prelude::*;
use topotrace_core::SemanticRng;

use super::*;
use crate::{Frame, Lens, View, VisibilityBuffer, shapes};

const FRAME: Frame = Frame { width: 512, height: 512, fill_percent: 85 };
const STRING: f64 = 0.07;
/// The string's radius in random scenes.
const THIN: f64 = 0.055;
const BALL: f64 = 0.27;

fn line(points: &[[f64; 3]]) -> Curve {
    let points = points.iter().map(|p| Point3::from(*p)).collect();
    Curve::new(points, false).unwrap().smoothed(1).unwrap().resampled(121).unwrap()
}

/// Everything seen from above; 4 world units fill the frame.
fn above(curves: &[Curve], balls: &[Ball], pointers: &[Pointer], rule: &ThingRule) -> Option<Hidden> {
    let camera = Camera::around_sphere(View::Top, Lens::Orthographic, Point3::origin(), 2.0, FRAME);
    let tubes: Vec<_> = curves.iter().map(|curve| Tube { curve, radius: STRING }).collect();
    Diagram::new(&tubes, &camera).first_hidden(&tubes, balls, pointers, &camera, rule)
}

fn ball(tube: usize, position: f64) -> Ball {
    Ball { tube, position, radius: BALL, reach: 1.0 }
}

fn pointer(position: f64) -> Pointer {
    Pointer { tube: 0, position, length: 0.5, radius: 0.2 }
}

#[test]
fn what_hides_a_ball_is_named() {
    let rule = ThingRule::default();
    // One unit is about 109 canvas units: a ball has a radius of 29, the string a half width of 8.
    let straight = line(&[[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let one = std::slice::from_ref(&straight);
    let found = |balls: &[Ball]| above(one, balls, &[], &rule);
    assert_eq!(found(&[ball(0, 1.0), ball(0, 2.0), ball(0, 3.0)]), None);
    assert_eq!(found(&[ball(0, 1.0), ball(1, 2.0)]), Some(Hidden::BallNowhere(1)));
    assert_eq!(found(&[ball(0, 1.0), ball(0, 1.58)]), Some(Hidden::BallAtBall(1, 0)));
    let near = found(&[ball(0, 1.0), ball(0, 1.62)]);
    assert!(
        matches!(near, Some(Hidden::BallCrowded(0, visible)) if visible > 6.0 && visible < 10.0),
        "{near:?}"
    );
    let ring = Ball { reach: 1.6, ..ball(0, 1.75) };
    assert_eq!(found(&[ball(0, 1.0), ball(0, 1.75)]), None);
    assert_eq!(found(&[ball(0, 1.0), ring]), Some(Hidden::BallAtBall(1, 0)));
    // At free ends nothing is asked.
    assert_eq!(found(&[ball(0, 0.0), ball(0, 4.0)]), None);

    for up in [0.6, -0.6] {
        let across = |x: f64| line(&[[x, -2.0, up], [x, 2.0, up]]);
        let at = |x: f64, position| above(&[straight.clone(), across(x)], &[ball(0, position)], &[], &rule);
        assert_eq!(at(0.0, 2.3), Some(Hidden::BallAtCrossing(0, 0)), "{up}");
        // The lower string needs some of it in sight beside the gap, the upper one doesn't.
        let beside = at(0.0, 2.47);
        assert_eq!(matches!(beside, Some(Hidden::BallCrowded(0, _))), up > 0.0, "{beside:?}");
        assert_eq!(at(0.0, 2.5), None, "{up}");
        // A strand beside it that crosses nothing.
        let along = |y: f64| line(&[[-2.0, y, up], [2.0, y, up]]);
        let at = |y: f64| above(&[straight.clone(), along(y)], &[ball(0, 2.0)], &[], &rule);
        assert_eq!(at(0.38), Some(Hidden::BallAtStrand(0, 1)));
        assert_eq!(at(0.43), None);
    }
    // A string that comes back past its own ball.
    let hook =
        line(&[[-2.0, 0.0, 0.0], [1.5, 0.0, 0.0], [1.8, 0.19, 0.0], [1.5, 0.38, 0.0], [-2.0, 0.38, 0.0]]);
    assert_eq!(above(&[hook], &[ball(0, 2.0)], &[], &rule), Some(Hidden::BallAtStrand(0, 0)));
}

#[test]
fn a_string_along_the_view_hides_its_ball() {
    let steep = |degrees: f64| {
        let (sin, cos) = libm::sincos(degrees.to_radians());
        line(&[[-2.0 * cos, 0.0, -2.0 * sin], [2.0 * cos, 0.0, 2.0 * sin]])
    };
    let found = |degrees: f64, rule: &ThingRule| above(&[steep(degrees)], &[ball(0, 2.0)], &[], rule);
    let rule = ThingRule { least_shown: 0.96, ..ThingRule::default() };
    assert_eq!(found(0.0, &rule), None);
    assert_eq!(found(25.0, &rule), None);
    assert!(matches!(found(50.0, &rule), Some(Hidden::BallCovered(0, shown)) if shown > 0.85), "{rule:?}");
    assert_eq!(found(70.0, &rule), Some(Hidden::BallEndOn(0)));
    assert_eq!(found(90.0, &rule), Some(Hidden::BallEndOn(0)));
    let loose = ThingRule { least_shown: 0.8, ..rule };
    assert_eq!(found(50.0, &loose), None);
}

#[test]
fn what_hides_a_pointer_is_named() {
    let rule = ThingRule::default();
    let straight = line(&[[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let one = std::slice::from_ref(&straight);
    let found = |balls: &[Ball], pointers: &[Pointer]| above(one, balls, pointers, &rule);
    assert_eq!(found(&[ball(0, 1.0)], &[pointer(2.0)]), None);
    assert_eq!(found(&[ball(0, 1.0)], &[pointer(1.7)]), Some(Hidden::PointerAtBall(0, 0)));
    assert_eq!(found(&[], &[pointer(1.0), pointer(1.8)]), Some(Hidden::PointerAtPointer(1, 0)));
    assert_eq!(found(&[], &[Pointer { length: f64::NAN, ..pointer(2.0) }]), Some(Hidden::PointerNowhere(0)));
    let across = line(&[[0.0, -2.0, 0.6], [0.0, 2.0, 0.6]]);
    let at = |position| above(&[straight.clone(), across.clone()], &[], &[pointer(position)], &rule);
    assert_eq!(at(2.5), Some(Hidden::PointerAtCrossing(0, 0)));
    assert_eq!(at(2.7), None);
    let along = line(&[[-2.0, 0.3, 0.6], [2.0, 0.3, 0.6]]);
    let beside = above(&[straight.clone(), along], &[], &[pointer(2.0)], &rule);
    assert_eq!(beside, Some(Hidden::PointerAtStrand(0, 1)));
    let steep = line(&[[-1.0, 0.0, -2.0], [1.0, 0.0, 2.0]]);
    let end_on = above(&[steep], &[], &[pointer(2.236)], &rule);
    assert!(
        matches!(end_on, Some(Hidden::PointerEndOn(0, share)) if (share - 0.447).abs() < 0.01),
        "{end_on:?}"
    );
    assert_eq!(end_on.map(|hidden| hidden.name()), Some("pointer end-on"));
}

/// Strings with balls at equal steps, in a random view.
struct Beaded {
    curves: Vec<Curve>,
    balls: Vec<Ball>,
    camera: Camera,
}

impl Beaded {
    fn random(rng: &mut SemanticRng) -> Beaded {
        let curves = match rng.below(4) {
            0 => vec![shapes::helix(1.2, rng.uniform(1.0, 2.5), 2.0, 240).unwrap()],
            1 => vec![shapes::torus_knot(2, 3, 2.0, 0.8, 240).unwrap()],
            2 => vec![shapes::random_spline(rng, 7, [2.5, 2.5, 1.0], true, 240).unwrap()],
            _ => [0, 1].map(|_| shapes::random_spline(rng, 5, [2.5, 2.5, 1.5], false, 160).unwrap()).to_vec(),
        };
        let mut balls = Vec::new();
        for (tube, curve) in curves.iter().enumerate() {
            let count = 1 + rng.below(4);
            let step = curve.length() / count as f64;
            let start = rng.uniform(0.0, step);
            let reach = |index: usize| if index == 0 { 1.6 } else { 1.0 };
            let make =
                |index| Ball { reach: reach(index), radius: 0.22, ..ball(tube, start + index as f64 * step) };
            balls.extend((0..count).map(make));
        }
        let lens =
            if rng.percent(50) { Lens::Orthographic } else { Lens::Perspective { distance_percent: 300 } };
        let view = random_views(rng, 1, -90, 90)[0];
        let points: Vec<_> = curves.iter().flat_map(Curve::points).copied().collect();
        let camera = Camera::around_points(view, lens, &points, 0.5, FRAME);
        Beaded { curves, balls, camera }
    }

    fn tubes(&self) -> Vec<Tube<'_>> {
        self.curves.iter().map(|curve| Tube { curve, radius: THIN }).collect()
    }

    fn hidden(&self, rule: &ThingRule) -> Option<Hidden> {
        let tubes = self.tubes();
        Diagram::new(&tubes, &self.camera).first_hidden(&tubes, &self.balls, &[], &self.camera, rule)
    }

    /// Strings by their index, balls after them.
    fn buffer(&self, with_strings: bool) -> VisibilityBuffer {
        let mut buffer = VisibilityBuffer::new(FRAME.width, FRAME.height, 1.0);
        for (thing, curve) in (0..).zip(&self.curves).filter(|_| with_strings) {
            buffer.add_tube(&self.camera, curve, THIN, thing);
        }
        for (thing, ball) in (self.curves.len() as u32..).zip(&self.balls) {
            let center = self.curves[ball.tube].point_at(ball.position);
            buffer.add_ball(&self.camera, center, ball.radius, thing);
        }
        buffer
    }

    /// The least distance from the middle of a ball to a cell where a string would be seen alone, in
    /// canvas units.
    fn to_string(&self, ball: usize, string: usize) -> f64 {
        let mut buffer = VisibilityBuffer::new(FRAME.width, FRAME.height, 1.0);
        buffer.add_tube(&self.camera, &self.curves[string], THIN, 0);
        let ball = &self.balls[ball];
        let seen = self.camera.project(self.curves[ball.tube].point_at(ball.position));
        let (width, height) = buffer.size();
        let cells = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        cells
            .filter(|(column, row)| buffer.thing(*column, *row).is_some())
            .map(|(column, row)| {
                let (x, y) = buffer.middle(column, row);
                ((x - seen.x) * (x - seen.x) + (y - seen.y) * (y - seen.y)).sqrt()
            })
            .fold(f64::INFINITY, f64::min)
    }

    fn disc(&self, ball: usize) -> f64 {
        let ball = &self.balls[ball];
        let depth = self.camera.project(self.curves[ball.tube].point_at(ball.position)).depth;
        ball.radius * ball.reach * self.camera.scale_at(depth)
    }
}

/// By how much the part of a small disc that is seen may be wrong when cells are counted.
const CELLS: f64 = 0.015;

/// What the rule accepts is seen, by depth alone; and what it refuses for a strand is near one.
#[test]
fn balls_that_can_be_read_are_seen() {
    let mut rng = SemanticRng::from_seed(7);
    let rules = [0.9, 0.965].map(|least_shown| ThingRule {
        casing: 4.0,
        visible: 6.0,
        least_shown,
        ..ThingRule::default()
    });
    let (mut accepted, mut at_strands, mut names) = (0, 0, std::collections::BTreeMap::new());
    for round in 0..4000 {
        let beaded = Beaded::random(&mut rng);
        let rule = &rules[round % 2];
        let hidden = beaded.hidden(rule);
        *names.entry(hidden.map_or("none", |hidden| hidden.name())).or_insert(0) += 1;
        match hidden {
            None => {
                accepted += 1;
                let (all, alone) = (beaded.buffer(true), beaded.buffer(false));
                for (thing, ball) in (beaded.curves.len() as u32..).zip(0..beaded.balls.len()) {
                    let share = all.count(thing) as f64 / alone.count(thing) as f64;
                    assert!(share >= rule.least_shown - CELLS, "round {round}, ball {ball}: {share}");
                    for string in (0..beaded.curves.len()).filter(|at| *at != beaded.balls[ball].tube) {
                        let gap = beaded.to_string(ball, string) - beaded.disc(ball);
                        assert!(gap >= rule.casing - 1.5, "round {round}, ball {ball}: {gap}");
                    }
                }
            }
            Some(Hidden::BallAtStrand(ball, string)) if string != beaded.balls[ball].tube => {
                at_strands += 1;
                let gap = beaded.to_string(ball, string) - beaded.disc(ball);
                assert!(gap <= rule.casing + 1.5, "round {round}, ball {ball}: {gap}");
            }
            _ => {}
        }
    }
    assert!(accepted >= 300 && at_strands >= 8, "{accepted} {at_strands} {names:?}");
    assert!(names.len() >= 7, "{names:?}");
}

proptest! {
    /// Whatever the numbers are, there is an answer, and order doesn't decide whether all is well.
    #[test]
    fn any_numbers_are_judged(
        seed in any::<u64>(), values in proptest::collection::vec(odd(), 12), tube in 0..3_usize,
    ) {
        let mut rng = SemanticRng::from_seed(seed);
        let mut beaded = Beaded::random(&mut rng);
        let rule = ThingRule {
            casing: values[0], visible: values[1], steepest_degrees: values[2], least_shown: values[3],
            least_pointer: values[4],
        };
        let fine = beaded.hidden(&rule).is_none();
        beaded.balls.reverse();
        prop_assert_eq!(beaded.hidden(&rule).is_none(), fine);
        let odd_ball = Ball { tube, position: values[5], radius: values[6], reach: values[7] };
        let pointers = [Pointer { tube, position: values[8], length: values[9], radius: values[10] }];
        let tubes = beaded.tubes();
        let diagram = Diagram::new(&tubes, &beaded.camera);
        let found = diagram.first_hidden(&tubes, &[odd_ball], &pointers, &beaded.camera, &rule);
        if tube >= tubes.len() {
            prop_assert_eq!(found, Some(Hidden::BallNowhere(0)));
        }
    }
}

fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.0..10.0_f64,
        2 => 0.01..0.5_f64,
        1 => prop_oneof![
            Just(f64::NAN), Just(f64::INFINITY), Just(-1.0), Just(0.0), Just(1e300), Just(1e-300), Just(90.0),
        ],
    ]
}
