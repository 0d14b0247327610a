use std::path::PathBuf;

use clap::Args;
use topotrace_dataset::{OutputOptions, Storage};

use crate::failure::{Failure, say};
use crate::progress;
use crate::settings::ShardArguments;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the dataset that is there.
    folder: PathBuf,
    /// The format that is wanted: `parquet`, `webdataset` or `imagefolder`.
    #[arg(long)]
    format: Storage,
    /// The folder of the new dataset.
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    shards: ShardArguments,
    /// Replace the dataset that lies there.
    #[arg(long)]
    overwrite: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { folder, format, out, shards, overwrite, quiet } = arguments;
    let output = OutputOptions { storage: format, limits: shards.limits(format), overwrite };
    let bar = progress::bar(quiet);
    let registry = topotrace::registry();
    let converted = topotrace_dataset::convert(&folder, &out, &registry, &output, &mut |progress| {
        progress::show(&bar, progress);
    });
    bar.finish_and_clear();
    let manifest = converted?;
    say(format!("{} instances as {format} in {}", manifest.rows(), out.display()))
}
