use std::sync::OnceLock;

use crate::answer::Answer;
use crate::digest::Digest;
use crate::domain::Domain;
use crate::episode::{Episode, EpisodeOptions};
use crate::error::Error;
use crate::flaw::{Flaw, ensure};
use crate::generate::{Generator, Keep, NOT_WANTED, Settings};
use crate::info::TaskInfo;
use crate::picture::{Picture, Raster};
use crate::program::{Item, Outcome, Rejected, State, Style, TaskProgram};
use crate::random::{PromptRng, RenderRng, SemanticRng};
use crate::reading::{self, Reading};
use crate::scene::{Datum, Draw, Scene, ensure_theme};
use crate::seeds::Seeds;
use crate::verdict::{Verdict, Verifier};

/// A task behind a trait object: it makes or loads instances and does nothing else.
///
/// Every [`TaskProgram`] is one. States cross this boundary as JSON text only.
pub trait Task: Send + Sync {
    /// The declared facts.
    fn info(&self) -> &'static TaskInfo;

    /// The names of the themes of its scene.
    fn themes(&self) -> &'static [&'static str];

    /// The names of its shortcut solvers.
    fn shortcuts(&self) -> Vec<&'static str>;

    /// Checks the settings once and returns what makes instances with them.
    ///
    /// # Errors
    /// When a parameter is unknown or out of its range.
    fn generator(&self, settings: &Settings) -> Result<Box<dyn Generator>, Error>;

    /// Loads a recorded item (state, marks and query as JSON text).
    ///
    /// # Errors
    /// When the text is no item of this task.
    fn load(&self, item: &str) -> Result<Box<dyn Instance>, Error>;
}

/// One instance: everything else, computed when asked for.
pub trait Instance: Send + Sync {
    /// The task's facts.
    fn info(&self) -> &'static TaskInfo;
    /// Hash of task, version, state, marks and query.
    fn id(&self) -> Digest;
    /// Hash of scene and canonical state.
    fn state_hash(&self) -> Digest;
    /// State, marks and query as JSON text.
    fn item(&self) -> String;
    /// The query as JSON text.
    fn query(&self) -> String;
    /// The answer.
    fn answer(&self) -> &Answer;
    /// The certificate as JSON text.
    fn evidence(&self) -> String;
    /// The legal answers.
    fn domain(&self) -> Domain;
    /// How much work a solver has.
    fn effort(&self) -> u64;
    /// The action budget of a planning task.
    fn budget(&self) -> Option<u32>;
    /// The length of the reference plan of a planning task.
    fn reference_length(&self) -> Option<u32>;

    /// The style of a render seed as JSON text, in the given theme or in one drawn.
    ///
    /// # Errors
    /// When the theme is unknown.
    fn style(&self, render_seed: u64, theme: Option<&str>) -> Result<String, Error>;

    /// The least side in pixels at which this instance can be read.
    fn least_side(&self) -> u32;

    /// The prompt of a prompt seed; the style lends the names of its colors.
    ///
    /// # Errors
    /// When the style is none of this task's.
    fn prompt(&self, prompt_seed: u64, style: &str) -> Result<String, Error>;

    /// The pictures.
    ///
    /// # Errors
    /// When the style is none of this task's.
    fn draw(&self, style: &str) -> Result<Vec<Picture>, Error>;

    /// The certificate drawn, to be laid over the pictures of this style: an SVG document without
    /// background a picture, with its view box; empty where the task draws none.
    ///
    /// # Errors
    /// When the style is none of this task's.
    fn explain(&self, style: &str) -> Result<Vec<String>, Error>;

    /// The contract, bound to this instance.
    fn verifier(&self) -> Box<dyn Verifier>;

