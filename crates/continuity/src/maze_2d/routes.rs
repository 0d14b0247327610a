//! Ways over triangles as lines to be drawn: through the gaps beside half walls, around their
//! ends, and never across a wall.

use topotrace_draw::kurbo::{BezPath, Point as Spot, Vec2};

use super::regions::Triangle;
use super::walls::{Cell, Extent, Line, Maze, Place};

/// A position on a way, in cells from the top left corner of the maze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Where.
    pub at: Spot,
    /// How far away the next wall is, in cells: lines keep closer together there.
    pub room: f64,
}

/// How near to the center of its cell a way turns, from either side, in cells.
const TURN: (f64, f64) = (0.3, 0.7);
/// Room where no wall is near.
const WIDE: f64 = 0.25;
/// Room beside a wall that leaves half of its line free.
const HALF: f64 = 0.15;
/// Room between a wall that covers the middle half of its line and a corner.
const NARROW: f64 = 0.06;
/// How far along a diagonal a way stays away from the end of a wall on it.
const AROUND: f64 = 0.17;

/// The stops of a way that leads over triangles from the middle of one cell to that of another.
/// No line between neighboring stops crosses a wall of the maze.
pub fn route(maze: &Maze, way: &[Triangle]) -> Vec<Stop> {
    let mut cells: Vec<Cell> = way.iter().map(|triangle| triangle.cell()).collect();
    cells.dedup();
    let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return Vec::new() };
    let mut stops = vec![Stop { at: middle(*first), room: WIDE }];
    for (number, pair) in cells.windows(2).enumerate() {
        let entry = stops[stops.len() - 1];
        let beyond = cells.get(number + 2).map_or(middle(pair[1]), |next| middle(*next));
        let exit = gate(maze, pair[0], pair[1], entry.at, beyond);
        if number > 0 {
            stops.extend(inside(maze, pair[0], entry.at, exit.at));
        }
        stops.push(exit);
    }
    stops.push(Stop { at: middle(*last), room: WIDE });
    stops
}

/// Where a way passes the edge between two neighboring cells, in the middle of what is free of
/// walls; of two gaps through the one that lies better between `before` and `after`.
fn gate(maze: &Maze, from: Cell, to: Cell, before: Spot, after: Spot) -> Stop {
    let (x, y) = (from.x.min(to.x), from.y.min(to.y));
    let line = if from.y == to.y { Line::East } else { Line::South };
    let place = Place { x, y, line };
    let (gaps, room): (&[f64], f64) = match maze.wall_at(place).map(|wall| wall.extent) {
        None | Some(Extent::Full) => (&[0.5], WIDE),
        Some(Extent::FirstHalf) => (&[0.75], HALF),
        Some(Extent::SecondHalf) => (&[0.25], HALF),
        Some(Extent::MiddleHalf) => (&[0.125, 0.875], NARROW),
    };
    let spots = gaps.iter().map(|share| along(place, *share));
    let detour = |spot: &Spot| before.distance(*spot) + spot.distance(after);
    let at = spots.min_by(|a, b| detour(a).total_cmp(&detour(b))).unwrap_or(before);
    Stop { at, room }
}

/// The stops within a cell between two positions on its edges.
fn inside(maze: &Maze, cell: Cell, entry: Spot, exit: Spot) -> Vec<Stop> {
    let diagonal = [Line::Slash, Line::Backslash].map(|line| maze.wall_at(Place::new(cell, line)));
    if let Some(wall) = diagonal.into_iter().flatten().next() {
        let around: &[f64] = match wall.extent {
            Extent::Full => return Vec::new(),
            Extent::FirstHalf => &[0.5 + AROUND],
            Extent::SecondHalf => &[0.5 - AROUND],
            Extent::MiddleHalf => &[0.125, 0.875],
        };
        let (from, to) = wall.extent.quarters();
        let end = |quarters: i32, by: f64| along(wall.place, f64::from(quarters) / 4.0 + by);
        if !cross((entry, exit), (end(from, -AROUND / 2.0), end(to, AROUND / 2.0))) {
            return Vec::new();
        }
        let room = if around.len() == 1 { HALF } else { NARROW };
        let spots = around.iter().map(|share| along(wall.place, *share));
        let detour = |spot: &Spot| entry.distance(*spot) + spot.distance(exit);
        let nearest = spots.min_by(|a, b| detour(a).total_cmp(&detour(b)));
        return nearest.map(|at| Stop { at, room }).into_iter().collect();
    }
    let corner = Spot::new(f64::from(cell.x), f64::from(cell.y));
    let (a, b) = (entry - corner, exit - corner);
    let upright = |at: Vec2| at.y == 0.0 || at.y == 1.0;
    match (upright(a), upright(b)) {
        (true, false) => vec![turn(corner, a.x, b.y)],
        (false, true) => vec![turn(corner, b.x, a.y)],
        _ => Vec::new(),
    }
}

fn turn(corner: Spot, x: f64, y: f64) -> Stop {
    Stop { at: corner + Vec2::new(x.clamp(TURN.0, TURN.1), y.clamp(TURN.0, TURN.1)), room: WIDE }
}

