//! Random responses: reading never panics, and what it calls legal is a legal answer.
//!
//! The cases are the same on every run. `TOPOTRACE_FUZZ_CASES` sets how many there are.

use topotrace_core::reading::{Reading, read};
use topotrace_core::{ActionShape, Domain, Field, Layer, Reason};

/// A linear congruential generator; the high bits are good enough to pick tokens with.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// A place in `text` where a character begins or the text ends.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ":",
    ",",
    ".",
    "-",
    "(",
    ")",
    "*",
    "**",
    "`",
    "```",
    "```json\n",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\\",
    "/",
    "$",
    "{\"answer\": ",
    "{\"answer\":",
    "\"answer\"",
    "{\"Answer\":1}",
    "\"x\":",
    "\"y\":",
    "{\"x\":1,\"y\":2}",
    "{\"answer\":[",
    "]}",
    "\"}",
    "0",
    "1",
    "7",
    "17",
    "-2",
    "1e999",
    "1.0",
    "3.5",
    "1,000",
    "99999999999999999999",
    "true",
    "null",
    "\"A\"",
    "\"B\"",
    "A",
    "B",
    "b",
    "D",
    "E",
    "(B)",
    "RED",
    "blue",
    "\"RED\"",
    "GREEN",
    "U",
    "\"U\"",
    "NAME",
    "none",
    "seven",
    "twenty",
    "hundred",
    "and",
    " or ",
    " then ",
    " -> ",
    "→",
    "because ",
    "option ",
    "The answer is ",
    "the correct answer is ",
    "Final answer: ",
    "Answer: ",
    "Answer - ",
    "<answer>",
    "</answer>",
    "\\boxed{",
    "\\text{",
    "#### ",
    "<think>",
    "</think>",
    "~~",
    "?",
    "not ",
    "no ",
    "\n- ",
    "Correction: ",
    "corrected answer: ",
    "answer ",
    "the answer should be ",
    "\"final_answer\": ",
    "{'answer': ",
    "\\fbox{",
    "\\u0042",
    "\\ud800",
    "\u{feff}",
    "\u{200f}",
    "\u{301}",
    "\u{1f600}",
    "\u{a0}",
    "\0",
    "Ｂ",
    "é",
    "∅",
    "−",
];

const SEEDS: &[&str] = &[
    "{\"answer\": 7}",
    "{\"answer\": \"B\"}",
    "{\"answer\": [\"B\", \"D\"]}",
    "{\"answer\": [\"RED\", \"BLUE\"]}",
    "{\"answer\": {\"x\": 1, \"y\": 2}}",
    "{\"answer\": [{\"x\": 1, \"y\": 2}, {\"x\": 0, \"y\": 0}]}",
    "The answer is B, because A is shut.\n",
    "```json\n{\"answer\": \"U\"}\n```",
    "**Final answer:** 7 holes\n",
    "\\boxed{\\text{B}}",
    "<answer>RED, BLUE</answer>",
    "I count.\n\n7",
    "RED -> BLUE",
    "{\"thought\": \"a { b\", \"answer\": \"(B)\"} and so on",
];

fn domains() -> Vec<Domain> {
    let names = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let fields = vec![Field::new("x", 0, 4), Field::new("y", -1, 2)];
    let cell = ActionShape::Object { fields };
    let step = ActionShape::Label { members: names("U D L R") };
    let seat = ActionShape::Integer { min: 0, max: 12 };
    vec![
        Domain::Integer { min: 0, max: 20 },
        Domain::Integer { min: i64::MIN, max: i64::MAX },
        Domain::Integer { min: 1, max: 0 },
        Domain::Label { members: names("A B C D") },
        Domain::Label {
            members: ["not linked", "linked", "a, b", "\"", "é", ""].map(String::from).to_vec()
        },
        Domain::Label { members: Vec::new() },
        Domain::Set { members: names("A B C D"), at_least: 0 },
        Domain::Set { members: names("RED BLUE none and"), at_least: 2 },
        Domain::Sequence { members: names("RED BLUE GREEN"), length: 2 },
        Domain::Sequence { members: names("A B"), length: 0 },
        Domain::Action { shape: seat.clone() },
        Domain::Action { shape: step.clone() },
        Domain::Action { shape: cell.clone() },
        Domain::Plan { shape: cell, at_most: 2 },
        Domain::Plan { shape: step, at_most: 0 },
        Domain::Plan { shape: seat, at_most: 9 },
    ]
}

fn response(random: &mut Random, previous: &str) -> String {
    let mut text = match random.below(4) {
        0 => String::new(),
        1 => previous.to_owned(),
        _ => random.pick(SEEDS).to_owned(),
    };
    for _ in 0..=random.below(8) {
        let (a, b) = (random.place(&text), random.place(&text));
        let (from, to) = (a.min(b), a.max(b));
        match random.below(8) {
            0 => text.replace_range(from..to, ""),
            1 => {
                let copy = text[from..to].to_owned();
                text.insert_str(from, &copy);
            }
            2 => text.insert_str(a, random.pick(SEEDS)),
            3 => text.replace_range(from..to, random.pick(TOKENS)),
            4 => text.push_str(random.pick(SEEDS)),
            _ => text.insert_str(a, random.pick(TOKENS)),
        }
    }
    let end = (0..=text.len().min(400)).rev().find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or(0));
    text
}

fn check(text: &str, domain: &Domain) -> Reading {
    let reading = read(text, domain);
    match &reading {
        Reading::Legal { layer, answer } => {
            assert_eq!(answer.kind(), domain.kind(), "{text:?} in {domain:?}");
            let again = read(&answer.to_response(), domain);
            let strict = Reading::Legal { layer: Layer::Strict, answer: answer.clone() };
            assert_eq!(again, strict, "{text:?} in {domain:?}");
            let prose = !matches!(domain, Domain::Action { .. } | Domain::Plan { .. });
            assert!(prose || *layer <= Layer::LooseObject, "{text:?} in {domain:?}");
        }
        Reading::Refused { layer, reason, found } => {
            assert!(!matches!(reason, Reason::Right | Reason::Wrong), "{text:?} in {domain:?}");
            assert_eq!(layer.is_none(), *reason == Reason::Missing, "{text:?} in {domain:?}");
            assert!(found.as_ref().is_none_or(|found| found.chars().count() <= 200));
        }
    }
    reading
}

#[test]
fn random_responses_are_read_without_a_panic() {
    let cases = std::env::var("TOPOTRACE_FUZZ_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let domains = domains();
    let mut random = Random(20_240_601);
    let mut previous = String::new();
    let (mut legal, mut refused) = (0_usize, 0_usize);
    for case in 0..cases {
        let text = response(&mut random, &previous);
        match check(&text, &domains[case % domains.len()]) {
            Reading::Legal { .. } => legal += 1,
            Reading::Refused { layer: Some(_), .. } => refused += 1,
            Reading::Refused { layer: None, .. } => {}
        }
        previous = text;
    }
    // The generator is of no use if it hardly ever comes near an answer.
    assert!(legal > cases / 50 && refused > cases / 50, "{legal} legal and {refused} refused of {cases}");
}

#[test]
fn repeated_tokens_take_linear_time() {
    // Linear reading takes a few hundredths of a second; quadratic, hours.
    let domains = domains();
    for (index, token) in TOKENS.iter().chain(SEEDS).enumerate() {
        let text = token.repeat((1 << 18) / token.len());
        check(&text, &domains[index % domains.len()]);
        check(&(text + "}"), &domains[(index + 3) % domains.len()]);
    }
}
