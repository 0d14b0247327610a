//! Episodes over JSON lines: one request a line, one reply a line, so that any language can drive
//! them.
//!
//! | `do` | keys | reply, beside `"ok": true` |
//! |---|---|---|
//! | `tasks` | | `tasks`: the ids of the planning tasks |
//! | `reset` | `task`, and of `seed` (0), `split` (`"train"`), `tier` (`"medium"`), `set`, `theme`, `trace`, `item`, `options` those that are wanted | `episode`: its number, and the facts of the instance |
//! | `observe` | `episode`, `size` (1024), `picture`: `base64`, `file` or `none` | `prompt`, `pictures` |
//! | `step` | `episode`, `response`: a model's text | the step's record, `reward`, `terminated`, `truncated` |
//! | `act` | `episode`, `action`: a JSON value | the same |
//! | `step_all` | `episodes`, `responses` | `steps`: those records, made on all threads |
//! | `legal` | `episode` | `actions` |
//! | `advise` | `episode`, `policy` (`"oracle"`), `seed` (0) | `action`: what the policy would do, or `null` |
//! | `text` | `episode` | `text`: the state in plain text |
//! | `snapshot` | `episode` | `snapshot` |
//! | `restore` | `episode`, `snapshot` | `steps_left` |
//! | `fork` | `episode` | `episode`: the number of the copy |
//! | `close` | `episode` | |
//!
//! `reset` takes a `trace` (a dataset's column) to act on that record in its looks and wording, an
//! `item` (a state with its query) to act on a state of your own, or makes the instance of a seed.
//! What does not hold is answered with `"ok": false` and an `error`, and changes nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use topotrace_core::{
    Difficulty, Episode, EpisodeOptions, Flaw, Level, Policy, Registry, Settings, Split, Status, Step,
    TaskKind, without_lone_surrogates,
};

use crate::batch::act_on_each;
use crate::error::Error;
use crate::opened::{Facts, Opened, open_item, open_seed, open_trace};
use crate::painter::Painter;

/// Pixels on the longer side of a picture, where a request names no size.
const SIDE: u32 = 1024;

/// Where pictures that are wanted as files go: takes a name and the bytes of a PNG file, returns
/// the path.
pub type SavePicture<'a> = dyn FnMut(&str, &[u8]) -> Result<String, Flaw> + 'a;

/// The episodes of one connection.
pub struct Session<'a> {
    registry: Registry,
    save: &'a mut SavePicture<'a>,
    painter: Painter,
    episodes: BTreeMap<u64, Opened>,
    next: u64,
    views: u64,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    Tasks {},
    Reset(Box<Reset>),
    Observe {
        episode: u64,
        #[serde(default)]
        size: Option<u32>,
        #[serde(default)]
        picture: PictureForm,
    },
    Step {
        episode: u64,
        response: String,
    },
    Act {
        episode: u64,
        action: serde_json::Value,
    },
    StepAll {
        episodes: Vec<u64>,
        responses: Vec<String>,
    },
    Legal {
        episode: u64,
    },
    Advise {
        episode: u64,
        #[serde(default = "oracle")]
        policy: Policy,
        #[serde(default)]
        seed: u64,
    },
    Text {
        episode: u64,
    },
    Snapshot {
        episode: u64,
    },
    Restore {
        episode: u64,
        snapshot: String,
    },
    Fork {
        episode: u64,
    },
    Close {
        episode: u64,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reset {
    task: String,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    tier: Option<Tier>,
    #[serde(default)]
    set: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    theme: Option<String>,
    #[serde(default)]
    split: Option<SplitName>,
    #[serde(default, deserialize_with = "present")]
    trace: Option<serde_json::Value>,
    #[serde(default, deserialize_with = "present")]
    item: Option<serde_json::Value>,
    #[serde(default)]
    options: EpisodeOptions,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Tier {
    Name(String),
    Difficulty(f64),
}

/// Whose states an instance may have.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SplitName {
    Train,
    Validation,
    Test,
    Any,
}

/// A value that is there, so that a missing column's `null` is no value left out.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<serde_json::Value>, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::Null => Err(serde::de::Error::custom("a trace or an item is null; leave it out")),
        value => Ok(Some(value)),
    }
}

/// JSON that may be given as text or as it is.
fn text_of(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PictureForm {
    #[default]
    Base64,
    File,
    None,
}

const fn oracle() -> Policy {
    Policy::Oracle
}

/// What a request is answered with.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Tasks {
        tasks: Vec<&'static str>,
    },
    Opened {
        episode: u64,
        #[serde(flatten)]
        facts: Facts,
    },
    Observed {
        prompt: String,
        pictures: Vec<ShownPicture>,
    },
    Stepped(Box<Stepped>),
    AllStepped {
        steps: Vec<Stepped>,
    },
    Legal {
        actions: Vec<Box<RawValue>>,
    },
    Advised {
        action: Option<Box<RawValue>>,
    },
    Text {
        text: String,
    },
    Snapshot {
        snapshot: String,
    },
    Restored {
        steps_left: u32,
    },
    Forked {
        episode: u64,
    },
    Closed {},
}

