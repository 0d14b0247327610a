//! Hand-made responses of every kind, and the table that they give, worked out by hand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::{
    self,
    sample::{Sample, edited},
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;
use topotrace_core::{Answer, Level, Registry, Split};
use topotrace_dataset::Error;
use topotrace_dataset::score::{Intake, Measures, Question, Questions, RowFilter, Scores, Stream, score};
use topotrace_dataset::{BuildOptions, Dataset, Plan, PlanOptions, Selection, build};

/// Builds `count` instances of each task and tier.
fn make(folder: &Path, tasks: &[&str], tiers: &[Level], count: u32) -> PathBuf {
    let selection = Selection {
        tasks: tasks.iter().map(|task| (*task).to_owned()).collect(),
        difficulties: tiers.iter().map(|&tier| tier.into()).collect(),
        counts: [(Split::Test, count)].into(),
        ..Selection::default()
    };
    let options = PlanOptions { seed: 1, side: 512, theme: None };
    let plan = Plan::of_selection(&topotrace::registry(), &selection, options).unwrap();
    let folder = folder.join(tasks[0].replace('/', "-"));
    build(&plan, &folder, &BuildOptions::default(), &mut |_| {}).unwrap();
    folder
}

fn read(folders: &[PathBuf]) -> Result<Questions, Error> {
    Questions::read(&topotrace::registry(), folders, &RowFilter::default(), &mut |_, _| {})
}

/// Rows 0 to 2 are bars (easy), 3 to 5 bars (hard), 6 to 8 pipe (easy), 9 to 11 pipe (hard) and
/// 12 to 16 reach (easy).
struct Made {
    _around: TempDir,
    folders: Vec<PathBuf>,
    questions: Questions,
    /// The recorded answers.
    answers: Vec<String>,
}

impl Made {
    fn new() -> Self {
        let around = tempfile::tempdir().unwrap();
        let both = [Level::Easy, Level::Hard];
        let folders = vec![
            make(around.path(), &["maze-2d/bars", "pipe"], &both, 3),
            make(around.path(), &["maze-2d/reach"], &[Level::Easy], 5),
        ];
        let questions = read(&folders).unwrap();
        let rows = folders.iter().flat_map(|folder| {
            let dataset = Dataset::open(folder).unwrap();
            dataset.rows().map(|row| row.unwrap().record.answer).collect::<Vec<_>>()
        });
        Made { answers: rows.collect(), questions, folders, _around: around }
    }

    fn id(&self, row: usize) -> String {
        self.questions.rows()[row].id.to_string()
    }

    fn line(&self, row: usize, response: impl Into<Value>) -> String {
        json!({ "id": self.id(row), "response": response.into(), "model": "by hand" }).to_string()
    }

    /// A set of names that is legal and wrong.
    fn wrong(&self, row: usize) -> String {
        let names: BTreeSet<String> = serde_json::from_str(&self.answers[row]).unwrap();
        let other = if names == BTreeSet::from(["B".to_owned()]) { "C" } else { "B" };
        Answer::set([other]).to_json()
    }

    fn score(&self, text: &str) -> Result<(Scores, Vec<Value>), Error> {
        let mut verdicts = Vec::new();
        let scores = score(&self.questions, &mut text.as_bytes(), &mut verdicts, &mut |_| {})?;
        let lines = String::from_utf8(verdicts).unwrap();
        Ok((scores, lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()))
    }
}

