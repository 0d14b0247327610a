use crate::flaw::Flaw;

/// Why a task could not make or load an instance.
///
/// A wrong or unreadable answer of a model is never an error: it is a [`Verdict`](crate::Verdict).
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Kind);

#[derive(Clone, Debug, thiserror::Error)]
enum Kind {
    #[error("task {id:?} is unknown{}", hint(.nearest))]
    UnknownTask { id: String, nearest: Option<&'static str> },
    #[error("the settings of {task} do not hold")]
    Settings { task: &'static str, source: Flaw },
    #[error("this is no item of {task}")]
    Item { task: &'static str, source: Flaw },
    #[error("this is no style of {task}")]
    Style { task: &'static str, source: Flaw },
    #[error("this snapshot can't be restored")]
    Snapshot { source: Flaw },
    #[error("{task} found no instance in {attempts} attempts; most often: {reason}")]
    Exhausted { task: &'static str, attempts: u32, reason: &'static str },
}

impl Error {
    pub(crate) fn unknown_task(id: &str, nearest: Option<&'static str>) -> Self {
        // Enough to know it again.
        let id = id.chars().take(100).collect();
        Error(Kind::UnknownTask { id, nearest })
    }

    pub(crate) fn settings(task: &'static str, source: Flaw) -> Self {
        Error(Kind::Settings { task, source })
    }

    pub(crate) fn item(task: &'static str, source: Flaw) -> Self {
        Error(Kind::Item { task, source })
    }

    pub(crate) fn style(task: &'static str, source: Flaw) -> Self {
        Error(Kind::Style { task, source })
    }

    pub(crate) fn snapshot(source: Flaw) -> Self {
        Error(Kind::Snapshot { source })
    }

    pub(crate) fn exhausted(task: &'static str, attempts: u32, reason: &'static str) -> Self {
        Error(Kind::Exhausted { task, attempts, reason })
    }

    /// Whether no task has the wanted id.
    pub fn is_unknown_task(&self) -> bool {
        matches!(self.0, Kind::UnknownTask { .. })
    }

    /// Whether a parameter is unknown or out of its range.
    pub fn is_invalid_settings(&self) -> bool {
        matches!(self.0, Kind::Settings { .. })
    }

    /// Whether recorded text (an item, a style, a snapshot) makes no sense.
    pub fn is_invalid_record(&self) -> bool {
        matches!(self.0, Kind::Item { .. } | Kind::Style { .. } | Kind::Snapshot { .. })
    }

    /// Whether the settings are legal but nothing was found that meets them.
    pub fn is_exhausted(&self) -> bool {
        matches!(self.0, Kind::Exhausted { .. })
    }
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |id| format!("; did you mean {id:?}?"))
}
