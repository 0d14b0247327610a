//! Strings of a wanted difficulty with wanted colors.

use serde::{Deserialize, Serialize};
use topotrace_core::{Difficulty, Flaw, Params, Rejected, SemanticRng, ensure, ensure_within};
use topotrace_space::nalgebra::{Point3, center};
use topotrace_space::{Camera, Curve, Frame, Lens, View};

use super::colors::{self, ColorMode};
use super::curves::{self, CurveClass};
use super::shortcuts::{self, GuessedOrder};
use super::string::{Bead, BeadColor, BeadString, Strings};
use super::views::{Panel, Sight, Sizes};

/// What strings are made of: numbers of beads, and weights by which kinds are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StringParams {
    /// Fewest beads of a string, from 5 to 12.
    pub beads_min: u32,
    /// Most beads of a string, from `beads_min` to 12.
    pub beads_max: u32,
    /// Weight of arcs, spirals, S, helices, horseshoes and rings with a waist.
    pub simple: u32,
    /// Weight of splines, Lissajous curves, loops along an arc and rings of curled lobes.
    pub complex: u32,
    /// Weight of torus knots.
    pub knotted: u32,
    /// Weight of colors without repeats; up to eight beads, any colors beyond.
    pub distinct: u32,
    /// Weight of any colors.
    pub mixed: u32,
    /// Weight of colors much like their neighbors'.
    pub similar: u32,
    /// Weight of colors that are the same from both ends.
    pub palindromic: u32,
    /// Weight of a short word of colors over and over.
    pub periodic: u32,
}

/// The greatest weight.
const MAX_WEIGHT: u32 = 1000;

impl Params for StringParams {
    fn at(difficulty: Difficulty) -> Self {
        let weight = |easy, medium, hard| difficulty.blend_whole(easy, medium, hard).min(MAX_WEIGHT);
        StringParams {
            beads_min: difficulty.blend_whole(6, 9, 6).max(5),
            beads_max: difficulty.blend_whole(8, 11, 8).max(5),
            simple: weight(100, 0, 0),
            complex: weight(0, 100, 0),
            knotted: weight(0, 0, 100),
            distinct: weight(20, 0, 20),
            mixed: 20,
            similar: 20,
            palindromic: 20,
            periodic: 20,
        }
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure_within("beads_min", self.beads_min, 5, 12)?;
        ensure((self.beads_min..=12).contains(&self.beads_max), || {
            format!("beads_max {} is not from beads_min {} to 12", self.beads_max, self.beads_min)
        })?;
        let curves = [("simple", self.simple), ("complex", self.complex), ("knotted", self.knotted)];
        let modes = [
            ("distinct", self.distinct),
            ("mixed", self.mixed),
            ("similar", self.similar),
            ("palindromic", self.palindromic),
            ("periodic", self.periodic),
        ];
        for weights in [&curves[..], &modes[..]] {
            for (name, weight) in weights {
                ensure_within(name, *weight, 0, MAX_WEIGHT)?;
            }
            let names: Vec<_> = weights.iter().map(|(name, _)| *name).collect();
            ensure(weights.iter().any(|(_, weight)| *weight > 0), || {
                format!("the weights {} are all 0", names.join(", "))
            })?;
        }
        Ok(())
    }
}

impl StringParams {
    /// A number of beads.
    pub(super) fn count(&self, rng: &mut SemanticRng) -> usize {
        rng.between(self.beads_min..=self.beads_max) as usize
    }

    /// A mode of coloring.
    pub(super) fn mode(&self, rng: &mut SemanticRng) -> ColorMode {
        let weights = [
            (ColorMode::Distinct, self.distinct),
            (ColorMode::Mixed, self.mixed),
            (ColorMode::Similar, self.similar),
            (ColorMode::Palindromic, self.palindromic),
            (ColorMode::Periodic, self.periodic),
        ];
        weighted(&weights, rng)
    }

    /// A shape, open or closed.
    pub(super) fn shape(&self, rng: &mut SemanticRng) -> ShapeAim {
        let weights = [
            (CurveClass::Simple, self.simple),
            (CurveClass::Complex, self.complex),
            (CurveClass::Knotted, self.knotted),
        ];
        ShapeAim::new(weighted(&weights, rng), rng.percent(OPEN_PERCENT), rng)
    }

    /// The colors of `count` beads.
    pub(super) fn colors(&self, count: usize, rng: &mut SemanticRng) -> Vec<BeadColor> {
        colors::draw_colors(self.mode(rng), count, rng)
    }
}

/// How often a string that may be open is open.
const OPEN_PERCENT: u32 = 65;

