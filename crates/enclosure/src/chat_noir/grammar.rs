//! Building a board: a cat near the middle and random blocks, kept when it can be trapped in
//! several ways.

use serde::{Deserialize, Serialize};
use topotrace_core::{Difficulty, Flaw, Game, Params, Rejected, SemanticRng, Status, ensure_within};

use super::board::{Board, Cells, Direction};
use super::cat::{CHOICES, COINS, Habit};
use super::position::Position;
use super::search::{TooMany, shortest, winning_first_blocks};
use super::shortcuts;

/// Flows and steps of each search after which a board is thrown away.
const MOST_WORK: u32 = 400_000;
/// The least number of first blocks after which the cat can be trapped.
const WINNING: u32 = 5;
/// The least number of these that lie beside the cat.
const WINNING_BESIDE: u32 = 3;

/// Of the positions in which some shortcut traps the cat, so many percent are thrown away.
const THINNED_PERCENT: u32 = 98;

/// How many actions an episode allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetRule {
    /// As many as there are open cells without the cat: it never binds a player who names no
    /// illegal cell.
    Open,
    /// One and a half times the length of a shortest plan, rounded up.
    Tight,
}

impl BudgetRule {
    /// The budget for a position whose shortest plan has `least` blocks.
    pub(super) fn budget(self, position: &Position, least: u32) -> u32 {
        match self {
            BudgetRule::Open => position.free().count_ones(),
            BudgetRule::Tight => (3 * least).div_ceil(2),
        }
    }
}

/// What a board is made of; one row of the tier table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatNoirParams {
    /// The rule by which the cat steps.
    pub habit: Habit,
    /// Least radius, 3 or 4.
    pub radius_min: u32,
    /// Greatest radius, `radius_min` or 4.
    pub radius_max: u32,
    /// Least number of blocks on a board of radius 3, from 4.
    pub blocks_3_min: u32,
    /// Greatest number of blocks on a board of radius 3, from `blocks_3_min` to 18.
    pub blocks_3_max: u32,
    /// Least number of blocks on a board of radius 4, from 8.
    pub blocks_4_min: u32,
    /// Greatest number of blocks on a board of radius 4, from `blocks_4_min` to 30.
    pub blocks_4_max: u32,
    /// How many actions an episode allows.
    pub budget: BudgetRule,
}

impl Params for ChatNoirParams {
    fn at(difficulty: Difficulty) -> Self {
        let habit = match difficulty.value() {
            value if value < 0.25 => Habit::Wandering,
            value if value < 0.75 => Habit::Direct,
            _ => Habit::Wary,
        };
        ChatNoirParams {
            habit,
            radius_min: 3,
            radius_max: 4,
            blocks_3_min: difficulty.blend_whole(8, 10, 12),
            blocks_3_max: difficulty.blend_whole(10, 12, 14),
            blocks_4_min: difficulty.blend_whole(10, 13, 16),
            blocks_4_max: difficulty.blend_whole(13, 16, 19),
            budget: BudgetRule::Open,
        }
    }

    fn check(&self) -> Result<(), Flaw> {
        ensure_within("radius_min", self.radius_min, 3, 4)?;
        ensure_within("radius_max", self.radius_max, self.radius_min, 4)?;
        ensure_within("blocks_3_min", self.blocks_3_min, 4, 18)?;
        ensure_within("blocks_3_max", self.blocks_3_max, self.blocks_3_min, 18)?;
        ensure_within("blocks_4_min", self.blocks_4_min, 8, 30)?;
        ensure_within("blocks_4_max", self.blocks_4_max, self.blocks_4_min, 30)
    }
}

/// What a board is wanted to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatNoirAim {
    /// The rule by which the cat steps.
    pub habit: Habit,
    /// Steps from the middle to the rim.
    pub radius: u32,
    /// The number of blocks at the start.
    pub blocks: u32,
    /// How many actions the episode allows.
    pub budget: BudgetRule,
}

