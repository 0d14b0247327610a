use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::answer::{ActionText, Answer};
use crate::digest::Digest;
use crate::domain::{ActionShape, Domain};
use crate::error::Error;
use crate::flaw::{Flaw, ensure};
use crate::game::{Action, Game, Planning, Status, action_text};
use crate::picture::Picture;
use crate::program::{Item, State, Style};
use crate::random::{PromptRng, SemanticRng};
use crate::reading::{self, Reading};
use crate::task::{draw_item, instance_id, state_hash};
use crate::verdict::{Layer, Reason};

/// What an observation tells beyond the picture and the rules. All off by default, as published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EpisodeOptions {
    /// List the legal actions, even where the task does not.
    pub legal_actions: bool,
    /// Say how many steps are left.
    pub steps_left: bool,
    /// Say whether the last action was legal.
    pub last_legality: bool,
}

/// Who acts when no model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Follows a plan that reaches the goal.
    Oracle,
    /// Takes a legal action, each equally likely.
    Random,
    /// Takes the action that looks best one step ahead.
    Greedy,
}

impl Policy {
    /// All policies.
    pub const ALL: [Policy; 3] = [Policy::Oracle, Policy::Random, Policy::Greedy];

    /// The policy's name, as in tables and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::Oracle => "oracle",
            Policy::Random => "random",
            Policy::Greedy => "greedy",
        }
    }
}

impl FromStr for Policy {
    type Err = Flaw;

    fn from_str(text: &str) -> Result<Self, Flaw> {
        Policy::ALL.into_iter().find(|policy| policy.name() == text).ok_or_else(|| {
            Flaw::new(format!("policy {text:?} is unknown; the policies are oracle, random and greedy"))
        })
    }
}

/// What an agent sees. It never holds the state.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The rules, the situation, what the options add, and the shape of the answer.
    pub prompt: String,
    /// The current pictures.
    pub pictures: Vec<Picture>,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepReason {
    /// The action was legal and has been applied.
    Applied,
    /// An action was read, but it is illegal here. The step is used up.
    Illegal,
    /// No action could be read. The step is used up.
    Unreadable,
    /// The episode had ended before. Nothing is used up.
    Ended,
}

/// The record of one step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What was given: a response, or an action's JSON text.
    pub response: String,
    /// The action that was read, as canonical JSON text.
    pub action: Option<String>,
    /// What became of it.
    pub reason: StepReason,
    /// Why an action was illegal or unreadable.
    pub detail: Option<String>,
    /// Hash of the state after the step.
    pub state_hash: Digest,
    /// Where the episode stands after the step.
    pub status: Status,
    /// How many steps are left.
    pub steps_left: u32,
}

impl Step {
    /// Whether the action was legal and has been applied.
    pub fn legal(&self) -> bool {
        self.reason == StepReason::Applied
    }

    /// Whether the goal holds after the step.
    pub fn success(&self) -> bool {
        self.status == Status::Success
    }
}

/// A closed loop of observation, action and next state, behind a trait object.
pub trait Episode: Send + Sync {
    /// What the agent sees now. Drawn only when asked for.
    fn observe(&self) -> Observation;

    /// Where the episode stands.
    fn status(&self) -> Status;

    /// How many steps are left.
    fn steps_left(&self) -> u32;

    /// Reads a free-form response and acts. Prose is never scraped for actions.
    fn step(&mut self, response: &str) -> Step;

    /// Acts by an action's JSON text: the same as [`Episode::step`] with it as the answer, and faster.
    fn act(&mut self, action: &str) -> Step;

    /// What every action looks like as JSON.
    fn shape(&self) -> ActionShape;

    /// The legal actions as JSON text.
    fn legal_actions(&self) -> Vec<String>;

    /// What a policy would do now. `seed` feeds its random choices; the same seed, log and
    /// state give the same action.
    fn advise(&self, policy: Policy, seed: u64) -> Option<String>;

    /// The state as a few lines of text.
    fn text(&self) -> String;

    /// The log of actions as JSON text, from which [`Episode::restore`] replays.
    fn snapshot(&self) -> String;

    /// Goes back (or forth) to a snapshot of the same instance by replaying its log, so that a
    /// forged state can't be restored.
    ///
    /// # Errors
    /// When the text is no snapshot of this instance; the episode is then unchanged.
    fn restore(&mut self, snapshot: &str) -> Result<(), Error>;

    /// An independent copy.
    fn fork(&self) -> Box<dyn Episode>;
}

/// The one episode: budget, reading, illegal-step rules, log, snapshot and restore over any game.
pub struct Run<P: Planning> {
    start: Arc<Start<P>>,
    state: State<P>,
    /// The status of `state`, which takes a look at the whole board.
    status: Status,
    log: Vec<Option<ActionText>>,
    last_legal: Option<bool>,
}

