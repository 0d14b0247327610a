//! Rows of the published shape, made by hand: they load, keep their legal actions, and say what is
//! wrong with them.

// Helpers of tests may panic as tests do.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use topotrace_core::{Episode, EpisodeOptions, Instance, Status};
use topotrace_mindtopo::{PlanningRow, parse, parse_row};

/// Three pipes in the upper row and one below the last: ─ and ┐ are turned away.
fn pipe() -> Value {
    json!({
        "id": "pipe 1", "category": ["continuity", "continuity_pipe"], "images": [], "meta_info": {
            "difficulty": "easy", "max_actions_per_traj": 8, "initial_state": {
                "gridSize": 3, "sourceIndex": 0, "solutionTicks": 3, "totalPipes": 4, "reset_config": {
                    "gridSize": 3, "sourceIndex": 0, "maxSteps": 8, "seed": 1,
                    "solvedMasks": [2, 10, 12, 0, 0, 1, 0, 0, 0], "rotations": [0, 1, 2, 0, 0, 0, 0, 0, 0],
                },
            },
        },
    })
}

fn swap() -> Value {
    json!({
        "id": "swap 1", "category": ["order", "order_swap_2d_puzzle"], "meta_info": {
            "difficulty": "easy", "max_actions_per_traj": 4, "initial_state": {
                "initialGrid": [["_", "G"], ["R", "P"]], "goalGrid": [["P", "R"], ["G", "_"]], "reset_config": {
                    "gridRows": 2, "gridCols": 2, "selectedBlockIds": ["G", "R", "P"], "theoreticalMinSteps": 4,
                    "initialArrangement": ["_", "G", "R", "P"], "goalArrangement": ["P", "R", "G", "_"],
                    "stepBudget": 4,
                },
            },
        },
    })
}

/// The left column apart from the rest, whose upper right cell has no color.
fn one_stroke() -> Value {
    let level = json!({
        "W": 3, "H": 3, "cells": [["red", "cyan"], ["red", null]], "solution": ["R", "U", "U", "R"],
    });
    json!({
        "id": "stroke 1", "category": ["separation", "separation_one_stroke"], "meta_info": {
            "difficulty": "easy", "max_actions_per_traj": 6, "board_size": 2, "solution_length": 4,
            "level_json": level, "initial_state": { "level_json": level, "reset_config": { "levelJson": level } },
        },
    })
}

/// A cat with three ways out of its corner of a board of radius 3.
fn chat_noir(policy: &str) -> Value {
    let blocked = [4, 5, 8, 10, 11, 15, 16, 20, 23, 26, 28, 29, 33];
    json!({
        "id": "cat 1", "category": ["enclosure", "enclosure_chat_noir"], "meta_info": {
            "difficulty": "medium", "max_actions_per_traj": 23, "initial_block_count": 13, "initial_state": {
                "boardRadius": 3, "catIndex": 18, "blockedIndices": blocked, "catPolicy": { "name": policy },
                "reset_config": {
                    "boardRadius": 3, "catIndex": 18, "catPolicy": policy, "rngSeed": 1, "initialBlockedIndices": blocked,
                },
            },
        },
    })
}

fn read(row: &Value) -> PlanningRow {
    parse_row(&row.to_string(), 1).unwrap()
}

fn load(row: &PlanningRow) -> Box<dyn Instance> {
    topotrace::registry().get(row.task).unwrap().load(&row.item).unwrap_or_else(|error| {
        panic!("{}: {error} {:?}", row.id, std::error::Error::source(&error).map(ToString::to_string))
    })
}

fn open(instance: &dyn Instance) -> Box<dyn Episode> {
    let style = instance.style(0, None).unwrap();
    instance.episode(&style, EpisodeOptions::default(), 0).unwrap().unwrap()
}

#[test]
fn stored_solutions_work_and_are_as_short_as_stored() {
    for row in [pipe(), swap(), one_stroke()] {
        let row = read(&row);
        let instance = load(&row);
        assert_eq!(instance.reference_length(), row.reference_length, "{}", row.id);
        assert_eq!(instance.budget(), Some(row.budget));
        let mut episode = open(&*instance);
        for action in row.solution.iter().flatten() {
            assert_eq!(episode.status(), Status::Open);
            assert!(episode.act(action).legal(), "{}: {action}", row.id);
        }
        let wanted = if row.solution.is_some() { Status::Success } else { Status::Open };
        assert_eq!(episode.status(), wanted, "{}", row.id);
    }
}

#[test]
fn legal_actions_are_those_of_the_published_game() {
    let legal = |row: Value| open(&*load(&read(&row))).legal_actions();
    assert_eq!(
        legal(pipe()),
        ["{\"x\":0,\"y\":0}", "{\"x\":1,\"y\":0}", "{\"x\":2,\"y\":0}", "{\"x\":2,\"y\":1}"]
    );
    assert_eq!(legal(swap()), ["{\"row\":0,\"col\":1}", "{\"row\":1,\"col\":0}", "{\"row\":1,\"col\":1}"]);
    assert_eq!(legal(one_stroke()), ["\"U\"", "\"R\""]);
    let cells = legal(chat_noir("medium"));
    assert_eq!(cells.len(), 37 - 13 - 1);
    assert!(
        !cells.contains(&"18".to_owned())
            && !cells.contains(&"4".to_owned())
            && cells.contains(&"0".to_owned())
    );
}

