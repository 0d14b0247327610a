//! Reading a string from its marked bead in the arrow's direction: the way of `execute`, the way of
//! `recount`, and the checker.

use serde::{Deserialize, Serialize};
use topotrace_core::{Answer, Flaw, ensure};

use super::letters::Letters;
use super::string::{BeadColor, BeadString};

/// The beads of a string, by their indices, in the order in which they are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reading(pub Vec<usize>);

impl Reading {
    /// Walks along the line from point to point and notes every bead on the way.
    pub(super) fn walk(string: &BeadString) -> Reading {
        let points = string.line.len();
        let mut bead_at = vec![None; points];
        for (index, bead) in string.beads.iter().enumerate() {
            bead_at[bead.at as usize] = Some(index);
        }
        let mut order = Vec::with_capacity(string.beads.len());
        let mut point = string.beads[string.first].at as usize;
        for _ in 0..points {
            order.extend(bead_at[point]);
            let next = if string.forward { point + 1 } else { point + points - 1 };
            if !string.closed && (next == points || point == 0 && !string.forward) {
                break;
            }
            point = next % points;
        }
        Reading(order)
    }

    /// The colors of the beads in the order of reading; beads that aren't there are left out.
    pub(super) fn colors(&self, string: &BeadString) -> Vec<BeadColor> {
        self.0.iter().filter_map(|bead| string.beads.get(*bead)).map(|bead| bead.color).collect()
    }

    /// The place of a bead in the order of reading, from 0.
    pub(super) fn place_of(&self, bead: usize) -> Option<usize> {
        self.0.iter().position(|read| *read == bead)
    }

    /// The places of the first two lettered beads in the order of reading; 0 for one that isn't read.
    pub(super) fn places(&self, letters: &Letters) -> [usize; 2] {
        [0, 1].map(|letter| self.place_of(letters.bead(letter)).unwrap_or(0))
    }

    /// Checks that these are all beads of the string, the marked one first, and that between one and
    /// the next no other lies on the way.
    pub(super) fn check(&self, string: &BeadString) -> Result<(), Flaw> {
        let (count, points) = (string.beads.len(), string.line.len() as i64);
        ensure(self.0.len() == count && self.0.iter().all(|bead| *bead < count), || {
            format!("the reading does not hold the {count} beads")
        })?;
        ensure(self.0[0] == string.first, || format!("bead {} is not the marked one", self.0[0]))?;
        let way = |from: usize, to: usize| {
            let gap = i64::from(string.beads[to].at) - i64::from(string.beads[from].at);
            if string.forward { gap.rem_euclid(points) } else { (-gap).rem_euclid(points) }
        };
        for pair in self.0.windows(2) {
            let step = way(pair[0], pair[1]);
            let between = (0..count).find(|other| (1..step).contains(&way(pair[0], *other)));
            ensure(step > 0 && between.is_none(), || {
                format!("bead {} does not follow bead {} on the string", pair[1], pair[0])
            })?;
        }
        Ok(())
    }
}

/// The colors in the order of reading, by turning and mirroring the list of beads.
pub(super) fn turned_list(string: &BeadString) -> Vec<BeadColor> {
    let mut colors: Vec<BeadColor> = string.beads.iter().map(|bead| bead.color).collect();
    colors.rotate_left(string.first);
    if !string.forward {
        // The marked bead stays in front.
        colors[1..].reverse();
    }
    colors
}

/// The index of the bead that is read at place `place`, from 0, by counting in the list of beads.
pub(super) fn bead_at_place(string: &BeadString, place: usize) -> usize {
    let count = string.beads.len();
    let place = place % count;
    let step = if string.forward { place } else { count - place };
    (string.first + step) % count
}

/// A sequence of color names.
pub(super) fn sequence(colors: &[BeadColor]) -> Answer {
    Answer::Sequence(colors.iter().map(|color| color.name().to_owned()).collect())
}

/// A color's name.
pub(super) fn label(color: BeadColor) -> Answer {
    Answer::Label(color.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bead::string::Bead;
    use topotrace_space::View;

    fn string(closed: bool, first: usize, forward: bool) -> BeadString {
        let line = (0..12).map(|at| [100 * at, 40 * (at % 5), 0]).collect();
        let colors = [BeadColor::Red, BeadColor::Blue, BeadColor::White, BeadColor::Red];
        let beads = [1, 4, 7, 10].into_iter().zip(colors).map(|(at, color)| Bead { color, at }).collect();
        BeadString { closed, line, beads, first, forward, seen_from: View::Top }
    }

    #[test]
    fn both_ways_of_reading_agree() {
        for (closed, first, forward, order) in [
            (false, 0, true, [0, 1, 2, 3]),
            (false, 3, false, [3, 2, 1, 0]),
            (true, 2, true, [2, 3, 0, 1]),
            (true, 2, false, [2, 1, 0, 3]),
            (true, 0, false, [0, 3, 2, 1]),
        ] {
            let string = string(closed, first, forward);
            let reading = Reading::walk(&string);
            assert_eq!(reading.0, order);
            assert_eq!(reading.colors(&string), turned_list(&string));
            for (place, bead) in order.iter().enumerate() {
                assert_eq!(bead_at_place(&string, place), *bead);
                assert_eq!(reading.place_of(*bead), Some(place));
            }
            reading.check(&string).unwrap();
            for (a, b) in [(0, 1), (1, 2), (2, 3), (1, 3)] {
                let mut wrong = reading.clone();
                wrong.0.swap(a, b);
                assert!(wrong.check(&string).is_err(), "{wrong:?}");
            }
            assert!(Reading(vec![0]).check(&string).is_err());
            assert!(Reading(vec![9; 4]).check(&string).is_err());
        }
    }
}
