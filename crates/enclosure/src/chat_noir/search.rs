//! The least number of blocks that trap the cat, by iterative deepening.
//!
//! The cat's steps are known, so only the blocks are tried. A branch ends where so many blocks as
//! are left can't be enough, see [`Search::hopeless`]; that bound never overrates, so the first
//! plan that is found is a shortest one.

use super::board::{Board, Cells};
use super::cat::Mind;
use super::cut::{Cut, least_cut};
use super::position::Position;

/// Work after which a search is given up. Work is counted in flows and steps of the cat, which is
/// where the time goes, and not in nodes, of which one may take a hundred times as long as another.
/// On the boards that were tried, so many took less than half a second.
pub(super) const MOST_WORK: u32 = 600_000;

/// The search came to its limit of work before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooMany;

/// A shortest plan.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The cells to block, in order.
    pub(super) plan: Vec<u32>,
    /// The number of nodes that were searched.
    pub(super) nodes: u32,
}

/// A shortest plan that traps the cat, of a position that is open; `None` when none does.
///
/// # Errors
/// When it takes more than `most_work` flows and steps.
pub(super) fn shortest(position: &Position, most_work: u32) -> Result<Option<Found>, TooMany> {
    let mut search = Search::new(position, most_work);
    for blocks in 1..=position.free().count_ones() {
        search.cut_short = false;
        let mut plan = Vec::new();
        if search.wins(search.start(position), blocks, &mut plan)? {
            plan.reverse();
            return Ok(Some(Found { plan, nodes: search.nodes }));
        }
        if !search.cut_short {
            break;
        }
    }
    Ok(None)
}

/// The first blocks after which the cat can be trapped, shortest plans first, until `enough` says
/// that they are enough or there are no more.
///
/// # Errors
/// When it takes more than `most_work` flows and steps to find enough or all.
pub(super) fn winning_first_blocks(
    position: &Position,
    most_work: u32,
    enough: impl Fn(u64) -> bool,
) -> Result<u64, TooMany> {
    let mut search = Search::new(position, most_work);
    let start = search.start(position);
    let mut winning = 0;
    for blocks in 1..=position.free().count_ones() {
        search.cut_short = false;
        for cell in Cells::of(position.free() & !winning).iter() {
            let wins = match search.after(start, cell)? {
                After::Trapped => true,
                After::Escaped => false,
                After::Open(node) => search.wins(node, blocks - 1, &mut Vec::new())?,
            };
            winning |= u64::from(wins) << cell;
            if wins && enough(winning) {
                return Ok(winning);
            }
        }
        if !search.cut_short {
            break;
        }
    }
    Ok(winning)
}

/// Where the cat stands among which blocks. The number of its move follows from the blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    open: u64,
    cat: u32,
}

/// What comes after a block and the cat's step.
enum After {
    Trapped,
    Escaped,
    Open(Node),
}

struct Search<'a> {
    board: &'static Board,
    mind: Mind<'a>,
    /// Open cells less this is minus the number of the cat's move.
    open_at_first_move: u32,
    nodes: u32,
    work: u32,
    most_work: u32,
    /// Whether a bound ended a branch since this was last cleared: more blocks may then win.
    cut_short: bool,
    lost: Memory,
}

impl<'a> Search<'a> {
    fn new(position: &'a Position, most_work: u32) -> Self {
        Search {
            board: position.board(),
            mind: position.mind(),
            open_at_first_move: position.open().count_ones() + position.turn,
            nodes: 0,
            work: 0,
            most_work,
            cut_short: false,
            lost: Memory::new(),
        }
    }

    fn start(&self, position: &Position) -> Node {
        Node { open: position.open(), cat: position.cat }
    }

    fn count_work(&mut self) -> Result<(), TooMany> {
        self.work += 1;
        if self.work > self.most_work { Err(TooMany) } else { Ok(()) }
    }

    /// A least cut around a cell; one that takes more than `left` blocks counts as `left + 1`.
    fn cut(&mut self, open: u64, cell: u32, left: u32) -> Result<Cut, TooMany> {
        self.count_work()?;
        Ok(least_cut(self.board, open, cell, left as usize + 1))
    }

