//! The checks of one record.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use topotrace_core::{
    Flaw, Instance, Raster, Record, RecordContext, Registry, Settings, Split, Task, Trace, ensure,
};
use topotrace_draw::{Rasterizer, png};

use super::GroupKey;
use crate::build::{in_pixels, measure, render};
use crate::error::chain;
use crate::gates::Observation;
use crate::manifest::{FileFacts, Manifest};
use crate::row::{Row, check_chunks, png_size};

/// What a record is compared with.
pub(super) struct Context<'a> {
    pub(super) registry: &'a Registry,
    pub(super) manifest: &'a Manifest,
    pub(super) facts: &'a FileFacts,
    /// The parameters of every group.
    pub(super) params: &'a BTreeMap<GroupKey, String>,
    pub(super) pictures: bool,
}

/// Adds everything that is wrong with `row` to `reasons`. Returns what it adds to the measures,
/// when it can be read at all.
pub(super) fn check(
    row: &Row,
    context: &Context<'_>,
    rasterizer: &mut Rasterizer,
    reasons: &mut Vec<String>,
) -> Option<Observation> {
    let mut note = |result: Result<(), String>| reasons.extend(result.err());
    note(check_place(&row.record, context).map_err(|flaw| flaw.to_string()));
    let opened = match Opened::new(&row.record, context) {
        Ok(opened) => opened,
        Err(reason) => {
            note(Err(reason));
            return None;
        }
    };
    note(opened.check_group(&row.record, context).map_err(|flaw| flaw.to_string()));
    note(opened.check_state_replay(&row.record, context));
    note(opened.check_seed_replay());
    note(opened.check_certificate(&row.record));
    note(opened.instance.audit().map_err(|flaw| format!("the audit fails: {flaw}")));
    note(opened.check_pictures(row, context, rasterizer));
    let mut seen = Observation::of(&*opened.instance);
    for (picture, boxes) in row.pictures.iter().zip(&opened.trace.boxes) {
        seen.add_picture(png_size(picture).unwrap_or_default(), picture.len(), boxes);
    }
    Some(seen)
}

/// Split, seed and configuration.
fn check_place(record: &Record, context: &Context<'_>) -> Result<(), Flaw> {
    let (owner, facts) = (Split::of(record.state_hash), context.facts);
    ensure(record.split == owner, || format!("its state belongs to {owner}, not to {}", record.split))?;
    ensure(record.split == facts.split, || {
        format!("a record of {} in a file of {}", record.split, facts.split)
    })?;
    ensure(record.seed == context.manifest.seed, || {
        format!("its build seed is {}, the manifest says {}", record.seed, context.manifest.seed)
    })?;
    let config = context.manifest.groups.iter().find(|group| group.task == record.task);
    ensure(config.is_some_and(|group| group.config == facts.config), || {
        format!("{} does not belong to the configuration {}", record.task, facts.config)
    })
}

/// A record with all that can be made from it.
struct Opened {
    task: &'static dyn Task,
    trace: Trace,
    settings: Settings,
    theme: Option<String>,
    instance: Box<dyn Instance>,
}

impl Opened {
    fn new(record: &Record, context: &Context<'_>) -> Result<Self, String> {
        let task = context.registry.get(&record.task).map_err(|e| chain(&e))?;
        let trace = record.parse_trace().map_err(|e| chain(&e))?;
        let params: BTreeMap<String, Box<RawValue>> = serde_json::from_str(trace.params.get())
            .map_err(|e| format!("the recorded parameters can't be read: {e}"))?;
        let overrides = params.into_iter().map(|(name, value)| (name, value.get().to_owned())).collect();
        let settings = Settings { difficulty: record.difficulty, overrides };
        let instance = task.load(trace.item.get()).map_err(|e| chain(&e))?;
        Ok(Opened { task, trace, settings, theme: context.manifest.theme.clone(), instance })
    }

    /// The record was made by the manifest's generator from its group's parameters.
    fn check_group(&self, record: &Record, context: &Context<'_>) -> Result<(), Flaw> {
        let (found, wanted) = (&self.trace.generator, &context.manifest.generator);
        ensure(found == wanted, || format!("it was made by {found}, the manifest says {wanted}"))?;
        let key = (record.task.clone(), record.difficulty.value().to_bits(), record.split);
        let params = self.trace.params.get();
        ensure(context.params.get(&key).is_none_or(|wanted| wanted == params), || {
            format!("its parameters {params} are not those of its group")
        })
    }

