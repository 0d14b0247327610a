//! Which strands share pixels with which bodies.

use super::levels::Body;
use super::track::{Track, distance};

/// A stretch of a rope and a body that share pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    pub(super) rope: usize,
    /// The parameters of the stretch; on a closed rope they may begin below 0.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) body: usize,
    pub(super) body_over: bool,
}

/// A strand passes below or above a body that is not on it at this place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passing {
    pub(super) overlap: Overlap,
    /// The parameter nearest to the body's middle.
    pub(super) at: f64,
    /// The level of whichever is below: the gap is cut into it right after it is drawn, so that nothing
    /// above it is cut.
    pub(super) level: usize,
}

/// All passings, and all overlaps, those of bodies with their own ropes too.
pub(super) fn find_passings(tracks: &[Track], bodies: &[Body]) -> (Vec<Passing>, Vec<Overlap>) {
    let (mut passings, mut overlaps) = (Vec::new(), Vec::new());
    for (body, thing) in bodies.iter().enumerate() {
        for (rope, track) in tracks.iter().enumerate() {
            for Stretch { from, to, nearest, .. } in stretches_near(track, thing) {
                let holds = |u: f64| (from - 0.5..=to + 0.5).contains(&u);
                let turns = [0.0, -track.end()].into_iter().find(|turn| holds(thing.at + turn));
                if let (true, Some(turn)) = (rope == thing.rope, turns) {
                    let at = thing.at + turn;
                    let [before, after] = thing.exits.map(|exit| !exit.front);
                    overlaps.push(Overlap {
                        rope,
                        from: from.min(at - 0.5),
                        to: at,
                        body,
                        body_over: before,
                    });
                    overlaps.push(Overlap { rope, from: at, to: to.max(at + 0.5), body, body_over: after });
                    continue;
                }
                let body_over = thing.depth < track.place(nearest).depth;
                let overlap = Overlap { rope, from, to, body, body_over };
                let at = if nearest < 0.0 { nearest + track.end() } else { nearest };
                passings.push(Passing { overlap, at, level: 0 });
                overlaps.push(overlap);
            }
        }
    }
    (passings, overlaps)
}

/// A part of a track within a body's reach; on a closed track it may begin below 0.
struct Stretch {
    from: f64,
    to: f64,
    nearest: f64,
    distance: f64,
}

fn stretches_near(track: &Track, body: &Body) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let steps = track.end() as usize * 2;
    let mut inside_before = false;
    for step in 0..=steps {
        let u = step as f64 / 2.0;
        let place = track.place(u);
        let distance = distance(place.point, body.center);
        let inside = distance < body.reach + place.half_width + 1.0;
        match stretches.last_mut() {
            Some(stretch) if inside && inside_before => {
                stretch.to = u;
                if distance < stretch.distance {
                    (stretch.nearest, stretch.distance) = (u, distance);
                }
            }
            _ if inside => stretches.push(Stretch { from: u, to: u, nearest: u, distance }),
            _ => {}
        }
        inside_before = inside;
    }
    let wraps = track.is_closed() && inside_before && stretches.len() > 1 && stretches[0].from == 0.0;
    if wraps && let Some(last) = stretches.pop() {
        let first = &mut stretches[0];
        first.from = last.from - track.end();
        if last.distance < first.distance {
            (first.nearest, first.distance) = (last.nearest - track.end(), last.distance);
        }
    }
    stretches
}
