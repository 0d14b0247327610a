//! `score` as its users run it.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::{command, pipes, run, scratch, words};
use serde_json::{Value, json};
use topotrace_core::{Level, Record, Split};

/// A folder with a dataset of two pipes and no responses yet.
struct Made {
    folder: PathBuf,
    rows: Vec<Record>,
}

impl Made {
    fn new(name: &str) -> Self {
        let folder = scratch(name);
        let rows = pipes(&folder.join("data"), &[Level::Easy, Level::Hard], &[Split::Test], 1);
        Made { folder, rows }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Writes responses to a file and names it.
    fn write(&self, lines: &[String]) -> String {
        fs::write(self.path("model.jsonl"), lines.join("\n")).unwrap();
        self.path("model.jsonl")
    }

    fn right(&self, row: usize) -> String {
        let record = &self.rows[row];
        json!({ "id": record.id, "response": format!("{{\"answer\": {}}}", record.answer) }).to_string()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_table_and_two_files() {
    let made = Made::new("table");
    let responses = made.write(&[made.right(0), "nonsense".to_owned(), made.right(0)]);
    let data = made.path("data");
    let (out, err) = words(&run(&["score", &responses, &data, "--quiet"]), true);
    let (easy, hard) = (&made.rows[0].query, &made.rows[1].query);
    let mut queries = [
        format!(
            "| pipe | {easy} | 1 |  100.0 % |      – | 100.0 % | 100.0 % | 1.000 |     1.000 |     1.000 |"
        ),
        format!(
            "| pipe | {hard} | 1 |    0.0 % |      – |   0.0 % |   0.0 % | 0.000 |     0.000 |    -0.100 |"
        ),
    ];
    queries.sort();
    // One of two is right, in strict form: (1 + 0) / 2, penalised (1 − 0.1) / 2.
    let wanted = format!(
        "\
| task | tier | n | accuracy | chance |  parsed |  format | exact | formatted | penalised |
|------|------|---|----------|--------|---------|---------|-------|-----------|-----------|
| pipe | easy | 1 |  100.0 % |      – | 100.0 % | 100.0 % | 1.000 |     1.000 |     1.000 |
| pipe | hard | 1 |    0.0 % |      – |   0.0 % |   0.0 % | 0.000 |     0.000 |    -0.100 |
| pipe | all  | 2 |   50.0 % |      – |  50.0 % |  50.0 % | 0.500 |     0.500 |     0.450 |

| task | query         | n | accuracy | chance |  parsed |  format | exact | formatted | penalised |
|------|---------------|---|----------|--------|---------|---------|-------|-----------|-----------|
{}

| mean of    | over              | n | accuracy | chance |  parsed |  format | exact | formatted | penalised |
|------------|-------------------|---|----------|--------|---------|---------|-------|-----------|-----------|
| easy       | 1 task            | 1 |  100.0 % |      – | 100.0 % | 100.0 % | 1.000 |     1.000 |     1.000 |
| hard       | 1 task            | 1 |    0.0 % |      – |   0.0 % |   0.0 % | 0.000 |     0.000 |    -0.100 |
| planning   | 1 task            | 2 |   50.0 % |      – |  50.0 % |  50.0 % | 0.500 |     0.500 |     0.450 |
| continuity | 1 task            | 2 |   50.0 % |      – |  50.0 % |  50.0 % | 0.500 |     0.500 |     0.450 |
| macro      | 1 of 5 properties | 2 |   50.0 % |      – |  50.0 % |  50.0 % | 0.500 |     0.500 |     0.450 |
| everything | all rows          | 2 |   50.0 % |      – |  50.0 % |  50.0 % | 0.500 |     0.500 |     0.450 |
no rows of separation, order, enclosure, knots: the macro mean is over the others

3 lines, 1 responses scored
missing responses, which count as wrong: 1: {missing}
further responses to one row, of which the first is scored: 1: line 3 ({first})
malformed lines: 1: line 2 (this is no JSON object: expected ident at column 2)
verdicts: {verdicts}
scores: {scores}
",
        queries.join("\n"),
        first = made.rows[0].id,
        missing = made.rows[1].id,
        verdicts = made.path("model.verdicts.jsonl"),
        scores = made.path("model.scores.json"),
    );
    assert_eq!(out, wanted);
    assert_eq!(err, "");
    assert_eq!(names(&made.folder), ["data", "model.jsonl", "model.scores.json", "model.verdicts.jsonl"]);
    let verdicts = fs::read_to_string(made.path("model.verdicts.jsonl")).unwrap();
    assert_eq!(verdicts.lines().count(), 2);
    let scores: Value =
        serde_json::from_str(&fs::read_to_string(made.path("model.scores.json")).unwrap()).unwrap();
    assert_eq!(scores["macro_mean"]["measures"]["accuracy"], json!(0.5));
    assert_eq!(scores["intake"]["malformed"]["first"][0]["line"], json!(2));
}

#[test]
fn strict_fails_after_everything_is_written() {
    let made = Made::new("strict");
    let (responses, data) = (made.write(&[made.right(0)]), made.path("data"));
    let out = made.path("out/deep");
    let (_, err) = words(&run(&["score", &responses, &data, "--strict", "--out", &out]), false);
    assert!(err.contains("not every row has exactly one response"), "{err}");
    assert_eq!(names(Path::new(&out)), ["model.scores.json", "model.verdicts.jsonl"]);
    let responses = made.write(&[made.right(1), made.right(0)]);
    let (table, _) = words(&run(&["score", &responses, &data, "--strict"]), true);
    assert!(table.contains("2 lines, 2 responses scored\nverdicts"), "{table}");
}

#[test]
fn what_can_not_be_scored_is_named_and_leaves_nothing() {
    let made = Made::new("nothing");
    let (responses, data) = (made.write(&[String::new()]), made.path("data"));
    let cases: [(&[&str], &str); 7] = [
        (&[&responses, &data], "there is no line with a response"),
        (
            &[&responses, &data, "--split", "train"],
            "no row is of split train; the dataset has rows of split test",
        ),
        (&[&responses, &data, "--split", "tset"], "the splits are train, validation and test"),
        (&[&responses, &data, "--tasks", "pip"], "did you mean \"pipe\"?"),
        (&[&responses], "there are 1 paths; a file of responses and the folder of a dataset are needed"),
        (&["no-such.jsonl", &data], "can't open no-such.jsonl"),
        (&[&data, &responses], "is a folder; a file of responses comes first"),
    ];
    for (arguments, wanted) in cases {
        let (_, err) = words(&run(&[&["score", "--quiet"], arguments].concat()), false);
        assert!(err.contains(wanted), "{err}");
    }
    assert_eq!(names(&made.folder), ["data", "model.jsonl"]);
}

#[test]
fn a_stream_answers_each_line_at_once() {
    let made = Made::new("stream");
    let data = made.path("data");
    // The same dataset twice: the same ids are the same instances.
    let mut judge = command(&["score", "--stream", &data, &data]);
    let mut judge = judge.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = judge.stdin.take().unwrap();
    let mut output = BufReader::new(judge.stdout.take().unwrap()).lines();
    let mut ask = |line: &str| -> Value {
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        serde_json::from_str(&output.next().unwrap().unwrap()).unwrap()
    };
    for row in [0, 1, 0] {
        let answer = ask(&made.right(row));
        assert_eq!(answer["id"], json!(made.rows[row].id));
        assert_eq!(answer["rewards"], json!({ "exact": 1.0, "formatted": 1.0, "penalised": 1.0 }));
        assert_eq!(answer["error"], Value::Null);
    }
    for line in ["", "nonsense", "[]", "{\"id\": \"x\", \"response\": \"\"}", "\u{0}"] {
        let answer = ask(line);
        assert!(answer["error"].is_string() && answer["rewards"]["exact"].is_null(), "{answer}");
    }
    let item: Value = serde_json::from_str(&made.rows[0].trace).unwrap();
    let line = json!({ "task": "pipe", "item": item["item"], "response": "?", "request": 7 }).to_string();
    let answer = ask(&line);
    assert_eq!((&answer["request"], &answer["reason"]), (&json!(7), &json!("missing")));
    drop(input);
    assert!(judge.wait().unwrap().success());
}

#[test]
fn a_stream_needs_no_dataset_and_outlives_no_reader() {
    let mut judge = command(&["score", "--stream"]);
    judge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut judge = judge.spawn().unwrap();
    drop(judge.stdout.take());
    // The write fails when the judge is faster to end.
    let _ = judge.stdin.take().unwrap().write_all(b"{}\n{}\n{}\n");
    let (_, err) = words(&judge.wait_with_output().unwrap(), false);
    assert!(!err.contains("panicked") && err.starts_with("error: "), "{err}");
    let output = command(&["score", "--stream"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(words(&output, true), (String::new(), String::new()));
    words(&run(&["score", "--stream", "--strict"]), false);
}
