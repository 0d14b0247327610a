use kurbo::Point;
use topotrace_core::{Flaw, ensure};
use topotrace_space::{Camera, Crossing, Curve, Diagram, MAX_COORDINATE, Tube, Visit};

use super::bead::{Bore, Cone, RING_REACH, draw_ball, draw_bore, draw_cone, draw_ring};
use super::gap::{self, Passage};
use super::levels::{Body, Exit, Levels, Run};
use super::look::RopeLook;
use super::shadow::{Caster, draw_shadow};
use super::track::Track;
use super::tube::draw_runs;
use crate::{Canvas, Color, Text, difference};

/// Ropes with what is on them. Lengths are world units, above 0 and up to [`MAX_COORDINATE`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RopeScene {
    /// The ropes.
    pub ropes: Vec<Rope>,
    /// The beads.
    pub beads: Vec<Bead>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
}

/// A rope of round section.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Its center line.
    pub curve: Curve,
    /// Its radius.
    pub radius: f64,
    /// Its color, from which all tones are made.
    pub color: Color,
    /// The answer-bearing mark that it is, if any.
    pub mark: Option<String>,
}

/// A ball that a rope goes through.
#[derive(Clone, Debug, PartialEq)]
pub struct Bead {
    /// The index of its rope.
    pub rope: usize,
    /// Its arc length along the rope's center line.
    pub position: f64,
    /// Its radius; at least the rope's.
    pub radius: f64,
    /// Its color.
    pub color: Color,
    /// The answer-bearing mark that it is, if any.
    pub mark: Option<String>,
    /// A ring around it, of this color and mark.
    pub ring: Option<(Color, Option<String>)>,
    /// A short text on it, or empty.
    pub label: String,
}

/// A cone on a rope that shows a direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// The index of its rope.
    pub rope: usize,
    /// The arc length of its middle along the rope's center line.
    pub position: f64,
    /// Its length from base to tip.
    pub length: f64,
    /// The radius of its base.
    pub radius: f64,
    /// Whether it points the way the arc length grows.
    pub forward: bool,
    /// Its color.
    pub color: Color,
    /// The answer-bearing mark that it is, if any.
    pub mark: Option<String>,
}

impl RopeScene {
    /// Checks what drawing relies on.
    ///
    /// # Errors
    /// When a bead or an arrow is on a rope that isn't there, a position is no number, or a length
    /// is not above 0 and up to [`MAX_COORDINATE`].
    pub fn validate(&self) -> Result<(), Flaw> {
        let length = |name: &str, value: f64| {
            ensure(value > 0.0 && value <= MAX_COORDINATE, || {
                format!("{name} {value} is not above 0 and up to {MAX_COORDINATE}")
            })
        };
        let place = |name: &str, rope: usize, position: f64| {
            let count = self.ropes.len();
            ensure(rope < count, || format!("{name} on rope {rope} of {count}"))?;
            ensure(position.is_finite(), || format!("{name} at position {position}"))
        };
        for rope in &self.ropes {
            length("rope radius", rope.radius)?;
        }
        for bead in &self.beads {
            place("bead", bead.rope, bead.position)?;
            length("bead radius", bead.radius)?;
        }
        for arrow in &self.arrows {
            place("arrow", arrow.rope, arrow.position)?;
            length("arrow length", arrow.length)?;
            length("arrow radius", arrow.radius)?;
        }
        Ok(())
    }
}

/// Draws the scene as the camera sees it. Later drawing covers it.
///
/// Over and under follow from depth at every crossing, and so do beads and arrows by the depth of
/// their middle. It takes what it gets: whether crossings can be read is told by
/// [`Diagram::first_flaw`], whether marks are visible by the identity pass.
///
/// # Errors
/// As [`RopeScene::validate`]; nothing is drawn then.
pub fn draw_ropes(
    canvas: &mut Canvas,
    scene: &RopeScene,
    camera: &Camera,
    look: &RopeLook,
) -> Result<(), Flaw> {
    scene.validate()?;
    let tubes: Vec<_> =
        scene.ropes.iter().map(|rope| Tube { curve: &rope.curve, radius: rope.radius }).collect();
    let diagram = Diagram::new(&tubes, camera);
    let tracks: Vec<_> =
        scene.ropes.iter().map(|rope| Track::new(&rope.curve, rope.radius, camera)).collect();
    let things = things(scene);
    let bodies: Vec<_> = things.iter().map(|thing| thing.body(scene, &tracks, camera)).collect();
    let levels = Levels::new(&tracks, &diagram, &bodies);
    if let Some(shadow) = &look.shadow {
        draw_shadow(canvas, &casters(scene, &things), camera, look, shadow);
    }
    let painting = Painting { scene, camera, look, tracks, diagram, things, bodies, levels };
    for level in 0..painting.levels.count {
        painting.draw_things(canvas, level);
        painting.draw_ropes(canvas, level);
        painting.cut_below_strands(canvas, level);
        painting.cut_at_bodies(canvas, level);
    }
    Ok(())
}

