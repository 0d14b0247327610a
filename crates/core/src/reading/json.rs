//! JSON as responses hold it: one level at a time, keys in order with their repeats, and objects
//! found in the middle of prose.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The key that an answer object is known by, in exactly this spelling.
const KEY: &str = "answer";

/// One level of a JSON value; what is nested in it stays text.
///
/// Nothing here recurses, so depth is no danger, and numbers keep their literal, so `17.0` and
/// `1e999` can be told from `17` and from each other.
#[derive(Debug)]
pub(super) enum Json<'a> {
    Null,
    Bool,
    Number(&'a str),
    Text(String),
    List(Vec<&'a RawValue>),
    Object(Object<'a>),
}

impl<'a> Json<'a> {
    /// Opens one value. `None` for text that is not JSON after all, such as half of a surrogate
    /// pair, which the skimming parser lets pass.
    pub(super) fn open(raw: &'a str) -> Option<Self> {
        match raw.as_bytes().first()? {
            b'n' => Some(Json::Null),
            b't' | b'f' => Some(Json::Bool),
            b'"' => serde_json::from_str(raw).ok().map(Json::Text),
            b'[' => serde_json::from_str(raw).ok().map(Json::List),
            b'{' => serde_json::from_str(raw).ok().map(Json::Object),
            _ => Some(Json::Number(raw)),
        }
    }
}

/// An object's keys and values in the order of the text, repeats included.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pairs: Vec<(String, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// The value of the `answer` key; `None` without such a key.
    pub(super) fn answer(&self) -> Option<Result<&'a str, Repeated>> {
        match self.get(KEY) {
            Ok(value) => value.map(Ok),
            Err(repeated) => Some(Err(repeated)),
        }
    }

    /// The value of `key`, if the key is there.
    pub(super) fn get(&self, key: &str) -> Result<Option<&'a str>, Repeated> {
        let mut values = self.pairs.iter().filter(|(name, _)| name == key);
        let value = values.next().map(|(_, value)| value.get());
        if values.next().is_some() { Err(Repeated) } else { Ok(value) }
    }

    /// The values of keys that name the answer in other words, such as `Answer` or `final_answer`.
    pub(super) fn rivals(&self) -> impl Iterator<Item = &'a str> {
        let rival = |key: &str| {
            let plain: String = key.chars().filter(|c| c.is_alphanumeric()).collect();
            let plain = plain.to_lowercase();
            plain == "final" || plain.ends_with("answer") || plain.ends_with("answers")
        };
        self.pairs.iter().filter(move |(key, _)| key != KEY && rival(key)).map(|(_, value)| value.get())
    }

    /// The objects and lists beside the `answer` key.
    pub(super) fn others(&self) -> impl Iterator<Item = &'a str> {
        self.pairs
            .iter()
            .filter(|(key, _)| key != KEY)
            .map(|(_, value)| value.get())
            .filter(|value| value.starts_with(['{', '[']))
    }

    /// How many keys there are, repeats included.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether any key stands there twice.
    pub(super) fn repeats(&self) -> bool {
        let mut keys: Vec<&str> = self.pairs.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        keys.windows(2).any(|two| two[0] == two[1])
    }
}

/// A key that an object gives twice.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Repeated;

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Object { pairs })
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// Finds objects in a text within a budget of work.
///
/// Text such as `{"a":{"a":{"a":` makes every brace a start whose parse runs to the end of the
/// text. The budget, a multiple of the text's length, keeps the sum of all parses linear; honest
/// text, where objects are nested a few deep, comes nowhere near it.
pub(super) struct Finder<'a> {
    text: &'a str,
    budget: usize,
}

/// The bytes parsed per byte of text, and the least budget.
const BUDGET: (usize, usize) = (16, 256 << 10);
/// What an attempt costs at least, so that a million of tiny ones are bounded too.
const ATTEMPT: usize = 64;

