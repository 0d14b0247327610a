use serde::{Deserialize, Serialize};
use topotrace_core::{Draw, Flaw, Picture, RenderRng, Scene, ensure, ensure_within};
use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{Canvas, Color, Paint, Text, Theme, difference, path};

use super::board::{Board, Cells};
use super::figure::{self, Eyes};
use super::position::Position;

/// Side of the picture in canvas units.
pub(super) const CANVAS: u32 = 1024;
/// How much ink an open cell has over the background where no plate lies under the board, and how
/// much the plate has where the cells have none, in percent.
const TILE_INK_PERCENT: u8 = 9;
const PLATE_INK_PERCENT: u8 = 15;
/// How much of its color a tinted rim cell has over the background, in percent.
const TINT_PERCENT: u8 = 56;
/// The least difference of grounds that mean different things, by CIEDE2000.
const CLEAR: f64 = 20.0;
/// Width of a rim cell's outline, in hundredths of a cell's width.
const OUTLINE: f64 = 0.065;
/// The colors that the rim may have, and those that the cat's cell may have.
const RIM_HUES: [&str; 4] = ["green", "blue", "purple", "red"];
const LAMP_HUES: [&str; 2] = ["yellow", "orange"];
/// Font size of the cat's number, as a share of a cell's width.
const CAT_FONT: f64 = 0.27;
/// How far below the middle of its cell the cat's number stands, as a share of the cell's width.
const CAT_NUMBER: f64 = 0.365;

/// A cat on a hexagonal board.
pub struct Garden;

/// How the open cells of the rim are told from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RimMark {
    /// Their ground has a color.
    Tint,
    /// They have an outline in a color.
    Outline,
}

/// How a blocked cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stone {
    /// A flat plate.
    Flat,
    /// A block with a dark side.
    Raised,
    /// A block with a dark side and a lighter top.
    Ridged,
}

/// The look of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GardenStyle {
    /// The theme's name.
    pub theme: String,
    /// Width of the empty rim in canvas units, from 28 to 64.
    pub margin: u32,
    /// Width of the gaps between cells in canvas units, from 6 to 12.
    pub gap: u32,
    /// How round the corners of cells are, in thousandths of a side, from 0 to 300.
    pub round_permille: u32,
    /// Font size of the numbers in thousandths of a cell's width, from 330 to 400.
    pub font_permille: u32,
    /// Whether a plate lies under the board.
    pub plate: bool,
    /// How the rim's cells are told from the others.
    pub rim: RimMark,
    /// The name of the rim's color: green, blue, purple or red.
    pub rim_color: String,
    /// The name of the color of the cat's cell: yellow or orange.
    pub lamp_color: String,
    /// How blocked cells are drawn.
    pub stone: Stone,
    /// How the cat looks at you.
    pub eyes: Eyes,
    /// Whether the cat has whiskers.
    pub whiskers: bool,
}

impl GardenStyle {
    pub(super) fn palette(&self) -> &'static Theme {
        Theme::named(&self.theme).unwrap_or(&Theme::all()[0])
    }

    /// The rim's color at full strength.
    pub(super) fn rim_paint(&self) -> Paint {
        let theme = self.palette();
        theme.hue(&self.rim_color).unwrap_or(theme.hues[0])
    }

    /// The color of the cat's cell.
    pub(super) fn lamp(&self) -> Paint {
        let theme = self.palette();
        theme.hue(&self.lamp_color).unwrap_or(theme.hues[4])
    }

    /// The ground of an open cell.
    pub(super) fn tile(&self) -> Color {
        let theme = self.palette();
        theme.background.color.mix(theme.ink.color, if self.plate { 0 } else { TILE_INK_PERCENT })
    }

    /// The ground of an open cell on the rim.
    pub(super) fn rim_tile(&self) -> Color {
        match self.rim {
            RimMark::Tint => self.palette().background.color.mix(self.rim_paint().color, TINT_PERCENT),
            RimMark::Outline => self.tile(),
        }
    }

    /// Whether open cells, those of the rim, blocked ones and the cat's can be told apart: in some
    /// themes a tint in the color of the ground, or in that of blocked cells, can't be.
    fn is_clear(&self) -> bool {
        let theme = self.palette();
        let (tile, rim, rim_tile) = (self.tile(), self.rim_paint().color, self.rim_tile());
        let (lamp, stone, ink) = (self.lamp().color, theme.label.color, theme.ink.color);
        let mark = if self.rim == RimMark::Tint { rim_tile } else { rim };
        let apart = |a: Color, others: &[Color]| others.iter().all(|b| difference(a, *b) >= CLEAR);
        apart(mark, &[tile, stone, lamp]) && apart(tile, &[stone, lamp]) && apart(ink, &[tile, rim_tile])
    }
}

