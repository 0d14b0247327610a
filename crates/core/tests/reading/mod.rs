//! Rows of responses and what is read from them.

use topotrace_core::reading::{Reading, read};
use topotrace_core::{ActionShape, Domain, Field, Layer};

/// The domain's short name, the response, and the reading as [`words`] puts it.
pub type Row = (&'static str, &'static str, &'static str);

pub fn domain(name: &str) -> Domain {
    let names = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let letters = || names("A B C D");
    let moves = || ActionShape::Label { members: names("U D L R") };
    let cell = || ActionShape::Object { fields: vec![Field::new("x", 0, 4), Field::new("y", 0, 4)] };
    match name {
        "int" => Domain::Integer { min: -2, max: 20 },
        "large" => Domain::Integer { min: i64::MIN, max: i64::MAX },
        "label" => Domain::Label { members: letters() },
        "word" => Domain::Label { members: ["yes", "no", "not linked"].map(String::from).to_vec() },
        "digit" => Domain::Label { members: names("1 2 3") },
        "set" => Domain::Set { members: letters(), at_least: 0 },
        "set2" => Domain::Set { members: letters(), at_least: 2 },
        "bars" => Domain::Set { members: names("red green blue"), at_least: 0 },
        "bar" => Domain::Label { members: names("red green blue") },
        "reach" => Domain::Set { members: names("B C D E"), at_least: 0 },
        "setnone" => Domain::Set { members: names("A none"), at_least: 0 },
        "seq" => Domain::Sequence { members: names("RED BLUE GREEN"), length: 2 },
        "act" => Domain::Action { shape: ActionShape::Integer { min: 0, max: 12 } },
        "move" => Domain::Action { shape: moves() },
        "cell" => Domain::Action { shape: cell() },
        "plan" => Domain::Plan { shape: cell(), at_most: 2 },
        "moves" => Domain::Plan { shape: moves(), at_most: 2 },
        other => panic!("no domain is named {other}"),
    }
}

/// `strict 17` for a legal answer, `strict: Illegal 21` for a refusal with what was found.
pub fn words(reading: &Reading) -> String {
    let layer = |layer: Layer| match layer {
        Layer::Strict => "strict",
        Layer::LooseObject => "loose",
        Layer::Phrase => "phrase",
        Layer::LoneValue => "lone",
    };
    match reading {
        Reading::Legal { layer: spoke, answer } => format!("{} {}", layer(*spoke), answer.to_json()),
        Reading::Refused { layer: spoke, reason, found } => {
            let found = found.as_ref().map_or(String::new(), |found| format!(" {found}"));
            format!("{}: {reason:?}{found}", spoke.map_or("none", layer))
        }
    }
}

pub fn check(rows: &[Row]) {
    let mut failures = Vec::new();
    for (name, response, expected) in rows {
        let got = words(&read(response, &domain(name)));
        if got != *expected {
            failures.push(format!("{name}: {response:?}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(failures.is_empty(), "{} rows:\n{}", failures.len(), failures.join("\n"));
}
