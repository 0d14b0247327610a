//! Who is over whom: ropes cut into pieces, and pieces and bodies put into levels.

use topotrace_space::{Diagram, Visit};

use super::order::Order;
use super::passing::{Overlap, Passing, find_passings};
use super::track::{Track, distance};
use kurbo::Point;

/// A thing on a rope, as seen: a bead or an arrow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) rope: usize,
    /// Its parameter on the rope's track.
    pub(super) at: f64,
    pub(super) center: Point,
    /// The radius of the disc that it may cover.
    pub(super) reach: f64,
    pub(super) depth: f64,
    /// Where its own rope leaves it, before and after it.
    pub(super) exits: [Exit; 2],
}

/// Where a rope leaves a body that it goes through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    /// The parameter on the rope's track.
    pub(super) at: f64,
    /// Whether the rope comes out towards the viewer and covers a part of the body.
    pub(super) front: bool,
    /// The part of the rope's direction that points along the view, from 0 to 1.
    pub(super) slope: f64,
}

/// A piece of a rope: from one parameter to a later one, at one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) rope: usize,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) level: usize,
    /// What the run's two ends are.
    pub(super) ends: [RunEnd; 2],
    /// The whole of a closed rope, without ends.
    pub(super) closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RunEnd {
    /// The rope goes on at another level; the canvas length beyond in which nothing happens.
    Joint(f64),
    /// The rope ends.
    Free,
    /// The rope comes out of the front of this body.
    Front(usize),
}

/// The order of painting.
pub(super) struct Levels {
    pub(super) count: usize,
    pub(super) runs: Vec<Run>,
    pub(super) bodies: Vec<usize>,
    /// The level of the lower strand of each crossing of the diagram, into which a gap is cut right after
    /// it is drawn; none inside of a body.
    pub(super) crossings: Vec<Option<usize>>,
    pub(super) passings: Vec<Passing>,
}

/// An event on a rope: at one parameter, with a span around it that must not be cut.
#[derive(Clone, Copy, Debug)]
struct Event {
    at: f64,
    span: (f64, f64),
    kind: EventKind,
}

#[derive(Clone, Copy, Debug)]
enum EventKind {
    Crossing(usize, bool),
    Own(usize),
    Passing,
}

/// A stretch of a rope between two cuts.
struct Piece {
    rope: usize,
    from: f64,
    to: f64,
    /// Whether a body of the rope's own is at the start or the end.
    bodies: [Option<usize>; 2],
    /// The free canvas length beyond each end.
    room: [f64; 2],
    depth: f64,
}

impl Levels {
    pub(super) fn new(tracks: &[Track], diagram: &Diagram, bodies: &[Body]) -> Levels {
        let (mut passings, overlaps) = find_passings(tracks, bodies);
        let hidden = hidden_crossings(tracks, diagram, bodies);
        let mut pieces = Vec::new();
        // Crossing, whether over, piece.
        let mut owners: Vec<(usize, bool, usize)> = Vec::new();
        for (rope, track) in tracks.iter().enumerate() {
            let events = events_of(rope, track, diagram, bodies, &passings, &hidden);
            cut(rope, track, bodies, &events, &mut pieces, &mut owners);
        }
        let mut order = Order::new(pieces.len() + bodies.len());
        let body_node = |body: usize| pieces.len() + body;
        owners.sort_unstable();
        for pair in owners.chunks_exact(2) {
            // Sorted by crossing, the lower passage first.
            order.put_above(pair[0].2, pair[1].2);
        }
        for overlap in &overlaps {
            let track = &tracks[overlap.rope];
            for (piece, _) in pieces.iter().enumerate().filter(|(_, piece)| piece.overlaps(overlap, track)) {
                let body = body_node(overlap.body);
                let (low, high) = if overlap.body_over { (piece, body) } else { (body, piece) };
                order.put_above(low, high);
            }
        }
        for (first, a) in bodies.iter().enumerate() {
            for (second, b) in bodies.iter().enumerate().skip(first + 1) {
                if distance(a.center, b.center) < a.reach + b.reach {
                    let (low, high) = if a.depth > b.depth { (first, second) } else { (second, first) };
                    order.put_above(body_node(low), body_node(high));
                }
            }
        }
        // The tightest joints are the first to be spared.
        let mut joints = joints(&pieces, tracks);
        joints.sort_by(|a, b| a.1.total_cmp(&b.1));
        joints.iter().for_each(|((a, b), _)| order.join(*a, *b));
        let depths: Vec<_> = pieces.iter().map(|p| p.depth).chain(bodies.iter().map(|b| b.depth)).collect();
        let mut levels = order.levels(&depths);
        let bodies = levels.split_off(pieces.len());
        for passing in &mut passings {
            let track = &tracks[passing.overlap.rope];
            let near =
                pieces.iter().zip(&levels).filter(|(piece, _)| piece.overlaps(&passing.overlap, track));
            let strand = near.map(|(_, level)| *level).max().unwrap_or(0);
            passing.level = if passing.overlap.body_over { strand } else { bodies[passing.overlap.body] };
        }
        let mut crossings = vec![None; diagram.crossings().len()];
        for pair in owners.chunks_exact(2) {
            crossings[pair[0].0] = Some(levels[pair[0].2]);
        }
        let count = levels.iter().chain(&bodies).max().map_or(0, |level| level + 1);
        let runs = join(tracks, &pieces, &levels, &bodies);
        Levels { count, runs, bodies, crossings, passings }
    }
}

