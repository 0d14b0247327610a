use serde::{Deserialize, Serialize};
use topotrace_core::{Draw, Flaw, Picture, RenderRng, Scene, ensure_theme, ensure_within};
use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{BlockPalette, Canvas, Color, Stroke, Text, Theme, path};

use super::board::{BLANK, Board};

/// Side of a picture in canvas units.
pub(super) const CANVAS: u32 = 1024;
/// The greatest side of a cell in canvas units: boards of few cells don't fill the picture.
const GREATEST_CELL: u32 = 320;
/// How far a tray or a frame reaches beyond the cells, in canvas units.
const RIM: f64 = 14.0;
/// Corner radius of a tray or a frame in canvas units.
const RIM_RADIUS: f64 = 26.0;

/// Blocks on a board with one blank.
pub struct Blocks;

/// How a block is drawn. All but a margin of it has the block's own color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// In one color.
    Flat,
    /// With a darker lip at the bottom, as of a key.
    Lip,
    /// With a darker rim.
    Rim,
    /// With a light streak near the top.
    Streak,
    /// With a light edge at the top and a dark one at the bottom.
    Bevel,
}

/// What lies under the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Nothing but the background.
    Plain,
    /// A soft tray.
    Tray,
    /// A line around all cells.
    Frame,
}

/// How the blank's empty slot is drawn, besides its own color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotMark {
    /// With a dashed outline inside.
    Dashes,
    /// With a solid outline inside.
    Outline,
}

/// What is written under the two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Captions {
    /// `now` and `goal`.
    Now,
    /// `current` and `goal`.
    Current,
    /// `NOW` and `GOAL`.
    Capitals,
}

impl Captions {
    /// The words under the board as it is and under the goal.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Captions::Now => ("now", "goal"),
            Captions::Current => ("current", "goal"),
            Captions::Capitals => ("NOW", "GOAL"),
        }
    }
}

/// The look of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapStyle {
    /// The theme's name.
    pub theme: String,
    /// Distance of two neighboring blocks in thousandths of a cell, from 50 to 120.
    pub gap_permille: u32,
    /// Corner radius of blocks in thousandths of their side, from 50 to 240.
    pub corner_permille: u32,
    /// Font size of the coordinates in canvas units, from 34 to 46.
    pub font: u32,
    /// Width of the bands for coordinates and caption in canvas units, from 78 to 100.
    pub band: u32,
    /// Width of the empty rim at the right in canvas units, from 30 to 64.
    pub margin: u32,
    /// How a block is drawn.
    pub finish: Finish,
    /// What lies under the blocks.
    pub ground: Ground,
    /// How the blank's slot is drawn.
    pub slot: SlotMark,
    /// What is written under the boards.
    pub captions: Captions,
}

impl SwapStyle {
    pub(super) fn theme(&self) -> &'static Theme {
        Theme::named(&self.theme).unwrap_or(&Theme::all()[0])
    }

    pub(super) fn palette(&self) -> &'static BlockPalette {
        BlockPalette::of(self.theme())
    }
}

impl Scene for Blocks {
    const NAME: &'static str = "swap";
    const THEMES: &'static [&'static str] =
        &["paper", "chalkboard", "blueprint", "sand", "night", "newsprint"];
    type State = Board;
    type Style = SwapStyle;

    fn canonical(board: &Board) -> Board {
        board.recolored()
    }

    fn style(_board: &Board, theme: &'static str, rng: &mut RenderRng) -> SwapStyle {
        SwapStyle {
            theme: theme.to_owned(),
            gap_permille: rng.between(50..=120),
            corner_permille: rng.between(50..=240),
            font: rng.between(34..=46),
            band: rng.between(78..=100),
            margin: rng.between(30..=64),
            finish: *rng.pick(&[Finish::Flat, Finish::Lip, Finish::Rim, Finish::Streak, Finish::Bevel]),
            ground: *rng.pick(&[Ground::Plain, Ground::Tray, Ground::Frame]),
            slot: *rng.pick(&[SlotMark::Dashes, SlotMark::Outline]),
            captions: *rng.pick(&[Captions::Now, Captions::Current, Captions::Capitals]),
        }
    }

    fn validate_style(_board: &Board, style: &SwapStyle) -> Result<(), Flaw> {
        ensure_theme::<Self>(&style.theme)?;
        ensure_within("gap_permille", style.gap_permille, 50, 120)?;
        ensure_within("corner_permille", style.corner_permille, 50, 240)?;
        ensure_within("font", style.font, 34, 46)?;
        ensure_within("band", style.band, 78, 100)?;
        ensure_within("margin", style.margin, 30, 64)
    }

    fn least_side(_board: &Board) -> u32 {
        // A number's digits are seven pixels tall at 288, and a cell has 55 pixels or more.
        288
    }
}