/// One of the values, by its weight; the first where all weights are 0.
fn weighted<T: Copy>(weights: &[(T, u32)], rng: &mut SemanticRng) -> T {
    let total: u32 = weights.iter().map(|(_, weight)| weight).sum();
    let mut left = rng.below(total.max(1) as usize) as u32;
    for (value, weight) in weights {
        if left < *weight {
            return *value;
        }
        left -= weight;
    }
    weights[0].0
}

/// The wanted shape of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeAim {
    /// How tangled it is.
    pub class: CurveClass,
    /// Whether it is open, where the class has open ones.
    pub open: bool,
    /// The fewest crossings that are seen.
    pub crossings: u32,
}

impl ShapeAim {
    /// A shape with a random wish for crossings.
    pub(super) fn new(class: CurveClass, open: bool, rng: &mut SemanticRng) -> ShapeAim {
        let crossings = match class {
            CurveClass::Simple => 0,
            CurveClass::Complex => rng.between(0..=3),
            CurveClass::Knotted => 3,
        };
        ShapeAim { class, open, crossings }
    }

    /// Whether the string will be open.
    pub(super) fn is_open(self) -> bool {
        self.open && self.class != CurveClass::Knotted
    }
}

/// Of the strings that a guessed order reads right, so many percent are thrown away.
const THINNED_PERCENT: u32 = 88;
/// The guessed orders that strings are thinned by.
const THINNED_BY: [GuessedOrder; 5] = [
    shortcuts::nearest_seen,
    shortcuts::nearest_in_space,
    shortcuts::along_x,
    shortcuts::along_y,
    shortcuts::around_the_middle,
];
/// About how many points a line has.
const LINE_POINTS: usize = 288;
/// How many points a line has in a first look.
const ROUGH_POINTS: usize = 90;
/// Half of the greatest extent of a string, in world units.
const HALF_EXTENT: f64 = 4.0;
/// How many places of the first bead are tried.
const OFFSETS: usize = 20;

/// How many strings are drawn until one can be read.
const DRAWS: usize = 60;

/// A string of this shape whose beads have these colors in the order of reading, and that can be read
/// in the panel.
///
/// # Errors
/// When no draw can be read.
pub(super) fn string(
    shape: ShapeAim,
    wanted: &[BeadColor],
    panel: &Panel,
    rng: &mut SemanticRng,
) -> Result<BeadString, Rejected> {
    let mut drawn = try_string(shape, wanted, panel, rng);
    for _ in 1..DRAWS {
        if drawn.is_ok() {
            break;
        }
        drawn = try_string(shape, wanted, panel, rng);
    }
    drawn
}

/// One draw, which may be unreadable or thinned out.
fn try_string(
    shape: ShapeAim,
    wanted: &[BeadColor],
    panel: &Panel,
    rng: &mut SemanticRng,
) -> Result<BeadString, Rejected> {
    let seen_from = view(rng);
    let curve = curves::draw_curve(shape.class, shape.open, rng).map_err(|_| Rejected("no curve"))?;
    let leans = if shape.class == CurveClass::Simple { 36.0 } else { 16.0 };
    let curve = turned_to(seen_from, &curve, leans, rng).map_err(|_| Rejected("no curve"))?;
    // Most draws fail here, at a tenth of the cost.
    let rough = curve.resampled(ROUGH_POINTS).map_err(|_| Rejected("no curve"))?;
    let rough = Sight::of_curve(rough, seen_from, Lens::Orthographic, Sizes::LARGEST, panel);
    if let Some(flaw) = rough.flaw_of_crossings() {
        return Err(Rejected(flaw));
    }
    if rough.crossings() < shape.crossings as usize {
        return Err(Rejected("too few crossings"));
    }
    let (count, closed) = (wanted.len(), curve.is_closed());
    let step = LINE_POINTS.div_ceil(count);
    let points = count * step + usize::from(!closed);
    let line = curve.resampled(points).map_err(|_| Rejected("no curve"))?.quantized();
    if line.len() != points {
        return Err(Rejected("no curve"));
    }
    let offsets = free_offsets(step, closed, rng);
    let forward = rng.percent(50);
    let first = if closed {
        rng.below(count)
    } else if forward {
        0
    } else {
        count - 1
    };
    let mut string = BeadString { closed, line, beads: Vec::new(), first, forward, seen_from };
    // The largest sizes, so that all looks can be read.
    let sight = Sight::new(&string, seen_from, Lens::Orthographic, Sizes::LARGEST, panel)
        .map_err(|_| Rejected("no curve"))?;
    if let Some(flaw) = sight.flaw_of_line() {
        return Err(Rejected(flaw));
    }
    if sight.crossings() < shape.crossings as usize {
        return Err(Rejected("too few crossings"));
    }
    let place = offsets.into_iter().find(|offset| {
        string.beads = beads(&string, wanted, *offset, step);
        sight.flaw_of_beads(&string, Sizes::LARGEST).is_none()
    });
    let guessed = |guess: &GuessedOrder| shortcuts::colors(&string, *guess) == wanted;
    match place {
        None => Err(Rejected("no place for the beads")),
        Some(_) if THINNED_BY.iter().any(guessed) && rng.percent(THINNED_PERCENT) => {
            Err(Rejected("read right by a guessed order"))
        }
        Some(_) if string.validate_spacing().is_err() => Err(Rejected("uneven line")),
        Some(_) => Ok(string),
    }
}

