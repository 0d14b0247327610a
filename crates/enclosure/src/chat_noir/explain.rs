//! The certificate of a board drawn on its picture: the blocks of the plan in their order, the
//! cat's way, and the ring in which it ends.

use topotrace_core::{Answer, Outcome};
use topotrace_draw::kurbo::{BezPath, Point, Vec2};
use topotrace_draw::{Canvas, Stroke, Text, path};

use super::board::Cells;
use super::certificate::TrapProof;
use super::position::Position;
use super::scene::{CANVAS, GardenStyle, Layout, draw_sides, draw_stone};

/// Width of the casing around lines and badges, in canvas units.
const CASING: f64 = 3.0;
/// Width of the ring's line, of the way's line, and radius of the badges, in cells.
const RING: f64 = 0.1;
const WAY: f64 = 0.07;
const BADGE: f64 = 0.24;

/// The certificate laid over the start of the episode.
pub(super) fn overlay(position: &Position, outcome: &Outcome<TrapProof>, style: &GardenStyle) -> String {
    let theme = style.palette();
    let layout = Layout::new(position, style);
    let width = layout.width;
    let mut canvas = Canvas::new(CANVAS, CANVAS, theme.background.color);
    let plan = cells(&outcome.answer);
    let blocks = plan.iter().fold(Cells::default(), |set, cell| set.with(*cell));
    draw_sides(&mut canvas, blocks.bits(), layout, style);
    for cell in &plan {
        draw_stone(&mut canvas, *cell, layout, style);
    }
    let proof = &outcome.evidence;
    let ring: Vec<Point> = proof.ring.iter().map(|cell| layout.center(*cell)).collect();
    let ring = path::polygon(&ring);
    canvas.stroke(&ring, Stroke::new(theme.background.color, RING * width + 2.0 * CASING));
    canvas.stroke(&ring, Stroke::new(theme.accent.color, RING * width));
    let way: Vec<Point> = proof.way.iter().map(|cell| layout.center(*cell)).collect();
    let line = path::polyline(&way);
    canvas.stroke(&line, Stroke::new(theme.background.color, WAY * width + 2.0 * CASING));
    canvas.stroke(&line, Stroke::new(theme.ink.color, WAY * width));
    for pair in way.windows(2) {
        canvas.fill(&chevron(pair[0], pair[1], 0.15 * width), theme.ink.color);
    }
    if let Some(last) = way.last() {
        canvas.fill(&path::circle(*last, 0.15 * width + CASING), theme.background.color);
        canvas.fill(&path::circle(*last, 0.15 * width), theme.ink.color);
    }
    for (number, cell) in (1..).zip(&plan) {
        let center = layout.center(*cell);
        canvas.fill(&path::circle(center, BADGE * width + CASING), theme.background.color);
        canvas.fill(&path::circle(center, BADGE * width), theme.accent.color);
        let number = u32::to_string(&number);
        canvas.text(Text::new(&number, center.x, center.y, 0.3 * width, theme.background.color));
    }
    canvas.finish_overlay()
}

/// The cells of a plan.
fn cells(answer: &Answer) -> Vec<u32> {
    match answer {
        Answer::Plan(plan) => plan.iter().filter_map(|action| action.as_str().parse().ok()).collect(),
        _ => Vec::new(),
    }
}

/// A triangle in the middle between two neighbors, pointing at the second.
fn chevron(from: Point, to: Point, size: f64) -> BezPath {
    let along = (to - from) / (to - from).hypot2().sqrt() * size;
    let across = Vec2::new(-along.y, along.x);
    let middle = from.midpoint(to);
    path::polygon(&[middle + along, middle - along * 0.6 + across, middle - along * 0.6 - across])
}
