//! Moves as text: `URRD`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

use super::grid::Move;

pub(super) fn text(moves: &[Move]) -> String {
    moves.iter().map(|step| step.letter()).collect()
}

pub(super) fn serialize<S: Serializer>(moves: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(moves))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Move>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let step = |letter| Move::of_letter(letter).ok_or(letter);
    text.chars()
        .map(step)
        .collect::<Result<_, _>>()
        .map_err(|letter| D::Error::custom(format!("{letter:?} in a path is not U, D, L or R")))
}
