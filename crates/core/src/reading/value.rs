//! A JSON value as a typed answer, strictly or with leniencies.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use crate::{ActionShape, ActionText, Answer, Domain, Field};

use super::json::{Json, Repeated};
use super::number;
use super::text::{self, Setting};

/// The most actions of a plan that are read. A plan beyond its instance's budget is still legal
/// here, since whoever plays it stops at the budget; this only bounds the work.
const LONGEST_PLAN: usize = 10_000;

/// What the prompt's own example of a shape puts where a name belongs.
const PLACEHOLDER: &str = "NAME";

/// How closely a value has to keep to what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// The right JSON types; names may differ in case.
    Strict,
    /// What usually goes wrong is understood.
    Loose,
}

/// Why something is no legal answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Prose that holds no value of the kind.
    NoValue,
    /// A value outside of the domain, as JSON text.
    Illegal(String),
    /// More than one value where one belongs.
    Conflicting,
    /// The wrong JSON type.
    WrongType,
    /// A key given twice.
    DuplicateKey,
    /// The placeholder of the prompt's example, so an echo of the prompt.
    Placeholder,
}

/// Reads one JSON value as an answer in `domain`.
pub(super) fn answer(raw: &str, domain: &Domain, strictness: Strictness) -> Result<Answer, Trouble> {
    match domain {
        Domain::Integer { min, max } => {
            integer(raw, *min, *max, strictness, Setting::Enclosed).map(Answer::Integer)
        }
        Domain::Label { members } => name(raw, members, strictness, Setting::Enclosed).map(Answer::Label),
        Domain::Set { members, at_least } => {
            let listed = match Json::open(raw).ok_or(Trouble::WrongType)? {
                Json::List(items) => names(&items, members, strictness),
                Json::Text(joined) if strictness == Strictness::Loose => {
                    if joined.trim().is_empty() && *at_least == 0 {
                        return Ok(Answer::Set(BTreeSet::new()));
                    }
                    return text::answer(&joined, domain, Setting::Enclosed)
                        .map_err(|trouble| illegal_unless_read(trouble, &joined));
                }
                _ => Err(Trouble::WrongType),
            };
            set(listed?, *at_least)
        }
        Domain::Sequence { members, length } => {
            let listed = match Json::open(raw).ok_or(Trouble::WrongType)? {
                Json::List(items) => names(&items, members, strictness),
                Json::Text(joined) if strictness == Strictness::Loose => {
                    return text::answer(&joined, domain, Setting::Enclosed)
                        .map_err(|trouble| illegal_unless_read(trouble, &joined));
                }
                _ => Err(Trouble::WrongType),
            };
            sequence(listed?, *length)
        }
        Domain::Action { shape } => action(raw, shape, strictness).map(Answer::Action),
        Domain::Plan { shape, .. } => match Json::open(raw) {
            Some(Json::List(items)) if items.len() > LONGEST_PLAN => Err(Trouble::Illegal(raw.to_owned())),
            Some(Json::List(items)) => {
                all(items.iter().map(|item| planned(item.get(), shape, strictness)), raw).map(Answer::Plan)
            }
            _ => Err(Trouble::WrongType),
        },
    }
}

/// A set of names that are legal one by one.
pub(super) fn set(names: Vec<String>, at_least: usize) -> Result<Answer, Trouble> {
    let names: BTreeSet<String> = names.into_iter().collect();
    let enough = names.len() >= at_least;
    let answer = Answer::Set(names);
    if enough { Ok(answer) } else { Err(Trouble::Illegal(answer.to_json())) }
}

/// A sequence of names that are legal one by one.
pub(super) fn sequence(names: Vec<String>, length: usize) -> Result<Answer, Trouble> {
    let fits = names.len() == length;
    let answer = Answer::Sequence(names);
    if fits { Ok(answer) } else { Err(Trouble::Illegal(answer.to_json())) }
}

/// The domain's spelling of `name`: the exact one, or else the one that differs in case only.
pub(super) fn member<'a>(members: &'a [String], name: &str) -> Option<&'a String> {
    members
        .iter()
        .find(|member| *member == name)
        .or_else(|| members.iter().find(|member| text::strip_name(name, member) == Some("")))
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    Answer::Label(text.to_owned()).to_json()
}

/// A string in an answer object was meant as the answer, so one that can't be read is illegal.
fn illegal_unless_read(trouble: Trouble, text: &str) -> Trouble {
    match trouble {
        Trouble::NoValue => Trouble::Illegal(quoted(text)),
        other => other,
    }
}

