//! Building a board: a random tree of pipes, then turned out of place.

use serde::{Deserialize, Serialize};
use topotrace_core::{Difficulty, Flaw, Params, Rejected, SemanticRng, ensure_within};

use super::board::{Board, Cell, MAX_SIZE, MIN_SIZE, STEPS, opposite, turned};

/// How many trees are begun before an attempt is given up: a tree can grow into a corner.
const TREES: u32 = 12;

/// What a board is made of; one row of the tier table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipeParams {
    /// Cells along a side, from 3 to 8.
    pub board: u32,
    /// Least number of pipes, from 4.
    pub pipes_min: u32,
    /// Greatest number of pipes, from `pipes_min` to two less than there are cells.
    pub pipes_max: u32,
    /// Least number of pipes with three openings.
    pub three_way_min: u32,
    /// Greatest number of pipes with three openings, from `three_way_min` to half of
    /// `pipes_min - 2`: every one of them takes an end piece more.
    pub three_way_max: u32,
    /// Least length of a shortest plan, from 1.
    pub turns_min: u32,
    /// Greatest length of a shortest plan, from `turns_min` to twice `pipes_min`. A random board
    /// takes less than one and a half turns a pipe; more are rare.
    pub turns_max: u32,
}

impl Params for PipeParams {
    fn at(difficulty: Difficulty) -> Self {
        let board = difficulty.blend_whole(4, 5, 5);
        PipeParams {
            board,
            pipes_min: difficulty.blend_whole(10, 13, 17),
            pipes_max: difficulty.blend_whole(13, 17, 23).min(board * board - 2),
            three_way_min: difficulty.blend_whole(2, 3, 5),
            three_way_max: difficulty.blend_whole(3, 5, 7),
            turns_min: difficulty.blend_whole(13, 17, 23),
            turns_max: difficulty.blend_whole(17, 23, 27),
        }
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure_within("board", self.board, MIN_SIZE, MAX_SIZE)?;
        let most = self.board * self.board - 2;
        ensure_within("pipes_min", self.pipes_min, 4, most)?;
        ensure_within("pipes_max", self.pipes_max, self.pipes_min, most)?;
        let most = (self.pipes_min - 2) / 2;
        ensure_within("three_way_min", self.three_way_min, 0, most)?;
        ensure_within("three_way_max", self.three_way_max, self.three_way_min, most)?;
        let most = 2 * self.pipes_min;
        ensure_within("turns_min", self.turns_min, 1, most)?;
        ensure_within("turns_max", self.turns_max, self.turns_min, most)
    }
}

/// What a board is wanted to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PipeAim {
    /// Cells along a side.
    pub board: u32,
    /// The number of pipes.
    pub pipes: u32,
    /// The number of pipes with three openings.
    pub three_way: u32,
    /// The length of a shortest plan.
    pub turns: u32,
}

impl PipeAim {
    /// Draws each number uniformly in its range.
    pub(super) fn draw(params: &PipeParams, rng: &mut SemanticRng) -> Self {
        PipeAim {
            board: params.board,
            pipes: rng.between(params.pipes_min..=params.pipes_max),
            three_way: rng.between(params.three_way_min..=params.three_way_max),
            turns: rng.between(params.turns_min..=params.turns_max),
        }
    }
}

/// Builds a board with the wanted pieces that the wanted number of turns solves. Fewer may do:
/// another solved position may be nearer than the one it was built from.
///
/// # Errors
/// When no tree with the wanted pieces was found, or its pieces can't be so many turns away.
pub(super) fn build(aim: &PipeAim, rng: &mut SemanticRng) -> Result<Board, Rejected> {
    let tree = (0..TREES).find_map(|_| grow(aim, rng)).ok_or(Rejected("a tree that grew into a corner"))?;
    let mut board = Board { size: aim.board, source: Cell { x: 0, y: 0 }, cells: tree };
    let pipes: Vec<usize> = board.pipes().collect();
    board.source = board.cell(*rng.pick(&pipes));
    scramble(&mut board.cells, &pipes, aim.turns, rng)?;
    Ok(board)
}

