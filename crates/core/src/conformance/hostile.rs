use super::{Findings, exercise, local_rng};
use crate::random::SemanticRng;
use crate::task::{Instance, Task};

/// Responses that hold no right answer, whatever the task.
pub(super) const RESPONSES: &[&str] = &[
    "",
    " ",
    "{",
    "}",
    "\"",
    "I can't tell.",
    "{\"answer\":",
    "{\"answer\": null}",
    "{\"answer\": {\"answer\": []}}",
    "{\"answer\": [[[[[[]]]]]]}",
    "{\"Answer\": 1e999}",
    "```json\n```",
    "\u{202e}\u{0}\u{feff}",
    "<answer></answer>",
    "\\boxed{}",
];

/// What a stranger may have put where a number stood.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "15",
    "16",
    "255",
    "256",
    "-1",
    "1.5",
    "4294967295",
    "99999999999999999999",
    "null",
    "[]",
    "\"\"",
];

/// Feeds damaged items to [`Task::load`]: each must be refused or work, and none may panic.
pub(super) fn check(task: &dyn Task, instance: &dyn Instance, findings: &mut Findings) {
    let item = instance.item();
    let mut rng = local_rng(instance);
    for broken in ["", "null", "{}", "[]", "{\"state\":0}", &item[..item.len() / 2]] {
        findings.demand("hostile items", task.load(broken).is_err(), || format!("{broken:?} is loaded"));
    }
    for _ in 0..40 {
        let damaged = damage(&item, &mut rng);
        let Ok(loaded) = task.load(&damaged) else { continue };
        // A damaged item may still be a sound one; then everything about it must hold.
        if let Err(flaw) = exercise(&*loaded) {
            findings.add("hostile items", format!("{damaged} is loaded, but {flaw}"));
        }
    }
}

/// Replaces one number, drops one character, or repeats one stretch.
fn damage(item: &str, rng: &mut SemanticRng) -> String {
    let bytes = item.as_bytes();
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes[i].is_ascii_digit() && (i == 0 || !bytes[i - 1].is_ascii_digit()))
        .collect();
    let boundary = |mut at: usize| {
        while !item.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    match rng.below(4) {
        0 | 1 if !starts.is_empty() => {
            let start = *rng.pick(&starts);
            let length = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
            format!("{}{}{}", &item[..start], rng.pick(NUMBERS), &item[start + length..])
        }
        2 => {
            let at = boundary(rng.below(item.len()));
            let next = item[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            format!("{}{}", &item[..at], &item[next..])
        }
        _ => {
            let from = boundary(rng.below(item.len()));
            let to = boundary((from + 1 + rng.below(12)).min(item.len()));
            format!("{}{}{}", &item[..to], &item[from..to], &item[to..])
        }
    }
}
