use serde_json::json;
use topotrace_core::{Flaw, ensure};

use crate::field::Field;
use crate::row::{BUDGET, Parts};

/// A pipe puzzle. Openings are the bits 1 up, 2 right, 4 down, 8 left; `rotations` are the
/// clockwise quarter turns by which each piece of the solved board was turned away.
pub(crate) fn read(root: &Field<'_>) -> Result<Parts, Flaw> {
    let state = root.at(&["meta_info", "initial_state"])?;
    let reset = state.get("reset_config")?;
    let size_field = reset.get("gridSize")?;
    size_field.agree(state.find(&["gridSize"]))?;
    let size = size_field.number(64)?;
    ensure(size > 0, || size_field.wrong("1 or more").to_string())?;
    let source_field = reset.get("sourceIndex")?;
    source_field.agree(state.find(&["sourceIndex"]))?;
    let cells = (size * size) as usize;
    let source = source_field.number((cells as u32).saturating_sub(1))?;
    let solved = of_length(&reset.get("solvedMasks")?, 15, cells)?;
    let turned = of_length(&reset.get("rotations")?, 3, cells)?;
    let pipes = solved.iter().filter(|openings| **openings != 0).count();
    if let Some(count) = state.find(&["totalPipes"]) {
        count.ensure_is("the number of pipes", pipes)?;
    }
    root.at(&BUDGET)?.agree(reset.find(&["maxSteps"]))?;

    let away: Vec<u32> =
        solved.iter().zip(&turned).map(|(openings, turns)| back(*openings, *turns)).collect();
    let least: u32 = away.iter().sum();
    let stored = state.get("solutionTicks")?;
    stored.ensure_is("the number of turns back", least as usize)?;
    let times = |(index, turns): (usize, &u32)| {
        let index = index as u32;
        std::iter::repeat_n(json!({"x": index % size, "y": index / size}).to_string(), *turns as usize)
    };
    let openings: Vec<u32> =
        solved.iter().zip(&turned).map(|(openings, turns)| turn(*openings, *turns)).collect();
    Ok(Parts {
        state: json!({
            "size": size,
            "source": { "x": source % size, "y": source / size },
            "cells": openings,
        }),
        reference_length: Some(least),
        solution: Some(away.iter().enumerate().flat_map(times).collect()),
    })
}

fn of_length(field: &Field<'_>, most: u32, cells: usize) -> Result<Vec<u32>, Flaw> {
    let numbers = field.numbers(most)?;
    ensure(numbers.len() == cells, || field.wrong(&format!("a list of {cells} cells")).to_string())?;
    Ok(numbers)
}

/// Openings after clockwise quarter turns.
fn turn(openings: u32, turns: u32) -> u32 {
    (0..turns).fold(openings, |openings, _| (openings << 1 | openings >> 3) & 15)
}

/// How many turns more bring a piece back: a straight one is the same after two, an empty cell
/// always.
fn back(openings: u32, turns: u32) -> u32 {
    let turned = turn(openings, turns);
    (0..4).find(|more| turn(turned, *more) == openings).unwrap_or(0)
}
