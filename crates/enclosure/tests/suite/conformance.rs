//! Every task of the family keeps the rules of the core's conformance suite.

use topotrace_core::conformance;
use topotrace_enclosure::TASKS;

#[test]
fn every_task_conforms() {
    for task in TASKS {
        if let Err(findings) = conformance::check_seeds(*task, 0..6) {
            panic!("{}:\n{findings}", task.info().id);
        }
    }
}
