//! The data of the page, as a script that a page from a file may load.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use topotrace_core::{Instance, Record, Registry, Seeds, Trace};

use super::plots::TaskPlots;
use super::samples;
use super::stage::Stage;
use super::tallies::Tallies;
use crate::error::Error;
use crate::row::png_size;
use crate::{Manifest, Row};

/// An instance on the page.
#[derive(Serialize)]
pub(super) struct Shown {
    id: String,
    state_hash: String,
    task: String,
    property: &'static str,
    level: String,
    difficulty: f64,
    split: &'static str,
    /// The theme's name, where the style has one.
    theme: Option<String>,
    /// The query as JSON text.
    query: String,
    pictures: Vec<ShownPicture>,
    prompt: String,
    /// A perfect response.
    response: String,
    /// The certificate as JSON text.
    evidence: String,
    domain: String,
    operations: Vec<String>,
    effort: u64,
    chance: Option<f64>,
    budget: Option<u32>,
    reference_length: Option<u32>,
    seed: String,
    seeds: Seeds,
    /// The shortcut solvers and whether their guesses are right; `None` where the task is unknown.
    shortcuts: Option<Vec<(&'static str, bool)>>,
}

#[derive(Serialize)]
struct ShownPicture {
    file: String,
    width: u32,
    height: u32,
    /// The certificate drawn, where the task draws one.
    overlay: Option<String>,
    /// Name, left, top, width and height of each visible mark, in pixels.
    boxes: Vec<(String, u32, u32, u32, u32)>,
}

impl Shown {
    /// Writes an instance's pictures and overlays.
    pub(super) fn write(row: &Row, registry: &Registry, stage: &mut Stage) -> Result<Self, Error> {
        let record = &row.record;
        let failed = |source| Error::record(record.id, source);
        let trace = record.parse_trace().map_err(failed)?;
        let instance = load(record, &trace, registry)?;
        let overlays = match &instance {
            Some(instance) => instance.explain(trace.style.get()).map_err(|e| Error::record(record.id, e))?,
            None => Vec::new(),
        };
        let mut pictures = Vec::new();
        for (index, bytes) in row.pictures.iter().enumerate() {
            let name = row.picture_name(index);
            let (width, height) = png_size(bytes)
                .ok_or_else(|| Error::record(record.id, format!("picture {index} is no 8-bit RGB PNG")))?;
            let file = format!("pictures/{name}");
            stage.write(&file, bytes)?;
            let overlay = overlays.get(index).map(|svg| {
                let file = format!("overlays/{}.svg", name.trim_end_matches(".png"));
                stage.write(&file, svg.as_bytes()).map(|()| file)
            });
            let boxes = trace.boxes.get(index).map_or(&[][..], Vec::as_slice);
            let boxes = boxes.iter().filter(|mark| mark.width > 0 && mark.height > 0);
            pictures.push(ShownPicture {
                file,
                width,
                height,
                overlay: overlay.transpose()?,
                boxes: boxes.map(|m| (m.name.clone(), m.x, m.y, m.width, m.height)).collect(),
            });
        }
        let shortcuts = instance.map(|instance| {
            let guesses = instance.guesses().into_iter();
            guesses.map(|(name, guess)| (name, instance.accepts(&guess))).collect()
        });
        Ok(Shown {
            id: record.id.to_string(),
            state_hash: record.state_hash.to_string(),
            task: record.task.clone(),
            property: record.property.name(),
            level: record.level.clone(),
            difficulty: record.difficulty.value(),
            split: record.split.name(),
            theme: theme(trace.style.get()),
            query: record.query.clone(),
            pictures,
            prompt: record.prompt.clone(),
            response: record.parse_answer().map_err(failed)?.to_response(),
            evidence: trace.evidence.get().to_owned(),
            domain: record.domain.clone(),
            operations: record.operations.clone(),
            effort: record.effort,
            chance: record.chance,
            budget: record.budget,
            reference_length: record.reference_length,
            seed: record.seed.clone(),
            seeds: trace.seeds,
            shortcuts,
        })
    }

    /// Whether a certificate is drawn on every picture.
    pub(super) fn is_explained(&self) -> bool {
        self.pictures.iter().all(|picture| picture.overlay.is_some())
    }

