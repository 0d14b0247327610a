use std::marker::PhantomData;
use std::ops::RangeInclusive;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

use crate::digest::keyed_hash;

/// Marks the stream that decides what an instance means.
#[derive(Clone, Debug)]
pub enum Semantic {}
/// Marks the stream that decides what it looks like.
#[derive(Clone, Debug)]
pub enum Render {}
/// Marks the stream that decides how it is worded.
#[derive(Clone, Debug)]
pub enum Wording {}

/// The stream that draws aims, states and questions.
pub type SemanticRng = Rng<Semantic>;
/// The stream that draws styles.
pub type RenderRng = Rng<Render>;
/// The stream that draws wordings.
pub type PromptRng = Rng<Wording>;

/// A PCG generator tied to one stream by its type, so that looks can't take a draw from meaning.
///
/// The samplers are our own, over raw 64-bit outputs: their results stay fixed whatever a
/// random-number crate does in its next version.
#[derive(Clone, Debug)]
pub struct Rng<S> {
    pcg: Pcg64,
    stream: PhantomData<fn() -> S>,
}

impl<S> Rng<S> {
    /// The generator for `seed`. Neighboring seeds share nothing: the seed is hashed first.
    pub fn from_seed(seed: u64) -> Self {
        let bytes = keyed_hash("topotrace 2026 generator", &[&seed.to_string()]);
        Rng { pcg: Pcg64::from_seed(bytes), stream: PhantomData }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.pcg.next_u64()
    }

    /// A number from 0 to `n - 1`, each equally likely (Lemire's method with rejection, 2019).
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a draw from nothing");
        let n = n as u64;
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= threshold {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number in `range`, each equally likely.
    ///
    /// # Panics
    /// When the range is empty.
    pub fn between(&mut self, range: RangeInclusive<u32>) -> u32 {
        let (low, high) = (*range.start(), *range.end());
        assert!(low <= high, "a draw from the empty range {low}..={high}");
        low + self.below((high - low) as usize + 1) as u32
    }

    /// A number from 0 up to 1, not included, in steps of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// A number from `low` up to `high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with probability `percent` / 100.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// One of `items`, each equally likely.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts `items` into a random order, each equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_cover_the_range_evenly() {
        let mut rng = SemanticRng::from_seed(1);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
        let sum: f64 = (0..10_000).map(|_| rng.unit()).sum();
        assert!((4_850.0..5_150.0).contains(&sum), "{sum}");
    }

    #[test]
    fn neighboring_seeds_share_nothing() {
        let draws = |seed| {
            let mut rng = SemanticRng::from_seed(seed);
            (0..32).map(|_| rng.bits()).collect::<std::collections::BTreeSet<_>>()
        };
        for seed in 0..50 {
            assert!(draws(seed).is_disjoint(&draws(seed + 1)));
        }
    }

    #[test]
    fn the_generator_never_changes() {
        // A pinned value: if it moves, every task's version has to.
        let mut rng = SemanticRng::from_seed(0);
        assert_eq!(rng.bits(), 11_461_488_560_015_312_710);
    }
}