    /// The closed loop of a planning task; `None` for reasoning tasks.
    ///
    /// # Errors
    /// When the style is none of this task's.
    fn episode(
        &self,
        style: &str,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Result<Option<Box<dyn Episode>>, Error>;

    /// What each shortcut solver guesses.
    fn guesses(&self) -> Vec<(&'static str, Answer)>;

    /// Whether `answer` is right under the contract.
    fn accepts(&self, answer: &Answer) -> bool;

    /// Computes the answer a second way, checks the certificate, and demands that the
    /// certificate proves no other answer.
    ///
    /// # Errors
    /// Names what does not hold.
    fn audit(&self) -> Result<(), Flaw>;

    /// Runs the certificate's checker on recorded evidence (JSON text) and a recorded answer.
    ///
    /// # Errors
    /// When the evidence can't be read or does not prove the answer.
    fn check_evidence(&self, answer: &Answer, evidence: &str) -> Result<(), Flaw>;

    /// The answer read off the finished pixels, where the task has such a reader.
    ///
    /// # Errors
    /// When the style is none of this task's.
    fn read_pixels(&self, style: &str, pictures: &[Raster]) -> Result<Option<Answer>, Error>;
}

impl<P: TaskProgram> Task for P {
    fn info(&self) -> &'static TaskInfo {
        &P::INFO
    }

    fn themes(&self) -> &'static [&'static str] {
        P::Scene::THEMES
    }

    fn shortcuts(&self) -> Vec<&'static str> {
        P::SHORTCUTS.iter().map(|shortcut| shortcut.name).collect()
    }

    fn generator(&self, settings: &Settings) -> Result<Box<dyn Generator>, Error> {
        let params: P::Params = settings.params().map_err(|flaw| Error::settings(P::INFO.id, flaw))?;
        Ok(Box::new(ProgramGenerator::<P> { text: to_json(&params), params }))
    }

    fn load(&self, item: &str) -> Result<Box<dyn Instance>, Error> {
        let item: Item<P> =
            serde_json::from_str(item).map_err(|e| Error::item(P::INFO.id, Flaw::new(e.to_string())))?;
        P::validate(&item).map_err(|flaw| Error::item(P::INFO.id, flaw))?;
        Ok(Box::new(ProgramInstance::<P>::new(item)))
    }
}

struct ProgramGenerator<P: TaskProgram> {
    params: P::Params,
    text: String,
}

impl<P: TaskProgram> Generator for ProgramGenerator<P> {
    fn info(&self) -> &'static TaskInfo {
        &P::INFO
    }

    fn params(&self) -> &str {
        &self.text
    }

    fn attempt(&self, seeds: &Seeds, keep: Keep<'_>) -> Result<Box<dyn Instance>, Rejected> {
        let aim = P::aim(&self.params, &mut SemanticRng::from_seed(seeds.aim));
        let mut rng = SemanticRng::from_seed(seeds.semantic);
        let state =
            tracing::trace_span!("sample", task = P::INFO.id).in_scope(|| P::sample(&aim, &mut rng))?;
        if !keep(state_hash::<P::Scene>(&state)) {
            return Err(NOT_WANTED);
        }
        tracing::trace_span!("pose", task = P::INFO.id).in_scope(|| pose_anew::<P>(&aim, state, &mut rng))
    }
}

/// Poses a question about a state; another one, up to a limit, when it is thinned out.
fn pose_anew<P: TaskProgram>(
    aim: &P::Aim,
    state: State<P>,
    rng: &mut SemanticRng,
) -> Result<Box<dyn Instance>, Rejected> {
    const POSES: u32 = 7;
    const THINNED: Rejected = Rejected("a shortcut answers every question that was posed");
    let (marks, query) = P::pose(aim, &state, rng)?;
    let mut instance = ProgramInstance::<P>::new(Item::<P> { state, marks, query });
    for _ in 0..POSES {
        let answered = || instance.guesses().iter().any(|(_, guess)| instance.accepts(guess));
        if P::THINNED_PERCENT == 0 || !answered() || !rng.percent(P::THINNED_PERCENT) {
            return Ok(Box::new(instance));
        }
        let (marks, query) = P::pose(aim, &instance.item.state, rng)?;
        if (&marks, &query) == (&instance.item.marks, &instance.item.query) {
            // A state that leaves no choice would give the same question for ever.
            return Err(THINNED);
        }
        instance = ProgramInstance::<P>::new(Item::<P> { state: instance.item.state, marks, query });
    }
    Err(THINNED)
}

