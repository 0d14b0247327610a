//! Sentences of the prompts. Every combination is complete and true.

use topotrace_core::PromptRng;

use super::scene::{PipeStyle, SourceMark};

/// The sentences that the closed loop and the single answer share: what the picture shows, what
/// counts as connected, the coordinates, what an action does, and the goal.
pub(super) fn rules(size: u32, style: &PipeStyle, rng: &mut PromptRng) -> Vec<String> {
    vec![
        board(size, rng),
        source_and_colors(style, rng),
        connected(rng),
        coordinates(size, rng),
        action(rng),
        goal(rng),
    ]
}

fn board(size: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("The picture shows a square board of {size} by {size} cells. A cell either is empty or holds a piece of pipe with one, two or three openings, each at the middle of a side of the cell."),
        format!("You see a board of {size} rows and {size} columns. Some cells are empty; every other cell holds one pipe that opens to one, two or three of the cell's four sides."),
        format!("This is a pipe puzzle on a grid of {size} by {size} cells. Each cell holds one piece of pipe, which leads to one, two or three of its sides, or nothing at all."),
    ])
    .clone()
}

fn source_and_colors(style: &PipeStyle, rng: &mut PromptRng) -> String {
    let (ink, on, off) = style.color_names();
    let mark = match style.source {
        SourceMark::Ring => format!("{ink} ring"),
        SourceMark::Square => format!("{ink} square"),
        SourceMark::Dot => format!("{ink} dot"),
    };
    rng.pick(&[
        format!("The cell with the {mark} is the source. Pipes that are connected to the source are {on}, the source's own pipe included; all other pipes are {off}."),
        format!("One pipe, marked with a {mark}, is the source. It and all pipes connected to it are drawn in {on}, the rest in {off}."),
        format!("A {mark} marks the pipe that is the source. The color {on} shows that a pipe is connected to the source (or is the source), {off} that it is not."),
    ])
    .clone()
}

fn connected(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "Two pipes in neighboring cells are joined when both open to the side that the cells share. A pipe is connected to the source when a chain of joined pipes leads from it to the source.",
        "Pipes in adjacent cells join if each of them has an opening at their common side; connected to the source is whatever can be reached from it through joined pipes.",
        "Where two cells meet side by side, their pipes are joined only if both have an opening there. Being connected to the source means that joined pipes lead all the way to it.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn coordinates(size: u32, rng: &mut PromptRng) -> String {
    let last = size - 1;
    rng.pick(&[
        format!("Cells are named by x and y: x is the column, from 0 at the left to {last} at the right, and y is the row, from 0 at the top to {last} at the bottom. The numbers are printed along the top and the left edge."),
        format!("The numbers along the top edge are the columns x (0 is leftmost, {last} rightmost); those along the left edge are the rows y (0 is the top row, {last} the bottom one)."),
        format!("Columns are numbered from left to right and rows from top to bottom, both from 0 to {last}, as printed along the top and the left edge. The column is called x and the row y."),
    ])
    .clone()
}

fn action(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "An action names a cell with a pipe and turns that pipe by 90 degrees clockwise in its place; nothing else moves.",
        "With one action you turn the pipe of one cell a quarter turn clockwise. The pipe stays in its cell, and all other pipes stay as they are.",
        "Each action rotates a single pipe, that of the cell you name, clockwise by a quarter turn without moving it to another cell.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn goal(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "The goal is that every pipe on the board is connected to the source.",
        "You have succeeded once all pipes on the board are connected to the source.",
        "Your task is to connect every pipe on the board to the source.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

/// How many actions there are, when each reply gives one.
pub(super) fn one_at_a_time(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give one action in each reply; you then see the new picture. You have {budget} actions in all. A reply that names an empty cell or a cell off the board, or that can't be read, changes nothing but uses up one of them."),
        format!("You act step by step, one action a reply, with at most {budget} actions. An action on an empty cell or outside the board and an unreadable reply count as well, though they change nothing."),
        format!("After every action the picture is shown anew. At most {budget} actions are allowed, one in each reply; illegal ones (an empty cell, a cell outside the board) and unreadable replies have no effect but are counted too."),
    ])
    .clone()
}

/// How many actions there are, when a single answer gives all.
pub(super) fn all_at_once(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give the whole plan in a single answer: a list of at most {budget} actions, carried out in their order until the goal is reached. An action on an empty cell changes nothing but counts among the {budget}."),
        format!("Answer with a complete plan of no more than {budget} actions. They are carried out one after the other, and what follows after the goal is reached is ignored; naming an empty cell has no effect but uses up an action."),
        format!("Plan all actions in advance, at most {budget} of them, in the order in which they are to be carried out. An action that names an empty cell counts but does nothing. It is enough that the goal is reached at some point of the plan."),
    ])
    .clone()
}
