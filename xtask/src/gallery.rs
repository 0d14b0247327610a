use std::path::PathBuf;

use clap::Args;
use topotrace_dataset::Dataset;
use topotrace_dataset::gallery::{GalleryOptions, gallery};

use crate::failure::{Failure, say};
use crate::progress;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the dataset.
    dataset: PathBuf,
    /// The folder for the page.
    #[arg(long)]
    out: PathBuf,
    /// The most instances to show of each task and tier.
    #[arg(long, value_name = "N", default_value_t = 12)]
    count: u32,
    /// Replace a gallery that lies in the folder already.
    #[arg(long)]
    overwrite: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let dataset = Dataset::open(&arguments.dataset)?;
    let options = GalleryOptions { count: arguments.count, overwrite: arguments.overwrite };
    let bar = progress::bar(arguments.quiet);
    let registry = topotrace::registry();
    let made = gallery(&dataset, &registry, &arguments.out, &options, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let facts = made?;
    say(format!("{} of {} instances shown", facts.shown, facts.rows))?;
    if facts.explained < facts.shown {
        let missing = facts.shown - facts.explained;
        say(format!(
            "{missing} of them without a drawn certificate: their task draws none, or is another version"
        ))?;
    }
    say(format!("open {}", arguments.out.join("index.html").display()))
}
