//! Makes anew what is pinned in the repository: hash lists, pictures, transcripts of episodes, the
//! facts on tasks' pages.

mod difference;
pub(crate) mod hashes;
pub(crate) mod pictures;
pub(crate) mod plan;
mod report;
pub(crate) mod repository;
mod transcripts;

use clap::Args;

use crate::failure::{Failure, say};
use plan::Plan;
use repository::Repository;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Write nothing but the page, and fail when anything differs.
    #[arg(long)]
    check: bool,
    /// Overwrite hash lists that differ although their version is the same.
    ///
    /// A hash list says for good what a version of a task makes of each seed, so that data which
    /// others built can be made again. When that changes, the version has to go up. Give this
    /// only for a version that has never left this machine: then nobody holds its data.
    #[arg(long, conflicts_with = "check")]
    unreleased: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let repository = Repository::here();
    let registry = topotrace::registry();
    let plan = Plan::new(&repository, registry.tasks(), arguments.unreleased)?;
    report::write(&repository, &plan.changes, &plan.refusals)?;
    for refusal in &plan.refusals {
        say(refusal)?;
    }
    for change in &plan.changes {
        say(format!("{}: {}", change.path, change.note))?;
    }
    let (count, page) = (plan.changes.len(), repository.full(report::PAGE));
    if !plan.refusals.is_empty() {
        let refused = plan.refusals.len();
        return Err(Failure::new(format!(
            "hash lists that must not be overwritten: {refused}; nothing is written"
        )));
    }
    if count == 0 {
        return say(format!("{} files are as they should be", plan.compared));
    }
    if arguments.check {
        return Err(Failure::new(format!(
            "files that differ: {count}; look at {} and run cargo xtask bless",
            page.display()
        )));
    }
    plan.apply(&repository)?;
    say(format!("files written or removed: {count}; look at {}", page.display()))
}
