//! The certificate of a board drawn on its pictures: on the first the cycles in which its blocks
//! have to go round, on the second the number of the action that brings each block home.

use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{Canvas, Color, Stroke, Text, path};

use super::board::{BLANK, Board, place};
use super::certificate::{Cycle, SwapProof};
use super::scene::{CANVAS, Layout, SwapStyle};

/// Width of an arrow's line, in cells.
const LINE: f64 = 0.042;
/// Width of the casing around lines and badges, in canvas units.
const CASING: f64 = 5.0;
/// Radius of the dot where an arrow begins, in cells.
const DOT: f64 = 0.07;
/// How far an arrow's point stays away from the center of its cell, in cells.
const SHORT: f64 = 0.2;
/// Length and half the width of an arrow's head, in cells.
const HEAD: (f64, f64) = (0.17, 0.095);
/// How far an arrow swings out to its left, as a share of its length.
const SWING: f64 = 0.17;
/// Radius of a badge, in cells.
const BADGE: f64 = 0.21;

/// The certificate laid over both pictures. `plan` holds the cells of the plan's actions.
pub(super) fn overlays(board: &Board, proof: &SwapProof, plan: &[usize], style: &SwapStyle) -> Vec<String> {
    vec![rounds(board, proof, style), arrivals(board, proof, plan, style)]
}

/// The blank's cycle has the accent's color, the others that of the ink.
fn color(cycle: &Cycle, style: &SwapStyle) -> Color {
    if cycle.blank { style.theme().accent.color } else { style.theme().ink.color }
}

/// From every cell of a cycle an arrow to the next one.
fn rounds(board: &Board, proof: &SwapProof, style: &SwapStyle) -> String {
    let ground = style.theme().background.color;
    let layout = Layout::new(board, style);
    let width = LINE * layout.cell;
    let mut canvas = Canvas::new(CANVAS, CANVAS, ground);
    for cycle in &proof.cycles {
        let centers = cycle.cells.iter().filter_map(|cell| board.index(*cell));
        let centers: Vec<Point> = centers.map(|index| layout.center(index)).collect();
        let (mut lines, mut solids) = (BezPath::new(), BezPath::new());
        for (from, to) in centers.iter().zip(centers.iter().cycle().skip(1)) {
            arrow(*from, *to, layout.cell, &mut lines, &mut solids);
        }
        let color = color(cycle, style);
        canvas.stroke(&lines, Stroke::new(ground, width + 2.0 * CASING));
        canvas.stroke(&solids, Stroke::new(ground, 2.0 * CASING));
        canvas.stroke(&lines, Stroke::new(color, width));
        canvas.fill(&solids, color);
    }
    canvas.finish_overlay()
}

/// Adds an arrow that swings out to the left; of two opposite ones each so has its own way.
fn arrow(from: Point, to: Point, cell: f64, lines: &mut BezPath, solids: &mut BezPath) {
    let way = to - from;
    let bend = from + way * 0.5 + Vec2::new(way.y, -way.x) * SWING;
    let arriving = unit(to - bend);
    let tip = to - arriving * (SHORT * cell);
    let base = tip - arriving * (HEAD.0 * cell);
    let sideways = Vec2::new(-arriving.y, arriving.x) * (HEAD.1 * cell);
    lines.move_to(from);
    lines.quad_to(bend, base);
    solids.extend(path::circle(from, DOT * cell));
    solids.extend(path::polygon(&[tip, base + sideways, base - sideways]));
}

fn unit(way: Vec2) -> Vec2 {
    // A square root is exact everywhere, unlike kurbo's `hypot`.
    way / way.hypot2().sqrt().max(1e-9)
}

/// On every block that is moved the number of the action after which it is where it belongs.
fn arrivals(board: &Board, proof: &SwapProof, plan: &[usize], style: &SwapStyle) -> String {
    let ground = style.theme().background.color;
    let layout = Layout::new(board, style);
    let mut canvas = Canvas::new(CANVAS, CANVAS, ground);
    let last_action = last_actions(board, plan);
    for cycle in &proof.cycles {
        for index in cycle.cells.iter().filter_map(|cell| board.index(*cell)) {
            let Some(number) = last_action.get(index).copied().flatten() else { continue };
            let (center, radius) = (layout.center(index), BADGE * layout.cell);
            canvas.fill(&path::circle(center, radius + CASING), ground);
            canvas.fill(&path::circle(center, radius), color(cycle, style));
            let size = 1.05 * radius;
            canvas.text(Text::new(&number.to_string(), center.x, center.y, size, ground));
        }
    }
    canvas.finish_overlay()
}

/// For every cell the number, from 1, of the last action that brings a block into it, unless the
/// blank has it in the end.
fn last_actions(board: &Board, plan: &[usize]) -> Vec<Option<usize>> {
    let mut last = vec![None; board.current.len()];
    let Some(mut blank) = board.blank() else { return last };
    for (number, &cell) in (1..).zip(plan) {
        last[blank] = Some(number);
        blank = cell;
    }
    if let Some(home) = place(&board.goal, BLANK) {
        last[home] = None;
    }
    last
}
