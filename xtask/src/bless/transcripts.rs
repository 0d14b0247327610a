//! Episodes as readable transcripts: one of every planning task, to be reviewed as a difference.

use topotrace_core::{Level, Task, TaskInfo, TaskKind};
use topotrace_runner::transcript_of_seed;

use crate::failure::Failure;

/// The folder of the transcripts.
pub(crate) const FOLDER: &str = "fixtures/episodes";
/// What is told: short enough to be read.
const LEVEL: Level = Level::Easy;
const SEED: u64 = 2026;

/// A transcript as it should be.
pub(crate) struct Wanted {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The path of a task's transcript; `None` where it has no episodes.
pub(crate) fn path(info: &TaskInfo) -> Option<String> {
    (info.kind == TaskKind::Planning).then(|| format!("{FOLDER}/{}.txt", info.slug()))
}

/// The transcripts of these tasks.
///
/// # Errors
/// When an instance can't be made.
pub(crate) fn tell_all(tasks: &[&'static dyn Task]) -> Result<Vec<Wanted>, Failure> {
    let told = tasks.iter().filter_map(|task| Some((path(task.info())?, task)));
    told.map(|(path, task)| {
        let text = transcript_of_seed(*task, LEVEL, SEED)?.to_string();
        Ok(Wanted { path, text })
    })
    .collect()
}