impl Piece {
    /// Whether it shares a part with a stretch of its track, on a closed one also a turn on or back.
    fn overlaps(&self, overlap: &Overlap, track: &Track) -> bool {
        let turns: &[f64] = if track.is_closed() { &[-1.0, 0.0, 1.0] } else { &[0.0] };
        let holds = |turn: &f64| {
            let shift = turn * track.end();
            self.from < overlap.to + shift && self.to > overlap.from + shift
        };
        self.rope == overlap.rope && turns.iter().any(holds)
    }
}

/// The pairs of successive pieces of a rope without a body between them, and the free canvas length
/// around the cut.
fn joints(pieces: &[Piece], tracks: &[Track]) -> Vec<((usize, usize), f64)> {
    let mut joints = Vec::new();
    let mut start = 0;
    for own in pieces.chunk_by(|a, b| a.rope == b.rope) {
        let count = own.len();
        let pairs = if tracks[own[0].rope].is_closed() { count } else { count - 1 };
        for at in (0..pairs).filter(|_| count > 1) {
            let (a, b) = (at, (at + 1) % count);
            if own[a].bodies[1].is_none() {
                joints.push(((start + a, start + b), own[a].room[1].min(own[b].room[0])));
            }
        }
        start += count;
    }
    joints
}

/// Whether a parameter of a rope lies inside of a body on it: the body decides there.
fn is_inside(rope: usize, at: f64, track: &Track, bodies: &[Body]) -> bool {
    bodies.iter().filter(|body| body.rope == rope).any(|body| {
        let within = body.exits[0].at..=body.exits[1].at;
        [-1.0, 0.0, 1.0].iter().any(|turn| within.contains(&(at + turn * track.end())))
    })
}

/// Which crossings are of a strand inside of a body.
fn hidden_crossings(tracks: &[Track], diagram: &Diagram, bodies: &[Body]) -> Vec<bool> {
    let inside = |visit: &Visit| {
        let track = &tracks[visit.strand];
        is_inside(visit.strand, track.parameter(visit.position), track, bodies)
    };
    diagram.crossings().iter().map(|crossing| inside(&crossing.over) || inside(&crossing.under)).collect()
}

/// The events along a rope, by their parameter.
fn events_of(
    rope: usize,
    track: &Track,
    diagram: &Diagram,
    bodies: &[Body],
    passings: &[Passing],
    hidden: &[bool],
) -> Vec<Event> {
    let point = |at: f64, kind| Event { at, span: (at, at), kind };
    let mut events = Vec::new();
    for (_, index, over) in diagram.visits(rope) {
        let crossing = &diagram.crossings()[*index];
        let visit = if *over { &crossing.over } else { &crossing.under };
        if !hidden[*index] {
            events.push(point(track.parameter(visit.position), EventKind::Crossing(*index, *over)));
        }
    }
    let own = bodies.iter().enumerate().filter(|(_, body)| body.rope == rope);
    events.extend(own.map(|(index, body)| {
        let [before, after] = body.exits.map(|exit| exit.at);
        Event { at: body.at, span: (before.min(body.at), after.max(body.at)), kind: EventKind::Own(index) }
    }));
    let passing = passings.iter().filter(|passing| passing.overlap.rope == rope);
    let outside = passing.filter(|passing| !is_inside(rope, passing.at, track, bodies));
    events.extend(outside.map(|passing| point(passing.at, EventKind::Passing)));
    events.sort_by(|a, b| a.at.total_cmp(&b.at));
    events
}

