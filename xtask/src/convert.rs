use std::path::PathBuf;

use clap::Args;
use topotrace_dataset::Storage;

use crate::failure::{Failure, say};
use crate::progress;
use crate::settings::OutputArguments;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the dataset that is there.
    folder: PathBuf,
    /// The format that is wanted: `parquet`, `webdataset` or `imagefolder`.
    #[arg(long)]
    format: Storage,
    #[command(flatten)]
    output: OutputArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { folder, format, output } = arguments;
    let bar = progress::bar(output.quiet);
    let (registry, options) = (topotrace::registry(), output.options(format));
    let converted = topotrace_dataset::convert(&folder, &output.out, &registry, &options, &mut |progress| {
        progress::show(&bar, progress);
    });
    bar.finish_and_clear();
    let manifest = converted?;
    say(format!("{} instances as {format} in {}", manifest.rows(), output.out.display()))
}