/// All the values, or the trouble to report: a wrong shape anywhere comes before an illegal
/// value, because whether the strict layer speaks at all depends on the shape.
fn all<T>(items: impl Iterator<Item = Result<T, Trouble>>, raw: &str) -> Result<Vec<T>, Trouble> {
    let mut values = Vec::new();
    let mut illegal = false;
    for item in items {
        match item {
            Ok(value) => values.push(value),
            Err(Trouble::Illegal(_)) => illegal = true,
            Err(other) => return Err(other),
        }
    }
    if illegal { Err(Trouble::Illegal(raw.to_owned())) } else { Ok(values) }
}

fn integer(raw: &str, min: i64, max: i64, strictness: Strictness, setting: Setting) -> Result<i64, Trouble> {
    let loose = strictness == Strictness::Loose;
    let value = match Json::open(raw).ok_or(Trouble::WrongType)? {
        Json::Number(literal) => match literal.parse::<i64>() {
            Ok(value) => value,
            Err(_) if is_whole(literal) => return Err(Trouble::Illegal(literal.to_owned())),
            Err(_) if loose => whole(literal).ok_or_else(|| Trouble::Illegal(literal.to_owned()))?,
            Err(_) => return Err(Trouble::WrongType),
        },
        Json::Text(words) if loose => {
            return number::read(&words, min, max, setting).map_err(|trouble| match trouble {
                Trouble::NoValue => Trouble::WrongType,
                other => other,
            });
        }
        _ => return Err(Trouble::WrongType),
    };
    if (min..=max).contains(&value) { Ok(value) } else { Err(Trouble::Illegal(value.to_string())) }
}

/// Whether a JSON number is written as an integer.
fn is_whole(literal: &str) -> bool {
    literal.bytes().all(|b| b == b'-' || b.is_ascii_digit())
}

/// The value of a JSON number with a fraction or an exponent that comes to nothing. Digit by
/// digit: as a float, `16.9999999999999999` would be 17.
fn whole(literal: &str) -> Option<i64> {
    const MOST_DIGITS: usize = 40;
    let unsigned = literal.strip_prefix('-').unwrap_or(literal);
    let sign = if unsigned.len() < literal.len() { "-" } else { "" };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{before}{after}");
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let point = i64::try_from(before.len()).ok()?.checked_add(exponent.parse().ok()?)?;
    let point = usize::try_from(point).ok()?;
    if point < digits.len() || point > MOST_DIGITS {
        return None;
    }
    format!("{sign}{digits:0<point$}").parse().ok()
}

fn name(raw: &str, members: &[String], strictness: Strictness, setting: Setting) -> Result<String, Trouble> {
    let loose = strictness == Strictness::Loose;
    match Json::open(raw).ok_or(Trouble::WrongType)? {
        Json::Text(name) => match member(members, &name) {
            Some(member) => Ok(member.clone()),
            None if loose && name == PLACEHOLDER => Err(Trouble::Placeholder),
            None if loose => {
                text::name(&name, members, setting).map_err(|trouble| illegal_unless_read(trouble, &name))
            }
            None => Err(Trouble::Illegal(quoted(&name))),
        },
        // Names that are digits are easily written as numbers.
        Json::Number(literal) if loose => member(members, literal).cloned().ok_or(Trouble::WrongType),
        _ => Err(Trouble::WrongType),
    }
}

fn names(items: &[&RawValue], members: &[String], strictness: Strictness) -> Result<Vec<String>, Trouble> {
    let read = |item: &&RawValue| name(item.get(), members, strictness, Setting::Alone);
    let listed: Vec<&str> = items.iter().map(|item| item.get()).collect();
    all(items.iter().map(read), &format!("[{}]", listed.join(",")))
}

/// One action of a plan. Outside its range it is kept: running the plan, it uses up its step and
/// changes nothing, as in the closed loop.
fn planned(raw: &str, shape: &ActionShape, strictness: Strictness) -> Result<ActionText, Trouble> {
    let kept = match action(raw, shape, strictness) {
        Err(Trouble::Illegal(_)) => without_range(raw, shape),
        read => return read,
    };
    action(raw, &kept, strictness)
}

/// The shape with every value allowed that an action of this shape could name.
fn without_range(raw: &str, shape: &ActionShape) -> ActionShape {
    let (min, max) = (i64::MIN, i64::MAX);
    match shape {
        ActionShape::Integer { .. } => ActionShape::Integer { min, max },
        ActionShape::Label { members } => match Json::open(raw) {
            Some(Json::Text(name)) => ActionShape::Label { members: vec![name.to_string()] },
            _ => ActionShape::Label { members: members.clone() },
        },
        ActionShape::Object { fields } => {
            let free = |field: &Field| Field::new(&field.name, min, max);
            ActionShape::Object { fields: fields.iter().map(free).collect() }
        }
    }
}

