//! The shortest solution by iterative deepening: all strokes of the least length, then of two
//! moves more, and so on; every stroke from one vertex to another has the same parity.
//!
//! A finished stroke has every cell either at its left or at its right, and no region on both
//! sides. So once a move has a cell of a color at its left, the whole color lies at the left. Where
//! a cell at the left meets one at the right, or one color another, the stroke has to run between
//! them. And whenever the stroke comes to the outline of the board it closes off a region, which
//! has to be sound then: the rest of the stroke stays in the region of the target's cell.

use super::board::{Board, ColorSets, separates};
use super::grid::{Edges, Grid, Move, Trace, bit};

/// Nodes of a search after which it is given up. Boards of the hard tier take some hundreds; this
/// many take a fifth of a second.
pub(super) const MOST_NODES: u32 = 1_000_000;

/// A shortest solution.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) moves: Vec<Move>,
    /// The number of nodes that were searched.
    pub(super) nodes: u32,
}

/// The search came to its greatest number of nodes before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooMany;

/// A shortest stroke that separates the colors, of `longest` moves at most; `None` when there is
/// none. The board's own stroke plays no part in it.
///
/// # Errors
/// When the board takes more than [`MOST_NODES`] nodes.
pub(super) fn shortest(board: &Board, longest: u32) -> Result<Option<Found>, TooMany> {
    let mut search = Search::new(board);
    let Some(start) = search.start(&[]) else { return Ok(None) };
    let least = Grid::distance(start.trace.head, search.grid.target());
    for length in (least..=longest).step_by(2) {
        if let Some(moves) = search.complete(&start, length)? {
            return Ok(Some(Found { moves, nodes: search.nodes }));
        }
    }
    Ok(None)
}

/// The fewest moves to a solution from wherever the board's stroke has come to: so many steps back
/// as it takes, then onward. `None` when none was found with `most` moves.
///
/// # Errors
/// When the board takes more than [`MOST_NODES`] nodes.
pub(super) fn shortest_from(board: &Board, most: u32) -> Result<Option<Vec<Move>>, TooMany> {
    let mut search = Search::new(board);
    let length = board.path.len();
    // By how many moves of the stroke are taken back; those from which nothing can come are left out.
    let starts: Vec<(u32, Node)> = (0..=length)
        .filter_map(|back| Some((back as u32, search.start(&board.path[..length - back])?)))
        .collect();
    let least = Grid::distance(board.trace().head, search.grid.target());
    for moves in (least..=most).step_by(2) {
        for (back, start) in starts.iter().filter(|(back, _)| *back <= moves) {
            if let Some(onward) = search.complete(start, moves - back)? {
                let undone = board.path.iter().rev().take(*back as usize).map(|step| step.back());
                return Ok(Some(undone.chain(onward).collect()));
            }
        }
    }
    Ok(None)
}

/// A stroke on its way, with what follows from it.
#[derive(Clone, Copy)]
struct Node {
    trace: Trace,
    /// The region in which the rest of the stroke runs.
    open: u64,
    /// Cells that are known to lie at the left of the stroke.
    left: u64,
    /// Cells that are known to lie at the right of the stroke.
    right: u64,
}

struct Search {
    grid: Grid,
    colors: ColorSets,
    /// The edges between two colors: every solution runs along them.
    borders: Edges,
    nodes: u32,
}

impl Search {
    fn new(board: &Board) -> Self {
        let (grid, colors) = (board.grid(), board.color_sets());
        let colored = grid.cells() & !colors[0];
        let borders = colors[1..]
            .iter()
            .fold(Edges::default(), |edges, set| edges.or(Edges::between(*set, colored & !set)));
        Search { grid, colors, borders, nodes: 0 }
    }

    /// The node of a stroke; `None` when nothing can come of it.
    fn start(&self, path: &[Move]) -> Option<Node> {
        let mut node = Node { trace: Trace::START, open: self.grid.cells(), left: 0, right: 0 };
        for step in path {
            node = self.onward(&node, *step)?;
        }
        Some(node)
    }

