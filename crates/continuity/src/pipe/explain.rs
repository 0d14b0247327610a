//! The certificate of a board drawn on its picture: the pieces as they lie when all turns are
//! done, how often each is turned, and the tree on which they hang.

use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{Canvas, Stroke, Text, path};

use super::board::{Board, Cell, STEPS, turned};
use super::certificate::{PipeProof, Side};
use super::scene::{
    CANVAS, Finish, Layout, Outline, PipeStyle, RIM, SourceMark, bend_sides, darker, draw_source,
};

/// How much of a turned piece's old place is covered.
const VEIL_PERCENT: u8 = 82;
/// Width of the casing around the tree and the badges, in canvas units.
const CASING: f64 = 3.0;
/// Width of the tree's lines, in cells.
const TREE: f64 = 0.045;
/// How far a chevron reaches along and across, in cells.
const CHEVRON: (f64, f64) = (0.055, 0.065);
/// Radius of a badge, and how far its middle lies from the sides of the cell, in cells.
const BADGE: (f64, f64) = (0.145, 0.17);

/// The certificate laid over the board.
pub(super) fn overlay(board: &Board, proof: &PipeProof, style: &PipeStyle) -> String {
    let theme = style.palette();
    let layout = Layout::new(board.size, style);
    let outline = Outline::new(layout, style);
    let mut solved = board.clone();
    let mut canvas = Canvas::new(CANVAS, CANVAS, theme.background.color);
    for turn in &proof.turns {
        let Some(index) = board.index(Cell { x: turn.x, y: turn.y }) else { continue };
        for _ in 0..turn.turns {
            solved.cells[index] = turned(solved.cells[index]);
        }
        let corner = layout.corner(turn.x, turn.y);
        let veil = path::rect(corner.x, corner.y, layout.cell, layout.cell);
        canvas.tint(&veil, theme.background.color, VEIL_PERCENT);
    }
    if style.source != SourceMark::Dot {
        draw_source(&mut canvas, &solved, layout, style);
    }
    let pieces = |outline: Outline| {
        let mut all = BezPath::new();
        for index in solved.pipes() {
            let cell = solved.cell(index);
            let reach = |_| layout.cell / 2.0;
            all.extend(outline.path(layout.center(cell.x, cell.y), solved.cells[index], reach));
        }
        all
    };
    if style.finish == Finish::Rim {
        canvas.fill(&pieces(outline.grown(RIM)), darker(theme.on.color));
    }
    canvas.fill(&pieces(outline), theme.on.color);
    let tree = tree(&solved, layout, outline);
    let width = TREE * layout.cell;
    canvas.stroke(&tree, Stroke::new(theme.background.color, width + 2.0 * CASING));
    canvas.stroke(&tree, Stroke::new(theme.ink.color, width));
    canvas.fill(&chevrons(proof, layout), theme.ink.color);
    if style.source == SourceMark::Dot {
        draw_source(&mut canvas, &solved, layout, style);
    }
    for turn in &proof.turns {
        let radius = BADGE.0 * layout.cell;
        let corner = layout.corner(turn.x, turn.y);
        let middle = corner + Vec2::new(1.0 - BADGE.1, BADGE.1) * layout.cell;
        canvas.fill(&path::circle(middle, radius + CASING), theme.background.color);
        canvas.fill(&path::circle(middle, radius), theme.accent.color);
        let times = format!("{}×", turn.turns);
        canvas.text(Text::new(&times, middle.x, middle.y, 1.15 * radius, theme.background.color));
    }
    canvas.finish_overlay()
}

/// The center lines of all pieces: on a solved board they are one tree.
fn tree(solved: &Board, layout: Layout, outline: Outline) -> BezPath {
    let mut lines = BezPath::new();
    for index in solved.pipes() {
        let (cell, openings) = (solved.cell(index), solved.cells[index]);
        let center = layout.center(cell.x, cell.y);
        let side = layout.cell / 2.0;
        if let Some([(_, u), (_, v)]) = bend_sides(openings) {
            lines.move_to(center + u * side);
            lines.line_to(center + u * outline.bend);
            lines.quad_to(center, center + v * outline.bend);
            lines.line_to(center + v * side);
        } else {
            for (_, dx, dy) in STEPS.iter().filter(|step| openings & step.0 != 0) {
                let direction = Vec2::new(f64::from(*dx), f64::from(*dy));
                lines.extend(path::line(center, center + direction * side));
            }
        }
    }
    lines
}

/// On every joint of the tree a chevron that points away from the source.
fn chevrons(proof: &PipeProof, layout: Layout) -> BezPath {
    let mut shapes = BezPath::new();
    for hold in &proof.holds {
        let towards = match hold.by {
            Side::Up => Vec2::new(0.0, -1.0),
            Side::Right => Vec2::new(1.0, 0.0),
            Side::Down => Vec2::new(0.0, 1.0),
            Side::Left => Vec2::new(-1.0, 0.0),
        };
        let joint: Point = layout.center(hold.x, hold.y) + towards * (layout.cell / 2.0);
        let (along, across) = (towards * (CHEVRON.0 * layout.cell), CHEVRON.1 * layout.cell);
        let sideways = Vec2::new(-towards.y, towards.x) * across;
        shapes.extend(path::polygon(&[joint - along, joint + along + sideways, joint + along - sideways]));
    }
    shapes
}
