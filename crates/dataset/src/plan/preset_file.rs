//! Presets that users write: a TOML file of groups.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};
use topotrace_core::{Difficulty, Flaw, Level, Split, ensure, nearest};

use super::Selection;

/// The keys of a group.
const KEYS: [&str; 4] = ["tasks", "tiers", "counts", "set"];

#[derive(Deserialize)]
struct GroupTable {
    #[serde(default)]
    tasks: Vec<String>,
    #[serde(default)]
    tiers: Vec<Tier>,
    counts: BTreeMap<String, u32>,
    #[serde(default)]
    set: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Tier {
    Number(f64),
    Integer(i64),
    Name(String),
}

/// The selections of a preset file.
///
/// # Errors
/// When it is no TOML or holds what no preset has. The error says where, and names the nearest
/// word that is right.
pub(super) fn parse(text: &str) -> Result<Vec<Selection>, Flaw> {
    let file: Table =
        text.parse().map_err(|e: toml::de::Error| Flaw::new(e.to_string().trim_end().to_owned()))?;
    check_keys("the file", file.keys(), &["groups"])?;
    let groups = file.get("groups").and_then(Value::as_array).filter(|groups| !groups.is_empty());
    let groups = groups.ok_or_else(|| Flaw::new("the file has no [[groups]]"))?;
    let numbered = groups.iter().enumerate();
    numbered
        .map(|(at, group)| selection(group).map_err(|flaw| Flaw::new(format!("group {}: {flaw}", at + 1))))
        .collect()
}

fn selection(group: &Value) -> Result<Selection, Flaw> {
    let table = group.as_table().ok_or_else(|| Flaw::new("it is no table"))?;
    check_keys("a group", table.keys(), &KEYS)?;
    ensure(table.contains_key("counts"), || {
        "counts is missing, such as counts = { train = 100 }".to_owned()
    })?;
    let GroupTable { tasks, tiers, counts, set } =
        group.clone().try_into().map_err(|e| Flaw::new(e.to_string().trim_end().to_owned()))?;
    check_keys("counts", counts.keys(), &Split::ALL.map(Split::name))?;
    let splits = Split::ALL.into_iter().filter_map(|split| Some((split, *counts.get(split.name())?)));
    let json = |(name, value): (String, Value)| {
        serde_json::to_string(&value).map(|text| (name, text)).map_err(|e| Flaw::new(e.to_string()))
    };
    Ok(Selection {
        tasks,
        difficulties: tiers.into_iter().map(difficulty).collect::<Result<_, _>>()?,
        overrides: set.into_iter().map(json).collect::<Result<_, _>>()?,
        counts: splits.collect(),
    })
}

fn difficulty(tier: Tier) -> Result<Difficulty, Flaw> {
    match tier {
        Tier::Number(value) => Difficulty::new(value),
        Tier::Integer(value) => Difficulty::new(value as f64),
        Tier::Name(name) => name.parse::<Level>().map(Difficulty::from),
    }
}

fn check_keys<'a>(
    place: &str,
    found: impl Iterator<Item = &'a String>,
    allowed: &[&str],
) -> Result<(), Flaw> {
    for key in found {
        ensure(allowed.contains(&key.as_str()), || {
            let hint = nearest(key, allowed.iter().copied())
                .map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
            format!("{place} has no key {key:?}, there are {}{hint}", allowed.join(", "))
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read() {
        let text = r#"
            [[groups]]
            tasks = ["maze-2d/reach", "pipe"]
            tiers = ["easy", 0.75, 1]
            counts = { train = 100, validation = 5 }
            set = { grid = 7, themes = ["a"] }

            [[groups]]
            counts = { test = 3 }
        "#;
        let [first, second] = <[Selection; 2]>::try_from(parse(text).unwrap()).unwrap();
        assert_eq!(first.tasks, ["maze-2d/reach", "pipe"]);
        assert_eq!(first.difficulties.iter().map(|d| d.value()).collect::<Vec<_>>(), [0.0, 0.75, 1.0]);
        assert_eq!(first.counts, BTreeMap::from([(Split::Train, 100), (Split::Validation, 5)]));
        assert_eq!(first.overrides["grid"], "7");
        assert_eq!(first.overrides["themes"], r#"["a"]"#);
        assert!(second.tasks.is_empty() && second.difficulties.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_right() {
        for (text, wanted) in [
            ("", "no [[groups]]"),
            ("groups = 3", "no [[groups]]"),
            ("groups = [3]", "group 1: it is no table"),
            ("[[group]]\ncounts = {}", "did you mean \"groups\""),
            ("[[groups]]\ntaks = []", "group 1: a group has no key \"taks\""),
            ("[[groups]]\ntaks = []", "did you mean \"tasks\""),
            ("[[groups]]\ntasks = [\"pipe\"]", "counts is missing"),
            ("[[groups]]\ncounts = { trian = 1 }", "did you mean \"train\""),
            ("[[groups]]\ncounts = { train = -1 }", "-1"),
            ("[[groups]]\ncounts = { train = 1.5 }", "1.5"),
            ("[[groups]]\ncounts = { train = 99999999999 }", "99999999999"),
            ("[[groups]]\ntiers = [\"heard\"]\ncounts = { train = 1 }", "heard"),
            ("[[groups]]\ntiers = [7.5]\ncounts = { train = 1 }", "7.5"),
            ("[[groups]\n", "line 1"),
        ] {
            let flaw = parse(text).err().unwrap_or_else(|| panic!("{text} is read")).to_string();
            assert!(flaw.contains(wanted), "{text:?}: {flaw}");
        }
    }
}