impl Scene for Garden {
    const NAME: &'static str = "chat-noir";
    const THEMES: &'static [&'static str] =
        &["paper", "chalkboard", "blueprint", "sand", "night", "newsprint"];
    type State = Position;
    type Style = GardenStyle;

    fn style(_position: &Position, theme: &'static str, rng: &mut RenderRng) -> GardenStyle {
        let mut style = GardenStyle {
            theme: theme.to_owned(),
            margin: rng.between(28..=64),
            gap: rng.between(6..=12),
            round_permille: rng.between(0..=300),
            font_permille: rng.between(330..=400),
            plate: rng.percent(50),
            rim: *rng.pick(&[RimMark::Tint, RimMark::Outline]),
            rim_color: (*rng.pick(&RIM_HUES)).to_owned(),
            lamp_color: (*rng.pick(&LAMP_HUES)).to_owned(),
            stone: *rng.pick(&[Stone::Flat, Stone::Raised, Stone::Ridged]),
            eyes: *rng.pick(&[Eyes::Slit, Eyes::Round, Eyes::Sidelong]),
            whiskers: rng.percent(60),
        };
        if !style.is_clear() {
            style.rim = RimMark::Outline;
        }
        style
    }

    fn validate_style(_position: &Position, style: &GardenStyle) -> Result<(), Flaw> {
        ensure(Self::THEMES.contains(&style.theme.as_str()), || {
            format!("theme {:?} is unknown; there are {}", style.theme, Self::THEMES.join(", "))
        })?;
        ensure_within("margin", style.margin, 28, 64)?;
        ensure_within("gap", style.gap, 6, 12)?;
        ensure_within("round_permille", style.round_permille, 0, 300)?;
        ensure_within("font_permille", style.font_permille, 330, 400)?;
        ensure(RIM_HUES.contains(&style.rim_color.as_str()), || {
            format!("rim_color {:?} is none of {}", style.rim_color, RIM_HUES.join(", "))
        })?;
        ensure(LAMP_HUES.contains(&style.lamp_color.as_str()), || {
            format!("lamp_color {:?} is none of {}", style.lamp_color, LAMP_HUES.join(", "))
        })?;
        ensure(style.is_clear(), || {
            format!("a rim in {} can't be told apart in theme {}", style.rim_color, style.theme)
        })
    }

    fn least_side(_position: &Position) -> u32 {
        // On the greatest board a cell is at least 96 units wide, so that the cat's number, the
        // smallest one, has digits of nearly 19 units: seven pixels at this side.
        384
    }
}

impl Draw<()> for Garden {
    fn draw(position: &Position, _marks: &(), style: &GardenStyle) -> Vec<Picture> {
        vec![draw(position, style)]
    }
}

/// Where the cells lie.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    board: &'static Board,
    /// The middle of the board.
    middle: Point,
    /// Width of a cell: the distance of neighbors in a row.
    pub(super) width: f64,
    /// Distance of rows.
    rise: f64,
    /// Distance of a cell's corners from its middle.
    reach: f64,
}

impl Layout {
    pub(super) fn new(position: &Position, style: &GardenStyle) -> Self {
        let columns = 2 * position.radius + 1;
        // Multiples of four, so that middles fall on whole pixels at half the size, too.
        let width = f64::from((CANVAS - 2 * style.margin) / columns / 4 * 4);
        let reach = width / 3.0_f64.sqrt();
        let rise = (1.5 * reach / 2.0).round() * 2.0;
        let middle = Point::new(f64::from(CANVAS) / 2.0, f64::from(CANVAS) / 2.0);
        Layout { board: position.board(), middle, width, rise, reach }
    }

    pub(super) fn center(self, cell: u32) -> Point {
        let (column, row) = self.board.places[cell as usize & 63];
        let across = f64::from(2 * column + row) * self.width / 2.0;
        self.middle + Vec2::new(across, f64::from(row) * self.rise)
    }

    /// How far the top of a blocked cell is moved up, and its side down.
    fn lift(self) -> Vec2 {
        Vec2::new(0.0, 0.035 * self.width)
    }

    /// A hexagon around `center` that stays `inset` away from the sides of a cell, to the nearest
    /// even number: its upright sides then fall on whole pixels at half the size, too, where they
    /// are sharp and cost least.
    pub(super) fn hexagon(self, center: Point, inset: f64, style: &GardenStyle) -> BezPath {
        let inset = 2.0 * (inset / 2.0).round();
        let reach = self.reach - inset * self.reach / (self.width / 2.0);
        let corners = corners(center, reach);
        rounded(&corners, f64::from(style.round_permille) / 1000.0)
    }
}

