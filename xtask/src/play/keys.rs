//! What a player may type.

use topotrace_core::ActionShape;

/// What a line means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Actions, as JSON text, to be taken one after the other.
    Actions(Vec<String>),
    /// A whole response in JSON, read as a model's would be.
    Response(String),
    /// Show what the oracle would do.
    Hint,
    /// Let the oracle act.
    Oracle,
    /// List the legal actions.
    Legal,
    /// Take the last step back.
    Undo,
    /// Begin again.
    Restart,
    /// Show the rules again.
    Rules,
    /// Say what may be typed.
    Help,
    /// Leave.
    Quit,
    /// Nothing was typed.
    Nothing,
    /// The line means nothing.
    Unknown,
}

/// Reads a line. `quit` and the other words come first; then actions in the short form of the
/// game's shape; what holds a brace is taken as JSON.
pub(super) fn read(line: &str, shape: &ActionShape) -> Input {
    let line = line.trim();
    match line.to_ascii_lowercase().as_str() {
        "" => return Input::Nothing,
        "?" | "hint" => return Input::Hint,
        "!" | "oracle" => return Input::Oracle,
        "legal" => return Input::Legal,
        "undo" => return Input::Undo,
        "restart" => return Input::Restart,
        "rules" => return Input::Rules,
        "help" => return Input::Help,
        "q" | "quit" | "exit" => return Input::Quit,
        _ => {}
    }
    if line.contains('{') {
        let whole = serde_json::from_str::<serde_json::Value>(line).ok();
        return match whole {
            Some(value) if value.get("answer").is_none() => Input::Actions(vec![value.to_string()]),
            _ => Input::Response(line.to_owned()),
        };
    }
    short(line, shape).map_or(Input::Unknown, Input::Actions)
}

/// Actions in short: a number, a word, letters in a row, or a field's number after another.
fn short(line: &str, shape: &ActionShape) -> Option<Vec<String>> {
    match shape {
        ActionShape::Integer { .. } => Some(vec![line.parse::<u32>().ok()?.to_string()]),
        ActionShape::Label { members } => {
            let named = |word: &str| members.iter().find(|member| member.eq_ignore_ascii_case(word));
            let quoted = |name: &String| format!("\"{name}\"");
            if let Some(name) = named(line.trim_matches('"')) {
                return Some(vec![quoted(name)]);
            }
            // Letters in a row: several actions.
            let letters = line.chars().filter(|c| !c.is_whitespace());
            letters.map(|letter| named(letter.encode_utf8(&mut [0; 4])).map(quoted)).collect()
        }
        ActionShape::Object { fields } => {
            let numbers = line.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
            let numbers: Vec<u32> = numbers.map(|part| part.parse().ok()).collect::<Option<_>>()?;
            let pairs =
                fields.iter().zip(&numbers).map(|(field, number)| format!("\"{}\":{number}", field.name));
            let pairs: Vec<String> = pairs.collect();
            (numbers.len() == fields.len()).then(|| vec![format!("{{{}}}", pairs.join(","))])
        }
        _ => None,
    }
}

/// How an action is typed in short, as a sentence part.
pub(super) fn how_to_type(shape: &ActionShape) -> String {
    match shape {
        ActionShape::Integer { min, max } => format!("a number from {min} to {max}"),
        ActionShape::Label { members } => {
            let first: String = members.iter().take(2).map(|m| m.to_lowercase()).collect();
            format!("one of {}, or several in a row such as {first}", members.join(", "))
        }
        ActionShape::Object { fields } => {
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            format!("{} as numbers, such as {}", names.join(" and "), vec!["1"; names.len()].join(" "))
        }
        _ => "its JSON".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use topotrace_core::Field;

    use super::*;

    fn actions(texts: &[&str]) -> Input {
        Input::Actions(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn every_shape_has_a_short_form() {
        let object = ActionShape::Object { fields: vec![Field::new("x", 0, 3), Field::new("y", 0, 3)] };
        assert_eq!(read(" 1 2 ", &object), actions(&["{\"x\":1,\"y\":2}"]));
        assert_eq!(read("1,2", &object), actions(&["{\"x\":1,\"y\":2}"]));
        assert_eq!(read("{\"x\": 1, \"y\": 2}", &object), actions(&["{\"x\":1,\"y\":2}"]));
        for line in ["1", "1 2 3", "1 b", "-1 2"] {
            assert_eq!(read(line, &object), Input::Unknown, "{line}");
        }
        let label = ActionShape::Label { members: ["U", "D", "L", "R"].map(String::from).to_vec() };
        assert_eq!(read("u", &label), actions(&["\"U\""]));
        assert_eq!(read("\"L\"", &label), actions(&["\"L\""]));
        assert_eq!(read("ur rd", &label), actions(&["\"U\"", "\"R\"", "\"R\"", "\"D\""]));
        assert_eq!(read("ux", &label), Input::Unknown);
        let integer = ActionShape::Integer { min: 0, max: 36 };
        assert_eq!(read("12", &integer), actions(&["12"]));
        assert_eq!(read("99", &integer), actions(&["99"]), "the game says that it is illegal");
        assert_eq!(read("twelve", &integer), Input::Unknown);
    }

    #[test]
    fn words_and_responses_are_told_apart_from_actions() {
        let integer = ActionShape::Integer { min: 0, max: 36 };
        assert_eq!(read("", &integer), Input::Nothing);
        assert_eq!(read("?", &integer), Input::Hint);
        assert_eq!(read("QUIT", &integer), Input::Quit);
        let response = "I think {\"answer\": 3}";
        assert_eq!(read(response, &integer), Input::Response(response.to_owned()));
    }
}
