//! The certificates of mazes drawn on their pictures: ways as lines through the corridors, cuts as
//! walls with a halo.

use topotrace_draw::kurbo::{Affine, BezPath, Point as Spot, Vec2};
use topotrace_draw::{Canvas, Color, Stroke, Theme, path};

use super::bars::{Bar, BarsMarks, BarsProof};
use super::points::Point;
use super::reach::ReachProof;
use super::regions::{Triangle, flood};
use super::routes::{Stop, line, route};
use super::scene::{BAR_INSET, BAR_WIDTH, CANVAS, MazeStyle, corner_spots, draw_point, inset_ends};
use super::walls::{Cell, Maze, Place};

/// The colors of ways in the order of the points that they lead to; red is left to the cut.
const WAY_COLORS: [&str; 5] = ["green", "blue", "orange", "purple", "yellow"];
/// The color of a cut that isn't that of a bar.
const CUT_COLOR: &str = "red";
/// Radius and width of the ring around a point, in cells.
const RING: (f64, f64) = (0.405, 0.045);
/// Width of a way, and how far it stays away from the next one, in cells.
const WAY: (f64, f64) = (0.062, 0.022);
/// How far a halo reaches beyond a wall, in cells.
const HALO: f64 = 0.046;
/// The same where several halos may lie around each other.
const THIN_HALO: f64 = 0.034;
/// Radius of a badge, in cells.
const BADGE: f64 = 0.125;
/// How much of the ground the tint of a room covers.
const TINT_PERCENT: u8 = 16;

/// The certificate of which points are connected to `A`, in the maze that the question is about:
/// with the `added` wall, if there is one.
pub(super) fn reach(
    maze: &Maze,
    added: Option<Place>,
    points: &[Point],
    proof: &ReachProof,
    style: &MazeStyle,
) -> String {
    let mut sheet = Sheet::new(maze.size, style);
    // Every cut is the rim of the room around `A`: they are all the same.
    if let Some(cut) = proof.cuts.values().next() {
        sheet.tint(&flood(maze.size, cut, points[0].cell), sheet.hue(WAY_COLORS[0]));
        sheet.halo(cut, &[sheet.hue(CUT_COLOR)], sheet.wall + 2.0 * HALO * sheet.cell);
        sheet.walls(cut);
    }
    if let Some(place) = added {
        let (from, to) = inset_ends(place, 0.0, maze.size, style);
        sheet.canvas.stroke(&path::line(from, to), Stroke::new(sheet.theme.accent.color, sheet.wall));
    }
    let colored = points[1..].iter().zip(WAY_COLORS);
    let ways: Vec<(Color, Vec<Stop>)> = colored
        .clone()
        .filter_map(|(point, color)| Some((sheet.hue(color), route(maze, proof.ways.get(&point.name)?))))
        .collect();
    sheet.ways(&ways);
    sheet.point(&points[0], sheet.theme.ink.color);
    for (point, color) in colored {
        let reached = proof.ways.contains_key(&point.name);
        let color = sheet.hue(if reached { color } else { CUT_COLOR });
        sheet.point(point, color);
        let side = RING.0 * std::f64::consts::FRAC_1_SQRT_2;
        let middle = sheet.center(point.cell) + Vec2::new(side, -side) * sheet.cell;
        sheet.badge(middle, color, reached);
    }
    sheet.canvas.finish_overlay()
}

/// The certificate of which bars are right.
pub(super) fn bars(maze: &Maze, marks: &BarsMarks, proof: &BarsProof, style: &MazeStyle) -> String {
    let mut sheet = Sheet::new(maze.size, style);
    let rim: Vec<Place> = maze.blocking().collect();
    for (point, paint) in marks.points.iter().zip([sheet.theme.accent, sheet.theme.label]) {
        sheet.tint(&flood(maze.size, &rim, point.cell), paint.color);
    }
    // One halo a cut, in the colors of all bars that it is for.
    let mut cuts: Vec<(&[Place], Vec<Color>)> = Vec::new();
    for bar in &marks.bars {
        let Some(cut) = proof.cuts.get(&bar.color) else { continue };
        match cuts.iter_mut().find(|(known, _)| known == cut) {
            Some((_, colors)) => colors.push(sheet.hue(&bar.color)),
            None => cuts.push((cut, vec![sheet.hue(&bar.color)])),
        }
    }
    for (number, (cut, colors)) in cuts.iter().enumerate().rev() {
        let width = sheet.wall + (number + 1) as f64 * 2.0 * THIN_HALO * sheet.cell;
        sheet.halo(cut, colors, width);
    }
    for (cut, _) in &cuts {
        sheet.walls(cut);
    }
    for bar in &marks.bars {
        sheet.bar(bar);
    }
    let ways: Vec<(Color, Vec<Stop>)> = marks
        .bars
        .iter()
        .filter_map(|bar| {
            let way = proof.ways.get(&bar.color)?;
            Some((sheet.hue(&bar.color), route(&maze.without(bar.place), way)))
        })
        .collect();
    sheet.ways(&ways);
    for point in &marks.points {
        sheet.point(point, sheet.theme.ink.color);
    }
    for bar in &marks.bars {
        let (from, to) = inset_ends(bar.place, 0.0, maze.size, style);
        sheet.badge(from.midpoint(to), sheet.hue(&bar.color), proof.ways.contains_key(&bar.color));
    }
    sheet.canvas.finish_overlay()
}