/// The corners of a hexagon that stands on one of them, clockwise from the top.
fn corners(center: Point, reach: f64) -> [Point; 6] {
    let half = reach * 3.0_f64.sqrt() / 2.0;
    let corner = |x: f64, y: f64| center + Vec2::new(x * half, y * reach);
    [
        corner(0.0, -1.0),
        corner(1.0, -0.5),
        corner(1.0, 0.5),
        corner(0.0, 1.0),
        corner(-1.0, 0.5),
        corner(-1.0, -0.5),
    ]
}

/// A polygon whose corners are rounded off from this share of a side on, up to a half. Two straight
/// pieces a corner look round at this size and cost much less than a curve.
fn rounded(corners: &[Point], share: f64) -> BezPath {
    if share < 0.01 {
        return path::polygon(corners);
    }
    let mut points = Vec::with_capacity(3 * corners.len());
    for (index, corner) in corners.iter().enumerate() {
        let before = corners[(index + corners.len() - 1) % corners.len()];
        let after = corners[(index + 1) % corners.len()];
        let (start, end) = (corner.lerp(before, share), corner.lerp(after, share));
        points.extend([start, start.midpoint(end).midpoint(*corner), end]);
    }
    path::polygon(&points)
}

fn draw(position: &Position, style: &GardenStyle) -> Picture {
    let theme = style.palette();
    let layout = Layout::new(position, style);
    let mut canvas = Canvas::new(CANVAS, CANVAS, theme.background.color);
    if style.plate {
        draw_plate(&mut canvas, position.radius, layout, style);
    }
    draw_grounds(&mut canvas, position, layout, style);
    draw_numbers(&mut canvas, position, layout, style);
    draw_sides(&mut canvas, position.blocked.bits(), layout, style);
    for cell in position.blocked.iter() {
        canvas.mark(format!("block {cell}"), |canvas| draw_stone(canvas, cell, layout, style));
    }
    canvas.mark("cat", |canvas| draw_cat(canvas, position, layout, style));
    canvas.finish()
}

/// A soft hexagon under the whole board.
fn draw_plate(canvas: &mut Canvas, radius: u32, layout: Layout, style: &GardenStyle) {
    // Lies on a side, and goes through the outer corners of the corner cells and a little beyond.
    let (half, rise) = (f64::from(radius) * layout.width, f64::from(radius) * layout.rise);
    let middle = f64::from(CANVAS) / 2.0;
    let beyond = 0.5 * layout.width + 0.5 * f64::from(style.margin.min(48));
    let across = beyond * 2.0 / 3.0_f64.sqrt();
    let corner = |x: f64, y: f64| Point::new(middle + x, middle + y);
    let outline = [
        corner(-half / 2.0 - across / 2.0, -rise - beyond),
        corner(half / 2.0 + across / 2.0, -rise - beyond),
        corner(half + across, 0.0),
        corner(half / 2.0 + across / 2.0, rise + beyond),
        corner(-half / 2.0 - across / 2.0, rise + beyond),
        corner(-half - across, 0.0),
    ];
    canvas.fill(&rounded(&outline, 0.08), plate_color(style));
}

fn plate_color(style: &GardenStyle) -> Color {
    let theme = style.palette();
    theme.background.color.mix(theme.ink.color, PLATE_INK_PERCENT)
}

/// The grounds of all open cells. The marks are the numbers on them.
fn draw_grounds(canvas: &mut Canvas, position: &Position, layout: Layout, style: &GardenStyle) {
    let inset = f64::from(style.gap) / 2.0;
    let (free, rim) = (position.free(), position.board().rim);
    match style.rim {
        RimMark::Tint => {
            draw_hexagons(canvas, free & !rim, inset, style.tile(), layout, style);
            draw_hexagons(canvas, free & rim, inset, style.rim_tile(), layout, style);
        }
        RimMark::Outline => {
            // A smaller ground on a bigger one costs half of what a stroke does.
            let inner = inset + OUTLINE * layout.width;
            draw_hexagons(canvas, free & !rim, inset, style.tile(), layout, style);
            draw_hexagons(canvas, free & rim, inset, style.rim_paint().color, layout, style);
            draw_hexagons(canvas, free & rim, inner, style.rim_tile(), layout, style);
        }
    }
}

/// Hexagons in one color, those of a row as one path: that is read and filled faster than single
/// ones and than all at once.
fn draw_hexagons(
    canvas: &mut Canvas,
    cells: u64,
    inset: f64,
    color: Color,
    layout: Layout,
    style: &GardenStyle,
) {
    let mut path = BezPath::new();
    let mut row = None;
    for cell in Cells::of(cells).iter() {
        let center = layout.center(cell);
        if row.is_some_and(|row| row != center.y) {
            canvas.fill(&std::mem::take(&mut path), color);
        }
        row = Some(center.y);
        path.extend(layout.hexagon(center, inset, style));
    }
    canvas.fill(&path, color);
}

