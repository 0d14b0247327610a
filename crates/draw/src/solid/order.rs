//! The order of painting: a graph of who covers whom, sorted; cuts where no order exists.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use topotrace_core::{Flaw, ensure};

use super::facet::{Facet, Outline};
use super::outline::cut;
use super::overlap::{Comparison, Relation, Seen, least_difference};

/// The most pieces of faces that are painted; beyond it a scene is refused.
const MAX_PIECES: usize = 100_000;
/// How many facets are tried as the plane of a cut.
const CANDIDATES: usize = 8;
/// What a cut facet costs, in facets by which the two sides of a cut differ.
const CUT_COST: usize = 8;

/// A facet or a convex part of one.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The index of the facet.
    pub(super) facet: usize,
    /// The part; `None` for the whole facet.
    part: Option<Outline>,
}

impl Piece {
    /// What is to be painted.
    pub(super) fn outline<'a>(&'a self, facets: &'a [Facet]) -> &'a Outline {
        self.part.as_ref().unwrap_or(&facets[self.facet].outline)
    }

    /// Convex polygons that make it up.
    pub(super) fn convex_parts<'a>(&'a self, facets: &'a [Facet]) -> &'a [Outline] {
        match &self.part {
            Some(part) => std::slice::from_ref(part),
            None => facets[self.facet].convex_parts(),
        }
    }

    fn seen<'a>(&'a self, facets: &'a [Facet]) -> Seen<'a> {
        Seen { parts: self.convex_parts(facets), nearness: facets[self.facet].nearness }
    }
}

/// What is left to do, with the pieces that it is done to.
enum Step {
    Sort(Vec<Piece>),
    Cut(Vec<Piece>),
    Paint(Vec<Piece>),
}

/// All facets in an order in which each may be painted over the earlier ones. Of facets in one
/// plane, the later one covers the earlier.
///
/// # Errors
/// When the facets pass through each other so often that more than 100,000 pieces would be left.
pub(super) fn painting_order(facets: &[Facet]) -> Result<Vec<Piece>, Flaw> {
    let whole = (0..facets.len()).map(|facet| Piece { facet, part: None }).collect();
    let mut comparison = Comparison::default();
    let mut order = Vec::new();
    // The next step is the last one: what is painted first goes on top.
    let mut steps = vec![Step::Sort(whole)];
    let mut count = facets.len();
    while let Some(step) = steps.pop() {
        match step {
            Step::Paint(pieces) => order.extend(pieces),
            Step::Sort(pieces) => {
                let groups = sorted(pieces, facets, &mut comparison);
                steps.extend(
                    groups
                        .into_iter()
                        .rev()
                        .map(|group| if group.len() == 1 { Step::Paint(group) } else { Step::Cut(group) }),
                );
            }
            Step::Cut(pieces) => {
                let before = pieces.len();
                let [behind, level, front] = separated(pieces, facets);
                count += behind.len() + level.len() + front.len() - before;
                ensure(count <= MAX_PIECES, || {
                    format!("solids pass through each other too often: over {MAX_PIECES} pieces of faces")
                })?;
                steps.extend([Step::Sort(front), Step::Paint(level), Step::Sort(behind)]);
            }
        }
    }
    Ok(order)
}

/// The pieces in groups, farthest first. Of two groups, the earlier covers nothing of the later;
/// a group of more than one piece has no order in itself.
fn sorted(pieces: Vec<Piece>, facets: &[Facet], comparison: &mut Comparison) -> Vec<Vec<Piece>> {
    if pieces.len() < 2 {
        return if pieces.is_empty() { Vec::new() } else { vec![pieces] };
    }
    let mut graph = DiGraph::<(), (), u32>::with_capacity(pieces.len(), 4 * pieces.len());
    let nodes: Vec<_> = pieces.iter().map(|_| graph.add_node(())).collect();
    for (a, b) in overlapping_boxes(&pieces, facets) {
        let relation = comparison.relation(&pieces[a].seen(facets), &pieces[b].seen(facets));
        let (below, above) = ((a, b), (b, a));
        // From what is painted earlier to what is painted later.
        let edges = match relation {
            Relation::Apart => &[][..],
            Relation::Below => &[below][..],
            Relation::Above => &[above][..],
            Relation::Level if pieces[a].facet < pieces[b].facet => &[below][..],
            Relation::Level => &[above][..],
            Relation::Crossing => &[below, above][..],
        };
        for (earlier, later) in edges {
            graph.add_edge(nodes[*earlier], nodes[*later], ());
        }
    }
    // The library gives the components with their successors first.
    let mut covered = vec![0_usize; nodes.len()];
    let mut groups = Vec::new();
    for mut component in kosaraju_scc(&graph) {
        component.sort_unstable();
        let later = component.iter().flat_map(|node| graph.neighbors(*node));
        let depth = later.map(|node| covered[node.index()]).max().unwrap_or(0) + 1;
        for node in &component {
            covered[node.index()] = depth;
        }
        groups.push((depth, component));
    }
    // What most things lie over comes first: then what is hidden can't show at the outlines of what is
    // seen, not even by the little that faces are drawn too large.
    groups.sort_by(|(a, first), (b, second)| b.cmp(a).then(first[0].cmp(&second[0])));
    let mut rest: Vec<_> = pieces.into_iter().map(Some).collect();
    let group = |(_, component): (usize, Vec<NodeIndex>)| {
        component.into_iter().filter_map(|node| rest[node.index()].take()).collect()
    };
    groups.into_iter().map(group).collect()
}

