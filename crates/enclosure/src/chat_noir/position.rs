//! The state: a cat among blocks, and the game that is played on it.

use serde::{Deserialize, Serialize};
use topotrace_core::{ActionShape, Flaw, Game, Status, ensure, ensure_within};

use super::board::{Board, Cells, Direction, MAX_RADIUS, MIN_RADIUS};
use super::cat::{CHOICES, COINS, Habit, Mind};

/// A cat on a hexagonal board, some of whose cells are blocked.
///
/// Cells are numbered row by row from the top, each row from the left. A board of radius R has
/// 2R + 1 rows of R + 1 to 2R + 1 cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Steps from the middle cell to the rim, from [`MIN_RADIUS`] to [`MAX_RADIUS`].
    pub radius: u32,
    /// The cell of the cat.
    pub cat: u32,
    /// The blocked cells.
    pub blocked: Cells,
    /// The rule by which the cat steps.
    pub habit: Habit,
    /// The order of the six directions: equally good steps go to the first of them, and open
    /// neighbors are counted in it.
    pub order: [Direction; 6],
    /// For a habit with coins, a number from 0 to 599 for each move that the cat can make: its
    /// coin times 60, plus its choice from 0 to 59. Empty for other habits.
    pub draws: Vec<u16>,
    /// How many cells have been blocked since the episode began: the number of the cat's next
    /// move, from 0.
    pub turn: u32,
}

impl Position {
    /// What is the same for all boards of the radius.
    pub(super) fn board(&self) -> &'static Board {
        Board::of(self.radius)
    }

    /// The cells that are not blocked, the cat's among them, as bits.
    pub(super) fn open(&self) -> u64 {
        self.board().all & !self.blocked.bits()
    }

    /// The cells that may be blocked next, as bits.
    pub(super) fn free(&self) -> u64 {
        self.open() & !(1 << (self.cat & 63))
    }

    /// What decides the cat's steps.
    pub(super) fn mind(&self) -> Mind<'_> {
        Mind { habit: self.habit, order: self.order, draws: &self.draws }
    }

    /// Checks the start of a stranger's episode, apart from whether it can be won.
    ///
    /// # Errors
    /// Names the first thing that makes no sense.
    pub fn validate(&self) -> Result<(), Flaw> {
        ensure_within("radius", self.radius, MIN_RADIUS, MAX_RADIUS)?;
        let board = self.board();
        ensure((self.cat as usize) < board.cells, || {
            format!("cat {} is not below {}", self.cat, board.cells)
        })?;
        ensure(self.blocked.bits() & !board.all == 0, || {
            format!("a blocked cell is not below {}", board.cells)
        })?;
        ensure(!self.blocked.contains(self.cat), || format!("the cat's cell {} is blocked", self.cat))?;
        let mut sorted = self.order;
        sorted.sort_unstable();
        ensure(sorted == Direction::ALL, || "order does not name each direction once".to_owned())?;
        ensure(self.turn == 0, || format!("turn {} is not 0, where an episode begins", self.turn))?;
        let wanted = if self.habit.stray_from().is_some() { self.free().count_ones() as usize } else { 0 };
        ensure(self.draws.len() == wanted, || format!("{} draws, not {wanted}", self.draws.len()))?;
        let least_wrong = COINS * CHOICES;
        ensure(self.draws.iter().all(|draw| *draw < least_wrong), || {
            format!("a draw is not below {least_wrong}")
        })
    }
}

impl Game for Position {
    type Action = u32;

    fn shape(&self) -> ActionShape {
        ActionShape::Integer { min: 0, max: self.board().cells as i64 - 1 }
    }

    fn legal(&self) -> Vec<u32> {
        match self.status() {
            Status::Open => Cells::of(self.free()).iter().collect(),
            _ => Vec::new(),
        }
    }