struct ProgramInstance<P: TaskProgram> {
    item: Item<P>,
    outcome: OnceLock<Outcome<P::Evidence>>,
}

impl<P: TaskProgram> ProgramInstance<P> {
    fn new(item: Item<P>) -> Self {
        ProgramInstance { item, outcome: OnceLock::new() }
    }

    fn outcome(&self) -> &Outcome<P::Evidence> {
        self.outcome.get_or_init(|| {
            tracing::trace_span!("execute", task = P::INFO.id).in_scope(|| P::execute(&self.item))
        })
    }

    /// Whether a second computation agrees. Of plans there are many: two of one length agree when
    /// both reach the goal.
    fn agrees(&self, again: &Answer) -> bool {
        match (self.answer(), again) {
            (Answer::Plan(ours), Answer::Plan(theirs)) => ours.len() == theirs.len() && self.accepts(again),
            (answer, again) => answer == again,
        }
    }

    fn parse_style(&self, style: &str) -> Result<Style<P>, Error> {
        let style =
            serde_json::from_str(style).map_err(|e| Error::style(P::INFO.id, Flaw::new(e.to_string())))?;
        P::Scene::validate_style(&self.item.state, &style).map_err(|flaw| Error::style(P::INFO.id, flaw))?;
        Ok(style)
    }
}

impl<P: TaskProgram> Instance for ProgramInstance<P> {
    fn info(&self) -> &'static TaskInfo {
        &P::INFO
    }

    fn id(&self) -> Digest {
        instance_id::<P>(&self.item)
    }

    fn state_hash(&self) -> Digest {
        state_hash::<P::Scene>(&self.item.state)
    }

    fn item(&self) -> String {
        to_json(&self.item)
    }

    fn query(&self) -> String {
        to_json(&self.item.query)
    }

    fn answer(&self) -> &Answer {
        &self.outcome().answer
    }

    fn evidence(&self) -> String {
        to_json(&self.outcome().evidence)
    }

    fn domain(&self) -> Domain {
        P::domain(&self.item)
    }

    fn effort(&self) -> u64 {
        P::effort(&self.item)
    }

    fn budget(&self) -> Option<u32> {
        match self.domain() {
            Domain::Plan { at_most, .. } => Some(at_most as u32),
            _ => None,
        }
    }

    fn reference_length(&self) -> Option<u32> {
        match self.answer() {
            Answer::Plan(actions) => Some(actions.len() as u32),
            _ => None,
        }
    }

    fn style(&self, render_seed: u64, theme: Option<&str>) -> Result<String, Error> {
        let mut rng = RenderRng::from_seed(render_seed);
        // Drawn even when it is then replaced, so that the rest of the style stays the same.
        let drawn = *rng.pick(P::Scene::THEMES);
        let theme = match theme {
            None => drawn,
            Some(name) => ensure_theme::<P::Scene>(name).map_err(|flaw| Error::style(P::INFO.id, flaw))?,
        };
        Ok(to_json(&P::Scene::style(&self.item.state, theme, &mut rng)))
    }

    fn least_side(&self) -> u32 {
        P::Scene::least_side(&self.item.state)
    }

    fn prompt(&self, prompt_seed: u64, style: &str) -> Result<String, Error> {
        let style = self.parse_style(style)?;
        Ok(P::prompt(&self.item, &style, &mut PromptRng::from_seed(prompt_seed)))
    }

    fn draw(&self, style: &str) -> Result<Vec<Picture>, Error> {
        let style = self.parse_style(style)?;
        let span = tracing::trace_span!("draw", task = P::INFO.id);
        Ok(span.in_scope(|| P::Scene::draw(&self.item.state, &self.item.marks, &style)))
    }

    fn explain(&self, style: &str) -> Result<Vec<String>, Error> {
        let style = self.parse_style(style)?;
        Ok(P::explain(&self.item, self.outcome(), &style))
    }

    fn verifier(&self) -> Box<dyn Verifier> {
        Box::new(BoundVerifier::<P> {
            domain: self.domain(),
            item: self.item.clone(),
            right: self.answer().clone(),
        })
    }

    fn episode(
        &self,
        style: &str,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Result<Option<Box<dyn Episode>>, Error> {
        let style = self.parse_style(style)?;
        Ok(P::episode(&self.item, &style, options, prompt_seed))
    }

    fn guesses(&self) -> Vec<(&'static str, Answer)> {
        P::SHORTCUTS.iter().map(|s| (s.name, (s.guess)(&self.item))).collect()
    }

    fn accepts(&self, answer: &Answer) -> bool {
        P::accepts(&self.item, self.answer(), answer)
    }

    fn audit(&self) -> Result<(), Flaw> {
        let outcome = self.outcome();
        let again = P::recount(&self.item);
        ensure(self.agrees(&again), || {
            format!("the answer is {} but the recount says {}", outcome.answer.to_json(), again.to_json())
        })?;
        P::check(&self.item, outcome)?;
        ensure(self.accepts(&outcome.answer), || "the contract refuses the answer itself".to_owned())?;
        let domain = self.domain();
        let response = outcome.answer.to_response();
        ensure(
            matches!(reading::read(&response, &domain), Reading::Legal { ref answer, .. } if *answer == outcome.answer),
            || format!("the response {response} is not read as the answer"),
        )?;
        for other in domain.neighbors(&outcome.answer) {
            let forged = Outcome { answer: other, evidence: outcome.evidence.clone() };
            ensure(P::check(&self.item, &forged).is_err(), || {
                format!("the certificate also proves {}", forged.answer.to_json())
            })?;
        }
        Ok(())
    }

    fn check_evidence(&self, answer: &Answer, evidence: &str) -> Result<(), Flaw> {
        let evidence = serde_json::from_str(evidence)
            .map_err(|e| Flaw::new(format!("the evidence can't be read: {e}")))?;
        P::check(&self.item, &Outcome { answer: answer.clone(), evidence })
    }

    fn read_pixels(&self, style: &str, pictures: &[Raster]) -> Result<Option<Answer>, Error> {
        let style = self.parse_style(style)?;
        Ok(P::read_pixels(&self.item, &style, pictures))
    }
}

