//! The rules that every task keeps, as one public check.
//!
//! Outside crates run [`check`] on their own tasks; this project's tests run it over the whole
//! registry.

mod episodes;
mod hostile;

use std::collections::BTreeSet;
use std::fmt;

use crate::answer::Answer;
use crate::flaw::Flaw;
use crate::generate::{Generator, Settings};
use crate::info::{Contract, TaskKind};
use crate::level::Level;
use crate::picture::Picture;
use crate::random::SemanticRng;
use crate::seeds::Seeds;
use crate::task::{Instance, Task};

/// Everything that a task was found to break.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    findings: Vec<(&'static str, String)>,
}

impl Findings {
    /// The names of the rules that were broken, without repeats.
    pub fn rules(&self) -> BTreeSet<&'static str> {
        self.findings.iter().map(|(rule, _)| *rule).collect()
    }

    fn add(&mut self, rule: &'static str, detail: impl fmt::Display) {
        const EXAMPLES: usize = 3;
        if self.findings.iter().filter(|(known, _)| *known == rule).count() < EXAMPLES {
            self.findings.push((rule, detail.to_string()));
        }
    }

    fn demand(&mut self, rule: &'static str, holds: bool, detail: impl FnOnce() -> String) {
        if !holds {
            self.add(rule, detail());
        }
    }

    fn take<T, E: std::error::Error>(&mut self, rule: &'static str, result: Result<T, E>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
                self.add(rule, format!("{error}{cause}"));
                None
            }
        }
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rule, detail) in &self.findings {
            writeln!(f, "{rule}: {detail}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Findings {}

/// Checks a task on a few seeds of every tier.
///
/// # Errors
/// Lists every rule that was broken, with up to three examples each.
pub fn check(task: &dyn Task) -> Result<(), Findings> {
    check_seeds(task, 0..4)
}

/// Checks a task on the given seeds of every tier.
///
/// # Errors
/// Lists every rule that was broken, with up to three examples each.
pub fn check_seeds(task: &dyn Task, seeds: std::ops::Range<u64>) -> Result<(), Findings> {
    let mut findings = Findings::default();
    check_facts(task, &mut findings);
    let mut ids = BTreeSet::new();
    let mut made = 0;
    for level in Level::ALL {
        let Some(generator) = findings.take("settings", task.generator(&level.into())) else { continue };
        for seed in seeds.clone() {
            let Some((seeds, instance)) = findings.take("generate", generator.generate(seed)) else {
                continue;
            };
            made += 1;
            ids.insert(instance.id());
            check_replay(task, &*generator, &seeds, &*instance, &mut findings);
            findings.take("audit", instance.audit());
            check_contract(&*instance, &mut findings);
            check_prompt(&*instance, &seeds, &mut findings);
            check_pictures(task, &*instance, &seeds, &mut findings);
            hostile::check(task, &*instance, &mut findings);
            episodes::check(&*instance, &seeds, &mut findings);
        }
    }
    findings.demand("neighboring seeds", ids.len() * 10 >= made * 9, || {
        format!("{made} seeds gave only {} different instances", ids.len())
    });
    if findings.findings.is_empty() { Ok(()) } else { Err(findings) }
}

fn check_facts(task: &dyn Task, findings: &mut Findings) {
    let info = task.info();
    let part = |s: &str| !s.is_empty() && s.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let parts: Vec<&str> = info.id.split('/').collect();
    findings.demand("facts", parts.len() <= 2 && parts.iter().all(|p| part(p)), || {
        format!("id {:?} is not scene or scene/question in lower case", info.id)
    });
    findings.demand("facts", info.version >= 1, || "version 0 is not allowed".to_owned());
    findings.demand("facts", (1..=8).contains(&info.units), || {
        format!("units {} is not from 1 to 8", info.units)
    });
    findings.demand("facts", info.pictures >= 1, || "there are no pictures".to_owned());
    findings.demand("facts", (info.contract == Contract::Plan) == (info.kind == TaskKind::Planning), || {
        "the plan contract belongs to planning tasks".to_owned()
    });
    let shortcuts: BTreeSet<_> = task.shortcuts().into_iter().collect();
    findings.demand("facts", shortcuts.len() >= 3 && shortcuts.len() == task.shortcuts().len(), || {
        format!("{} differently named shortcut solvers, at least 3 are wanted", shortcuts.len())
    });
    let mut unknown = Settings::from(Level::Easy);
    unknown.overrides.insert("no such parameter".into(), "1".into());
    findings.demand("settings", task.generator(&unknown).is_err_and(|e| e.is_invalid_settings()), || {
        "an unknown parameter is not refused".to_owned()
    });
}

fn check_replay(
    task: &dyn Task,
    generator: &dyn Generator,
    seeds: &Seeds,
    instance: &dyn Instance,
    findings: &mut Findings,
) {
    let elsewhere = Seeds { render: !seeds.render, prompt: !seeds.prompt, ..*seeds };
    match generator.attempt(&elsewhere, &|_| true) {
        Err(rejected) => findings.add("replay from seeds", rejected.0),
        Ok(again) => findings.demand("replay from seeds", again.item() == instance.item(), || {
            format!("instance {} is another one when looks and wording change", instance.id())
        }),
    }
    if let Some(loaded) = findings.take("replay from state", task.load(&instance.item())) {
        let same = loaded.item() == instance.item()
            && loaded.id() == instance.id()
            && loaded.state_hash() == instance.state_hash()
            && loaded.answer() == instance.answer()
            && loaded.evidence() == instance.evidence();
        findings.demand("replay from state", same, || {
            format!("instance {} changes in a round trip", instance.id())
        });
    }
    findings.take("replay from state", instance.check_evidence(instance.answer(), &instance.evidence()));
}

fn check_contract(instance: &dyn Instance, findings: &mut Findings) {
    let verifier = instance.verifier();
    let domain = instance.domain();
    findings.demand("contract", domain.kind() == instance.info().answer, || {
        "the domain is of another kind than the declared answer".to_owned()
    });
    let verdict = verifier.verify(&instance.answer().to_response());
    findings.demand("contract", verdict.right && verdict.rewards.formatted == 1.0, || {
        format!("the right answer gets {verdict:?}")
    });
    for other in domain.neighbors(instance.answer()) {
        let verdict = verifier.verify(&other.to_response());
        findings.demand("contract", verdict.right == (verdict.legal && instance.accepts(&other)), || {
            format!("{} gets {verdict:?}", other.to_json())
        });
        let wrong = instance.info().contract == Contract::Equal && verdict.right;
        findings.demand("contract", !wrong, || format!("a second answer is right: {}", other.to_json()));
    }
    for response in hostile::RESPONSES {
        let verdict = verifier.verify(response);
        findings.demand("contract", !verdict.right, || format!("{response:?} is right"));
    }
    for (name, guess) in instance.guesses() {
        findings.demand("shortcuts", guess.kind() == domain.kind(), || {
            format!("solver {name:?} guesses {}", guess.to_json())
        });
    }
}

fn check_prompt(instance: &dyn Instance, seeds: &Seeds, findings: &mut Findings) {
    let Some(style) = findings.take("style", instance.style(seeds.render, None)) else { return };
    let mut wordings = BTreeSet::new();
    for seed in 0..12 {
        let Some(prompt) = findings.take("prompt", instance.prompt(seed, &style)) else { return };
        findings.demand("prompt", prompt.contains(&instance.domain().sentence()), || {
            format!("the legal values and the answer's shape are missing in {prompt:?}")
        });
        findings.demand("prompt", !prompt.contains(&instance.answer().to_response()), || {
            "the right response stands in the prompt".to_owned()
        });
        for leak in ["easy", "medium", "hard", "seed", "difficulty", "{}"] {
            findings.demand("prompt", !words(&prompt).any(|word| word == leak), || {
                format!("{leak:?} stands in the prompt")
            });
        }
        wordings.insert(prompt);
    }
    findings
        .demand("prompt", wordings.len() >= 3, || format!("only {} wordings in 12 seeds", wordings.len()));
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == '.' || c == ',')
}

fn check_pictures(task: &dyn Task, instance: &dyn Instance, seeds: &Seeds, findings: &mut Findings) {
    for theme in task.themes() {
        let drawn = instance.style(seeds.render, Some(theme)).and_then(|style| {
            let (once, twice) = (instance.draw(&style)?, instance.draw(&style)?);
            Ok((once, twice, instance.explain(&style)?))
        });
        let Some((pictures, again, overlays)) = findings.take("pictures", drawn) else { continue };
        findings
            .demand("pictures", pictures == again, || format!("theme {theme} draws differently each time"));
        findings.demand("pictures", pictures.len() == instance.info().pictures, || {
            format!("{} pictures, {} declared", pictures.len(), instance.info().pictures)
        });
        for picture in &pictures {
            let sound = picture.width >= 64 && picture.height >= 64 && !has_unsound_number(&picture.svg);
            findings.demand("pictures", sound, || format!("theme {theme}: size or numbers are unsound"));
            let names: BTreeSet<_> = picture.marks.iter().map(|mark| &mark.name).collect();
            let colors: BTreeSet<_> = picture.marks.iter().map(|mark| mark.identity).collect();
            let distinct = names.len() == picture.marks.len() && colors.len() == picture.marks.len();
            findings.demand("pictures", distinct && !colors.contains(&[0, 0, 0]), || {
                format!("theme {theme}: two marks share a name or an identity color, or one is black")
            });
        }
        check_overlays(theme, &pictures, &overlays, findings);
    }
    let unknown = instance.style(seeds.render, Some("no such theme"));
    findings.demand("style", unknown.is_err(), || "an unknown theme is not refused".to_owned());
    for style in ["", "null", "{}", "[1]"] {
        findings.demand("style", instance.draw(style).is_err(), || format!("the style {style:?} is drawn"));
        findings.demand("style", instance.explain(style).is_err(), || {
            format!("the style {style:?} is laid over")
        });
    }
}

/// Where a certificate is drawn, there is an overlay a picture, which lies on it edge to edge.
/// Whether it can be rendered is for crates to test that render.
fn check_overlays(theme: &str, pictures: &[Picture], overlays: &[String], findings: &mut Findings) {
    findings.demand("overlays", overlays.is_empty() || overlays.len() == pictures.len(), || {
        format!("theme {theme}: {} overlays over {} pictures", overlays.len(), pictures.len())
    });
    for (picture, overlay) in pictures.iter().zip(overlays) {
        let view = format!("viewBox=\"0 0 {} {}\"", picture.width, picture.height);
        let tag = overlay.split_once('>').map_or("", |(tag, _)| tag);
        let whole = tag.starts_with("<svg ") && overlay.trim_end().ends_with("</svg>");
        findings.demand("overlays", whole && tag.contains(&view) && !has_unsound_number(overlay), || {
            format!("theme {theme}: an overlay is no SVG document with {view}, or its numbers are unsound")
        });
    }
}

/// Whether a text holds a number that is not finite or is written with an exponent.
fn has_unsound_number(svg: &str) -> bool {
    let of_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '#');
    let exponent = |token: &str| {
        let number = token.trim_start_matches('-');
        number.starts_with(|c: char| c.is_ascii_digit()) && number.contains('e')
    };
    svg.contains("NaN") || svg.contains("\"inf") || svg.split(|c| !of_number(c)).any(exponent)
}

/// A generator for the checks' own choices.
fn local_rng(instance: &dyn Instance) -> SemanticRng {
    SemanticRng::from_seed(instance.id().high())
}

/// Demands of any loaded instance that everything it can do ends without a panic.
fn exercise(instance: &dyn Instance) -> Result<(), Flaw> {
    let answer: Answer = instance.answer().clone();
    let _ = (instance.evidence(), instance.effort(), instance.guesses(), instance.domain().sentence());
    let _ = instance.verifier().verify(&answer.to_response());
    let style = instance.style(1, None).map_err(|e| Flaw::new(e.to_string()))?;
    let _ = instance.draw(&style).map(|pictures| pictures.len());
    let _ = instance.explain(&style).map(|overlays| overlays.len());
    let _ = instance.prompt(1, &style).map(|prompt| prompt.len());
    instance.audit()
}
