use serde::{Deserialize, Serialize};
use topotrace_core::{Draw, Flaw, Picture, RenderRng, Scene, ensure, ensure_theme, ensure_within};
use topotrace_draw::kurbo::{BezPath, Point};
use topotrace_draw::{Canvas, Color, Paint, Stroke, Theme, path};

use super::board::{Board, MAX_COLORS};
use super::grid::{Grid, Move, START, column_and_row, index};

/// Side of the picture in canvas units.
pub(super) const CANVAS: u32 = 1024;
/// Width of the casing around the stroke and its head, in canvas units.
pub(super) const CASING: f64 = 4.0;
/// Radius of the stroke's head, as a share of the gap.
const HEAD: f64 = 0.56;
/// Outer and inner half width of the marks of start and target, as shares of the gap.
const PEG: (f64, f64) = (1.1, 0.78);
/// Width of the thin lines of the lattice, in canvas units.
const LATTICE_LINE: f64 = 4.0;
/// Height of the darker lower edge of a tile, as a share of its side.
const EDGE: f64 = 0.07;

/// Colored cells and a stroke along their sides.
pub struct StrokeScene;

/// How a tile is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TileFinish {
    /// In one color.
    Flat,
    /// With a darker lower edge.
    Edge,
    /// With a lighter disc in the middle.
    Stud,
}

/// How the cells without a color are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Uncolored {
    /// As tiles in a shade near the background.
    Tile,
    /// As faint outlines of tiles.
    Outline,
}

/// How the vertices are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lattice {
    /// As small dots.
    Dots,
    /// As small dots with thin lines between them.
    Lines,
}

/// How the stroke is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineFinish {
    /// In one color.
    Solid,
    /// With a thin core in a softer shade.
    Core,
}

/// The look of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrokeStyle {
    /// The theme's name.
    pub theme: String,
    /// For the colors 1 to 6 the place of each among the theme's six hues, from 0. Color 7 always
    /// has the theme's color for labels.
    pub hues: [u8; 6],
    /// Width of the gap between two tiles in thousandths of a cell, from 200 to 260.
    pub gap_permille: u32,
    /// Radius of a tile's corners in thousandths of its side, from 60 to 240.
    pub corner_permille: u32,
    /// Width of the stroke in thousandths of the gap, from 400 to 560.
    pub line_permille: u32,
    /// Width of the empty rim around the board in canvas units, from 64 to 112.
    pub margin: u32,
    /// How a tile is drawn.
    pub tile: TileFinish,
    /// How the cells without a color are drawn.
    pub uncolored: Uncolored,
    /// How the vertices are shown.
    pub lattice: Lattice,
    /// How the stroke is drawn.
    pub line: LineFinish,
}

impl StrokeStyle {
    pub(super) fn palette(&self) -> &'static Theme {
        Theme::named(&self.theme).unwrap_or(&Theme::all()[0])
    }

    /// The paint of a color from 1 to 7.
    pub(super) fn paint(&self, color: u8) -> Paint {
        let theme = self.palette();
        let place = usize::from(color.max(1)) - 1;
        let hue = self.hues.get(place).and_then(|hue| theme.hues.get(usize::from(*hue)));
        hue.copied().unwrap_or(theme.label)
    }

    /// Radius of the corners of tiles in canvas units, an even number.
    pub(super) fn corner(&self, layout: Layout) -> f64 {
        even(layout.tile() * f64::from(self.corner_permille) / 1000.0)
    }

    /// Height of the darker lower edge of tiles in canvas units, an even number; 0 where they have
    /// none.
    pub(super) fn tile_edge(&self, layout: Layout) -> f64 {
        if self.tile == TileFinish::Edge { even(EDGE * layout.tile()) } else { 0.0 }
    }

    /// The color of tiles without a color.
    pub(super) fn plain(&self) -> Color {
        let theme = self.palette();
        theme.background.color.mix(theme.ink.color, 12)
    }

    /// The color of outlines, dots and lines that only help the eye.
    fn faint(&self) -> Color {
        let theme = self.palette();
        theme.grid.color.mix(theme.ink.color, 24)
    }
}

/// The nearest even number.
fn even(length: f64) -> f64 {
    (length / 2.0).round() * 2.0
}