fn middle(cell: Cell) -> Spot {
    Spot::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

/// The position at a share of a place's line.
fn along(place: Place, share: f64) -> Spot {
    let [a, b] = place.corners().map(|(x, y)| Spot::new(f64::from(x), f64::from(y)));
    a.lerp(b, share)
}

/// Whether two segments meet, their ends included.
fn cross((a, b): (Spot, Spot), (c, d): (Spot, Spot)) -> bool {
    let side = |p: Spot, q: Spot, r: Spot| (q - p).cross(r - p);
    let parted = |p: f64, q: f64| p * q <= 0.0;
    parted(side(a, b, c), side(a, b, d)) && parted(side(c, d, a), side(c, d, b))
}

/// A way as a line with smooth corners, in cells. It is shifted to the right of its direction by
/// `shift` cells, less where there is no room, and begins and ends `trim` cells away from its
/// ends; `spread` is how far the outermost of the lines beside it is shifted, and half its width.
pub fn line(stops: &[Stop], shift: f64, spread: f64, trim: f64) -> BezPath {
    let count = stops.len();
    let leg = |number: usize| unit(stops[number + 1].at - stops[number].at);
    let spot = |number: usize| {
        let stop = stops[number];
        let (before, after) = match number {
            0 => (leg(0), leg(0)),
            last if last + 1 == count => (leg(count - 2), leg(count - 2)),
            _ => (leg(number - 1), leg(number)),
        };
        let bisector = unit(before + after);
        // Lines of a bundle keep their distance around a corner, unless it is a sharp one.
        let stretch = bisector.dot(before).max(0.6);
        let room = if spread > stop.room { stop.room / spread } else { 1.0 };
        stop.at + Vec2::new(-bisector.y, bisector.x) * (shift * room / stretch)
    };
    if count < 2 {
        return BezPath::new();
    }
    let mut spots: Vec<Spot> = (0..count).map(spot).collect();
    spots[0] += leg(0) * trim;
    spots[count - 1] -= leg(count - 2) * trim;
    let mut path = BezPath::new();
    path.move_to(spots[0]);
    for number in 1..count - 1 {
        let (a, b, c) = (spots[number - 1], spots[number], spots[number + 1]);
        let (back, on) = (a - b, c - b);
        let reach = (1.5 * stops[number].room).min(0.36);
        let cut = |leg: Vec2| reach.min(length(leg) / 2.0);
        path.line_to(b + unit(back) * cut(back));
        path.quad_to(b, b + unit(on) * cut(on));
    }
    path.line_to(spots[count - 1]);
    path
}

fn length(vector: Vec2) -> f64 {
    vector.hypot2().sqrt()
}

/// The vector at length one; a vector without length stays so.
fn unit(vector: Vec2) -> Vec2 {
    let length = length(vector);
    if length > 0.0 { vector / length } else { vector }
}

#[cfg(test)]
mod tests {
    use topotrace_core::{Difficulty, Level, SemanticRng};
    use topotrace_draw::kurbo;

    use super::super::grammar::{MazeParams, build};
    use super::super::regions::shortest_way;
    use super::*;

    fn crosses_a_wall(maze: &Maze, path: &BezPath) -> Option<Place> {
        let mut spots = Vec::new();
        kurbo::flatten(path, 0.005, |element| match element {
            kurbo::PathEl::MoveTo(spot) | kurbo::PathEl::LineTo(spot) => spots.push(spot),
            _ => {}
        });
        spots.dedup();
        let hit = |place: Place, extent: Extent| {
            let (from, to) = extent.quarters();
            let wall = (along(place, f64::from(from) / 4.0), along(place, f64::from(to) / 4.0));
            spots.windows(2).any(|pair| cross((pair[0], pair[1]), wall))
        };
        maze.walls.iter().find(|wall| hit(wall.place, wall.extent)).map(|wall| wall.place)
    }

    #[test]
    fn no_line_crosses_a_wall() {
        let mut ways = 0;
        for level in Level::ALL {
            let params = MazeParams::at(Difficulty::from(level));
            for seed in 0..120 {
                let mut rng = SemanticRng::from_seed(seed);
                let areas = vec![params.grid * params.grid; 2];
                let Ok(maze) = build(params.draw(&mut rng), &areas, &mut rng) else { continue };
                let cells = maze.plain_cells();
                let (from, to) = (*rng.pick(&cells), *rng.pick(&cells));
                let Some(way) = shortest_way(&maze, from, to).filter(|_| from != to) else { continue };
                let stops = route(&maze, &way);
                for shift in [-0.09, 0.0, 0.09] {
                    let path = line(&stops, shift, 0.12, 0.0);
                    assert_eq!(crosses_a_wall(&maze, &path), None, "{level} {seed} {shift}: {stops:?}");
                }
                ways += 1;
            }
        }
        assert!(ways > 60, "only {ways} ways");
    }

    #[test]
    fn a_straight_way_is_a_straight_line() {
        let maze = Maze { size: 4, walls: Vec::new() };
        let way = shortest_way(&maze, Cell { x: 0, y: 1 }, Cell { x: 3, y: 1 }).unwrap();
        assert!(route(&maze, &way).iter().all(|stop| stop.at.y == 1.5));
    }

    #[test]
    fn a_way_goes_around_the_end_of_a_half_wall() {
        use super::super::walls::Wall;
        let wall = |extent| Wall { place: Place { x: 0, y: 0, line: Line::East }, extent };
        let passed = |extent| {
            let maze = Maze { size: 2, walls: vec![wall(extent)] };
            let way = shortest_way(&maze, Cell { x: 0, y: 0 }, Cell { x: 1, y: 0 }).unwrap();
            route(&maze, &way)[1].at.y
        };
        assert_eq!([Extent::FirstHalf, Extent::SecondHalf].map(passed), [0.75, 0.25]);
        assert_eq!(passed(Extent::MiddleHalf), 0.125);
    }
}
