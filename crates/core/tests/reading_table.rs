//! What is read from a response, row by row.

use topotrace_core::reading::{LONGEST, Reading, read};
use topotrace_core::{ActionShape, Domain, Field, Layer};

/// The domain's short name, the response, and the reading as [`words`] puts it.
type Row = (&'static str, &'static str, &'static str);

fn domain(name: &str) -> Domain {
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
fn words(reading: &Reading) -> String {
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

fn check(rows: &[Row]) {
    let mut failures = Vec::new();
    for (name, response, expected) in rows {
        let got = words(&read(response, &domain(name)));
        if got != *expected {
            failures.push(format!("{name}: {response:?}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(failures.is_empty(), "{} rows:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn strict_objects() {
    check(&[
        ("int", r#"{"answer": 17}"#, "strict 17"),
        ("int", r#"{"answer":-2}"#, "strict -2"),
        ("int", r#"{"answer": -0}"#, "strict 0"),
        ("int", "I count them.\n\n{\"answer\": 17}\n", "strict 17"),
        ("int", "```json\n{\"answer\": 17}\n```", "strict 17"),
        ("int", "```\n{\"answer\": 17}\n```  \n\n", "strict 17"),
        ("int", "{\r\n  \"answer\": 17\r\n}\r\n", "strict 17"),
        ("int", "\u{feff}{\"answer\": 17}", "strict 17"),
        ("int", "{\"answer\": 17}\u{a0}\u{2003}", "strict 17"),
        ("int", r#"5" long so {"answer": 4}"#, "strict 4"),
        ("int", r#"the set { 1, 2 and "so on {"answer": 4}"#, "strict 4"),
        ("int", r#"}}}"""{"answer": 4}"#, "strict 4"),
        ("int", r#"{"a": {"answer": 4}"#, "strict 4"),
        ("int", r#"{"answer": 3} no, {"answer": 4}"#, "strict 4"),
        ("int", r#"{"answer": N} where N is a number. {"answer": 4}"#, "strict 4"),
        ("int", r#"{"answer": true} or {"answer": 4}"#, "strict 4"),
        ("int", "The answer is 3. {\"answer\": 4}", "strict 4"),
        ("int", r#"{"\u0061nswer": 4}"#, "strict 4"),
        ("int", r#"{"answer": 21}"#, "strict: Illegal 21"),
        ("int", r#"{"answer": 3} {"answer": 21}"#, "strict: Illegal 21"),
        ("int", r#"{"answer": 99999999999999999999}"#, "strict: Illegal 99999999999999999999"),
        ("large", r#"{"answer": -9223372036854775808}"#, "strict -9223372036854775808"),
        ("large", r#"{"answer": 9223372036854775808}"#, "strict: Illegal 9223372036854775808"),
        ("label", r#"{"answer": "B"}"#, "strict \"B\""),
        ("label", r#"{"answer": "b"}"#, "strict \"B\""),
        ("label", r#"{"answer": "\u0042"}"#, "strict \"B\""),
        ("label", r#"{"answer": "E"}"#, "strict: Illegal \"E\""),
        ("label", r#"{"answer": "Based on it"}"#, "strict: Illegal \"Based on it\""),
        ("label", r#"{"answer": ""}"#, "strict: Illegal \"\""),
        ("label", r#"{"answer": "NAME"}"#, "strict: Illegal \"NAME\""),
        ("label", "{\"answer\": \"\u{ff22}\"}", "strict: Illegal \"\u{ff22}\""),
        ("label", "{\"answer\": \"B\u{301}\"}", "strict: Illegal \"B\u{301}\""),
        ("label", r#"{"answer": "B\u0000"}"#, "loose \"B\""),
        ("word", r#"{"answer": "Not Linked"}"#, "strict \"not linked\""),
        ("set", r#"{"answer": ["D", "b", "B"]}"#, r#"strict ["B","D"]"#),
        ("set", r#"{"answer": []}"#, "strict []"),
        ("set", r#"{"answer": ["B", "E"]}"#, r#"strict: Illegal ["B","E"]"#),
        ("set2", r#"{"answer": ["B", "B"]}"#, r#"strict: Illegal ["B"]"#),
        ("set2", r#"{"answer": []}"#, "strict: Illegal []"),
        ("seq", r#"{"answer": ["blue", "RED"]}"#, r#"strict ["BLUE","RED"]"#),
        ("seq", r#"{"answer": ["RED", "RED"]}"#, r#"strict ["RED","RED"]"#),
        ("seq", r#"{"answer": ["RED"]}"#, r#"strict: Illegal ["RED"]"#),
        ("seq", r#"{"answer": ["RED", "PINK"]}"#, r#"strict: Illegal ["RED","PINK"]"#),
        ("act", r#"{"answer": 12}"#, "strict 12"),
        ("act", r#"{"answer": 13}"#, "strict: Illegal 13"),
        ("move", r#"I go up. {"answer": "u"}"#, "strict \"U\""),
        ("cell", "{\"answer\": {\"y\": 2,\n \"x\": 1}}", r#"strict {"x":1,"y":2}"#),
        ("cell", r#"{"answer": {"x": 1, "y": 5}}"#, r#"strict: Illegal {"x": 1, "y": 5}"#),
        ("plan", r#"{"answer": []}"#, "strict []"),
        ("plan", r#"{"answer": [{"x":0,"y":0}, {"y":4,"x":4}]}"#, r#"strict [{"x":0,"y":0},{"x":4,"y":4}]"#),
        ("plan", r#"{"answer": [{"x":0,"y":9}]}"#, r#"strict: Illegal [{"x":0,"y":9}]"#),
        ("moves", r#"{"answer": ["U", "d", "L"]}"#, r#"strict ["U","D","L"]"#),
        ("moves", r#"{"answer": ["U", "X"]}"#, r#"strict: Illegal ["U", "X"]"#),
    ]);
}

#[test]
fn loose_objects() {
    check(&[
        ("int", r#"{"answer": 4}."#, "loose 4"),
        ("int", r#"{"answer": 4} is what I say"#, "loose 4"),
        ("int", r#"`{"answer": 4}`"#, "loose 4"),
        ("int", "```json\n{\"answer\": 4}\n```\nThat is all.", "loose 4"),
        ("int", r#"[{"answer": 4}]"#, "loose 4"),
        ("int", r#"{"result": {"answer": 4}}"#, "loose 4"),
        ("int", r#"{"answer": 4, "reason": "I counted {3}"}"#, "loose 4"),
        ("int", r#"{"reason": "\"answer\": 3", "answer": 4}"#, "loose 4"),
        ("int", r#"{"answer": "17"}"#, "loose 17"),
        ("int", r#"{"answer": 17.0}"#, "loose 17"),
        ("int", r#"{"answer": 1.7e1}"#, "loose 17"),
        ("int", r#"{"answer": "seventeen"}"#, "loose 17"),
        ("int", r#"{"answer": "17 holes"}"#, "loose 17"),
        ("int", r#"{"answer": "17 or 18"}"#, "loose: Conflicting"),
        ("int", r#"{"answer": "170"}"#, "loose: Illegal 170"),
        ("int", r#"{"answer": 3.5}"#, "loose: Illegal 3.5"),
        ("int", r#"{"answer": 16.9999999999999999}"#, "loose: Illegal 16.9999999999999999"),
        ("int", r#"{"answer": 1e999}"#, "loose: Illegal 1e999"),
        ("int", r#"{"answer": 1e-999}"#, "loose: Illegal 1e-999"),
        ("int", r#"{"answer": "many"}"#, "loose: WrongType \"many\""),
        ("int", r#"{"answer": "N"}"#, "loose: WrongType \"N\""),
        ("int", r#"{"answer": true}"#, "loose: WrongType true"),
        ("int", r#"{"answer": null}"#, "loose: WrongType null"),
        ("int", r#"{"answer": [17]}"#, "loose: WrongType [17]"),
        ("int", r#"{"answer": {"answer": 17}}"#, r#"loose: WrongType {"answer": 17}"#),
        ("int", r#"{"answer": "\ud800"}"#, r#"loose: WrongType "\ud800""#),
        ("int", r#"{"answer": 4, "answer": 4}"#, r#"loose: DuplicateKey {"answer": 4, "answer": 4}"#),
        ("int", r#"{"answer": 4, "answer": 5} so {"answer": 6}!"#, "loose 6"),
        ("int", r#"{"answer": true} {"answer": null}!"#, "loose: WrongType true"),
        ("int", r#"{"answer": 4} {"answer": "4"}!"#, "loose 4"),
        ("int", r#"{"answer": 4} {"answer": 5}!"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4} {"answer": 21}!"#, "loose: Conflicting"),
        ("int", r#"{"answer": 21} {"answer": "21"}!"#, "loose: Illegal 21"),
        ("int", r#"{"answer": 21} {"answer": 22}!"#, "loose: Conflicting"),
        ("int", r#"The answer is 3, {"answer": 21}!"#, "loose: Illegal 21"),
        ("int", r#"{"answer": 4,}"#, "none: Missing"),
        ("int", r#"{"answer": 4"#, "none: Missing"),
        ("int", r#"{"Answer": 4}"#, "none: Missing"),
        ("int", r#"{"value": 4}"#, "none: Missing"),
        ("int", r#"{"answer": 04}"#, "none: Missing"),
        ("int", "{\"answer\":\u{a0}4}", "none: Missing"),
        ("int", "{\"answer\": 4}\0", "loose 4"),
        ("int", "{\"answer\": 4}\u{200f}", "loose 4"),
        ("label", r#"{"answer": "(B)"}"#, "loose \"B\""),
        ("label", r#"{"answer": "B."}"#, "loose \"B\""),
        ("label", r#"{"answer": "**B**"}"#, "loose \"B\""),
        ("label", r#"{"answer": "Option B"}"#, "loose \"B\""),
        ("label", "{\"answer\": \"\u{200f}B\"}", "loose \"B\""),
        ("label", r#"{"answer": "A or B"}"#, "loose: Conflicting"),
        ("label", r#"{"answer": ["B"]}"#, r#"loose: WrongType ["B"]"#),
        ("label", r#"{"answer": 2}"#, "loose: WrongType 2"),
        ("label", r#"{"answer": "NAME"} becomes {"answer": "B"}."#, "loose \"B\""),
        ("label", r#"{"answer": "NAME"}."#, "loose: Illegal \"NAME\""),
        ("label", r#"{'answer': 'B'}"#, "none: Missing"),
        ("digit", r#"{"answer": 2}"#, "loose \"2\""),
        ("set", r#"{"answer": "B, D"}"#, r#"loose ["B","D"]"#),
        ("set", r#"{"answer": "D and B"}"#, r#"loose ["B","D"]"#),
        ("set", r#"{"answer": "B"}"#, r#"loose ["B"]"#),
        ("set", r#"{"answer": ["(B)", "D."]}"#, r#"loose ["B","D"]"#),
        ("set", r#"{"answer": "none"}"#, "loose []"),
        ("set", r#"{"answer": ""}"#, "loose []"),
        ("set", r#"{"answer": null}"#, "loose: WrongType null"),
        ("set2", r#"{"answer": "none"}"#, "loose: Illegal \"none\""),
        ("setnone", r#"{"answer": "None"}"#, r#"loose ["none"]"#),
        ("set", r#"{"answer": [["B"], "D"]}"#, r#"loose: WrongType [["B"], "D"]"#),
        ("set", r#"{"answer": ["B", {"a": 1}]}"#, r#"loose: WrongType ["B", {"a": 1}]"#),
        ("set", r#"{"answer": ["B",]}"#, "none: Missing"),
        ("set", r#"{"answer": ["B"]} {"answer": ["b", "B"]}!"#, r#"loose ["B"]"#),
        ("seq", r#"{"answer": "RED, BLUE"}"#, r#"loose ["RED","BLUE"]"#),
        ("seq", r#"{"answer": "RED -> BLUE"}"#, r#"loose ["RED","BLUE"]"#),
        ("seq", r#"{"answer": "red → blue"}"#, r#"loose ["RED","BLUE"]"#),
        ("seq", r#"{"answer": "RED then BLUE"}"#, r#"loose ["RED","BLUE"]"#),
        ("seq", r#"{"answer": "RED"}"#, r#"loose: Illegal ["RED"]"#),
        ("seq", r#"{"answer": "RED BLUE"}"#, r#"loose: Illegal "RED BLUE""#),
        ("seq", r#"{"answer": ["RED","BLUE"]} {"answer": ["BLUE","RED"]}!"#, "loose: Conflicting"),
        ("act", r#"{"answer": "2"}"#, "loose 2"),
        ("act", r#"{"answer": 2.0}"#, "loose 2"),
        ("act", "The answer is 2", "none: Missing"),
        ("act", "2", "none: Missing"),
        ("move", r#"{"answer": "(U)"}"#, "loose \"U\""),
        ("move", r#"{"answer": "U because"}"#, r#"strict: Illegal "U because""#),
        ("move", "\\boxed{U}", "none: Missing"),
        ("cell", r#"{"answer": {"x": "2", "y": 2.0, "z": 1}}"#, r#"loose {"x":2,"y":2}"#),
        (
            "cell",
            r#"{"answer": {"x": 2, "x": 2, "y": 1}}"#,
            r#"loose: DuplicateKey {"x": 2, "x": 2, "y": 1}"#,
        ),
        ("cell", r#"{"answer": {"x": 2}}"#, r#"loose: WrongType {"x": 2}"#),
        ("cell", r#"{"answer": {"x": true, "y": 1}}"#, r#"loose: WrongType {"x": true, "y": 1}"#),
        (
            "cell",
            r#"{"answer": {"x": X, "y": Y}} or {"answer": {"x": 1, "y": 2}}."#,
            r#"loose {"x":1,"y":2}"#,
        ),
        ("plan", r#"{"answer": "[{\"x\":0,\"y\":0}]"}"#, r#"loose: WrongType "[{\"x\":0,\"y\":0}]""#),
        ("plan", r#"{"answer": {"x":0,"y":0}}"#, r#"loose: WrongType {"x":0,"y":0}"#),
        ("plan", "x = 1, y = 2", "none: Missing"),
        ("moves", r#"{"answer": ["U", "(D)"], "n": 2}"#, r#"loose ["U","D"]"#),
        ("moves", "Answer: U, D", "none: Missing"),
    ]);
}

#[test]
fn phrases() {
    check(&[
        ("int", "The answer is 17.", "phrase 17"),
        ("int", "the final ANSWER is: **17**\nThanks!", "phrase 17"),
        ("int", "So my final answer is 17 holes, I think.", "phrase 17"),
        ("int", "Final answer: seventeen", "phrase 17"),
        ("int", "**Answer:** 17", "phrase 17"),
        ("int", "## Answer - 17", "phrase 17"),
        ("int", "Answer -2", "none: Missing"),
        ("int", "Answer: -2", "phrase -2"),
        ("int", "Answer: \u{2212}2", "phrase -2"),
        ("int", "<answer>17</answer>", "phrase 17"),
        ("int", "<answer>\n 17\n</answer>", "phrase 17"),
        ("int", r"so $\boxed{17}$", "phrase 17"),
        ("int", r"The final answer is $\boxed{17}$.", "phrase 17"),
        ("int", r"\boxed{17\text{ holes}}", "phrase 17"),
        ("int", "6 + 11 = 17\n#### 17", "phrase 17"),
        ("int", "Answer: 17\r\nBye\r\n", "phrase 17"),
        ("int", "Answer:\u{a0}17", "phrase 17"),
        ("int", "Answer: 17 \u{1f600}", "phrase 17"),
        ("int", "The answer is 17 or 18.", "phrase: Conflicting"),
        ("int", "The answer is 17 out of 20.", "phrase: Conflicting"),
        ("int", "The answer is 17.\nFinal answer: 18", "phrase: Conflicting"),
        ("int", "The answer is 17, so the final answer is 17", "phrase 17"),
        ("int", "The answer is 3.5", "none: Missing"),
        ("int", "The answer is 170.", "phrase: Illegal 170"),
        ("large", "The answer is 1,000.", "phrase 1000"),
        ("large", "The answer is 9223372036854775808", "phrase: Illegal \"9223372036854775808\""),
        ("int", "The answer is twenty-one", "none: Missing"),
        ("int", "The answer is one hundred", "phrase: Conflicting"),
        ("int", "The answer is \u{ff11}\u{ff17}", "none: Missing"),
        ("int", "The answer is not 17", "none: Missing"),
        ("int", "The answer is clear: 17", "none: Missing"),
        ("label", "The correct answer is (B)", "phrase \"B\""),
        ("label", "The answer is B, because A is shut.", "phrase \"B\""),
        ("label", "The answer is option B since it fits", "phrase \"B\""),
        ("label", "Answer: B) the red rope", "phrase \"B\""),
        ("label", r"\boxed{\text{b}}", "phrase \"B\""),
        ("label", "The answer is B.\r\n", "phrase \"B\""),
        ("label", "Based on the picture, A is near.", "none: Missing"),
        ("label", "The answer is Based on the picture", "none: Missing"),
        ("label", "The answer is b", "none: Missing"),
        ("label", "The answer is a rope", "none: Missing"),
        ("label", "The answer is A rope", "none: Missing"),
        ("label", "The answer is A or B", "phrase: Conflicting"),
        ("label", "The answer is A/B", "phrase: Conflicting"),
        ("label", "The answer is E.", "phrase: Illegal \"E\""),
        ("label", "The answer is (E) the pink one", "phrase: Illegal \"E\""),
        ("label", "The answer is unclear.\nB", "phrase: Illegal \"unclear\""),
        ("label", "The answer is B\u{301}", "phrase: Illegal \"B\u{301}\""),
        ("label", "The answer is \u{200f}B\u{200e}.", "phrase \"B\""),
        ("label", "#### Conclusion\nnothing", "none: Missing"),
        ("int", "#### 170", "phrase: Illegal 170"),
        ("label", "#### B", "phrase \"B\""),
        ("label", "another answer is B", "none: Missing"),
        ("word", "The answer is yes, they are.", "phrase \"yes\""),
        ("word", "The answer is not linked.", "phrase \"not linked\""),
        ("word", "The answer is nothing", "phrase: Illegal \"nothing\""),
        ("set", "The answer is B and D.", r#"phrase ["B","D"]"#),
        ("set", "The correct answers are B, D", r#"phrase ["B","D"]"#),
        ("set", "Answer: {B, D}", r#"phrase ["B","D"]"#),
        ("set", "Answer: [\"D\", \"B\"]", r#"phrase ["B","D"]"#),
        ("set", r"\boxed{\{B, D\}}", r#"phrase ["B","D"]"#),
        ("set", "Answer: none", "phrase []"),
        ("set", "Answer: B, Z", "phrase: Illegal \"B, Z\""),
        ("set", "Answer: B or D", "phrase: Conflicting"),
        ("set2", "Answer: B", r#"phrase: Illegal ["B"]"#),
        ("seq", "Final answer: RED → BLUE", r#"phrase ["RED","BLUE"]"#),
        ("seq", "<answer>RED, BLUE</answer>", r#"phrase ["RED","BLUE"]"#),
        ("seq", "<answer>RED, BLUE</answer> <answer>BLUE, RED</answer>", "phrase: Conflicting"),
    ]);
}

#[test]
fn lone_values_and_nothing() {
    check(&[
        ("int", "I count.\n17", "lone 17"),
        ("int", "I count.\n\n  **17.**  \n\n", "lone 17"),
        ("int", "```\n17\n```", "lone 17"),
        ("int", "seventeen", "lone 17"),
        ("int", "-2", "lone -2"),
        ("int", "170", "none: Missing"),
        ("int", "17 holes", "none: Missing"),
        ("int", "17\nI am sure.", "none: Missing"),
        ("int", "3.5", "none: Missing"),
        ("label", "B", "lone \"B\""),
        ("label", "I think so.\r\n(b)\r\n", "lone \"B\""),
        ("label", "\"B\"", "lone \"B\""),
        ("label", "E", "none: Missing"),
        ("label", "B because", "none: Missing"),
        ("label", "A, B", "none: Missing"),
        ("label", "\u{ff22}", "none: Missing"),
        ("label", "\u{202b}B\u{202c}", "lone \"B\""),
        ("word", "No.", "lone \"no\""),
        ("set", "They are:\nB, D", r#"lone ["B","D"]"#),
        ("set", "{B, D}", r#"lone ["B","D"]"#),
        ("set", "none", "lone []"),
        ("set", "B, Z", "none: Missing"),
        ("seq", "RED, BLUE", r#"lone ["RED","BLUE"]"#),
        ("seq", "RED", "none: Missing"),
        ("int", "", "none: Missing"),
        ("int", " \n\t\r\n ", "none: Missing"),
        ("label", "\0", "none: Missing"),
        ("set", "", "none: Missing"),
        ("set", "```", "none: Missing"),
        ("plan", "", "none: Missing"),
        ("label", "\u{1f600}\u{1f1e9}\u{1f1ea}", "none: Missing"),
        ("label", "I do not know.", "none: Missing"),
    ]);
}

#[test]
fn megabytes_around_an_answer() {
    let padding = "some words { and \"quotes\n".repeat(3 * LONGEST / 24);
    let reading = |text: &str, name| words(&read(text, &domain(name)));
    assert_eq!(reading(&format!("{padding}{{\"answer\": 4}}"), "int"), "strict 4");
    assert_eq!(reading(&format!("{{\"answer\": 4}}{padding}"), "int"), "none: Missing");
    let half = &padding[..LONGEST / 2];
    assert_eq!(reading(&format!("{{\"answer\": 4}}{half}"), "int"), "loose 4");
    assert_eq!(reading(&format!("{half}\n{{\"answer\": 4}} {half}"), "int"), "loose 4");
    assert_eq!(reading(&format!("{{\"answer\": 4}}{}", " ".repeat(LONGEST / 2)), "int"), "strict 4");
    let long = format!("{{\"answer\": \"{}\"}}", "x".repeat(LONGEST / 2));
    assert_eq!(reading(&long, "label"), "strict: Illegal");
    let plan = |n: usize| format!("{{\"answer\": [{}]}}", vec!["\"U\""; n].join(", "));
    assert!(reading(&plan(10_000), "moves").starts_with("strict [\"U\""));
    assert_eq!(reading(&plan(10_001), "moves"), "strict: Illegal");
    let every = format!("{{\"answer\": [{}]}}", vec!["\"A\", \"B\""; 100_000].join(", "));
    assert_eq!(reading(&every, "set"), r#"strict ["A","B"]"#);
}
