use serde::{Deserialize, Serialize};
use topotrace_core::{Draw, Flaw, Picture, RenderRng, Scene, ensure_theme, ensure_within};
use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{Canvas, Color, Stroke, Text, Theme, path};

use super::board::{Board, EAST, NORTH, SOUTH, STEPS, WEST, opposite};

/// Side of the picture in canvas units.
pub(super) const CANVAS: u32 = 1024;
/// How far the pipe of a cell stays away from the cell's sides, in canvas units. Neighbors so
/// never touch in the identity pass, and no pipe has to be measured alone; what is drawn beneath
/// closes the gap where two pipes are joined. Even, so that the gap lies on whole pixels at half
/// the size, too.
const INSET: f64 = 2.0;
/// How far a quarter of a circle's handles reach, as a share of the radius.
const QUARTER: f64 = 0.552_284_749_8;
/// Radius of the bulb that closes an end piece, as a share of the cell.
const BULB: f64 = 0.175;
/// Length of a collar at an opening, as a share of the cell.
const COLLAR_LENGTH: f64 = 0.085;
/// Width of a collar over that of its pipe.
const COLLAR_WIDTH: f64 = 1.42;
/// How far a panel stays away from the sides of its cell, in canvas units.
const PANEL_GAP: f64 = 4.0;
/// Width of a dark rim, in canvas units.
pub(super) const RIM: f64 = 4.0;

/// Pipes on a square board.
pub struct Pipes;

/// What lies under the pipes and shows the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backdrop {
    /// A soft panel in each cell.
    Panels,
    /// Faint lines between the cells and around the board.
    Lines,
    /// Faint dots at all corners of cells.
    Dots,
}

/// How a pipe's body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// In one color.
    Flat,
    /// With a darker rim.
    Rim,
    /// With a lighter core.
    Core,
}

/// How the source is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceMark {
    /// A ring around the middle of the cell, under the pipe.
    Ring,
    /// The outline of a square around the middle of the cell, under the pipe.
    Square,
    /// A dot on the middle of the pipe.
    Dot,
}

/// The look of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipeStyle {
    /// The theme's name.
    pub theme: String,
    /// Width of a pipe in thousandths of a cell, from 170 to 250.
    pub width_permille: u32,
    /// Radius of a bend's center line in thousandths of a cell, from 90 to 300.
    pub bend_permille: u32,
    /// Font size of the coordinates in canvas units, from 34 to 46.
    pub font: u32,
    /// Width of the band for the coordinates in canvas units, from 64 to 96.
    pub band: u32,
    /// Width of the empty rim at the right and at the bottom in canvas units, from 24 to 64.
    pub margin: u32,
    /// What lies under the pipes.
    pub backdrop: Backdrop,
    /// How a pipe's body is drawn.
    pub finish: Finish,
    /// Whether openings have a collar.
    pub collars: bool,
    /// How the source is marked.
    pub source: SourceMark,
}

impl PipeStyle {
    pub(super) fn palette(&self) -> &'static Theme {
        Theme::named(&self.theme).unwrap_or(&Theme::all()[0])
    }

    /// The names of the colors of the source's mark, of what is connected and of what is not.
    pub(super) fn color_names(&self) -> (&'static str, &'static str, &'static str) {
        let theme = self.palette();
        (theme.ink.name, theme.on.name, theme.off.name)
    }
}

impl Scene for Pipes {
    const NAME: &'static str = "pipe";
    const THEMES: &'static [&'static str] =
        &["paper", "chalkboard", "blueprint", "sand", "night", "newsprint"];
    type State = Board;
    type Style = PipeStyle;

    fn style(_board: &Board, theme: &'static str, rng: &mut RenderRng) -> PipeStyle {
        PipeStyle {
            theme: theme.to_owned(),
            width_permille: rng.between(170..=250),
            bend_permille: rng.between(90..=300),
            font: rng.between(34..=46),
            band: rng.between(64..=96),
            margin: rng.between(24..=64),
            backdrop: *rng.pick(&[Backdrop::Panels, Backdrop::Lines, Backdrop::Dots]),
            finish: *rng.pick(&[Finish::Flat, Finish::Rim, Finish::Core]),
            collars: rng.percent(50),
            source: *rng.pick(&[SourceMark::Ring, SourceMark::Square, SourceMark::Dot]),
        }
    }

    fn validate_style(_board: &Board, style: &PipeStyle) -> Result<(), Flaw> {
        ensure_theme::<Self>(&style.theme)?;
        ensure_within("width_permille", style.width_permille, 170, 250)?;
        ensure_within("bend_permille", style.bend_permille, 90, 300)?;
        ensure_within("font", style.font, 34, 46)?;
        ensure_within("band", style.band, 64, 96)?;
        ensure_within("margin", style.margin, 24, 64)
    }

    fn least_side(board: &Board) -> u32 {
        // The least cell is 864 of 1024 units over the size. At 42 pixels a cell, the gap between
        // an opening and a pipe that passes by is 12 pixels wide or more. A number's digits are
        // seven pixels tall at 288.
        (board.size * 50).max(288)
    }
}

