use std::path::PathBuf;

use clap::Args;
use topotrace_dataset::VerifyOptions;

use crate::failure::{Failure, say};
use crate::progress;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the dataset.
    folder: PathBuf,
    /// Threads; as many as there are processors where none is given.
    #[arg(long)]
    threads: Option<usize>,
    /// Do not render the pictures again.
    #[arg(long)]
    skip_pictures: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let options = VerifyOptions {
        threads: arguments.threads,
        pictures: !arguments.skip_pictures,
        ..VerifyOptions::default()
    };
    let bar = progress::bar(arguments.quiet);
    let registry = topotrace::registry();
    let report = topotrace_dataset::verify(&arguments.folder, &registry, &options, &mut |progress| {
        progress::show(&bar, progress);
    })?;
    bar.finish_and_clear();
    for problem in &report.problems {
        say(problem)?;
    }
    if report.omitted > 0 {
        say(format!("and {} more", report.omitted))?;
    }
    if report.is_clean() {
        say(format!(
            "{} rows in {} files: every one replays and proves its answer",
            report.rows, report.files
        ))
    } else {
        let count = report.problems.len() as u64 + report.omitted;
        Err(Failure::new(format!("{count} problems in {}", arguments.folder.display())))
    }
}
