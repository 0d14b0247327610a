//! The charts of one task: what guessing gets, how answers and how effort are distributed.

use std::collections::BTreeMap;

use super::sketch::{Anchor, Scheme, Sketch, shortened};
use crate::error::Error;
use crate::words::{grouped, percent};
use crate::{Gate, GateOutcome, Statistics};

/// Width of every chart in pixels: that of a phone, so that it is never shown much smaller.
pub(super) const WIDTH: i32 = 372;
/// Height of a tier's heading.
const HEADING: i32 = 34;
/// Font sizes.
const LARGE: f64 = 13.0;
const SMALL: f64 = 11.5;

/// The measures of one tier.
pub(super) struct Tier<'a> {
    pub(super) statistics: &'a Statistics,
    pub(super) gates: Vec<&'a Gate>,
    /// How many rows have which effort.
    pub(super) efforts: Option<&'a BTreeMap<u64, u64>>,
}

/// Draws the heading of a tier, from `top` on.
fn heading(sketch: &Sketch<'_>, tier: &Tier<'_>, beside: &str, top: i32) -> Result<(), Error> {
    let middle = top + HEADING / 2 + 2;
    let scheme = sketch.scheme;
    sketch.text(&tier.statistics.level, (0, middle), (LARGE, true), scheme.ink, Anchor::Left)?;
    sketch.text(beside, (WIDTH, middle), (SMALL, false), scheme.muted, Anchor::Right)
}

/// Height of a guess: its words above its bar.
const GUESS: i32 = 35;
/// Height of the key above all guesses, and of the axis below them.
const KEY: i32 = 22;

