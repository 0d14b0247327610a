//! Rules on what tasks declare.

use topotrace_core::TaskInfo;

/// The fewest shortcut solvers: with fewer, what cheap guesses reach is hardly measured.
const LEAST_SHORTCUTS: usize = 3;

/// A family's list is sorted by id, and its tasks ask about the family's property.
pub(super) fn check_family(family: &str, infos: &[&TaskInfo]) -> Vec<String> {
    let mut faults = Vec::new();
    for pair in infos.windows(2) {
        let (first, second) = (pair[0].id, pair[1].id);
        if first >= second {
            faults.push(format!(
                "crates/{family}: {second} stands after {first}; sort the list of tasks by id"
            ));
        }
    }
    for info in infos {
        let property = info.property.name();
        if property != family {
            faults.push(format!(
                "crates/{family}: {} asks about {property}; move it to crates/{property}",
                info.id
            ));
        }
    }
    faults
}

/// A summary is one sentence.
pub(super) fn check_summary(info: &TaskInfo) -> Option<String> {
    let summary = info.summary;
    let ends = |text: &str| text.ends_with(['.', '?']);
    let inner_end = summary.split_whitespace().rev().skip(1).any(ends);
    let broken = !ends(summary) || inner_end || summary.trim() != summary;
    broken.then(|| format!("{}: the summary {summary:?} is not one sentence ending with ? or .", info.id))
}

/// Every task measures what cheap guesses reach.
pub(super) fn check_shortcuts(info: &TaskInfo, shortcuts: &[&str]) -> Option<String> {
    let count = shortcuts.len();
    (count < LEAST_SHORTCUTS).then(|| {
        format!("{}: {count} shortcut solvers, at least {LEAST_SHORTCUTS}; add cheaper guesses", info.id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::samples::{assert_one_fault, info};

    #[test]
    fn a_list_is_sorted_and_of_one_property() {
        let (first, second) = (info("a/one"), info("b/two"));
        assert_eq!(check_family("separation", &[&first, &second]), [""; 0]);
        assert_one_fault(check_family("separation", &[&second, &first]), "a/one stands after b/two");
        assert_one_fault(check_family("separation", &[&first, &first]), "a/one stands after a/one");
        assert_one_fault(check_family("knots", &[&first]), "a/one asks about separation; move it to crates/");
    }

    #[test]
    fn a_summary_is_one_sentence() {
        let with = |summary| TaskInfo { summary, ..info("a/one") };
        for good in ["How many pieces are there?", "Turn the pipes until every one is connected."] {
            assert_eq!(check_summary(&with(good)), None);
        }
        for bad in ["", "No end", "Two. Sentences.", "Why? Because.", "A line end?\n"] {
            assert_one_fault(check_summary(&with(bad)), "a/one: the summary");
        }
    }

    #[test]
    fn shortcuts_are_three_at_least() {
        assert_one_fault(check_shortcuts(&info("a/one"), &["x", "y"]), "2 shortcut solvers, at least 3");
        assert_eq!(check_shortcuts(&info("a/one"), &["x", "y", "z"]), None);
    }
}
