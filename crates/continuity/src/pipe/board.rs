use serde::{Deserialize, Serialize};
use topotrace_core::{ActionShape, Field, Flaw, Game, Status, ensure};

/// Least number of cells along a side.
pub const MIN_SIZE: u32 = 3;
/// Greatest number of cells along a side.
pub const MAX_SIZE: u32 = 8;

/// The opening towards the row above.
pub(super) const NORTH: u8 = 1;
/// The opening towards the column to the right.
pub(super) const EAST: u8 = 2;
/// The opening towards the row below.
pub(super) const SOUTH: u8 = 4;
/// The opening towards the column to the left.
pub(super) const WEST: u8 = 8;

/// The four openings clockwise, each with its step to the neighbor: columns, then rows.
pub(super) const STEPS: [(u8, i32, i32); 4] = [(NORTH, 0, -1), (EAST, 1, 0), (SOUTH, 0, 1), (WEST, -1, 0)];

/// A cell of the board; as an action, the cell whose pipe is turned by 90° clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Column, from 0 at the left.
    pub x: u32,
    /// Row, from 0 at the top.
    pub y: u32,
}

/// A board of pipes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Cells along a side, from [`MIN_SIZE`] to [`MAX_SIZE`].
    pub size: u32,
    /// The cell of the source. It holds a pipe.
    pub source: Cell,
    /// The openings of every cell, row by row from the top, each row from the left: the sum of
    /// 1 for an opening up, 2 for right, 4 for down and 8 for left; 0 for an empty cell. A pipe
    /// has one, two or three openings.
    pub cells: Vec<u8>,
}

/// Openings after a quarter turn clockwise.
pub(super) const fn turned(openings: u8) -> u8 {
    (openings << 1 | openings >> 3) & 15
}

/// The opening on the other side: what a neighbor needs for a match.
pub(super) const fn opposite(opening: u8) -> u8 {
    (opening << 2 | opening >> 2) & 15
}

impl Board {
    /// The index of a cell in [`Board::cells`], if the cell lies on the board.
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let inside = cell.x < self.size && cell.y < self.size;
        inside.then_some(cell.y as usize * self.size as usize + cell.x as usize)
    }

    /// The cell at an index of [`Board::cells`].
    pub(super) fn cell(&self, index: usize) -> Cell {
        let index = index as u32;
        Cell { x: index % self.size, y: index / self.size }
    }

    /// The index of the neighbor through `opening`, if it lies on the board.
    pub(super) fn beside(&self, index: usize, opening: u8) -> Option<usize> {
        let size = self.size as usize;
        match opening {
            NORTH => index.checked_sub(size),
            EAST => (index % size + 1 < size).then_some(index + 1),
            SOUTH => (index + size < size * size).then_some(index + size),
            WEST => (!index.is_multiple_of(size)).then(|| index - 1),
            _ => None,
        }
    }

    /// The openings of the neighbor through `opening`; 0 beyond the frame, as of an empty cell.
    pub(super) fn openings_beside(&self, index: usize, opening: u8) -> u8 {
        self.beside(index, opening).and_then(|at| self.cells.get(at)).copied().unwrap_or(0)
    }

    /// The indices of all cells with a pipe, row by row.
    pub(super) fn pipes(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(|(_, openings)| **openings != 0).map(|(index, _)| index)
    }

    /// For every cell, row by row, whether it holds a pipe that is connected to the source: by a
    /// chain of pipes each of which has an opening towards the next and the next one towards it.
    pub fn connected(&self) -> Vec<bool> {
        let mut reached = vec![false; self.cells.len()];
        let mut left: Vec<usize> = self.index(self.source).into_iter().collect();
        while let Some(index) = left.pop() {
            let openings = self.cells.get(index).copied().unwrap_or(0);
            if openings == 0 || std::mem::replace(&mut reached[index], true) {
                continue;
            }
            for (opening, _, _) in STEPS {
                let joined =
                    openings & opening != 0 && self.openings_beside(index, opening) & opposite(opening) != 0;
                left.extend(self.beside(index, opening).filter(|at| joined && !reached[*at]));
            }
        }
        reached
    }

    /// The number of pipes that are connected to the source, itself included.
    pub(super) fn connected_count(&self) -> usize {
        self.connected().into_iter().filter(|connected| *connected).count()
    }

    /// The actions that give each pipe the number of turns at its index, row by row.
    pub(super) fn plan(&self, turns: &[u8]) -> Vec<Cell> {
        let times = |(index, turns): (usize, &u8)| std::iter::repeat_n(self.cell(index), usize::from(*turns));
        turns.iter().enumerate().flat_map(times).collect()
    }

    /// Checks a stranger's board, apart from whether it can be solved.
    ///
    /// The pipes must have just as many openings as a tree of them uses up: twice their number,
    /// less two. So on a solved board no opening is left over and there is no loop.
    ///
    /// # Errors
    /// Names the first thing that makes no sense.
    pub fn validate(&self) -> Result<(), Flaw> {
        ensure((MIN_SIZE..=MAX_SIZE).contains(&self.size), || {
            format!("size {} is not from {MIN_SIZE} to {MAX_SIZE}", self.size)
        })?;
        let wanted = self.size as usize * self.size as usize;
        ensure(self.cells.len() == wanted, || format!("{} cells, not {wanted}", self.cells.len()))?;
        if let Some(openings) = self.cells.iter().find(|openings| **openings >= 15) {
            return Err(Flaw::new(format!("openings {openings} of a cell are not from 0 to 14")));
        }
        let source = self.index(self.source).map_or(0, |index| self.cells[index]);
        ensure(source != 0, || format!("the source {:?} is no cell with a pipe", self.source))?;
        let openings: u32 = self.cells.iter().map(|openings| openings.count_ones()).sum();
        let pipes = self.pipes().count() as u32;
        ensure(pipes >= 2 && openings == 2 * (pipes - 1), || {
            format!(
                "{pipes} pipes with {openings} openings don't make a tree; it takes 2 pipes or more, and two openings less than twice the pipes"
            )
        })
    }
}

