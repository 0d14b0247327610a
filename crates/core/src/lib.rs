//! The vocabulary of topotrace: what a scene, a task program, an answer, a verifier, an episode
//! and a record are. It draws nothing, opens no file and starts no thread.
//!
//! Start from [`TaskProgram`] to write a task, from [`Task`] and [`Instance`] to use one, and run
//! [`conformance::check`] over whatever you wrote.

mod answer;
pub mod conformance;
mod digest;
mod domain;
mod episode;
mod error;
mod flaw;
mod game;
mod generate;
mod info;
mod level;
mod picture;
mod program;
mod random;
pub mod reading;
mod record;
mod registry;
mod scene;
mod seeds;
mod split;
mod surrogates;
mod task;
mod verdict;
mod words;

pub use answer::{ActionText, Answer, AnswerKind};
pub use digest::Digest;
pub use domain::{ActionShape, Domain, Field};
pub use episode::{Episode, EpisodeOptions, Observation, Policy, Run, Step, StepReason};
pub use error::Error;
pub use flaw::{Flaw, ensure, ensure_within};
pub use game::{
    Action, Game, Planning, Status, accepts_plan, action_text, plan_of, plan_succeeds, plan_within,
};
pub use generate::{Generator, Keep, MAX_ATTEMPTS, NOT_WANTED, Rejections, Settings};
pub use info::{Contract, Operation, Property, TaskInfo, TaskKind};
pub use level::{Difficulty, Level};
pub use picture::{MarkBox, Picture, PictureMark, Raster};
pub use program::{Item, Outcome, Posed, Rejected, Shortcut, State, Style, TaskProgram};
pub use random::{PromptRng, RenderRng, Rng, SemanticRng};
pub use record::{GENERATOR, Record, RecordContext, Trace};
pub use registry::{Registry, nearest};
pub use scene::{Datum, Draw, Params, Scene, ensure_theme};
pub use seeds::{Seeds, Slot};
pub use split::Split;
pub use surrogates::without_lone_surrogates;
pub use task::{Instance, Task};
pub use verdict::{Layer, Reason, Rewards, Verdict, Verifier};
pub use words::english_list;
