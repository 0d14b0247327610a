use crate::error::Error;
use crate::task::Task;

/// A list of tasks, as a family exports it and the facade joins it.
///
/// A plain value: nothing is registered at link time and nothing runs before it is asked for.
#[derive(Clone, Default)]
pub struct Registry {
    tasks: Vec<&'static dyn Task>,
}

impl Registry {
    /// A registry of the given families' tasks, sorted by id.
    pub fn new(families: &[&[&'static dyn Task]]) -> Self {
        let mut tasks: Vec<&'static dyn Task> = families.concat();
        tasks.sort_by_key(|task| task.info().id);
        Registry { tasks }
    }

    /// The tasks, sorted by id.
    pub fn tasks(&self) -> &[&'static dyn Task] {
        &self.tasks
    }

    /// The task with this id.
    ///
    /// # Errors
    /// When there is none; the error names the nearest id.
    pub fn get(&self, id: &str) -> Result<&'static dyn Task, Error> {
        self.tasks
            .iter()
            .find(|task| task.info().id == id)
            .copied()
            .ok_or_else(|| Error::unknown_task(id, nearest(id, self.tasks.iter().map(|task| task.info().id))))
    }

    /// The tasks that `name` means: one id, or all programs of a scene.
    ///
    /// # Errors
    /// When there is none; the error names the nearest id.
    pub fn matching(&self, name: &str) -> Result<Vec<&'static dyn Task>, Error> {
        let of_scene: Vec<_> =
            self.tasks.iter().filter(|task| task.info().scene() == name).copied().collect();
        if of_scene.is_empty() { Ok(vec![self.get(name)?]) } else { Ok(of_scene) }
    }
}

/// The candidate most like `name`, when one is alike at all.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // What is so long is no slip, and comparing takes time that grows with its square.
    const LONGEST: usize = 100;
    candidates
        .filter(|_| name.len() <= LONGEST)
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
