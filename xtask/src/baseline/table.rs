use comfy_table::{CellAlignment, Table, presets};
use topotrace_runner::BaselineRow;

const NAMES: [&str; 2] = ["task", "tier"];
const MEASURES: [&str; 6] = ["episodes", "success", "failure", "mean steps", "over-optimality", "illegal"];

/// The rows as a table.
pub(super) fn render(rows: &[BaselineRow]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(NAMES.iter().chain(&MEASURES));
    for column in NAMES.len()..NAMES.len() + MEASURES.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    for row in rows {
        table.add_row([
            row.task.clone(),
            row.level.clone(),
            row.episodes.to_string(),
            percent(row.success),
            percent(row.failure),
            format!("{:.2}", row.mean_steps),
            row.mean_over_optimality.map_or_else(|| "–".to_owned(), percent),
            percent(row.illegal),
        ]);
    }
    format!("policy {}\n\n{table}", rows.first().map_or("", |row| row.policy.name()))
}
