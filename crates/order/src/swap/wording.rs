//! Sentences of the prompts. Every combination is complete and true.

use topotrace_core::PromptRng;

use super::board::Board;
use super::scene::SwapStyle;

/// The sentences that the closed loop and the single answer share: what the pictures show, the
/// coordinates, what an action does, and the goal.
pub(super) fn rules(board: &Board, style: &SwapStyle, rng: &mut PromptRng) -> Vec<String> {
    vec![pictures(style, rng), blocks(board, style, rng), coordinates(board, rng), action(rng), goal(rng)]
}

fn pictures(style: &SwapStyle, rng: &mut PromptRng) -> String {
    let (now, goal) = style.captions.words();
    rng.pick(&[
        format!("Two pictures show one board: the first, with \"{now}\" written under it, shows the blocks as they lie now; the second, with \"{goal}\" under it, shows how they are to lie in the end."),
        format!("You see the same board twice. The first picture (caption \"{now}\") is its present state, the second (caption \"{goal}\") is the goal."),
        format!("The first picture, captioned \"{now}\", is the board as it stands; the second picture, captioned \"{goal}\", is the arrangement that is wanted."),
    ])
    .clone()
}

fn blocks(board: &Board, style: &SwapStyle, rng: &mut PromptRng) -> String {
    let (rows, columns) = (board.rows, board.columns);
    let blocks = rows * columns - 1;
    let slot = style.palette().slot.name;
    rng.pick(&[
        format!("The board has {rows} rows and {columns} columns. Each cell but one holds a block; the {blocks} blocks all have different colors, and a block keeps its color. The cell without a block, an empty {slot} slot with an outline inside, is the blank."),
        format!("On the board's {rows} by {columns} cells (rows by columns) lie {blocks} blocks, no two of one color; blocks of the same color in both pictures are the same block. One cell is empty, a {slot} slot with a line inside, and is called the blank."),
        format!("There are {rows} rows and {columns} columns of cells with {blocks} blocks, each of which can be told by its color, and one blank: a cell without a block, drawn as a sunken {slot} slot."),
    ])
    .clone()
}

fn coordinates(board: &Board, rng: &mut PromptRng) -> String {
    let (row, column) = (board.rows - 1, board.columns - 1);
    rng.pick(&[
        format!("Cells are named by row and col: row is the number of the row, from 0 at the top to {row} at the bottom, and col that of the column, from 0 at the left to {column} at the right. The numbers are printed along the left and the top edge."),
        format!("The numbers along the left edge are the rows (row 0 is the top one, row {row} the bottom one), those along the top edge are the columns, called col (0 is leftmost, {column} rightmost)."),
        format!("Rows are numbered from top to bottom, 0 to {row}, and columns from left to right, 0 to {column}, as printed along the left and the top edge; an action calls them row and col."),
    ])
    .clone()
}

fn action(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "An action names a cell with a block: this block and the blank change places, however far apart they are. All other blocks stay where they are.",
        "With one action you choose the cell of any block, next to the blank or not. The block moves into the blank, and the cell that it leaves becomes the blank; nothing else moves.",
        "Each action swaps the blank with the block of the cell you name. They needn't be neighbors: any block may be swapped with the blank at any time.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn goal(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "The goal is reached as soon as the board looks like the second picture in every cell, the blank included; that ends the task.",
        "You have succeeded, and it is over, once every block and the blank lie in the cells in which the second picture shows them.",
        "Your task is to make the board equal to the second picture: each block and the blank in the same cell as there. It ends when they are equal.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

/// How many actions there are, when each reply gives one.
pub(super) fn one_at_a_time(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give one action in each reply; you then see both pictures again, the first one as it has become. You have {budget} actions in all. A reply that names the blank's own cell or a cell off the board, or that can't be read, changes nothing but uses up one of them."),
        format!("You act step by step, one action a reply, with at most {budget} actions; if they run out before the goal is reached, you have failed. An action on the blank itself or outside the board and an unreadable reply count as well, though they change nothing."),
        format!("After every action both pictures are shown anew. At most {budget} actions are allowed, one in each reply; illegal ones (the cell of the blank, a cell outside the board) and unreadable replies have no effect but are counted too."),
    ])
    .clone()
}

/// How many actions there are, when a single answer gives all.
pub(super) fn all_at_once(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give the whole plan in a single answer: a list of at most {budget} actions, carried out in their order until the goal is reached. An action that names the cell where the blank is at that moment changes nothing but counts among the {budget}."),
        format!("Answer with a complete plan of no more than {budget} actions. They are carried out one after the other, and what follows after the goal is reached is ignored; naming the blank's own cell has no effect but uses up an action."),
        format!("Plan all actions in advance, at most {budget} of them, in the order in which they are to be carried out. An action on the cell in which the blank lies by then counts but does nothing. It is enough that the goal is reached at some point of the plan."),
    ])
    .clone()
}
