//! The page of a scene that has none yet.

use indexmap::IndexSet;
use topotrace_core::{Error, Level};

use super::Scene;
use super::facts::parameters;

/// Begins every part of a new page that is left to its author.
pub(crate) const PLACEHOLDER: &str = "To be written:";

/// The headings of a scene's page, each with what belongs under it, still without facts.
///
/// # Errors
/// When the parameters of a tier do not hold.
pub(crate) fn page(scene: &Scene) -> Result<String, Error> {
    let parts = [
        format!("# {}", scene.name),
        format!("{PLACEHOLDER} what there is to see, in a sentence or two."),
        "## What counts".to_owned(),
        format!("{PLACEHOLDER} the rules that decide an answer, and which details decide nothing."),
        "## Parameters".to_owned(),
        parameter_list(scene)?,
        "## The record".to_owned(),
        format!(
            "{PLACEHOLDER} the fields of `trace.item.state`, of `trace.item.marks` and of \
             `trace.item.query`, so that a stranger's program can compute the answer; then what is in \
             `trace.evidence` and how it proves it."
        ),
        "## Version history".to_owned(),
        history(scene),
    ];
    Ok(parts.join("\n\n") + "\n")
}

fn parameter_list(scene: &Scene) -> Result<String, Error> {
    let mut names = IndexSet::new();
    for task in &scene.tasks {
        names.extend(parameters(*task, Level::Medium)?.into_keys());
    }
    let lines: Vec<String> =
        names.iter().map(|name| format!("* `{name}`: {PLACEHOLDER} what it sets.")).collect();
    Ok(if lines.is_empty() { "There are none.".to_owned() } else { lines.join("\n") })
}

/// A line for each version that a program of the scene has today.
fn history(scene: &Scene) -> String {
    let versions: std::collections::BTreeSet<u32> =
        scene.tasks.iter().map(|task| task.info().version).collect();
    let lines: Vec<String> = versions.iter().map(|version| format!("* {version}: first version.")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_page_has_every_heading_and_asks_for_every_text() {
        let registry = topotrace::registry();
        let scenes = Scene::of_all(registry.tasks());
        let pipe = scenes.iter().find(|scene| scene.name == "pipe").unwrap();
        let page = page(pipe).unwrap();
        assert!(page.starts_with("# pipe\n\nTo be written:"), "{page}");
        for heading in
            ["## What counts\n", "## Parameters\n", "## The record\n", "## Version history\n\n* 1: "]
        {
            assert!(page.contains(heading), "{heading:?} is missing in:\n{page}");
        }
        assert!(page.contains("* `turns_max`: To be written:"), "{page}");
    }
}
