//! Every task of the family keeps the rules of the core's conformance suite.

use topotrace_continuity::TASKS;
use topotrace_core::conformance;

#[test]
fn every_task_conforms() {
    for task in TASKS {
        if let Err(findings) = conformance::check(*task) {
            panic!("{}:\n{findings}", task.info().id);
        }
    }
}