impl Draw<()> for Pipes {
    fn draw(board: &Board, _marks: &(), style: &PipeStyle) -> Vec<Picture> {
        vec![draw(board, style)]
    }
}

/// Where the cells lie.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    left: f64,
    top: f64,
    /// Side of a cell in canvas units.
    pub(super) cell: f64,
}

impl Layout {
    pub(super) fn new(size: u32, style: &PipeStyle) -> Self {
        // Even numbers, so that sides of cells fall on whole pixels at half the size, too.
        let cell = (CANVAS - style.band - style.margin) / size / 2 * 2;
        let spare = (CANVAS - style.band - style.margin - cell * size) / 4 * 2;
        let start = f64::from(style.band / 2 * 2 + spare);
        Layout { left: start, top: start, cell: f64::from(cell) }
    }

    pub(super) fn corner(self, x: u32, y: u32) -> Point {
        Point::new(self.left + f64::from(x) * self.cell, self.top + f64::from(y) * self.cell)
    }

    pub(super) fn center(self, x: u32, y: u32) -> Point {
        self.corner(x, y) + Vec2::new(self.cell / 2.0, self.cell / 2.0)
    }
}

fn draw(board: &Board, style: &PipeStyle) -> Picture {
    let theme = style.palette();
    let layout = Layout::new(board.size, style);
    let mut canvas = Canvas::new(CANVAS, CANVAS, theme.background.color);
    draw_backdrop(&mut canvas, board.size, layout, style);
    draw_coordinates(&mut canvas, board.size, layout, style);
    let outline = Outline::new(layout, style);
    if style.source != SourceMark::Dot {
        draw_source(&mut canvas, board, layout, style);
    }
    let connected = board.connected();
    let (on, off): (Vec<usize>, Vec<usize>) = board.pipes().partition(|index| connected[*index]);
    draw_beneath(&mut canvas, board, layout, style, outline, &on, theme.on.color);
    draw_beneath(&mut canvas, board, layout, style, outline, &off, theme.off.color);
    for index in board.pipes() {
        let cell = board.cell(index);
        let color = if connected[index] { theme.on.color } else { theme.off.color };
        let (center, openings) = (layout.center(cell.x, cell.y), board.cells[index]);
        let reach = |_| layout.cell / 2.0 - INSET;
        canvas.mark(format!("pipe {},{}", cell.x, cell.y), |canvas| {
            canvas.fill(&outline.path(center, openings, reach), color);
            if style.finish == Finish::Core {
                canvas.fill(&outline.core().path(center, openings, reach), lighter(color));
            }
        });
    }
    if style.source == SourceMark::Dot {
        draw_source(&mut canvas, board, layout, style);
    }
    canvas.finish()
}

/// A color's light variant, for the core of a pipe.
fn lighter(color: Color) -> Color {
    color.mix(Color::WHITE, 27)
}

/// A color's dark variant, for the rim of a pipe.
pub(super) fn darker(color: Color) -> Color {
    color.mix(Color::BLACK, 44)
}

