//! Building a board: cycles of the wanted lengths first, then blocks that go round in them.

use serde::{Deserialize, Serialize};
use topotrace_core::{Difficulty, Flaw, Params, SemanticRng, ensure, ensure_within};

use super::board::{BLANK, BLOCKS, Board, MAX_SIDE, MIN_SIDE};

/// One attempt in so many builds the next best board, in case those that are wanted have all been
/// made: there are only a few different small ones.
const NEXT_BEST: usize = 8;

/// The numbers of rows and columns of a board; in JSON a list of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct Shape {
    /// The number of rows, from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub rows: u32,
    /// The number of columns, from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub columns: u32,
}

impl From<(u32, u32)> for Shape {
    fn from((rows, columns): (u32, u32)) -> Self {
        Shape { rows, columns }
    }
}

impl From<Shape> for (u32, u32) {
    fn from(shape: Shape) -> Self {
        (shape.rows, shape.columns)
    }
}

impl Shape {
    fn cells(self) -> u32 {
        self.rows * self.columns
    }

    /// The greatest distance of a board from its goal: with as many pairs of exchanged blocks as
    /// there can be, three actions each, and the blank exchanged with a block left over.
    pub(super) fn farthest(self) -> u32 {
        3 * (self.cells() - 1) / 2
    }

    /// How often the shape is drawn, as against others. The fewer cells, the fewer boards.
    fn weight(self) -> usize {
        match self.cells() {
            0..=4 => 4,
            5..=6 => 30,
            _ => 36,
        }
    }
}

/// What a board is made of; one row of the tier table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapParams {
    /// The shapes that a board may have, each named once.
    pub shapes: Vec<Shape>,
    /// Least length of a shortest plan, from 1. A shape on which none is so long is left out.
    pub distance_min: u32,
    /// Greatest length of a shortest plan, from `distance_min` to the greatest that the shapes
    /// allow: 4 for 4 cells, 7 for 6, 10 for 8, 12 for 9, 16 for 12 and 22 for 16.
    pub distance_max: u32,
}

impl SwapParams {
    /// The greatest distance over all shapes.
    fn farthest(&self) -> u32 {
        self.shapes.iter().map(|shape| shape.farthest()).max().unwrap_or(0)
    }

    /// The distances that a shape can have; empty where it has none.
    fn distances(&self, shape: Shape) -> std::ops::RangeInclusive<u32> {
        self.distance_min..=self.distance_max.min(shape.farthest())
    }
}

impl Params for SwapParams {
    fn at(difficulty: Difficulty) -> Self {
        let sides: &[(u32, u32)] = match difficulty.value() {
            value if value < 0.25 => &[(2, 2), (2, 3), (3, 2), (3, 3)],
            value if value < 0.75 => &[(3, 4), (4, 3)],
            _ => &[(4, 4)],
        };
        let mut params = SwapParams {
            shapes: sides.iter().map(|sides| Shape::from(*sides)).collect(),
            distance_min: difficulty.blend_whole(1, 7, 11),
            distance_max: difficulty.blend_whole(10, 15, 19),
        };
        params.distance_max = params.distance_max.min(params.farthest());
        params
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure(!self.shapes.is_empty(), || "shapes [] is not one shape or more".to_owned())?;
        for (index, shape) in self.shapes.iter().enumerate() {
            for side in [shape.rows, shape.columns] {
                ensure((MIN_SIDE..=MAX_SIDE).contains(&side), || {
                    format!("side {side} of a shape in shapes is not from {MIN_SIDE} to {MAX_SIDE}")
                })?;
            }
            ensure(!self.shapes[..index].contains(shape), || {
                format!("shape [{},{}] stands twice in shapes", shape.rows, shape.columns)
            })?;
        }
        let farthest = self.farthest();
        ensure_within("distance_min", self.distance_min, 1, farthest)?;
        ensure_within("distance_max", self.distance_max, self.distance_min, farthest)
    }
}

/// A shape and a range of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The board's shape.
    pub shape: Shape,
    /// Least length of a shortest plan.
    pub distance_min: u32,
    /// Greatest length of a shortest plan.
    pub distance_max: u32,
}

/// What a board is wanted to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapAim {
    /// What is wanted, most of all the first: one shape and one distance, then the shape with any
    /// distance, then the greatest shape with any distance.
    pub wishes: Vec<Wish>,
}

impl SwapAim {
    /// Draws a shape by its weight and, for it, a distance. Distances 1 and 2 leave few boards, and
    /// filling the blank solves all of them: they are drawn less often than the others.
    pub(super) fn draw(params: &SwapParams, rng: &mut SemanticRng) -> Self {
        let shapes = || params.shapes.iter().filter(|shape| shape.farthest() >= params.distance_min);
        let shape = weighted(shapes().map(|shape| (*shape, shape.weight())), rng);
        let shape = shape.unwrap_or(Shape { rows: MAX_SIDE, columns: MAX_SIDE });
        let distances = params.distances(shape).map(|distance| (distance, distance_weight(distance)));
        let distance = weighted(distances, rng).unwrap_or(params.distance_min);
        let greatest = shapes().max_by_key(|shape| shape.cells()).copied().unwrap_or(shape);
        let any = |shape| {
            let (distance_min, distance_max) = params.distances(shape).into_inner();
            Wish { shape, distance_min, distance_max }
        };
        let wanted = Wish { shape, distance_min: distance, distance_max: distance };
        SwapAim { wishes: vec![wanted, any(shape), any(greatest)] }
    }
}

