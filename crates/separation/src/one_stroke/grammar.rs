//! Building a board: a random stroke, the regions that it makes, and colors for some of them.

use serde::{Deserialize, Serialize};
use topotrace_core::{Difficulty, Flaw, Params, Rejected, SemanticRng, ensure, ensure_within};

use super::board::{Board, MAX_COLORS, MAX_SIZE, MIN_SIZE, longest, separates};
use super::grid::{Grid, Move, START, Trace, bit, column_and_row, indices};

/// How many strokes are begun before an attempt is given up.
const STROKES: usize = 60;
/// Out of how many strokes the one with the smallest greatest region is taken. Else most boards
/// would be one color, with single cells of the others along the outline.
const CHOICE: usize = 4;

/// What a board is made of; one row of the tier table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrokeParams {
    /// Cells along a side, from 3 to 7.
    pub board: u32,
    /// Least number of colors, from 2.
    pub colors_min: u32,
    /// Greatest number of colors, from `colors_min` to 7. Each but the first two takes two moves
    /// more than the straight way has, so that `solution_max` sets a bound, too.
    pub colors_max: u32,
    /// Least length of the stroke that a board is made from, in moves, from twice `board`.
    /// Lengths are even.
    pub path_min: u32,
    /// Greatest length of that stroke, from `path_min` to five times `board`.
    pub path_max: u32,
    /// Least length of a shortest solution, from twice `board` to `path_max`.
    pub solution_min: u32,
    /// Greatest length of a shortest solution, from `solution_min`, up to which a second way of
    /// counting is quick: 14, 24, 24, 22 and 20 for boards of 3 to 7 cells a side.
    pub solution_max: u32,
    /// Greatest chance, in percent, that a cell of a colored region stays uncolored, from 0 to 60;
    /// the cells around which detours lead stay uncolored besides.
    pub uncolored_max: u32,
}

/// The nearest even number that is not above.
const fn even(number: u32) -> u32 {
    number / 2 * 2
}

/// The least length of a stroke that makes so many regions on a board of so many cells along a
/// side. Two come with the shortest strokes, which cut off a corner; for every other one the stroke
/// has to go around a cell at the outline, which takes two moves more.
const fn least_length(board: u32, regions: u32) -> u32 {
    2 * board + 2 * regions.saturating_sub(2)
}

/// The most regions that a stroke of such a length makes.
const fn most_regions(board: u32, length: u32) -> u32 {
    2 + (length.saturating_sub(2 * board)) / 2
}

impl Params for StrokeParams {
    fn at(difficulty: Difficulty) -> Self {
        let board = difficulty.blend_whole(4, 5, 6).min(6);
        let solution_max = even(difficulty.blend_whole(14, 18, 20)).min(20);
        StrokeParams {
            board,
            colors_min: difficulty.blend_whole(3, 3, 5),
            colors_max: difficulty.blend_whole(3, 5, 6).min(most_regions(board, solution_max)),
            path_min: even(difficulty.blend_whole(10, 14, 20)).min(20),
            path_max: even(difficulty.blend_whole(16, 22, 28)),
            solution_min: even(difficulty.blend_whole(10, 12, 20)).clamp(2 * board, solution_max),
            solution_max,
            uncolored_max: 35,
        }
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure_within("board", self.board, MIN_SIZE + 1, MAX_SIZE)?;
        ensure_within("colors_min", self.colors_min, 2, MAX_COLORS)?;
        ensure_within("colors_max", self.colors_max, self.colors_min, MAX_COLORS)?;
        let straight = 2 * self.board;
        ensure_within("path_min", self.path_min, straight, 5 * self.board)?;
        ensure_within("path_max", self.path_max, self.path_min, 5 * self.board)?;
        ensure(even(self.path_max) >= self.path_min, || {
            format!(
                "path_min {} and path_max {} have no even number between them",
                self.path_min, self.path_max
            )
        })?;
        ensure_within("solution_min", self.solution_min, straight, even(self.path_max))?;
        let most = longest(self.board);
        ensure_within("solution_max", self.solution_max, self.solution_min, most)?;
        ensure(even(self.solution_max) >= self.solution_min, || {
            let (min, max) = (self.solution_min, self.solution_max);
            format!("solution_min {min} and solution_max {max} have no even number between them")
        })?;
        let most = most_regions(self.board, even(self.solution_max.min(self.path_max)));
        ensure_within("colors_max", self.colors_max, self.colors_min, most)?;
        ensure_within("uncolored_max", self.uncolored_max, 0, 60)
    }
}

