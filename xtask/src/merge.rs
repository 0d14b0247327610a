use std::path::PathBuf;

use clap::Args;
use topotrace_dataset::{OutputOptions, Storage};

use crate::failure::{Failure, say};
use crate::progress;
use crate::settings::ShardArguments;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folders of all parts, in any order.
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// The folder of the dataset.
    #[arg(long)]
    out: PathBuf,
    /// The format of the files: `parquet`, `webdataset` or `imagefolder`.
    #[arg(long, default_value_t)]
    format: Storage,
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
    let Arguments { parts, out, format, shards, overwrite, quiet } = arguments;
    let output = OutputOptions { storage: format, limits: shards.limits(format), overwrite };
    let bar = progress::bar(quiet);
    let registry = topotrace::registry();
    let merged = topotrace_dataset::merge(&parts, &out, &registry, &output, &mut |progress| {
        progress::show(&bar, progress);
    });
    bar.finish_and_clear();
    let manifest = merged?;
    say(format!("{} instances of {} parts in {}", manifest.rows(), parts.len(), out.display()))?;
    crate::build_dataset::report_gates(&manifest)
}