/// Beads `step` points apart from point `offset` on, in the wanted colors when they are read.
fn beads(string: &BeadString, wanted: &[BeadColor], offset: usize, step: usize) -> Vec<Bead> {
    let count = wanted.len();
    let bead = |place: usize| {
        let way = if string.forward { place + count - string.first } else { string.first + count - place };
        Bead { color: wanted[way % count], at: (offset + place * step) as u32 }
    };
    (0..count).map(bead).collect()
}

/// Places of the first bead, in a random order; on an open string away from the end.
fn free_offsets(step: usize, closed: bool, rng: &mut SemanticRng) -> Vec<usize> {
    let (low, high) = if closed { (0, step) } else { (step / 4, step - step / 4) };
    let count = OFFSETS.min(high - low);
    let start = rng.below(high - low);
    let mut offsets: Vec<_> =
        (0..count).map(|at| low + (start + at * (high - low) / count) % (high - low)).collect();
    rng.shuffle(&mut offsets);
    offsets
}

/// A view near one of the named ones, from any side.
fn view(rng: &mut SemanticRng) -> View {
    let azimuth = rng.below(360_000) as i32;
    let (low, high) = *rng.pick(&[(0, 10_000), (20_000, 30_000), (33_000, 38_000), (80_000, 90_000)]);
    View::Angles {
        azimuth_millidegrees: azimuth,
        elevation_millidegrees: low + rng.below((high - low) as usize + 1) as i32,
    }
}

/// The curve of [`HALF_EXTENT`], centered, with its z axis turned towards the viewer and a little
/// aside, by up to so many degrees.
fn turned_to(view: View, curve: &Curve, leans: f64, rng: &mut SemanticRng) -> Result<Curve, Flaw> {
    let frame = Frame { width: 2, height: 2, fill_percent: 100 };
    let camera = Camera::around_sphere(view, Lens::Orthographic, Point3::origin(), 1.0, frame);
    let (sin_roll, cos_roll) = libm::sincos(rng.uniform(0.0, std::f64::consts::TAU));
    let (sin_lean, cos_lean) = libm::sincos(rng.uniform(0.0, leans).to_radians());
    let (sin_side, cos_side) = libm::sincos(rng.uniform(0.0, std::f64::consts::TAU));
    let turned = curve.mapped(|point| {
        let (x, y) = (cos_roll * point.x - sin_roll * point.y, sin_roll * point.x + cos_roll * point.y);
        // Lean around the axis (cos_side, sin_side, 0) in the picture's plane.
        let (along, across) = (cos_side * x + sin_side * y, cos_side * y - sin_side * x);
        let (across, z) = (cos_lean * across - sin_lean * point.z, sin_lean * across + cos_lean * point.z);
        let (x, y) = (cos_side * along - sin_side * across, sin_side * along + cos_side * across);
        Point3::from(camera.right() * x + camera.up() * y - camera.forward() * z)
    })?;
    let first = turned.points()[0];
    let (low, high) =
        turned.points().iter().fold((first, first), |(low, high), point| (low.inf(point), high.sup(point)));
    let middle = center(&low, &high);
    let farthest = turned.points().iter().map(|point| (point - middle).norm()).fold(0.0, f64::max);
    turned.mapped(|point| Point3::from((point - middle) * (HALF_EXTENT / farthest)))
}

/// Beads to be passed, and three for every crossing at which the right strand has to be kept.
pub(super) fn effort(state: &Strings) -> u64 {
    let panels = Panel::all(state.strings.len());
    let of = |(string, panel): (&BeadString, &Panel)| {
        let sight = Sight::new(string, string.seen_from, Lens::Orthographic, Sizes::SMALLEST, panel);
        string.beads.len() + 3 * sight.map_or(0, |sight| sight.crossings())
    };
    state.strings.iter().zip(&panels).map(of).sum::<usize>() as u64
}