/// What a board is wanted to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrokeAim {
    /// Cells along a side.
    pub board: u32,
    /// The number of colors.
    pub colors: u32,
    /// The length of a shortest solution.
    pub solution: u32,
    /// The length of the stroke that the board is made from; the budget follows from it.
    pub path: u32,
    /// Greatest chance, in percent, that a cell of a colored region stays uncolored. The chance is
    /// drawn anew for each attempt: for some lengths, few boards have nearly all cells colored.
    pub uncolored_max: u32,
}

impl StrokeAim {
    /// Draws each number uniformly in its range.
    pub(super) fn draw(params: &StrokeParams, rng: &mut SemanticRng) -> Self {
        let even_between =
            |low: u32, high: u32, rng: &mut SemanticRng| 2 * rng.between(low.div_ceil(2)..=high / 2);
        let colors = rng.between(params.colors_min..=params.colors_max);
        let least = params.solution_min.max(least_length(params.board, colors));
        let solution = even_between(least, params.solution_max.min(params.path_max), rng);
        StrokeAim {
            board: params.board,
            colors,
            solution,
            path: even_between(params.path_min.max(solution), params.path_max, rng),
            uncolored_max: params.uncolored_max,
        }
    }
}

/// Builds a board from two strokes: one of the length that a shortest solution is wanted to have,
/// and the same with more detours, up to the wanted length. The regions of the first are colored,
/// apart from the cells around which those detours lead, so that both strokes separate the colors. A
/// shorter one may do so, too.
///
/// # Errors
/// When no strokes of the wanted lengths were found, or the longer one parts a color.
pub(super) fn build(aim: &StrokeAim, rng: &mut SemanticRng) -> Result<Board, Rejected> {
    let grid = Grid { size: aim.board };
    let (stroke, mut regions) = (0..STROKES)
        .filter_map(|_| grow(aim, grid, rng))
        .take(CHOICE)
        .min_by_key(|(_, regions)| regions.iter().map(|region| region.count_ones()).max())
        .ok_or(Rejected("strokes that make too few regions"))?;
    let (mut longer, mut passed) = (stroke, 0);
    while (longer.len() as u32) < aim.path {
        let detours = detours(&longer, grid);
        if detours.is_empty() {
            return Err(Rejected("a stroke without room for detours"));
        }
        let detour = *rng.pick(&detours);
        longer = detour.taken(&longer);
        passed |= detour.cell;
    }
    rng.shuffle(&mut regions);
    let uncolored = rng.between(0..=aim.uncolored_max);
    let mut colors = [0; MAX_COLORS as usize + 1];
    for (set, region) in colors[1..=aim.colors as usize].iter_mut().zip(&regions) {
        *set = colored_cells(region & !passed, uncolored, rng)
            .ok_or(Rejected("a region with detours around all of its cells"))?;
    }
    if !separates(Trace::of(&longer, grid), grid, &colors) {
        return Err(Rejected("detours that part a color"));
    }
    let mut cells = vec![0; (aim.board * aim.board) as usize];
    for (color, set) in (0..).zip(colors).skip(1) {
        for cell in indices(set) {
            let (column, row) = column_and_row(cell);
            cells[((aim.board - 1 - row) * aim.board + column) as usize] = color;
        }
    }
    Ok(Board { size: aim.board, cells, path: Vec::new() })
}