fn action(raw: &str, shape: &ActionShape, strictness: Strictness) -> Result<ActionText, Trouble> {
    match shape {
        ActionShape::Integer { min, max } => {
            let value = integer(raw, *min, *max, strictness, Setting::Alone)?;
            Ok(ActionText::new(value.to_string()))
        }
        ActionShape::Label { members } => {
            let name = name(raw, members, strictness, Setting::Alone)?;
            Ok(ActionText::new(quoted(&name)))
        }
        ActionShape::Object { fields } => {
            let Some(Json::Object(object)) = Json::open(raw) else {
                return Err(Trouble::WrongType);
            };
            if object.repeats() {
                return Err(Trouble::DuplicateKey);
            }
            // A field that nobody asked for may change what the action means.
            if object.len() != fields.len() {
                return Err(Trouble::WrongType);
            }
            let read = |field: &Field| {
                let value = object
                    .get(&field.name)
                    .map_err(|Repeated| Trouble::DuplicateKey)?
                    .ok_or(Trouble::WrongType)?;
                let value = integer(value, field.min, field.max, strictness, Setting::Alone)?;
                Ok(format!("{}:{value}", quoted(&field.name)))
            };
            let parts = all(fields.iter().map(read), raw)?;
            Ok(ActionText::new(format!("{{{}}}", parts.join(","))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers() -> Domain {
        Domain::Integer { min: 0, max: 20 }
    }

    fn cells(at_most: usize) -> Domain {
        let fields = vec![Field::new("x", 0, 4), Field::new("y", 0, 4)];
        Domain::Plan { shape: ActionShape::Object { fields }, at_most }
    }

    #[test]
    fn strict_integers_are_integer_literals() {
        let strict = |raw| answer(raw, &integers(), Strictness::Strict);
        assert_eq!(strict("17"), Ok(Answer::Integer(17)));
        assert_eq!(strict("-0"), Ok(Answer::Integer(0)));
        assert_eq!(strict("21"), Err(Trouble::Illegal("21".to_owned())));
        for raw in ["17.0", "1e1", "\"17\"", "true", "null", "[17]"] {
            assert_eq!(strict(raw), Err(Trouble::WrongType), "{raw}");
        }
    }

    #[test]
    fn loose_integers_need_a_whole_value() {
        let loose = |raw| answer(raw, &integers(), Strictness::Loose);
        for raw in ["17", "17.0", "1.7e1", "\"17\"", "\" Seventeen. \"", "170e-1", "0.17E+2"] {
            assert_eq!(loose(raw), Ok(Answer::Integer(17)), "{raw}");
        }
        for raw in ["3.5", "1e999", "1e99999999999999999999", "16.9999999999999999", "9223372036854775808.0"]
        {
            assert_eq!(loose(raw), Err(Trouble::Illegal(raw.to_owned())), "{raw}");
        }
        assert_eq!(loose("-0.0e9"), Ok(Answer::Integer(0)));
        assert_eq!(loose("\"many\""), Err(Trouble::WrongType));
    }

    #[test]
    fn a_wrong_shape_comes_before_an_illegal_value() {
        let members = ["A", "B"].map(String::from).to_vec();
        let domain = Domain::Set { members, at_least: 0 };
        assert_eq!(answer(r#"["E",["A"]]"#, &domain, Strictness::Loose), Err(Trouble::WrongType));
    }

    #[test]
    fn plans_may_exceed_their_budget_but_not_all_bounds() {
        let plan = |n: usize| format!("[{}]", vec![r#"{"y":1,"x":2}"#; n].join(","));
        let read = answer(&plan(2), &cells(1), Strictness::Strict).unwrap();
        assert_eq!(read.to_json(), r#"[{"x":2,"y":1},{"x":2,"y":1}]"#);
        assert!(answer(&plan(LONGEST_PLAN), &cells(1), Strictness::Strict).is_ok());
        let too_long = answer(&plan(LONGEST_PLAN + 1), &cells(1), Strictness::Strict);
        assert!(matches!(too_long, Err(Trouble::Illegal(_))));
    }

    #[test]
    fn action_objects_have_exactly_their_fields() {
        let read = |raw, strictness| answer(raw, &cells(9), strictness);
        for strictness in [Strictness::Strict, Strictness::Loose] {
            assert_eq!(read(r#"[{"x":1,"y":2,"z":3}]"#, strictness), Err(Trouble::WrongType));
        }
        let loose = read(r#"[{"x":"1","y":2.0}]"#, Strictness::Loose).unwrap();
        assert_eq!(loose.to_json(), r#"[{"x":1,"y":2}]"#);
        assert_eq!(read(r#"[{"x":1,"x":1}]"#, Strictness::Loose), Err(Trouble::DuplicateKey));
        assert_eq!(read(r#"[{"x":1}]"#, Strictness::Loose), Err(Trouble::WrongType));
    }
}
