use nalgebra::Vector3;

use super::outline::{Outline, Own};
use super::reading::covered;
use super::{Diagram, Tube};
use crate::{Camera, Curve, Projected};

/// A ball on a tube, such as a bead on its string. Lengths are world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The index of the tube.
    pub tube: usize,
    /// The arc length of its middle along the tube's center line.
    pub position: f64,
    /// Its radius.
    pub radius: f64,
    /// How far it is drawn, in radii: 1 for the ball alone, more with a ring around it.
    pub reach: f64,
}

/// An arrow on a tube. Lengths are world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// The index of the tube.
    pub tube: usize,
    /// The arc length of its middle along the tube's center line.
    pub position: f64,
    /// Its length.
    pub length: f64,
    /// Its largest radius.
    pub radius: f64,
}

impl Pointer {
    /// The unit direction in which it lies: along the chord of its length, not along the tangent, so
    /// that it follows a bent curve.
    pub fn axis(&self, curve: &Curve) -> Vector3<f64> {
        let half = self.length / 2.0;
        let chord = curve.point_at(self.position + half) - curve.point_at(self.position - half);
        chord.try_normalize(1e-9).unwrap_or_else(|| curve.tangent_at(self.position))
    }
}

/// When balls and pointers can be read. Lengths are canvas units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThingRule {
    /// The least distance from the edge of a ball or pointer to every other thing and to every strand
    /// but its own piece.
    pub casing: f64,
    /// How much of its string must be visible on both sides of a ball, before the next ball or the
    /// gap at a crossing. Nothing is asked of the side of a free end.
    pub visible: f64,
    /// The steepest that a string may run along the view on its way out of a ball or pointer, on the
    /// average, in degrees: 0 is across the view.
    pub steepest_degrees: f64,
    /// The part of its disc that a ball must show beside the string that comes out of its front.
    pub least_shown: f64,
    /// The part of its length that a pointer must show: 1 where it lies across the view.
    pub least_pointer: f64,
}

impl Default for ThingRule {
    /// A casing of 6, a visible length of 10, at most 60°, 90 % of a disc and 60 % of a pointer.
    fn default() -> Self {
        ThingRule { casing: 6.0, visible: 10.0, steepest_degrees: 60.0, least_shown: 0.9, least_pointer: 0.6 }
    }
}

/// Why a ball or a pointer, named first by its index, can't be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hidden {
    /// A ball on a tube that isn't there, or with a size that is no positive number.
    BallNowhere(usize),
    /// Two balls whose edges are too near each other.
    BallAtBall(usize, usize),
    /// A ball at a crossing; its index.
    BallAtCrossing(usize, usize),
    /// A ball at another strand, by its index, or at a farther piece of its own.
    BallAtStrand(usize, usize),
    /// The string of a ball runs nearly along the view.
    BallEndOn(usize),
    /// A ball of which its own string covers too much: the part of the disc that is shown.
    BallCovered(usize, f64),
    /// Too little of the string is visible beside a ball: the length, which may be negative.
    BallCrowded(usize, f64),
    /// A pointer on a tube that isn't there, or with a size that is no positive number.
    PointerNowhere(usize),
    /// A pointer that shows too little of its length: the part that it shows.
    PointerEndOn(usize, f64),
    /// A pointer whose string runs nearly along the view.
    PointerSteep(usize),
    /// A pointer at a ball; its index.
    PointerAtBall(usize, usize),
    /// Two pointers that are too near each other.
    PointerAtPointer(usize, usize),
    /// A pointer at a crossing; its index.
    PointerAtCrossing(usize, usize),
    /// A pointer at another strand, by its index, or at a farther piece of its own.
    PointerAtStrand(usize, usize),
}

impl Hidden {
    /// A name for counting.
    pub fn name(&self) -> &'static str {
        match self {
            Hidden::BallNowhere(_) => "ball nowhere",
            Hidden::BallAtBall(..) => "ball at a ball",
            Hidden::BallAtCrossing(..) => "ball at a crossing",
            Hidden::BallAtStrand(..) => "ball at a strand",
            Hidden::BallEndOn(_) => "ball end-on",
            Hidden::BallCovered(..) => "ball covered by its string",
            Hidden::BallCrowded(..) => "little string at a ball",
            Hidden::PointerNowhere(_) => "pointer nowhere",
            Hidden::PointerEndOn(..) => "pointer end-on",
            Hidden::PointerSteep(_) => "pointer on a steep string",
            Hidden::PointerAtBall(..) => "pointer at a ball",
            Hidden::PointerAtPointer(..) => "pointer at a pointer",
            Hidden::PointerAtCrossing(..) => "pointer at a crossing",
            Hidden::PointerAtStrand(..) => "pointer at a strand",
        }
    }
}

impl Diagram {
    /// The first ball or pointer that can't be read, if any: for all balls their neighbors, then the
    /// crossings, then their own string and the other strands, then the string beside them; the
    /// pointers last. `tubes` and `camera` are those that the diagram was made of.
    ///
    /// It says nothing of the strands themselves; see [`Diagram::first_flaw`].
    pub fn first_hidden(
        &self,
        tubes: &[Tube<'_>],
        balls: &[Ball],
        pointers: &[Pointer],
        camera: &Camera,
        rule: &ThingRule,
    ) -> Option<Hidden> {
        let inquiry = Inquiry { diagram: self, tubes, camera, rule };
        let mut seen = Vec::with_capacity(balls.len());
        for (index, ball) in balls.iter().enumerate() {
            match Outline::of_ball(ball, tubes, camera) {
                Some(outline) if outline.strand < self.strands.len() => seen.push(outline),
                _ => return Some(Hidden::BallNowhere(index)),
            }
        }
        inquiry.hidden_ball(balls, &seen).or_else(|| inquiry.hidden_pointer(pointers, &seen))
    }
}

struct Inquiry<'a> {
    diagram: &'a Diagram,
    tubes: &'a [Tube<'a>],
    camera: &'a Camera,
    rule: &'a ThingRule,
}

