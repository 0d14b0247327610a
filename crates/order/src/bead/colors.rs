//! The colors of the beads, in the order of reading.

use serde::{Deserialize, Serialize};
use topotrace_core::SemanticRng;

use super::string::BeadColor;

/// How a sequence of colors is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColorMode {
    /// No color twice; up to eight beads, `Mixed` beyond.
    Distinct,
    /// Any colors.
    Mixed,
    /// Neighbors have colors near each other on a circle of hues, four colors or more in all.
    Similar,
    /// The same from both ends.
    Palindromic,
    /// A short word over and over.
    Periodic,
}

/// Every color beside those that it is most easily taken for.
const CIRCLE: [BeadColor; 8] = [
    BeadColor::White,
    BeadColor::Yellow,
    BeadColor::Orange,
    BeadColor::Brown,
    BeadColor::Red,
    BeadColor::Purple,
    BeadColor::Blue,
    BeadColor::Green,
];

/// The number of different colors in a sequence.
pub(super) fn variety(colors: &[BeadColor]) -> usize {
    BeadColor::ALL.iter().filter(|color| colors.contains(color)).count()
}

/// A sequence of `count` colors in a mode. It has at least four different ones, a periodic one at
/// least three, a short palindrome as many as its half has places.
pub(super) fn draw_colors(mode: ColorMode, count: usize, rng: &mut SemanticRng) -> Vec<BeadColor> {
    let least = match mode {
        ColorMode::Palindromic => count.div_ceil(2).min(4),
        ColorMode::Periodic => 3,
        _ => count.min(4),
    };
    loop {
        let colors = attempt(mode, count, rng);
        if variety(&colors) >= least {
            return colors;
        }
    }
}

fn attempt(mode: ColorMode, count: usize, rng: &mut SemanticRng) -> Vec<BeadColor> {
    match mode {
        ColorMode::Distinct if count <= BeadColor::ALL.len() => shuffled(rng)[..count].to_vec(),
        ColorMode::Distinct | ColorMode::Mixed => {
            let palette = shuffled(rng);
            let palette = &palette[..rng.between(4..=8) as usize];
            (0..count).map(|_| *rng.pick(palette)).collect()
        }
        ColorMode::Similar => {
            let mut at = rng.below(CIRCLE.len());
            let mut colors = Vec::with_capacity(count);
            for _ in 0..count {
                colors.push(CIRCLE[at]);
                // One or two places on or back.
                let step = *rng.pick(&[1, 2, CIRCLE.len() - 1, CIRCLE.len() - 2]);
                at = (at + step) % CIRCLE.len();
            }
            colors
        }
        ColorMode::Palindromic => {
            let half: Vec<_> = (0..count.div_ceil(2)).map(|_| *rng.pick(&BeadColor::ALL)).collect();
            (0..count).map(|at| half[at.min(count - 1 - at)]).collect()
        }
        ColorMode::Periodic => {
            let period = rng.between(3..=(count as u32 / 2).max(3)) as usize;
            let word: Vec<_> = (0..period).map(|_| *rng.pick(&BeadColor::ALL)).collect();
            (0..count).map(|at| word[at % period]).collect()
        }
    }
}

fn shuffled(rng: &mut SemanticRng) -> [BeadColor; 8] {
    let mut colors = BeadColor::ALL;
    rng.shuffle(&mut colors);
    colors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_keeps_its_word() {
        let mut rng = SemanticRng::from_seed(4);
        for round in 0..400 {
            let count = 4 + round % 9;
            let distinct = draw_colors(ColorMode::Distinct, count.min(8), &mut rng);
            assert_eq!(variety(&distinct), count.min(8));
            let mixed = draw_colors(ColorMode::Mixed, count, &mut rng);
            assert!(mixed.len() == count && variety(&mixed) >= 4);
            let similar = draw_colors(ColorMode::Similar, count, &mut rng);
            let place = |color: BeadColor| CIRCLE.iter().position(|other| *other == color).unwrap();
            let near = |pair: &[BeadColor]| {
                let gap = place(pair[0]).abs_diff(place(pair[1]));
                (1..=2).contains(&gap.min(8 - gap))
            };
            assert!(similar.windows(2).all(near) && variety(&similar) >= 4, "{similar:?}");
            let palindrome = draw_colors(ColorMode::Palindromic, count, &mut rng);
            assert!(palindrome.iter().eq(palindrome.iter().rev()));
            let count = count.max(6);
            let periodic = draw_colors(ColorMode::Periodic, count, &mut rng);
            let repeats = |period: usize| (period..count).all(|at| periodic[at] == periodic[at - period]);
            assert!((3..=count / 2).any(repeats), "{periodic:?}");
        }
    }
}
