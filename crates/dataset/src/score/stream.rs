use std::io::{self, BufRead, Write};
use std::num::NonZeroUsize;
use std::rc::Rc;

use lru::LruCache;
use serde::Serialize;
use serde_json::value::RawValue;
use topotrace_core::{Digest, Flaw, Layer, Reason, Registry, Verdict, Verifier, ensure};

use super::fields::{Fields, SHOWN, shorten};
use super::lines::{LONGEST_LINE, Lines};
use super::questions::{Found, Questions};
use super::scores::missing;

/// How many instances are kept ready to judge. Preparing one takes ten times as long as judging.
pub const CACHED_VERIFIERS: usize = 4096;

/// The longest error, in characters.
const LONGEST_ERROR: usize = 400;

/// What is said of one line. Always the same keys. Where there is an `error`, nothing is said of
/// the response: each reward and everything between is null.
#[derive(Debug, Serialize)]
pub struct Answered {
    /// The id in the line, or that of the instance which the line itself holds.
    pub id: Option<String>,
    /// The line's `request`, as it was.
    pub request: Option<Box<RawValue>>,
    /// Whether the answer is right.
    pub right: Option<bool>,
    /// Whether an answer was read that is legal for the instance.
    pub legal: Option<bool>,
    /// The layer that spoke; null also when none did.
    pub layer: Option<Layer>,
    /// Why the verdict is what it is.
    pub reason: Option<Reason>,
    /// The answer that was read, as canonical JSON text; null also when there was none.
    pub answer: Option<String>,
    /// The rewards.
    pub rewards: RewardsGiven,
    /// What is wrong with the line.
    pub error: Option<String>,
}

/// The rewards of a response; none for a line that could not be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RewardsGiven {
    /// 1 when right, otherwise 0.
    pub exact: Option<f64>,
    /// 0.95 when right plus 0.05 when a legal value was read by the strict layer.
    pub formatted: Option<f64>,
    /// 1 when right, 0 when readable and legal but wrong, −0.1 otherwise.
    pub penalised: Option<f64>,
}

/// An instance that is ready to judge.
struct Ready {
    id: Digest,
    verifier: Box<dyn Verifier>,
}

/// Judges responses line by line.
///
/// A line is a JSON object. It holds a `response` and either the `id` of a row or the `task` and
/// the `item` of an instance, and may hold a `request` of any kind that comes back with the answer.
pub struct Stream<'a> {
    registry: &'a Registry,
    questions: &'a Questions,
    ready: LruCache<Digest, Rc<Ready>>,
}

impl<'a> Stream<'a> {
    /// A judge of the `questions` and of whatever instances the lines hold themselves.
    pub fn new(registry: &'a Registry, questions: &'a Questions) -> Self {
        let capacity = NonZeroUsize::new(CACHED_VERIFIERS).expect("the cache has room");
        Stream { registry, questions, ready: LruCache::new(capacity) }
    }

    /// Answers every line of `input` with one line, in order and at once, and ends with the input.
    ///
    /// # Errors
    /// When the input can't be read or the output not be written.
    pub fn serve(&mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for line in Lines::new(input, LONGEST_LINE) {
            let answered = match line?.text {
                Some(text) => self.answer(&text),
                None => {
                    let flaw = Flaw::new(format!("the line is longer than {LONGEST_LINE} bytes"));
                    Answered::new(None, None, Err(flaw))
                }
            };
            let mut text = serde_json::to_vec(&answered).expect("plain data can be written as JSON");
            text.push(b'\n');
            output.write_all(&text)?;
            output.flush()?;
        }
        Ok(())
    }

    /// Answers one line, whatever its bytes are.
    pub fn answer(&mut self, line: &[u8]) -> Answered {
        let fields = match Fields::of(line) {
            Ok(fields) => fields,
            Err(flaw) => return Answered::new(None, None, Err(flaw)),
        };
        let mut id = fields.id().unwrap_or_default();
        let verdict = self.judge(&fields, &mut id);
        Answered::new(id, fields.request.map(echo), verdict)
    }