impl Draw<()> for Blocks {
    fn draw(board: &Board, _marks: &(), style: &SwapStyle) -> Vec<Picture> {
        let (now, goal) = style.captions.words();
        vec![draw(board, &board.current, now, style), draw(board, &board.goal, goal, style)]
    }
}

/// Where the cells lie. Even numbers, so that all edges fall on whole pixels at half the size, too.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    left: f64,
    top: f64,
    columns: usize,
    rows: usize,
    /// Side of a cell in canvas units.
    pub(super) cell: f64,
    /// How far a block stays away from the sides of its cell.
    inset: f64,
    /// Corner radius of a block.
    radius: f64,
}

impl Layout {
    pub(super) fn new(board: &Board, style: &SwapStyle) -> Self {
        let (rows, columns) = (board.rows.max(1), board.columns.max(1));
        let band = style.band / 2 * 2;
        let width = CANVAS - band - style.margin;
        let height = CANVAS - 2 * band - 2 * RIM as u32;
        let cell = (width / columns).min(height / rows).min(GREATEST_CELL) / 4 * 4;
        // In the middle of the picture, if that leaves the band for the numbers of the rows.
        let left = ((CANVAS - cell * columns) / 4 * 2).max(band);
        let top = (CANVAS - cell * rows) / 4 * 2;
        let inset = even(f64::from(cell * style.gap_permille) / 2000.0);
        let cell = f64::from(cell);
        let radius = (cell - 2.0 * inset) * f64::from(style.corner_permille) / 1000.0;
        Layout {
            left: f64::from(left),
            top: f64::from(top),
            columns: columns as usize,
            rows: rows as usize,
            cell,
            inset,
            radius: even(radius),
        }
    }

    fn corner(self, index: usize) -> Point {
        let (row, column) = (index / self.columns, index % self.columns);
        Point::new(self.left + column as f64 * self.cell, self.top + row as f64 * self.cell)
    }

    /// The center of the cell at an index.
    pub(super) fn center(self, index: usize) -> Point {
        self.corner(index) + Vec2::new(self.cell / 2.0, self.cell / 2.0)
    }

    fn width(self) -> f64 {
        self.columns as f64 * self.cell
    }

    fn height(self) -> f64 {
        self.rows as f64 * self.cell
    }

    /// The outline of the block at an index.
    fn block(self, index: usize) -> Outline {
        let corner = self.corner(index) + Vec2::new(self.inset, self.inset);
        let side = self.cell - 2.0 * self.inset;
        Outline { x: corner.x, y: corner.y, width: side, height: side, radius: self.radius }
    }
}

/// The nearest even number, at least 2.
fn even(value: f64) -> f64 {
    (2.0 * (value / 2.0).round()).max(2.0)
}

/// A rectangle with round corners.
#[derive(Clone, Copy)]
struct Outline {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    radius: f64,
}

impl Outline {
    /// What is left when so much is cut off at all sides.
    fn cut(self, by: f64) -> Outline {
        Outline {
            x: self.x + by,
            y: self.y + by,
            width: self.width - 2.0 * by,
            height: self.height - 2.0 * by,
            radius: (self.radius - by / 2.0).max(2.0),
        }
    }

    fn path(self) -> BezPath {
        path::rounded_rect(self.x, self.y, self.width, self.height, self.radius)
    }

    /// The part at the top that is not covered by the same outline moved down by `lip`, and some
    /// more that is. Cheaper than the whole, of which no more would be seen.
    fn top(self, lip: f64) -> Outline {
        Outline { height: 2.0 * self.radius + lip, ..self }
    }

    /// The same at the bottom for an outline moved up.
    fn bottom(self, lip: f64) -> Outline {
        let height = 2.0 * self.radius + lip;
        Outline { y: self.y + self.height - height, height, ..self }
    }
}

