use serde_json::json;
use topotrace_core::{Flaw, ensure};

use crate::field::Field;
use crate::row::{BUDGET, Parts};

/// What stands for the blank.
const BLANK: &str = "_";

/// A swap puzzle. Blocks have letters; here they are numbered in the order in which the row
/// lists them, and the blank is 0.
pub(crate) fn read(root: &Field<'_>) -> Result<Parts, Flaw> {
    let state = root.at(&["meta_info", "initial_state"])?;
    let reset = state.get("reset_config")?;
    let (rows, columns) = (reset.get("gridRows")?.number(64)?, reset.get("gridCols")?.number(64)?);
    let blocks: Vec<&str> =
        reset.get("selectedBlockIds")?.list()?.iter().map(|id| id.text()).collect::<Result<_, _>>()?;
    let arrangement = |flat: &str, grid: &str| {
        let field = reset.get(flat)?;
        let cells: Vec<Field<'_>> = field.list()?;
        ensure(cells.len() == (rows * columns) as usize, || {
            field.wrong(&format!("a list of {rows} times {columns} blocks")).to_string()
        })?;
        // The same arrangement stands in the row a second time, as a list of rows.
        if let Some(grid) = state.find(&[grid]) {
            let mut listed = Vec::new();
            for row in grid.list()? {
                listed.extend(row.list()?);
            }
            ensure(listed.len() == cells.len(), || grid.wrong("as long as the arrangement").to_string())?;
            cells.iter().zip(listed).try_for_each(|(cell, other)| cell.agree(Some(other)))?;
        }
        cells.iter().map(|cell| number(cell, &blocks)).collect::<Result<Vec<u32>, Flaw>>()
    };
    let current = arrangement("initialArrangement", "initialGrid")?;
    let goal = arrangement("goalArrangement", "goalGrid")?;
    root.at(&BUDGET)?.agree(reset.find(&["stepBudget"]))?;
    let least = reset.get("theoreticalMinSteps")?.number(1000)?;
    Ok(Parts {
        state: json!({ "rows": rows, "columns": columns, "current": current, "goal": goal }),
        reference_length: Some(least),
        solution: None,
    })
}

/// The number of a block: its place in the row's list, counted from 1.
fn number(cell: &Field<'_>, blocks: &[&str]) -> Result<u32, Flaw> {
    match cell.text()? {
        BLANK => Ok(0),
        letter => {
            let place = blocks.iter().position(|block| *block == letter);
            place.map(|place| place as u32 + 1).ok_or_else(|| {
                cell.wrong(&format!("the blank {BLANK} or one of the blocks {}", blocks.join(", ")))
            })
        }
    }
}