/// What lies under the pipes of one color: the rims, and where pipes are joined a patch over the
/// side of the cell, so that no hairline shows there at any picture size.
fn draw_beneath(
    canvas: &mut Canvas,
    board: &Board,
    layout: Layout,
    style: &PipeStyle,
    outline: Outline,
    pipes: &[usize],
    color: Color,
) {
    let joined = |index, opening| board.openings_beside(index, opening) & opposite(opening) != 0;
    let center = |index| {
        let cell = board.cell(index);
        layout.center(cell.x, cell.y)
    };
    if style.finish == Finish::Rim {
        let mut rims = BezPath::new();
        for &index in pipes {
            let reach = |opening| layout.cell / 2.0 + if joined(index, opening) { INSET } else { -INSET };
            rims.extend(outline.grown(RIM).path(center(index), board.cells[index], reach));
        }
        canvas.fill(&rims, darker(color));
    }
    let patches = |half: f64| {
        let mut patches = BezPath::new();
        // East and south only: every joint once.
        for (index, opening) in pipes.iter().flat_map(|index| [(*index, EAST), (*index, SOUTH)]) {
            if board.cells[index] & opening != 0 && joined(index, opening) {
                let side = layout.cell / 2.0;
                patches.extend(arm(center(index), opening, half, side - 1.5 * INSET, side + 1.5 * INSET));
            }
        }
        patches
    };
    canvas.fill(&patches(outline.collar.map_or(outline.half, |(half, _)| half)), color);
    if style.finish == Finish::Core {
        canvas.fill(&patches(outline.core().half), lighter(color));
    }
}

/// The measures of a pipe's outline in canvas units.
#[derive(Clone, Copy)]
pub(super) struct Outline {
    /// Half the pipe's width.
    half: f64,
    /// Radius of a bend's center line.
    pub(super) bend: f64,
    /// Radius of the bulb of an end piece.
    bulb: f64,
    /// Half the width, and the length, of a collar.
    collar: Option<(f64, f64)>,
}

impl Outline {
    /// The outline of a style.
    pub(super) fn new(layout: Layout, style: &PipeStyle) -> Self {
        let half = layout.cell * f64::from(style.width_permille) / 2000.0;
        Outline {
            half,
            bend: layout.cell * f64::from(style.bend_permille) / 1000.0,
            bulb: layout.cell * BULB,
            collar: style.collars.then_some((half * COLLAR_WIDTH, layout.cell * COLLAR_LENGTH)),
        }
    }

    /// The outline wider by `by` at each side.
    pub(super) fn grown(self, by: f64) -> Self {
        Outline {
            half: self.half + by,
            bulb: self.bulb + by,
            collar: self.collar.map(|(half, length)| (half + by, length + by)),
            ..self
        }
    }

    /// The outline of the light core.
    fn core(self) -> Self {
        Outline { half: self.half * 0.36, bulb: self.bulb * 0.45, collar: None, ..self }
    }

    /// The outline of a piece with the given openings; `reach` tells how far from the cell's
    /// center each opening lies. All parts run clockwise, so that they unite.
    pub(super) fn path(self, center: Point, openings: u8, reach: impl Fn(u8) -> f64) -> BezPath {
        let mut all = BezPath::new();
        if let Some([(a, u), (b, v)]) = bend_sides(openings) {
            all.extend(self.bend(center, (u, reach(a)), (v, reach(b))));
        } else {
            let back = if openings.count_ones() == 1 { 0.0 } else { self.half };
            for (opening, _, _) in STEPS.iter().filter(|step| openings & step.0 != 0) {
                all.extend(arm(center, *opening, self.half, -back, reach(*opening)));
            }
            if openings.count_ones() == 1 {
                all.extend(path::circle(center, self.bulb));
            }
        }
        if let Some((half, length)) = self.collar {
            for (opening, _, _) in STEPS.iter().filter(|step| openings & step.0 != 0) {
                let reach = reach(*opening);
                all.extend(arm(center, *opening, half, reach - length, reach));
            }
        }
        all
    }

    /// A bend from side `a` to side `b`, the next one clockwise, as directions and reaches.
    fn bend(self, center: Point, a: (Vec2, f64), b: (Vec2, f64)) -> BezPath {
        let ((u, reach_u), (v, reach_v)) = (a, b);
        let (half, radius) = (self.half, self.bend);
        let at = |along_u: f64, along_v: f64| center + u * along_u + v * along_v;
        // A handle at distance `radius` from the corner of a rounded angle.
        let rest = |radius: f64| radius * (1.0 - QUARTER);
        let (inner, outer) = ((radius - half).max(0.0), radius + half);
        let mut path = BezPath::new();
        path.move_to(at(reach_u, -half));
        path.line_to(at(reach_u, half));
        path.line_to(at(half + inner, half));
        path.curve_to(at(half + rest(inner), half), at(half, half + rest(inner)), at(half, half + inner));
        path.line_to(at(half, reach_v));
        path.line_to(at(-half, reach_v));
        path.line_to(at(-half, outer - half));
        path.curve_to(at(-half, rest(outer) - half), at(rest(outer) - half, -half), at(outer - half, -half));
        path.close_path();
        path
    }
}

