use serde::{Deserialize, Serialize};
use topotrace_core::{Flaw, ensure, ensure_within};
use topotrace_space::nalgebra::Point3;
use topotrace_space::{Curve, Lens, View};

use super::views::{Panel, Sizes, ensure_readable};

/// The most strings of a scene.
pub const MAX_STRINGS: usize = 5;
/// The fewest beads of a string.
pub const MIN_BEADS: usize = 3;
/// The most beads of a string.
pub const MAX_BEADS: usize = 16;
/// The most points of a center line.
pub const MAX_LINE: usize = 640;
/// The greatest absolute coordinate of a center line, in steps of 1/1024 world unit.
pub const MAX_STEP: i32 = 8192;

/// The color of a bead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum BeadColor {
    Red,
    Blue,
    Green,
    Yellow,
    Orange,
    Purple,
    White,
    Brown,
}

impl BeadColor {
    /// All colors, in the order of the palettes.
    pub const ALL: [BeadColor; 8] = [
        BeadColor::Red,
        BeadColor::Blue,
        BeadColor::Green,
        BeadColor::Yellow,
        BeadColor::Orange,
        BeadColor::Purple,
        BeadColor::White,
        BeadColor::Brown,
    ];

    /// The color's name, as in records and answers.
    pub const fn name(self) -> &'static str {
        match self {
            BeadColor::Red => "red",
            BeadColor::Blue => "blue",
            BeadColor::Green => "green",
            BeadColor::Yellow => "yellow",
            BeadColor::Orange => "orange",
            BeadColor::Purple => "purple",
            BeadColor::White => "white",
            BeadColor::Brown => "brown",
        }
    }

    /// The names of all colors: the legal values of an answer.
    pub fn names() -> Vec<String> {
        BeadColor::ALL.iter().map(|color| color.name().to_owned()).collect()
    }
}

/// A bead at a point of the string's center line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bead {
    /// Its color.
    pub color: BeadColor,
    /// The index of the point of the line in its middle.
    pub at: u32,
}

/// A string through beads, in space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeadString {
    /// Whether the last point of the line is joined to the first.
    pub closed: bool,
    /// The center line in steps of 1/1024 world unit: x to the right, y away from the viewer of the
    /// front view, z up. Points lie at equal arc lengths.
    pub line: Vec<[i32; 3]>,
    /// The beads in the order of the line's points.
    pub beads: Vec<Bead>,
    /// The index of the marked bead, from which the string is read.
    pub first: usize,
    /// Whether the arrow points the way the line runs.
    pub forward: bool,
    /// A view from which every crossing and every bead can be read. Looks vary around it.
    pub seen_from: View,
}

impl BeadString {
    /// The center line as a curve.
    ///
    /// # Errors
    /// When the points make no curve.
    pub fn curve(&self) -> Result<Curve, Flaw> {
        Curve::from_quantized(&self.line, self.closed)
    }

    /// The middle of a bead in space, in world units.
    pub fn place(&self, bead: &Bead) -> Point3<f64> {
        let point = self.line.get(bead.at as usize).copied().unwrap_or_default();
        Point3::from(point.map(|step| f64::from(step) / topotrace_space::QUANTA))
    }

    /// The number of points from the marked bead to the next one, in the arrow's direction.
    pub(super) fn first_gap(&self) -> u32 {
        let (count, points) = (self.beads.len(), self.line.len() as u32);
        let (from, to) = match self.forward {
            true => (self.first, (self.first + 1) % count),
            false => ((self.first + count - 1) % count, self.first),
        };
        let (from, to) = (self.beads[from].at, self.beads[to].at);
        (to + points - from) % points
    }

    /// Where on the curve the arrow is: half-way from the marked bead to the next.
    pub(super) fn arrow_position(&self, curve: &Curve) -> f64 {
        let half = curve.length() / self.segment_count() as f64 * f64::from(self.first_gap()) / 2.0;
        let from = curve.start(self.beads[self.first].at as usize);
        curve.normalized(if self.forward { from + half } else { from - half })
    }

    fn segment_count(&self) -> usize {
        self.line.len() - usize::from(!self.closed)
    }

    /// Checks that beads lie at equal numbers of points, and points at about equal distances.
    pub(super) fn validate_spacing(&self) -> Result<(), Flaw> {
        let mut gaps: Vec<u32> = self.beads.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
        if let (true, [first, .., last]) = (self.closed, self.beads.as_slice()) {
            gaps.push((self.line.len() as u32 + first.at).saturating_sub(last.at));
        }
        ensure(gaps.iter().all(|gap| *gap == gaps[0]), || {
            format!("beads are not at equal distances: {gaps:?} points apart")
        })?;
        let curve = self.curve()?;
        let mean = curve.length() / curve.segment_count() as f64;
        for index in 0..curve.segment_count() {
            let share = (curve.start(index + 1) - curve.start(index)) / mean;
            ensure_within("length of a segment of a line, over the mean,", share, EVEN.0, EVEN.1)?;
        }
        Ok(())
    }

    /// Checks a stranger's string.
    fn validate(&self) -> Result<(), Flaw> {
        ensure_within("points of a line", self.line.len(), 8, MAX_LINE)?;
        for step in self.line.iter().flatten() {
            ensure_within("a coordinate of a line", *step, -MAX_STEP, MAX_STEP)?;
        }
        if let View::Angles { azimuth_millidegrees, elevation_millidegrees } = self.seen_from {
            ensure_within("azimuth_millidegrees of seen_from", azimuth_millidegrees, 0, 359_999)?;
            ensure_within("elevation_millidegrees of seen_from", elevation_millidegrees, -90_000, 90_000)?;
        }
        self.curve()?;
        ensure_within("beads of a string", self.beads.len(), MIN_BEADS, MAX_BEADS)?;
        for pair in self.beads.windows(2) {
            ensure(pair[0].at < pair[1].at, || {
                format!("beads at points {} and {} are not in the line's order", pair[0].at, pair[1].at)
            })?;
        }
        let last = self.beads.len() - 1;
        let (end, points) = (self.beads[last].at, self.line.len());
        ensure((end as usize) < points, || format!("a bead at point {end} of {points}"))?;
        self.validate_spacing()?;
        ensure(self.first <= last, || format!("first {} is not from 0 to {last}", self.first))?;
        let begins = self.first == if self.forward { 0 } else { last };
        ensure(self.closed || begins, || {
            format!("first {} is not the end from which an open string is read", self.first)
        })
    }
}

/// How much shorter and longer than the mean a segment of a line may be.
const EVEN: (f64, f64) = (0.5, 1.5);

/// One or several strings, each with its own beads, marker and arrow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strings {
    /// The strings: one; two to be compared; or one with four options.
    pub strings: Vec<BeadString>,
}

impl Strings {
    /// Checks a stranger's state, of which the program expects `count` strings.
    pub(super) fn validate(&self, count: usize) -> Result<(), Flaw> {
        let found = self.strings.len();
        ensure(found == count, || format!("there are {found} strings and not {count}"))?;
        self.strings.iter().try_for_each(BeadString::validate)?;
        for (string, panel) in self.strings.iter().zip(&Panel::all(count)) {
            ensure_readable(string, string.seen_from, Lens::Orthographic, Sizes::LARGEST, panel)?;
        }
        Ok(())
    }
}
