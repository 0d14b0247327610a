use std::fmt::Display;

use comfy_table::{CellAlignment, Table, presets};
use topotrace_dataset::score::{Intake, Listed, Mean, Measures, Place, Scores, TaskScore};

/// How many of a kind are named in the table's foot.
const NAMED: usize = 5;
/// From how few to how many different queries a task has a table of them.
const QUERIES: std::ops::RangeInclusive<u64> = 2..=12;

const MEASURES: [&str; 8] =
    ["n", "accuracy", "chance", "parsed", "format", "exact", "formatted", "penalised"];

/// The whole report: tables by task and tier, by query, of means, and what became of the lines.
pub(super) fn render(scores: &Scores) -> String {
    let mut parts = vec![by_tier(&scores.tasks)];
    let few_queries = scores.tasks.iter().filter(|task| QUERIES.contains(&task.distinct_queries));
    parts.extend(few_queries.map(by_query));
    parts.push(of_means(scores));
    parts.push(foot(&scores.intake));
    parts.join("\n\n")
}

fn table(names: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(names.iter().chain(&MEASURES));
    for column in names.len()..names.len() + MEASURES.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn row(names: &[&str], measures: &Measures) -> Vec<String> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let reward = |mean: f64| format!("{mean:.3}");
    let mut cells: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    cells.extend([
        measures.rows.to_string(),
        percent(measures.accuracy),
        measures.chance.map_or_else(|| "–".to_owned(), percent),
        percent(measures.parse_rate),
        percent(measures.format_rate),
        reward(measures.rewards.exact),
        reward(measures.rewards.formatted),
        reward(measures.rewards.penalised),
    ]);
    cells
}

fn by_tier(tasks: &[TaskScore]) -> String {
    let mut table = table(&["task", "tier"]);
    for task in tasks {
        for level in &task.levels {
            table.add_row(row(&[&task.task, &level.level], &level.measures));
        }
        if task.levels.len() > 1 {
            table.add_row(row(&[&task.task, "all"], &task.measures));
        }
    }
    table.to_string()
}

fn by_query(task: &TaskScore) -> String {
    let mut table = table(&["task", "query"]);
    for query in &task.queries {
        table.add_row(row(&[&task.task, &query.query], &query.measures));
    }
    table.to_string()
}

fn of_means(scores: &Scores) -> String {
    let mut table = table(&["mean of", "over"]);
    let tasks = |mean: &Mean| match mean.over.len() {
        1 => "1 task".to_owned(),
        count => format!("{count} tasks"),
    };
    for mean in scores.levels.iter().chain(&scores.kinds).chain(&scores.properties) {
        table.add_row(row(&[&mean.name, &tasks(mean)], &mean.measures));
    }
    let present = scores.macro_mean.over.len();
    let over = format!("{present} of {} properties", present + scores.absent_properties.len());
    table.add_row(row(&["macro", &over], &scores.macro_mean.measures));
    table.add_row(row(&["everything", "all rows"], &scores.all_rows));
    let absent: Vec<&str> = scores.absent_properties.iter().map(|property| property.name()).collect();
    if absent.is_empty() {
        table.to_string()
    } else {
        format!("{table}\nno rows of {}: the macro mean is over the others", absent.join(", "))
    }
}

fn foot(intake: &Intake) -> String {
    let place = |place: &Place| format!("line {} ({})", place.line, place.id);
    let mut lines = vec![format!("{} lines, {} responses scored", intake.lines, intake.scored)];
    lines.extend(named("missing responses, which count as wrong", &intake.missing, |id| id.to_string()));
    lines.extend(named("null responses, which are none", &intake.null, place));
    lines.extend(named("ids of no row", &intake.unknown, place));
    lines.extend(named(
        "further responses to one row, of which the first is scored",
        &intake.duplicate,
        place,
    ));
    lines.extend(named("malformed lines", &intake.malformed, |line| {
        format!("line {} ({})", line.line, line.reason)
    }));
    for (what, count) in [
        ("responses to rows that are not selected, passed over", intake.unselected),
        ("rows that repeat an instance, which counts once", intake.repeated_rows),
    ] {
        if count > 0 {
            lines.push(format!("{what}: {count}"));
        }
    }
    lines.join("\n")
}

/// The count and the first few, when there are any.
fn named<T, D: Display>(what: &str, listed: &Listed<T>, show: impl Fn(&T) -> D) -> Option<String> {
    if listed.count == 0 {
        return None;
    }
    let mut names: Vec<String> =
        listed.first.iter().take(NAMED).map(|value| show(value).to_string()).collect();
    if listed.count > names.len() as u64 {
        names.push("…".to_owned());
    }
    Some(format!("{what}: {}: {}", listed.count, names.join(", ")))
}