impl Scene for StrokeScene {
    const NAME: &'static str = "one-stroke";
    const THEMES: &'static [&'static str] =
        &["paper", "chalkboard", "blueprint", "sand", "night", "newsprint"];
    type State = Board;
    type Style = StrokeStyle;

    /// Colors in the order in which they first occur.
    fn canonical(board: &Board) -> Board {
        let mut order = Vec::with_capacity(MAX_COLORS as usize);
        let mut cells = board.cells.clone();
        for color in cells.iter_mut().filter(|color| **color != 0) {
            let place = order.iter().position(|known| known == color).unwrap_or_else(|| {
                order.push(*color);
                order.len() - 1
            });
            *color = place as u8 + 1;
        }
        Board { cells, ..board.clone() }
    }

    fn style(_board: &Board, theme: &'static str, rng: &mut RenderRng) -> StrokeStyle {
        let mut hues = [0, 1, 2, 3, 4, 5];
        rng.shuffle(&mut hues);
        StrokeStyle {
            theme: theme.to_owned(),
            hues,
            gap_permille: rng.between(200..=260),
            corner_permille: rng.between(60..=240),
            line_permille: rng.between(400..=560),
            margin: rng.between(64..=112),
            tile: *rng.pick(&[TileFinish::Flat, TileFinish::Edge, TileFinish::Stud]),
            uncolored: *rng.pick(&[Uncolored::Tile, Uncolored::Outline]),
            lattice: *rng.pick(&[Lattice::Dots, Lattice::Lines]),
            line: *rng.pick(&[LineFinish::Solid, LineFinish::Core]),
        }
    }

    fn validate_style(_board: &Board, style: &StrokeStyle) -> Result<(), Flaw> {
        ensure_theme::<Self>(&style.theme)?;
        ensure((0..6).all(|hue| style.hues.contains(&hue)), || {
            format!("hues {:?} are not the numbers from 0 to 5 in some order", style.hues)
        })?;
        ensure_within("gap_permille", style.gap_permille, 200, 260)?;
        ensure_within("corner_permille", style.corner_permille, 60, 240)?;
        ensure_within("line_permille", style.line_permille, 400, 560)?;
        ensure_within("margin", style.margin, 64, 112)
    }

    fn least_side(board: &Board) -> u32 {
        // A cell is at least 78 % of the side over the size. At 34 pixels a cell the gap is seven
        // pixels wide, the stroke three and a half.
        (board.size * 44).max(224)
    }
}

impl Draw<()> for StrokeScene {
    fn draw(board: &Board, _marks: &(), style: &StrokeStyle) -> Vec<Picture> {
        vec![draw(board, style)]
    }
}

/// Where cells and vertices lie.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Left and top edge of the board.
    start: f64,
    size: u32,
    /// Distance of two neighboring vertices in canvas units.
    pub(super) cell: f64,
    /// Width of the gap between two tiles.
    pub(super) gap: f64,
}

impl Layout {
    pub(super) fn new(size: u32, style: &StrokeStyle) -> Self {
        // Multiples of four, so that sides of tiles, half a gap away from the vertices, fall on
        // whole pixels at half the size, too.
        let cell = (CANVAS - 2 * style.margin) / size / 4 * 4;
        let gap = (cell * style.gap_permille / 1000 + 2) / 4 * 4;
        let start = (CANVAS - cell * size) / 4 * 2;
        Layout { start: f64::from(start), size, cell: f64::from(cell), gap: f64::from(gap) }
    }

    /// The place of a vertex.
    pub(super) fn vertex(self, vertex: u32) -> Point {
        let (column, row) = column_and_row(vertex);
        let (x, y) = (f64::from(column), f64::from(self.size - row));
        Point::new(self.start + x * self.cell, self.start + y * self.cell)
    }

    /// The middle of a cell.
    pub(super) fn center(self, cell: u32) -> Point {
        let corner = self.vertex(cell);
        Point::new(corner.x + self.cell / 2.0, corner.y - self.cell / 2.0)
    }

    /// Side of a tile.
    pub(super) fn tile(self) -> f64 {
        self.cell - self.gap
    }

