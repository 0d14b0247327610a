//! A few instances of every task of every family, built and verified.

use std::collections::BTreeMap;

use topotrace_core::Split;
use topotrace_dataset::{BuildOptions, Plan, PlanOptions, Selection, VerifyOptions, build, verify};

#[test]
fn every_task_makes_a_dataset_that_verifies() {
    let registry = topotrace::registry();
    let folder = tempfile::tempdir().unwrap();
    let counts = BTreeMap::from([(Split::Train, 2), (Split::Test, 1)]);
    let selection = Selection { counts, ..Selection::default() };
    let plan = Plan::of_selection(&registry, &selection, PlanOptions::default()).unwrap();
    let manifest = build(&plan, folder.path(), &BuildOptions::default(), &mut |_| {}).unwrap();
    assert_eq!(manifest.rows(), 9 * registry.tasks().len() as u64);
    let report = verify(folder.path(), &registry, &VerifyOptions::default(), &mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:#?}", report.problems);
}