/// A bend's openings and their directions, the second one clockwise after the first; `None` for
/// a piece that is no bend.
pub(super) fn bend_sides(openings: u8) -> Option<[(u8, Vec2); 2]> {
    let direction = |step: &(u8, i32, i32)| (step.0, Vec2::new(f64::from(step.1), f64::from(step.2)));
    let mut pairs = STEPS.iter().zip(STEPS.iter().cycle().skip(1));
    pairs.find(|(a, b)| openings == a.0 | b.0).map(|(a, b)| [direction(a), direction(b)])
}

/// The part of a straight pipe of half width `half` towards `opening`, between two distances from
/// the cell's center.
fn arm(center: Point, opening: u8, half: f64, from: f64, to: f64) -> BezPath {
    let (x, y) = (center.x, center.y);
    match opening {
        NORTH => path::rect(x - half, y - to, 2.0 * half, to - from),
        EAST => path::rect(x + from, y - half, to - from, 2.0 * half),
        SOUTH => path::rect(x - half, y + from, 2.0 * half, to - from),
        WEST => path::rect(x - to, y - half, to - from, 2.0 * half),
        _ => BezPath::new(),
    }
}

fn draw_backdrop(canvas: &mut Canvas, size: u32, layout: Layout, style: &PipeStyle) {
    let color = style.palette().grid.color;
    let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let mut shapes = BezPath::new();
    match style.backdrop {
        Backdrop::Panels => {
            let side = layout.cell - 2.0 * PANEL_GAP;
            let panel = style.palette().background.color.mix(color, 68);
            for (x, y) in cells {
                // One by one, as plain rectangles on whole pixels: as one shape, or with round
                // corners, the panels would cost more than all the rest.
                let corner = layout.corner(x, y);
                canvas.fill(&path::rect(corner.x + PANEL_GAP, corner.y + PANEL_GAP, side, side), panel);
            }
        }
        Backdrop::Lines => {
            for number in 0..=size {
                shapes.extend(path::line(layout.corner(number, 0), layout.corner(number, size)));
                shapes.extend(path::line(layout.corner(0, number), layout.corner(size, number)));
            }
            canvas.stroke(&shapes, Stroke::new(color, 4.0));
        }
        Backdrop::Dots => {
            for (x, y) in (0..=size).flat_map(|y| (0..=size).map(move |x| (x, y))) {
                shapes.extend(path::circle(layout.corner(x, y), 6.0));
            }
            canvas.fill(&shapes, color);
        }
    }
}

/// The numbers of all columns along the top and of all rows along the left edge.
fn draw_coordinates(canvas: &mut Canvas, size: u32, layout: Layout, style: &PipeStyle) {
    let (color, size_of_text) = (style.palette().ink.color, f64::from(style.font));
    let beside = 0.5 * f64::from(style.band.min(72)) - 2.0;
    for number in 0..size {
        let content = number.to_string();
        let center = layout.center(number, number);
        canvas.text(Text::new(&content, center.x, layout.top - beside, size_of_text, color));
        canvas.text(Text::new(&content, layout.left - beside, center.y, size_of_text, color));
    }
}

pub(super) fn draw_source(canvas: &mut Canvas, board: &Board, layout: Layout, style: &PipeStyle) {
    let ink = style.palette().ink.color;
    let mut center = layout.center(board.source.x, board.source.y);
    let openings = board.index(board.source).map_or(0, |index| board.cells[index]);
    if let (SourceMark::Dot, Some(sides)) = (style.source, bend_sides(openings)) {
        // Onto the bend, which cuts the corner.
        let bend = layout.cell * f64::from(style.bend_permille) / 1000.0;
        center += (sides[0].1 + sides[1].1) * (bend * (1.0 - std::f64::consts::FRAC_1_SQRT_2));
    }
    let stroke = Stroke::new(ink, 0.05 * layout.cell);
    canvas.mark("source", |canvas| match style.source {
        SourceMark::Ring => canvas.stroke(&path::circle(center, 0.34 * layout.cell), stroke),
        SourceMark::Square => {
            let half = 0.32 * layout.cell;
            let square = path::rounded_rect(
                center.x - half,
                center.y - half,
                2.0 * half,
                2.0 * half,
                0.04 * layout.cell,
            );
            canvas.stroke(&square, stroke);
        }
        SourceMark::Dot => canvas.fill(&path::circle(center, 0.115 * layout.cell), ink),
    });
}