    /// The moves that complete a stroke to a solution, `length` or fewer.
    fn complete(&mut self, node: &Node, length: u32) -> Result<Option<Vec<Move>>, TooMany> {
        let mut moves = Vec::with_capacity(length as usize);
        Ok(self.visit(node, length, &mut moves)?.then_some(moves))
    }

    fn visit(&mut self, node: &Node, left: u32, moves: &mut Vec<Move>) -> Result<bool, TooMany> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(TooMany);
        }
        if node.trace.head == self.grid.target() {
            return Ok(separates(node.trace, self.grid, &self.colors));
        }
        if !self.is_hopeful(node, left) {
            return Ok(false);
        }
        for step in Move::ALL {
            let Some(next) = self.onward(node, step) else { continue };
            moves.push(step);
            if self.visit(&next, left - 1, moves)? {
                return Ok(true);
            }
            moves.pop();
        }
        Ok(false)
    }

    /// The edges along which the rest of the stroke has to run.
    fn pending(&self, node: &Node) -> Edges {
        self.borders.or(Edges::between(node.left, node.right)).without(node.trace.edges)
    }

    /// Whether the pending edges and the way to the target leave hope of a solution in `left`
    /// moves.
    fn is_hopeful(&self, node: &Node, left: u32) -> bool {
        let pending = self.pending(node);
        let [one, two, three] = pending.ends();
        let (head, target) = (bit(node.trace.head), bit(self.grid.target()));
        let passed = node.trace.visited & !head;
        pending.count() <= left
            && one & passed == 0
            && two & (head | target) == 0
            && three == 0
            && self.is_near(node.trace, left)
    }

    /// Whether the target can be reached in so many moves over vertices off the stroke.
    fn is_near(&self, trace: Trace, left: u32) -> bool {
        let (goal, free) = (bit(self.grid.target()), !trace.visited);
        let mut reached = bit(trace.head);
        for _ in 0..left {
            let grown = reached | self.grid.spread(reached) & free;
            if grown & goal != 0 {
                return true;
            }
            if grown == reached {
                return false;
            }
            reached = grown;
        }
        false
    }

    /// The node after a move; `None` when the move is illegal or nothing can come of it.
    fn onward(&self, node: &Node, step: Move) -> Option<Node> {
        let from = node.trace.head;
        let to = self.grid.beside(from, step).filter(|to| !node.trace.holds(*to))?;
        let forced = bit(from) & self.pending(node).ends()[0] != 0;
        if forced && Edges::of(from, step).and(self.pending(node)).is_empty() {
            return None;
        }
        let (left, right) = self.grid.sides(from, step);
        let mut next = Node {
            trace: node.trace.onward(step, to),
            open: node.open,
            left: node.left | self.with_colors(left),
            right: node.right | self.with_colors(right),
        };
        if self.grid.outline() & bit(to) != 0 && to != self.grid.target() {
            self.close_off(&mut next)?;
        }
        let stays = self.grid.cells_at(bit(to)) & next.open != 0;
        (stays && next.left & next.right == 0).then_some(next)
    }

    /// Cells, and all cells of the colors among them.
    fn with_colors(&self, cells: u64) -> u64 {
        self.colors[1..].iter().filter(|set| *set & cells != 0).fold(cells, |all, set| all | set)
    }

    /// Closes off the region that the stroke has cut from the rest, if any; `None` when it holds
    /// two colors or a part of one.
    fn close_off(&self, node: &mut Node) -> Option<()> {
        let corner = self.grid.cells_at(bit(self.grid.target()));
        let open = node.trace.edges.region(corner, node.open);
        let closed = node.open & !open;
        let all = self.with_colors(closed);
        let colors = self.colors[1..].iter().filter(|set| *set & closed != 0).count();
        if closed & node.left != 0 {
            node.left |= closed;
        } else if closed & node.right != 0 {
            node.right |= closed;
        }
        node.open = open;
        (colors <= 1 && all == closed).then_some(())
    }
}
