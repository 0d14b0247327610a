//! Building a maze from a chosen partition into regions.

use serde::{Deserialize, Serialize};
use topotrace_core::{Difficulty, Flaw, Rejected, SemanticRng, ensure_within};

use super::walls::{Cell, Extent, Line, MAX_SIZE, Maze, Place, Wall, cells};

/// What a maze is made of, as fractions; one row of the tier table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MazeParams {
    /// Cells along a side, from 3 to 12.
    pub grid: u32,
    /// Least wall density: walls over the number of edges inside the frame, from 0.2 to 0.6.
    pub density_min: f64,
    /// Greatest wall density.
    pub density_max: f64,
    /// Share of the walls that lie on diagonals, from 0 to 0.5.
    pub diagonal_share: f64,
    /// Share of the walls that cover half of their line, from 0 to 0.5.
    pub half_share: f64,
    /// Number of regions at least, from 2 to 6.
    pub regions: u32,
}

impl MazeParams {
    /// The parameters at a difficulty.
    pub fn at(difficulty: Difficulty) -> Self {
        MazeParams {
            grid: difficulty.blend_whole(4, 5, 6),
            density_min: difficulty.blend(0.35, 0.40, 0.45),
            density_max: difficulty.blend(0.45, 0.50, 0.55),
            diagonal_share: difficulty.blend(0.0, 0.0, 0.25),
            half_share: difficulty.blend(0.0, 0.30, 0.30),
            regions: difficulty.blend_whole(2, 3, 3),
        }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    pub fn check(&self) -> Result<(), Flaw> {
        ensure_within("grid", self.grid, 3, MAX_SIZE)?;
        ensure_within("density_min", self.density_min, 0.2, 0.6)?;
        ensure_within("density_max", self.density_max, self.density_min, 0.6)?;
        ensure_within("diagonal_share", self.diagonal_share, 0.0, 0.5)?;
        ensure_within("half_share", self.half_share, 0.0, 0.5)?;
        ensure_within("regions", self.regions, 2, 6)
    }

    /// Draws the numbers of walls of each kind.
    pub fn draw(&self, rng: &mut SemanticRng) -> WallCounts {
        let share_of = |share: f64, of: u32| (share * f64::from(of)).round() as u32;
        let edges = 2 * self.grid * (self.grid - 1);
        let walls = share_of(rng.uniform(self.density_min, self.density_max), edges);
        // Rounding must not leave the range of densities.
        let least = (self.density_min * f64::from(edges)).ceil() as u32;
        let most = (self.density_max * f64::from(edges)).floor() as u32;
        let walls = walls.clamp(least.min(most), most);
        let diagonals = share_of(self.diagonal_share, walls);
        let halves = share_of(self.half_share, walls);
        let half_diagonals = share_of(self.half_share, diagonals);
        WallCounts {
            size: self.grid,
            full_edges: walls - diagonals - (halves - half_diagonals),
            half_edges: halves - half_diagonals,
            full_diagonals: diagonals - half_diagonals,
            half_diagonals,
        }
    }
}

/// How many walls of each kind a maze has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallCounts {
    /// Cells along a side.
    pub size: u32,
    /// Edges that block.
    pub full_edges: u32,
    /// Edges covered by half.
    pub half_edges: u32,
    /// Diagonals that block.
    pub full_diagonals: u32,
    /// Diagonals covered by half.
    pub half_diagonals: u32,
}

