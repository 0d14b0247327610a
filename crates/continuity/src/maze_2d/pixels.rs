//! Reading the answer off the finished picture: a flood fill that sees pixels, the theme's
//! colors, and where the marks are, and knows nothing of walls.

use topotrace_core::{Answer, Raster};
use topotrace_draw::Color;

use super::points::{self, Point};
use super::scene::{CANVAS, Grid, LABEL_REACH, MazeStyle};
use super::walls::{Cell, Place};

/// How many pixels around a bar that is thought away are open too: its antialiased rim.
const RIM: usize = 2;
/// How far a pixel's color may be from a hue to be of that bar for certain. A rim between ink and
/// background can come nearest to a hue that is nowhere near.
const SAME_COLOR: u32 = 24;

/// A picture with every pixel told apart.
pub(super) struct Reader<'a> {
    width: usize,
    height: usize,
    size: u32,
    style: &'a MazeStyle,
    kinds: Vec<Kind>,
}

/// What a pixel means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One can walk there.
    Open,
    /// One can't.
    Wall,
    /// One can't: a colored bar, by the number of its hue.
    Bar(u8),
}

impl<'a> Reader<'a> {
    /// Tells the pixels of a picture apart by the nearest of the colors that occur in it: those
    /// of the background, the walls, and whatever else is drawn over them. Labels are open.
    pub(super) fn new(
        picture: &Raster,
        style: &'a MazeStyle,
        size: u32,
        points: &[Point],
        drawn: &[(Color, Kind)],
    ) -> Self {
        let (width, height) = (picture.width as usize, picture.height as usize);
        let palette = palette(style, drawn);
        let mut last = ([0; 3], nearest([0; 3], &palette));
        let mut kinds: Vec<Kind> = picture
            .rgb
            .chunks_exact(3)
            .map(|rgb| {
                let rgb = [rgb[0], rgb[1], rgb[2]];
                if rgb != last.0 {
                    last = (rgb, nearest(rgb, &palette));
                }
                last.1
            })
            .collect();
        let scale = width as f64 / f64::from(CANVAS);
        let reach = style.cell(size) * LABEL_REACH * scale;
        for point in points {
            let (x, y) = center(point.cell, style, size, scale);
            for row in (y - reach) as usize..=((y + reach) as usize).min(height - 1) {
                for column in (x - reach) as usize..=((x + reach) as usize).min(width - 1) {
                    kinds[row * width + column] = Kind::Open;
                }
            }
        }
        Reader { width, height, size, style, kinds }
    }

    /// The points that the flood from the first one reaches.
    pub(super) fn connected(&self, points: &[Point]) -> Answer {
        let open: Vec<bool> = self.kinds.iter().map(|kind| *kind == Kind::Open).collect();
        self.reached(open, points)
    }

    /// Like [`Reader::connected`], with a solid wall at `place`.
    pub(super) fn connected_with_wall(&self, points: &[Point], place: Place) -> Answer {
        let mut open: Vec<bool> = self.kinds.iter().map(|kind| *kind == Kind::Open).collect();
        let scale = self.scale();
        let [from, to] = place.corners().map(|(x, y)| {
            let spot = self.style.spot(self.size, f64::from(x), f64::from(y));
            (spot.x * scale, spot.y * scale)
        });
        let half = (self.style.wall_width(self.size) * scale / 2.0).max(1.0);
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil() as usize * 2;
        for step in 0..=steps {
            let t = step as f64 / steps as f64;
            let (x, y) = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            for row in (y - half) as usize..=((y + half) as usize).min(self.height - 1) {
                for column in (x - half) as usize..=((x + half) as usize).min(self.width - 1) {
                    open[row * self.width + column] = false;
                }
            }
        }
        self.reached(open, points)
    }

    /// Whether the flood gets from one cell to another when the bar of the hue numbered `hue` is
    /// thought away.
    pub(super) fn joined_without_bar(&self, hue: u8, from: Cell, to: Cell) -> bool {
        let mut open: Vec<bool> = self.kinds.iter().map(|kind| *kind == Kind::Open).collect();
        for row in 0..self.height {
            for column in 0..self.width {
                if self.kinds[row * self.width + column] == Kind::Bar(hue) {
                    for near_row in row.saturating_sub(RIM)..=(row + RIM).min(self.height - 1) {
                        let start = near_row * self.width + column.saturating_sub(RIM);
                        let end = near_row * self.width + (column + RIM).min(self.width - 1);
                        open[start..=end].fill(true);
                    }
                }
            }
        }
        self.flood(open, from)[self.pixel(to)]
    }

    fn reached(&self, open: Vec<bool>, points: &[Point]) -> Answer {
        let reached = self.flood(open, points[0].cell);
        points::those(points, |point| reached[self.pixel(point.cell)])
    }

    /// The pixels that a flood over four neighbors reaches from a cell's center.
    fn flood(&self, mut open: Vec<bool>, from: Cell) -> Vec<bool> {
        let mut reached = vec![false; open.len()];
        let mut stack = vec![self.pixel(from)];
        while let Some(at) = stack.pop() {
            if !std::mem::take(&mut open[at]) {
                continue;
            }
            reached[at] = true;
            let (row, column) = (at / self.width, at % self.width);
            stack.extend((column > 0).then(|| at - 1));
            stack.extend((column + 1 < self.width).then(|| at + 1));
            stack.extend((row > 0).then(|| at - self.width));
            stack.extend((row + 1 < self.height).then(|| at + self.width));
        }
        reached
    }

    fn scale(&self) -> f64 {
        self.width as f64 / f64::from(CANVAS)
    }

    fn pixel(&self, cell: Cell) -> usize {
        let (x, y) = center(cell, self.style, self.size, self.scale());
        y as usize * self.width + x as usize
    }
}

fn center(cell: Cell, style: &MazeStyle, size: u32, scale: f64) -> (f64, f64) {
    let spot = style.spot(size, f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
    (spot.x * scale, spot.y * scale)
}

fn palette(style: &MazeStyle, drawn: &[(Color, Kind)]) -> Vec<([u8; 3], Kind)> {
    let theme = style.palette();
    let mut entries = vec![(theme.background.color, Kind::Open), (theme.ink.color, Kind::Wall)];
    if style.grid != Grid::Plain {
        entries.push((theme.grid.color, Kind::Open));
    }
    entries.extend(drawn);
    entries.into_iter().map(|(color, kind)| (color.channels(), kind)).collect()
}

fn nearest(rgb: [u8; 3], palette: &[([u8; 3], Kind)]) -> Kind {
    let distance = |other: [u8; 3]| -> u32 {
        rgb.into_iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let (far, kind) = palette
        .iter()
        .map(|(color, kind)| (distance(*color), *kind))
        .min_by_key(|(far, _)| *far)
        .unwrap_or((0, Kind::Open));
    match kind {
        Kind::Bar(_) if far > SAME_COLOR.pow(2) => Kind::Wall,
        kind => kind,
    }
}
