//! What a page says of one program, made from the program itself.

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;
use topotrace_core::{Contract, Error, Level, Task, TaskInfo, TaskKind};

use super::example::{self, Example};

/// Columns after which the text of a prompt goes on in the next line.
const WIDTH: usize = 96;
/// Stands in a table where a tier has no such value.
const NOTHING: &str = "–";

/// The parameters of one tier as JSON values, in the order of their declaration.
pub(crate) type Parameters = IndexMap<String, Value>;

/// The section on one program.
///
/// # Errors
/// When the parameters of a tier do not hold.
pub(crate) fn section(task: &dyn Task, example: &Example) -> Result<String, Error> {
    let info = task.info();
    let tiers = Level::ALL.into_iter().map(|level| parameters(task, level)).collect::<Result<Vec<_>, _>>()?;
    let parts = [
        format!("## `{}`", info.id),
        info.summary.to_owned(),
        example_text(info, example),
        facts_table(info, example.chance),
        parameter_table(&tiers),
        bullets(task),
    ];
    Ok(parts.join("\n\n"))
}

/// The parameters of a task at a tier.
///
/// # Errors
/// When they do not hold.
pub(crate) fn parameters(task: &dyn Task, level: Level) -> Result<Parameters, Error> {
    let generator = task.generator(&level.into())?;
    // Parameters that are no object (a task without any has `null`) have no names to show.
    Ok(serde_json::from_str(generator.params()).unwrap_or_default())
}

fn example_text(info: &TaskInfo, example: &Example) -> String {
    let pictures: Vec<String> = example::picture_names(info)
        .iter()
        .map(|name| format!("![An instance of {}](pictures/{name})", info.id))
        .collect();
    let (pictures, level, seed) = (pictures.join("\n"), example::LEVEL, example::SEED);
    let command = format!("cargo xtask show {} --tier {level} --seed {seed}", info.id);
    format!(
        "{pictures}\n\n{}\n\n```text\n{}\n```\n\nThe answer:\n\n```json\n{}\n```",
        wrapped(&format!(
            "Seed {seed} at tier {level}, as `{command}` makes it. The prompt, its lines broken for this page:"
        )),
        wrapped(&example.prompt),
        wrapped(&spaced(&example.answer))
    )
}

/// The text in lines of at most [`WIDTH`] columns, broken at spaces only.
fn wrapped(text: &str) -> String {
    indented(text, "")
}

/// The same with every line but the first indented.
fn indented(text: &str, indent: &str) -> String {
    let options = textwrap::Options::new(WIDTH)
        .subsequent_indent(indent)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace);
    textwrap::fill(text, options)
}

/// A JSON list with a space after every comma between its items, so that it can be wrapped; other
/// JSON as it is.
fn spaced(json: &str) -> String {
    match serde_json::from_str::<Vec<&RawValue>>(json) {
        Ok(items) => {
            let items: Vec<&str> = items.into_iter().map(RawValue::get).collect();
            format!("[{}]", items.join(", "))
        }
        Err(_) => json.to_owned(),
    }
}

fn facts_table(info: &TaskInfo, chance: Option<f64>) -> String {
    let kind = match info.kind {
        TaskKind::Reasoning => "reasoning: answered once",
        TaskKind::Planning => "planning: acted out step by step, or answered with a whole plan",
    };
    let benchmark = match info.published {
        true => "published: in the preset `full`",
        false => "an extension: not in the preset `full`",
    };
    let operations: Vec<&str> = info.operations.iter().map(|operation| operation.name()).collect();
    let mut rows = vec![
        ("version", info.version.to_string()),
        ("property", info.property.name().to_owned()),
        ("kind", kind.to_owned()),
        ("answer", info.answer.name().to_owned()),
        ("contract", contract(info.contract)),
        ("operations", operations.join(", ")),
        ("pictures", info.pictures.to_string()),
        ("benchmark", benchmark.to_owned()),
        ("units", format!("{}, into which a build cuts the work", info.units)),
    ];
    if let Some(chance) = chance {
        rows.push(("blind guess", format!("right 1 time in {:.0} in the example", 1.0 / chance)));
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    table(&["fact", "value"], &rows)
}

fn contract(contract: Contract) -> String {
    let text = contract.to_json();
    let facts: Value = serde_json::from_str(&text).unwrap_or_default();
    let rewards = facts["rewards"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let rewards: Vec<String> = rewards.map(|reward| format!("`{reward}`")).collect();
    format!("`{}`; rewards {}", contract.name(), rewards.join(", "))
}

fn parameter_table(tiers: &[Parameters]) -> String {
    let names: indexmap::IndexSet<&String> = tiers.iter().flat_map(Parameters::keys).collect();
    if names.is_empty() {
        return "There are no parameters.".to_owned();
    }
    let row = |name: &String| {
        let values = tiers.iter().map(|tier| tier.get(name).map_or(NOTHING.to_owned(), shown));
        std::iter::once(format!("`{name}`")).chain(values).collect()
    };
    let rows: Vec<Vec<String>> = names.into_iter().map(row).collect();
    let header: Vec<&str> = std::iter::once("parameter").chain(Level::ALL.map(Level::name)).collect();
    table(&header, &rows)
}

/// A value as a reader wants it: fractions with at most three decimals, texts without quotes, lists and
/// objects as code, since Markdown takes brackets for links.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => NOTHING.to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let text = format!("{:.3}", number.as_f64().unwrap_or_default());
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Value::Array(_) | Value::Object(_) => format!("`{value}`"),
        value => value.to_string(),
    }
}