    /// By task, difficulty and split; within these, the order of the rows is kept.
    fn order(&self) -> (String, u64, usize) {
        let split = topotrace_core::Split::ALL.into_iter().find(|split| split.name() == self.split);
        (self.task.clone(), self.difficulty.to_bits(), split.map_or(0, samples::preference))
    }
}

/// The instance of a record; `None` where the registry has no such task or another version of it.
fn load(record: &Record, trace: &Trace, registry: &Registry) -> Result<Option<Box<dyn Instance>>, Error> {
    let known = registry.get(&record.task).ok().filter(|task| task.info().version == record.task_version);
    let Some(task) = known else { return Ok(None) };
    task.load(trace.item.get()).map(Some).map_err(|e| Error::record(record.id, e))
}

/// The theme that a style names.
fn theme(style: &str) -> Option<String> {
    let style: Value = serde_json::from_str(style).ok()?;
    Some(style.get("theme")?.as_str()?.to_owned())
}

/// Everything that the page shows.
#[derive(Serialize)]
pub(super) struct Page {
    title: String,
    generator: String,
    seed: String,
    rows: u64,
    tasks: Vec<ShownTask>,
    instances: Vec<Shown>,
    /// Task, tier, reason and count.
    rejections: Vec<(String, String, String, u64)>,
}

#[derive(Serialize)]
struct ShownTask {
    id: String,
    property: Option<&'static str>,
    kind: Option<&'static str>,
    /// What is asked, in a sentence; empty where the task is unknown.
    summary: &'static str,
    /// Name, number of rows and number of instances on the page, by difficulty.
    levels: Vec<(String, u64, u64)>,
    /// The queries that are worth a filter, as JSON text.
    queries: Vec<String>,
    plots: Option<TaskPlots>,
}

impl Page {
    /// The page of a dataset.
    pub(super) fn new(
        manifest: &Manifest,
        registry: &Registry,
        tallies: &Tallies,
        mut instances: Vec<Shown>,
        mut plots: BTreeMap<String, TaskPlots>,
    ) -> Self {
        instances.sort_by_key(Shown::order);
        let mut levels: BTreeMap<&str, BTreeMap<u64, (String, u64, u64)>> = BTreeMap::new();
        for group in &manifest.groups {
            let task = levels.entry(&group.task).or_default();
            let level = task.entry(group.difficulty.to_bits());
            level.or_insert_with(|| (group.level.clone(), 0, 0)).1 += u64::from(group.count);
        }
        for instance in &instances {
            let task = levels.get_mut(instance.task.as_str());
            if let Some(level) = task.and_then(|task| task.get_mut(&instance.difficulty.to_bits())) {
                level.2 += 1;
            }
        }
        let tasks = levels.into_iter().map(|(id, levels)| {
            let info = registry.get(id).ok().map(|task| task.info());
            ShownTask {
                id: id.to_owned(),
                property: info.map(|info| info.property.name()),
                kind: info.map(|info| info.kind.name()),
                summary: info.map_or("", |info| info.summary),
                levels: levels.into_values().collect(),
                queries: tallies.queries(id).into_iter().map(str::to_owned).collect(),
                plots: plots.remove(id),
            }
        });
        let rejections = manifest.statistics.iter().flat_map(|s| {
            let of_tier = s.rejections.iter();
            of_tier.map(|(reason, count)| (s.task.clone(), s.level.clone(), reason.clone(), *count))
        });
        Page {
            title: manifest.preset.as_ref().map_or_else(|| "dataset".to_owned(), Clone::clone),
            generator: manifest.generator.clone(),
            seed: manifest.seed.clone(),
            rows: manifest.rows(),
            tasks: tasks.collect(),
            instances,
            rejections: rejections.collect(),
        }
    }

    /// The page's data as a script.
    pub(super) fn to_script(&self) -> String {
        let json = serde_json::to_string(self).expect("plain data can be written as JSON");
        format!("\"use strict\";\nconst GALLERY = {json};\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_may_name_its_theme() {
        assert_eq!(theme(r#"{"theme":"sand","margin":3}"#).as_deref(), Some("sand"));
        assert_eq!(theme("[1]"), None);
    }
}
