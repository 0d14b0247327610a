use serde::{Deserialize, Serialize};
use topotrace_core::{ActionShape, Field, Flaw, Game, Status, ensure, ensure_within};

/// Least number of rows and of columns.
pub const MIN_SIDE: u32 = 2;
/// Greatest number of rows and of columns.
pub const MAX_SIDE: u32 = 4;
/// The number of blocks that there are: each has a number from 1 to this and a color of its own.
pub const BLOCKS: u8 = 15;
/// The number of cells of the greatest board.
pub(super) const MAX_CELLS: usize = (MAX_SIDE * MAX_SIDE) as usize;
/// What stands for the blank where a block has its number.
pub(super) const BLANK: u8 = 0;

/// A cell of the board; as an action, the cell whose block changes places with the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Row, from 0 at the top.
    pub row: u32,
    /// Column, from 0 at the left.
    pub col: u32,
}

/// A board of blocks as it lies and as it is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// The number of rows, from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub rows: u32,
    /// The number of columns, from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub columns: u32,
    /// What lies in every cell, row by row from the top, each row from the left: 0 is the blank,
    /// any other number a block, from 1 to [`BLOCKS`]. A block's color is that of its number.
    pub current: Vec<u8>,
    /// What is to lie in every cell: the same blocks and the blank.
    pub goal: Vec<u8>,
}

impl Board {
    /// The index of a cell in [`Board::current`] and [`Board::goal`], if the cell lies on the
    /// board.
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let inside = cell.row < self.rows && cell.col < self.columns;
        inside.then_some(cell.row as usize * self.columns as usize + cell.col as usize)
    }

    /// The cell at an index.
    pub(super) fn cell(&self, index: usize) -> Cell {
        let index = index as u32;
        Cell { row: index / self.columns, col: index % self.columns }
    }

    /// The index of the cell without a block.
    pub(super) fn blank(&self) -> Option<usize> {
        place(&self.current, BLANK)
    }

    /// The same board with its blocks renumbered from 1 in the order in which they stand in the
    /// goal: boards that differ in their colors alone become one.
    pub(super) fn recolored(&self) -> Board {
        let mut numbers = [BLANK; 256];
        let mut count = 0;
        for &block in self.goal.iter().filter(|block| **block != BLANK) {
            count += 1;
            numbers[usize::from(block)] = count;
        }
        let renumbered = |blocks: &[u8]| blocks.iter().map(|block| numbers[usize::from(*block)]).collect();
        Board { current: renumbered(&self.current), goal: renumbered(&self.goal), ..*self }
    }

    /// Checks a stranger's board.
    ///
    /// # Errors
    /// Names the first thing that makes no sense.
    pub fn validate(&self) -> Result<(), Flaw> {
        ensure_within("rows", self.rows, MIN_SIDE, MAX_SIDE)?;
        ensure_within("columns", self.columns, MIN_SIDE, MAX_SIDE)?;
        let wanted = (self.rows * self.columns) as usize;
        for (name, blocks) in [("current", &self.current), ("goal", &self.goal)] {
            ensure(blocks.len() == wanted, || format!("{name} has {} cells, not {wanted}", blocks.len()))?;
            let mut seen = [false; BLOCKS as usize + 1];
            for &block in blocks {
                ensure(block <= BLOCKS, || format!("block {block} in {name} is not from 0 to {BLOCKS}"))?;
                let twice = std::mem::replace(&mut seen[usize::from(block)], true);
                ensure(!twice, || format!("block {block} stands twice in {name}"))?;
            }
            ensure(seen[usize::from(BLANK)], || format!("{name} has no blank"))?;
        }
        let stranger = self.current.iter().find(|block| !self.goal.contains(block));
        ensure(stranger.is_none(), || format!("block {} is not in the goal", stranger.unwrap_or(&BLANK)))
    }
}

/// Where a block, or the blank, lies.
pub(super) fn place(blocks: &[u8], block: u8) -> Option<usize> {
    blocks.iter().position(|other| *other == block)
}

impl Game for Board {
    type Action = Cell;

    fn shape(&self) -> ActionShape {
        let last = |side: u32| i64::from(side) - 1;
        ActionShape::Object {
            fields: vec![Field::new("row", 0, last(self.rows)), Field::new("col", 0, last(self.columns))],
        }
    }