fn bullets(task: &dyn Task) -> String {
    let shortcuts: Vec<String> = task.shortcuts().iter().map(|name| format!("*{name}*")).collect();
    let shortcuts = format!("* Shortcut solvers, which every build measures: {}.", shortcuts.join("; "));
    let themes = format!("* Themes: {}.", task.themes().join(", "));
    [shortcuts, themes].map(|bullet| indented(&bullet, "  ")).join("\n")
}

fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let header: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = format!("|{}", "---|".repeat(header.len()));
    let lines = [line(&header), rule].into_iter().chain(rows.iter().map(|row| line(row)));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters_of(json: &str) -> Parameters {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn parameters_keep_their_order_and_gaps_show() {
        let tiers = [r#"{"b":1,"a":0.3333333333333333}"#, r#"{"b":2,"a":null}"#, r#"{"b":3,"c":"x|y"}"#];
        let wanted = "| parameter | easy | medium | hard |\n|---|---|---|---|\n| `b` | 1 | 2 | 3 |\n\
                      | `a` | 0.333 | – | – |\n| `c` | – | – | x\\|y |";
        assert_eq!(parameter_table(&tiers.map(parameters_of)), wanted);
        assert_eq!(parameter_table(&[]), "There are no parameters.");
    }

    #[test]
    fn values_read_well() {
        for (json, wanted) in
            [("0.25", "0.25"), ("0.0", "0"), ("3", "3"), ("true", "true"), ("[1,2]", "`[1,2]`")]
        {
            assert_eq!(shown(&serde_json::from_str(json).unwrap()), wanted);
        }
    }

    #[test]
    fn long_texts_are_broken_at_spaces_only() {
        let text = wrapped(&format!("{} twenty-two {{\"answer\": []}}", "word ".repeat(17).trim_end()));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("twenty-two") && text.contains('\n'), "{text}");
        assert_eq!(wrapped("one\n\ntwo"), "one\n\ntwo");
    }

    #[test]
    fn lists_get_room_between_their_items() {
        assert_eq!(spaced(r#"[{"y":0,"x":1},{"y":1,"x":1}]"#), r#"[{"y":0,"x":1}, {"y":1,"x":1}]"#);
        assert_eq!(spaced("[]"), "[]");
        assert_eq!(spaced(r#""A,B""#), r#""A,B""#);
    }

    #[test]
    fn the_section_names_every_fact() {
        let registry = topotrace::registry();
        let task = registry.get("maze-2d/wall-added").unwrap();
        let text = section(task, &Example::of(task).unwrap()).unwrap();
        let info = task.info();
        let facts = [
            format!("## `{}`\n\n{}\n", info.id, info.summary),
            "![An instance of maze-2d/wall-added](pictures/maze-2d-wall-added.png)".to_owned(),
            format!("| version | {} |", info.version),
            "`equal/1`; rewards `exact`, `formatted`, `penalised`".to_owned(),
            "an extension".to_owned(),
            "| `grid` | 4 | 5 | 6 |".to_owned(),
            "{\"answer\": [\"NAME\", ...]}".to_owned(),
        ];
        let names = task.shortcuts().into_iter().chain(task.themes().iter().copied()).map(str::to_owned);
        let flat = text.replace("\n  ", " ").replace('\n', " ");
        for fact in facts.into_iter().chain(names) {
            assert!(flat.contains(&fact.replace('\n', " ")), "{fact:?} is missing in:\n{text}");
        }
    }
}
