use std::path::PathBuf;

use clap::Args;
use topotrace_dataset::Storage;

use crate::build_dataset::report_gates;
use crate::failure::{Failure, say};
use crate::progress;
use crate::settings::OutputArguments;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folders of all parts, in any order.
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// The format of the files: `parquet`, `webdataset` or `imagefolder`.
    #[arg(long, default_value_t)]
    format: Storage,
    #[command(flatten)]
    output: OutputArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { parts, format, output } = arguments;
    let bar = progress::bar(output.quiet);
    let (registry, options) = (topotrace::registry(), output.options(format));
    let merged = topotrace_dataset::merge(&parts, &output.out, &registry, &options, &mut |progress| {
        progress::show(&bar, progress);
    });
    bar.finish_and_clear();
    let manifest = merged?;
    say(format!("{} instances of {} parts in {}", manifest.rows(), parts.len(), output.out.display()))?;
    report_gates(&manifest)
}
