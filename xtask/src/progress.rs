use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use topotrace_dataset::Progress;

/// A bar with rate and time left on standard error; nothing when that is no terminal or `quiet`.
pub(crate) fn bar(quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(0);
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let template = "{bar:30} {pos}/{len}  {per_sec}  {eta} left  {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Shows how far the work has come.
pub(crate) fn show(bar: &ProgressBar, progress: Progress<'_>) {
    bar.set_length(progress.total);
    bar.set_position(progress.done);
    if bar.message() != progress.current {
        bar.set_message(progress.current.to_owned());
    }
}
