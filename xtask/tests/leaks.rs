//! `leaks` as its users run it.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::{pipes, run, scratch, words};
use serde_json::{Value, json};
use topotrace_core::{Level, Split};

#[test]
fn shared_states_fail_and_are_named() {
    let folder = scratch("leaks");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let few = pipes(&folder.join("few"), &[Level::Easy], &[Split::Test], 1);
    let more = pipes(&folder.join("more"), &[Level::Easy], &[Split::Train, Split::Test], 2);
    pipes(&folder.join("train"), &[Level::Easy], &[Split::Train], 2);
    let id = few[0].id;
    assert!(more.iter().any(|record| record.id == id), "the same seed gives the same first instance");

    let json_file = path("leaks.json");
    let (out, err) = words(&run(&["leaks", &path("few"), &path("more"), "--json", &json_file]), false);
    let wanted = format!(
        "\
| scene | A    | B    | states | rows of A | rows of B | first of A                       | first of B                       |
|-------|------|------|--------|-----------|-----------|----------------------------------|----------------------------------|
| pipe  | test | test | 1      | 1         | 1         | {id} | {id} |
"
    );
    assert_eq!(out, wanted);
    assert_eq!(err, "error: 1 states are shared; 0 lie in several splits of one dataset\n");
    let leaks: Value = serde_json::from_str(&fs::read_to_string(json_file).unwrap()).unwrap();
    assert_eq!((&leaks["shared_states"], &leaks["b"]["rows"]), (&json!(1), &json!(4)));
    assert_eq!(leaks["shared"][0]["ids_a"], json!([id]));

    let (out, err) = words(&run(&["leaks", &path("few"), &path("train"), "--quiet"]), true);
    assert_eq!(out, "no state is shared: 1 states of 1 rows and 2 states of 2 rows\n");
    assert_eq!(err, "");
    words(&run(&["leaks", &path("few"), &path("nowhere")]), false);
}
