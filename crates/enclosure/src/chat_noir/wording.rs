//! Sentences of the prompts. Every combination is complete and true.

use topotrace_core::PromptRng;

use super::board::Direction;
use super::cat::{CHOICES, Habit};
use super::position::Position;
use super::scene::{GardenStyle, RimMark};

/// So many of the cat's draws are told in advance where a whole plan is asked for.
const DRAWS_TOLD: usize = 12;

/// The sentences that the closed loop and the single answer share: what the picture shows, what
/// an action does, what the cat does, and how it ends.
pub(super) fn rules(position: &Position, style: &GardenStyle, rng: &mut PromptRng) -> Vec<String> {
    vec![board(position, rng), blocked(style, rng), rim(style, rng), cat(style, rng), turn(rng), ends(rng)]
}

fn board(position: &Position, rng: &mut PromptRng) -> String {
    let (cells, last) = (position.board().cells, position.board().cells - 1);
    rng.pick(&[
        format!("The picture shows a hexagonal board of {cells} cells, numbered from 0 to {last} row by row from the top, each row from the left. Every open cell shows its number; two cells that share a side are neighbors."),
        format!("You see a board of {cells} hexagonal cells with the numbers 0 to {last}, counted row after row from top to bottom and in each row from left to right. The numbers are printed on the open cells. Cells that touch along a side are neighbors."),
        format!("This is a board made of {cells} hexagons. Their numbers run from 0 to {last}, from left to right in each row and from the top row down, and stand on all cells that are open. Neighbors are cells with a common side."),
    ])
    .clone()
}

fn blocked(style: &GardenStyle, rng: &mut PromptRng) -> String {
    let stone = style.palette().label.name;
    rng.pick(&[
        format!("The {stone} cells without a number are blocked."),
        format!("Cells that are {stone} and bear no number are blocked."),
        format!("A blocked cell is {stone} and has no number on it."),
    ])
    .clone()
}

fn rim(style: &GardenStyle, rng: &mut PromptRng) -> String {
    let color = style.rim_paint().name;
    let look = match style.rim {
        RimMark::Tint => format!("tinted {color}"),
        RimMark::Outline => format!("outlined in {color}"),
    };
    rng.pick(&[
        format!("The outermost cells, all along the edge of the board, are the rim; those of them that are open are {look}."),
        format!("The rim is made of the cells at the edge of the board. Its open cells are {look}."),
        format!("Open cells that are {look} belong to the rim, which consists of all cells at the edge of the board."),
    ])
    .clone()
}

fn cat(style: &GardenStyle, rng: &mut PromptRng) -> String {
    let lamp = style.lamp().name;
    rng.pick(&[
        format!("The black cat sits on the {lamp} cell, whose number stands below its head."),
        format!("A black cat is on the board; its cell is {lamp}, with the number under the cat's head."),
        format!("On the {lamp} cell there is a black cat, and the cell's number is written beneath it."),
    ])
    .clone()
}

