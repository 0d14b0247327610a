use serde::{Deserialize, Serialize};
use topotrace_core::{Flaw, Picture, RenderRng, Scene, ensure_theme, ensure_within};
use topotrace_draw::kurbo::{BezPath, Point as Spot};
use topotrace_draw::{Canvas, Color, Stroke, Text, Theme, path};

use super::points::Point;
use super::walls::{Maze, Place};

/// Side of the picture in canvas units.
pub(super) const CANVAS: u32 = 1024;
/// Half the side of the square around a cell's center that a point's label may fill, as a share
/// of the cell.
pub(super) const LABEL_REACH: f64 = 0.34;
/// Width of a colored bar over that of a wall.
pub(super) const BAR_WIDTH: f64 = 1.2;
/// How far a bar ends before the corner, in wall widths: what lies nearer to the corner belongs
/// to the walls that meet there and stays when the bar is thought away.
pub(super) const BAR_INSET: f64 = 0.8;

/// How far a dashed line ends before the corner, in wall widths, so as not to cover what ends there.
const ADDED_INSET: f64 = 0.8;

/// Mazes in the plane.
pub struct Maze2d;

/// Helper lines under the maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grid {
    /// None.
    Plain,
    /// Faint lines along all cells.
    Lines,
    /// Faint dots at all corners.
    Dots,
}

/// The look of a maze.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MazeStyle {
    /// The theme's name.
    pub theme: String,
    /// Wall width in thousandths of a cell, from 50 to 82. Wider, and the narrowest passage (a
    /// half edge beside a diagonal) would close at small picture sizes.
    pub wall_permille: u32,
    /// Font size of labels in thousandths of a cell, from 300 to 400.
    pub label_permille: u32,
    /// Width of the empty rim in canvas units, from 36 to 80.
    pub margin: u32,
    /// Helper lines.
    pub grid: Grid,
    /// Labels as light letters on discs instead of letters alone.
    pub discs: bool,
}

impl MazeStyle {
    /// The theme.
    pub(super) fn palette(&self) -> &'static Theme {
        Theme::named(&self.theme).unwrap_or(&Theme::all()[0])
    }

    /// The name of the walls' color.
    pub(super) fn ink_name(&self) -> &'static str {
        self.palette().ink.name
    }

    /// What the helper lines are, in words; `None` where there are none.
    pub(super) fn grid_words(&self) -> Option<String> {
        let color = self.palette().grid.name;
        match self.grid {
            Grid::Plain => None,
            Grid::Lines => Some(format!("faint {color} lines")),
            Grid::Dots => Some(format!("faint {color} dots")),
        }
    }

    /// The name of the color of a wall that is only thought of.
    pub(super) fn accent_name(&self) -> &'static str {
        self.palette().accent.name
    }

    /// Side of a cell in canvas units.
    pub(super) fn cell(&self, size: u32) -> f64 {
        f64::from(CANVAS - 2 * self.margin) / f64::from(size)
    }

    /// Width of a wall in canvas units.
    pub(super) fn wall_width(&self, size: u32) -> f64 {
        self.cell(size) * f64::from(self.wall_permille) / 1000.0
    }

    /// Where a position in cells lies on the canvas.
    pub(super) fn spot(&self, size: u32, x: f64, y: f64) -> Spot {
        let (margin, cell) = (f64::from(self.margin), self.cell(size));
        Spot::new(margin + x * cell, margin + y * cell)
    }
}

impl Scene for Maze2d {
    const NAME: &'static str = "maze-2d";
    const THEMES: &'static [&'static str] =
        &["paper", "chalkboard", "blueprint", "sand", "night", "newsprint"];
    type State = Maze;
    type Style = MazeStyle;

    fn style(_maze: &Maze, theme: &'static str, rng: &mut RenderRng) -> MazeStyle {
        MazeStyle {
            theme: theme.to_owned(),
            wall_permille: rng.between(50..=82),
            label_permille: rng.between(300..=400),
            margin: rng.between(36..=80),
            grid: *rng.pick(&[Grid::Plain, Grid::Lines, Grid::Dots]),
            discs: rng.percent(50),
        }
    }

    fn validate_style(_maze: &Maze, style: &MazeStyle) -> Result<(), Flaw> {
        ensure_theme::<Self>(&style.theme)?;
        ensure_within("wall_permille", style.wall_permille, 50, 82)?;
        ensure_within("label_permille", style.label_permille, 300, 400)?;
        ensure_within("margin", style.margin, 36, 80)
    }

    fn least_side(maze: &Maze) -> u32 {
        // The end of a half edge lies 0.177 cell from a diagonal beside it. Of that, half a wall's
        // width is taken on one side and half a bar's on the other; six pixels must stay free at
        // the widest wall and rim.
        const CELL_PIXELS: f64 = 6.0 / (0.1767 - 0.082 * (1.0 + BAR_WIDTH) / 2.0);
        let board = f64::from(CANVAS - 160) / f64::from(CANVAS);
        (CELL_PIXELS * f64::from(maze.size) / board).ceil() as u32
    }
}

/// What is drawn on a maze: every program of the scene fills what it has.
#[derive(Clone, Copy, Default)]
pub(super) struct Overlay<'a> {
    /// Labeled points.
    pub(super) points: &'a [Point],
    /// Blocking walls in colors, with the colors' names.
    pub(super) bars: &'a [(Place, &'a str)],
    /// A wall that is only thought of.
    pub(super) added: Option<Place>,
}