impl Game for Board {
    type Action = Cell;

    fn shape(&self) -> ActionShape {
        let max = i64::from(self.size) - 1;
        ActionShape::Object { fields: vec![Field::new("x", 0, max), Field::new("y", 0, max)] }
    }

    fn legal(&self) -> Vec<Cell> {
        match self.status() {
            Status::Open => self.pipes().map(|index| self.cell(index)).collect(),
            _ => Vec::new(),
        }
    }

    fn apply(&self, action: &Cell) -> Result<Self, Flaw> {
        ensure(self.status() == Status::Open, || "every pipe is connected already".to_owned())?;
        let index = self.index(*action).filter(|index| *index < self.cells.len()).ok_or_else(|| {
            Flaw::new(format!("x {} and y {} are not both below {}", action.x, action.y, self.size))
        })?;
        ensure(self.cells[index] != 0, || format!("the cell x {}, y {} is empty", action.x, action.y))?;
        let mut next = self.clone();
        next.cells[index] = turned(next.cells[index]);
        Ok(next)
    }

    fn status(&self) -> Status {
        let connected = self.connected();
        let solved = self.pipes().all(|index| connected[index]);
        if solved { Status::Success } else { Status::Open }
    }

    fn text(&self) -> String {
        const LIGHT: [char; 15] = ['·', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬'];
        const HEAVY: [char; 15] = ['·', '╹', '╺', '┗', '╻', '┃', '┏', '┣', '╸', '┛', '━', '┻', '┓', '┫', '┳'];
        let connected = self.connected();
        let mut text = "  ".to_owned();
        for x in 0..self.size {
            text.push_str(&format!(" {x} "));
        }
        for y in 0..self.size {
            text.push_str(&format!("\n{y} "));
            for x in 0..self.size {
                let cell = Cell { x, y };
                let index = self.index(cell).unwrap_or(0);
                let glyphs = if connected.get(index) == Some(&true) { HEAVY } else { LIGHT };
                let openings = self.cells.get(index).copied().unwrap_or(0);
                let glyph = glyphs.get(usize::from(openings)).copied().unwrap_or('?');
                let (left, right) = if cell == self.source { ('(', ')') } else { (' ', ' ') };
                text.extend([left, glyph, right]);
            }
        }
        text.push_str("\n(source in brackets; heavy: connected to it, light: not)");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Board {
        Board {
            size: 3,
            source: Cell { x: 0, y: 0 },
            cells: vec![EAST, 10, WEST | SOUTH, 0, 0, SOUTH, 0, 0, 0],
        }
    }

    #[test]
    fn a_turn_joins_and_a_solved_board_is_over() {
        let board = small();
        board.validate().unwrap();
        assert_eq!(board.connected_count(), 3);
        assert_eq!(board.legal().len(), 4);
        let turn = Cell { x: 2, y: 1 };
        let solved = board.apply(&turn).and_then(|b| b.apply(&turn)).unwrap();
        assert_eq!(solved.status(), Status::Success);
        assert!(solved.legal().is_empty() && solved.apply(&turn).is_err());
        assert!(board.apply(&Cell { x: 0, y: 1 }).unwrap_err().to_string().contains("empty"));
        assert!(board.apply(&Cell { x: 3, y: 0 }).unwrap_err().to_string().contains("below 3"));
    }

    #[test]
    fn the_text_tells_heavy_from_light() {
        let text = small().text();
        assert!(text.starts_with("   0  1  2 \n0 (╺) ━  ┓ \n1  ·  ·  ╷ \n"), "{text}");
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let flaw = |change: fn(&mut Board)| {
            let mut board = small();
            change(&mut board);
            board.validate().unwrap_err().to_string()
        };
        assert!(flaw(|b| b.size = 9).contains("size 9"));
        assert!(flaw(|b| b.cells[1] = 15).contains("15"));
        assert!(flaw(|b| b.source.y = 1).contains("source"));
        assert!(flaw(|b| b.cells[3] = 1).contains("tree"));
        assert!(flaw(|b| b.cells.truncate(8)).contains("8 cells"));
    }
}