/// Grows a random tree from one cell, a cell at a time, with the wanted numbers of pipes and of
/// three-way pieces and without a four-way piece.
///
/// Whether the next cell hangs on a piece with two openings, which makes it a three-way piece, is
/// drawn by the share of such steps among those that are left; where no cell of the drawn kind
/// can be added, one of the other kind is.
fn grow(aim: &PipeAim, rng: &mut SemanticRng) -> Option<Vec<u8>> {
    let size = aim.board as i32;
    let mut cells = vec![0_u8; (size * size) as usize];
    let mut branches_left = aim.three_way;
    let mut tree = vec![rng.below(cells.len())];
    for steps_left in (1..aim.pipes).rev() {
        let (mut extending, mut branching) = (Vec::with_capacity(32), Vec::with_capacity(32));
        for &index in &tree {
            let kind = match cells[index].count_ones() {
                0 | 1 => &mut extending,
                2 => &mut branching,
                _ => continue,
            };
            let (x, y) = (index as i32 % size, index as i32 / size);
            for (opening, right, down) in STEPS {
                let (x, y) = (x + right, y + down);
                let next = (y * size + x) as usize;
                // The first cell has no opening yet: it is the whole tree.
                let free = (0..size).contains(&x) && (0..size).contains(&y) && cells[next] == 0;
                if free && (tree.len() > 1 || next != index) {
                    kind.push((index, opening, next));
                }
            }
        }
        let may_branch = branches_left > 0 && !branching.is_empty();
        let may_extend = branches_left < steps_left && !extending.is_empty();
        let branch = match (may_branch, may_extend) {
            (true, true) => rng.below(steps_left as usize) < branches_left as usize,
            (true, false) => true,
            (false, true) => false,
            (false, false) => return None,
        };
        branches_left -= u32::from(branch);
        let (from, opening, to) = *rng.pick(if branch { &branching } else { &extending });
        cells[from] |= opening;
        cells[to] |= opposite(opening);
        tree.push(to);
    }
    Some(cells)
}

/// Turns the pipes so that together they are `turns` clockwise turns away from where they were.
fn scramble(cells: &mut [u8], pipes: &[usize], turns: u32, rng: &mut SemanticRng) -> Result<(), Rejected> {
    let most = |index: usize| if is_straight(cells[index]) { 1 } else { 3 };
    let mut away: Vec<u32> = pipes.iter().map(|&index| rng.below(most(index) + 1) as u32).collect();
    let limits: Vec<u32> = pipes.iter().map(|&index| most(index) as u32).collect();
    let mut total: u32 = away.iter().sum();
    if turns > limits.iter().sum() {
        return Err(Rejected("pieces that can't be so many turns away"));
    }
    while total != turns {
        let at = rng.below(away.len());
        if total < turns && away[at] < limits[at] {
            away[at] += 1;
            total += 1;
        } else if total > turns && away[at] > 0 {
            away[at] -= 1;
            total -= 1;
        }
    }
    for (&index, away) in pipes.iter().zip(away) {
        // Away by clockwise turns: as many counterclockwise ones, or the rest of a full circle.
        for _ in 0..(4 - away) % 4 {
            cells[index] = turned(cells[index]);
        }
    }
    Ok(())
}

/// Whether a piece has its two openings opposite each other: two turns bring it back.
pub(super) fn is_straight(openings: u8) -> bool {
    openings == 5 || openings == 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_hold_their_ranges_at_every_difficulty() {
        for step in 0..=125 {
            let difficulty = Difficulty::new(f64::from(step) / 100.0).unwrap();
            PipeParams::at(difficulty).check().unwrap();
        }
    }

    #[test]
    fn boards_have_the_wanted_pieces() {
        let mut rng = SemanticRng::from_seed(5);
        let params = PipeParams::at(Difficulty::new(1.0).unwrap());
        let mut built = 0;
        for _ in 0..200 {
            let aim = PipeAim::draw(&params, &mut rng);
            let Ok(board) = build(&aim, &mut rng) else { continue };
            board.validate().unwrap();
            assert_eq!(board.pipes().count() as u32, aim.pipes);
            let three_way = board.cells.iter().filter(|openings| openings.count_ones() == 3).count();
            assert_eq!(three_way as u32, aim.three_way);
            built += 1;
        }
        assert!(built > 150, "{built}");
    }
}
