use serde::{Deserialize, Serialize};
use topotrace_core::{
    Action, Answer, AnswerKind, Contract, Domain, Episode, EpisodeOptions, Flaw, Game, Item, Operation,
    Outcome, Planning, PromptRng, Property, Raster, Rejected, Run, SemanticRng, Shortcut, Status, TaskInfo,
    TaskKind, TaskProgram, accepts_plan, ensure, ensure_within, plan_of, plan_within,
};

use super::board::{Board, Cell};
use super::certificate::{self, SwapProof};
use super::grammar::{self, SwapAim, SwapParams};
use super::scene::{Blocks, SwapStyle};
use super::{cycles, explain, kinds, pixels, shortcuts, wording};

/// Swap blocks with the blank until the board is as wanted.
pub struct Swap;

/// The bounded argument of the question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapQuery {
    /// The number of actions that are allowed: at least as many as a shortest plan has, at most
    /// four for each cell.
    pub budget: u32,
}

/// The budget for a board: 1.2 times the length of a shortest plan, rounded up.
fn budget(least: u32) -> u32 {
    (6 * least).div_ceil(5)
}

/// The actions that name cells, given by their indices.
fn actions(board: &Board, cells: &[usize]) -> Vec<Cell> {
    cells.iter().map(|index| board.cell(*index)).collect()
}

/// A guess as an answer.
fn guess(item: &Item<Swap>, cells: &[usize]) -> Answer {
    plan_within(&actions(&item.state, cells), item.query.budget)
}

impl TaskProgram for Swap {
    const INFO: TaskInfo = TaskInfo {
        id: "swap",
        version: 1,
        property: Property::Order,
        kind: TaskKind::Planning,
        answer: AnswerKind::Plan,
        contract: Contract::Plan,
        operations: &[Operation::Planning],
        pictures: 2,
        units: 8,
        published: true,
        summary: "Swap blocks with the blank until the board is as in the goal picture.",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut {
            name: "fill the blank until it is in place",
            guess: |i| guess(i, &shortcuts::fill_the_blank(&i.state)),
        },
        Shortcut {
            name: "cell by cell, as the picture shows it",
            guess: |i| guess(i, &shortcuts::cell_by_cell(&i.state)),
        },
        Shortcut {
            name: "every misplaced block once",
            guess: |i| guess(i, &shortcuts::every_misplaced_block_once(&i.state)),
        },
        Shortcut {
            name: "most cells right next",
            guess: |i| guess(i, &shortcuts::most_cells_right_next(&i.state, i.query.budget)),
        },
    ];

    /// Else too many boards of the easy tier, where a plan has few actions, would fall to one of
    /// these.
    const THINNED_PERCENT: u32 = 60;

    type Scene = Blocks;
    type Params = SwapParams;
    type Aim = SwapAim;
    type Marks = ();
    type Query = SwapQuery;
    type Evidence = SwapProof;

    fn aim(params: &SwapParams, rng: &mut SemanticRng) -> SwapAim {
        SwapAim::draw(params, rng)
    }

    fn sample(aim: &SwapAim, rng: &mut SemanticRng) -> Result<Board, Rejected> {
        Ok(grammar::build(aim, rng))
    }

    fn pose(_aim: &SwapAim, board: &Board, _rng: &mut SemanticRng) -> Result<((), SwapQuery), Rejected> {
        Ok(((), SwapQuery { budget: budget(cycles::distance(board)) }))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate()?;
        ensure(item.state.status() == Status::Open, || "the board is as wanted already".to_owned())?;
        let (least, most) = (cycles::distance(&item.state), 4 * item.state.current.len() as u32);
        ensure_within("budget", item.query.budget, least, most)
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Plan { shape: item.state.shape(), at_most: item.query.budget as usize }
    }

    fn execute(item: &Item<Self>) -> Outcome<SwapProof> {
        let plan = cycles::shortest(&item.state);
        Outcome { answer: plan_of(&actions(&item.state, &plan)), evidence: SwapProof::of(&item.state) }
    }

    fn recount(item: &Item<Self>) -> Answer {
        plan_of(&actions(&item.state, &kinds::shortest(&item.state.current, &item.state.goal)))
    }

    fn check(item: &Item<Self>, outcome: &Outcome<SwapProof>) -> Result<(), Flaw> {
        certificate::check(&item.state, outcome)
    }

    fn prompt(item: &Item<Self>, style: &SwapStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(&item.state, style, rng);
        sentences.push(wording::all_at_once(item.query.budget, rng));
        sentences.push(Self::domain(item).sentence());
        sentences.join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        let cells = item.state.current.len() as u64;
        10 * u64::from(cycles::distance(&item.state)) + cells
    }

    fn accepts(item: &Item<Self>, _right: &Answer, candidate: &Answer) -> bool {
        accepts_plan::<Self>(item, candidate)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<SwapProof>, style: &SwapStyle) -> Vec<String> {
        explain::overlays(&item.state, &outcome.evidence, &cycles::shortest(&item.state), style)
    }

    fn read_pixels(item: &Item<Self>, style: &SwapStyle, pictures: &[Raster]) -> Option<Answer> {
        let seen = pixels::board(&item.state, style, pictures)?;
        // What can't be a board at all is no plan either, and so differs from the answer.
        let plan = seen.validate().map_or_else(|_| Vec::new(), |()| cycles::shortest(&seen));
        Some(plan_of(&actions(&seen, &plan)))
    }

    fn episode(
        item: &Item<Self>,
        style: &SwapStyle,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Option<Box<dyn Episode>> {
        Some(Run::<Self>::open(item, style, options, prompt_seed))
    }
}

impl Planning for Swap {
    const LISTS_LEGAL_ACTIONS: bool = true;

    fn budget(item: &Item<Self>) -> u32 {
        item.query.budget
    }

    fn rules(item: &Item<Self>, style: &SwapStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(&item.state, style, rng);
        sentences.push(wording::one_at_a_time(item.query.budget, rng));
        sentences.join(" ")
    }

    fn situation(_board: &Board) -> String {
        String::new()
    }

    fn oracle(board: &Board) -> Vec<Action<Self>> {
        actions(board, &cycles::shortest(board))
    }

    fn greedy(board: &Board, rng: &mut SemanticRng) -> Option<Action<Self>> {
        let best = shortcuts::best_swaps(board);
        (!best.is_empty()).then(|| board.cell(*rng.pick(&best)))
    }
}
