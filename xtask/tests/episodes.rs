//! `play`, `episode` and `baseline` as their users run them.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};

use common::{command, run, scratch, words};
use serde_json::{Value, json};

/// Runs a command with these lines on its standard input.
fn run_with(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = command(arguments);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_game_is_played_by_hand_and_by_the_oracle() {
    let folder = scratch("play");
    let out = folder.to_str().unwrap();
    let start = ["play", "pipe", "--tier", "easy", "--seed", "3", "--size", "128", "--out", out];
    let lines = "legal\n?\nwhatever\n9 9\nundo\nundo\n{\"answer\": {\"x\": 3, \"y\": 9}}\nrestart\n";
    let (text, _) = words(&run_with(&start, lines.as_bytes()), true);
    assert!(text.contains("{\"x\":0,\"y\":3}") && text.contains("The oracle would play {\"x\":"), "{text}");
    assert!(text.contains("no step is used up"), "{text}");
    assert!(text.contains("are not both below 4. A step is used up."), "{text}");
    assert!(text.contains("There is no step to take back."), "{text}");
    let counts: Vec<&str> = text.lines().filter(|line| line.ends_with(" steps left")).collect();
    assert_eq!(counts.first(), counts.last(), "restart gives all steps back");
    let picture = folder.join("pipe.png");
    let before = fs::read(&picture).unwrap();

    let (text, _) = words(&run_with(&start, "!\n".repeat(60).as_bytes()), true);
    assert!(text.contains("Done, in ") && text.contains("The oracle sees no way from here."), "{text}");
    assert_ne!(before, fs::read(&picture).unwrap(), "the picture follows the game");

    let (_, err) = words(&run(&["play", "maze-2d/reach", "--out", out]), false);
    assert!(err.contains("only planning tasks have episodes"), "{err}");
    words(&run(&["play"]), false);
}

#[test]
fn requests_are_answered_line_by_line_and_pictures_filed() {
    let folder = scratch("episode");
    let pictures = folder.join("pictures");
    let arguments = ["episode", "--stdio", "--pictures", pictures.to_str().unwrap()];
    let mut input =
        b"{\"do\": \"reset\", \"task\": \"swap\", \"tier\": \"easy\"}\n\nnonsense\n\xff\xfe\n".to_vec();
    input.extend(b"{\"do\": \"observe\", \"episode\": 0, \"size\": 64, \"picture\": \"file\"}");
    let (out, _) = words(&run_with(&arguments, &input), true);
    let replies: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let held: Vec<&Value> = replies.iter().map(|reply| &reply["ok"]).collect();
    assert_eq!(held, [&json!(true), &json!(false), &json!(false), &json!(false), &json!(true)]);
    let files: Vec<&str> =
        replies[4]["pictures"].as_array().unwrap().iter().map(|p| p["file"].as_str().unwrap()).collect();
    assert_eq!(files.len(), 2, "a swap shows what is and what is wanted");
    assert!(files.iter().all(|file| fs::read(file).unwrap().starts_with(b"\x89PNG")));
    words(&run(&["episode"]), false);
}

#[test]
fn a_policy_plays_the_instances_of_a_build_whatever_the_threads() {
    let folder = scratch("baseline");
    let table = |policy: &str, threads: &str| {
        let json = folder.join(format!("{policy}-{threads}.json"));
        let arguments =
            ["baseline", "--policy", policy, "--tasks", "pipe,one-stroke,maze-2d", "--tiers", "easy"];
        let rest = ["--count", "3", "--threads", threads, "--quiet", "--json", json.to_str().unwrap()];
        let (out, _) = words(&run(&[&arguments[..], &rest].concat()), true);
        (out, serde_json::from_str::<Value>(&fs::read_to_string(json).unwrap()).unwrap())
    };
    let (out, rows) = table("oracle", "1");
    assert!(out.starts_with("policy oracle\n"), "{out}");
    let facts: Vec<(&Value, &Value, &Value, &Value)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["task"], &row["level"], &row["episodes"], &row["success"]))
        .collect();
    let (one, all) = (json!(1.0), json!("all"));
    let (stroke, pipe, easy, three, six) =
        (json!("one-stroke"), json!("pipe"), json!("easy"), json!(3), json!(6));
    let wanted = [
        (&stroke, &easy, &three, &one),
        (&stroke, &all, &three, &one),
        (&pipe, &easy, &three, &one),
        (&pipe, &all, &three, &one),
        (&all, &all, &six, &one),
    ];
    assert_eq!(facts, wanted);
    assert!(rows.as_array().unwrap().iter().all(|row| row["mean_over_optimality"] == json!(0.0)));
    assert_eq!(table("random", "1"), table("random", "2"));
    let (_, err) = words(&run(&["baseline", "--policy", "oracle", "--tasks", "maze-2d"]), false);
    assert!(err.contains("planning task"), "{err}");
    let (_, err) = words(&run(&["baseline", "--policy", "best", "--tasks", "pipe"]), false);
    assert!(err.contains("oracle, random and greedy"), "{err}");
}

#[test]
fn a_published_row_is_played() {
    let folder = scratch("mindtopo");
    let file = folder.join("question.jsonl");
    let row = |id: &str, least: u32| {
        json!({"id": id, "category": ["order_swap_2d_puzzle"], "meta_info": {
            "difficulty": "easy", "max_actions_per_traj": 4, "initial_state": { "reset_config": {
                "gridRows": 2, "gridCols": 2, "selectedBlockIds": ["G", "R", "P"], "theoreticalMinSteps": least,
                "initialArrangement": ["_", "G", "R", "P"], "goalArrangement": ["P", "R", "G", "_"],
            }},
        }})
    };
    let broken = "{\"id\": \"c\", \"category\": []}";
    fs::write(&file, format!("{}\n{broken}\n{}\n", row("a", 4), row("b", 3))).unwrap();
    let path = file.to_str().unwrap();
    let (out, _) = words(&run(&["baseline", "--policy", "oracle", "--mindtopo", path, "--quiet"]), true);
    assert!(out.contains("rows whose stored reference length is not the least: 1"), "{out}");
    assert!(out.contains("| swap | easy |        2 | 100.0 % |"), "{out}");
    let play = |row: &str| {
        let out = folder.join("pictures");
        run_with(&["play", "--mindtopo", path, "--row", row, "--out", out.to_str().unwrap()], b"!\n!\n!\n!\n")
    };
    assert!(out.contains("not played: row c can't be read: category is []"), "{out}");
    let (out, _) = words(&play("b"), true);
    assert!(out.contains("Done, in 4 steps"), "{out}");
    let (_, err) = words(&play("3"), false);
    assert!(err.contains("has no row \"3\": it has 3 rows"), "{err}");
    let (_, err) = words(&play("c"), false);
    assert!(err.contains("row c can't be read") && err.contains("category"), "{err}");
    fs::write(&file, broken).unwrap();
    let (_, err) = words(&run(&["baseline", "--policy", "oracle", "--mindtopo", path]), false);
    assert!(err.contains("can be played; 1 were refused"), "{err}");
}
