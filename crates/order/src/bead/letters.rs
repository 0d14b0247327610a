//! Letters on beads, and what the programs share that ask about lettered beads of one string.

use serde::{Deserialize, Serialize};
use topotrace_core::{Flaw, Rejected, SemanticRng, ensure};

use super::colors::variety;
use super::grammar::{self, ShapeAim, StringParams};
use super::reading::bead_at_place;
use super::string::{BeadColor, Strings};
use super::views::Panel;

/// What a question about one string points at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Letters {
    /// Letters on beads of the first string.
    pub letters: Vec<Letter>,
}

/// A letter on a bead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Letter {
    /// The letter.
    pub name: char,
    /// The index of the bead.
    pub bead: usize,
}

impl Letters {
    /// Checks that there is a letter on a bead of its own for each name, in this order.
    pub(super) fn validate(&self, state: &Strings, names: &[char]) -> Result<(), Flaw> {
        let found: String = self.letters.iter().map(|letter| letter.name).collect();
        ensure(self.letters.iter().map(|letter| &letter.name).eq(names), || {
            format!("the letters {found:?} are not {:?}", names.iter().collect::<String>())
        })?;
        let count = state.strings[0].beads.len();
        for (index, letter) in self.letters.iter().enumerate() {
            ensure(letter.bead < count, || {
                format!("letter {} on bead {} of {count}", letter.name, letter.bead)
            })?;
            let taken = self.letters[..index].iter().any(|other| other.bead == letter.bead);
            ensure(!taken, || format!("letter {} shares bead {} with another", letter.name, letter.bead))?;
        }
        Ok(())
    }

    /// The bead of a letter, by its place among the letters.
    pub(super) fn bead(&self, letter: usize) -> usize {
        self.letters[letter].bead
    }
}

/// So many colors a string has where one of them is asked for: with fewer, any guess is right too often.
const VARIETY: usize = 5;
/// How often colors are drawn anew for it; some settings allow no more than three.
const DRAWS: usize = 40;

/// The colors of `count` beads, five different ones or more where the settings allow it.
pub(super) fn varied_colors(params: &StringParams, count: usize, rng: &mut SemanticRng) -> Vec<BeadColor> {
    let mut colors = params.colors(count, rng);
    for _ in 0..DRAWS {
        if variety(&colors) >= VARIETY {
            break;
        }
        colors = params.colors(count, rng);
    }
    colors
}

/// Of the questions about one color that a shortcut solver answers, so many percent are thrown away: not
/// more, or the color that none of them gives would be a good guess.
pub(super) const GUESSED_THINNED_PERCENT: u32 = 50;
/// The reason of such an attempt.
pub(super) const GUESSED: Rejected = Rejected("answered by a guess");

/// A string with letters on beads at wanted places in the order of reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LetteredAim {
    pub(super) shape: ShapeAim,
    pub(super) colors: Vec<BeadColor>,
    pub(super) places: Vec<usize>,
}

impl LetteredAim {
    /// A string of the wanted shape and colors.
    pub(super) fn sample(&self, rng: &mut SemanticRng) -> Result<Strings, Rejected> {
        let string = grammar::string(self.shape, &self.colors, &Panel::all(1)[0], rng)?;
        Ok(Strings { strings: vec![string] })
    }

    /// The letters, by their names.
    pub(super) fn letters(&self, state: &Strings, names: &[char]) -> Letters {
        let letter = |(name, place): (&char, &usize)| Letter {
            name: *name,
            bead: bead_at_place(&state.strings[0], *place),
        };
        Letters { letters: names.iter().zip(&self.places).map(letter).collect() }
    }
}
