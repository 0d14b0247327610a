//! Checkers of ways and cuts, apart from the search that finds them: they have a table of their own
//! on which triangles touch and what stands between them.

use topotrace_core::{Flaw, ensure};

use super::regions::{Side, Triangle};
use super::walls::{Cell, Line, Maze, Place};

/// Checks that a way leads from one cell to another and that no blocking wall stops a step.
///
/// # Errors
/// Names the first step that is no step.
pub fn check_way(maze: &Maze, from: Cell, to: Cell, way: &[Triangle]) -> Result<(), Flaw> {
    let ends = (way.first().map(|t| t.cell()), way.last().map(|t| t.cell()));
    ensure(ends == (Some(from), Some(to)), || format!("the way does not lead from {from:?} to {to:?}"))?;
    let inside = way.iter().all(|t| t.x < maze.size && t.y < maze.size);
    ensure(inside, || "the way leaves the maze".to_owned())?;
    for pair in way.windows(2) {
        let between = between(pair[0], pair[1]);
        ensure(between.is_some_and(|place| !maze.blocks(place)), || {
            format!("the way can't go from {:?} to {:?}", pair[0], pair[1])
        })?;
    }
    Ok(())
}

/// Checks that blocking walls of the maze, standing alone inside the frame, already part two
/// cells: then the whole maze parts them.
///
/// # Errors
/// When a place holds no blocking wall, or the walls leave a way.
pub fn check_cut(maze: &Maze, cut: &[Place], from: Cell, to: Cell) -> Result<(), Flaw> {
    if let Some(place) = cut.iter().find(|&&place| !maze.blocks(place)) {
        return Err(Flaw::new(format!("the cut names {place:?}, where no blocking wall stands")));
    }
    let mut unreached: Vec<Triangle> = super::regions::triangles(maze.size).collect();
    let (mut frontier, rest): (Vec<_>, Vec<_>) = unreached.into_iter().partition(|t| t.cell() == from);
    unreached = rest;
    while let Some(here) = frontier.pop() {
        ensure(here.cell() != to, || format!("the cut leaves a way from {from:?} to {to:?}"))?;
        let step = |there: &Triangle| between(here, *there).is_some_and(|place| !cut.contains(&place));
        let (next, rest): (Vec<_>, Vec<_>) = unreached.into_iter().partition(step);
        frontier.extend(next);
        unreached = rest;
    }
    Ok(())
}

/// The place between two triangles that share an edge; `None` when they share none.
fn between(a: Triangle, b: Triangle) -> Option<Place> {
    use Side::{East, North, South, West};
    let place = |x: u32, y: u32, line: Line| Some(Place { x, y, line });
    let step = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    match (step, a.side, b.side) {
        // The slash runs from the top right to the bottom left: it parts top from right, and
        // bottom from left.
        ((0, 0), North, East) | ((0, 0), East, North) => place(a.x, a.y, Line::Slash),
        ((0, 0), South, West) | ((0, 0), West, South) => place(a.x, a.y, Line::Slash),
        ((0, 0), North, West) | ((0, 0), West, North) => place(a.x, a.y, Line::Backslash),
        ((0, 0), South, East) | ((0, 0), East, South) => place(a.x, a.y, Line::Backslash),
        ((1, 0), East, West) => place(a.x, a.y, Line::East),
        ((-1, 0), West, East) => place(b.x, b.y, Line::East),
        ((0, 1), South, North) => place(a.x, a.y, Line::South),
        ((0, -1), North, South) => place(b.x, b.y, Line::South),
        _ => None,
    }
}