impl ChatNoirAim {
    /// Draws each number uniformly in its range.
    pub(super) fn draw(params: &ChatNoirParams, rng: &mut SemanticRng) -> Self {
        let radius = rng.between(params.radius_min..=params.radius_max);
        let blocks = if radius == 3 {
            params.blocks_3_min..=params.blocks_3_max
        } else {
            params.blocks_4_min..=params.blocks_4_max
        };
        ChatNoirAim { habit: params.habit, radius, blocks: rng.between(blocks), budget: params.budget }
    }
}

/// A cat within a step of the middle, and blocks anywhere else.
///
/// # Errors
/// When the cat can't step or has no way to the rim.
pub(super) fn build(aim: &ChatNoirAim, rng: &mut SemanticRng) -> Result<Position, Rejected> {
    let board = Board::of(aim.radius);
    let middle: Vec<u32> = Cells::of(board.grown(1 << board.center())).iter().collect();
    let cat = *rng.pick(&middle);
    let mut cells: Vec<u32> = (0..board.cells as u32).filter(|cell| *cell != cat).collect();
    rng.shuffle(&mut cells);
    let blocked = cells.iter().take(aim.blocks as usize).fold(Cells::default(), |set, cell| set.with(*cell));
    let mut order = Direction::ALL;
    rng.shuffle(&mut order);
    let mut position =
        Position { radius: aim.radius, cat, blocked, habit: aim.habit, order, draws: Vec::new(), turn: 0 };
    if position.open() & board.around[cat as usize] == 0 {
        return Err(Rejected("a cat without an open neighbor"));
    }
    if position.status() != Status::Open {
        return Err(Rejected("a cat that is trapped already"));
    }
    if aim.habit.stray_from().is_some() {
        let draws = position.free().count_ones();
        position.draws = (0..draws).map(|_| rng.below(usize::from(COINS * CHOICES)) as u16).collect();
    }
    Ok(position)
}

/// Throws away most of the positions in which a look at the cat's next steps is enough: more than
/// half of all could be won so. Before the searches, as it costs little.
///
/// # Errors
/// When the position is thrown away.
pub(super) fn thin_out(position: &Position, rng: &mut SemanticRng) -> Result<(), Rejected> {
    if shortcuts::any_traps(position) && rng.percent(THINNED_PERCENT) {
        return Err(Rejected("a shortcut traps the cat"));
    }
    Ok(())
}

/// The length of a shortest plan for a position that can be won from several first blocks.
///
/// # Errors
/// When there are too few of them, or it takes too long to find enough.
pub(super) fn least_of_several(position: &Position) -> Result<u32, Rejected> {
    const TOO_LONG: Rejected = Rejected("a board that takes too long a search");
    let found = shortest(position, MOST_WORK).map_err(|TooMany| TOO_LONG)?;
    let least = found.ok_or(Rejected("a cat that can't be trapped"))?.plan.len() as u32;
    let beside = position.board().around[position.cat as usize];
    let enough =
        |winning: u64| winning.count_ones() >= WINNING && (winning & beside).count_ones() >= WINNING_BESIDE;
    match winning_first_blocks(position, MOST_WORK, enough) {
        Err(TooMany) => Err(Rejected("a board that takes too long a search for first blocks")),
        Ok(winning) if winning.count_ones() < WINNING => {
            Err(Rejected("fewer than five winning first blocks"))
        }
        Ok(winning) if !enough(winning) => {
            Err(Rejected("fewer than three winning first blocks beside the cat"))
        }
        Ok(_) => Ok(least),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_hold_their_ranges_at_every_difficulty() {
        for step in 0..=125 {
            let difficulty = Difficulty::new(f64::from(step) / 100.0).unwrap();
            ChatNoirParams::at(difficulty).check().unwrap();
        }
    }

    #[test]
    fn boards_have_the_wanted_blocks_and_make_sense() {
        let mut rng = SemanticRng::from_seed(5);
        for step in 0..200 {
            let difficulty = Difficulty::new(f64::from(step) / 160.0).unwrap();
            let aim = ChatNoirAim::draw(&ChatNoirParams::at(difficulty), &mut rng);
            let Ok(position) = build(&aim, &mut rng) else { continue };
            position.validate().unwrap();
            assert_eq!(position.blocked.count(), aim.blocks);
        }
    }
}