/// Draws a maze.
pub(super) fn draw(maze: &Maze, overlay: Overlay<'_>, style: &MazeStyle) -> Picture {
    let theme = style.palette();
    let width = style.wall_width(maze.size);
    let mut canvas = Canvas::new(CANVAS, CANVAS, theme.background.color);
    draw_grid(&mut canvas, maze.size, style);
    canvas.stroke(&wall_paths(maze, overlay.bars, style), Stroke::new(theme.ink.color, width));
    if let Some(place) = overlay.added {
        let (from, to) = inset_ends(place, ADDED_INSET * width, maze.size, style);
        let (dash, gap) = even_dashes(from.distance(to), 0.13 * style.cell(maze.size));
        let stroke = Stroke::new(theme.accent.color, width).butt().dashed(dash, gap);
        canvas.mark("added wall", |canvas| canvas.stroke(&path::line(from, to), stroke));
    }
    for (place, color) in overlay.bars {
        let (from, to) = inset_ends(*place, BAR_INSET * width, maze.size, style);
        let paint = theme.hue(color).map_or(theme.accent.color, |hue| hue.color);
        let stroke = Stroke::new(paint, BAR_WIDTH * width).butt();
        canvas.mark(format!("bar {color}"), |canvas| canvas.stroke(&path::line(from, to), stroke));
    }
    for point in overlay.points {
        canvas.mark(format!("point {}", point.name), |canvas| draw_point(canvas, point, maze.size, style));
    }
    canvas.finish()
}

fn draw_grid(canvas: &mut Canvas, size: u32, style: &MazeStyle) {
    let color = style.palette().grid.color;
    let end = f64::from(size);
    let mut lines = BezPath::new();
    match style.grid {
        Grid::Plain => {}
        Grid::Lines => {
            for number in 1..size {
                let at = f64::from(number);
                lines.extend(path::line(style.spot(size, at, 0.0), style.spot(size, at, end)));
                lines.extend(path::line(style.spot(size, 0.0, at), style.spot(size, end, at)));
            }
            canvas.stroke(&lines, Stroke::new(color, 2.0).butt());
        }
        Grid::Dots => {
            for y in 1..size {
                for x in 1..size {
                    lines.extend(path::circle(style.spot(size, f64::from(x), f64::from(y)), 4.0));
                }
            }
            canvas.fill(&lines, color);
        }
    }
}

/// The frame and all walls as one path; of a wall with a bar only the stubs at its ends.
fn wall_paths(maze: &Maze, bars: &[(Place, &str)], style: &MazeStyle) -> BezPath {
    let size = maze.size;
    let (start, end) = (style.spot(size, 0.0, 0.0), style.spot(size, f64::from(size), f64::from(size)));
    let mut paths = path::rect(start.x, start.y, end.x - start.x, end.y - start.y);
    for wall in &maze.walls {
        let [a, b] = corner_spots(wall.place, size, style);
        if bars.iter().any(|(place, _)| *place == wall.place) {
            let (from, to) = inset_ends(wall.place, BAR_INSET * style.wall_width(size), size, style);
            paths.extend(path::line(a, from));
            paths.extend(path::line(to, b));
        } else {
            let (from, to) = wall.extent.quarters();
            paths.extend(path::line(a.lerp(b, f64::from(from) / 4.0), a.lerp(b, f64::from(to) / 4.0)));
        }
    }
    paths
}

pub(super) fn corner_spots(place: Place, size: u32, style: &MazeStyle) -> [Spot; 2] {
    place.corners().map(|(x, y)| style.spot(size, f64::from(x), f64::from(y)))
}

/// The ends of a place's line, each moved inwards by `inset` canvas units.
pub(super) fn inset_ends(place: Place, inset: f64, size: u32, style: &MazeStyle) -> (Spot, Spot) {
    let [a, b] = corner_spots(place, size, style);
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let share = inset / (dx * dx + dy * dy).sqrt();
    (a.lerp(b, share), b.lerp(a, share))
}

/// Lengths of dash and gap, the dash about as long as wanted, that end a line of `length` with a
/// whole dash.
fn even_dashes(length: f64, wanted: f64) -> (f64, f64) {
    const GAP: f64 = 0.6;
    let count = ((length / wanted + GAP) / (1.0 + GAP)).round().max(2.0);
    let dash = length / (count + (count - 1.0) * GAP);
    // A hair less than fits, so that rounding in the file can't begin one more dash.
    (dash, (GAP * dash * 1.002).max(1.0))
}

pub(super) fn draw_point(canvas: &mut Canvas, point: &Point, size: u32, style: &MazeStyle) {
    let theme = style.palette();
    let cell = style.cell(size);
    let center = style.spot(size, f64::from(point.cell.x) + 0.5, f64::from(point.cell.y) + 0.5);
    let color: Color = if style.discs {
        canvas.fill(&path::circle(center, 0.3 * cell), theme.label.color);
        theme.background.color
    } else {
        theme.ink.color
    };
    canvas.text(Text {
        content: &point.name,
        x: center.x,
        y: center.y,
        size: cell * f64::from(style.label_permille) / 1000.0,
        color,
    });
}
