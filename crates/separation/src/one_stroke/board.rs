use serde::{Deserialize, Serialize};
use topotrace_core::{ActionShape, Flaw, Game, Status, ensure};

use super::grid::{Grid, Move, Trace, bit, column_and_row, index};
use super::letters;

/// Least number of cells along a side.
pub const MIN_SIZE: u32 = 2;
/// Greatest number of cells along a side.
pub const MAX_SIZE: u32 = 7;
/// Greatest number of colors.
pub const MAX_COLORS: u32 = 7;

/// The greatest length of a shortest solution, by cells along a side: up to it, all paths can be
/// tried within a few tenths of a second. Up to four cells a side no path is longer.
const LONGEST: [u32; 8] = [0, 0, 8, 14, 24, 24, 22, 20];

/// The greatest length that a shortest solution on a board of such a size may have; 0 for a size
/// out of range.
pub(super) fn longest(size: u32) -> u32 {
    LONGEST.get(size as usize).copied().unwrap_or(0)
}

/// A board of colored cells and the stroke that is drawn along their sides.
///
/// A board of `n` by `n` cells has `n + 1` by `n + 1` vertices: the corners of its cells. The
/// stroke starts at the vertex at the bottom left of the board and is to end at the one at the top
/// right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Cells along a side, from [`MIN_SIZE`] to [`MAX_SIZE`].
    pub size: u32,
    /// The color of every cell, row by row from the top, each row from the left: 1 to
    /// [`MAX_COLORS`], or 0 for an uncolored cell.
    pub cells: Vec<u8>,
    /// The moves of the stroke from its start on, as text of the letters `U`, `D`, `L` and `R`.
    #[serde(with = "letters")]
    pub path: Vec<Move>,
}

/// For every color the set of its cells; at 0 the uncolored ones.
pub(super) type ColorSets = [u64; MAX_COLORS as usize + 1];

impl Board {
    pub(super) fn grid(&self) -> Grid {
        Grid { size: self.size }
    }

    /// The color of the cell with an index of the grid.
    pub(super) fn color_at(&self, cell: u32) -> u8 {
        let (column, row) = column_and_row(cell);
        let place = (self.size - 1 - row) * self.size + column;
        self.cells.get(place as usize).copied().unwrap_or(0)
    }

    /// The cells of every color.
    pub(super) fn color_sets(&self) -> ColorSets {
        let mut sets = [0; MAX_COLORS as usize + 1];
        for (place, color) in (0..).zip(&self.cells) {
            let cell = index(place % self.size, self.size - 1 - place / self.size);
            if let Some(set) = sets.get_mut(usize::from(*color)) {
                *set |= bit(cell);
            }
        }
        sets
    }

    /// The stroke as sets.
    pub(super) fn trace(&self) -> Trace {
        Trace::of(&self.path, self.grid())
    }

    /// Checks a stranger's board, apart from whether it can be solved: its size, its colors, that
    /// there is a colored cell, and that the stroke is one that can be drawn.
    ///
    /// # Errors
    /// Names the first thing that makes no sense.
    pub fn validate(&self) -> Result<(), Flaw> {
        ensure((MIN_SIZE..=MAX_SIZE).contains(&self.size), || {
            format!("size {} is not from {MIN_SIZE} to {MAX_SIZE}", self.size)
        })?;
        let wanted = self.size as usize * self.size as usize;
        ensure(self.cells.len() == wanted, || format!("{} cells, not {wanted}", self.cells.len()))?;
        if let Some(color) = self.cells.iter().find(|color| u32::from(**color) > MAX_COLORS) {
            return Err(Flaw::new(format!("color {color} of a cell is not from 0 to {MAX_COLORS}")));
        }
        ensure(self.cells.iter().any(|color| *color != 0), || "no cell has a color".to_owned())?;
        let (grid, mut trace) = (self.grid(), Trace::START);
        for step in &self.path {
            ensure(trace.head != grid.target(), || "the path goes on after the target".to_owned())?;
            let to = grid.beside(trace.head, *step).filter(|to| !trace.holds(*to));
            let to = to.ok_or_else(|| {
                Flaw::new(format!("the path {} leaves the board or meets itself", letters::text(&self.path)))
            })?;
            trace = trace.onward(*step, to);
        }
        Ok(())
    }

    /// Whether a move steps back over the last edge of the stroke.
    fn steps_back(&self, step: Move) -> bool {
        self.path.last().is_some_and(|last| last.back() == step)
    }

    /// The moves that lengthen the stroke, each with the vertex to which it leads, in the order of
    /// [`Move::ALL`].
    pub(super) fn onward(&self) -> impl Iterator<Item = (Move, u32)> {
        let (grid, trace) = (self.grid(), self.trace());
        Move::ALL.into_iter().filter_map(move |step| {
            let to = grid.beside(trace.head, step).filter(|to| !trace.holds(*to))?;
            Some((step, to))
        })
    }
}

/// Whether the regions into which a stroke cuts the board separate the colors: no region holds two
/// colors, and every color lies in one region.
pub(super) fn separates(trace: Trace, grid: Grid, colors: &ColorSets) -> bool {
    let mut left = grid.cells() & !colors[0];
    while left != 0 {
        let region = trace.edges.region(left & left.wrapping_neg(), grid.cells());
        let mut inside = colors[1..].iter().filter(|set| *set & region != 0);
        let only = inside.next().copied().unwrap_or(0);
        if inside.next().is_some() || only & !region != 0 {
            return false;
        }
        left &= !region;
    }
    true
}

impl Game for Board {
    type Action = Move;