/// A bead or an arrow of the scene.
#[derive(Clone, Copy)]
enum Thing<'a> {
    Bead(&'a Bead),
    Arrow(&'a Arrow),
}

fn things(scene: &RopeScene) -> Vec<Thing<'_>> {
    let beads = scene.beads.iter().map(Thing::Bead);
    beads.chain(scene.arrows.iter().map(Thing::Arrow)).collect()
}

fn casters<'a>(scene: &'a RopeScene, things: &[Thing<'_>]) -> Vec<Caster<'a>> {
    let mut casters: Vec<_> = scene.ropes.iter().map(|rope| Caster::Tube(&rope.curve, rope.radius)).collect();
    for thing in things {
        if let Thing::Bead(bead) = thing {
            casters.push(Caster::Ball(scene.ropes[bead.rope].curve.point_at(bead.position), bead.radius));
        }
    }
    casters
}

/// A rope's direction counts as across the view, and its bead covers it, below this slope.
const ACROSS: f64 = 0.06;

impl Thing<'_> {
    fn body(&self, scene: &RopeScene, tracks: &[Track], camera: &Camera) -> Body {
        let (rope, position) = match self {
            Thing::Bead(bead) => (bead.rope, bead.position),
            Thing::Arrow(arrow) => (arrow.rope, arrow.position),
        };
        let (curve, track) = (&scene.ropes[rope].curve, &tracks[rope]);
        let position = curve.normalized(position);
        let at = track.parameter(position);
        let middle = curve.point_at(position);
        let seen = camera.project(middle);
        let scale = camera.scale_at(seen.depth);
        let (reach, exits) = match self {
            Thing::Bead(bead) => {
                let ring = if bead.ring.is_some() { RING_REACH } else { 1.0 };
                let radius = scene.ropes[rope].radius;
                // Where a tube of that radius leaves the ball.
                let depth = (bead.radius * bead.radius - radius * radius).max(0.0).sqrt();
                let exit = |way: f64| {
                    let at = curve.point_at(position + way * depth);
                    let outward = (at - middle).try_normalize(1e-9).unwrap_or_default();
                    let slope = outward.dot(&camera.ray_to(middle));
                    let parameter =
                        track.parameter(position) + way * (depth / track.world_step()).min(track.end());
                    // A rope may also end inside.
                    let leaves =
                        curve.is_closed() || (0.0..=curve.length()).contains(&(position + way * depth));
                    Exit { at: parameter, front: leaves && slope < -ACROSS, slope: slope.abs().min(1.0) }
                };
                (bead.radius * scale * ring, [exit(-1.0), exit(1.0)])
            }
            Thing::Arrow(arrow) => {
                let cone = arrow.cone(curve, camera);
                let half = (cone.tip - cone.base).hypot2().sqrt() / 2.0;
                let mut exits = [Exit { at, front: false, slope: 0.0 }; 2];
                if cone.away > ACROSS {
                    // The base is in sight, and the rope before it goes into its middle.
                    let way = if arrow.forward { -1.0 } else { 1.0 };
                    let back = (arrow.length / 2.0 / track.world_step()).min(track.end());
                    let base = Exit { at: at + way * back, front: true, slope: cone.away };
                    exits[usize::from(!arrow.forward)] = base;
                }
                (half.max(cone.radius), exits)
            }
        };
        Body { rope, at, center: Point::new(seen.x, seen.y), reach, depth: seen.depth, exits }
    }
}

impl Arrow {
    fn cone(&self, curve: &Curve, camera: &Camera) -> Cone {
        let middle = curve.point_at(self.position);
        let way = if self.forward { 1.0 } else { -1.0 };
        // The chord, not the tangent: the cone follows a bent rope.
        let half = self.length / 2.0;
        let chord = curve.point_at(self.position + half) - curve.point_at(self.position - half);
        let axis = chord.try_normalize(1e-9).unwrap_or_else(|| curve.tangent_at(self.position)) * way;
        let (base, tip) = (camera.project(middle - axis * half), camera.project(middle + axis * half));
        Cone {
            base: Point::new(base.x, base.y),
            tip: Point::new(tip.x, tip.y),
            radius: self.radius * camera.scale_at(base.depth),
            away: axis.dot(&camera.ray_to(middle)),
        }
    }
}

struct Painting<'a> {
    scene: &'a RopeScene,
    camera: &'a Camera,
    look: &'a RopeLook,
    tracks: Vec<Track>,
    diagram: Diagram,
    things: Vec<Thing<'a>>,
    bodies: Vec<Body>,
    levels: Levels,
}