/// Every kind of response and of line, with CRLF, a byte order mark and a blank line.
fn hand_made(made: &Made) -> String {
    let strict = |row: usize| format!("So it is.\n{{\"answer\": {}}}", made.answers[row]);
    let loose = |row: usize| format!("It is {{\"answer\": {}}}, I think.", made.answers[row]);
    let mauve = r#"{"answer": ["mauve"]}"#;
    let lines = [
        made.line(16, Value::Null),
        made.line(0, strict(0)),
        made.line(1, loose(1)),
        made.line(2, format!("The final answer: {}", made.answers[2])),
        String::new(),
        made.line(3, format!("Well.\n\n{}", made.answers[3])),
        made.line(4, mauve),
        made.line(5, r#"{"answer": true}"#),
        made.line(6, strict(6)),
        made.line(7, loose(7)),
        made.line(8, r#"{"answer": []}"#),
        made.line(9, strict(9)),
        made.line(10, "I do not know."),
        made.line(11, r#"{"answer": []}"#),
        made.line(11, strict(11)),
        made.line(12, strict(12)),
        made.line(13, r#"{"answer": ["B"]} or {"answer": ["C"]}, who knows"#),
        made.line(14, format!(r#"{{"answer": {}}}"#, made.wrong(14))),
        json!({ "id": "0".repeat(32), "response": strict(0) }).to_string(),
        json!({ "id": "no digest", "response": "" }).to_string(),
        "{\"id\": \"half".to_owned(),
        json!({ "id": made.id(15) }).to_string(),
    ];
    format!("\u{feff}{}", lines.join("\r\n"))
}

/// Rows, accuracy, parse rate, format rate, and the three rewards.
fn assert_measures(found: &Measures, rows: u64, wanted: [f64; 6]) {
    let rewards = found.rewards;
    let numbers = [
        found.accuracy,
        found.parse_rate,
        found.format_rate,
        rewards.exact,
        rewards.formatted,
        rewards.penalised,
    ];
    assert_eq!(found.rows, rows);
    let close = numbers.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6);
    assert!(close, "{numbers:?} is not {wanted:?}");
}

#[test]
fn the_table_is_the_one_worked_out_by_hand() {
    let made = Made::new();
    let (scores, _) = made.score(&hand_made(&made)).unwrap();
    // Right strictly, loosely, by phrase: (1 + 0.95 + 0.95) / 3 formatted.
    assert_measures(&scores.tasks[0].levels[0].measures, 3, [1.0, 1.0, 0.333_333_3, 1.0, 0.966_666_7, 1.0]);
    // Right as a lone value, illegal, of the wrong type: (1 − 0.1 − 0.1) / 3 penalised.
    assert_measures(
        &scores.tasks[0].levels[1].measures,
        3,
        [0.333_333_3, 0.333_333_3, 0.0, 0.333_333_3, 0.316_666_7, 0.266_666_7],
    );
    // Four of six; formatted (2.9 + 0.95) / 6, penalised (3 + 0.8) / 6.
    assert_measures(
        &scores.tasks[0].measures,
        6,
        [0.666_666_7, 0.666_666_7, 0.166_666_7, 0.666_666_7, 0.641_666_7, 0.633_333_3],
    );
    // Right strictly, right loosely, an empty plan: legal, in form and wrong. Formatted
    // (1 + 0.95 + 0.05) / 3.
    assert_measures(
        &scores.tasks[2].levels[0].measures,
        3,
        [0.666_666_7, 1.0, 0.666_666_7, 0.666_666_7, 0.666_666_7, 0.666_666_7],
    );
    // Right strictly, nothing read, an empty plan whose better second try is not scored.
    // Formatted (1 + 0 + 0.05) / 3, penalised (1 − 0.1 + 0) / 3.
    assert_measures(
        &scores.tasks[2].levels[1].measures,
        3,
        [0.333_333_3, 0.666_666_7, 0.666_666_7, 0.333_333_3, 0.35, 0.3],
    );
    // Three of six; formatted (2 + 1.05) / 6, penalised (2 + 0.9) / 6.
    assert_measures(
        &scores.tasks[2].measures,
        6,
        [0.5, 0.833_333_3, 0.666_666_7, 0.5, 0.508_333_3, 0.483_333_3],
    );
    // Right strictly, conflicting, wrong strictly, missing, null. Formatted (1 + 0.05) / 5,
    // penalised (1 − 0.1 + 0 − 0.1 − 0.1) / 5.
    assert_measures(&scores.tasks[1].measures, 5, [0.2, 0.4, 0.4, 0.2, 0.21, 0.14]);

    // The three tasks: (1 + 0.2 + 2/3) / 3, (1 + 0.4 + 1) / 3, (1/3 + 0.4 + 2/3) / 3, then
    // (2.9/3 + 0.21 + 2/3) / 3 and (1 + 0.14 + 2/3) / 3.
    assert_measures(
        &scores.levels[0].measures,
        11,
        [0.622_222_2, 0.8, 0.466_666_7, 0.622_222_2, 0.614_444_4, 0.602_222_2],
    );
    // Bars and pipe: (0.95/3 + 0.35) / 2 and (0.8/3 + 0.3) / 2 in the end.
    assert_measures(
        &scores.levels[1].measures,
        6,
        [0.333_333_3, 0.5, 0.333_333_3, 0.333_333_3, 0.333_333_3, 0.283_333_3],
    );
    // Bars and reach: (4/6 + 0.2) / 2 and so on, though bars has one row more.
    let reasoning = [0.433_333_3, 0.533_333_3, 0.283_333_3, 0.433_333_3, 0.425_833_3, 0.386_666_7];
    assert_measures(&scores.kinds[0].measures, 11, reasoning);
    assert_measures(
        &scores.kinds[1].measures,
        6,
        [0.5, 0.833_333_3, 0.666_666_7, 0.5, 0.508_333_3, 0.483_333_3],
    );
    // (4/6 + 0.2 + 0.5) / 3, (4/6 + 0.4 + 5/6) / 3, (1/6 + 0.4 + 4/6) / 3, then
    // (3.85/6 + 0.21 + 3.05/6) / 3 and (3.8/6 + 0.14 + 2.9/6) / 3.
    let all_tasks = [0.455_555_6, 0.633_333_3, 0.411_111_1, 0.455_555_6, 0.453_333_3, 0.418_888_9];
    assert_measures(&scores.properties[0].measures, 17, all_tasks);
    assert_measures(&scores.macro_mean.measures, 17, all_tasks);
    // 4 + 1 + 3 right of 17, 4 + 2 + 5 read, 1 + 2 + 4 in form, then 3.85 + 1.05 + 3.05 and
    // 3.8 + 0.7 + 2.9.
    assert_measures(
        &scores.all_rows,
        17,
        [0.470_588_2, 0.647_058_8, 0.411_764_7, 0.470_588_2, 0.467_647_1, 0.435_294_1],
    );
}

#[test]
fn means_say_what_they_are_over() {
    let made = Made::new();
    let (scores, _) = made.score(&made.line(0, "")).unwrap();
    let over = |means: &[topotrace_dataset::score::Mean]| -> Vec<(String, usize)> {
        means.iter().map(|mean| (mean.name.clone(), mean.over.len())).collect()
    };
    assert_eq!(over(&scores.levels), [("easy".to_owned(), 3), ("hard".to_owned(), 2)]);
    assert_eq!(over(&scores.kinds), [("reasoning".to_owned(), 2), ("planning".to_owned(), 1)]);
    assert_eq!(scores.macro_mean.over, ["continuity"]);
    assert_eq!(scores.absent_properties.len(), 4);
    assert_eq!(scores.splits, ["test"]);
    let names: Vec<_> = scores.tasks.iter().map(|task| task.task.as_str()).collect();
    assert_eq!(names, ["maze-2d/bars", "maze-2d/reach", "pipe"]);
    assert_eq!(scores.tasks.iter().map(|task| task.distinct_queries).collect::<Vec<_>>()[..2], [1, 1]);
    let budgets: BTreeSet<&str> = made.questions.rows()[6..12].iter().map(|q| q.query.as_str()).collect();
    let queries: Vec<_> = scores.tasks[2].queries.iter().map(|query| query.query.as_str()).collect();
    assert_eq!(queries, Vec::from_iter(budgets));
    // A blind guess over k names is right once in 2^k times; a plan has no such level.
    assert_eq!(scores.tasks[2].measures.chance, None);
    assert_eq!(scores.all_rows.chance, None);
    let mean = |rows: &[Question]| rows.iter().map(|q| q.chance.unwrap()).sum::<f64>() / rows.len() as f64;
    let (bars, reach) = (mean(&made.questions.rows()[..6]), mean(&made.questions.rows()[12..]));
    assert!((scores.kinds[0].measures.chance.unwrap() - (bars + reach) / 2.0).abs() < 1e-12);
    assert!(bars > 0.0 && bars < 0.5);
}

#[test]
fn every_line_is_counted_and_every_row_has_one_verdict() {
    let made = Made::new();
    let (scores, verdicts) = made.score(&hand_made(&made)).unwrap();
    let Intake { lines, scored, unselected, repeated_rows, missing, null, unknown, duplicate, malformed } =
        scores.intake;
    assert_eq!((lines, scored, unselected, repeated_rows), (21, 15, 0, 0));
    assert_eq!(missing.first, [made.questions.rows()[15].id, made.questions.rows()[16].id]);
    assert_eq!((missing.count, null.count, unknown.count, duplicate.count, malformed.count), (2, 1, 2, 1, 2));
    assert_eq!((null.first[0].line, &null.first[0].id), (1, &made.id(16)));
    assert_eq!((unknown.first[0].line, unknown.first[1].id.as_str()), (19, "no digest"));
    assert_eq!((duplicate.first[0].line, &duplicate.first[0].id), (15, &made.id(11)));
    assert!(malformed.first[0].line == 21 && malformed.first[0].reason.starts_with("this is no JSON object"));
    assert_eq!((malformed.first[1].line, malformed.first[1].reason.as_str()), (22, "there is no response"));

    let ids: Vec<&str> = verdicts.iter().map(|verdict| verdict["id"].as_str().unwrap()).collect();
    assert_eq!(ids, Vec::from_iter((0..17).map(|row| made.id(row))), "responses first, then missing rows");
    let reasons: Vec<&str> = verdicts.iter().map(|verdict| verdict["reason"].as_str().unwrap()).collect();
    let wanted = "right right right right illegal wrong_type right right wrong right missing wrong right \
                  conflicting wrong missing missing";
    assert_eq!(reasons, Vec::from_iter(wanted.split(' ')));
    let responded = verdicts.iter().filter(|verdict| verdict["responded"] == true).count();
    assert_eq!(responded, 15);
    let keys = |verdict: &Value| Vec::from_iter(verdict.as_object().unwrap().keys().cloned());
    assert!(verdicts.iter().all(|verdict| keys(verdict) == keys(&verdicts[0])));
    assert_eq!(keys(&verdicts[0]).len(), 16);
    assert_eq!(
        (&verdicts[8]["task"], &verdicts[8]["level"], &verdicts[8]["layer"], &verdicts[8]["formatted"]),
        (&json!("pipe"), &json!("easy"), &json!("strict"), &json!(0.05))
    );
}

#[test]
fn the_order_of_responses_and_the_number_of_threads_change_no_score() {
    let made = Made::new();
    let text = hand_made(&made);
    let mut lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let there = made.score(&text).unwrap();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one.install(|| made.score(&text).unwrap()), there);
    // The two responses to one row must stay in their order.
    lines.swap(13, 14);
    lines.reverse();
    let back = made.score(&lines.join("\n")).unwrap();
    assert_eq!(Scores { intake: there.0.intake.clone(), ..back.0 }, there.0);
    assert_ne!(back.1, there.1);
}

#[test]
fn what_is_not_selected_is_told_from_what_is_unknown() {
    let made = Made::new();
    let registry = topotrace::registry();
    let pipes = RowFilter::new(&registry, [Split::Test], &["pipe".to_owned()]).unwrap();
    let questions = Questions::read(&registry, &made.folders, &pipes, &mut |_, _| {}).unwrap();
    assert_eq!(questions.rows().len(), 6);
    let text = hand_made(&made);
    let scores = score(&questions, &mut text.as_bytes(), &mut Vec::new(), &mut |_| {}).unwrap();
    assert_eq!((scores.intake.unselected, scores.intake.unknown.count, scores.intake.scored), (10, 2, 6));
    assert!(scores.intake.missing.count == 0);

    let trains = RowFilter::new(&registry, [Split::Train], &["maze-2d".to_owned()]).unwrap();
    let error = Questions::read(&registry, &made.folders, &trains, &mut |_, _| {}).err().unwrap();
    assert!(error.is_nothing_to_score());
    let flaw = std::error::Error::source(&error).unwrap().to_string();
    assert!(flaw.contains("no row is of split train and of task maze-2d/bars, maze-2d/reach"), "{flaw}");
    assert!(flaw.contains("rows of split test"), "{flaw}");
    assert!(RowFilter::new(&registry, [], &["pip".to_owned()]).is_err());
    assert!(made.score("\r\n \n").unwrap_err().is_nothing_to_score());
}

#[test]
fn an_instance_that_occurs_twice_is_one_question() {
    let made = Made::new();
    let folders: Vec<PathBuf> = made.folders.iter().chain(&made.folders).cloned().collect();
    let questions = read(&folders).unwrap();
    assert_eq!((questions.rows().len(), questions.repeated()), (17, 17));
}

/// Why the questions of a forged sample are refused.
fn refused(registry: &Registry, sample: &Sample) -> String {
    let folders = [sample.folder.path().to_owned()];
    let error = Questions::read(registry, &folders, &RowFilter::default(), &mut |_, _| {}).err().unwrap();
    assert!(error.is_invalid_content(), "{error}");
    format!("{error}: {}", std::error::Error::source(&error).unwrap())
}

#[test]
fn a_record_that_is_not_what_its_task_makes_is_named() {
    let mut sample = Sample::new();
    let id = sample.ids[2].clone();
    let batch = edited(&sample.batch(), "trace", |traces| traces.swap(2, 3));
    sample.forge(&[batch]);
    let text = refused(&common::registry(), &sample);
    assert!(text.contains(&id) && text.contains("its item is that of instance"), "{text}");
    let text = refused(&topotrace::registry(), &sample);
    assert!(text.contains("task \"dots/red\" is unknown"), "{text}");
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "split", |splits| splits[0] = Some("train".to_owned()));
    sample.forge(&[batch]);
    assert!(refused(&common::registry(), &sample).contains("its split is train but"));
}

const KEYS: [&str; 9] = ["answer", "error", "id", "layer", "legal", "reason", "request", "rewards", "right"];

/// The answers to the lines of `input`, all of the same keys.
fn serve(registry: &Registry, questions: &Questions, input: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    Stream::new(registry, questions).serve(input, &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for answer in &answers {
        let mut keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        keys.sort();
        assert_eq!(keys, KEYS);
        assert_eq!(answer["rewards"].as_object().unwrap().len(), 3);
        assert_eq!(answer["error"].is_null(), answer["rewards"]["exact"].is_number(), "{answer}");
    }
    answers
}

#[test]
fn a_stream_says_what_scoring_says() {
    let made = Made::new();
    let text = hand_made(&made);
    let answers = serve(&topotrace::registry(), &made.questions, text.as_bytes());
    let (_, verdicts) = made.score(&text).unwrap();
    assert_eq!(answers.len(), 22);
    // Neither the null response, nor the blank line, nor the second response to row 11.
    let judged = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17];
    for (verdict, answer) in verdicts.iter().zip(judged.map(|at| &answers[at])) {
        for key in ["id", "right", "legal", "layer", "reason", "answer"] {
            assert_eq!(verdict[key], answer[key]);
        }
        for key in ["exact", "formatted", "penalised"] {
            assert_eq!(verdict[key], answer["rewards"][key]);
        }
    }
    assert_eq!(answers[0]["rewards"]["penalised"], json!(-0.1));
    assert_eq!(answers[14]["right"], true);
    let errors: Vec<&str> = [4, 18, 20, 21].map(|at| answers[at]["error"].as_str().unwrap()).to_vec();
    assert_eq!(errors[0], "the line is empty");
    assert!(errors[1].starts_with("id \"000") && errors[1].ends_with("is unknown"));
    assert!(errors[2].starts_with("this is no JSON object") && errors[3] == "there is no response");
}

#[test]
fn a_line_may_hold_its_instance() {
    let made = Made::new();
    let registry = topotrace::registry();
    let dataset = Dataset::open(&made.folders[0]).unwrap();
    let record = dataset.rows().nth(6).unwrap().unwrap().record;
    let item: Value = serde_json::from_str(record.parse_trace().unwrap().item.get()).unwrap();
    let response = format!("{{\"answer\": {}}}", record.answer);
    let lines = [
        json!({ "task": "pipe", "item": item, "response": response, "request": {"a": [1, null]} }),
        json!({ "task": "pipe", "item": item.to_string(), "response": "no", "id": made.id(6) }),
        json!({ "task": "pipe", "item": item, "response": response, "id": made.id(7) }),
        json!({ "task": "pip", "item": item, "response": response }),
        json!({ "task": "maze-2d/reach", "item": item, "response": response }),
        json!({ "item": item, "response": response }),
        json!({ "task": "pipe", "item": null, "id": null, "response": response }),
    ];
    let input = lines.each_ref().map(Value::to_string).join("\n");
    let answers = serve(&registry, &Questions::default(), input.as_bytes());
    assert_eq!(answers[0]["id"], made.id(6));
    assert_eq!((&answers[0]["right"], &answers[0]["request"]), (&json!(true), &lines[0]["request"]));
    assert_eq!((&answers[1]["reason"], &answers[1]["request"]), (&json!("missing"), &Value::Null));
    let error = |at: usize| answers[at]["error"].as_str().unwrap();
    assert_eq!(error(2), format!("id is {} but the item has {}", made.id(7), made.id(6)));
    assert!(error(3).contains("did you mean \"pipe\""));
    assert!(error(4).starts_with("this is no item of maze-2d/reach: "));
    assert_eq!(error(5), "there is an item but no task");
    assert_eq!(error(6), "there is neither an id nor an item");
}

#[test]
fn a_request_comes_back_in_one_line() {
    let input = b"{\"request\": {\"a\":\r[1e999]}, \"response\": \"a\"}\n\r\n{\"request\": \"\\r\"}";
    let answers = serve_text(input);
    assert_eq!(answers.matches(['\r', '\n']).count(), 3);
    assert!(answers.contains(r#""request":{"a": [1e999]}"#) && answers.contains(r#""request":"\r""#));
}

fn serve_text(input: &[u8]) -> String {
    let (registry, questions) = (topotrace::registry(), Questions::default());
    let mut output = Vec::new();
    Stream::new(&registry, &questions).serve(input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// Lines that are nearly right: keys that mean something with values that may not.
fn nearly_a_line() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!({"state": {}, "marks": null, "query": null})),
        any::<f64>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        Just(json!("maze-2d/reach")),
        Just(json!("pipe")),
    ];
    let key = prop::sample::select(vec!["id", "response", "request", "task", "item", "other"]);
    let line =
        prop::collection::btree_map(key, value, 0..6).prop_map(|map| json!(map).to_string().into_bytes());
    (line, any::<prop::sample::Index>(), any::<Option<u8>>()).prop_map(|(mut line, at, byte)| {
        let at = at.index(line.len());
        if let Some(byte) = byte {
            line[at] = byte;
        }
        line
    })
}

proptest! {
    #[test]
    fn any_bytes_give_one_answer_a_line(
        mut lines in prop::collection::vec(prop_oneof![any::<Vec<u8>>(), nearly_a_line()], 0..8),
    ) {
        lines.iter_mut().for_each(|line| line.retain(|byte| *byte != b'\n'));
        let input: Vec<u8> = lines.iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect();
        let (registry, questions) = (topotrace::registry(), Questions::default());
        prop_assert_eq!(serve(&registry, &questions, &input).len(), lines.len());
    }
}
