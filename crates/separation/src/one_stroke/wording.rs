//! Sentences of the prompts. Every combination is complete and true.

use topotrace_core::{PromptRng, english_list};

use super::board::Board;
use super::scene::{StrokeStyle, Uncolored};

/// The sentences that the closed loop and the single answer share: what the picture shows, what a
/// move does, which moves are legal, and the goal.
pub(super) fn rules(board: &Board, style: &StrokeStyle, rng: &mut PromptRng) -> Vec<String> {
    let mut sentences = vec![cells(board, style, rng)];
    sentences.extend(uncolored(board, style, rng));
    sentences.extend([stroke(style, rng), moves(rng), legal(rng), regions(rng), goal(rng), end(rng)]);
    sentences
}

fn cells(board: &Board, style: &StrokeStyle, rng: &mut PromptRng) -> String {
    let size = board.size;
    let colors = colors(board, style);
    rng.pick(&[
        format!("The picture shows a square board of {size} by {size} cells with narrow gaps between them; there are cells in {colors}."),
        format!("You see {size} rows of {size} cells each, drawn as tiles with gaps between them. Cells may be colored, here in {colors}."),
        format!("This is a board of {size} by {size} square cells, parted by gaps. What occurs as a color of cells is {colors}."),
    ])
    .clone()
}

/// The names of the colors on the board, as an English list.
fn colors(board: &Board, style: &StrokeStyle) -> String {
    let names: Vec<&str> =
        (1..=7).filter(|color| board.cells.contains(color)).map(|color| style.paint(color).name).collect();
    english_list(&names, "and")
}

/// What cells without a color look like; nothing where there are none.
fn uncolored(board: &Board, style: &StrokeStyle, rng: &mut PromptRng) -> Option<String> {
    let ground = style.palette().background.name;
    let look = match style.uncolored {
        Uncolored::Tile => format!("plain tiles that stand out only a little from the {ground} background"),
        Uncolored::Outline => format!("faint outlines on the {ground} background"),
    };
    let sentence = rng
        .pick(&[
            format!("Cells without a color are drawn as {look}."),
            format!("The {look} are cells that have no color."),
            format!("Other cells have no color: they are {look}."),
        ])
        .clone();
    board.cells.contains(&0).then_some(sentence)
}

fn stroke(style: &StrokeStyle, rng: &mut PromptRng) -> String {
    let theme = style.palette();
    let (ink, accent) = (theme.ink.name, theme.accent.name);
    rng.pick(&[
        format!("A stroke is drawn along the grid lines between the cells and around them, as a thick {ink} line. It starts in the {ink} ring at the bottom left corner of the board; its target is the {ink} square at the top right corner. The {accent} dot is the head of the stroke, where it has come to; at first that is the start."),
        format!("The {ink} ring at the bottom left corner of the board is the start of a stroke and the {ink} square at the top right corner its target. The stroke, a thick {ink} line, runs in the gaps between the cells and along the outline of the board. A {accent} dot marks its current end, which at first is the start itself."),
        format!("You draw a stroke from the corner at the bottom left, marked with a {ink} ring, to the corner at the top right, marked with a {ink} square. It appears as a thick {ink} line along the sides of cells, the outline of the board included, and a {accent} dot shows how far it has come; before the first move the dot lies in the ring."),
    ])
    .clone()
}

fn moves(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "Each move takes the head along one side of a cell to the next corner: U goes up, D down, L left and R right.",
        "A move lengthens the stroke by the side of one cell, up (U), down (D), to the left (L) or to the right (R).",
        "With every move the stroke goes on from its head by one side of a cell in a direction that you choose: U is up, D is down, L is left, R is right.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn legal(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "The stroke may not leave the board, and it may not come to any grid point that already lies on it, the start included, so it never closes a loop. The one exception is a move straight back along the last piece: it takes that piece away, so that the stroke is shorter by one.",
        "Moves off the board are illegal, and so are moves to a grid point that the stroke has passed or started from: it must not touch itself or use an edge twice. But moving straight back over the piece drawn last is allowed and undoes it.",
        "Two kinds of moves are illegal: those that leave the board, and those that lead to a grid point which is part of the stroke already (its start too), since that would close a loop. But the reverse of the last move is legal: it erases the piece that was drawn last.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn regions(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "The finished stroke cuts the board into regions: two cells that share a side belong to the same region unless the stroke runs along that side.",
        "When it is finished, the stroke divides the cells into regions. A region is made up of all cells that can be reached from one another over shared sides without crossing the stroke.",
        "A region is a largest set of cells that hang together over shared sides along which the stroke does not run.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn goal(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "The goal is to reach the target so that the colors are separated: no region holds cells of two colors, and all cells of one color lie in one region. Uncolored cells may lie anywhere.",
        "You succeed when the stroke has reached the target, every color has all its cells in a single region, and no region has more than one color in it. It does not matter where cells without a color are.",
        "Reach the target in such a way that each color has a region to itself: cells of different colors are never in the same region, cells of the same color always are. Regions may hold uncolored cells, or nothing else.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn end(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "Everything ends as soon as the stroke reaches the target; if the colors are not separated then, you have failed.",
        "Coming to the target ends the task at once, with failure if the colors are not separated.",
        "There is only one try: the target ends the stroke, and then the colors are separated or the task has failed.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

/// How many actions there are, when each reply gives one.
pub(super) fn one_at_a_time(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give one move in each reply; you then see the new picture. You have {budget} moves in all. Moves back count, too; a reply with an illegal move, or one that can't be read, changes nothing but uses up one of them."),
        format!("You act step by step, one move a reply, with at most {budget} moves, those that undo a piece included. Illegal moves and unreadable replies count as well, though they change nothing."),
        format!("After every move the picture is shown anew. At most {budget} moves are allowed, one in each reply; steps back are among them, and so are illegal and unreadable replies, which have no effect."),
    ])
    .clone()
}

/// How many actions there are, when a single answer gives all.
pub(super) fn all_at_once(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give the whole plan in a single answer: a list of at most {budget} moves, carried out in their order until the target is reached. An illegal move changes nothing but counts among the {budget}, as does a move back."),
        format!("Answer with a complete plan of no more than {budget} moves. They are carried out one after the other, and what follows after the target is ignored; an illegal move has no effect but uses up one of them."),
        format!("Plan all moves in advance, at most {budget} of them, in the order in which they are to be carried out. A move that is illegal when its turn comes counts but does nothing."),
    ])
    .clone()
}
