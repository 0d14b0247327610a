//! The checks of what the manifest says by itself.

use std::collections::BTreeMap;

use topotrace_core::{Flaw, Registry, ensure};
use topotrace_draw::PngEffort;

use super::GroupKey;
use crate::error::chain;
use crate::manifest::{GroupFacts, Manifest, png_name};
use crate::plan::{Group, Plan, group};

/// Adds everything to `reasons` that no build would have written.
pub(super) fn check(manifest: &Manifest, registry: &Registry, reasons: &mut Vec<String>) {
    let mut note = |result: Result<(), String>| reasons.extend(result.err());
    note(check_names(manifest).map_err(|flaw| flaw.to_string()));
    note(check_order(manifest).map_err(|flaw| flaw.to_string()));
    match Plan::of_manifest(manifest, registry) {
        Err(error) => note(Err(chain(&error))),
        Ok(plan) => {
            let wanted = Manifest::begun(&plan, PngEffort::Fast, manifest.storage, None).groups;
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

fn compare(found: &[GroupFacts], wanted: &[GroupFacts]) -> Vec<String> {
    let mut reasons = Vec::new();
    if found.len() != wanted.len() {
        reasons.push(format!("there are {} groups, the plan has {}", found.len(), wanted.len()));
    }
    for (found, wanted) in found.iter().zip(wanted).filter(|(found, wanted)| found != wanted) {
        reasons.push(format!("group {found} should be {wanted}"));
    }
    reasons
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
