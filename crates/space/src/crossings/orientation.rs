/// Steps of a canvas unit at which projections are compared.
const STEPS: f64 = 1024.0;
/// The largest coordinate in such steps; what lies beyond is far outside every canvas.
const LARGEST: f64 = 1_073_741_824.0;

/// A projected vertex on a fine integer grid. The number decides how it is moved when it lies
/// on a segment: no two vertices of a diagram share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vertex {
    x: i64,
    y: i64,
    number: usize,
}

impl Vertex {
    /// The vertex nearest to a canvas position.
    pub(super) fn new(x: f64, y: f64, number: usize) -> Self {
        let step = |value: f64| (value * STEPS).round().clamp(-LARGEST, LARGEST) as i64;
        Vertex { x: step(x), y: step(y), number }
    }
}

/// Whether a, b, c turn to the left (y upward), never undecided.
///
/// Exact in integers. Three vertices on a line are decided by simulation of simplicity
/// (Edelsbrunner and Mücke, ACM Transactions on Graphics 9, 1990): as if each vertex were moved
/// by its own infinitesimal amount, the same in every test, so that answers never contradict
/// each other and a crossing at a vertex is counted once.
pub(super) fn turns_left(a: Vertex, b: Vertex, c: Vertex) -> bool {
    let (i, j, k, even) = by_number(a, b, c);
    let wide = i128::from;
    let area = wide(i.x) * (wide(j.y) - wide(k.y)) - wide(i.y) * (wide(j.x) - wide(k.x))
        + wide(j.x) * wide(k.y)
        - wide(k.x) * wide(j.y);
    // The factors of the moves of i.y, i.x and j.y, each infinitely larger than the next; the
    // product of the moves of i.x and j.y follows with the factor 1.
    let terms = [area, wide(k.x) - wide(j.x), wide(j.y) - wide(k.y), wide(i.x) - wide(k.x)];
    let positive = terms.into_iter().find(|term| *term != 0).unwrap_or(1) > 0;
    positive == even
}

/// The three in the order of their numbers, and whether that is an even permutation.
fn by_number(a: Vertex, b: Vertex, c: Vertex) -> (Vertex, Vertex, Vertex, bool) {
    let mut sorted = [a, b, c];
    let mut even = true;
    for (low, high) in [(0, 1), (1, 2), (0, 1)] {
        if sorted[low].number > sorted[high].number {
            sorted.swap(low, high);
            even = !even;
        }
    }
    (sorted[0], sorted[1], sorted[2], even)
}

/// Whether the segments a and b cross, their vertices moved as by [`turns_left`]. They must not
/// share a vertex.
pub(super) fn cross(a: (Vertex, Vertex), b: (Vertex, Vertex)) -> bool {
    turns_left(a.0, a.1, b.0) != turns_left(a.0, a.1, b.1)
        && turns_left(b.0, b.1, a.0) != turns_left(b.0, b.1, a.1)
}

/// Where two crossing segments meet, as shares of each; the middle of both when they lie on one
/// line.
pub(super) fn meeting(a: (Vertex, Vertex), b: (Vertex, Vertex)) -> (f64, f64) {
    let difference = |p: Vertex, q: Vertex| ((q.x - p.x) as f64, (q.y - p.y) as f64);
    let product = |p: (f64, f64), q: (f64, f64)| p.0 * q.1 - p.1 * q.0;
    let (along_a, along_b, between) = (difference(a.0, a.1), difference(b.0, b.1), difference(a.0, b.0));
    let below = product(along_a, along_b);
    if below == 0.0 {
        return (0.5, 0.5);
    }
    let share = |above: f64| (above / below).clamp(0.0, 1.0);
    (share(product(between, along_b)), share(product(between, along_a)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn turns_are_antisymmetric_and_never_undecided(values in proptest::collection::vec(-2..3_i8, 6)) {
            let v = |at: usize| Vertex::new(f64::from(values[2 * at]), f64::from(values[2 * at + 1]), at);
            let (a, b, c) = (v(0), v(1), v(2));
            let left = turns_left(a, b, c);
            prop_assert_eq!(turns_left(b, c, a), left);
            prop_assert_eq!(turns_left(c, a, b), left);
            prop_assert_eq!(turns_left(b, a, c), !left);
            let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
            prop_assert!(area == 0 || left == (area > 0));
        }

        /// Two closed polygons cross an even number of times however degenerate they are.
        #[test]
        fn closed_polygons_cross_evenly(
            a in proptest::collection::vec((-2..3_i8, -2..3_i8), 3..9),
            b in proptest::collection::vec((-2..3_i8, -2..3_i8), 3..9),
        ) {
            let vertices = |points: &[(i8, i8)], first: usize| -> Vec<Vertex> {
                let make = |(i, p): (usize, &(i8, i8))| Vertex::new(f64::from(p.0), f64::from(p.1), first + i);
                points.iter().enumerate().map(make).collect()
            };
            let (a, b) = (vertices(&a, 0), vertices(&b, 100));
            let edge = |v: &[Vertex], i: usize| (v[i], v[(i + 1) % v.len()]);
            let count = (0..a.len())
                .flat_map(|i| (0..b.len()).map(move |j| (i, j)))
                .filter(|(i, j)| cross(edge(&a, *i), edge(&b, *j)))
                .count();
            prop_assert_eq!(count % 2, 0);
        }
    }
}