    fn legal(&self) -> Vec<Cell> {
        if self.status() != Status::Open {
            return Vec::new();
        }
        let blocks = self.current.iter().enumerate().filter(|(_, block)| **block != BLANK);
        blocks.map(|(index, _)| self.cell(index)).collect()
    }

    fn apply(&self, action: &Cell) -> Result<Self, Flaw> {
        ensure(self.status() == Status::Open, || "the board is as wanted already".to_owned())?;
        let no_block = |what: &str| Flaw::new(format!("row {}, col {} {what}", action.row, action.col));
        let off_board = || no_block("lies off the board");
        let index = self.index(*action).filter(|index| *index < self.current.len()).ok_or_else(off_board)?;
        let blank = self.blank().ok_or_else(|| Flaw::new("there is no blank"))?;
        if index == blank {
            return Err(no_block("is the blank itself"));
        }
        let mut next = self.clone();
        next.current.swap(index, blank);
        Ok(next)
    }

    fn status(&self) -> Status {
        if self.current == self.goal { Status::Success } else { Status::Open }
    }

    fn text(&self) -> String {
        let columns = self.columns.max(1) as usize;
        let line = |blocks: &[u8]| {
            let names = blocks.iter().map(|block| match *block {
                BLANK => "  ·".to_owned(),
                block => format!("{block:3}"),
            });
            names.collect::<String>()
        };
        let numbers: String = (0..self.columns).map(|column| format!("{column:3}")).collect();
        let mut text = format!("  {numbers}     {numbers}");
        for (row, (current, goal)) in self.current.chunks(columns).zip(self.goal.chunks(columns)).enumerate()
        {
            text.push_str(&format!("\n{row} {}   {row} {}", line(current), line(goal)));
        }
        text.push_str("\n(left: as it is; right: the goal; a dot: the blank)");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Board {
        Board { rows: 2, columns: 3, current: vec![4, 0, 9, 1, 15, 2], goal: vec![4, 9, 0, 1, 2, 15] }
    }

    #[test]
    fn a_block_changes_places_with_the_blank_from_anywhere() {
        let board = small();
        board.validate().unwrap();
        assert_eq!(board.legal().len(), 5);
        let far = board.apply(&Cell { row: 1, col: 2 }).unwrap();
        assert_eq!(far.current, [4, 2, 9, 1, 15, 0]);
        let error = |cell| board.apply(&cell).unwrap_err().to_string();
        assert!(error(Cell { row: 0, col: 1 }).contains("blank"));
        assert!(error(Cell { row: 2, col: 0 }).contains("off the board"));
        assert!(error(Cell { row: 0, col: u32::MAX }).contains("off the board"));
    }

    #[test]
    fn a_board_as_wanted_is_over() {
        let solved = Board { current: small().goal, ..small() };
        assert_eq!(solved.status(), Status::Success);
        assert!(solved.legal().is_empty() && solved.apply(&Cell { row: 0, col: 0 }).is_err());
    }

    #[test]
    fn the_text_shows_both_boards() {
        let text = small().text();
        assert!(text.starts_with("    0  1  2       0  1  2\n0   4  ·  9   0   4  9  ·\n"), "{text}");
    }

    #[test]
    fn colors_alone_make_no_other_board() {
        let board = small();
        let other = Board { current: vec![7, 0, 3, 8, 1, 6], goal: vec![7, 3, 0, 8, 6, 1], ..small() };
        assert_eq!(board.recolored(), other.recolored());
        assert_eq!(board.recolored().goal, [1, 2, 0, 3, 4, 5]);
        assert_eq!(board.recolored().recolored(), board.recolored());
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let flaw = |change: fn(&mut Board)| {
            let mut board = small();
            change(&mut board);
            board.validate().unwrap_err().to_string()
        };
        assert!(flaw(|b| b.rows = 5).contains("rows 5"));
        assert!(flaw(|b| b.columns = 1).contains("columns 1"));
        assert!(flaw(|b| b.rows = 3).contains("6 cells, not 9"));
        assert!(flaw(|b| b.current[0] = 16).contains("block 16"));
        assert!(flaw(|b| b.current[0] = 9).contains("twice"));
        assert!(flaw(|b| b.goal[2] = 3).contains("goal has no blank"));
        assert!(flaw(|b| b.current[0] = 3).contains("block 3 is not in the goal"));
    }
}