fn turn(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "In each turn you name one open cell that the cat is not on, and this cell is blocked for good. After each block, unless that ends the game, the cat steps onto an open cell next to its own.",
        "A turn goes like this: you block one open cell without the cat, which stays blocked, and then, as long as the game is not over, the cat always takes one step to an open neighbor of its cell.",
        "You and the cat take turns. Your action blocks an open cell, but not the cat's own, once and for all. The cat answers every block that does not end the game by stepping onto an open cell next to it.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

fn ends(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "You succeed as soon as no way over open cells leads from the cat to the rim: it is then trapped and does not move any more. You fail as soon as the cat stands on a cell of the rim.",
        "The goal is to trap the cat, so that it can't get to any cell of the rim over open cells; that ends the game at once. If the cat reaches a cell of the rim, you have lost.",
        "Your task is to cut the cat off: once every way over open cells from the cat to the rim is closed, you have succeeded, and the game is over. It is also over, and you have failed, when the cat steps onto the rim.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

/// In how many of ten steps a cat with coins goes the direct way, in words.
fn direct_share(habit: Habit) -> &'static str {
    if habit == Habit::WanderingBrowser { "three times out of ten" } else { "half of the time" }
}

/// What the cat does, for the closed loop.
pub(super) fn habit_in_short(habit: Habit, rng: &mut PromptRng) -> String {
    let share = direct_share(habit);
    let sentences = match habit {
        Habit::Wandering | Habit::WanderingBrowser => [
            format!("The cat is moody: {share}, by chance, it takes a step that brings it nearer to the rim by a shortest way, and else it goes to any open neighbor at random."),
            format!("With each step chance decides what the cat does: {share} it steps along a shortest way to the rim, otherwise to a random open neighboring cell."),
            format!("Where the cat goes is partly chance: {share} it follows a shortest way over open cells towards the rim; the rest of its steps lead to open neighbors picked at random."),
        ],
        Habit::Direct => [
            "The cat always takes a step of a shortest way over open cells to the rim.".to_owned(),
            "With every step the cat follows a shortest way that leads over open cells to the rim.".to_owned(),
            "The cat heads straight for the rim: each step is the first one of a shortest way there over open cells.".to_owned(),
        ],
        Habit::Wary => [
            "The cat is wary. It steps onto the rim if it can. Otherwise it keeps away from cells where one further block would trap it, as long as there are others, and of the rest takes one that is nearest to the rim over open cells.".to_owned(),
            "This cat is careful: next to an open cell of the rim it steps there; else it avoids, if possible, cells in which a single block more would shut it in, and among the others it chooses one with the shortest way to the rim.".to_owned(),
            "If a cell of the rim is open beside the cat, it goes there. If not, it chooses the open neighbor that is nearest to the rim among those where it could not be trapped by just one more block, or among all if there are no such cells.".to_owned(),
        ],
    };
    rng.pick(&sentences).clone()
}

/// All that decides the cat's steps, for a plan made in advance.
pub(super) fn habit_in_full(position: &Position, budget: u32, rng: &mut PromptRng) -> Vec<String> {
    let order: Vec<&str> = position.order.iter().map(|direction| name(*direction)).collect();
    let order = order.join(", ");
    let mut sentences = vec![habit_in_short(position.habit, rng)];
    match position.habit {
        Habit::Direct => sentences.push(
            rng.pick(&[
                format!("Where several neighbors are equally near to the rim, it takes the first of them in this order of directions: {order}."),
                format!("Among neighbors at the same distance from the rim the order of directions decides, the earlier the better: {order}."),
                format!("If more than one step is such a step, it goes in the direction that comes first in this list: {order}."),
            ])
            .clone(),
        ),
        Habit::Wary => sentences.push(
            rng.pick(&[
                format!("Of several such cells it takes the one from which the most different shortest ways lead to the rim; if that is not decisive, the one with the most open neighbors; and last the first in this order of directions: {order}. Among open rim cells beside it, too, it takes the first in that order."),
                format!("Ties are broken by the number of different shortest ways from the cell to the rim (more is better), then by the number of its open neighbors (more is better), then by this order of directions, which also decides between rim cells: {order}."),
                format!("Should several cells be equal in this, it prefers more shortest ways to the rim, then more open neighbors around the cell, then the direction that comes first in the list {order}; that list also decides between several open cells of the rim."),
            ])
            .clone(),
        ),
        Habit::Wandering | Habit::WanderingBrowser => {
            let told = draws(position, budget);
            let many = told.len();
            let told = told.join(", ");
            sentences.push(
                rng.pick(&[
                    format!("Here chance has been decided in advance. The first {many} steps of the cat are, in order: {told}. D stands for a step of a shortest way to the rim, and of several such steps it takes the first in the order of directions {order}. A number c stands for a random step: with its n open neighbors counted from 0 in that same order, the cat goes to number c × n / 60, rounded down."),
                    format!("For this plan the cat's choices are known: {told}, one for each of its first {many} steps. With D it goes a shortest way to the rim, taking the first direction of the list {order} where several would do. With a number c it goes to one of its n open neighbors, which are counted from 0 in the order of that list: to the one with the number c × n / 60, rounded down."),
                    format!("What chance brings is fixed, and here are the cat's first {many} steps: {told}. A step D follows a shortest way to the rim; directions are tried in the order {order}. At a step with a number c, the n open neighbors are numbered from 0 in this order of directions, and the cat goes to number c × n / 60, rounded down."),
                ])
                .clone(),
            );
        }
    }
    sentences
}

/// The first of the cat's draws: `D` for a step of a shortest way, else its choice.
fn draws(position: &Position, budget: u32) -> Vec<String> {
    let least = position.habit.stray_from().unwrap_or(0);
    let told = position.draws.iter().take(DRAWS_TOLD.min(budget as usize));
    told.map(|draw| if draw / CHOICES < least { "D".to_owned() } else { (draw % CHOICES).to_string() })
        .collect()
}

fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Nw => "up-left",
        Direction::Ne => "up-right",
        Direction::W => "left",
        Direction::E => "right",
        Direction::Sw => "down-left",
        Direction::Se => "down-right",
    }
}

/// How many actions there are, when each reply gives one.
pub(super) fn one_at_a_time(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give one action in each reply; you then see the new picture. You have {budget} actions in all. A reply that names a blocked cell, the cat's cell or no cell of the board, or that can't be read, changes nothing, and the cat does not step, but it uses up one of them."),
        format!("You act step by step, one action a reply, with at most {budget} actions. Naming a blocked cell, the cat's own cell or a number off the board, and an unreadable reply, count as well, though nothing is blocked and the cat does not step."),
        format!("After every action and the cat's step the picture is shown anew. At most {budget} actions are allowed, one in each reply; illegal ones (a blocked cell, the cell of the cat, a number that is no cell) and unreadable replies leave everything as it is but are counted too."),
    ])
    .clone()
}

/// How many actions there are, when a single answer gives all.
pub(super) fn all_at_once(budget: u32, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Give the whole plan in a single answer: a list of at most {budget} cells to block, one a turn, carried out in their order until the cat is trapped or out. Naming a blocked cell or the cell that the cat is on at that time changes nothing, and the cat does not step, but it counts among the {budget}."),
        format!("Answer with a complete plan of no more than {budget} cells, one for each turn. They are blocked one after the other with the cat's steps in between, and what follows after the cat is trapped is ignored; a cell that is blocked already or holds the cat at its turn has no effect, and the cat does not step, but an action is used up."),
        format!("Plan all your actions in advance, at most {budget} of them, in the order in which the cells are to be blocked, the cat stepping after each block. An action that names a cell which is then blocked or the cat's counts but blocks nothing, and the cat does not step. It is enough that the cat is trapped at some point of the plan."),
    ])
    .clone()
}
