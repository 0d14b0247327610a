use std::fmt;

/// What is wrong with a value: parameters out of range, a stranger's record that makes no
/// sense, a certificate that does not prove its answer.
///
/// The message names the thing, its value and what is allowed, and carries no final full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw(String);

impl Flaw {
    /// A flaw with the given message.
    pub fn new(message: impl Into<String>) -> Self {
        Flaw(message.into())
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Flaw {}

/// `Ok` when `value` lies in `low..=high`, otherwise a flaw that names all four.
pub fn ensure_within<T: PartialOrd + fmt::Display>(
    name: &str,
    value: T,
    low: T,
    high: T,
) -> Result<(), Flaw> {
    ensure(low <= value && value <= high, || format!("{name} {value} is not from {low} to {high}"))
}

/// `Ok` when `holds`, otherwise the flaw that `message` words.
pub fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(Flaw(message())) }
}