    /// A tile, smaller by `inset` at each side.
    fn tile_path(self, cell: u32, inset: f64, radius: f64) -> BezPath {
        let (center, half) = (self.center(cell), self.tile() / 2.0 - inset);
        path::rounded_rect(center.x - half, center.y - half, 2.0 * half, 2.0 * half, radius)
    }

    /// The line of a stroke.
    pub(super) fn stroke_path(self, moves: &[Move]) -> BezPath {
        let grid = Grid { size: self.size };
        let mut vertex = START;
        let mut points = vec![self.vertex(vertex)];
        for step in moves {
            vertex = grid.beside(vertex, *step).unwrap_or(vertex);
            points.push(self.vertex(vertex));
        }
        path::polyline(&points)
    }
}

fn draw(board: &Board, style: &StrokeStyle) -> Picture {
    let theme = style.palette();
    let layout = Layout::new(board.size, style);
    let mut canvas = Canvas::new(CANVAS, CANVAS, theme.background.color);
    draw_lattice(&mut canvas, layout, style);
    draw_uncolored(&mut canvas, board, layout, style);
    for cell in cells(board).filter(|cell| board.color_at(*cell) != 0) {
        let (column, row) = column_and_row(cell);
        canvas.mark(format!("cell {column},{}", board.size - 1 - row), |canvas| {
            draw_tile(canvas, cell, style.paint(board.color_at(cell)).color, layout, style);
        });
    }
    draw_stroke(&mut canvas, board, layout, style);
    draw_pegs(&mut canvas, board, layout, theme.ink.color);
    let head = layout.vertex(board.trace().head);
    let radius = HEAD * layout.gap;
    canvas.fill(&path::circle(head, radius + CASING), theme.background.color);
    canvas.mark("head", |canvas| canvas.fill(&path::circle(head, radius), theme.accent.color));
    canvas.finish()
}

/// A color's dark variant, for the lower edge of a tile.
pub(super) fn darker(color: Color) -> Color {
    color.mix(Color::BLACK, 32)
}

/// The indices of all cells, row by row from the top.
fn cells(board: &Board) -> impl Iterator<Item = u32> {
    let size = board.size;
    (0..size).rev().flat_map(move |row| (0..size).map(move |column| index(column, row)))
}

fn draw_tile(canvas: &mut Canvas, cell: u32, color: Color, layout: Layout, style: &StrokeStyle) {
    let (center, side) = (layout.center(cell), layout.tile());
    let radius = style.corner(layout);
    let (left, top) = (center.x - side / 2.0, center.y - side / 2.0);
    let whole = path::rounded_rect(left, top, side, side, radius);
    match style.tile {
        TileFinish::Flat => canvas.fill(&whole, color),
        TileFinish::Edge => {
            // Of the dark tile below only as much as can be seen.
            let (edge, rest) = (style.tile_edge(layout), 2.0 * radius + 2.0 * style.tile_edge(layout));
            canvas.fill(&path::rounded_rect(left, top + side - rest, side, rest, radius), darker(color));
            canvas.fill(&path::rounded_rect(left, top, side, side - edge, radius), color);
        }
        TileFinish::Stud => {
            canvas.fill(&whole, color);
            canvas.fill(&path::circle(center, 0.16 * side), color.mix(Color::WHITE, 30));
        }
    }
}

fn draw_uncolored(canvas: &mut Canvas, board: &Board, layout: Layout, style: &StrokeStyle) {
    let radius = style.corner(layout);
    let mut outlines = BezPath::new();
    for cell in cells(board).filter(|cell| board.color_at(*cell) == 0) {
        match style.uncolored {
            Uncolored::Tile => canvas.fill(&layout.tile_path(cell, 0.0, radius), style.plain()),
            Uncolored::Outline => outlines.extend(layout.tile_path(cell, 2.0, radius)),
        }
    }
    canvas.stroke(&outlines, Stroke::new(style.faint(), 4.0));
}