/// An overlay in the making.
struct Sheet<'a> {
    canvas: Canvas,
    style: &'a MazeStyle,
    theme: &'static Theme,
    size: u32,
    /// Side of a cell in canvas units.
    cell: f64,
    /// Width of a wall in canvas units.
    wall: f64,
}

impl<'a> Sheet<'a> {
    fn new(size: u32, style: &'a MazeStyle) -> Self {
        let theme = style.palette();
        Sheet {
            canvas: Canvas::new(CANVAS, CANVAS, theme.background.color),
            style,
            theme,
            size,
            cell: style.cell(size),
            wall: style.wall_width(size),
        }
    }

    fn hue(&self, name: &str) -> Color {
        self.theme.hue(name).map_or(self.theme.accent.color, |hue| hue.color)
    }

    fn spot(&self, at: Spot) -> Spot {
        self.style.spot(self.size, at.x, at.y)
    }

    fn center(&self, cell: Cell) -> Spot {
        self.spot(Spot::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5))
    }

    /// Tints a room given as triangles.
    fn tint(&mut self, room: &[Triangle], color: Color) {
        let mut area = BezPath::new();
        for triangle in room {
            area.extend(path::polygon(&triangle.outline().map(|at| self.spot(at))));
        }
        self.canvas.tint(&area, color, TINT_PERCENT);
    }

    /// Lays a halo of `width` canvas units around walls, in one color or in alternate ones.
    fn halo(&mut self, cut: &[Place], colors: &[Color], width: f64) {
        let count = colors.len();
        for (number, color) in colors.iter().enumerate() {
            let mut pieces = BezPath::new();
            for place in cut {
                let [a, b] = self.inside_the_frame(*place, width);
                let at = |piece: usize| a.lerp(b, piece as f64 / count as f64);
                pieces.extend(path::line(at(number), at(number + 1)));
            }
            self.canvas.stroke(&pieces, Stroke::new(*color, width));
        }
    }

    /// The ends of a place's line; those on the frame moved inwards so far that a line of `width`
    /// canvas units does not reach beyond the frame.
    fn inside_the_frame(&self, place: Place, width: f64) -> [Spot; 2] {
        let [a, b] = corner_spots(place, self.size, self.style);
        let share = (width - self.wall) / 2.0 / a.distance(b);
        let [on_frame_a, on_frame_b] =
            place.corners().map(|(x, y)| [x, y].iter().any(|at| *at == 0 || *at == self.size));
        [if on_frame_a { a.lerp(b, share) } else { a }, if on_frame_b { b.lerp(a, share) } else { b }]
    }

    /// Draws walls again, on top of their halo.
    fn walls(&mut self, cut: &[Place]) {
        let mut walls = BezPath::new();
        for place in cut {
            let [a, b] = corner_spots(*place, self.size, self.style);
            walls.extend(path::line(a, b));
        }
        self.canvas.stroke(&walls, Stroke::new(self.theme.ink.color, self.wall));
    }

    /// Draws a bar again, on top of what was drawn around it.
    fn bar(&mut self, bar: &Bar) {
        let (from, to) = inset_ends(bar.place, BAR_INSET * self.wall, self.size, self.style);
        let stroke = Stroke::new(self.hue(&bar.color), BAR_WIDTH * self.wall).butt();
        self.canvas.stroke(&path::line(from, to), stroke);
    }

    /// Draws ways side by side.
    fn ways(&mut self, ways: &[(Color, Vec<Stop>)]) {
        let (width, gap) = WAY;
        let middle = (ways.len() as f64 - 1.0) / 2.0;
        let spread = middle * (width + gap) + width / 2.0;
        let to_canvas =
            Affine::translate(self.style.spot(self.size, 0.0, 0.0).to_vec2()) * Affine::scale(self.cell);
        for (number, (color, stops)) in ways.iter().enumerate() {
            let shift = (number as f64 - middle) * (width + gap);
            let line = to_canvas * line(stops, shift, spread, RING.0);
            let casing = Stroke::new(self.theme.background.color, (width + 2.0 * gap) * self.cell);
            self.canvas.stroke(&line, casing.butt());
            self.canvas.stroke(&line, Stroke::new(*color, width * self.cell));
        }
    }

    /// Draws a point again, in a ring: ways that pass by lead under it.
    fn point(&mut self, point: &Point, color: Color) {
        let center = self.center(point.cell);
        let (radius, width) = (RING.0 * self.cell, RING.1 * self.cell);
        let casing = radius + width / 2.0 + WAY.1 * self.cell;
        self.canvas.fill(&path::circle(center, casing), self.theme.background.color);
        draw_point(&mut self.canvas, point, self.size, self.style);
        self.canvas.stroke(&path::circle(center, radius), Stroke::new(color, width));
    }

    /// Draws a disc with a check mark, or with a cross.
    fn badge(&mut self, middle: Spot, color: Color, good: bool) {
        let radius = BADGE * self.cell;
        let at = |x: f64, y: f64| middle + Vec2::new(x, y) * radius;
        let sign = if good {
            path::polyline(&[at(-0.42, 0.04), at(-0.1, 0.36), at(0.46, -0.34)])
        } else {
            let mut cross = path::line(at(-0.34, -0.34), at(0.34, 0.34));
            cross.extend(path::line(at(0.34, -0.34), at(-0.34, 0.34)));
            cross
        };
        let ground = self.theme.background.color;
        self.canvas.fill(&path::circle(middle, radius + WAY.1 * self.cell), ground);
        self.canvas.fill(&path::circle(middle, radius), color);
        self.canvas.stroke(&sign, Stroke::new(ground, 0.24 * radius));
    }
}
