//! Checkers of ways and cuts, apart from the search that finds them.

use topotrace_core::{Flaw, ensure};

use super::regions::Triangle;
use super::walls::{Cell, Maze, Place};

/// Checks that a way leads from one cell to another and that no blocking wall stops a step.
///
/// # Errors
/// Names the first step that is no step.
pub fn check_way(maze: &Maze, from: Cell, to: Cell, way: &[Triangle]) -> Result<(), Flaw> {
    let ends = (way.first().map(|t| t.cell()), way.last().map(|t| t.cell()));
    ensure(ends == (Some(from), Some(to)), || format!("the way does not lead from {from:?} to {to:?}"))?;
    for pair in way.windows(2) {
        let step = pair[0].steps(maze.size).find(|(next, _)| *next == pair[1]);
        ensure(step.is_some_and(|(_, place)| !maze.blocks(place)), || {
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
    let mut reached: Vec<Triangle> =
        super::regions::triangles(maze.size).filter(|t| t.cell() == from).collect();
    let mut next = 0;
    while let Some(&triangle) = reached.get(next) {
        ensure(triangle.cell() != to, || format!("the cut leaves a way from {from:?} to {to:?}"))?;
        for (neighbor, place) in triangle.steps(maze.size) {
            if !cut.contains(&place) && !reached.contains(&neighbor) {
                reached.push(neighbor);
            }
        }
        next += 1;
    }
    Ok(())
}
