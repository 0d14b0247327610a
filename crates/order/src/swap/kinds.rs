//! The length of a shortest plan a second way: breadth-first search over kinds of boards.
//!
//! Renaming cells and blocks in the current and the goal board alike changes nothing but names, so
//! two boards that such renaming makes equal are equally far from their goals. Boards are equal up
//! to it when they fall into parts of the same sizes, a part being what hangs together when every
//! cell is tied to the one where its block belongs. The greatest board has 684 such kinds, and one
//! board of each stands for all: its neighbors are found by making every swap and looking what has
//! come out. That a part costs this or that is nowhere used.

use std::collections::{BTreeMap, VecDeque};

/// The number of cells of the greatest board.
const CELLS: usize = 16;

/// Sizes of parts: in the lowest four bits one less than the size of the blank's part, in the
/// four bits number `n` (from 1) the number of other parts of `n + 1` cells.
type Kind = u64;

/// A board whose cells are named by where the goal has their blocks; the rest is unused.
type Blocks = [u8; CELLS];

/// The cells whose blocks change places with the blank in a shortest plan. Both lists hold the
/// same distinct numbers, at most 16 of them, and 0 among them.
pub(super) fn shortest(current: &[u8], goal: &[u8]) -> Vec<usize> {
    let count = current.len().min(CELLS);
    let mut blocks = [0; CELLS];
    let mut blank_home = 0;
    for (cell, block) in current.iter().take(count).enumerate() {
        blocks[cell] = goal.iter().position(|other| other == block).unwrap_or(cell) as u8;
        if *block == 0 {
            blank_home = blocks[cell];
        }
    }
    let levels = levels(kind(&blocks, count, blank_home), count);
    let level = |blocks: &Blocks| levels.get(&kind(blocks, count, blank_home)).copied();
    let mut plan = Vec::new();
    while let Some(left @ 1..) = level(&blocks) {
        let blank = blank(&blocks, count, blank_home);
        let nearer = (0..count).find(|cell| level(&swapped(blocks, *cell, blank)) == Some(left - 1));
        let Some(cell) = nearer else { break };
        blocks.swap(cell, blank);
        plan.push(cell);
    }
    plan
}

/// How far every kind of board with `count` cells is from a finished one, up to the distance of
/// the kind `wanted`.
fn levels(wanted: Kind, count: usize) -> BTreeMap<Kind, u32> {
    // The blank belongs in cell 0: it is as good as any.
    let finished: Blocks = std::array::from_fn(|cell| cell as u8);
    let mut levels = BTreeMap::from([(kind(&finished, count, 0), 0)]);
    let mut queue = VecDeque::from([(finished, 0)]);
    while let Some((blocks, level)) = queue.pop_front() {
        if levels.contains_key(&wanted) {
            break;
        }
        let blank = blank(&blocks, count, 0);
        for cell in (0..count).filter(|cell| *cell != blank) {
            let next = swapped(blocks, cell, blank);
            levels.entry(kind(&next, count, 0)).or_insert_with(|| {
                queue.push_back((next, level + 1));
                level + 1
            });
        }
    }
    levels
}

fn swapped(mut blocks: Blocks, cell: usize, blank: usize) -> Blocks {
    blocks.swap(cell, blank);
    blocks
}

/// The cell of the blank, which is the one whose content belongs in the cell `blank_home`.
fn blank(blocks: &Blocks, count: usize, blank_home: u8) -> usize {
    (0..count).find(|cell| blocks[*cell] == blank_home).unwrap_or(0)
}

/// The kind of a board, by union and find.
fn kind(blocks: &Blocks, count: usize, blank_home: u8) -> Kind {
    let mut above: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
    let mut size = [1_u8; CELLS];
    for (cell, &belongs) in blocks.iter().enumerate().take(count) {
        let (a, b) = (root(&above, cell), root(&above, usize::from(belongs)));
        if a != b {
            let (small, great) = if size[a] < size[b] { (a, b) } else { (b, a) };
            above[small] = great as u8;
            size[great] += size[small];
        }
    }
    let of_blank = root(&above, usize::from(blank_home));
    let mut kind = Kind::from(size[of_blank] - 1);
    for cell in (0..count).filter(|cell| usize::from(above[*cell]) == *cell && *cell != of_blank) {
        if size[cell] > 1 {
            kind += 1 << (4 * u32::from(size[cell] - 1));
        }
    }
    kind
}

fn root(above: &Blocks, mut cell: usize) -> usize {
    while usize::from(above[cell]) != cell {
        cell = usize::from(above[cell]);
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_kinds_as_ways_to_part_the_cells() {
        // Partitions of 0 to n - 1: the cells outside of the blank's part.
        for (count, kinds) in [(4, 7), (6, 19), (9, 67), (12, 195), (16, 684)] {
            assert_eq!(levels(u64::MAX, count).len(), kinds, "{count}");
        }
    }

    #[test]
    fn a_plan_is_as_long_as_it_must_be() {
        assert_eq!(shortest(&[0, 1, 2, 3], &[0, 1, 2, 3]), [0; 0]);
        assert_eq!(shortest(&[1, 0, 2, 3], &[0, 1, 2, 3]), [0]);
        assert_eq!(shortest(&[0, 2, 1, 3], &[0, 1, 2, 3]).len(), 3);
        assert_eq!(shortest(&[1, 0, 3, 2], &[0, 1, 2, 3]).len(), 4);
    }
}
