//! States that two real datasets share.

use std::path::Path;

use crate::common::{
    self,
    sample::{Sample, edited},
};
use topotrace_core::Split;
use topotrace_dataset::leaks::{Leaks, States};
use topotrace_dataset::{BuildOptions, Dataset, Plan, PlanOptions, Selection, build};

fn states(folder: &Path) -> States {
    States::read(&Dataset::open(folder).unwrap(), &mut |_| {}).unwrap()
}

fn make(folder: &Path, seed: u64, splits: &[(Split, u32)]) -> States {
    let selection = Selection { counts: splits.iter().copied().collect(), ..Selection::default() };
    let options = PlanOptions { seed, side: 128, theme: None };
    let plan = Plan::of_selection(&common::registry(), &selection, options).unwrap();
    build(&plan, folder, &BuildOptions::default(), &mut |_| {}).unwrap();
    states(folder)
}

#[test]
fn builds_of_one_seed_share_and_splits_never_do() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let few = make(folders[0].path(), 7, &[(Split::Test, 2)]);
    let more = make(folders[1].path(), 7, &[(Split::Test, 3)]);
    let others = make(folders[2].path(), 7, &[(Split::Train, 3), (Split::Validation, 2)]);
    let leaks = Leaks::between(&few, &more);
    // Two tasks, each a scene of its own, in three tiers.
    assert_eq!((leaks.shared_states, leaks.a.states, leaks.b.states), (12, 12, 18));
    let pairs: Vec<_> = leaks.shared.iter().map(|s| (s.scene.as_str(), s.split_a, s.states)).collect();
    assert_eq!(pairs, [("dots", Split::Test, 6), ("dots-twice", Split::Test, 6)]);
    assert_eq!(leaks.shared[0].ids_a, leaks.shared[0].ids_b, "the same instances");
    assert!(Leaks::between(&more, &others).is_clean());
}

#[test]
fn a_state_in_two_splits_is_named() {
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "state_hash", |hashes| hashes[1] = hashes[0].clone());
    let batch = edited(&batch, "split", |splits| splits[1] = Some("train".to_owned()));
    sample.forge(&[batch]);
    let forged = states(sample.folder.path());
    let leaks = Leaks::between(&forged, &States::default());
    assert_eq!((leaks.shared_states, leaks.a.torn_states), (0, 1));
    assert_eq!(leaks.a.torn[0].splits, [Split::Train, Split::Test]);
    assert_eq!(leaks.a.torn[0].ids.len(), 2);
    assert!(!leaks.is_clean());
}
