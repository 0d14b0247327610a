use topotrace_core::Flaw;

/// Why an episode can't be opened, shown or driven.
///
/// An illegal or unreadable action is never an error: it is a [`Step`](topotrace_core::Step).
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Kind);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("{task} is answered once: only planning tasks have episodes")]
    NotPlanning { task: &'static str },
    #[error(transparent)]
    Task(topotrace_core::Error),
    #[error("the trace can't be read")]
    Trace { source: Flaw },
    #[error("the picture can't be drawn")]
    Picture { source: topotrace_draw::Error },
    #[error("the request does not hold")]
    Request { source: Flaw },
}

impl Error {
    pub(crate) fn not_planning(task: &'static str) -> Self {
        Error(Kind::NotPlanning { task })
    }

    pub(crate) fn trace(source: Flaw) -> Self {
        Error(Kind::Trace { source })
    }

    pub(crate) fn request(message: impl Into<String>) -> Self {
        Error(Kind::Request { source: Flaw::new(message) })
    }

    /// Whether a task that is no planning task was asked for an episode.
    pub fn is_not_planning(&self) -> bool {
        matches!(self.0, Kind::NotPlanning { .. })
    }

    /// Whether what was asked for makes no sense: an unknown request, key, episode or number.
    pub fn is_invalid_request(&self) -> bool {
        matches!(self.0, Kind::Request { .. })
    }
}

impl From<topotrace_core::Error> for Error {
    fn from(source: topotrace_core::Error) -> Self {
        Error(Kind::Task(source))
    }
}

impl From<topotrace_draw::Error> for Error {
    fn from(source: topotrace_draw::Error) -> Self {
        Error(Kind::Picture { source })
    }
}
