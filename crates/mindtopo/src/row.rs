use serde_json::Value;
use topotrace_core::Flaw;

use crate::error::Error;
use crate::field::Field;
use crate::{chat_noir, one_stroke, pipe, swap};

/// Where the number of actions that an episode allows stands.
pub(crate) const BUDGET: [&str; 2] = ["meta_info", "max_actions_per_traj"];
/// The greatest budget that is read.
const MAX_BUDGET: u32 = 10_000;

/// One published planning puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanningRow {
    /// The row's id.
    pub id: String,
    /// The task of this project that it is an instance of.
    pub task: &'static str,
    /// Its tier: `easy`, `medium` or `hard`.
    pub level: String,
    /// State, marks and query as JSON text, as [`Task::load`](topotrace_core::Task::load) takes them.
    pub item: String,
    /// The number of actions that an episode allows.
    pub budget: u32,
    /// The stored length of a shortest solution, where one is stored.
    pub reference_length: Option<u32>,
    /// The stored solution as actions in JSON text, where one is stored or follows from what is.
    pub solution: Option<Vec<String>>,
}

/// What a reader of one task makes of a row.
pub(crate) struct Parts {
    pub(crate) state: Value,
    pub(crate) reference_length: Option<u32>,
    pub(crate) solution: Option<Vec<String>>,
}

/// Reads the rows of a `question.jsonl` file, one JSON object a line; blank lines are skipped. A row
/// that can't be read is an error in its place, which names it and says why.
pub fn parse(text: &str) -> impl Iterator<Item = Result<PlanningRow, Error>> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| parse_row(line, number + 1))
}

/// Reads one row; `number` is its line, counted from 1, by which a row without id is named.
///
/// # Errors
/// Says what is missing or contradictory.
pub fn parse_row(line: &str, number: usize) -> Result<PlanningRow, Error> {
    let nameless = |flaw: Flaw| Error::new(format!("on line {number}"), flaw);
    let value: Value =
        serde_json::from_str(line).map_err(|e| nameless(Flaw::new(format!("it is no JSON: {e}"))))?;
    let root = Field::root(&value);
    let id = root.get("id").and_then(|id| id.text()).map_err(nameless)?;
    read(&root, id).map_err(|flaw| Error::new(id, flaw))
}

fn read(root: &Field<'_>, id: &str) -> Result<PlanningRow, Flaw> {
    let (task, parts) = of_task(root)?;
    let budget = root.at(&BUDGET)?;
    let budget_number = budget.number(MAX_BUDGET)?;
    let level = root.at(&["meta_info", "difficulty"])?.text()?.to_owned();
    let item = serde_json::json!({
        "state": parts.state,
        "marks": null,
        "query": { "budget": budget_number },
    });
    Ok(PlanningRow {
        id: id.to_owned(),
        task,
        level,
        item: item.to_string(),
        budget: budget_number,
        reference_length: parts.reference_length,
        solution: parts.solution,
    })
}

/// The task is named by one of the row's categories.
fn of_task(root: &Field<'_>) -> Result<(&'static str, Parts), Flaw> {
    let category = root.get("category")?;
    for name in category.list()? {
        match name.text()? {
            "continuity_pipe" => return Ok(("pipe", pipe::read(root)?)),
            "order_swap_2d_puzzle" => return Ok(("swap", swap::read(root)?)),
            "separation_one_stroke" => return Ok(("one-stroke", one_stroke::read(root)?)),
            "enclosure_chat_noir" => return Ok(("chat-noir", chat_noir::read(root)?)),
            _ => {}
        }
    }
    Err(category.wrong(
        "one with continuity_pipe, order_swap_2d_puzzle, separation_one_stroke or enclosure_chat_noir",
    ))
}