/// Cuts a rope midway between its events, and at its own bodies.
fn cut(
    rope: usize,
    track: &Track,
    bodies: &[Body],
    events: &[Event],
    pieces: &mut Vec<Piece>,
    owners: &mut Vec<(usize, bool, usize)>,
) {
    let end = track.end();
    let middle = |a: f64, b: f64| track.at_along((track.along(a) + track.along(b)) / 2.0);
    let piece = |from: f64, to: f64, at: f64, bodies: [Option<usize>; 2], room: [f64; 2]| Piece {
        rope,
        from,
        to,
        bodies,
        room,
        depth: track.place(at).depth,
    };
    let Some((first, last)) = events.first().zip(events.last()) else {
        pieces.push(piece(0.0, end, end / 2.0, [None; 2], [0.0; 2]));
        return;
    };
    // On a closed rope the last event precedes the first one.
    let start = if track.is_closed() { middle(last.span.1 - end, first.span.0) } else { 0.0 };
    let stop = if track.is_closed() { start + end } else { end };
    let mut from = start;
    for (index, Event { at, span, kind }) in events.iter().enumerate() {
        let to = events.get(index + 1).map_or(stop, |next| middle(span.1, next.span.0));
        let mut room = [(span.0, from), (span.1, to)].map(|(a, b)| (track.along(a) - track.along(b)).abs());
        if let EventKind::Own(body) = kind {
            // What the body covers beyond the exits is not free.
            let hidden = |at: f64| {
                (bodies[*body].reach - distance(bodies[*body].center, track.place(at).point)).max(0.0)
            };
            room = [room[0] - hidden(span.0), room[1] - hidden(span.1)].map(|room| room.max(0.0));
        }
        match kind {
            EventKind::Own(body) => {
                pieces.push(piece(from, *at, (from + at) / 2.0, [None, Some(*body)], room));
                pieces.push(piece(*at, to, (at + to) / 2.0, [Some(*body), None], room));
            }
            EventKind::Crossing(crossing, over) => {
                owners.push((*crossing, *over, pieces.len()));
                pieces.push(piece(from, to, *at, [None; 2], room));
            }
            EventKind::Passing => pieces.push(piece(from, to, *at, [None; 2], room)),
        }
        from = to;
    }
}

/// Joins successive pieces of one level into runs.
fn join(tracks: &[Track], pieces: &[Piece], levels: &[usize], body_levels: &[usize]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let rope = pieces[at].rope;
        let count = pieces[at..].iter().take_while(|piece| piece.rope == rope).count();
        let own = at..at + count;
        at += count;
        let track = &tracks[rope];
        let front = |piece: usize, side: usize| {
            pieces[piece].bodies[side].filter(|body| levels[piece] > body_levels[*body])
        };
        let joined =
            |a: usize, b: usize| levels[a] == levels[b] && front(a, 1).is_none() && front(b, 0).is_none();
        // A closed rope is begun at a joint, if it has one.
        let begin = own.clone().find(|piece| {
            !track.is_closed() || !joined(if *piece == own.start { own.end - 1 } else { piece - 1 }, *piece)
        });
        let Some(begin) = begin else {
            let (from, to) = (pieces[own.start].from, pieces[own.start].from + track.end());
            let ends = [RunEnd::Joint(0.0); 2];
            runs.push(Run { rope, from, to, level: levels[own.start], ends, closed: true });
            continue;
        };
        let mut offset = 0.0;
        let mut previous: Option<usize> = None;
        for step in 0..count {
            let piece = own.start + (begin - own.start + step) % count;
            if previous.is_some_and(|previous| previous > piece) {
                offset = track.end();
            }
            let after = own.start + (piece - own.start + 1) % count;
            let before = own.start + (piece - own.start + count - 1) % count;
            let end = |side: usize, neighbor: usize, is_last: bool| match front(piece, side) {
                Some(body) => RunEnd::Front(body),
                None if is_last && !track.is_closed() => RunEnd::Free,
                None => RunEnd::Joint(pieces[neighbor].room[1 - side].min(pieces[piece].room[side])),
            };
            let last = end(1, after, piece + 1 == own.end);
            match (previous, runs.last_mut()) {
                (Some(previous), Some(run)) if joined(previous, piece) => {
                    run.to = pieces[piece].to + offset;
                    run.ends[1] = last;
                }
                _ => runs.push(Run {
                    rope,
                    from: pieces[piece].from + offset,
                    to: pieces[piece].to + offset,
                    level: levels[piece],
                    ends: [end(0, before, piece == own.start), last],
                    closed: false,
                }),
            }
            previous = Some(piece);
        }
    }
    runs
}
