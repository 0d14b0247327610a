//! Orders of beads that a clever guesser would read off without following the string.
//!
//! All of them start with the marked bead and take the direction from the arrow; positions are those
//! of the view from which the string is meant to be seen.

use topotrace_core::Answer;
use topotrace_space::nalgebra::{Point3, Vector3};
use topotrace_space::{Camera, Frame, Lens};

use super::reading::label;
use super::string::{BeadColor, BeadString};

/// Beads, by their indices, in a guessed order.
pub(super) type GuessedOrder = fn(&BeadString) -> Vec<usize>;

/// Always on to the nearest bead not yet visited, as seen in the picture.
pub(super) fn nearest_seen(string: &BeadString) -> Vec<usize> {
    let places = seen(string);
    nearest(string, &places)
}

/// Always on to the nearest bead not yet visited, in space.
pub(super) fn nearest_in_space(string: &BeadString) -> Vec<usize> {
    let places: Vec<_> = string.beads.iter().map(|bead| string.place(bead)).collect();
    nearest(string, &places)
}

/// From left to right, or from right to left where the arrow points to the left.
pub(super) fn along_x(string: &BeadString) -> Vec<usize> {
    along(string, |place| place.x)
}

/// From bottom to top, or from top to bottom where the arrow points down.
pub(super) fn along_y(string: &BeadString) -> Vec<usize> {
    along(string, |place| place.y)
}

/// Around the middle of all beads, in the sense in which the arrow points.
pub(super) fn around_the_middle(string: &BeadString) -> Vec<usize> {
    let places = seen(string);
    let count = places.len() as f64;
    let middle = Point3::from(places.iter().map(|place| place.coords).sum::<Vector3<f64>>() / count);
    let angle = |place: &Point3<f64>| libm::atan2(place.y - middle.y, place.x - middle.x);
    let (start, arrow) = (places[string.first], arrow(string));
    let sense = (start.x - middle.x) * arrow.y - (start.y - middle.y) * arrow.x;
    let from = angle(&start);
    let turn = |bead: &usize| {
        let turn = (angle(&places[*bead]) - from).rem_euclid(std::f64::consts::TAU);
        if sense >= 0.0 { turn } else { (std::f64::consts::TAU - turn).rem_euclid(std::f64::consts::TAU) }
    };
    sorted(string, turn)
}

/// The colors of the marked bead and the one nearest to it, in turn.
pub(super) fn alternating(string: &BeadString) -> Vec<BeadColor> {
    let order = nearest_seen(string);
    let colors = [0, 1].map(|at| string.beads[order[at]].color);
    (0..order.len()).map(|at| colors[at % 2]).collect()
}

/// The bead nearest to a place in space, these left out.
pub(super) fn nearest_to(string: &BeadString, at: &Point3<f64>, without: &[usize]) -> usize {
    let distance = |bead: &usize| (string.place(&string.beads[*bead]) - at).norm_squared();
    let others = (0..string.beads.len()).filter(|bead| !without.contains(bead));
    others.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

/// The commonest of the colors on the string that are not among the guesses, or of all where every one is.
pub(super) fn unguessed(string: &BeadString, guesses: &[Answer]) -> Answer {
    let count = |color: &BeadColor| {
        let found = string.beads.iter().filter(|bead| bead.color == *color).count();
        (found > 0 && !guesses.contains(&label(*color)), found)
    };
    label(BeadColor::ALL.into_iter().max_by_key(count).unwrap_or(BeadColor::Red))
}

/// The colors of beads in a guessed order.
pub(super) fn colors(string: &BeadString, order: GuessedOrder) -> Vec<BeadColor> {
    order(string).into_iter().map(|bead| string.beads[bead].color).collect()
}

/// The beads as seen: x to the right, y up, z 0.
fn seen(string: &BeadString) -> Vec<Point3<f64>> {
    string.beads.iter().map(|bead| flat(string, &string.place(bead))).collect()
}

fn flat(string: &BeadString, point: &Point3<f64>) -> Point3<f64> {
    let frame = Frame { width: 2, height: 2, fill_percent: 100 };
    let camera = Camera::around_sphere(string.seen_from, Lens::Orthographic, Point3::origin(), 1.0, frame);
    let seen = camera.project(*point);
    Point3::new(seen.x, -seen.y, 0.0)
}

/// Where the arrow points as seen: from the marked bead a few points on along the line.
fn arrow(string: &BeadString) -> Vector3<f64> {
    let at =
        |point: usize| Point3::from(string.line[point].map(|step| f64::from(step) / topotrace_space::QUANTA));
    let (points, from) = (string.line.len(), string.beads[string.first].at as usize);
    let step = (string.first_gap() as usize / 2).clamp(1, points - 1);
    let to = if string.forward { from + step } else { from + points - step } % points;
    flat(string, &at(to)) - flat(string, &at(from))
}

/// A greedy chain; the first step is to a bead on the arrow's side, where there is one.
fn nearest(string: &BeadString, places: &[Point3<f64>]) -> Vec<usize> {
    let mut order = vec![string.first];
    let (arrow, flats) = (arrow(string), seen(string));
    while order.len() < places.len() {
        let last = order[order.len() - 1];
        let rest = (0..places.len()).filter(|bead| !order.contains(bead));
        let behind = |bead: usize| order.len() == 1 && (flats[bead] - flats[last]).dot(&arrow) <= 0.0;
        let next = rest.min_by(|a, b| {
            let key = |bead: usize| (behind(bead), (places[bead] - places[last]).norm_squared());
            let ((a_behind, a), (b_behind, b)) = (key(*a), key(*b));
            a_behind.cmp(&b_behind).then(a.total_cmp(&b))
        });
        order.extend(next);
    }
    order
}

fn along(string: &BeadString, axis: fn(&Point3<f64>) -> f64) -> Vec<usize> {
    let places = seen(string);
    let way = if axis(&Point3::from(arrow(string))) >= 0.0 { 1.0 } else { -1.0 };
    sorted(string, |bead| way * axis(&places[*bead]))
}

/// The marked bead and then all others by a key.
fn sorted(string: &BeadString, key: impl Fn(&usize) -> f64) -> Vec<usize> {
    let mut order: Vec<_> = (0..string.beads.len()).filter(|bead| *bead != string.first).collect();
    order.sort_by(|a, b| key(a).total_cmp(&key(b)));
    order.insert(0, string.first);
    order
}