/// Makes a random stroke of the length of the wanted solution, and the regions that it makes: a
/// straight one, only up and to the right, with detours. `None` when there are fewer regions than
/// colors.
fn grow(aim: &StrokeAim, grid: Grid, rng: &mut SemanticRng) -> Option<(Vec<Move>, Vec<u64>)> {
    let wanted = aim.colors as usize + rng.below(2);
    let mut stroke = [vec![Move::U; aim.board as usize], vec![Move::R; aim.board as usize]].concat();
    rng.shuffle(&mut stroke);
    let mut parts = regions(&stroke, grid);
    while (stroke.len() as u32) < aim.solution {
        let left = (aim.solution as usize - stroke.len()) / 2;
        // Whether the next detour makes one region more is drawn by the share of such detours
        // among those that are left.
        let cuts = rng.below(left) < wanted.saturating_sub(parts.len());
        let mut detours = detours(&stroke, grid);
        rng.shuffle(&mut detours);
        let mut ways = detours.iter().map(|detour| {
            let way = detour.taken(&stroke);
            let parts = regions(&way, grid);
            (way, parts)
        });
        (stroke, parts) = ways.find(|(_, more)| !cuts || more.len() > parts.len())?;
    }
    (parts.len() >= aim.colors as usize).then_some((stroke, parts))
}

/// A detour around a cell in place of a move along one of its sides, longer by two moves.
#[derive(Clone, Copy)]
struct Detour {
    /// The number of the move.
    at: usize,
    /// The move to the far side of the cell.
    aside: Move,
    /// The cell, as a set.
    cell: u64,
}

impl Detour {
    fn taken(self, stroke: &[Move]) -> Vec<Move> {
        let (before, after) = stroke.split_at(self.at);
        let around = [self.aside, after[0], self.aside.back()];
        [before, &around, &after[1..]].concat()
    }
}

/// All detours that keep off the rest of the stroke.
fn detours(stroke: &[Move], grid: Grid) -> Vec<Detour> {
    let visited = Trace::of(stroke, grid).visited;
    let free = |vertex: &u32| visited & bit(*vertex) == 0;
    let (mut detours, mut from) = (Vec::with_capacity(2 * stroke.len()), START);
    for (at, step) in stroke.iter().enumerate() {
        let Some(to) = grid.beside(from, *step) else { break };
        for aside in Move::ALL {
            let (first, second) = (grid.beside(from, aside), grid.beside(to, aside));
            if let (Some(first), Some(second)) = (first.filter(free), second.filter(free)) {
                let cell = bit(from.min(to).min(first).min(second));
                detours.push(Detour { at, aside, cell });
            }
        }
        from = to;
    }
    detours
}

/// A random choice of cells: each is left out with so many percent, but one stays. `None` when
/// there are none.
fn colored_cells(cells: u64, uncolored_percent: u32, rng: &mut SemanticRng) -> Option<u64> {
    let all: Vec<u32> = indices(cells).collect();
    let sure = *all.get(rng.below(all.len().max(1)))?;
    let kept = all.iter().filter(|cell| **cell == sure || !rng.percent(uncolored_percent));
    Some(kept.fold(0, |set, cell| set | bit(*cell)))
}

/// The regions into which a stroke cuts the board.
fn regions(stroke: &[Move], grid: Grid) -> Vec<u64> {
    let edges = Trace::of(stroke, grid).edges;
    let (mut left, mut regions) = (grid.cells(), Vec::new());
    while left != 0 {
        let region = edges.region(left & left.wrapping_neg(), grid.cells());
        regions.push(region);
        left &= !region;
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_hold_their_ranges_at_every_difficulty() {
        for step in 0..=125 {
            let difficulty = Difficulty::new(f64::from(step) / 100.0).unwrap();
            StrokeParams::at(difficulty).check().unwrap();
        }
    }

    #[test]
    fn boards_have_the_wanted_colors_and_lengthened_strokes_fit() {
        let mut rng = SemanticRng::from_seed(5);
        let params = StrokeParams::at(Difficulty::new(1.0).unwrap());
        let mut built = 0;
        for _ in 0..200 {
            let aim = StrokeAim::draw(&params, &mut rng);
            let Ok(board) = build(&aim, &mut rng) else { continue };
            board.validate().unwrap();
            assert!((1..=aim.colors as u8).all(|color| board.cells.contains(&color)));
            assert!(board.cells.iter().all(|color| u32::from(*color) <= aim.colors));
            built += 1;
        }
        assert!(built > 150, "{built}");
    }
}
