use clap::Args;
use comfy_table::{Table, presets};
use topotrace_core::Task;

use crate::failure::{Failure, say};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON lines instead of a table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let registry = topotrace::registry();
    if arguments.json {
        return registry.tasks().iter().try_for_each(|task| say(json(*task)));
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["task", "version", "property", "kind", "answer", "pictures", "what is asked"]);
    for task in registry.tasks() {
        let info = task.info();
        table.add_row([
            info.id,
            &info.version.to_string(),
            info.property.name(),
            info.kind.name(),
            info.answer.name(),
            &info.pictures.to_string(),
            info.summary,
        ]);
    }
    say(table)
}

fn json(task: &dyn Task) -> serde_json::Value {
    let info = task.info();
    serde_json::json!({
        "task": info.id,
        "version": info.version,
        "property": info.property.name(),
        "kind": info.kind.name(),
        "answer_kind": info.answer.name(),
        "contract": info.contract.name(),
        "pictures": info.pictures,
        "published": info.published,
        "themes": task.themes(),
        "shortcuts": task.shortcuts(),
        "summary": info.summary,
    })
}