    fn after(&mut self, node: Node, cell: u32) -> Result<After, TooMany> {
        self.count_work()?;
        let open = node.open & !(1 << cell);
        if !self.board.reaches_rim(open, node.cat) {
            return Ok(After::Trapped);
        }
        let turn = self.open_at_first_move - node.open.count_ones();
        let cat = self.mind.step(self.board, open, node.cat, turn as usize);
        let escaped = self.board.rim >> cat & 1 == 1;
        Ok(if escaped { After::Escaped } else { After::Open(Node { open, cat }) })
    }

    /// Whether at most `left` blocks trap the cat. If so, their cells are pushed to `plan`, the
    /// last one first.
    fn wins(&mut self, node: Node, left: u32, plan: &mut Vec<u32>) -> Result<bool, TooMany> {
        let cut = self.cut(node.open, node.cat, left)?;
        if left > 0 && cut.size == 1 {
            plan.push(cut.cells.trailing_zeros());
            return Ok(true);
        }
        if self.hopeless(node, left, cut.size)? {
            self.cut_short = true;
            return Ok(false);
        }
        if self.lost.holds(node, left) {
            return Ok(false);
        }
        self.nodes += 1;
        for (cell, next) in self.best_first(node, left - 1)? {
            if self.wins(next, left - 1, plan)? {
                plan.push(cell);
                return Ok(true);
            }
        }
        self.lost.keep(node, left);
        Ok(false)
    }

    /// The blocks after which the cat is still there, those with the least cut around it first,
    /// and among these those with the cat farthest from the rim.
    fn best_first(&mut self, node: Node, left: u32) -> Result<Vec<(u32, Node)>, TooMany> {
        let mut ranked = Vec::with_capacity(64);
        for cell in Cells::of(node.open & !(1 << node.cat)).iter() {
            let After::Open(next) = self.after(node, cell)? else {
                continue;
            };
            let size = self.cut(next.open, next.cat, left)?.size;
            if self.hopeless(next, left, size)? {
                self.cut_short = true;
                continue;
            }
            ranked.push((size, cell, next));
        }
        ranked.sort_by_key(|(size, cell, _)| (*size, *cell));
        Ok(ranked.into_iter().map(|(_, cell, next)| (cell, next)).collect())
    }

    /// Whether `left` blocks are too few for certain. `cut` is the least cut around the cat, or
    /// more than `left`.
    ///
    /// In the end the cat stands inside a ring of blocks. If it stands inside that ring now, the
    /// ring takes at least `cut` blocks. If it does not, it enters the ring on its way, at the
    /// latest with its move before the last block, through a cell that is then open behind it; a
    /// cat with a goal enters only where there is another way out, so that two blocks are left.
    /// So there is a cell that it can come to in so many steps and around which the least cut
    /// takes no more than `left` blocks.
    fn hopeless(&mut self, node: Node, left: u32, cut: usize) -> Result<bool, TooMany> {
        if cut <= left as usize {
            return Ok(false);
        }
        let steps = if self.mind.habit.stray_from().is_some() {
            left.saturating_sub(1)
        } else {
            left.saturating_sub(2)
        };
        let (mut seen, mut fresh) = (1_u64 << node.cat, 1_u64 << node.cat);
        for _ in 0..steps {
            fresh = self.board.grown(fresh) & node.open & !self.board.rim & !seen;
            seen |= fresh;
            for cell in Cells::of(fresh).iter() {
                if self.cut(node.open, cell, left)?.size <= left as usize {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Positions that are known to be lost with so many blocks left; a newer one replaces an older
/// one in its place.
struct Memory {
    slots: Vec<(u64, u32)>,
}

impl Memory {
    const BITS: u32 = 14;

    fn new() -> Self {
        Memory { slots: vec![(0, 0); 1 << Self::BITS] }
    }

    fn place(node: Node) -> usize {
        let mixed = (node.open ^ u64::from(node.cat) << 58).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - Self::BITS)) as usize
    }

    /// The number of blocks left and the cat's cell as one number.
    fn label(node: Node, left: u32) -> u32 {
        left << 8 | node.cat
    }

    fn holds(&self, node: Node, left: u32) -> bool {
        self.slots[Self::place(node)] == (node.open, Self::label(node, left))
    }

    fn keep(&mut self, node: Node, left: u32) {
        self.slots[Self::place(node)] = (node.open, Self::label(node, left));
    }
}