impl Painting<'_> {
    /// Gaps in the strands of this level below other strands.
    fn cut_below_strands(&self, canvas: &mut Canvas, level: usize) {
        for (crossing, own) in self.diagram.crossings().iter().zip(&self.levels.crossings) {
            if *own == Some(level) {
                let loop_length = loop_length(crossing, &self.diagram);
                let passage = |visit: &Visit| {
                    let track = &self.tracks[visit.strand];
                    // On a loop that begins and ends here, each of the two may take a half.
                    let loops = |way: f64| loop_length.is_some_and(|length| (way - length).abs() < 1e-6);
                    let room =
                        [visit.before, visit.after].map(|way| if loops(way) { way / 2.0 } else { way });
                    Passage { track, at: track.parameter(visit.position), room }
                };
                let (under, over) = (passage(&crossing.under), passage(&crossing.over));
                let gap = gap::below_strand(under, over, self.look.casing, crossing.angle_degrees);
                canvas.fill(&gap, self.gap_color(self.scene.ropes[crossing.under.strand].color));
            }
        }
    }

    /// Gaps in the strands of this level below bodies, and in its bodies below strands.
    fn cut_at_bodies(&self, canvas: &mut Canvas, level: usize) {
        for passing in self.levels.passings.iter().filter(|passing| passing.level == level) {
            let overlap = &passing.overlap;
            let (track, body) = (&self.tracks[overlap.rope], &self.bodies[overlap.body]);
            let strand = Passage { track, at: passing.at, room: [f64::INFINITY; 2] };
            if overlap.body_over {
                let gap = gap::below_body(strand, body, self.look.casing);
                canvas.fill(&gap, self.gap_color(self.scene.ropes[overlap.rope].color));
            } else {
                let below = match self.things[overlap.body] {
                    Thing::Bead(bead) => bead.color,
                    Thing::Arrow(arrow) => arrow.color,
                };
                let gap = gap::on_body(strand, body, self.look.casing);
                canvas.fill(&gap, self.gap_color(below));
            }
        }
    }

    fn gap_color(&self, below: Color) -> Color {
        self.look.casing_color.unwrap_or_else(|| self.look.shade(below, -1.0).mix(Color::BLACK, 50))
    }

    fn draw_things(&self, canvas: &mut Canvas, level: usize) {
        for (index, thing) in self.things.iter().enumerate() {
            if self.levels.bodies[index] == level {
                match thing {
                    Thing::Bead(bead) => self.draw_bead(canvas, bead, &self.bodies[index]),
                    Thing::Arrow(arrow) => {
                        let cone = arrow.cone(&self.scene.ropes[arrow.rope].curve, self.camera);
                        marked(canvas, &arrow.mark, |canvas| {
                            draw_cone(canvas, &cone, arrow.color, self.look);
                            // Its base is wider than a bore.
                            let body = &self.bodies[index];
                            self.draw_bores(canvas, body, f64::INFINITY, arrow.color);
                        });
                    }
                }
            }
        }
    }

    fn draw_bead(&self, canvas: &mut Canvas, bead: &Bead, body: &Body) {
        let radius = bead.radius * self.camera.scale_at(body.depth);
        marked(canvas, &bead.mark, |canvas| {
            // A gloss would lie beside a letter like a part of it.
            let gloss = bead.label.is_empty();
            draw_ball(canvas, body.center, radius, bead.color, gloss, self.look);
            self.draw_bores(canvas, body, radius, bead.color);
            let ink = [Color::BLACK, Color::WHITE]
                .map(|ink| (difference(ink, self.look.mid_tone(bead.color)), ink))
                .into_iter()
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, ink)) = ink {
                canvas.text(Text::new(&bead.label, body.center.x, body.center.y, radius * 0.9, ink));
            }
        });
        if let Some((color, mark)) = &bead.ring {
            marked(canvas, mark, |canvas| draw_ring(canvas, body.center, radius, *color, self.look));
        }
    }

    /// The bores of a body whose silhouette holds the disc of so many canvas units around its middle.
    fn draw_bores(&self, canvas: &mut Canvas, body: &Body, radius: f64, color: Color) {
        for exit in body.exits.iter().filter(|exit| exit.front) {
            let place = self.tracks[body.rope].place(exit.at);
            let (center, direction, half_width) = (place.point, place.direction, place.half_width);
            let bore = Bore { center, direction, slope: exit.slope, half_width };
            draw_bore(canvas, &bore, (body.center, radius), color, self.look);
        }
    }

    fn draw_ropes(&self, canvas: &mut Canvas, level: usize) {
        for (index, rope) in self.scene.ropes.iter().enumerate() {
            let own = |run: &&Run| run.rope == index && run.level == level;
            let runs: Vec<_> = self.levels.runs.iter().filter(own).collect();
            marked(canvas, &rope.mark, |canvas| {
                draw_runs(canvas, &self.tracks[index], &runs, &self.bodies, rope.color, self.look);
            });
        }
    }
}

/// The shorter canvas length of a strand from a crossing to itself; none for two strands.
fn loop_length(crossing: &Crossing, diagram: &Diagram) -> Option<f64> {
    let strand = &diagram.strands()[crossing.over.strand];
    (crossing.under.strand == crossing.over.strand)
        .then(|| strand.distance_along(crossing.over.along, crossing.under.along))
}

/// Draws within a mark, if there is one.
fn marked(canvas: &mut Canvas, mark: &Option<String>, draw: impl FnOnce(&mut Canvas)) {
    match mark {
        Some(name) => canvas.mark(name.as_str(), draw),
        None => draw(canvas),
    }
}
