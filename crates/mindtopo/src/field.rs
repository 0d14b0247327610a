use serde_json::Value;
use topotrace_core::{Flaw, ensure};

/// A value somewhere in a row, with the way to it, which errors name.
#[derive(Clone)]
pub(crate) struct Field<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> Field<'a> {
    pub(crate) fn root(value: &'a Value) -> Self {
        Field { value, path: String::new() }
    }

    /// The field of this key.
    pub(crate) fn get(&self, key: &str) -> Result<Field<'a>, Flaw> {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        match self.value.get(key) {
            Some(value) => Ok(Field { value, path }),
            None => Err(Flaw::new(format!("{path} is missing"))),
        }
    }

    /// The field at the end of a way of keys.
    pub(crate) fn at(&self, keys: &[&str]) -> Result<Field<'a>, Flaw> {
        keys.iter().try_fold(self.clone(), |field, key| field.get(key))
    }

    /// The same field, if it is there.
    pub(crate) fn find(&self, keys: &[&str]) -> Option<Field<'a>> {
        self.at(keys).ok()
    }

    /// The entries of a list.
    pub(crate) fn list(&self) -> Result<Vec<Field<'a>>, Flaw> {
        let entries = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let path = |number| format!("{}[{number}]", self.path);
        Ok(entries.iter().enumerate().map(|(n, value)| Field { value, path: path(n) }).collect())
    }

    /// A whole number from 0 to `most`.
    pub(crate) fn number(&self, most: u32) -> Result<u32, Flaw> {
        let number = self.value.as_u64().and_then(|number| u32::try_from(number).ok());
        number
            .filter(|number| *number <= most)
            .ok_or_else(|| self.wrong(&format!("a whole number from 0 to {most}")))
    }

    /// The whole numbers of a list, each from 0 to `most`.
    pub(crate) fn numbers(&self, most: u32) -> Result<Vec<u32>, Flaw> {
        self.list()?.iter().map(|entry| entry.number(most)).collect()
    }

    pub(crate) fn text(&self) -> Result<&'a str, Flaw> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    pub(crate) fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// Demands that another place, where it is there, says the same.
    pub(crate) fn agree(&self, other: Option<Field<'_>>) -> Result<(), Flaw> {
        other.map_or(Ok(()), |other| {
            ensure(self.value == other.value, || {
                format!(
                    "{} is {} but {} is {}",
                    self.path,
                    shorten(self.value),
                    other.path,
                    shorten(other.value)
                )
            })
        })
    }

    /// Demands that the number is the one that follows from the rest of the row.
    pub(crate) fn ensure_is(&self, what: &str, found: usize) -> Result<(), Flaw> {
        ensure(self.value.as_u64() == Some(found as u64), || {
            format!("{} is {} but {what} is {found}", self.path, shorten(self.value))
        })
    }

    /// A flaw that names the field, its value and what is allowed.
    pub(crate) fn wrong(&self, allowed: &str) -> Flaw {
        Flaw::new(format!("{} is {}, not {allowed}", self.path, shorten(self.value)))
    }
}

/// The beginning of a value's JSON text.
fn shorten(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
