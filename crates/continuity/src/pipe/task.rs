use serde::{Deserialize, Serialize};
use topotrace_core::{
    Action, Answer, AnswerKind, Contract, Domain, Episode, EpisodeOptions, Flaw, Game, Item, Operation,
    Outcome, Planning, PromptRng, Property, Rejected, Run, SemanticRng, Shortcut, Status, TaskInfo, TaskKind,
    TaskProgram, accepts_plan, ensure, plan_of, plan_within,
};

use super::board::Board;
use super::certificate::{self, PipeProof};
use super::grammar::{self, PipeAim, PipeParams};
use super::scene::{PipeStyle, Pipes};
use super::search::{Found, MOST_NODES, TooMany, search};
use super::{explain, profile, shortcuts, wording};

/// Turn pipes until all of them are connected to the source.
pub struct Pipe;

/// The bounded argument of the question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipeQuery {
    /// The number of actions that are allowed: at least as many as a shortest plan has, at most
    /// four for each pipe.
    pub budget: u32,
}

/// The budget for a board: 1.3 times the length of a shortest plan, rounded up.
fn budget(least: u32) -> u32 {
    (13 * least).div_ceil(10)
}

/// A shortest plan as turns of every cell. For validated items there is one.
fn shortest(board: &Board) -> Option<Found> {
    search(board).ok().flatten()
}

impl TaskProgram for Pipe {
    const INFO: TaskInfo = TaskInfo {
        id: "pipe",
        version: 1,
        property: Property::Continuity,
        kind: TaskKind::Planning,
        answer: AnswerKind::Plan,
        contract: Contract::Plan,
        operations: &[Operation::Planning, Operation::Reachability],
        pictures: 1,
        units: 8,
        published: true,
        summary: "Turn the pipes on a board until every one of them is connected to the source.",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut {
            name: "every pipe once",
            guess: |i| plan_within(&shortcuts::every_pipe_once(&i.state), i.query.budget),
        },
        Shortcut {
            name: "most pipes connected next",
            guess: |i| plan_within(&shortcuts::most_connected_next(&i.state, i.query.budget), i.query.budget),
        },
        Shortcut {
            name: "no opening to the frame or an empty cell",
            guess: |i| plan_within(&shortcuts::away_from_nothing(&i.state), i.query.budget),
        },
        Shortcut {
            name: "fit above and to the left",
            guess: |i| plan_within(&shortcuts::fit_above_and_left(&i.state), i.query.budget),
        },
    ];

    /// Else every second board of the easy tier and every third of the medium one would fall to
    /// fitting piece after piece.
    const THINNED_PERCENT: u32 = 90;

    type Scene = Pipes;
    type Params = PipeParams;
    type Aim = PipeAim;
    type Marks = ();
    type Query = PipeQuery;
    type Evidence = PipeProof;

    fn aim(params: &PipeParams, rng: &mut SemanticRng) -> PipeAim {
        PipeAim::draw(params, rng)
    }

    fn sample(aim: &PipeAim, rng: &mut SemanticRng) -> Result<Board, Rejected> {
        grammar::build(aim, rng)
    }

    fn pose(aim: &PipeAim, board: &Board, _rng: &mut SemanticRng) -> Result<((), PipeQuery), Rejected> {
        let found = search(board).map_err(|TooMany| Rejected("a board that takes too long a search"))?;
        let least = found.ok_or(Rejected("a board that can't be solved"))?.least;
        if least != aim.turns {
            return Err(Rejected("another solved board is nearer"));
        }
        Ok(((), PipeQuery { budget: budget(least) }))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate()?;
        ensure(item.state.status() == Status::Open, || "every pipe is connected already".to_owned())?;
        let found = search(&item.state)
            .map_err(|TooMany| {
                Flaw::new(format!("the board takes a search of more than {MOST_NODES} nodes"))
            })?
            .ok_or_else(|| Flaw::new("no turns connect all pipes"))?;
        let most = 4 * item.state.pipes().count() as u32;
        ensure((found.least..=most).contains(&item.query.budget), || {
            format!("budget {} is not from {} to {most}", item.query.budget, found.least)
        })
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Plan { shape: item.state.shape(), at_most: item.query.budget as usize }
    }

    fn execute(item: &Item<Self>) -> Outcome<PipeProof> {
        let turns = shortest(&item.state).map_or_else(Vec::new, |found| found.turns);
        Outcome { answer: plan_of(&item.state.plan(&turns)), evidence: PipeProof::of(&item.state, &turns) }
    }

    fn recount(item: &Item<Self>) -> Answer {
        plan_of(&item.state.plan(&profile::least_turns(&item.state).unwrap_or_default()))
    }

    fn check(item: &Item<Self>, outcome: &Outcome<PipeProof>) -> Result<(), Flaw> {
        certificate::check(&item.state, outcome)
    }

    fn prompt(item: &Item<Self>, style: &PipeStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(item.state.size, style, rng);
        sentences.push(wording::all_at_once(item.query.budget, rng));
        sentences.push(Self::domain(item).sentence());
        sentences.join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        shortest(&item.state).map_or(0, |found| 10 * u64::from(found.least) + u64::from(found.nodes))
    }

    fn accepts(item: &Item<Self>, _right: &Answer, candidate: &Answer) -> bool {
        accepts_plan::<Self>(item, candidate)
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<PipeProof>, style: &PipeStyle) -> Vec<String> {
        vec![explain::overlay(&item.state, &outcome.evidence, style)]
    }

    fn episode(
        item: &Item<Self>,
        style: &PipeStyle,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Option<Box<dyn Episode>> {
        Some(Run::<Self>::open(item, style, options, prompt_seed))
    }
}

impl Planning for Pipe {
    fn budget(item: &Item<Self>) -> u32 {
        item.query.budget
    }

    fn rules(item: &Item<Self>, style: &PipeStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(item.state.size, style, rng);
        sentences.push(wording::one_at_a_time(item.query.budget, rng));
        sentences.join(" ")
    }

    fn situation(_board: &Board) -> String {
        String::new()
    }

    fn oracle(board: &Board) -> Vec<Action<Self>> {
        if board.status() != Status::Open {
            return Vec::new();
        }
        // Turning pipes changes how long a search takes; where it takes too long, the slower
        // method, whose time is bounded, gives as short a plan.
        let turns = match search(board) {
            Ok(found) => found.map(|found| found.turns),
            Err(TooMany) => profile::least_turns(board),
        };
        board.plan(&turns.unwrap_or_default())
    }

    fn greedy(board: &Board, rng: &mut SemanticRng) -> Option<Action<Self>> {
        let best = shortcuts::best_turns(board);
        (!best.is_empty()).then(|| rng.pick(&best).2)
    }
}
