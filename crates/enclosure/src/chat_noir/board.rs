//! Hexagonal boards: how cells are numbered, which are neighbors, which make the rim.

use serde::{Deserialize, Serialize};

/// Least radius of a board: 19 cells.
pub const MIN_RADIUS: u32 = 2;
/// Greatest radius of a board: 61 cells.
pub const MAX_RADIUS: u32 = 4;

/// Cells of the greatest board.
const MOST_CELLS: usize = 61;
/// Stands for a neighbor that does not exist.
const NOWHERE: u8 = 64;

/// One of the six ways from a cell to a neighbor, in the order of the neighbors' numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Up and to the left.
    Nw,
    /// Up and to the right.
    Ne,
    /// To the left.
    W,
    /// To the right.
    E,
    /// Down and to the left.
    Sw,
    /// Down and to the right.
    Se,
}

impl Direction {
    /// All six, in the order of the neighbors' numbers.
    pub const ALL: [Direction; 6] =
        [Direction::Nw, Direction::Ne, Direction::W, Direction::E, Direction::Sw, Direction::Se];

    /// The step in axial coordinates: columns along the row, then rows downward.
    pub(super) const fn step(self) -> (i32, i32) {
        match self {
            Direction::Nw => (0, -1),
            Direction::Ne => (1, -1),
            Direction::W => (-1, 0),
            Direction::E => (1, 0),
            Direction::Sw => (-1, 1),
            Direction::Se => (0, 1),
        }
    }
}

/// A set of cells; in a record, the list of their numbers in growing order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Cells(u64);

impl Cells {
    /// The set with a bit for each cell, the lowest for cell 0.
    pub(super) const fn of(bits: u64) -> Self {
        Cells(bits)
    }

    /// The set as bits.
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// Whether a cell is one of them.
    pub fn contains(self, cell: u32) -> bool {
        cell < 64 && self.0 >> cell & 1 == 1
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The cells in growing order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(cell)
        })
    }

    /// The set with one cell more. A number above 63 changes nothing.
    #[must_use]
    pub fn with(self, cell: u32) -> Self {
        Cells(self.0 | 1_u64.checked_shl(cell).unwrap_or(0))
    }
}

impl TryFrom<Vec<u8>> for Cells {
    type Error = String;

    fn try_from(list: Vec<u8>) -> Result<Self, String> {
        if let Some(cell) = list.iter().find(|cell| usize::from(**cell) >= MOST_CELLS) {
            return Err(format!("cell {cell} is on no board"));
        }
        if list.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("a list of cells does not grow".to_owned());
        }
        Ok(Cells(list.iter().fold(0, |bits, cell| bits | 1 << cell)))
    }
}

impl From<Cells> for Vec<u8> {
    fn from(cells: Cells) -> Self {
        cells.iter().map(|cell| cell as u8).collect()
    }
}

/// What is the same for all boards of one radius.
pub(super) struct Board {
    /// The number of cells.
    pub(super) cells: usize,
    /// All cells, as bits.
    pub(super) all: u64,
    /// The cells with fewer than six neighbors, as bits.
    pub(super) rim: u64,
    /// For every cell its neighbors, as bits.
    pub(super) around: [u64; 64],
    /// For every cell its axial coordinates: column, row; the center is (0, 0).
    pub(super) places: [(i32, i32); 64],
    /// For every cell its neighbor in each direction, or [`NOWHERE`].
    beside: [[u8; 6]; 64],
}

impl Board {
    /// The board of a radius. A radius out of range gives the nearest board.
    pub(super) fn of(radius: u32) -> &'static Board {
        static BOARDS: [Board; 3] = [build(2), build(3), build(4)];
        &BOARDS[(radius.clamp(MIN_RADIUS, MAX_RADIUS) - MIN_RADIUS) as usize]
    }

    /// The cell in the middle.
    pub(super) fn center(&self) -> u32 {
        self.cells as u32 / 2
    }

    /// The neighbor in a direction, if there is one.
    pub(super) fn beside(&self, cell: u32, direction: Direction) -> Option<u32> {
        let next = self.beside[cell as usize & 63][direction as usize];
        (next != NOWHERE).then_some(u32::from(next))
    }

    /// The cells of `set` and all their neighbors.
    pub(super) fn grown(&self, set: u64) -> u64 {
        Cells::of(set).iter().fold(set, |grown, cell| grown | self.around[cell as usize])
    }

    /// Whether a way over `open` cells leads from `cell` to the rim.
    pub(super) fn reaches_rim(&self, open: u64, cell: u32) -> bool {
        let mut reached = 1_u64 << cell;
        let mut fresh = reached;
        while fresh != 0 {
            if fresh & self.rim != 0 {
                return true;
            }
            let mut next = 0;
            while fresh != 0 {
                next |= self.around[fresh.trailing_zeros() as usize];
                fresh &= fresh - 1;
            }
            fresh = next & open & !reached;
            reached |= fresh;
        }
        false
    }
}

/// Numbers the cells row by row from the top, each row from the left.
const fn build(radius: i32) -> Board {
    let mut places = [(0, 0); 64];
    let mut cells = 0;
    let mut row = -radius;
    while row <= radius {
        let mut column = first_column(radius, row);
        while column <= last_column(radius, row) {
            places[cells] = (column, row);
            cells += 1;
            column += 1;
        }
        row += 1;
    }
    let mut board =
        Board { cells, all: (1 << cells) - 1, rim: 0, around: [0; 64], places, beside: [[NOWHERE; 6]; 64] };
    let mut cell = 0;
    while cell < cells {
        let mut way = 0;
        while way < 6 {
            let (columns, rows) = Direction::ALL[way].step();
            let wanted = (places[cell].0 + columns, places[cell].1 + rows);
            let mut other = 0;
            while other < cells {
                if places[other].0 == wanted.0 && places[other].1 == wanted.1 {
                    board.beside[cell][way] = other as u8;
                    board.around[cell] |= 1 << other;
                }
                other += 1;
            }
            way += 1;
        }
        if board.around[cell].count_ones() < 6 {
            board.rim |= 1 << cell;
        }
        cell += 1;
    }
    board
}

const fn first_column(radius: i32, row: i32) -> i32 {
    if row < 0 { -radius - row } else { -radius }
}

const fn last_column(radius: i32, row: i32) -> i32 {
    if row < 0 { radius } else { radius - row }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_their_cells_and_rims() {
        for (radius, cells, rim) in [(2, 19, 12), (3, 37, 18), (4, 61, 24)] {
            let board = Board::of(radius);
            assert_eq!((board.cells, board.rim.count_ones()), (cells, rim));
            assert_eq!(board.places[board.center() as usize], (0, 0));
            for cell in 0..cells as u32 {
                for direction in Direction::ALL {
                    if let Some(next) = board.beside(cell, direction) {
                        assert!(board.around[next as usize] >> cell & 1 == 1);
                    }
                }
            }
        }
        assert_eq!(Board::of(3).beside(18, Direction::Nw), Some(11));
        assert_eq!(Board::of(3).beside(18, Direction::Se), Some(25));
    }

    #[test]
    fn a_list_of_cells_must_grow() {
        let read = |text: &str| serde_json::from_str::<Cells>(text);
        assert_eq!(serde_json::to_string(&read("[1,7,60]").unwrap()).unwrap(), "[1,7,60]");
        assert!(read("[7,1]").is_err() && read("[1,1]").is_err() && read("[61]").is_err());
    }
}