/// Builds a maze with the given counts whose regions have at least the given areas (in
/// triangles, four a cell; as many regions as areas).
///
/// The plane is cut into pieces first: cells, and the two halves of cells with a blocking
/// diagonal. The pieces are dealt to the regions, each growing from a seed of its own; edges
/// between regions get blocking walls, a random spanning tree keeps each region whole, and what
/// walls are left go to edges off the trees. Half walls may stand on any edge inside a region.
///
/// # Errors
/// When the counts do not suffice for the border that came out, or a region stayed too small.
pub fn build(counts: WallCounts, areas: &[u32], rng: &mut SemanticRng) -> Result<Maze, Rejected> {
    let pieces = Pieces::cut(counts, rng);
    let region = grow_regions(&pieces, areas, rng)?;
    let (border, mut inner): (Vec<Passage>, Vec<Passage>) =
        pieces.passages.iter().partition(|p| region[p.pieces[0]] != region[p.pieces[1]]);
    let spare = (counts.full_edges as usize)
        .checked_sub(border.len())
        .ok_or(Rejected("border longer than the walls there are"))?;
    rng.shuffle(&mut inner);
    let (tree, off_tree) = spanning_forest(&pieces, &inner, rng);
    if off_tree.len() < spare {
        return Err(Rejected("too many walls for regions in one piece"));
    }
    let (more_full, open) = off_tree.split_at(spare);
    let mut free: Vec<Passage> = tree.into_iter().chain(open.iter().copied()).collect();
    if free.len() < counts.half_edges as usize {
        return Err(Rejected("too few open edges for half walls"));
    }
    rng.shuffle(&mut free);
    let full = border.iter().chain(more_full).map(|p| Wall { place: p.place, extent: Extent::Full });
    let mut walls: Vec<Wall> = full.chain(pieces.diagonals.iter().copied()).collect();
    for passage in &free[..counts.half_edges as usize] {
        walls.push(Wall { place: passage.place, extent: *rng.pick(&Extent::HALVES) });
    }
    walls.sort();
    Ok(Maze { size: counts.size, walls })
}

/// An edge between two pieces.
#[derive(Clone, Copy, Debug)]
struct Passage {
    place: Place,
    pieces: [usize; 2],
}

/// The plane cut by blocking diagonals.
struct Pieces {
    diagonals: Vec<Wall>,
    areas: Vec<u32>,
    passages: Vec<Passage>,
    /// Passages of each piece.
    touching: Vec<Vec<usize>>,
}

impl Pieces {
    fn cut(counts: WallCounts, rng: &mut SemanticRng) -> Self {
        let mut spots: Vec<Cell> = cells(counts.size).collect();
        rng.shuffle(&mut spots);
        let diagonals: Vec<Wall> = (0..counts.full_diagonals + counts.half_diagonals)
            .zip(spots)
            .map(|(number, cell)| {
                let line = diagonal_in(cell, counts.size, rng);
                let half = *rng.pick(&Extent::HALVES);
                let extent = if number < counts.full_diagonals { Extent::Full } else { half };
                Wall { place: Place::new(cell, line), extent }
            })
            .collect();
        let size = counts.size as usize;
        let index = |cell: Cell| cell.y as usize * size + cell.x as usize;
        // Pieces of a cell: the one above its blocking diagonal, and the one below.
        let mut split: Vec<Option<Line>> = vec![None; size * size];
        for wall in diagonals.iter().filter(|wall| wall.extent == Extent::Full) {
            split[index(wall.place.cell())] = Some(wall.place.line);
        }
        let mut areas = Vec::with_capacity(size * size + counts.full_diagonals as usize);
        let mut piece_of = Vec::with_capacity(size * size);
        for line in &split {
            let upper = areas.len();
            areas.push(if line.is_some() { 2 } else { 4 });
            if line.is_some() {
                areas.push(2);
            }
            piece_of.push([upper, areas.len() - 1]);
        }
        // The upper piece of a slash has the left edge, that of a backslash the right edge.
        let piece_at = |cell: Cell, edge: Edge| {
            let lower = match (split[index(cell)], edge) {
                (None, _) | (_, Edge::Top) => false,
                (_, Edge::Bottom) => true,
                (Some(line), Edge::Right) => line == Line::Slash,
                (Some(line), Edge::Left) => line == Line::Backslash,
            };
            piece_of[index(cell)][usize::from(lower)]
        };
        let passages: Vec<Passage> = Maze::edges(counts.size)
            .map(|place| {
                let cell = place.cell();
                let pieces = match place.line {
                    Line::East => {
                        [piece_at(cell, Edge::Right), piece_at(Cell { x: cell.x + 1, y: cell.y }, Edge::Left)]
                    }
                    _ => {
                        [piece_at(cell, Edge::Bottom), piece_at(Cell { x: cell.x, y: cell.y + 1 }, Edge::Top)]
                    }
                };
                Passage { place, pieces }
            })
            .collect();
        let mut touching = vec![Vec::new(); areas.len()];
        for (number, passage) in passages.iter().enumerate() {
            for piece in passage.pieces {
                touching[piece].push(number);
            }
        }
        Pieces { diagonals, areas, passages, touching }
    }

    fn neighbors(&self, piece: usize) -> impl Iterator<Item = usize> {
        self.touching[piece].iter().map(move |&number| {
            let [a, b] = self.passages[number].pieces;
            if a == piece { b } else { a }
        })
    }
}

