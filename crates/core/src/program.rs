use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::domain::Domain;
use crate::episode::{Episode, EpisodeOptions};
use crate::flaw::Flaw;
use crate::info::TaskInfo;
use crate::picture::Raster;
use crate::random::{PromptRng, SemanticRng};
use crate::scene::{Datum, Draw, Params, Scene};

/// A state with what the question points at and the question's bounded argument. The answer is a
/// function of this value and of nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Posed<S, M, Q> {
    /// The scene's structure.
    pub state: S,
    /// What the question points at: labeled points, colored bars, candidate cells.
    pub marks: M,
    /// The bounded argument of the question.
    pub query: Q,
}

/// The state type of a program's scene.
pub type State<P> = <<P as TaskProgram>::Scene as Scene>::State;
/// The style type of a program's scene.
pub type Style<P> = <<P as TaskProgram>::Scene as Scene>::Style;
/// The item type of a program.
pub type Item<P> = Posed<State<P>, <P as TaskProgram>::Marks, <P as TaskProgram>::Query>;

/// An answer and the certificate that proves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<E> {
    /// The answer.
    pub answer: Answer,
    /// What proves it, small enough to be checked by eye.
    pub evidence: E,
}

/// Why an attempt came to nothing. The reasons are counted and printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rejected(pub &'static str);

/// A guess that skips the global reasoning. Every build measures how often it is right.
pub struct Shortcut<I> {
    /// What it looks at.
    pub name: &'static str,
    /// The guess.
    pub guess: fn(&I) -> Answer,
}

/// One question over one scene.
///
/// There is no `self`: the answer depends on the item alone. Adding a task means implementing
/// this trait for a unit struct in a file of its own and naming it in the family's list.
pub trait TaskProgram: Sized + Send + Sync + 'static {
    /// The declared facts.
    const INFO: TaskInfo;
    /// At least three guesses that a clever guesser would try.
    const SHORTCUTS: &'static [Shortcut<Item<Self>>];
    /// Of the posed questions that some shortcut solver answers, so many percent are thrown away
    /// and posed anew: a rebalance for solvers that would otherwise do better than they should.
    /// It can't skew the answers, which are drawn before.
    const THINNED_PERCENT: u32 = 0;
    /// What is drawn.
    type Scene: Draw<Self::Marks>;
    /// What difficulty consists of.
    type Params: Params;
    /// The wanted answer.
    type Aim: Datum;
    /// What the question points at.
    type Marks: Datum;
    /// The bounded argument of the question.
    type Query: Datum;
    /// The certificate.
    type Evidence: Datum;

    /// Draws the wanted answer, once a slot, from a stream of its own.
    fn aim(params: &Self::Params, rng: &mut SemanticRng) -> Self::Aim;

    /// Builds a state that may have the wanted answer. Cheap: most states are thrown away right
    /// after, because they belong to another split or another unit of work.
    ///
    /// # Errors
    /// When the construction ran into a dead end.
    fn sample(aim: &Self::Aim, rng: &mut SemanticRng) -> Result<State<Self>, Rejected>;

    /// Chooses marks and query so that the answer is the wanted one. What is dear belongs here.
    ///
    /// # Errors
    /// When the state can't have the wanted answer.
    fn pose(
        aim: &Self::Aim,
        state: &State<Self>,
        rng: &mut SemanticRng,
    ) -> Result<(Self::Marks, Self::Query), Rejected>;

    /// Checks a stranger's item, so that nothing below can panic on it.
    ///
    /// # Errors
    /// Names the first thing that makes no sense.
    fn validate(item: &Item<Self>) -> Result<(), Flaw>;

    /// The legal answers here.
    fn domain(item: &Item<Self>) -> Domain;

    /// The answer and its certificate.
    fn execute(item: &Item<Self>) -> Outcome<Self::Evidence>;

    /// The answer by a second way that shares no code with [`TaskProgram::execute`]. For plans,
    /// only lengths are compared.
    fn recount(item: &Item<Self>) -> Answer;

    /// The certificate's checker: small, and apart from the code that made the certificate.
    ///
    /// # Errors
    /// When the evidence does not prove the answer.
    fn check(item: &Item<Self>, outcome: &Outcome<Self::Evidence>) -> Result<(), Flaw>;

    /// The prompt: what the picture shows, what counts, what is asked, the legal values, and the
    /// exact shape of the answer. The style only lends the names of its colors.
    fn prompt(item: &Item<Self>, style: &Style<Self>, rng: &mut PromptRng) -> String;

    /// How much work a solver has; grows with difficulty.
    fn effort(item: &Item<Self>) -> u64;

    /// Whether `candidate`, a legal answer, is right. `right` is the answer of
    /// [`TaskProgram::execute`].
    fn accepts(item: &Item<Self>, right: &Answer, candidate: &Answer) -> bool {
        let _ = item;
        right == candidate
    }

    /// The certificate drawn, to be laid over the pictures of this style: for each picture, in
    /// their order, a complete SVG document with the picture's view box and no background. Empty
    /// where a program draws none.
    ///
    /// `outcome` is that of [`TaskProgram::execute`]. Nothing of this is part of a record.
    fn explain(item: &Item<Self>, outcome: &Outcome<Self::Evidence>, style: &Style<Self>) -> Vec<String> {
        let _ = (item, outcome, style);
        Vec::new()
    }

    /// The answer read off the finished pixels, where a program can: a third way that sees
    /// nothing but the picture and the places of the marks. `None` where there is no such reader.
    fn read_pixels(item: &Item<Self>, style: &Style<Self>, pictures: &[Raster]) -> Option<Answer> {
        let _ = (item, style, pictures);
        None
    }

    /// The closed loop of a planning task: `Some(Run::<Self>::open(…))`.
    fn episode(
        item: &Item<Self>,
        style: &Style<Self>,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Option<Box<dyn Episode>> {
        let _ = (item, style, options, prompt_seed);
        None
    }
}
