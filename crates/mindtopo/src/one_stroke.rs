use serde_json::{Value, json};
use topotrace_core::{Flaw, ensure};

use crate::field::Field;
use crate::row::Parts;

/// The published colors, each with the number of the like one here.
const COLORS: [(&str, u8); 7] =
    [("purple", 1), ("red", 2), ("green", 3), ("blue", 4), ("yellow", 5), ("cyan", 6), ("gray", 7)];

/// A one-stroke puzzle. Its rows of cells go from the bottom to the top; here they go from the top.
/// A `null` cell has no color.
pub(crate) fn read(root: &Field<'_>) -> Result<Parts, Flaw> {
    let meta = root.get("meta_info")?;
    let level = meta.at(&["initial_state", "level_json"])?;
    level.agree(meta.find(&["level_json"]))?;
    level.agree(meta.find(&["initial_state", "reset_config", "levelJson"]))?;
    let size = meta.get("board_size")?.number(64)?;
    for key in ["W", "H"] {
        level.get(key)?.ensure_is("the number of vertices along a side", size as usize + 1)?;
    }
    let lines = level.get("cells")?;
    let rows = lines.list()?;
    ensure(rows.len() == size as usize, || lines.wrong(&format!("a list of {size} rows")).to_string())?;
    let mut cells = Vec::new();
    for row in rows.iter().rev() {
        let row_cells = row.list()?;
        ensure(row_cells.len() == size as usize, || {
            row.wrong(&format!("a list of {size} cells")).to_string()
        })?;
        for cell in row_cells {
            cells.push(color(&cell)?);
        }
    }
    let stored = level.get("solution")?;
    let solution: Vec<String> = stored
        .list()?
        .iter()
        .map(|step| Ok(Value::from(step.text()?).to_string()))
        .collect::<Result<_, Flaw>>()?;
    let length = meta.get("solution_length")?;
    length.ensure_is("the number of moves of the stored solution", solution.len())?;
    Ok(Parts {
        state: json!({ "size": size, "cells": cells, "path": "" }),
        reference_length: Some(length.number(1000)?),
        solution: Some(solution),
    })
}

fn color(cell: &Field<'_>) -> Result<u8, Flaw> {
    if cell.is_null() {
        return Ok(0);
    }
    let name = cell.text()?;
    let known = COLORS.iter().find(|(color, _)| *color == name);
    known.map(|(_, number)| *number).ok_or_else(|| {
        let names: Vec<&str> = COLORS.iter().map(|(color, _)| *color).collect();
        cell.wrong(&format!("null or one of {}", names.join(", ")))
    })
}
