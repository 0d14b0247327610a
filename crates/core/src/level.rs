use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::flaw::{Flaw, ensure};

/// A named tier of difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Difficulty 0.
    Easy,
    /// Difficulty 0.5.
    Medium,
    /// Difficulty 1.
    Hard,
}

impl Level {
    /// All tiers, easiest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// The tier's name, as in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = Flaw;

    fn from_str(text: &str) -> Result<Self, Flaw> {
        Level::ALL.into_iter().find(|level| level.name() == text).ok_or_else(|| {
            Flaw::new(format!("tier {text:?} is unknown; the tiers are easy, medium and hard"))
        })
    }
}

/// Difficulty as a number: 0 is the easy tier, 0.5 medium, 1 hard, and up to 1.25 beyond.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Difficulty(f64);

impl Difficulty {
    /// The greatest difficulty.
    pub const MAX: f64 = 1.25;

    /// A difficulty.
    ///
    /// # Errors
    /// When `value` is not from 0 to 1.25.
    pub fn new(value: f64) -> Result<Self, Flaw> {
        ensure((0.0..=Self::MAX).contains(&value), || {
            format!("difficulty {value} is not from 0 to {}", Self::MAX)
        })?;
        Ok(Difficulty(value))
    }

    /// The number.
    pub fn value(self) -> f64 {
        self.0
    }

    /// The tier whose difficulty this is exactly.
    pub fn level(self) -> Option<Level> {
        Level::ALL.into_iter().find(|&level| Difficulty::from(level) == self)
    }

    /// The tier's name, or the number where the difficulty is no tier: what stands in records.
    pub fn name(self) -> String {
        self.level().map_or_else(|| self.0.to_string(), |level| level.name().to_owned())
    }

    /// A parameter that has the three given values at the three tiers, is linear between them
    /// and goes on in the direction of the last piece beyond the hard tier.
    pub fn blend(self, easy: f64, medium: f64, hard: f64) -> f64 {
        if self.0 <= 0.5 {
            easy + (medium - easy) * (self.0 * 2.0)
        } else {
            medium + (hard - medium) * ((self.0 - 0.5) * 2.0)
        }
    }

    /// [`Difficulty::blend`], rounded to the nearest whole number that is not negative.
    pub fn blend_whole(self, easy: u32, medium: u32, hard: u32) -> u32 {
        self.blend(f64::from(easy), f64::from(medium), f64::from(hard)).round().max(0.0) as u32
    }
}

impl From<Level> for Difficulty {
    fn from(level: Level) -> Self {
        Difficulty(match level {
            Level::Easy => 0.0,
            Level::Medium => 0.5,
            Level::Hard => 1.0,
        })
    }
}

impl TryFrom<f64> for Difficulty {
    type Error = Flaw;

    fn try_from(value: f64) -> Result<Self, Flaw> {
        Difficulty::new(value)
    }
}

impl From<Difficulty> for f64 {
    fn from(difficulty: Difficulty) -> f64 {
        difficulty.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_hit_exactly() {
        for (level, wanted) in Level::ALL.into_iter().zip([4, 5, 7]) {
            assert_eq!(Difficulty::from(level).blend_whole(4, 5, 7), wanted);
            assert_eq!(Difficulty::from(level).level(), Some(level));
        }
        assert_eq!(Difficulty::new(1.25).unwrap().blend_whole(4, 5, 7), 8);
        assert_eq!(Difficulty::new(0.3).unwrap().level(), None);
        assert_eq!(Difficulty::new(0.3).unwrap().name(), "0.3");
        assert_eq!(Difficulty::from(Level::Hard).name(), "hard");
    }

    #[test]
    fn out_of_range_is_named() {
        for value in [-0.1, 1.3, f64::NAN, f64::INFINITY] {
            let flaw = Difficulty::new(value).unwrap_err().to_string();
            assert!(flaw.contains("1.25"), "{flaw}");
        }
    }
}
