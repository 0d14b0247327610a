//! Every task of every family keeps the rules of the conformance suite.

use rayon::prelude::*;
use topotrace::core::conformance;

#[test]
fn every_task_conforms() {
    let registry = topotrace::registry();
    let check = |task: &&'static dyn topotrace::core::Task| {
        let findings = conformance::check_seeds(*task, 100..112).err()?;
        Some(format!("{}:\n{findings}", task.info().id))
    };
    let broken: Vec<String> = registry.tasks().par_iter().filter_map(check).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn ids_are_distinct_and_found() {
    let registry = topotrace::registry();
    for pair in registry.tasks().windows(2) {
        assert!(pair[0].info().id < pair[1].info().id);
    }
    let error = registry.get("maze-2d/raech").err().expect("unknown");
    assert!(error.is_unknown_task());
    assert!(error.to_string().contains("maze-2d/reach"), "{error}");
    assert_eq!(registry.matching("maze-2d").unwrap().len(), 3);
}
