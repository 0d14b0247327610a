//! The certificate of a board drawn on its picture: the stroke of a shortest solution, and the gaps
//! between cells of one region filled in the color of the region.

use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{Canvas, Color, Stroke, path};

use super::board::Board;
use super::certificate::StrokeProof;
use super::grid::{START, index};
use super::scene::{CANVAS, CASING, Layout, StrokeStyle, darker, draw_pegs};

/// Width of the stroke, as a share of the gap.
const LINE: f64 = 0.42;
/// How far a chevron reaches along and across, as a share of the gap.
const CHEVRON: (f64, f64) = (0.3, 0.42);

/// The certificate laid over the board.
pub(super) fn overlay(board: &Board, proof: &StrokeProof, style: &StrokeStyle) -> String {
    let theme = style.palette();
    let layout = Layout::new(board.size, style);
    let mut canvas = Canvas::new(CANVAS, CANVAS, theme.background.color);
    for (region, color) in proof.colors.iter().enumerate() {
        let of_region: Color = match color {
            0 => theme.background.color.mix(theme.ink.color, 24),
            color => style.paint(*color).color,
        };
        // Over what is round or darker at the sides of tiles.
        let reach = style.corner(layout).max(style.tile_edge(layout));
        let joints = |trim: f64| joints(board, proof, layout, reach, trim, region as u32);
        match style.tile_edge(layout) {
            0.0 => canvas.fill(&joints(0.0), of_region),
            edge => {
                canvas.fill(&joints(0.0), darker(of_region));
                canvas.fill(&joints(edge), of_region);
            }
        }
    }
    let line = layout.stroke_path(&proof.path);
    let width = LINE * layout.gap;
    canvas.stroke(&line, Stroke::new(theme.background.color, width + 4.0 * CASING));
    canvas.stroke(&line, Stroke::new(theme.ink.color, width + 2.0 * CASING));
    canvas.stroke(&line, Stroke::new(theme.accent.color, width));
    canvas.fill(&chevrons(proof, board, layout), theme.ink.color);
    draw_pegs(&mut canvas, board, layout, theme.ink.color);
    canvas.finish_overlay()
}

/// The gaps between the cells of a region, reaching so far into the tiles at both sides; so much of
/// each is trimmed off at the region's lower side.
fn joints(board: &Board, proof: &StrokeProof, layout: Layout, reach: f64, trim: f64, region: u32) -> BezPath {
    let inside = |x: u32, y: u32| {
        let place = (y * board.size + x) as usize;
        x < board.size && y < board.size && proof.regions.get(place) == Some(&region)
    };
    let (gap, tile) = (layout.gap, layout.tile());
    let mut joints = BezPath::new();
    for (x, y) in (0..board.size).flat_map(|y| (0..board.size).map(move |x| (x, y))) {
        if !inside(x, y) {
            continue;
        }
        let center = layout.center(index(x, board.size - 1 - y));
        let (left, top) = (center.x - tile / 2.0, center.y - tile / 2.0);
        let (right, lower) = (left + tile, top + tile);
        if inside(x + 1, y) {
            let goes_on = inside(x, y + 1) && inside(x + 1, y + 1);
            let height = if goes_on { tile } else { tile - trim };
            joints.extend(path::rect(right - reach, top, gap + 2.0 * reach, height));
        }
        if inside(x, y + 1) {
            joints.extend(path::rect(left, lower - reach, tile, gap + 2.0 * reach));
        }
        if inside(x + 1, y) && inside(x, y + 1) && inside(x + 1, y + 1) {
            joints.extend(path::rect(right, lower, gap, gap));
        }
    }
    joints
}

/// On every second edge of the stroke a chevron that points towards the target.
fn chevrons(proof: &StrokeProof, board: &Board, layout: Layout) -> BezPath {
    let mut shapes = BezPath::new();
    let mut vertex = START;
    for (number, step) in proof.path.iter().enumerate() {
        let from = layout.vertex(vertex);
        vertex = board.grid().beside(vertex, *step).unwrap_or(vertex);
        let to: Point = layout.vertex(vertex);
        let (middle, towards): (Point, Vec2) = (from.midpoint(to), (to - from) / layout.cell);
        let along = towards * (CHEVRON.0 * layout.gap);
        let across = Vec2::new(-towards.y, towards.x) * (CHEVRON.1 * layout.gap);
        if number % 2 == 0 {
            shapes.extend(path::polygon(&[middle + along, middle - along + across, middle - along - across]));
        }
    }
    shapes
}