fn draw_numbers(canvas: &mut Canvas, position: &Position, layout: Layout, style: &GardenStyle) {
    let size = f64::from(style.font_permille) / 1000.0 * layout.width;
    for cell in Cells::of(position.free()).iter() {
        let (center, number) = (layout.center(cell), cell.to_string());
        canvas.mark(format!("cell {cell}"), |canvas| {
            canvas.text(Text::new(&number, center.x, center.y, size, style.palette().ink.color));
        });
    }
}

/// The sides of blocked cells, which lie under their tops.
pub(super) fn draw_sides(canvas: &mut Canvas, cells: u64, layout: Layout, style: &GardenStyle) {
    if style.stone != Stone::Flat {
        let lift = layout.lift();
        let color = style.palette().label.color.mix(Color::BLACK, 45);
        let lower = Layout { middle: layout.middle + lift, ..layout };
        draw_hexagons(canvas, cells, f64::from(style.gap) / 2.0 + lift.y / 2.0, color, lower, style);
    }
}

/// The top of a blocked cell.
pub(super) fn draw_stone(canvas: &mut Canvas, cell: u32, layout: Layout, style: &GardenStyle) {
    let center = layout.center(cell);
    let inset = f64::from(style.gap) / 2.0;
    let color = style.palette().label.color;
    if style.stone == Stone::Flat {
        canvas.fill(&layout.hexagon(center, inset, style), color);
        return;
    }
    let lift = layout.lift();
    canvas.fill(&layout.hexagon(center - lift, inset + lift.y / 2.0, style), color);
    if style.stone == Stone::Ridged {
        let top = color.mix(Color::WHITE, 14);
        canvas.fill(&layout.hexagon(center - lift, inset + 0.13 * layout.width, style), top);
    }
}

fn draw_cat(canvas: &mut Canvas, position: &Position, layout: Layout, style: &GardenStyle) {
    let center = layout.center(position.cat);
    let inset = f64::from(style.gap) / 2.0;
    canvas.fill(&layout.hexagon(center, inset, style), style.lamp().color);
    let middle = center - Vec2::new(0.0, 0.1 * layout.width);
    figure::draw(canvas, middle, layout.width, style.lamp().color, style.eyes, style.whiskers);
    let number = position.cat.to_string();
    let size = CAT_FONT * layout.width;
    let below = center.y + CAT_NUMBER * layout.width;
    canvas.text(Text::new(&number, center.x, below, size, figure::FUR));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grounds_can_be_told_apart_in_every_theme() {
        for theme in Theme::all() {
            let mut tints = std::collections::BTreeSet::new();
            for seed in 0..200 {
                let style = Garden::style(&start(), theme.name, &mut RenderRng::from_seed(seed));
                Garden::validate_style(&start(), &style).unwrap();
                let stone = theme.label.color;
                for (a, b) in [
                    (theme.background.color, stone),
                    (figure::FUR, style.lamp().color),
                    (plate_color(&style), stone),
                    (plate_color(&style), theme.ink.color),
                ] {
                    let found = difference(a, b);
                    assert!(found >= CLEAR, "{}: {a} {b} {found}", theme.name);
                }
                if style.rim == RimMark::Tint {
                    tints.insert(style.rim_color);
                }
            }
            assert!(tints.len() >= 2, "{}: {tints:?}", theme.name);
        }
    }

    fn start() -> Position {
        Position {
            radius: 4,
            cat: 30,
            blocked: Default::default(),
            habit: super::super::Habit::Direct,
            order: super::super::Direction::ALL,
            draws: Vec::new(),
            turn: 0,
        }
    }

    #[test]
    fn digits_are_nine_pixels_tall_at_half_the_size_and_cells_stay_inside() {
        for margin in 28..=64 {
            let mut style = Garden::style(&start(), "paper", &mut RenderRng::from_seed(1));
            style.margin = margin;
            let layout = Layout::new(&start(), &style);
            assert!(layout.width >= 96.0, "{}", layout.width);
            assert!(CAT_FONT * layout.width * topotrace_draw::font::CAP_HEIGHT >= 18.0);
            let (first, last) = (layout.center(26), layout.center(34));
            assert!(first.x - layout.width / 2.0 >= f64::from(margin));
            assert!(last.x + layout.width / 2.0 <= f64::from(CANVAS - margin));
            assert!(layout.center(0).y - layout.reach >= f64::from(margin));
        }
    }
}