/// Dots at all vertices, and lines between them where the style has lines.
fn draw_lattice(canvas: &mut Canvas, layout: Layout, style: &StrokeStyle) {
    let (size, half) = (layout.size, LATTICE_LINE / 2.0);
    let long = f64::from(size) * layout.cell;
    for number in (0..=size).filter(|_| style.lattice == Lattice::Lines) {
        // As rectangles on whole pixels, which cost much less than strokes.
        let (left, lower) = (layout.vertex(index(0, number)), layout.vertex(index(number, 0)));
        canvas.fill(&path::rect(left.x, left.y - half, long, LATTICE_LINE), style.faint());
        canvas.fill(&path::rect(lower.x - half, lower.y - long, LATTICE_LINE, long), style.faint());
    }
    let theme = style.palette();
    for row in 0..=size {
        // Row by row: as one path for the whole board, the dots would cost as much as all tiles.
        let mut dots = BezPath::new();
        for column in 0..=size {
            dots.extend(path::circle(layout.vertex(index(column, row)), 0.2 * layout.gap));
        }
        canvas.fill(&dots, theme.background.color.mix(theme.ink.color, 50));
    }
}

fn draw_stroke(canvas: &mut Canvas, board: &Board, layout: Layout, style: &StrokeStyle) {
    if board.path.is_empty() {
        return;
    }
    let theme = style.palette();
    let line = layout.stroke_path(&board.path);
    let width = layout.gap * f64::from(style.line_permille) / 1000.0;
    canvas.stroke(&line, Stroke::new(theme.background.color, width + 2.0 * CASING));
    canvas.stroke(&line, Stroke::new(theme.ink.color, width));
    if style.line == LineFinish::Core {
        canvas.stroke(&line, Stroke::new(theme.ink.color.mix(theme.background.color, 70), 0.22 * width));
    }
}

/// A ring around the start and a square outline around the target.
pub(super) fn draw_pegs(canvas: &mut Canvas, board: &Board, layout: Layout, ink: Color) {
    let (outer, inner) = (PEG.0 * layout.gap, PEG.1 * layout.gap);
    let (middle, stroke) = ((outer + inner) / 2.0, Stroke::new(ink, outer - inner));
    let start = layout.vertex(START);
    let target = layout.vertex(board.grid().target());
    canvas.mark("start", |canvas| canvas.stroke(&path::circle(start, middle), stroke));
    canvas.mark("target", |canvas| {
        canvas.stroke(&path::rect(target.x - middle, target.y - middle, 2.0 * middle, 2.0 * middle), stroke);
    });
}

#[cfg(test)]
mod tests {
    use topotrace_draw::difference;

    use super::*;

    #[test]
    fn uncolored_tiles_look_like_no_color() {
        for theme in StrokeScene::THEMES {
            let board = Board { size: 2, cells: vec![1; 4], path: Vec::new() };
            let style = StrokeScene::style(&board, theme, &mut RenderRng::from_seed(1));
            let theme = style.palette();
            let others = (1..=7).map(|color| style.paint(color)).chain([theme.ink, theme.accent]);
            for other in others {
                for ground in [style.plain(), theme.background.color] {
                    let found = difference(ground, other.color);
                    assert!(found >= 20.0, "{}: {other:?} {found}", theme.name);
                }
            }
        }
    }

    #[test]
    fn all_seven_colors_and_the_marks_can_be_told_apart() {
        for theme in StrokeScene::THEMES {
            let board = Board { size: 2, cells: vec![1; 4], path: Vec::new() };
            let style = StrokeScene::style(&board, theme, &mut RenderRng::from_seed(2));
            let theme = style.palette();
            let mut paints: Vec<_> = (1..=7).map(|color| style.paint(color)).collect();
            paints.extend([theme.ink, theme.accent]);
            for (index, a) in paints.iter().enumerate() {
                for b in &paints[..index] {
                    assert!(difference(a.color, b.color) >= 20.0, "{}: {a:?} {b:?}", theme.name);
                }
            }
        }
    }

    #[test]
    fn tiles_lie_on_whole_pixels_at_half_the_size() {
        let board = Board { size: 6, cells: vec![1; 36], path: Vec::new() };
        for seed in 0..40 {
            let style = StrokeScene::style(&board, "paper", &mut RenderRng::from_seed(seed));
            for size in 2..=7 {
                let layout = Layout::new(size, &style);
                let corner = layout.vertex(index(0, size));
                assert_eq!((corner.x + layout.gap / 2.0) % 2.0, 0.0);
                assert_eq!((layout.cell % 2.0, layout.tile() % 2.0), (0.0, 0.0));
            }
        }
    }
}
