//! Whether trapping a cat with coins needs to know the coins.
//!
//! A wandering cat may go to any open neighbor, so whoever does not know the coins must be ready
//! for every step. Two searches over blocks and steps, for one turn more each time: one proves
//! that the cat can be trapped whatever it does, the other that it can always escape.

use serde::{Deserialize, Serialize};

use super::board::{Board, Cells};
use super::cut::{Cut, least_cut};
use super::position::Position;

/// Work after which either search is given up: flows, and looks at the cat's steps.
const MOST_WORK: u32 = 150_000;
/// Steps within which an escape is looked for to tell which blocks are worth a try.
const THREAT: u32 = 3;

/// What trapping the cat depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coins {
    /// The cat's habit has no coins.
    None,
    /// Blocks that answer the cat's steps trap it, whichever way its coins and choices fall.
    NotNeeded,
    /// Against every way to play there are coins and choices with which the cat escapes.
    Needed,
    /// The searches came to their limit.
    NotSettled,
}

/// The search came to its limit.
struct TooMany;

/// What trapping the cat of an open position depends on.
pub(super) fn coins(position: &Position) -> Coins {
    if position.habit.stray_from().is_none() {
        return Coins::None;
    }
    let most = position.free().count_ones();
    let (open, cat) = (position.open(), position.cat);
    let mut search = Search { board: position.board(), work: 0 };
    let escape = (1..=most).find_map(|turns| search.escapes(open, cat, turns).transpose());
    if let Some(Ok(_)) = escape {
        return Coins::Needed;
    }
    search.work = 0;
    let trap =
        (1..=most).map(|turns| search.traps(open, cat, turns)).find(|found| !matches!(found, Ok(false)));
    if let Some(Ok(true)) = trap { Coins::NotNeeded } else { Coins::NotSettled }
}

struct Search {
    board: &'static Board,
    work: u32,
}

impl Search {
    fn count_work(&mut self) -> Result<(), TooMany> {
        self.work += 1;
        if self.work > MOST_WORK { Err(TooMany) } else { Ok(()) }
    }

    /// A least cut around a cell; one that takes `limit` blocks or more counts as `limit`.
    fn cut(&mut self, open: u64, cell: u32, limit: u32) -> Result<Cut, TooMany> {
        self.count_work()?;
        Ok(least_cut(self.board, open, cell, limit as usize))
    }

    /// Whether `left` blocks trap the cat whatever its steps.
    ///
    /// Where the least cut around the cat takes more blocks than are left, it is taken to escape.
    /// That can be wrong, as it may be forced into a corner; the corner is then found with more
    /// turns, so that an answer may come later but never is a wrong one.
    fn traps(&mut self, open: u64, cat: u32, left: u32) -> Result<bool, TooMany> {
        let cut = self.cut(open, cat, left + 1)?;
        if cut.size > left as usize {
            return Ok(false);
        }
        if cut.size <= 1 {
            return Ok(true);
        }
        // A block on none of the cells that the cat would rely on after no block at all loses too.
        let threat = (2..=THREAT).find_map(|steps| self.goes(open, cat, steps).transpose()).transpose()?;
        let mut cells: Vec<u32> = Cells::of(threat.unwrap_or(open) & open & !(1 << cat)).iter().collect();
        cells.sort_by_key(|cell| cut.cells >> cell & 1 == 0);
        for cell in cells {
            if self.traps_after(open & !(1 << cell), cat, left - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn traps_after(&mut self, open: u64, cat: u32, left: u32) -> Result<bool, TooMany> {
        let steps = self.board.around[cat as usize] & open;
        if steps & self.board.rim != 0 {
            return Ok(false);
        }
        for step in Cells::of(steps).iter() {
            if self.cut(open, step, left + 1)?.size > left as usize {
                return Ok(false);
            }
        }
        for step in Cells::of(steps).iter() {
            if !self.traps(open, step, left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the cat can come to the rim with `left` steps whatever is blocked. If so, the cells
    /// that must be open for it.
    ///
    /// The cat's way without any block shows which blocks could change anything: those on cells
    /// that it relies on. Only these are tried.
    fn escapes(&mut self, open: u64, cat: u32, left: u32) -> Result<Option<u64>, TooMany> {
        if self.farther(open, cat, left) || self.cut(open, cat, 2)?.size < 2 {
            return Ok(None);
        }
        let Some(mut relied) = self.goes(open, cat, left)? else { return Ok(None) };
        let mut tried = 0;
        while relied & !tried != 0 {
            let cell = (relied & !tried).trailing_zeros();
            tried |= 1 << cell;
            match self.goes(open & !(1 << cell), cat, left)? {
                Some(cells) => relied |= cells,
                None => return Ok(None),
            }
        }
        Ok(Some(relied))
    }

    /// Whether the rim is more than so many steps away.
    fn farther(&self, open: u64, cat: u32, steps: u32) -> bool {
        let mut reached = 1 << cat;
        for _ in 0..steps {
            reached |= self.board.grown(reached) & open;
        }
        reached & self.board.rim == 0
    }

    /// The same where the cat is to step; a step to the rim ends it.
    fn goes(&mut self, open: u64, cat: u32, left: u32) -> Result<Option<u64>, TooMany> {
        self.count_work()?;
        let steps = self.board.around[cat as usize] & open;
        if left > 0 && steps & self.board.rim != 0 {
            return Ok(Some(1 << (steps & self.board.rim).trailing_zeros()));
        }
        if left <= 1 {
            return Ok(None);
        }
        for step in Cells::of(steps).iter() {
            if let Some(cells) = self.escapes(open, step, left - 1)? {
                return Ok(Some((cells | 1 << step) & !(1 << cat)));
            }
        }
        Ok(None)
    }
}
