//! What proves that a plan works, and its checker.

use serde::{Deserialize, Serialize};
use topotrace_core::{Answer, Flaw, Outcome, ensure};

use super::board::Board;
use super::grid::{Move, Trace, bit, index};
use super::letters;

/// What proves that a stroke separates the colors.
///
/// It proves that the goal is reached and counts the moves. That no shorter stroke does is not in
/// it: that takes a search, and the recount by trying all paths is the second one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrokeProof {
    /// The number of moves of a shortest solution.
    pub least: u32,
    /// The moves, as text of the letters `U`, `D`, `L` and `R`.
    #[serde(with = "letters")]
    pub path: Vec<Move>,
    /// The number of the region of every cell, row by row from the top. Regions are numbered from
    /// 0 in the order in which they first occur.
    pub regions: Vec<u32>,
    /// The color of every region; 0 for a region without colored cells.
    pub colors: Vec<u8>,
}

impl StrokeProof {
    /// The proof for the moves of a solution.
    pub(super) fn of(board: &Board, moves: &[Move]) -> Self {
        let grid = board.grid();
        let trace = Trace::of(moves, grid);
        let mut sets: Vec<u64> = Vec::new();
        let mut regions = Vec::with_capacity(board.cells.len());
        let mut colors = Vec::new();
        for place in 0..board.size * board.size {
            let cell = index(place % board.size, board.size - 1 - place / board.size);
            let known = sets.iter().position(|set| set & bit(cell) != 0);
            let region = known.unwrap_or_else(|| {
                sets.push(trace.edges.region(bit(cell), grid.cells()));
                colors.push(0);
                sets.len() - 1
            });
            regions.push(region as u32);
            colors[region] = colors[region].max(board.color_at(cell));
        }
        StrokeProof { least: moves.len() as u32, path: moves.to_vec(), regions, colors }
    }
}

/// Checks that a plan is the proof's, that it is a stroke from the start to the target, as long as
/// the proof says, and that the proof's regions are those that it makes and separate the colors.
///
/// # Errors
/// Names the first thing that does not hold.
pub(super) fn check(board: &Board, outcome: &Outcome<StrokeProof>) -> Result<(), Flaw> {
    let Answer::Plan(plan) = &outcome.answer else { return Err(Flaw::new("the answer is no plan")) };
    let proof = &outcome.evidence;
    let moves: Vec<Move> = plan
        .iter()
        .map(|action| serde_json::from_str(action.as_str()))
        .collect::<Result<_, _>>()
        .map_err(|e| Flaw::new(format!("the plan holds what is no action: {e}")))?;
    ensure(moves == proof.path, || "the plan is not the proof's path".to_owned())?;
    ensure(moves.len() as u64 == u64::from(proof.least), || {
        format!("the plan has {} actions, the proof says {}", moves.len(), proof.least)
    })?;
    let walls = Walls::along(board, &moves)?;
    check_regions(board, proof, &walls)
}

/// Which sides of cells a path runs along. Rows count from the top.
struct Walls {
    size: usize,
    /// For each cell whether the path runs along its right side.
    right: Vec<bool>,
    /// For each cell whether the path runs along its lower side.
    lower: Vec<bool>,
}

impl Walls {
    /// Follows the moves from the start; they must end at the target, which they meet just once,
    /// and never come to a vertex twice.
    fn along(board: &Board, moves: &[Move]) -> Result<Walls, Flaw> {
        let size = board.size as usize;
        let mut walls = Walls { size, right: vec![false; size * size], lower: vec![false; size * size] };
        let mut seen = vec![false; (size + 1) * (size + 1)];
        let (mut x, mut y) = (0, size);
        seen[y * (size + 1) + x] = true;
        for (number, step) in (1..).zip(moves) {
            ensure((x, y) != (size, 0), || format!("action {number} comes after the target"))?;
            let from = (x, y);
            let inside = match step {
                Move::U => y > 0,
                Move::D => y < size,
                Move::L => x > 0,
                Move::R => x < size,
            };
            ensure(inside, || format!("action {number} leaves the board"))?;
            match step {
                Move::U => y -= 1,
                Move::D => y += 1,
                Move::L => x -= 1,
                Move::R => x += 1,
            }
            let vertex = y * (size + 1) + x;
            ensure(!seen[vertex], || format!("action {number} comes back to a vertex"))?;
            seen[vertex] = true;
            let (column, row) = (from.0.min(x), from.1.min(y));
            // Where the path runs along the outline it has no cell at one side, and parts nothing.
            if column != from.0.max(x) && row > 0 && row < size {
                walls.lower[(row - 1) * size + column] = true;
            }
            if row != from.1.max(y) && column > 0 && column < size {
                walls.right[row * size + column - 1] = true;
            }
        }
        ensure((x, y) == (size, 0), || "the plan doesn't end at the target".to_owned())?;
        Ok(walls)
    }

    /// The pairs of cells that share a side along which the path doesn't run.
    fn open_pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let size = self.size;
        (0..size * size).flat_map(move |cell| {
            let right = (cell % size + 1 < size && !self.right[cell]).then(|| (cell, cell + 1));
            let lower = (cell / size + 1 < size && !self.lower[cell]).then(|| (cell, cell + size));
            right.into_iter().chain(lower)
        })
    }
}

fn check_regions(board: &Board, proof: &StrokeProof, walls: &Walls) -> Result<(), Flaw> {
    let StrokeProof { regions, colors, .. } = proof;
    ensure(regions.len() == board.cells.len(), || {
        format!("the proof has regions of {} cells, not {}", regions.len(), board.cells.len())
    })?;
    // Pieces grow by joining cells that are not parted. Each join makes one piece less, and no piece
    // reaches beyond a region; so every region is one piece when there are as many of both.
    let mut piece: Vec<usize> = (0..regions.len()).collect();
    let mut joins = 0;
    for (a, b) in walls.open_pairs() {
        ensure(regions[a] == regions[b], || {
            format!("cells {a} and {b} are not parted, but lie in two regions")
        })?;
        let (old, new) = (piece[a].max(piece[b]), piece[a].min(piece[b]));
        joins += usize::from(old != new);
        piece.iter_mut().filter(|piece| **piece == old).for_each(|piece| *piece = new);
    }
    ensure(joins + colors.len() == regions.len(), || {
        format!("the proof has {} regions, the plan makes {}", colors.len(), regions.len() - joins)
    })?;
    // Regions are numbered as they first occur, which also gives each of them a cell.
    let mut known = 0;
    for region in regions {
        ensure(*region as usize <= known, || format!("region {region} comes before region {known}"))?;
        known = known.max(*region as usize + 1);
    }
    ensure(known == colors.len(), || format!("{known} regions have cells, not {}", colors.len()))?;
    for (number, color) in colors.iter().enumerate() {
        let mut own = regions.iter().zip(&board.cells).filter(|(region, _)| **region as usize == number);
        ensure(*color == 0 || own.any(|(_, cell)| cell == color), || {
            format!("region {number} has no cell of color {color}")
        })?;
    }
    for (cell, (region, color)) in regions.iter().zip(&board.cells).enumerate() {
        let own = colors.get(*region as usize);
        ensure(own.is_some_and(|own| *color == 0 || color == own), || {
            format!("cell {cell} has color {color}, its region another one")
        })?;
    }
    for (number, color) in colors.iter().enumerate().filter(|(_, color)| **color != 0) {
        ensure(!colors[..number].contains(color), || format!("color {color} lies in two regions"))?;
    }
    Ok(())
}
