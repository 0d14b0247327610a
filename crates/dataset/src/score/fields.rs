use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use topotrace_core::{Flaw, ensure, without_lone_surrogates};

/// The longest piece of a stranger's text that a message repeats, in characters.
pub(super) const SHOWN: usize = 80;

/// The keys of a line that mean something, their values unread. Other keys are ignored.
#[derive(Deserialize)]
pub(super) struct Fields<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    response: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(super) request: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    task: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    item: Option<&'a RawValue>,
}

/// A key that is there, be it with null.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'a> Fields<'a> {
    /// Splits a line into its keys.
    pub(super) fn of(line: &'a [u8]) -> Result<Self, Flaw> {
        let text = std::str::from_utf8(line)
            .map_err(|e| Flaw::new(format!("byte {} is not UTF-8", e.valid_up_to() + 1)))?;
        ensure(!text.trim_ascii().is_empty(), || "the line is empty".to_owned())?;
        // A list would be read as the keys' values in their order.
        ensure(!text.trim_ascii_start().starts_with('['), || "a list is no JSON object".to_owned())?;
        serde_json::from_str(text).map_err(|e| Flaw::new(format!("this is no JSON object: {}", cause(&e))))
    }

    /// The id; `None` when it is absent or null.
    pub(super) fn id(&self) -> Result<Option<String>, Flaw> {
        self.id.map_or(Ok(None), |raw| text("id", raw))
    }

    /// The response; `None` when it is null.
    pub(super) fn response(&self) -> Result<Option<String>, Flaw> {
        text("response", self.response.ok_or_else(|| Flaw::new("there is no response"))?)
    }

    /// The task's id; `None` when it is absent or null.
    pub(super) fn task(&self) -> Result<Option<String>, Flaw> {
        self.task.map_or(Ok(None), |raw| text("task", raw))
    }

    /// The item as JSON text, given as such or as an object; `None` when it is absent or null.
    pub(super) fn item(&self) -> Result<Option<String>, Flaw> {
        match self.item {
            Some(raw) if raw.get().starts_with('{') => Ok(Some(raw.get().to_owned())),
            Some(raw) => text("item", raw),
            None => Ok(None),
        }
    }
}

/// A text, or `None` for null.
fn text(key: &str, raw: &RawValue) -> Result<Option<String>, Flaw> {
    let kind = match raw.get().as_bytes()[0] {
        b'"' | b'n' => "text",
        b'{' => "an object",
        b'[' => "a list",
        b't' | b'f' => "a truth value",
        _ => "a number",
    };
    ensure(kind == "text", || format!("{key} is {kind} instead of text: {}", shorten(raw.get(), SHOWN)))?;
    let json = without_lone_surrogates(raw.get());
    serde_json::from_str(&json).map_err(|e| Flaw::new(format!("{key} is no text: {}", cause(&e))))
}

/// What serde_json says, without the number of the line: there is but one.
fn cause(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

/// The first `most` characters of a text.
pub(super) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_text_like_another() {
        let fields = Fields::of(br#"{"response": "\ud800 {\"answer\": 1}"}"#).unwrap();
        assert_eq!(fields.response().unwrap().unwrap(), "\u{fffd} {\"answer\": 1}");
    }

    fn flaw(line: &str) -> String {
        let read = || -> Result<(), Flaw> {
            let fields = Fields::of(line.as_bytes())?;
            fields.id()?;
            fields.response()?;
            fields.item().map(drop)
        };
        read().unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(flaw(" "), "the line is empty");
        assert_eq!(flaw(r#"["a", "b"]"#), "a list is no JSON object");
        assert_eq!(flaw(r#"{"id": "a"}"#), "there is no response");
        assert_eq!(flaw(r#"{"id": 17, "response": "b"}"#), "id is a number instead of text: 17");
        assert_eq!(flaw(r#"{"response": ["b"]}"#), r#"response is a list instead of text: ["b"]"#);
        assert_eq!(flaw(r#"{"response": "b", "item": true}"#), "item is a truth value instead of text: true");
        assert!(flaw(r#"{"id": "a", "id": "b"}"#).contains("duplicate field `id`"));
        assert!(flaw(r#"{"id": "a", "resp"#).ends_with("at column 17"));
        assert_eq!(Fields::of(b"{\"\xff").err().unwrap().to_string(), "byte 3 is not UTF-8");
        assert!(flaw(&format!(r#"{{"response": [{}]}}"#, "1,".repeat(999) + "1")).chars().count() < 140);
    }

    #[test]
    fn null_is_told_from_absent() {
        let fields = Fields::of(br#"{"response": null, "id": null, "item": {"a": 1}, "other": 1}"#).unwrap();
        assert_eq!((fields.response().unwrap(), fields.id().unwrap()), (None, None));
        assert_eq!(fields.item().unwrap().as_deref(), Some(r#"{"a": 1}"#));
        assert_eq!(fields.task().unwrap(), None);
        assert!(Fields::of(b"{}").unwrap().response().is_err());
    }
}