impl<'a> Finder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Finder { text, budget: text.len().saturating_mul(BUDGET.0).max(BUDGET.1) }
    }

    /// The object that ends exactly where the text ends. There is at most one: of two starts, the
    /// later one would lie in a string of the earlier one, so that where one sees a string the
    /// other sees none, and both can't be outside of strings at the end.
    pub(super) fn last(mut self) -> Option<Object<'a>> {
        if !self.text.ends_with('}') {
            return None;
        }
        let mut end = self.text.len();
        while let Some(start) = self.text[..end].rfind('{') {
            match self.parse(start)? {
                Some((object, after)) if after == self.text.len() => return Some(object),
                _ => end = start,
            }
        }
        None
    }

    /// Calls `take` with every object that has an `answer` key and with its place, from left to
    /// right. Objects without the key are searched inside; taken ones are not.
    pub(super) fn each_answer(mut self, mut take: impl FnMut(&Object<'a>, Range<usize>)) {
        let mut from = 0;
        while let Some(skipped) = self.text[from..].find('{') {
            let start = from + skipped;
            from = start + 1;
            match self.parse(start) {
                None => return,
                Some(Some((object, after))) if object.answer().is_some() => {
                    take(&object, start..after);
                    from = after;
                }
                Some(_) => {}
            }
        }
    }

    /// The object at `start` and the place after it. `None` when the budget is used up.
    fn parse(&mut self, start: usize) -> Option<Option<(Object<'a>, usize)>> {
        let text = &self.text[start..];
        // A glance at what follows the brace spares most of prose and LaTeX a parser's set-up.
        let inside = text[1..].trim_start_matches([' ', '\t', '\r', '\n']);
        if !inside.starts_with('"') {
            return Some(None);
        }
        let mut stream = serde_json::Deserializer::from_str(text).into_iter();
        let parsed = stream.next()?;
        let cost = match &parsed {
            Ok(_) => stream.byte_offset(),
            Err(e) => offset(text, e),
        };
        self.budget = self.budget.checked_sub(cost.max(ATTEMPT))?;
        Some(parsed.ok().map(|object| (object, start + stream.byte_offset())))
    }
}

/// How far the parser came before the error.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines_before = error.line().saturating_sub(1);
    let before: usize = text.split_inclusive('\n').take(lines_before).map(str::len).sum();
    before + error.column()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        Finder::new(text).each_answer(|object, _| {
            found.push(object.answer().unwrap().unwrap_or("twice").to_owned());
        });
        found
    }

    #[test]
    fn objects_are_found_between_prose() {
        assert_eq!(
            answers(r#"{ {"answer": 1} and {"k":{"answer":[2]}} {"answer":{"answer":3}} {"b":4"#),
            ["1", "[2]", r#"{"answer":3}"#]
        );
        assert_eq!(answers(r#"{"answer":1,"answer":1}"#), ["twice"]);
        assert_eq!(answers(r#"{"Answer":1} {"answer":1e999}"#), ["1e999"]);
    }

    #[test]
    fn the_last_object_ends_the_text() {
        let last = |text| Finder::new(text).last().map(|o| o.answer().unwrap().unwrap().to_owned());
        assert_eq!(last(r#"5" { {"answer": {"x":1}}"#), Some(r#"{"x":1}"#.to_owned()));
        assert_eq!(last(r#"{"answer": 4}."#), None);
        assert_eq!(last(r#"{"answer": "{"}"#), Some("\"{\"".to_owned()));
    }

    #[test]
    fn numbers_keep_their_literal_and_broken_strings_do_not_open() {
        assert!(matches!(Json::open("1e999"), Some(Json::Number("1e999"))));
        assert!(Json::open(r#""\ud800""#).is_none());
        assert!(Json::open("").is_none());
    }

    #[test]
    fn the_place_of_an_error_is_its_byte_offset() {
        let text = "{\n\"a\":\n 12 é }";
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        assert_eq!(offset(text, &error), text.find('é').unwrap() + 1);
    }

    #[test]
    fn work_is_bounded() {
        for unit in ["{", "{\"", "{\"a\":", "{\"a\":{}, ", "{\n", "{\"answer\":["] {
            let text = unit.repeat((1 << 20) / unit.len()) + "}";
            assert!(answers(&text).is_empty(), "{unit}");
            assert!(Finder::new(&text).last().is_none(), "{unit}");
        }
    }
}
