//! Where strings lie in the pictures, from where they are seen, and whether they can be read.

use topotrace_core::Flaw;
use topotrace_draw::rope::RING_REACH;
use topotrace_space::{
    Ball, Camera, Curve, Diagram, Frame, Lens, Pointer, ReadingRule, ThingRule, Tube, View,
};

use super::string::{Bead, BeadString};

/// Side of a picture in canvas units.
pub(super) const CANVAS: u32 = 1024;
/// How far beads, markers and arrows reach beyond the center line, in world units.
const MARGIN: f64 = 0.48;
/// The gap at crossings in canvas units.
pub(super) const CASING: f64 = 7.0;

/// The square of a picture that a string is drawn in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Panel {
    /// The index of the picture.
    pub(super) picture: usize,
    /// Canvas units from the left and the upper edge.
    pub(super) corner: (u32, u32),
    /// Side in canvas units.
    pub(super) side: u32,
    /// The part of it that a string fills, in percent.
    fill_percent: u8,
}

/// What is left free at the sides of a quarter and above, for the option's letter.
const QUARTER_RIM: (u32, u32) = (28, 52);

impl Panel {
    /// The panels of a scene with so many strings: a picture each, or for five strings one picture of
    /// the first and one with the four others.
    pub(super) fn all(strings: usize) -> Vec<Panel> {
        let whole = |picture| Panel { picture, corner: (0, 0), side: CANVAS, fill_percent: 84 };
        let (half, (rim, above)) = (CANVAS / 2, QUARTER_RIM);
        let quarter = |at: u32| {
            let corner = (at % 2 * half + rim, at / 2 * half + above);
            Panel { picture: 1, corner, side: half - 2 * rim, fill_percent: 94 }
        };
        match strings {
            5 => std::iter::once(whole(0)).chain((0..4).map(quarter)).collect(),
            _ => (0..strings).map(whole).collect(),
        }
    }

    /// The corner of the quarter of a picture that the panel lies in.
    pub(super) fn frame_corner(&self) -> (f64, f64) {
        (f64::from(self.corner.0 - QUARTER_RIM.0), f64::from(self.corner.1 - QUARTER_RIM.1))
    }

    /// The camera that shows the whole curve in the panel.
    pub(super) fn camera(&self, curve: &Curve, view: View, lens: Lens) -> Camera {
        let frame = Frame { width: self.side, height: self.side, fill_percent: self.fill_percent };
        let camera = Camera::around_points(view, lens, curve.points(), MARGIN, frame);
        camera.moved(f64::from(self.corner.0), f64::from(self.corner.1))
    }
}

/// Sizes of what is on a string, in steps of 1/1024 world unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// The radius of the string.
    pub(super) cord: u32,
    /// The radius of the beads.
    pub(super) bead: u32,
}

impl Sizes {
    pub(super) const SMALLEST: Sizes = Sizes { cord: 50, bead: 205 };
    pub(super) const LARGEST: Sizes = Sizes { cord: 66, bead: 250 };
    /// The length of an arrow and the radius of its base.
    pub(super) const ARROW: (f64, f64) = (0.46, 0.18);

    pub(super) fn cord_radius(self) -> f64 {
        f64::from(self.cord) / topotrace_space::QUANTA
    }

    pub(super) fn bead_radius(self) -> f64 {
        f64::from(self.bead) / topotrace_space::QUANTA
    }
}

/// A string as it is seen by a camera.
pub(super) struct Sight {
    curve: Curve,
    radius: f64,
    camera: Camera,
    diagram: Diagram,
}

impl Sight {
    /// The string from a view, in a panel.
    ///
    /// # Errors
    /// When its points make no curve.
    pub(super) fn new(
        string: &BeadString,
        view: View,
        lens: Lens,
        sizes: Sizes,
        panel: &Panel,
    ) -> Result<Sight, Flaw> {
        Ok(Sight::of_curve(string.curve()?, view, lens, sizes, panel))
    }

    /// A curve from a view, in a panel.
    pub(super) fn of_curve(curve: Curve, view: View, lens: Lens, sizes: Sizes, panel: &Panel) -> Sight {
        let camera = panel.camera(&curve, view, lens);
        let radius = sizes.cord_radius();
        let diagram = Diagram::new(&[Tube { curve: &curve, radius }], &camera);
        Sight { curve, radius, camera, diagram }
    }

    /// The number of crossings.
    pub(super) fn crossings(&self) -> usize {
        self.diagram.crossings().len()
    }

    /// Why a crossing by itself can't be read, if one can't: its strands touch, or it is too flat.
    pub(super) fn flaw_of_crossings(&self) -> Option<&'static str> {
        let crossings = self.diagram.crossings();
        if crossings.iter().any(|c| c.under.depth - c.over.depth < LEAST_GAP * self.radius) {
            Some("touching strands")
        } else if crossings.iter().any(|c| c.angle_degrees < RULE.least_angle_degrees) {
            Some("flat crossing")
        } else {
            None
        }
    }

    /// Why the line by itself can't be read, if it can't.
    pub(super) fn flaw_of_line(&self) -> Option<&'static str> {
        self.flaw_of_crossings().or_else(|| self.diagram.first_flaw(&RULE).map(|flaw| flaw.name()))
    }

    /// Why a bead, the ring around the first or the arrow can't be read, if one can't.
    pub(super) fn flaw_of_beads(&self, string: &BeadString, sizes: Sizes) -> Option<&'static str> {
        let ball = |(index, bead): (usize, &Bead)| Ball {
            tube: 0,
            position: self.curve.start(bead.at as usize),
            radius: sizes.bead_radius(),
            reach: if index == string.first { RING_REACH } else { 1.0 },
        };
        let balls: Vec<_> = string.beads.iter().enumerate().map(ball).collect();
        let (length, radius) = Sizes::ARROW;
        let arrow = Pointer { tube: 0, position: string.arrow_position(&self.curve), length, radius };
        let tubes = [Tube { curve: &self.curve, radius: self.radius }];
        let hidden = self.diagram.first_hidden(&tubes, &balls, &[arrow], &self.camera, &THINGS);
        hidden.map(|hidden| hidden.name())
    }
}

/// When beads, ring and arrow can be read: a bead may be covered a little by its own string.
const THINGS: ThingRule =
    ThingRule { casing: 6.0, visible: 10.0, steepest_degrees: 60.0, least_shown: 0.85, least_pointer: 0.6 };

/// The least distance of two strands in depth at a crossing, in radii of the string: 2 is where they touch.
const LEAST_GAP: f64 = 2.4;
/// When crossings can be read.
const RULE: ReadingRule = ReadingRule { least_angle_degrees: 40.0, casing: CASING, visible_widths: 1.0 };

/// Checks that every crossing, every bead and the arrow can be read from a view.
///
/// # Errors
/// Names the first thing that can't.
pub(super) fn ensure_readable(
    string: &BeadString,
    view: View,
    lens: Lens,
    sizes: Sizes,
    panel: &Panel,
) -> Result<(), Flaw> {
    let sight = Sight::new(string, view, lens, sizes, panel)?;
    match sight.flaw_of_line().or_else(|| sight.flaw_of_beads(string, sizes)) {
        Some(flaw) => Err(Flaw::new(format!("the string can't be read from its view: {flaw}"))),
        None => Ok(()),
    }
}
