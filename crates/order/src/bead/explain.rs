//! Readings drawn over the pictures.

use topotrace_draw::kurbo::{Point, Vec2};
use topotrace_draw::{Canvas, Color, Stroke, Text, path};

use super::reading::Reading;
use super::scene::BeadStyle;
use super::string::Strings;
use super::views::{CANVAS, Panel};

/// The radius of a number's disc in canvas units, and its distance from the bead's edge.
const DISC: f64 = 18.0;
const AWAY: f64 = 8.0;
/// The width of the line along the string in canvas units.
const LINE: f64 = 5.0;

/// For each picture its strings as lines, and their beads' numbers in the order of reading, from 1.
pub(super) fn numbered(state: &Strings, readings: &[Reading], style: &BeadStyle) -> Vec<String> {
    let panels = Panel::all(state.strings.len());
    let pictures = panels.iter().map(|panel| panel.picture + 1).max().unwrap_or(0);
    let mut canvases: Vec<_> = (0..pictures).map(|_| Canvas::new(CANVAS, CANVAS, Color::WHITE)).collect();
    for (((string, reading), panel), view) in
        state.strings.iter().zip(readings).zip(&panels).zip(&style.views)
    {
        let Ok(curve) = string.curve() else { continue };
        let camera = panel.camera(&curve, *view, style.lens);
        let small = f64::from(panel.side) / f64::from(CANVAS);
        let (corner, side) = (panel.corner, f64::from(panel.side));
        let middle = Point::new(f64::from(corner.0) + side / 2.0, f64::from(corner.1) + side / 2.0);
        let (accent, ink) = (style.palette().accent.color, style.accent_ink());
        let line: Vec<_> = curve
            .points()
            .iter()
            .map(|point| camera.project(*point))
            .map(|seen| Point::new(seen.x, seen.y))
            .collect();
        let line = if string.closed { path::polygon(&line) } else { path::polyline(&line) };
        canvases[panel.picture].stroke(&line, Stroke::new(accent, LINE * small.max(0.6)).translucent(75));
        for (number, bead) in reading.0.iter().enumerate() {
            let Some(bead) = string.beads.get(*bead) else { continue };
            let seen = camera.project(string.place(bead));
            let at = Point::new(seen.x, seen.y);
            // Outwards, where there is room.
            let out = at - middle;
            let out = if out.hypot2() > 1.0 { out / out.hypot2().sqrt() } else { Vec2::new(0.0, -1.0) };
            let disc = DISC * small.max(0.6);
            let from = style.bead_radius() * camera.scale_at(seen.depth) * 1.5 + AWAY * small + disc;
            let place = at + out * from;
            let canvas = &mut canvases[panel.picture];
            canvas.fill(&path::circle(place, disc), accent);
            canvas.text(Text::new(&(number + 1).to_string(), place.x, place.y, disc * 1.2, ink));
        }
    }
    canvases.into_iter().map(Canvas::finish_overlay).collect()
}
