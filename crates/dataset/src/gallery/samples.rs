//! Which instances of a dataset are shown.

use std::collections::BTreeMap;

use topotrace_core::Split;

use crate::{Manifest, Row};

/// A task and the bits of a difficulty, which are ordered as the difficulty itself.
pub(super) type Tier = (String, u64);

/// Splits in the order of preference.
const PREFERRED: [Split; 3] = [Split::Test, Split::Validation, Split::Train];

/// Chooses, row by row, the instances to be shown: so many a task and tier, evenly spread over the
/// rows of each split.
pub(super) struct Chooser {
    /// By tier and split.
    quotas: BTreeMap<(Tier, Split), Quota>,
}

/// So many of the rows of one tier and split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quota {
    wanted: u64,
    rows: u64,
    seen: u64,
}

impl Chooser {
    /// A chooser of `count` instances a task and tier, from the numbers of rows in the manifest.
    pub(super) fn new(manifest: &Manifest, count: u32) -> Self {
        let mut rows: BTreeMap<Tier, [u64; 3]> = BTreeMap::new();
        for group in &manifest.groups {
            let tier = (group.task.clone(), group.difficulty.to_bits());
            for (number, _) in PREFERRED.iter().enumerate().filter(|(_, split)| **split == group.split) {
                rows.entry(tier.clone()).or_default()[number] += u64::from(group.count);
            }
        }
        let mut quotas = BTreeMap::new();
        for (tier, rows) in rows {
            let wanted = shares(u64::from(count), rows);
            for ((split, wanted), rows) in PREFERRED.into_iter().zip(wanted).zip(rows) {
                quotas.insert((tier.clone(), split), Quota { wanted, rows, seen: 0 });
            }
        }
        Chooser { quotas }
    }

    /// Whether the next row, in the order of the dataset, is shown.
    pub(super) fn takes(&mut self, row: &Row) -> bool {
        let tier = (row.record.task.clone(), row.record.difficulty.value().to_bits());
        self.quotas.get_mut(&(tier, row.record.split)).is_some_and(Quota::takes_next)
    }
}

impl Quota {
    /// Row number `k` of `n` is taken when a line from 0 to the wanted number passes a whole number
    /// there.
    fn takes_next(&mut self) -> bool {
        let passed = |seen: u64| u128::from(seen) * u128::from(self.wanted) / u128::from(self.rows.max(1));
        let before = passed(self.seen);
        self.seen += 1;
        self.seen <= self.rows && passed(self.seen) > before
    }
}

/// How many are taken of each split, in the order of preference: half of the test split, a quarter
/// of validation and a quarter of training; what one of them lacks, the others fill up.
fn shares(count: u64, rows: [u64; 3]) -> [u64; 3] {
    let ideal = [count.div_ceil(2), count.div_ceil(4), count / 4];
    let mut taken = [0; 3];
    let mut left = count;
    for limits in [ideal, [count; 3]] {
        for (split, limit) in limits.into_iter().enumerate() {
            let more = limit.min(rows[split]).saturating_sub(taken[split]).min(left);
            taken[split] += more;
            left -= more;
        }
    }
    taken
}

/// A split's place in the order of preference.
pub(super) fn preference(split: Split) -> usize {
    PREFERRED.iter().position(|known| *known == split).unwrap_or(PREFERRED.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_split_comes_first_and_what_lacks_is_filled_up() {
        assert_eq!(shares(12, [1000, 1000, 1000]), [6, 3, 3]);
        assert_eq!(shares(12, [1000, 0, 0]), [12, 0, 0]);
        assert_eq!(shares(12, [0, 0, 1000]), [0, 0, 12]);
        assert_eq!(shares(12, [2, 1, 1000]), [2, 1, 9]);
        assert_eq!(shares(12, [3, 2, 1]), [3, 2, 1]);
        assert_eq!(shares(1, [5, 5, 5]), [1, 0, 0]);
        assert_eq!(shares(2, [5, 5, 5]), [1, 1, 0]);
    }

    #[test]
    fn exactly_as_many_as_wanted_are_taken_and_spread_evenly() {
        for (wanted, rows) in [(0, 5), (1, 1), (3, 10), (6, 1_000), (7, 7), (12, 13)] {
            let mut quota = Quota { wanted, rows, seen: 0 };
            let taken: Vec<u64> = (0..rows).filter(|_| quota.takes_next()).collect();
            assert_eq!(taken.len() as u64, wanted, "{wanted} of {rows}");
            let widest = taken.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
            assert!(widest <= rows / wanted.max(1) + 1, "{taken:?}");
            assert!(!quota.takes_next(), "a row beyond those of the manifest is taken");
        }
    }
}