impl Inquiry<'_> {
    fn hidden_ball(&self, balls: &[Ball], seen: &[Outline]) -> Option<Hidden> {
        for (index, outline) in seen.iter().enumerate() {
            if let Some(other) = self.neighbor(outline, &seen[..index]) {
                return Some(Hidden::BallAtBall(index, other));
            }
        }
        for (index, outline) in seen.iter().enumerate() {
            if let Some(crossing) = self.crossing_at(outline) {
                return Some(Hidden::BallAtCrossing(index, crossing));
            }
        }
        let mut owns = Vec::with_capacity(seen.len());
        for (index, outline) in seen.iter().enumerate() {
            let Some(own) = self.own_piece(outline) else {
                return Some(Hidden::BallEndOn(index));
            };
            if let Some(strand) = self.strand_at(outline, &own) {
                return Some(Hidden::BallAtStrand(index, strand));
            }
            let shown = 1.0 - outline.covered_by_own(&balls[index], self.tubes, self.camera);
            if shown < self.rule.least_shown {
                return Some(Hidden::BallCovered(index, shown));
            }
            owns.push(own);
        }
        for index in 0..seen.len() {
            let visible = self.visible_beside(index, seen, &owns);
            if visible < self.rule.visible {
                return Some(Hidden::BallCrowded(index, visible));
            }
        }
        None
    }

    fn hidden_pointer(&self, pointers: &[Pointer], balls: &[Outline]) -> Option<Hidden> {
        let mut seen: Vec<Outline> = Vec::with_capacity(pointers.len());
        for (index, pointer) in pointers.iter().enumerate() {
            let outline = match Outline::of_pointer(pointer, self.tubes, self.camera) {
                Some(outline) if outline.strand < self.diagram.strands.len() => outline,
                _ => return Some(Hidden::PointerNowhere(index)),
            };
            let share = outline.shown_length();
            if share < self.rule.least_pointer {
                return Some(Hidden::PointerEndOn(index, share));
            }
            if let Some(ball) = self.neighbor(&outline, balls) {
                return Some(Hidden::PointerAtBall(index, ball));
            }
            if let Some(other) = self.neighbor(&outline, &seen) {
                return Some(Hidden::PointerAtPointer(index, other));
            }
            if let Some(crossing) = self.crossing_at(&outline) {
                return Some(Hidden::PointerAtCrossing(index, crossing));
            }
            let Some(own) = self.own_piece(&outline) else {
                return Some(Hidden::PointerSteep(index));
            };
            if let Some(strand) = self.strand_at(&outline, &own) {
                return Some(Hidden::PointerAtStrand(index, strand));
            }
            seen.push(outline);
        }
        None
    }

    /// A thing whose edge is nearer than the casing.
    fn neighbor(&self, outline: &Outline, others: &[Outline]) -> Option<usize> {
        others.iter().position(|other| outline.to_outline(other) < self.rule.casing)
    }

    /// A crossing whose patch of both widths comes nearer than the casing.
    fn crossing_at(&self, outline: &Outline) -> Option<usize> {
        self.diagram.crossings.iter().position(|crossing| {
            let widths = crossing.over.half_width + crossing.under.half_width;
            let at = Projected { x: crossing.x, y: crossing.y, depth: 0.0 };
            outline.to_point(&at) < outline.reach + widths + self.rule.casing
        })
    }

    /// A strand that comes nearer than the casing outside of the thing's own piece.
    fn strand_at(&self, outline: &Outline, own: &Own) -> Option<usize> {
        self.diagram.strands.iter().enumerate().position(|(index, strand)| {
            (0..strand.segment_count()).any(|segment| {
                let near = outline.reach + strand.half_widths[segment] + self.rule.casing;
                let (from, to) = strand.segment(segment);
                let is_own = index == outline.strand && own.holds(segment);
                !is_own && outline.to_segment(&from, &to) < near
            })
        })
    }

    fn own_piece(&self, outline: &Outline) -> Option<Own> {
        let strand = &self.diagram.strands[outline.strand];
        let curve = self.tubes[outline.strand].curve;
        Own::of(outline, strand, curve, self.rule)
    }

    /// The least canvas length of string that is visible on one side of a ball; infinite where nothing
    /// follows on either side.
    fn visible_beside(&self, index: usize, seen: &[Outline], owns: &[Own]) -> f64 {
        let (outline, own) = (&seen[index], &owns[index]);
        let strand = &self.diagram.strands[outline.strand];
        let mut least = f64::INFINITY;
        for side in [0, 1] {
            // The canvas length to a place on this side of the ball; none behind a free end.
            let ahead = |along: f64| {
                let gap = if side == 0 { own.along - along } else { along - own.along };
                let around = if gap > 0.0 { gap } else { gap + strand.length() };
                (gap > 0.0 || strand.closed).then_some(around)
            };
            let others = (0..seen.len()).filter(|other| seen[*other].strand == outline.strand);
            for other in others {
                if let Some(gap) = ahead(owns[other].along) {
                    least = least.min(gap - own.covered[side] - owns[other].covered[1 - side]);
                }
            }
            for (along, crossing, over) in self.diagram.visits(outline.strand) {
                let crossing = &self.diagram.crossings[*crossing];
                if let (false, Some(gap)) = (over, ahead(*along)) {
                    let gap_here = covered(crossing, &crossing.over, self.rule.casing);
                    least = least.min(gap - own.covered[side] - gap_here);
                }
            }
        }
        least
    }
}