    /// The verdict on a line, which names its instance in `id` when it does not itself.
    fn judge(&mut self, fields: &Fields<'_>, id: &mut Option<String>) -> Result<Verdict, Flaw> {
        let (named, response) = (fields.id()?, fields.response()?);
        let ready = match (fields.item()?, named) {
            (Some(item), named) => {
                let task = fields.task()?.ok_or_else(|| Flaw::new("there is an item but no task"))?;
                let ready = self.load(&task, &item)?;
                let found = ready.id.to_string();
                if let Some(named) = named {
                    ensure(named == found, || {
                        format!("id is {} but the item has {found}", shorten(&named, SHOWN))
                    })?;
                }
                *id = Some(found);
                ready
            }
            (None, Some(named)) => self.find(&named)?,
            (None, None) => return Err(Flaw::new("there is neither an id nor an item")),
        };
        Ok(response.map_or_else(missing, |response| ready.verifier.verify(&response)))
    }

    fn find(&mut self, id: &str) -> Result<Rc<Ready>, Flaw> {
        let question = match self.questions.find(id) {
            Found::Row(at) => &self.questions.rows()[at],
            Found::Unselected => return Err(Flaw::new(format!("id {id} is that of a row not selected"))),
            Found::Unknown => return Err(Flaw::new(format!("id {:?} is unknown", shorten(id, SHOWN)))),
        };
        let make = || Rc::new(Ready { id: question.id, verifier: question.verifier() });
        Ok(Rc::clone(self.ready.get_or_insert(question.id, make)))
    }

    fn load(&mut self, task: &str, item: &str) -> Result<Rc<Ready>, Flaw> {
        let key = Digest::of("topotrace 2026 item in a line", &[task, item]);
        let make = || -> Result<Rc<Ready>, topotrace_core::Error> {
            let instance = self.registry.get(task)?.load(item)?;
            Ok(Rc::new(Ready { id: instance.id(), verifier: instance.verifier() }))
        };
        let ready = self.ready.try_get_or_insert(key, make).map_err(flaw)?;
        Ok(Rc::clone(ready))
    }
}

impl Answered {
    fn new(id: Option<String>, request: Option<Box<RawValue>>, outcome: Result<Verdict, Flaw>) -> Self {
        let (verdict, error) = match outcome {
            Ok(verdict) => (Some(verdict), None),
            Err(flaw) => (None, Some(shorten(&flaw.to_string(), LONGEST_ERROR))),
        };
        let rewards = verdict.as_ref().map_or_else(RewardsGiven::default, |verdict| RewardsGiven {
            exact: Some(verdict.rewards.exact),
            formatted: Some(verdict.rewards.formatted),
            penalised: Some(verdict.rewards.penalised),
        });
        Answered {
            id,
            request,
            right: verdict.as_ref().map(|verdict| verdict.right),
            legal: verdict.as_ref().map(|verdict| verdict.legal),
            layer: verdict.as_ref().and_then(|verdict| verdict.layer),
            reason: verdict.as_ref().map(|verdict| verdict.reason),
            answer: verdict.and_then(|verdict| verdict.answer),
            rewards,
            error,
        }
    }
}

/// Why an item can't be loaded, in one line.
fn flaw(error: topotrace_core::Error) -> Flaw {
    match std::error::Error::source(&error) {
        Some(cause) => Flaw::new(format!("{error}: {cause}")),
        None => Flaw::new(error.to_string()),
    }
}

/// The value as it was. Between its parts there may be carriage returns, which many readers take
/// for the end of a line; in JSON they are nothing but white space.
fn echo(request: &RawValue) -> Box<RawValue> {
    RawValue::from_string(request.get().replace('\r', " ")).expect("JSON stays JSON")
}