/// The line of a diagonal: either one, but never the one that would close off a corner of the
/// frame.
fn diagonal_in(cell: Cell, size: u32, rng: &mut SemanticRng) -> Line {
    let drawn = *rng.pick(&[Line::Slash, Line::Backslash]);
    match (cell.x == 0, cell.x + 1 == size, cell.y == 0, cell.y + 1 == size) {
        (true, _, true, _) | (_, true, _, true) => Line::Backslash,
        (true, _, _, true) | (_, true, true, _) => Line::Slash,
        _ => drawn,
    }
}

#[derive(Clone, Copy)]
enum Edge {
    Top,
    Right,
    Bottom,
    Left,
}

/// Deals every piece to a region: the region that is furthest behind its area takes, of a few
/// random pieces on its rim, the one that it surrounds most. (Without that choice regions grow so
/// ragged that few borders can be paid for with the walls there are.)
fn grow_regions(pieces: &Pieces, areas: &[u32], rng: &mut SemanticRng) -> Result<Vec<usize>, Rejected> {
    const FREE: usize = usize::MAX;
    const CANDIDATES: usize = 6;
    let count = pieces.areas.len();
    let mut region = vec![FREE; count];
    let mut grown = vec![0_u32; areas.len()];
    let mut rims: Vec<Vec<usize>> = vec![Vec::new(); areas.len()];
    let mut left = count;
    let mut seeds: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut seeds);
    for (number, &seed) in seeds.iter().take(areas.len()).enumerate() {
        region[seed] = number;
        grown[number] += pieces.areas[seed];
        left -= 1;
    }
    for (number, &seed) in seeds.iter().take(areas.len()).enumerate() {
        rims[number].extend(pieces.neighbors(seed).filter(|&next| region[next] == FREE));
    }
    while left > 0 {
        let behind = (0..areas.len())
            .filter(|&r| !rims[r].is_empty())
            .min_by_key(|&r| u64::from(grown[r]) * 1024 / u64::from(areas[r].max(1)))
            .ok_or(Rejected("a piece that no region reaches"))?;
        let own = |piece: usize| pieces.neighbors(piece).filter(|&next| region[next] == behind).count();
        let at = (0..CANDIDATES)
            .map(|_| rng.below(rims[behind].len()))
            .max_by_key(|&at| own(rims[behind][at]))
            .unwrap_or(0);
        let piece = rims[behind].swap_remove(at);
        if region[piece] != FREE {
            continue;
        }
        region[piece] = behind;
        grown[behind] += pieces.areas[piece];
        left -= 1;
        rims[behind].extend(pieces.neighbors(piece).filter(|&next| region[next] == FREE));
    }
    if grown.iter().zip(areas).all(|(have, want)| have >= want) {
        Ok(region)
    } else {
        Err(Rejected("a region too small"))
    }
}

/// Parts the passages inside regions into those of random depth-first spanning trees, one a
/// region, and the rest.
fn spanning_forest(
    pieces: &Pieces,
    inner: &[Passage],
    rng: &mut SemanticRng,
) -> (Vec<Passage>, Vec<Passage>) {
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); pieces.areas.len()];
    for (number, passage) in inner.iter().enumerate() {
        for piece in passage.pieces {
            around[piece].push(number);
        }
    }
    let mut seen = vec![false; pieces.areas.len()];
    let mut in_tree = vec![false; inner.len()];
    for start in 0..pieces.areas.len() {
        let mut stack = Vec::new();
        if !seen[start] {
            seen[start] = true;
            stack.push(start);
        }
        while let Some(&piece) = stack.last() {
            let Some(number) = take_random(&mut around[piece], rng) else {
                stack.pop();
                continue;
            };
            let [a, b] = inner[number].pieces;
            let next = if a == piece { b } else { a };
            if !seen[next] {
                seen[next] = true;
                in_tree[number] = true;
                stack.push(next);
            }
        }
    }
    let numbered = inner.iter().zip(in_tree);
    let (tree, rest): (Vec<_>, Vec<_>) = numbered.partition(|(_, of_tree)| *of_tree);
    let places = |list: Vec<(&Passage, bool)>| list.into_iter().map(|(passage, _)| *passage).collect();
    (places(tree), places(rest))
}

fn take_random(numbers: &mut Vec<usize>, rng: &mut SemanticRng) -> Option<usize> {
    if numbers.is_empty() { None } else { Some(numbers.swap_remove(rng.below(numbers.len()))) }
}
