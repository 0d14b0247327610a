use serde::{Deserialize, Serialize};

use crate::answer::{ActionText, Answer};
use crate::domain::ActionShape;
use crate::flaw::Flaw;
use crate::program::{Item, State, Style, TaskProgram};
use crate::random::{PromptRng, SemanticRng};
use crate::scene::Datum;

/// Where a game or an episode stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It goes on.
    Open,
    /// The goal holds.
    Success,
    /// The goal can't be reached any more.
    Failure,
    /// The budget is used up. Never the status of a game, only of an episode.
    OutOfBudget,
}

/// A pure state machine: the state of a planning scene.
///
/// Budget, reading of responses, records and snapshots are not its business; one generic
/// [`Run`](crate::Run) adds them to every game.
pub trait Game: Datum {
    /// One action.
    type Action: Datum;

    /// What every action looks like as JSON.
    fn shape(&self) -> ActionShape;

    /// The legal actions, in a fixed order. Empty when the game has ended.
    fn legal(&self) -> Vec<Self::Action>;

    /// The state after an action.
    ///
    /// # Errors
    /// When the action is illegal here; the message says why.
    fn apply(&self, action: &Self::Action) -> Result<Self, Flaw>;

    /// Where the game stands: open, success or failure.
    fn status(&self) -> Status;

    /// The state as a few lines of text, for transcripts and terminals.
    fn text(&self) -> String;
}

/// A task whose state is a game.
pub trait Planning: TaskProgram<Scene: crate::scene::Scene<State: Game>> {
    /// Whether every observation lists the legal actions, also where
    /// [`EpisodeOptions`](crate::EpisodeOptions) don't ask for it.
    const LISTS_LEGAL_ACTIONS: bool = false;

    /// The number of actions that an episode allows, illegal and unreadable ones included.
    fn budget(item: &Item<Self>) -> u32;

    /// The rules for a closed loop, without the shape of the answer.
    fn rules(item: &Item<Self>, style: &Style<Self>, rng: &mut PromptRng) -> String;

    /// What the prompt says of the current state.
    fn situation(state: &State<Self>) -> String;

    /// A plan that reaches the goal, optimal where the task says so; empty when there is none or
    /// the goal holds.
    fn oracle(state: &State<Self>) -> Vec<Action<Self>>;

    /// The action that looks best one step ahead.
    fn greedy(state: &State<Self>, rng: &mut SemanticRng) -> Option<Action<Self>>;
}

/// The action type of a planning task.
pub type Action<P> = <State<P> as Game>::Action;

/// An action as canonical JSON text.
pub fn action_text<A: Datum>(action: &A) -> ActionText {
    ActionText::new(serde_json::to_string(action).expect("an action is plain data"))
}

/// Actions as a plan.
pub fn plan_of<A: Datum>(actions: &[A]) -> Answer {
    Answer::Plan(actions.iter().map(action_text).collect())
}

/// Actions as a plan without those beyond the budget, which would not be carried out: a guess.
pub fn plan_within<A: Datum>(actions: &[A], budget: u32) -> Answer {
    plan_of(&actions[..actions.len().min(budget as usize)])
}

/// Whether an answer is a plan that reaches the item's goal within its budget: what a planning
/// task accepts.
pub fn accepts_plan<P: Planning>(item: &Item<P>, candidate: &Answer) -> bool {
    match candidate {
        Answer::Plan(plan) => plan_succeeds(&item.state, plan, P::budget(item)),
        _ => false,
    }
}

/// Whether running `plan` from `state` reaches the goal within `budget` actions.
///
/// An action that is illegal or no action of the game at all uses up its step and changes
/// nothing, as in the closed loop. What stands beyond the budget is not run.
pub fn plan_succeeds<G: Game>(state: &G, plan: &[ActionText], budget: u32) -> bool {
    let mut state = state.clone();
    let mut plan = plan.iter().take(budget as usize);
    while state.status() == Status::Open {
        let Some(action) = plan.next() else { break };
        let next = serde_json::from_str(action.as_str()).ok().and_then(|a| state.apply(&a).ok());
        state = next.unwrap_or(state);
    }
    state.status() == Status::Success
}
