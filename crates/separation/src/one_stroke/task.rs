use serde::{Deserialize, Serialize};
use topotrace_core::{
    Action, Answer, AnswerKind, Contract, Domain, Episode, EpisodeOptions, Flaw, Game, Item, Operation,
    Outcome, Planning, PromptRng, Property, Rejected, Run, SemanticRng, Shortcut, Status, TaskInfo, TaskKind,
    TaskProgram, accepts_plan, ensure, plan_of, plan_within,
};

use super::board::{Board, longest};
use super::certificate::{self, StrokeProof};
use super::grammar::{self, StrokeAim, StrokeParams};
use super::grid::Move;
use super::scene::{StrokeScene, StrokeStyle};
use super::search::{Found, MOST_NODES, TooMany, shortest, shortest_from};
use super::{enumerate, explain, shortcuts, wording};

/// Draw one stroke along the sides of cells that separates the colors.
pub struct OneStroke;

/// The bounded argument of the question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrokeQuery {
    /// The number of actions that are allowed: at least as many as a shortest solution has, at
    /// most two for each vertex of the board.
    pub budget: u32,
}

/// The budget for a board that was made from a stroke of so many moves: 1.2 times as many, rounded
/// up.
fn budget(path: u32) -> u32 {
    (12 * path).div_ceil(10)
}

/// A shortest solution. For validated items there is one.
fn solution(board: &Board) -> Option<Found> {
    shortest(board, longest(board.size)).ok().flatten()
}

impl TaskProgram for OneStroke {
    const INFO: TaskInfo = TaskInfo {
        id: "one-stroke",
        version: 1,
        property: Property::Separation,
        kind: TaskKind::Planning,
        answer: AnswerKind::Plan,
        contract: Contract::Plan,
        operations: &[Operation::Planning, Operation::Reachability],
        pictures: 1,
        units: 8,
        published: true,
        summary: "Draw a stroke from corner to corner of a board that gives every color a region of its own.",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut {
            name: "along the edge",
            guess: |i| plan_within(&shortcuts::along_the_edge(&i.state), i.query.budget),
        },
        Shortcut {
            name: "staircase",
            guess: |i| plan_within(&shortcuts::staircase(&i.state), i.query.budget),
        },
        Shortcut {
            name: "straightest between colors",
            guess: |i| plan_within(&shortcuts::straightest_between_colors(&i.state), i.query.budget),
        },
        Shortcut {
            name: "along borders",
            guess: |i| plan_within(&shortcuts::along_borders(&i.state, i.query.budget), i.query.budget),
        },
        Shortcut {
            name: "along borders when filled",
            guess: |i| {
                plan_within(&shortcuts::along_borders_when_filled(&i.state, i.query.budget), i.query.budget)
            },
        },
    ];

    /// Else every second board of the easy tier would fall to following the borders between colors.
    const THINNED_PERCENT: u32 = 90;

    type Scene = StrokeScene;
    type Params = StrokeParams;
    type Aim = StrokeAim;
    type Marks = ();
    type Query = StrokeQuery;
    type Evidence = StrokeProof;

    fn aim(params: &StrokeParams, rng: &mut SemanticRng) -> StrokeAim {
        StrokeAim::draw(params, rng)
    }

    fn sample(aim: &StrokeAim, rng: &mut SemanticRng) -> Result<Board, Rejected> {
        grammar::build(aim, rng)
    }

    fn pose(aim: &StrokeAim, board: &Board, _rng: &mut SemanticRng) -> Result<((), StrokeQuery), Rejected> {
        let found = shortest(board, aim.solution)
            .map_err(|TooMany| Rejected("a board that takes too long a search"))?
            .ok_or(Rejected("a board that can't be solved"))?;
        if (found.moves.len() as u32) < aim.solution {
            return Err(Rejected("a solution that is shorter"));
        }
        Ok(((), StrokeQuery { budget: budget(aim.path) }))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        let board = &item.state;
        board.validate()?;
        ensure(board.path.is_empty(), || "the stroke has begun already".to_owned())?;
        let most = 2 * (board.size + 1) * (board.size + 1);
        ensure(item.query.budget <= most, || format!("budget {} is above {most}", item.query.budget))?;
        let longest = longest(board.size).min(item.query.budget);
        shortest(board, longest)
            .map_err(|TooMany| {
                Flaw::new(format!("the board takes a search of more than {MOST_NODES} nodes"))
            })?
            .map(|_| ())
            .ok_or_else(|| Flaw::new(format!("no stroke of {longest} moves or fewer separates the colors")))
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Plan { shape: item.state.shape(), at_most: item.query.budget as usize }
    }

    fn execute(item: &Item<Self>) -> Outcome<StrokeProof> {
        let moves = solution(&item.state).map_or_else(Vec::new, |found| found.moves);
        Outcome { answer: plan_of(&moves), evidence: StrokeProof::of(&item.state, &moves) }
    }

    fn recount(item: &Item<Self>) -> Answer {
        plan_of(&enumerate::first_shortest(&item.state).unwrap_or_default())
    }

    fn check(item: &Item<Self>, outcome: &Outcome<StrokeProof>) -> Result<(), Flaw> {
        certificate::check(&item.state, outcome)
    }

    fn prompt(item: &Item<Self>, style: &StrokeStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(&item.state, style, rng);
        sentences.push(wording::all_at_once(item.query.budget, rng));
        sentences.push(Self::domain(item).sentence());
        sentences.join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        solution(&item.state).map_or(0, |found| 10 * found.moves.len() as u64 + u64::from(found.nodes))
    }

    fn accepts(item: &Item<Self>, _right: &Answer, candidate: &Answer) -> bool {
        accepts_plan::<Self>(item, candidate)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<StrokeProof>, style: &StrokeStyle) -> Vec<String> {
        vec![explain::overlay(&item.state, &outcome.evidence, style)]
    }

    fn episode(
        item: &Item<Self>,
        style: &StrokeStyle,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Option<Box<dyn Episode>> {
        Some(Run::<Self>::open(item, style, options, prompt_seed))
    }
}

impl Planning for OneStroke {
    const LISTS_LEGAL_ACTIONS: bool = true;

    fn budget(item: &Item<Self>) -> u32 {
        item.query.budget
    }

    fn rules(item: &Item<Self>, style: &StrokeStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(&item.state, style, rng);
        sentences.push(wording::one_at_a_time(item.query.budget, rng));
        sentences.join(" ")
    }

    fn situation(_board: &Board) -> String {
        String::new()
    }

    fn oracle(board: &Board) -> Vec<Move> {
        if board.status() != Status::Open {
            return Vec::new();
        }
        let most = longest(board.size) + board.path.len() as u32;
        match shortest_from(board, most) {
            Ok(found) => found.unwrap_or_default(),
            // From a stroke gone far astray the search may take too long; taking all of it back
            // and drawing a shortest solution then also works, if not in the fewest moves.
            Err(TooMany) => {
                let undone = board.path.iter().rev().map(|step| step.back());
                let onward = solution(board).map_or_else(Vec::new, |found| found.moves);
                if onward.is_empty() { onward } else { undone.chain(onward).collect() }
            }
        }
    }

    fn greedy(board: &Board, rng: &mut SemanticRng) -> Option<Action<Self>> {
        let best = shortcuts::best_moves(board);
        (board.status() == Status::Open && !best.is_empty()).then(|| *rng.pick(&best))
    }
}