fn draw(board: &Board, blocks: &[u8], caption: &str, style: &SwapStyle) -> Picture {
    let layout = Layout::new(board, style);
    let palette = style.palette();
    let mut canvas = Canvas::new(CANVAS, CANVAS, style.theme().background.color);
    draw_ground(&mut canvas, layout, style);
    draw_words(&mut canvas, layout, caption, style);
    for (index, &number) in blocks.iter().enumerate() {
        let outline = layout.block(index);
        if number == BLANK {
            canvas.mark("blank", |canvas| draw_slot(canvas, outline, style));
        } else if let Some(color) = palette.block(number) {
            canvas.mark(format!("block {number}"), |canvas| {
                draw_block(canvas, outline, color, style.finish);
            });
        }
    }
    canvas.finish()
}

fn draw_ground(canvas: &mut Canvas, layout: Layout, style: &SwapStyle) {
    let theme = style.theme();
    let (x, y) = (layout.left - RIM, layout.top - RIM);
    let (width, height) = (layout.width() + 2.0 * RIM, layout.height() + 2.0 * RIM);
    let all = path::rounded_rect(x, y, width, height, RIM_RADIUS);
    match style.ground {
        Ground::Plain => {}
        Ground::Tray => {
            canvas.fill(&all, style.palette().tray);
            canvas.stroke(&all, Stroke::new(theme.grid.color, 4.0));
        }
        Ground::Frame => {
            canvas.stroke(&all, Stroke::new(theme.background.color.mix(theme.ink.color, 42), 4.0));
        }
    }
}

/// The numbers of all columns along the top and of all rows along the left edge, and the caption.
fn draw_words(canvas: &mut Canvas, layout: Layout, caption: &str, style: &SwapStyle) {
    let (ink, font) = (style.theme().ink.color, f64::from(style.font));
    let beside = 0.5 * (f64::from(style.band) + RIM);
    for column in 0..layout.columns {
        let x = layout.center(column).x;
        canvas.text(Text::new(&column.to_string(), x, layout.top - beside, font, ink));
    }
    for row in 0..layout.rows {
        let y = layout.center(row * layout.columns).y;
        canvas.text(Text::new(&row.to_string(), layout.left - beside, y, font, ink));
    }
    let middle = layout.left + layout.width() / 2.0;
    canvas.text(Text::new(caption, middle, layout.top + layout.height() + beside + 2.0, 1.15 * font, ink));
}

fn draw_block(canvas: &mut Canvas, outline: Outline, color: Color, finish: Finish) {
    let dark = color.mix(Color::BLACK, 34);
    let light = color.mix(Color::WHITE, 36);
    let share = |share: f64| even(outline.width * share);
    match finish {
        Finish::Flat => canvas.fill(&outline.path(), color),
        Finish::Lip => {
            let lip = share(0.075);
            canvas.fill(&outline.bottom(lip).path(), dark);
            canvas.fill(&Outline { height: outline.height - lip, ..outline }.path(), color);
        }
        Finish::Rim => {
            let face = outline.cut(share(0.035));
            canvas.fill(&outline.path(), dark);
            canvas.fill(&face.path(), color);
        }
        Finish::Streak => {
            canvas.fill(&outline.path(), color);
            let (aside, down, height) = (share(0.13), share(0.09), share(0.055));
            let width = outline.width - 2.0 * aside;
            let streak = path::rounded_rect(outline.x + aside, outline.y + down, width, height, height / 2.0);
            canvas.fill(&streak, light);
        }
        Finish::Bevel => {
            let edge = share(0.05);
            canvas.fill(&outline.top(edge).path(), light);
            canvas.fill(&outline.bottom(edge).path(), dark);
            let face = Outline { y: outline.y + edge, height: outline.height - 2.0 * edge, ..outline };
            canvas.fill(&face.path(), color);
        }
    }
}

/// An empty slot: sunk, so dark at the top where a block would be light, and outlined within.
fn draw_slot(canvas: &mut Canvas, outline: Outline, style: &SwapStyle) {
    let color = style.palette().slot.color;
    let share = |share: f64| even(outline.width * share);
    let depth = share(0.06);
    canvas.fill(&outline.top(depth).path(), color.mix(Color::BLACK, 34));
    canvas.fill(&Outline { y: outline.y + depth, height: outline.height - depth, ..outline }.path(), color);
    let inner = outline.cut(share(0.17));
    let stroke = Stroke::new(color.mix(style.theme().background.color, 62), share(0.022));
    let dash = 0.09 * outline.width;
    canvas.stroke(
        &inner.path(),
        match style.slot {
            SlotMark::Dashes => stroke.dashed(dash, 0.8 * dash),
            SlotMark::Outline => stroke,
        },
    );
}