/// The pairs of pieces whose boxes on the canvas overlap.
fn overlapping_boxes(pieces: &[Piece], facets: &[Facet]) -> Vec<(usize, usize)> {
    let mut boxes: Vec<(Box, usize)> =
        pieces.iter().enumerate().map(|(index, piece)| (Box::around(piece.outline(facets)), index)).collect();
    boxes.sort_by(|(a, i), (b, j)| a.left.total_cmp(&b.left).then(i.cmp(j)));
    let mut pairs = Vec::new();
    for (at, (first, i)) in boxes.iter().enumerate() {
        for (second, j) in boxes[at + 1..].iter().take_while(|(second, _)| second.left < first.right) {
            if first.top < second.bottom && second.top < first.bottom {
                pairs.push((*i, *j));
            }
        }
    }
    pairs
}

#[derive(Clone, Copy)]
struct Box {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Box {
    fn around(outline: &Outline) -> Box {
        let nothing = Box { left: f64::MAX, right: f64::MIN, top: f64::MAX, bottom: f64::MIN };
        outline.iter().fold(nothing, |around, (at, _)| Box {
            left: around.left.min(at.x),
            right: around.right.max(at.x),
            top: around.top.min(at.y),
            bottom: around.bottom.max(at.y),
        })
    }
}

/// Where a piece lies against the plane of a cut.
enum Side {
    Behind,
    Level,
    Front,
    Both,
}

fn side(outline: &Outline, facet: &Facet, plane: &Facet) -> Side {
    let above = facet.nearness.above(&plane.nearness);
    let least = least_difference(&above);
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (at, _) in outline {
        let difference = above.at(*at);
        (lowest, highest) = (lowest.min(difference), highest.max(difference));
    }
    match (highest > least, lowest < -least) {
        (true, true) => Side::Both,
        (true, false) => Side::Front,
        (false, true) => Side::Behind,
        (false, false) => Side::Level,
    }
}

/// The pieces behind the plane of one of them, those in it, and those in front of it. Pieces on
/// both sides are cut.
fn separated(pieces: Vec<Piece>, facets: &[Facet]) -> [Vec<Piece>; 3] {
    let pieces: Vec<(usize, Outline)> = pieces.into_iter().flat_map(|piece| convex(piece, facets)).collect();
    let plane = &facets[best_plane(&pieces, facets)];
    let [mut behind, mut level, mut front] = [Vec::new(), Vec::new(), Vec::new()];
    for (facet, outline) in pieces {
        let seen = &facets[facet];
        let piece = |part| Piece { facet, part: Some(part) };
        match side(&outline, seen, plane) {
            Side::Behind => behind.push(piece(outline)),
            Side::Level => level.push(piece(outline)),
            Side::Front => front.push(piece(outline)),
            Side::Both => {
                let above = seen.nearness.above(&plane.nearness);
                let sides: Vec<_> = outline.iter().map(|(at, _)| above.at(*at)).collect();
                let [far, near] = cut(&outline, &sides);
                behind.push(piece(far));
                front.push(piece(near));
            }
        }
    }
    level.sort_by_key(|piece| piece.facet);
    [behind, level, front]
}

fn convex(piece: Piece, facets: &[Facet]) -> Vec<(usize, Outline)> {
    let facet = piece.facet;
    match piece.part {
        Some(part) => vec![(facet, part)],
        None => facets[facet].convex_parts().iter().map(|part| (facet, part.clone())).collect(),
    }
}

/// The facet along whose plane fewest of the pieces are cut, of some that are evenly spread.
fn best_plane(pieces: &[(usize, Outline)], facets: &[Facet]) -> usize {
    let step = pieces.len().div_ceil(CANDIDATES).max(1);
    let cost = |plane: usize| {
        let (mut behind, mut front, mut cuts) = (0_usize, 0_usize, 0_usize);
        for (facet, outline) in pieces {
            match side(outline, &facets[*facet], &facets[plane]) {
                Side::Behind => behind += 1,
                Side::Front => front += 1,
                Side::Both => cuts += 1,
                Side::Level => {}
            }
        }
        CUT_COST * cuts + behind.abs_diff(front)
    };
    let planes = pieces.iter().step_by(step).map(|(facet, _)| *facet);
    planes.min_by_key(|plane| cost(*plane)).unwrap_or(0)
}