    fn shape(&self) -> ActionShape {
        ActionShape::Label { members: Move::ALL.into_iter().map(|step| step.letter().to_string()).collect() }
    }

    fn legal(&self) -> Vec<Move> {
        let (grid, trace) = (self.grid(), self.trace());
        if trace.head == grid.target() {
            return Vec::new();
        }
        let is_legal = |step: &Move| {
            let free = grid.beside(trace.head, *step).is_some_and(|to| !trace.holds(to));
            free || self.steps_back(*step)
        };
        Move::ALL.into_iter().filter(is_legal).collect()
    }

    fn apply(&self, action: &Move) -> Result<Self, Flaw> {
        let (grid, trace) = (self.grid(), self.trace());
        ensure(trace.head != grid.target(), || "the stroke has reached the target".to_owned())?;
        let letter = action.letter();
        if self.steps_back(*action) {
            let shorter = self.path[..self.path.len() - 1].to_vec();
            return Ok(Board { size: self.size, cells: self.cells.clone(), path: shorter });
        }
        let to = grid
            .beside(trace.head, *action)
            .ok_or_else(|| Flaw::new(format!("{letter} leads off the board")))?;
        ensure(!trace.holds(to), || format!("{letter} leads to a vertex that is on the stroke already"))?;
        let mut path = Vec::with_capacity(self.path.len() + 1);
        path.extend_from_slice(&self.path);
        path.push(*action);
        Ok(Board { size: self.size, cells: self.cells.clone(), path })
    }

    fn status(&self) -> Status {
        let (grid, trace) = (self.grid(), self.trace());
        if trace.head != grid.target() {
            Status::Open
        } else if separates(trace, grid, &self.color_sets()) {
            Status::Success
        } else {
            Status::Failure
        }
    }

    fn text(&self) -> String {
        let (grid, trace) = (self.grid(), self.trace());
        let mut text = String::new();
        for row in (0..=self.size).rev() {
            for column in 0..=self.size {
                let vertex = index(column, row);
                text.push(match vertex {
                    _ if vertex == trace.head => '◉',
                    _ if vertex == grid.target() => '□',
                    _ if trace.holds(vertex) => '●',
                    _ => '·',
                });
                if column < self.size {
                    text.push_str(if trace.edges.level & bit(vertex) != 0 { "━━━" } else { "   " });
                }
            }
            text.push('\n');
            for column in (0..=self.size).filter(|_| row > 0) {
                let below = index(column, row - 1);
                text.push(if trace.edges.upright & bit(below) != 0 { '┃' } else { ' ' });
                if column < self.size {
                    match self.color_at(below) {
                        0 => text.push_str("   "),
                        color => text.push_str(&format!(" {color} ")),
                    }
                }
            }
            if row > 0 {
                text.push('\n');
            }
        }
        text.push_str("(◉ head of the stroke, □ target, digits: colors)");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two colors, which the stroke `RUU` and then `R` parts.
    fn small() -> Board {
        Board { size: 2, cells: vec![1, 2, 0, 2], path: Vec::new() }
    }

    fn after(moves: &str) -> Board {
        moves.chars().filter_map(Move::of_letter).fold(small(), |board, step| board.apply(&step).unwrap())
    }

    #[test]
    fn a_stroke_ends_at_the_target_with_success_or_failure() {
        assert_eq!(after("RUU").status(), Status::Open);
        assert_eq!(after("RUUR").status(), Status::Success);
        assert_eq!(after("UURR").status(), Status::Failure);
        assert!(after("UURR").legal().is_empty() && after("UURR").apply(&Move::L).is_err());
    }

    #[test]
    fn steps_back_undo_and_nothing_else_touches_the_stroke() {
        assert_eq!(after("RULR"), after("RU"));
        assert_eq!(after("RUL").legal(), [Move::U, Move::R]);
        assert!(after("RUL").apply(&Move::D).unwrap_err().to_string().contains("on the stroke"));
        assert!(small().apply(&Move::D).unwrap_err().to_string().contains("off the board"));
        assert_eq!(small().legal(), [Move::U, Move::R]);
    }

    #[test]
    fn a_path_is_text_in_a_record() {
        let json = serde_json::to_string(&after("RU")).unwrap();
        assert_eq!(json, r#"{"size":2,"cells":[1,2,0,2],"path":"RU"}"#);
        assert_eq!(serde_json::from_str::<Board>(&json).unwrap(), after("RU"));
        assert!(serde_json::from_str::<Board>(&json.replace("RU", "RX")).is_err());
        assert_eq!(serde_json::to_string(&Move::U).unwrap(), r#""U""#);
    }

    #[test]
    fn the_text_shows_cells_and_stroke() {
        let text = after("RU").text();
        assert!(text.starts_with("·   ·   □\n  1   2  \n·   ◉   ·\n    ┃ 2  \n●━━━●   ·\n"), "{text}");
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let flaw = |change: fn(&mut Board)| {
            let mut board = small();
            change(&mut board);
            board.validate().unwrap_err().to_string()
        };
        assert!(flaw(|b| b.size = 8).contains("size 8"));
        assert!(flaw(|b| b.cells[0] = 8).contains("color 8"));
        assert!(flaw(|b| b.cells = vec![0; 4]).contains("no cell"));
        assert!(flaw(|b| b.cells.truncate(3)).contains("3 cells"));
        assert!(flaw(|b| b.path = vec![Move::D]).contains("path D"));
        assert!(flaw(|b| b.path = vec![Move::U, Move::R, Move::L]).contains("path URL"));
        assert!(
            flaw(|b| b.path = [[Move::U, Move::U], [Move::R; 2], [Move::D; 2]].concat()).contains("goes on")
        );
    }
}
