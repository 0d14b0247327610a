//! The least number of turns a second way: dynamic programming over the broken profile.
//!
//! The board is scanned row by row. All that the cells behind the scan tell those ahead is which
//! of the edges between them are crossed by a pipe and which of those pipes hang together. For
//! each such profile only the fewest turns are kept (the method of Richard Stanley's transfer
//! matrices, with connectivity labels as in Schmidt's treatment of rectilinear regions, 1980).

use super::board::Board;

const UP: u8 = 1;
const RIGHT: u8 = 2;
const DOWN: u8 = 4;
const LEFT: u8 = 8;

/// Crossed edges between the cells behind the scan and those ahead: four bits for each column
/// and four for the edge to the left of the next cell, 0 where no pipe crosses, else the label
/// of the part that crosses. Labels count from 1 in the order of their first place.
type Profile = u64;

/// The best way to a profile.
#[derive(Clone, Copy)]
struct Way {
    profile: Profile,
    cost: u32,
    /// Turns of the last cell.
    turns: u8,
    /// Which of the ways before the last cell this one continues.
    before: u32,
}

/// The fewest clockwise turns that connect all pipes, cell by cell; `None` when none do. For
/// boards that [`Board::validate`] accepts.
pub(super) fn least_turns(board: &Board) -> Option<Vec<u8>> {
    let size = board.size as usize;
    let last_pipe = board.cells.iter().rposition(|openings| *openings != 0)?;
    let mut layers = vec![vec![Way { profile: 0, cost: 0, turns: 0, before: 0 }]];
    for (index, &piece) in board.cells.iter().enumerate() {
        let (row, column) = (index / size, index % size);
        let holds_pipe = |at: usize| board.cells.get(at).is_some_and(|openings| *openings != 0);
        let open_right = column + 1 < size && holds_pipe(index + 1);
        let open_down = row + 1 < size && holds_pipe(index + size);
        let mut layer = Vec::new();
        for (before, way) in layers.last()?.iter().enumerate() {
            let (above, left) = (label(way.profile, column), label(way.profile, size));
            let mut piece_now = piece;
            for turns in 0..4 {
                let fits = (piece_now & UP != 0) == (above != 0)
                    && (piece_now & LEFT != 0) == (left != 0)
                    && (open_right || piece_now & RIGHT == 0)
                    && (open_down || piece_now & DOWN == 0);
                if fits && (piece == 0 || above == 0 || above != left) {
                    let next = advance(way.profile, piece_now, column, size, index == last_pipe);
                    let cost = way.cost + u32::from(turns);
                    layer.extend(next.map(|profile| Way { profile, cost, turns, before: before as u32 }));
                }
                piece_now = (piece_now << 1 | piece_now >> 3) & 15;
                if piece_now == piece {
                    break;
                }
            }
        }
        layer.sort_unstable_by_key(|way| (way.profile, way.cost, way.before, way.turns));
        layer.dedup_by_key(|way| way.profile);
        layers.push(layer);
    }
    // Nothing crosses the frame, so the last layer holds one way at most.
    let mut at = 0;
    let mut turns = vec![0; board.cells.len()];
    for (layer, turns) in layers[1..].iter().zip(&mut turns).rev() {
        let way = layer.get(at)?;
        *turns = way.turns;
        at = way.before as usize;
    }
    Some(turns)
}

fn label(profile: Profile, place: usize) -> u8 {
    (profile >> (4 * place) & 15) as u8
}

/// The profile after a cell; `None` when a part is left behind with no edge to the cells ahead
/// although more pipes come.
fn advance(profile: Profile, piece: u8, column: usize, size: usize, last: bool) -> Option<Profile> {
    /// A label that no profile uses: parts that cross nine edges number nine at most.
    const NEW: u8 = 15;
    let mut labels = [0_u8; 9];
    for (place, slot) in labels.iter_mut().enumerate().take(size + 1) {
        *slot = label(profile, place);
    }
    let (above, left) = (labels[column], labels[size]);
    labels[column] = if piece & DOWN != 0 { NEW } else { 0 };
    labels[size] = if piece & RIGHT != 0 { NEW } else { 0 };
    for slot in &mut labels {
        if *slot != 0 && (*slot == above || *slot == left) {
            *slot = NEW;
        }
    }
    if piece != 0 && !last && !labels.contains(&NEW) {
        return None;
    }
    let mut names = [0_u8; 16];
    let mut count = 0;
    let mut next = 0;
    for (place, slot) in labels.into_iter().enumerate().filter(|(_, slot)| *slot != 0) {
        let name = &mut names[usize::from(slot)];
        if *name == 0 {
            count += 1;
            *name = count;
        }
        next |= u64::from(*name) << (4 * place);
    }
    Some(next)
}