struct BoundVerifier<P: TaskProgram> {
    item: Item<P>,
    domain: Domain,
    right: Answer,
}

impl<P: TaskProgram> Verifier for BoundVerifier<P> {
    fn verify(&self, response: &str) -> Verdict {
        match reading::read(response, &self.domain) {
            Reading::Legal { layer, answer } => {
                let right = P::accepts(&self.item, &self.right, &answer);
                Verdict::judged(layer, answer.to_json(), right)
            }
            Reading::Refused { layer, reason, found } => Verdict::refused(layer, reason, found),
        }
    }
}

/// Hash of task, version, state, marks and query.
pub(crate) fn instance_id<P: TaskProgram>(item: &Item<P>) -> Digest {
    let Item::<P> { state, marks, query } = item;
    let version = P::INFO.version.to_string();
    let parts = [P::INFO.id, &version, &to_json(state), &to_json(marks), &to_json(query)];
    Digest::of("topotrace 2026 instance", &parts)
}

/// Hash of a scene's name and a state's canonical form.
pub(crate) fn state_hash<S: Scene>(state: &S::State) -> Digest {
    Digest::of("topotrace 2026 state", &[S::NAME, &to_json(&S::canonical(state))])
}

/// Draws an item's pictures, for code that knows the program's type.
pub(crate) fn draw_item<P: TaskProgram>(
    state: &State<P>,
    marks: &P::Marks,
    style: &Style<P>,
) -> Vec<Picture> {
    <P::Scene as Draw<P::Marks>>::draw(state, marks, style)
}

fn to_json<T: Datum>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data can be written as JSON")
}