#[derive(Serialize)]
struct ShownPicture {
    width: u32,
    height: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    png: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// A step's record as trainers want it.
#[derive(Serialize)]
struct Stepped {
    #[serde(flatten)]
    step: Step,
    /// 1 when the step reached the goal, otherwise 0.
    reward: f64,
    /// The goal holds, or can't be reached any more.
    terminated: bool,
    /// The steps are used up.
    truncated: bool,
}

impl From<Step> for Stepped {
    fn from(step: Step) -> Self {
        // After the end there is nothing left to be won.
        let reached = step.legal() && step.success();
        Stepped {
            reward: if reached { 1.0 } else { 0.0 },
            terminated: matches!(step.status, Status::Success | Status::Failure),
            truncated: step.status == Status::OutOfBudget,
            step,
        }
    }
}

#[derive(Serialize)]
struct Answered<T> {
    ok: bool,
    #[serde(flatten)]
    reply: T,
}

#[derive(Serialize)]
struct Refusal {
    error: String,
}

impl<'a> Session<'a> {
    /// A session without episodes over the tasks of `registry`.
    pub fn new(registry: Registry, save: &'a mut SavePicture<'a>) -> Self {
        Session { registry, save, painter: Painter::new(), episodes: BTreeMap::new(), next: 0, views: 0 }
    }

    /// Answers one request: a line of JSON for a line of JSON. Never panics, whatever the line.
    pub fn answer(&mut self, line: &str) -> String {
        let reply = serde_json::from_str::<Request>(&without_lone_surrogates(line))
            .map_err(|e| Error::request(e.to_string()))
            .and_then(|request| self.reply(request));
        match reply {
            Ok(reply) => to_json(&Answered { ok: true, reply }),
            Err(error) => to_json(&Answered { ok: false, reply: Refusal { error: chain(&error) } }),
        }
    }

    fn reply(&mut self, request: Request) -> Result<Reply, Error> {
        Ok(match request {
            Request::Tasks {} => Reply::Tasks { tasks: self.tasks() },
            Request::Reset(reset) => {
                let opened = self.open(&reset)?;
                let facts = opened.facts.clone();
                Reply::Opened { episode: self.keep(opened), facts }
            }
            Request::Observe { episode, size, picture } => {
                self.observe(episode, size.unwrap_or(SIDE), picture)?
            }
            Request::Step { episode, response } => {
                Reply::Stepped(Box::new(self.of(episode)?.step(&response).into()))
            }
            Request::Act { episode, action } => {
                Reply::Stepped(Box::new(self.of(episode)?.act(&action.to_string()).into()))
            }
            Request::StepAll { episodes, responses } => self.step_all(&episodes, &responses)?,
            Request::Legal { episode } => {
                Reply::Legal { actions: self.of(episode)?.legal_actions().into_iter().map(raw).collect() }
            }
            Request::Advise { episode, policy, seed } => {
                Reply::Advised { action: self.of(episode)?.advise(policy, seed).map(raw) }
            }
            Request::Text { episode } => Reply::Text { text: self.of(episode)?.text() },
            Request::Snapshot { episode } => Reply::Snapshot { snapshot: self.of(episode)?.snapshot() },
            Request::Restore { episode, snapshot } => {
                let episode = self.of(episode)?;
                episode.restore(&snapshot)?;
                Reply::Restored { steps_left: episode.steps_left() }
            }
            Request::Fork { episode } => {
                let copy = self.of(episode)?.fork();
                let facts = self.episodes[&episode].facts.clone();
                Reply::Forked { episode: self.keep(Opened { facts, episode: copy }) }
            }
            Request::Close { episode } => {
                self.of(episode)?;
                self.episodes.remove(&episode);
                Reply::Closed {}
            }
        })
    }

    fn tasks(&self) -> Vec<&'static str> {
        let infos = self.registry.tasks().iter().map(|task| task.info());
        infos.filter(|info| info.kind == TaskKind::Planning).map(|info| info.id).collect()
    }

    fn open(&self, reset: &Reset) -> Result<Opened, Error> {
        let task = self.registry.get(&reset.task)?;
        reset.ensure_consistent()?;
        let (seed, theme) = (reset.seed.unwrap_or(0), reset.theme.as_deref());
        match (&reset.trace, &reset.item) {
            (Some(trace), _) => open_trace(task, &text_of(trace), reset.options),
            (None, Some(item)) => open_item(task, &text_of(item), seed, theme, reset.options),
            (None, None) => {
                let settings = reset.settings().map_err(|flaw| Error::request(flaw.to_string()))?;
                open_seed(task, &settings, seed, reset.split(), theme, reset.options)
            }
        }
    }

