use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use topotrace_core::Policy;
use topotrace_dataset::{Gate, GateOutcome, Statistics};

use super::inspect::{Findings, Measures};

/// The stages in the order in which they run.
const STAGES: [&str; 8] = ["make", "prove", "replay", "draw", "measure", "render", "encode", "read pixels"];

/// Three tables: instances, times and gates.
pub(super) fn tables(findings: &Findings) -> String {
    let rows = findings.rows();
    let mut parts = vec![instances(&rows), times(&rows)];
    if rows.iter().any(|(_, measures)| !measures.successes.is_empty()) {
        parts.push(policies(&rows));
    }
    parts.push(gates(&findings.gates()));
    parts.push(rejections(&rows));
    parts.join("\n")
}

/// The same measures as JSON text.
pub(super) fn json(findings: &Findings) -> String {
    let rows: Vec<Value> = findings
        .rows()
        .iter()
        .map(|(statistics, measures)| {
            let seconds = |stage: &&str| measures.stages.get(*stage).map_or(0.0, |time| time.as_secs_f64());
            json!({
                "statistics": statistics,
                "pixel_checks": measures.pixel_checks,
                "hidden_looks": measures.hidden_looks,
                "seconds": STAGES.iter().map(|stage| ((*stage).to_owned(), json!(seconds(stage)))).collect::<serde_json::Map<_, _>>(),
                "successes": measures.successes.iter().map(|(policy, won)| (policy_name(*policy).to_owned(), json!(won))).collect::<serde_json::Map<_, _>>(),
            })
        })
        .collect();
    let report = json!({
        "rows": rows,
        "gates": findings.gates(),
        "faulty_instances": findings.fault_count(),
        "faults": findings.faults(),
    });
    format!("{report:#}\n")
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn instances(rows: &[(Statistics, Measures)]) -> String {
    let mut table = table(&[
        "task",
        "tier",
        "instances",
        "pixels read",
        "effort",
        "answers",
        "chance",
        "PNG kB",
        "least mark px",
    ]);
    for (statistics, measures) in rows {
        table.add_row([
            statistics.task.clone(),
            statistics.level.clone(),
            statistics.rows.to_string(),
            measures.pixel_checks.to_string(),
            format!("{:.0}", statistics.effort.mean),
            statistics.distinct_answers.to_string(),
            statistics.chance.map_or_else(|| "–".to_owned(), |chance| format!("{chance:.3}")),
            format!("{:.0}", statistics.mean_png_bytes as f64 / 1000.0),
            statistics.least_visible_pixels.map_or_else(|| "–".to_owned(), |pixels| pixels.to_string()),
        ]);
    }
    format!("{table}\n")
}

fn times(rows: &[(Statistics, Measures)]) -> String {
    let mut table = table(&[&["milliseconds", "tier"], STAGES.as_slice()].concat());
    for (statistics, measures) in rows {
        let mean = |stage: &&str| {
            let total = measures.stages.get(*stage).map_or(0.0, |time| time.as_secs_f64());
            format!("{:.2}", 1000.0 * total / statistics.rows.max(1) as f64)
        };
        let head = [statistics.task.clone(), statistics.level.clone()];
        table.add_row(head.into_iter().chain(STAGES.iter().map(mean)));
    }
    format!("{table}\n")
}

fn policies(rows: &[(Statistics, Measures)]) -> String {
    let mut table =
        table(&[&["success within budget", "tier"], Policy::ALL.map(policy_name).as_slice()].concat());
    for (statistics, measures) in rows.iter().filter(|(_, measures)| !measures.successes.is_empty()) {
        let share = |policy: Policy| {
            let won = measures.successes.get(&policy).copied().unwrap_or(0);
            format!("{:.1} %", 100.0 * won as f64 / statistics.rows.max(1) as f64)
        };
        table.add_row(
            [statistics.task.clone(), statistics.level.clone()].into_iter().chain(Policy::ALL.map(share)),
        );
    }
    format!("{table}\n")
}

fn gates(gates: &[Gate]) -> String {
    let mut table = table(&["task", "tier", "right", "at most", "what", "verdict"]);
    for gate in gates {
        table.add_row([
            gate.task.clone(),
            gate.level.clone(),
            format!("{:.1} %", 100.0 * gate.share),
            format!("{:.1} %", 100.0 * gate.bound),
            gate.name.clone(),
            match gate.outcome {
                GateOutcome::Holds => "holds",
                GateOutcome::Fails => "FAILS",
                GateOutcome::TooFew => "too few to judge",
            }
            .to_owned(),
        ]);
    }
    format!("{table}\n")
}

fn rejections(rows: &[(Statistics, Measures)]) -> String {
    let mut table = table(&["task", "tier", "rejected per instance", "reason"]);
    for (statistics, _) in rows {
        for (reason, count) in &statistics.rejections {
            table.add_row([
                statistics.task.clone(),
                statistics.level.clone(),
                format!("{:.2}", *count as f64 / statistics.rows.max(1) as f64),
                reason.clone(),
            ]);
        }
    }
    format!("{table}\n")
}

fn policy_name(policy: Policy) -> &'static str {
    match policy {
        Policy::Oracle => "oracle",
        Policy::Random => "random",
        Policy::Greedy => "greedy",
    }
}
