//! The least number of blocks that trap the cat, by iterative deepening.
//!
//! The cat's steps are known, so only the blocks are tried. A branch ends where so many blocks as
//! are left can't be enough, see [`Search::hopeless`]; that bound never overrates, so the first
//! plan that is found is a shortest one.

use super::board::{Board, Cells};
use super::cat::Mind;
use super::cut::least_cut;
use super::position::Position;

/// Nodes of a search after which it is given up: under a second. Boards of all tiers take a few
/// hundred, seldom thousands.
pub(super) const MOST_NODES: u32 = 10_000;

/// The search came to its limit of nodes before its end.
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
/// When it takes more than `most_nodes` nodes.
pub(super) fn shortest(position: &Position, most_nodes: u32) -> Result<Option<Found>, TooMany> {
    let mut search = Search::new(position, most_nodes);
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
/// When it takes more than `most_nodes` nodes to find enough or all.
pub(super) fn winning_first_blocks(
    position: &Position,
    most_nodes: u32,
    enough: impl Fn(u64) -> bool,
) -> Result<u64, TooMany> {
    let mut search = Search::new(position, most_nodes);
    let start = search.start(position);
    let mut winning = 0;
    for blocks in 1..=position.free().count_ones() {
        search.cut_short = false;
        for cell in Cells::of(position.free() & !winning).iter() {
            let wins = match search.after(start, cell) {
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
    most_nodes: u32,
    /// Whether a bound ended a branch since this was last cleared: more blocks may then win.
    cut_short: bool,
    lost: Memory,
}

impl<'a> Search<'a> {
    fn new(position: &'a Position, most_nodes: u32) -> Self {
        Search {
            board: position.board(),
            mind: position.mind(),
            open_at_first_move: position.open().count_ones() + position.turn,
            nodes: 0,
            most_nodes,
            cut_short: false,
            lost: Memory::new(),
        }
    }

    fn start(&self, position: &Position) -> Node {
        Node { open: position.open(), cat: position.cat }
    }

    fn after(&self, node: Node, cell: u32) -> After {
        let open = node.open & !(1 << cell);
        if !self.board.reaches_rim(open, node.cat) {
            return After::Trapped;
        }
        let turn = self.open_at_first_move - node.open.count_ones();
        let cat = self.mind.step(self.board, open, node.cat, turn as usize);
        if self.board.rim >> cat & 1 == 1 { After::Escaped } else { After::Open(Node { open, cat }) }
    }

    /// Whether at most `left` blocks trap the cat. If so, their cells are pushed to `plan`, the
    /// last one first.
    fn wins(&mut self, node: Node, left: u32, plan: &mut Vec<u32>) -> Result<bool, TooMany> {
        let cut = least_cut(self.board, node.open, node.cat, left as usize + 1);
        if left > 0 && cut.size == 1 {
            plan.push(cut.cells.trailing_zeros());
            return Ok(true);
        }
        if self.hopeless(node, left, cut.size) {
            self.cut_short = true;
            return Ok(false);
        }
        if self.lost.holds(node, left) {
            return Ok(false);
        }
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return Err(TooMany);
        }
        for (cell, next) in self.best_first(node, left - 1) {
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
    fn best_first(&mut self, node: Node, left: u32) -> Vec<(u32, Node)> {
        let mut ranked = Vec::with_capacity(64);
        for cell in Cells::of(node.open & !(1 << node.cat)).iter() {
            let After::Open(next) = self.after(node, cell) else { continue };
            let size = least_cut(self.board, next.open, next.cat, left as usize + 1).size;
            if self.hopeless(next, left, size) {
                self.cut_short = true;
                continue;
            }
            ranked.push((size, cell, next));
        }
        ranked.sort_by_key(|(size, cell, _)| (*size, *cell));
        ranked.into_iter().map(|(_, cell, next)| (cell, next)).collect()
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
    fn hopeless(&self, node: Node, left: u32, cut: usize) -> bool {
        if cut <= left as usize {
            return false;
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
            let around = |cell| least_cut(self.board, node.open, cell, left as usize + 1).size;
            if Cells::of(fresh).iter().any(|cell| around(cell) <= left as usize) {
                return false;
            }
        }
        true
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
