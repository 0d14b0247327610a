//! Sentences that the maze programs share. Every combination is a complete and true prompt.

use topotrace_core::PromptRng;

use super::scene::MazeStyle;

/// What the picture shows.
pub(super) fn picture(style: &MazeStyle, marks: &str, rng: &mut PromptRng) -> String {
    let ink = style.ink_name();
    let sentences = [
        format!(
            "The picture shows a square maze seen from above. Its walls are the {ink} lines, and {marks}."
        ),
        format!(
            "You see a maze from above, closed off by a {ink} frame. Walls are drawn as {ink} lines; {marks}."
        ),
        format!(
            "This is the plan of a square maze. Every {ink} line is a wall, the outer frame included, and {marks}."
        ),
    ];
    rng.pick(&sentences).clone()
}

/// What blocks and what doesn't: walls by their color, and `also`, which names whatever else blocks.
pub(super) fn walls(style: &MazeStyle, also: &str, rng: &mut PromptRng) -> String {
    let ink = style.ink_name();
    let sentences = [
        format!(
            "Nothing passes through a solid {ink} line{also}. Walls stand on the edges of a grid of square cells or run diagonally across a cell; \
                 a wall that is shorter than the edge or diagonal it stands on leaves a gap, and one can walk around its free end."
        ),
        format!(
            "A solid {ink} line{also} can't be crossed, whether it stands on the edge of a cell or runs corner to corner across one. \
                 Where a {ink} line is too short to fill its edge or diagonal, the gap beside it is open."
        ),
        format!(
            "One can walk anywhere except through a solid {ink} line{also}. Walls lie along the edges of square cells or along their diagonals. \
                 A wall that covers only part of its edge or diagonal doesn't close it: there is room to pass at its free end."
        ),
    ];
    let mut text = rng.pick(&sentences).clone();
    if let Some(helpers) = style.grid_words() {
        text.push_str(&format!(" The {helpers} only show the cells and block nothing."));
    }
    text
}

/// What it means to be connected.
pub(super) fn connected(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "Two points are connected if one can walk from one to the other inside the frame without crossing a wall.",
        "We call two points connected when some path inside the frame leads from one to the other and crosses no wall.",
        "Points count as connected if a walk from one to the other exists that stays inside the frame and never goes through a wall.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}