    fn apply(&self, action: &u32) -> Result<Self, Flaw> {
        ensure(self.status() == Status::Open, || "the cat is trapped or has escaped already".to_owned())?;
        let board = self.board();
        let cell = *action;
        ensure((cell as usize) < board.cells, || format!("cell {cell} is not below {}", board.cells))?;
        ensure(cell != self.cat, || format!("the cat stands on cell {cell}"))?;
        ensure(!self.blocked.contains(cell), || format!("cell {cell} is blocked already"))?;
        let blocked = self.blocked.with(cell);
        let open = board.all & !blocked.bits();
        let cat = if board.reaches_rim(open, self.cat) {
            self.mind().step(board, open, self.cat, self.turn as usize)
        } else {
            self.cat
        };
        Ok(Position { cat, blocked, turn: self.turn + 1, draws: self.draws.clone(), ..*self })
    }

    fn status(&self) -> Status {
        let board = self.board();
        if board.rim >> (self.cat & 63) & 1 == 1 {
            Status::Failure
        } else if board.reaches_rim(self.open(), self.cat & 63) {
            Status::Open
        } else {
            Status::Success
        }
    }

    fn text(&self) -> String {
        let board = self.board();
        let mut text = String::new();
        let mut row = i32::MIN;
        for (cell, (_, at)) in (0..).zip(board.places.iter().take(board.cells)) {
            if *at != row {
                row = *at;
                text.push_str(if cell == 0 { "" } else { "\n" });
                text.push_str(&"  ".repeat(row.unsigned_abs() as usize));
            }
            text.push_str(&match cell {
                _ if cell == self.cat => format!("[{cell:2}]"),
                _ if self.blocked.contains(cell) => " ## ".to_owned(),
                _ => format!(" {cell:2} "),
            });
        }
        text.push_str("\n(the cat in brackets; ##: blocked)");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Position {
        // The cat in the middle of 19 cells, shut in but for cells 4, 5 and 14 around it.
        Position {
            radius: 2,
            cat: 9,
            blocked: [8, 10, 13].into_iter().fold(Cells::default(), Cells::with),
            habit: Habit::Direct,
            order: Direction::ALL,
            draws: Vec::new(),
            turn: 0,
        }
    }

    #[test]
    fn the_cat_steps_after_each_block_until_it_is_trapped_or_out() {
        let start = small();
        start.validate().unwrap();
        assert_eq!((start.status(), start.legal().len()), (Status::Open, 15));
        let next = start.apply(&0).unwrap();
        assert_eq!((next.cat, next.turn, next.status()), (4, 1, Status::Open));
        let out = next.apply(&18).unwrap();
        assert_eq!((out.cat, out.status()), (1, Status::Failure));
        assert!(out.legal().is_empty() && out.apply(&17).is_err());
    }

    #[test]
    fn a_trapped_cat_stays() {
        let mut start = small();
        start.blocked = start.blocked.with(4).with(5);
        let end = start.apply(&14).unwrap();
        assert_eq!((end.cat, end.turn, end.status()), (9, 1, Status::Success));
    }

    #[test]
    fn illegal_actions_say_why() {
        let flaw = |action: u32| small().apply(&action).unwrap_err().to_string();
        assert!(flaw(9).contains("stands"));
        assert!(flaw(8).contains("blocked"));
        assert!(flaw(19).contains("below 19"));
    }

    #[test]
    fn the_text_shows_the_board() {
        let text = small().text();
        assert!(text.starts_with("      0   1   2 \n    3   4   5   6 \n  7  ## [ 9] ##  11 \n"), "{text}");
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let flaw = |change: fn(&mut Position)| {
            let mut position = small();
            change(&mut position);
            position.validate().unwrap_err().to_string()
        };
        assert!(flaw(|p| p.radius = 5).contains("radius 5"));
        assert!(flaw(|p| p.cat = 19).contains("cat 19"));
        assert!(flaw(|p| p.blocked = p.blocked.with(19)).contains("19"));
        assert!(flaw(|p| p.blocked = p.blocked.with(9)).contains("blocked"));
        assert!(flaw(|p| p.order[0] = Direction::E).contains("order"));
        assert!(flaw(|p| p.turn = 1).contains("turn 1"));
        assert!(flaw(|p| p.draws.push(0)).contains("1 draws"));
        assert!(flaw(|p| p.habit = Habit::Wandering).contains("not 15"));
    }
}
