use kurbo::{BezPath, Point};
use topotrace_core::{Flaw, ensure, ensure_within};
use topotrace_space::nalgebra::Point3;
use topotrace_space::{Camera, MAX_COORDINATE};

use super::facet::{Facet, Outline, Projection, doubled_area, find_inner_edges, grown};
use super::look::SolidLook;
use super::make::Solid;
use super::order::{Piece, painting_order};
use super::outline::{Edge, cut};
use super::shadow::draw_shadow;
use crate::{Canvas, Color, path};

/// The most faces of a scene.
pub const MAX_FACES: usize = 10_000;

/// How far each face is drawn beyond its outline, in canvas units: less than can be seen, and enough
/// to close the gaps that rounding leaves where a corner of one face lies on an edge of another. An
/// edge between two visible faces of a solid reaches less far: where the farther of them is hidden by
/// another solid that touches it, what hides it covers that, too.
fn overhang(edge: Edge) -> f64 {
    if edge.inner { 0.012 } else { 0.03 }
}

/// Solids in space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolidScene {
    /// The solids. Where faces of two lie in one plane, the later one is seen.
    pub solids: Vec<Solid>,
}

impl SolidScene {
    /// Checks what drawing relies on beyond what each solid keeps.
    ///
    /// # Errors
    /// When there are more than [`MAX_FACES`] faces.
    pub fn validate(&self) -> Result<(), Flaw> {
        let count = self.solids.iter().map(|solid| solid.faces().len()).sum();
        ensure_within("number of faces of a scene", count, 0, MAX_FACES)
    }

    /// The corners of all faces, to put a camera around them.
    pub fn points(&self) -> Vec<Point3<f64>> {
        let faces = self.solids.iter().flat_map(|solid| solid.faces());
        faces.flat_map(|face| face.corners()).copied().collect()
    }
}

/// Draws the scene as the camera sees it. Later drawing covers it.
///
/// What is seen is what is nearest, with no approximation above a fiftieth of a canvas unit.
/// Whether marks are visible is told by the identity pass.
///
/// # Errors
/// When [`SolidScene::validate`] fails, a length or the ground of the look makes no sense, or solids pass
/// through each other so often that over 100,000 pieces of faces are left; nothing is drawn then.
pub fn draw_solids(
    canvas: &mut Canvas,
    scene: &SolidScene,
    camera: &Camera,
    look: &SolidLook,
) -> Result<(), Flaw> {
    scene.validate()?;
    validate(look)?;
    let projection = Projection::new(camera);
    let light = look.light(&projection);
    let (mut facets, mut paints) = (Vec::new(), Vec::new());
    for solid in &scene.solids {
        let first = facets.len();
        for face in solid.faces() {
            for facet in projection.facets(face, solid.is_two_sided()) {
                let cosine = face.normal().dot(&light);
                let front = face.color.unwrap_or(solid.color);
                let (color, cosine) = match facet.from_behind {
                    false => (front, cosine),
                    true => (solid.back.unwrap_or(front), -cosine),
                };
                paints.push(Paint { color: look.tone(color, cosine), mark: solid.mark.as_deref() });
                facets.push(facet);
            }
        }
        find_inner_edges(&mut facets[first..]);
    }
    let order = painting_order(&facets)?;
    if let Some(shadow) = &look.shadow {
        let mut drawn = Ok(());
        canvas.shade(|canvas| drawn = draw_shadow(canvas, scene, &projection, light, shadow));
        drawn?;
    }
    let mut painting = Painting { canvas, look, current: None, path: BezPath::new() };
    for piece in &order {
        painting.add(piece, &facets, paints[piece.facet]);
    }
    painting.flush();
    Ok(())
}

fn validate(look: &SolidLook) -> Result<(), Flaw> {
    if let Some(lines) = &look.lines {
        ensure(lines.width > 0.0 && lines.width <= 64.0, || {
            format!("width {} of edge lines is not above 0 and up to 64", lines.width)
        })?;
    }
    if let Some(shadow) = &look.shadow {
        ensure_within("height of the ground", shadow.height, -MAX_COORDINATE, MAX_COORDINATE)?;
    }
    Ok(())
}

/// The color and the mark of a facet.
#[derive(Clone, Copy, PartialEq)]
struct Paint<'a> {
    color: Color,
    mark: Option<&'a str>,
}

/// Pieces on their way to the canvas: successive ones of one paint become one path.
struct Painting<'a> {
    canvas: &'a mut Canvas,
    look: &'a SolidLook,
    current: Option<Paint<'a>>,
    path: BezPath,
}

impl<'a> Painting<'a> {
    fn add(&mut self, piece: &Piece, facets: &[Facet], paint: Paint<'a>) {
        if self.current != Some(paint) {
            self.flush();
            self.current = Some(paint);
        }
        self.path.extend(path::polygon(&places(&grown(piece.outline(facets), overhang))));
        let Some(lines) = self.look.lines else { return };
        let mut drawn = BezPath::new();
        for part in piece.convex_parts(facets) {
            add_lines(&grown(part, overhang), lines.width, &mut drawn);
        }
        if !drawn.is_empty() {
            // The next face may cover them.
            self.flush();
            let color = paint.color.mix(Color::BLACK, lines.darkness_percent);
            self.canvas.shade(|canvas| canvas.fill_crisp(&drawn, color));
        }
    }

    /// Draws what is pending.
    fn flush(&mut self) {
        let path = std::mem::take(&mut self.path);
        if let Some(Paint { color, mark }) = self.current.take() {
            marked(self.canvas, mark, |canvas| canvas.fill_crisp(&path, color));
        }
    }
}

/// How wide a line is within each face, as a share of the width of a line between two visible ones.
fn line_share(edge: Edge) -> f64 {
    if edge.inner { 0.5 } else { 0.7 }
}

/// The parts of a convex outline that are near an edge on which a line is shown. They stay within it:
/// so lines are hidden by what hides the face, exactly.
fn add_lines(outline: &Outline, width: f64, lines: &mut BezPath) {
    let way = if doubled_area(outline) > 0.0 { 1.0 } else { -1.0 };
    let next = outline.iter().cycle().skip(1);
    for ((from, edge), (to, _)) in outline.iter().zip(next).filter(|((_, edge), _)| edge.lined) {
        let along = *to - *from;
        let reach = along.hypot2().sqrt() * width * line_share(*edge);
        let sides: Vec<_> = outline.iter().map(|(at, _)| way * along.cross(*at - *from) - reach).collect();
        let [near, _] = cut(outline, &sides);
        lines.extend(path::polygon(&places(&near)));
    }
}

fn places(outline: &Outline) -> Vec<Point> {
    outline.iter().map(|(at, _)| *at).collect()
}

/// Draws within a mark, if there is one.
fn marked(canvas: &mut Canvas, mark: Option<&str>, draw: impl FnOnce(&mut Canvas)) {
    match mark {
        Some(name) => canvas.mark(name, draw),
        None => draw(canvas),
    }
}