    fn keep(&mut self, opened: Opened) -> u64 {
        let number = self.next;
        self.next += 1;
        self.episodes.insert(number, opened);
        number
    }

    fn of(&mut self, number: u64) -> Result<&mut Box<dyn Episode>, Error> {
        let opened = self.episodes.get_mut(&number);
        opened
            .map(|opened| &mut opened.episode)
            .ok_or_else(|| Error::request(format!("there is no episode {number}; reset opens one")))
    }

    fn observe(&mut self, number: u64, side: u32, form: PictureForm) -> Result<Reply, Error> {
        let episode = self.of(number)?;
        let seen = episode.observe();
        self.views += 1;
        let mut pictures = Vec::new();
        for (place, picture) in seen.pictures.iter().enumerate() {
            let painted = match form {
                PictureForm::None => continue,
                PictureForm::Base64 | PictureForm::File => self.painter.paint(picture, side)?,
            };
            let mut shown =
                ShownPicture { width: painted.width, height: painted.height, png: None, file: None };
            if matches!(form, PictureForm::File) {
                // Numbered, so that no later state takes the name of an earlier one.
                let name = format!("episode-{number}-view-{}-picture-{place}.png", self.views);
                let saved = (self.save)(&name, &painted.png);
                shown.file = Some(saved.map_err(|flaw| Error::request(flaw.to_string()))?);
            } else {
                shown.png = Some(painted.base64());
            }
            pictures.push(shown);
        }
        Ok(Reply::Observed { prompt: seen.prompt, pictures })
    }

    fn step_all(&mut self, numbers: &[u64], responses: &[String]) -> Result<Reply, Error> {
        if numbers.len() != responses.len() {
            let counts = format!("{} responses for {} episodes", responses.len(), numbers.len());
            return Err(Error::request(counts));
        }
        let mut places: BTreeMap<u64, usize> = BTreeMap::new();
        for (place, number) in numbers.iter().enumerate() {
            self.of(*number)?;
            if places.insert(*number, place).is_some() {
                return Err(Error::request(format!("episode {number} is named twice")));
            }
        }
        let chosen = self.episodes.iter_mut().filter_map(|(number, opened)| {
            let place = places.get(number)?;
            Some((*place, &mut opened.episode, responses[*place].as_str()))
        });
        let mut chosen: Vec<_> = chosen.collect();
        chosen.sort_by_key(|(place, ..)| *place);
        let pairs = chosen.into_iter().map(|(_, episode, response)| (episode, response));
        let steps = act_on_each(pairs, |episode, response| episode.step(response));
        Ok(Reply::AllStepped { steps: steps.into_iter().map(Stepped::from).collect() })
    }
}

impl Reset {
    /// Demands that nothing is given which would not count: a trace fixes everything, an item all
    /// but its looks.
    fn ensure_consistent(&self) -> Result<(), Error> {
        let given = [
            ("item", self.item.is_some()),
            ("seed", self.seed.is_some()),
            ("theme", self.theme.is_some()),
            ("tier", self.tier.is_some()),
            ("split", self.split.is_some()),
            ("set", !self.set.is_empty()),
        ];
        let (beside, idle): (&str, &[(&str, bool)]) = match (&self.trace, &self.item) {
            (Some(_), _) => ("trace", &given),
            (None, Some(_)) => ("item", &given[3..]),
            (None, None) => return Ok(()),
        };
        match idle.iter().find(|(_, given)| *given) {
            Some((key, _)) => {
                Err(Error::request(format!("{key} does not count beside {beside}; leave it out")))
            }
            None => Ok(()),
        }
    }

    /// States of `train` alone, where nothing else is asked for: nobody trains on the benchmark by
    /// oversight.
    fn split(&self) -> Option<Split> {
        match self.split {
            None | Some(SplitName::Train) => Some(Split::Train),
            Some(SplitName::Validation) => Some(Split::Validation),
            Some(SplitName::Test) => Some(Split::Test),
            Some(SplitName::Any) => None,
        }
    }

    fn settings(&self) -> Result<Settings, Flaw> {
        let difficulty = match &self.tier {
            None => Level::Medium.into(),
            Some(Tier::Name(name)) => name.parse::<Level>()?.into(),
            Some(Tier::Difficulty(value)) => Difficulty::new(*value)?,
        };
        let overrides = self.set.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        Ok(Settings { difficulty, overrides })
    }
}

/// JSON text as it is.
fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("an action is JSON")
}

fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a reply can be written as JSON")
}

/// An error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