/// What an episode begins with and never changes.
struct Start<P: Planning> {
    item: Item<P>,
    style: Style<P>,
    options: EpisodeOptions,
    rules: String,
    id: Digest,
    budget: u32,
}

impl<P: Planning> Clone for Run<P> {
    fn clone(&self) -> Self {
        Run {
            start: Arc::clone(&self.start),
            state: self.state.clone(),
            status: self.status,
            log: self.log.clone(),
            last_legal: self.last_legal,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    id: Digest,
    log: Vec<Option<Box<serde_json::value::RawValue>>>,
}

impl<P: Planning> Run<P> {
    /// Opens the episode of an item.
    pub fn open(
        item: &Item<P>,
        style: &Style<P>,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Box<dyn Episode> {
        let start: Start<P> = Start {
            rules: P::rules(item, style, &mut PromptRng::from_seed(prompt_seed)),
            id: instance_id::<P>(item),
            budget: P::budget(item),
            item: item.clone(),
            style: style.clone(),
            options,
        };
        Box::new(Run::begin(Arc::new(start)))
    }

    fn begin(start: Arc<Start<P>>) -> Self {
        let state = start.item.state.clone();
        Run { status: state.status(), state, start, log: Vec::new(), last_legal: None }
    }

    fn budget_left(&self) -> u32 {
        self.start.budget.saturating_sub(self.log.len() as u32)
    }

    fn now(&self) -> Status {
        match self.status {
            Status::Open if self.budget_left() == 0 => Status::OutOfBudget,
            status => status,
        }
    }

    fn take(&mut self, response: &str, action: Result<Action<P>, Refused>) -> Step {
        if self.now() != Status::Open {
            return self.record(response, None, StepReason::Ended, None);
        }
        let applied = action.and_then(|action| {
            let text = action_text(&action);
            match self.state.apply(&action) {
                Ok(state) => Ok((text, state)),
                Err(flaw) => Err(Refused::illegal(text.as_str().to_owned(), flaw.to_string(), Some(text))),
            }
        });
        self.last_legal = Some(applied.is_ok());
        match applied {
            Ok((text, state)) => {
                self.status = state.status();
                self.state = state;
                self.log.push(Some(text.clone()));
                self.record(response, Some(text.as_str().to_owned()), StepReason::Applied, None)
            }
            Err(Refused { action, reason, detail, logged }) => {
                self.log.push(logged);
                self.record(response, action, reason, Some(detail))
            }
        }
    }

    fn record(
        &self,
        response: &str,
        action: Option<String>,
        reason: StepReason,
        detail: Option<String>,
    ) -> Step {
        Step {
            response: response.to_owned(),
            action,
            reason,
            detail,
            state_hash: state_hash::<P::Scene>(&self.state),
            status: self.now(),
            steps_left: self.budget_left(),
        }
    }

    fn read(&self, response: &str) -> Result<Action<P>, Refused> {
        let domain = Domain::Action { shape: self.state.shape() };
        match reading::read(response, &domain) {
            Reading::Legal { layer: Layer::Strict | Layer::LooseObject, answer: Answer::Action(text) } => {
                parse::<P>(text.as_str()).ok_or_else(|| Refused::unreadable(Reason::WrongType))
            }
            Reading::Refused { reason: Reason::Illegal, found, .. } => {
                let found = found.unwrap_or_default();
                // The game says best what is wrong with an action that it can read.
                parse::<P>(&found).ok_or_else(|| {
                    let detail = format!("{found} is outside the legal values");
                    Refused::illegal(found, detail, None)
                })
            }
            Reading::Refused { reason, .. } => Err(Refused::unreadable(reason)),
            Reading::Legal { .. } => Err(Refused::unreadable(Reason::Missing)),
        }
    }
}

/// Why nothing is applied.
struct Refused {
    /// The action that was read.
    action: Option<String>,
    reason: StepReason,
    detail: String,
    /// What the log keeps of it.
    logged: Option<ActionText>,
}

impl Refused {
    fn illegal(action: String, detail: String, logged: Option<ActionText>) -> Self {
        Refused { action: Some(action), reason: StepReason::Illegal, detail, logged }
    }

    fn unreadable(reason: Reason) -> Self {
        let detail = match reason {
            Reason::Conflicting => "the response holds different answers",
            Reason::WrongType => "the answer is of the wrong JSON type",
            Reason::DuplicateKey => "the answer gives a key twice",
            _ => "the response holds no JSON object with an answer",
        };
        Refused { action: None, reason: StepReason::Unreadable, detail: detail.to_owned(), logged: None }
    }
}

fn parse<P: Planning>(action: &str) -> Option<Action<P>> {
    serde_json::from_str(action).ok()
}

/// An action of a log: the JSON value that this game writes, however it is spaced.
fn parse_logged<P: Planning>(number: usize, text: &str) -> Result<Action<P>, Flaw> {
    let same = |action: &Action<P>| {
        serde_json::from_str::<serde_json::Value>(text).ok() == serde_json::to_value(action).ok()
    };
    let action = parse::<P>(text).filter(same);
    action.ok_or_else(|| Flaw::new(format!("entry {number} of its log is no action: {text}")))
}

impl<P: Planning> Episode for Run<P> {
    fn observe(&self) -> Observation {
        let Start { rules, options, item, style, .. } = &*self.start;
        let mut parts = vec![rules.clone(), P::situation(&self.state)];
        let legal = self.legal_actions();
        if (options.legal_actions || P::LISTS_LEGAL_ACTIONS) && !legal.is_empty() {
            parts.push(format!("Legal actions: {}.", legal.join(", ")));
        }
        if options.steps_left {
            parts.push(format!("Steps left: {}.", self.budget_left()));
        }
        if let (true, Some(legal)) = (options.last_legality, self.last_legal) {
            parts.push(format!("Your last action was {}.", if legal { "legal" } else { "not legal" }));
        }
        parts.push(Domain::Action { shape: self.state.shape() }.sentence());
        parts.retain(|part| !part.is_empty());
        Observation { prompt: parts.join("\n\n"), pictures: draw_item::<P>(&self.state, &item.marks, style) }
    }

    fn status(&self) -> Status {
        self.now()
    }

    fn steps_left(&self) -> u32 {
        self.budget_left()
    }

    fn step(&mut self, response: &str) -> Step {
        let action = self.read(response);
        self.take(response, action)
    }

    fn act(&mut self, action: &str) -> Step {
        // What is written otherwise than a game writes it is read as a response's answer is.
        let written = parse::<P>(action).filter(|parsed| action_text(parsed).as_str() == action);
        let read = written.map_or_else(|| self.read(&format!("{{\"answer\": {action}}}")), Ok);
        self.take(action, read)
    }

    fn shape(&self) -> ActionShape {
        self.state.shape()
    }

    fn legal_actions(&self) -> Vec<String> {
        if self.now() != Status::Open {
            return Vec::new();
        }
        self.state.legal().iter().map(|action| action_text(action).as_str().to_owned()).collect()
    }

    fn advise(&self, policy: Policy, seed: u64) -> Option<String> {
        if self.now() != Status::Open {
            return None;
        }
        let key = Digest::of("topotrace 2026 policy", &[&seed.to_string(), &self.log.len().to_string()]);
        let mut rng = SemanticRng::from_seed(key.low());
        let action = match policy {
            Policy::Oracle => P::oracle(&self.state).into_iter().next(),
            Policy::Greedy => P::greedy(&self.state, &mut rng),
            Policy::Random => {
                let legal = self.state.legal();
                (!legal.is_empty()).then(|| rng.pick(&legal).clone())
            }
        };
        action.map(|action| action_text(&action).as_str().to_owned())
    }

    fn text(&self) -> String {
        self.state.text()
    }

    fn snapshot(&self) -> String {
        let entries: Vec<&str> =
            self.log.iter().map(|entry| entry.as_ref().map_or("null", ActionText::as_str)).collect();
        format!("{{\"id\":\"{}\",\"log\":[{}]}}", self.start.id, entries.join(","))
    }

    fn restore(&mut self, snapshot: &str) -> Result<(), Error> {
        let Snapshot { id, log } =
            serde_json::from_str(snapshot).map_err(|e| Error::snapshot(Flaw::new(e.to_string())))?;
        let own = self.start.id;
        ensure(id == own, || format!("it is of instance {id}, this episode of {own}"))
            .map_err(Error::snapshot)?;
        let mut replay = Run::begin(Arc::clone(&self.start));
        for (number, entry) in log.iter().enumerate() {
            let action = match entry {
                Some(raw) => Ok(parse_logged::<P>(number, raw.get()).map_err(Error::snapshot)?),
                None => Err(Refused::unreadable(Reason::Missing)),
            };
            ensure(replay.take("", action).reason != StepReason::Ended, || {
                format!("entry {number} of its log comes after the end of the episode")
            })
            .map_err(Error::snapshot)?;
        }
        *self = replay;
        Ok(())
    }

    fn fork(&self) -> Box<dyn Episode> {
        Box::new(self.clone())
    }
}
