//! The checks of what the manifest says by itself.

use std::collections::BTreeMap;

use topotrace_core::{Difficulty, Flaw, GENERATOR, Registry, Settings, ensure};
use topotrace_draw::PngEffort;

use super::GroupKey;
use crate::error::chain;
use crate::manifest::{GroupFacts, Manifest, png_name};
use crate::plan::{Group, Plan, PlanOptions};
use crate::preset::Preset;

/// Adds everything to `reasons` that no build would have written.
pub(super) fn check(manifest: &Manifest, registry: &Registry, reasons: &mut Vec<String>) {
    let mut note = |result: Result<(), String>| reasons.extend(result.err());
    note(check_names(manifest).map_err(|flaw| flaw.to_string()));
    note(check_order(manifest).map_err(|flaw| flaw.to_string()));
    match plan(manifest, registry) {
        Err(reason) => note(Err(reason)),
        Ok(plan) => {
            let wanted = Manifest::begun(&plan, PngEffort::Fast).groups;
            compare(&manifest.groups, &wanted).into_iter().for_each(|reason| note(Err(reason)));
        }
    }
}

fn check_names(manifest: &Manifest) -> Result<(), Flaw> {
    ensure(manifest.complete, || "the build did not come to its end".to_owned())?;
    ensure(manifest.generator.starts_with("topotrace "), || {
        format!("generator {:?} is not topotrace and its version", manifest.generator)
    })?;
    let efforts = [PngEffort::Fast, PngEffort::Small].map(png_name);
    ensure(efforts.contains(&manifest.png.as_str()), || {
        format!("png {:?} is neither {}", manifest.png, efforts.join(" nor "))
    })
}

/// The files come in the order in which they are built.
fn check_order(manifest: &Manifest) -> Result<(), Flaw> {
    let place = |at: usize| (manifest.files[at].config.as_str(), manifest.files[at].split);
    let wrong = (1..manifest.files.len()).find(|&at| place(at - 1) > place(at));
    wrong.map_or(Ok(()), |at| {
        Err(Flaw::new(format!("{} stands after {}", manifest.files[at].path, manifest.files[at - 1].path)))
    })
}

/// The plan that the manifest describes.
fn plan(manifest: &Manifest, registry: &Registry) -> Result<Plan, String> {
    let seed = manifest.seed.parse::<u64>().ok().filter(|seed| seed.to_string() == manifest.seed);
    let seed = seed.ok_or_else(|| format!("seed {:?} is no whole number", manifest.seed))?;
    let preset = manifest.preset.as_ref().map(|name| name.parse::<Preset>()).transpose();
    let preset = preset.map_err(|flaw| flaw.to_string())?;
    let groups = match preset {
        // Another version may know other tasks.
        Some(preset) if manifest.generator == GENERATOR => {
            Plan::groups_of(registry, preset).map_err(|e| chain(&e))?
        }
        _ => manifest.groups.iter().map(|facts| group(facts, registry)).collect::<Result<_, _>>()?,
    };
    let options = PlanOptions { seed, side: manifest.side, theme: manifest.theme.clone() };
    Plan::checked(preset, groups, options).map_err(|e| chain(&e))
}

fn group(facts: &GroupFacts, registry: &Registry) -> Result<Group, String> {
    let difficulty = Difficulty::new(facts.difficulty).map_err(|flaw| flaw.to_string())?;
    Ok(Group {
        task: registry.get(&facts.task).map_err(|e| chain(&e))?,
        settings: Settings { difficulty, overrides: facts.overrides.clone() },
        split: facts.split,
        count: facts.count,
    })
}

fn compare(found: &[GroupFacts], wanted: &[GroupFacts]) -> Vec<String> {
    let mut reasons = Vec::new();
    if found.len() != wanted.len() {
        reasons.push(format!("there are {} groups, the plan has {}", found.len(), wanted.len()));
    }
    for (found, wanted) in found.iter().zip(wanted).filter(|(found, wanted)| found != wanted) {
        reasons.push(format!("group {} should be {}", described(found), described(wanted)));
    }
    reasons
}

fn described(group: &GroupFacts) -> String {
    let GroupFacts { config, task, task_version, level, difficulty, overrides, split, count } = group;
    let overrides: Vec<String> = overrides.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let overrides = overrides.concat();
    format!("{config}: {task} version {task_version} {level} ({difficulty}){overrides}, {count} of {split}")
}

/// The parameters of every group, as far as its task is known.
pub(super) fn params(manifest: &Manifest, registry: &Registry) -> BTreeMap<GroupKey, String> {
    let params = |facts: &GroupFacts| {
        let Group { task, settings, .. } = group(facts, registry).ok()?;
        let generator = task.generator(&settings).ok()?;
        let key = (facts.task.clone(), facts.difficulty.to_bits(), facts.split);
        Some((key, generator.params().to_owned()))
    };
    manifest.groups.iter().filter_map(params).collect()
}