    /// Every field follows from the recorded state, seeds, parameters and style.
    fn check_state_replay(&self, record: &Record, context: &Context<'_>) -> Result<(), String> {
        let build_seed = context
            .manifest
            .seed
            .parse()
            .map_err(|_| format!("the manifest's seed {:?} is no number", context.manifest.seed))?;
        let again = Record::new(
            &*self.instance,
            RecordContext {
                generator: &self.trace.generator,
                build_seed,
                settings: &self.settings,
                params: self.trace.params.get(),
                seeds: self.trace.seeds,
                style: self.trace.style.get(),
                boxes: &self.trace.boxes,
            },
        );
        record.ensure_same(&again.map_err(|e| chain(&e))?).map_err(|flaw| flaw.to_string())
    }

    /// State, marks and query follow from the seeds and the parameters; so does the style.
    fn check_seed_replay(&self) -> Result<(), String> {
        let generator = self.task.generator(&self.settings).map_err(|e| chain(&e))?;
        let seeds = &self.trace.seeds;
        let again = generator
            .attempt(seeds, &|_| true)
            .map_err(|rejected| format!("its seeds give no instance: {}", rejected.0))?;
        if generator.params() != self.trace.params.get() {
            return Err(format!("its parameters are written as {}", generator.params()));
        }
        if again.item() != self.trace.item.get() {
            return Err(format!("its seeds give another instance, {}", again.id()));
        }
        let style = again.style(seeds.render, self.theme.as_deref()).map_err(|e| chain(&e))?;
        if style == self.trace.style.get() {
            Ok(())
        } else {
            Err(format!("its seeds give the style {style}"))
        }
    }

    fn check_certificate(&self, record: &Record) -> Result<(), String> {
        let answer = record.parse_answer().map_err(|flaw| flaw.to_string())?;
        let evidence = self.trace.evidence.get();
        self.instance
            .check_evidence(&answer, evidence)
            .map_err(|flaw| format!("the certificate does not prove the answer: {flaw}"))
    }

    fn check_pictures(
        &self,
        row: &Row,
        context: &Context<'_>,
        rasterizer: &mut Rasterizer,
    ) -> Result<(), String> {
        let (found, wanted) = (row.pictures.len(), self.instance.info().pictures);
        if found != wanted {
            return Err(format!("it has {found} pictures, {wanted} are needed"));
        }
        if !context.pictures {
            let side = context.manifest.side;
            let mut pictures = row.pictures.iter().enumerate();
            return pictures.try_for_each(|(index, bytes)| {
                check_unseen(bytes, side).map_err(|reason| format!("picture {index} {reason}"))
            });
        }
        let drawings = self.instance.draw(self.trace.style.get()).map_err(|e| chain(&e))?;
        let rasters = render(rasterizer, &drawings, context.manifest.side)?;
        let sizes: Vec<_> = rasters.iter().map(|raster| (raster.width, raster.height)).collect();
        if in_pixels(measure(rasterizer, &drawings)?, &drawings, &sizes) != self.trace.boxes {
            return Err("the marks are not where its boxes say".to_owned());
        }
        for (index, (bytes, raster)) in row.pictures.iter().zip(&rasters).enumerate() {
            compare(bytes, raster).map_err(|reason| format!("picture {index} {reason}"))?;
        }
        Ok(())
    }
}

/// What can be said of a picture that is not drawn again.
fn check_unseen(bytes: &[u8], side: u32) -> Result<(), String> {
    let (width, height) = png_size(bytes).ok_or("is no 8-bit RGB PNG")?;
    if width.max(height) != side {
        return Err(format!("has {width}x{height} pixels, the longer side is {side}"));
    }
    check_chunks(bytes)
}

/// Demands that a PNG shows the same pixels, one level a channel apart at most: what rounding on
/// another processor may do.
pub(super) fn compare(bytes: &[u8], raster: &Raster) -> Result<(), String> {
    // Asked before anything is decoded, so that a hostile header can't claim memory.
    let size = png_size(bytes).ok_or("is no 8-bit RGB PNG")?;
    if size != (raster.width, raster.height) {
        return Err(format!(
            "has {}x{} pixels instead of {}x{}",
            size.0, size.1, raster.width, raster.height
        ));
    }
    check_chunks(bytes)?;
    let stored = png::decode(bytes).map_err(|e| format!("can't be decoded: {}", chain(&e)))?;
    let apart = |(ours, theirs): (&[u8], &[u8])| ours.iter().zip(theirs).any(|(a, b)| a.abs_diff(*b) > 1);
    let pixels = || stored.rgb.chunks_exact(3).zip(raster.rgb.chunks_exact(3));
    match pixels().position(apart) {
        None => Ok(()),
        Some(first) => {
            let (x, y) = (first as u32 % raster.width, first as u32 / raster.width);
            let count = pixels().filter(|pair| apart(*pair)).count();
            Err(format!("is drawn differently in {count} pixels, the first at ({x}, {y})"))
        }
    }
}