/// How often a distance is drawn, as against others.
fn distance_weight(distance: u32) -> usize {
    match distance {
        1 => 1,
        2 => 2,
        _ => 4,
    }
}

/// One of some values, each as likely as its weight says; `None` when there are none.
fn weighted<T>(values: impl Iterator<Item = (T, usize)> + Clone, rng: &mut SemanticRng) -> Option<T> {
    let total: usize = values.clone().map(|(_, weight)| weight).sum();
    let mut left = if total > 0 { rng.below(total) } else { return None };
    for (value, weight) in values {
        if left < weight {
            return Some(value);
        }
        left -= weight;
    }
    None
}

/// Builds a board that has what is wanted, exactly: no attempt fails.
pub(super) fn build(aim: &SwapAim, rng: &mut SemanticRng) -> Board {
    let mut wishes = aim.wishes.iter();
    let mut wish = wishes.next();
    while rng.below(NEXT_BEST) == 0 {
        let Some(next) = wishes.next() else { break };
        wish = Some(next);
    }
    let shape = wish.map_or(Shape { rows: MAX_SIDE, columns: MAX_SIDE }, |wish| wish.shape);
    let distance = wish.map_or(1, |wish| rng.between(wish.distance_min..=wish.distance_max));
    let lengths = lengths(shape.cells() as usize, distance as usize, rng);
    arrange(shape, &lengths, rng)
}

/// Lengths of cycles that together cost `distance`, which is possible: first that of the blank's
/// cycle, 1 where the blank is in place, then the others', 2 or more.
///
/// A blank's cycle of `k` and `c` others of `s` cells together cost `k - 1 + s + c`. For given `c`
/// and `s` that fixes `k`, which is 1 or more and leaves room for the `s` others just when
/// `2 c ≤ s ≤ distance - c` and `c > distance - cells`.
///
/// Without other cycles, filling the blank is all there is to do: few boards are like that. And
/// the more cycles, the shorter they are and the less an action in the wrong order costs: each
/// further one is half as likely.
fn lengths(cells: usize, distance: usize, rng: &mut SemanticRng) -> Vec<usize> {
    let fewest = (distance + 1).saturating_sub(cells);
    let counts = fewest..=distance / 3;
    let weight = |count: usize| match count {
        0 => 1,
        _ => (16 >> (count - fewest.max(1))).max(1),
    };
    let count = weighted(counts.map(|count| (count, weight(count))), rng).unwrap_or(fewest);
    let least = 2 * count;
    let sum = if count == 0 { 0 } else { least + rng.below(distance - count - least + 1) };
    let mut lengths = vec![distance - sum - count + 1];
    lengths.resize(1 + count, 2);
    for _ in least..sum {
        lengths[1 + rng.below(count)] += 1;
    }
    lengths
}

/// A board with cycles of these lengths, the first of them the blank's, in random cells and with
/// random blocks.
fn arrange(shape: Shape, lengths: &[usize], rng: &mut SemanticRng) -> Board {
    let count = shape.cells() as usize;
    let mut cells: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut cells);
    let mut blocks: Vec<u8> = (1..=BLOCKS).collect();
    rng.shuffle(&mut blocks);
    let mut goal = vec![BLANK; count];
    let mut current = vec![BLANK; count];
    let mut rest = cells.as_slice();
    let lengths = lengths.iter().copied().chain(std::iter::repeat(1));
    for (number, length) in lengths.enumerate() {
        if rest.is_empty() {
            break;
        }
        let (cycle, others) = rest.split_at(length.min(rest.len()));
        rest = others;
        for (place, &cell) in cycle.iter().enumerate() {
            // The blank lies in the first cell of the first cycle.
            let blank = (number, place) == (0, 0);
            current[cell] = if blank { BLANK } else { blocks.pop().unwrap_or(BLANK) };
            goal[cycle[(place + 1) % cycle.len()]] = current[cell];
        }
    }
    Board { rows: shape.rows, columns: shape.columns, current, goal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swap::cycles::{cycles, distance};

    #[test]
    fn parameters_hold_their_ranges_at_every_difficulty() {
        for step in 0..=1250 {
            let difficulty = Difficulty::new(f64::from(step) / 1000.0).unwrap();
            SwapParams::at(difficulty).check().unwrap();
        }
    }

    #[test]
    fn every_distance_of_every_shape_can_be_had() {
        let mut rng = SemanticRng::from_seed(3);
        for (rows, columns) in [(2, 2), (2, 3), (4, 2), (3, 3), (4, 3), (4, 4)] {
            let shape = Shape { rows, columns };
            for wanted in 1..=shape.farthest() {
                for _ in 0..50 {
                    let board =
                        arrange(shape, &lengths(shape.cells() as usize, wanted as usize, &mut rng), &mut rng);
                    board.validate().unwrap();
                    assert_eq!(distance(&board), wanted, "{board:?}");
                }
            }
        }
    }

    #[test]
    fn boards_have_all_numbers_of_cycles() {
        let mut rng = SemanticRng::from_seed(4);
        let mut seen = [0; 6];
        for _ in 0..400 {
            let board = arrange(Shape { rows: 4, columns: 4 }, &lengths(16, 15, &mut rng), &mut rng);
            seen[cycles(&board).len()] += 1;
        }
        // One board in 32 has the blank's cycle alone, and every number of others is there.
        assert!(seen[0] == 0 && seen[1..].iter().all(|count| *count > 3), "{seen:?}");
        assert!(seen[1] < 60 && seen[2] > 100, "{seen:?}");
    }
}