#[test]
fn rows_of_cells_are_turned_over_and_colors_kept_apart() {
    let state: Value = serde_json::from_str::<Value>(&read(&one_stroke()).item).unwrap()["state"].clone();
    assert_eq!(state["cells"], json!([2, 0, 2, 6]), "from the top: red and none, red and cyan");
}

#[test]
fn the_published_cats_have_a_habit_each() {
    for (policy, habit, draws) in
        [("easy", "wandering_browser", 23), ("medium", "direct", 0), ("hard", "wary", 0)]
    {
        let item: Value = serde_json::from_str(&read(&chat_noir(policy)).item).unwrap();
        assert_eq!(item["state"]["habit"], json!(habit));
        assert_eq!(item["state"]["draws"].as_array().map(Vec::len), Some(draws));
    }
}

/// Puts a value at the end of a way of keys.
fn with(mut row: Value, keys: &[&str], value: Value) -> Value {
    let place = keys.iter().fold(&mut row, |at, key| match key.parse::<usize>() {
        Ok(number) => &mut at[number],
        Err(_) => &mut at[*key],
    });
    *place = value;
    row
}

#[test]
fn what_is_missing_or_contradictory_is_named_with_the_row() {
    let state = ["meta_info", "initial_state"];
    let at = |rest: &[&'static str]| [&state[..], rest].concat();
    let cases = [
        (
            with(pipe(), &at(&["gridSize"]), json!(4)),
            "pipe 1",
            "meta_info.initial_state.reset_config.gridSize is 3 but",
        ),
        (with(pipe(), &at(&["reset_config", "solvedMasks"]), json!([1])), "pipe 1", "a list of 9 cells"),
        (
            with(pipe(), &at(&["reset_config", "rotations", "1"]), json!(7)),
            "pipe 1",
            "rotations[1] is 7, not a whole number from 0 to 3",
        ),
        (
            with(pipe(), &at(&["totalPipes"]), json!(5)),
            "pipe 1",
            "totalPipes is 5 but the number of pipes is 4",
        ),
        (
            with(pipe(), &at(&["solutionTicks"]), json!(5)),
            "pipe 1",
            "solutionTicks is 5 but the number of turns back is 3",
        ),
        (with(pipe(), &at(&["reset_config"]), json!({})), "pipe 1", "reset_config.gridSize is missing"),
        (with(pipe(), &["meta_info", "max_actions_per_traj"], json!(9)), "pipe 1", "maxSteps is 8"),
        (with(pipe(), &["category"], json!(["knots"])), "pipe 1", "separation_one_stroke"),
        (
            with(swap(), &at(&["initialGrid", "0", "1"]), json!("P")),
            "swap 1",
            "initialArrangement[1] is \"G\" but",
        ),
        (
            with(swap(), &at(&["reset_config", "goalArrangement"]), json!(0)),
            "swap 1",
            "goalArrangement is 0, not a list",
        ),
        (
            with(swap(), &at(&["reset_config", "selectedBlockIds"]), json!(["G", "R"])),
            "swap 1",
            "one of the blocks G, R",
        ),
        (
            with(one_stroke(), &at(&["level_json", "cells", "0", "0"]), json!("mauve")),
            "stroke 1",
            "level_json",
        ),
        (with(one_stroke(), &["meta_info", "solution_length"], json!(5)), "stroke 1", "solution_length is 5"),
        (with(one_stroke(), &["meta_info", "board_size"], json!(3)), "stroke 1", "W is 3"),
        (
            with(chat_noir("lazy"), &["x"], json!(0)),
            "cat 1",
            "catPolicy.name is \"lazy\", not easy, medium or hard",
        ),
        (with(chat_noir("hard"), &at(&["catIndex"]), json!(37)), "cat 1", "catIndex"),
        (
            with(chat_noir("hard"), &["meta_info", "initial_block_count"], json!(3)),
            "cat 1",
            "initial_block_count is 3",
        ),
        (with(chat_noir("hard"), &["meta_info", "max_actions_per_traj"], json!(24)), "cat 1", "from 0 to 23"),
    ];
    for (row, id, wanted) in cases {
        // A case of one place is contradicted by the other; where it is the only place, by itself.
        let error = parse_row(&row.to_string(), 7).map(|row| row.item).unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert_eq!(error.row(), id);
        assert!(cause.contains(wanted), "{wanted:?} is not in {cause:?}");
    }
}

#[test]
fn an_unknown_key_is_ignored_and_a_row_without_id_named_by_its_line() {
    let row = with(pipe(), &["meta_info", "solution_steps_spec"], json!("easy"));
    assert_eq!(read(&row), read(&pipe()));
    let text = format!("{}\n\n{{\"id\": 3}}\n", pipe());
    let rows: Vec<_> = parse(&text).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].as_ref().unwrap(), &read(&pipe()), "a bad row does not spoil the others");
    assert_eq!(rows[1].as_ref().unwrap_err().to_string(), "row on line 3 can't be read");
    assert_eq!(parse("").count(), 0);
    assert!(parse("{").next().unwrap().is_err());
}