/// Size of the chart of what guessing gets.
pub(super) fn guesses_size(tiers: &[Tier<'_>]) -> (i32, i32) {
    let rows: i32 = tiers.iter().map(|tier| HEADING + tier.gates.len() as i32 * GUESS).sum();
    (WIDTH, 2 * KEY + rows)
}

/// What always giving the commonest answer and each shortcut solver get, with the bound of each and
/// the chance level.
pub(super) fn guesses(tiers: &[Tier<'_>], scheme: &'static Scheme) -> Result<String, Error> {
    let gates = || tiers.iter().flat_map(|tier| tier.gates.iter());
    let most = gates().map(|gate| gate.share.max(gate.bound)).fold(0.0, f64::max);
    // In steps of ten points, so that the axis ends with a round number.
    let scale = ((most * 10.0 + 0.2).ceil() / 10.0).clamp(0.1, 1.0);
    let at = |share: f64| (share.min(scale) / scale * f64::from(WIDTH - 2)).round() as i32;
    Sketch::draw(guesses_size(tiers), scheme, |sketch| {
        sketch.line([(2, 4), (2, 16)], scheme.ink, 2)?;
        sketch.text("bound", (9, 10), (SMALL, false), scheme.muted, Anchor::Left)?;
        if gates().any(|gate| gate.chance.is_some()) {
            sketch.dashes(62, (3, 17), scheme.ink)?;
            sketch.text("chance level", (69, 10), (SMALL, false), scheme.muted, Anchor::Left)?;
        }
        let mut top = KEY;
        for tier in tiers {
            let chance =
                tier.statistics.chance.map_or_else(String::new, |c| format!(", chance {}", percent(c)));
            heading(sketch, tier, &format!("{} instances{chance}", grouped(tier.statistics.rows)), top)?;
            top += HEADING;
            for gate in &tier.gates {
                let (color, word) = match gate.outcome {
                    GateOutcome::Holds => (scheme.holds, "holds"),
                    GateOutcome::Fails => (scheme.fails, "fails"),
                    GateOutcome::TooFew => (scheme.too_few, "too few"),
                };
                let name = shortened(gate.name.trim_start_matches("shortcut: "), 42);
                sketch.text(&name, (0, top + 7), (SMALL, false), scheme.ink, Anchor::Left)?;
                let result = format!("{} {word}", percent(gate.share));
                sketch.text(&result, (WIDTH, top + 7), (SMALL, true), color, Anchor::Right)?;
                let (upper, lower) = (top + 16, top + 25);
                sketch.rectangle([(0, upper), (WIDTH, lower)], scheme.rule)?;
                sketch.rectangle([(0, upper), (at(gate.share), lower)], color)?;
                if let Some(chance) = gate.chance {
                    sketch.dashes(at(chance), (upper - 2, lower + 2), scheme.ink)?;
                }
                let bound = at(gate.bound) + 1;
                sketch.line([(bound, upper - 3), (bound, lower + 3)], scheme.ink, 2)?;
                top += GUESS;
            }
        }
        let labels =
            [(0, "0 %".to_owned(), Anchor::Left), (WIDTH, format!("{:.0} %", scale * 100.0), Anchor::Right)];
        for (x, label, anchor) in labels {
            sketch.text(&label, (x, top + 8), (SMALL, false), scheme.muted, anchor)?;
        }
        Ok(())
    })
}

/// Height of an answer's bar with the space around it.
const ANSWER: i32 = 20;
/// Where the bars of answers begin and end.
const ANSWER_BARS: (i32, i32) = (140, WIDTH - 52);

/// Size of the chart of answers.
pub(super) fn answers_size(tiers: &[Tier<'_>]) -> (i32, i32) {
    let rows: i32 =
        tiers.iter().map(|tier| HEADING + tier.statistics.commonest_answers.len() as i32 * ANSWER + 4).sum();
    (WIDTH, rows)
}

/// The commonest answers of each tier and their shares, with the chance level.
pub(super) fn answers(tiers: &[Tier<'_>], scheme: &'static Scheme) -> Result<String, Error> {
    let share = |tier: &Tier<'_>, count: u64| count as f64 / tier.statistics.rows.max(1) as f64;
    let shares = tiers.iter().flat_map(|tier| {
        let counts = tier.statistics.commonest_answers.iter();
        counts.map(|(_, count)| share(tier, *count)).chain(tier.statistics.chance)
    });
    let scale = shares.fold(0.01, f64::max);
    let (left, right) = ANSWER_BARS;
    let at = |share: f64| left + (share / scale * f64::from(right - left)).round() as i32;
    Sketch::draw(answers_size(tiers), scheme, |sketch| {
        let mut top = 0;
        for tier in tiers {
            let statistics = tier.statistics;
            let different =
                format!("{} different in {}", grouped(statistics.distinct_answers), grouped(statistics.rows));
            heading(sketch, tier, &different, top)?;
            top += HEADING;
            let first = top;
            for (answer, count) in &statistics.commonest_answers {
                let middle = top + ANSWER / 2;
                let label = shortened(&answer_words(answer), 22);
                sketch.text(&label, (left - 8, middle), (SMALL, false), scheme.ink, Anchor::Right)?;
                let end = at(share(tier, *count)).max(left + 1);
                sketch.rectangle([(left, middle - 5), (end, middle + 5)], scheme.bar)?;
                let value = percent(share(tier, *count));
                sketch.text(&value, (WIDTH, middle), (SMALL, false), scheme.muted, Anchor::Right)?;
                top += ANSWER;
            }
            if let Some(chance) = statistics.chance.filter(|_| top > first) {
                sketch.dashes(at(chance), (first, top), scheme.ink)?;
            }
            top += 4;
        }
        Ok(())
    })
}

/// An answer in a few words: `B, C` for `["B","C"]`.
pub(super) fn answer_words(json: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(json) {
        Ok(serde_json::Value::Array(members)) if members.is_empty() => "none".to_owned(),
        Ok(serde_json::Value::Array(members)) => {
            let words: Vec<String> = members.iter().map(plain).collect();
            words.join(", ")
        }
        Ok(value) => plain(&value),
        Err(_) => json.to_owned(),
    }
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Height of a tier's histogram.
const HISTOGRAM: i32 = 64;
/// The most bars of a histogram.
const MOST_BINS: u64 = 31;

/// Size of the chart of effort.
pub(super) fn effort_size(tiers: &[Tier<'_>]) -> (i32, i32) {
    (WIDTH, tiers.len() as i32 * (HEADING + HISTOGRAM) + KEY)
}

/// How many instances of each tier take how much effort, on one axis for all tiers.
pub(super) fn effort(tiers: &[Tier<'_>], scheme: &'static Scheme) -> Result<String, Error> {
    let efforts = || tiers.iter().filter_map(|tier| tier.efforts);
    let least = efforts().filter_map(|counts| counts.keys().next()).min().copied().unwrap_or(0);
    let most = efforts().filter_map(|counts| counts.keys().next_back()).max().copied().unwrap_or(0);
    let step = ((most - least) / MOST_BINS + 1).max(1);
    let bins = (most - least) / step + 1;
    // The axis ends where the last bin does.
    let at = |value: f64| (value / (bins * step) as f64 * f64::from(WIDTH)).round() as i32;
    Sketch::draw(effort_size(tiers), scheme, |sketch| {
        let mut top = 0;
        for tier in tiers {
            heading(sketch, tier, &format!("mean {:.1}", tier.statistics.effort.mean), top)?;
            let bottom = top + HEADING + HISTOGRAM;
            let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
            for (effort, count) in tier.efforts.into_iter().flatten() {
                *counts.entry((effort - least) / step).or_default() += count;
            }
            let highest = counts.values().max().copied().unwrap_or(1);
            for (bin, count) in counts {
                let left = at((bin * step) as f64);
                let right = (at(((bin + 1) * step) as f64) - 1).max(left + 1);
                let height = (count as f64 / highest as f64 * f64::from(HISTOGRAM - 6)).round() as i32;
                sketch.rectangle([(left, bottom - height.max(1)), (right, bottom)], scheme.bar)?;
            }
            sketch.line([(0, bottom), (WIDTH, bottom)], scheme.rule, 1)?;
            let mean = at(tier.statistics.effort.mean - least as f64 + 0.5);
            sketch.dashes(mean, (bottom - HISTOGRAM, bottom), scheme.ink)?;
            top = bottom;
        }
        let (first, last) = (grouped(least), grouped(most));
        sketch.text(&first, (0, top + 12), (SMALL, false), scheme.muted, Anchor::Left)?;
        sketch.text("effort", (WIDTH / 2, top + 12), (SMALL, false), scheme.muted, Anchor::Middle)?;
        sketch.text(&last, (WIDTH, top + 12), (SMALL, false), scheme.muted, Anchor::Right)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_put_in_words() {
        let words = [r#"["B","C"]"#, "[]", "7", r#""left""#, "not JSON"].map(answer_words);
        assert_eq!(words, ["B, C", "none", "7", "left", "not JSON"]);
    }
}
