use serde_json::json;
use topotrace_core::{Flaw, ensure};

use crate::field::Field;
use crate::row::{BUDGET, Parts};

/// The order in which the published cats break ties: the neighbor with the least number first.
const ORDER: [&str; 6] = ["nw", "ne", "w", "e", "sw", "se"];
/// Coins and choices of a draw: a coin from 0 to 9 times 60, plus a choice from 0 to 59.
const COINS: u64 = 10;
const CHOICES: u64 = 60;

/// A chat-noir board. Cells are numbered alike. The cats are `easy`, which strays from the direct
/// way in seven of ten moves as it does in the published game (its description says five), `medium`
/// and `hard`, which are the direct and the wary one with ties broken by the cell's number.
pub(crate) fn read(root: &Field<'_>) -> Result<Parts, Flaw> {
    let state = root.at(&["meta_info", "initial_state"])?;
    let reset = state.get("reset_config")?;
    let radius_field = state.get("boardRadius")?;
    radius_field.agree(reset.find(&["boardRadius"]))?;
    radius_field.agree(root.find(&["meta_info", "board_radius"]))?;
    let radius = radius_field.number(64)?;
    let cells = 3 * radius * (radius + 1) + 1;
    let cat_field = state.get("catIndex")?;
    cat_field.agree(reset.find(&["catIndex"]))?;
    let cat = cat_field.number(cells - 1)?;
    let blocked_field = state.get("blockedIndices")?;
    blocked_field.agree(reset.find(&["initialBlockedIndices"]))?;
    let mut blocked = blocked_field.numbers(cells - 1)?;
    blocked.sort_unstable();
    let count = blocked.len() as u32;
    blocked.dedup();
    ensure(blocked.len() as u32 == count, || blocked_field.wrong("a list without repeats").to_string())?;
    ensure(!blocked.contains(&cat), || blocked_field.wrong("a list without the cat's cell").to_string())?;
    if let Some(stored) = root.find(&["meta_info", "initial_block_count"]) {
        stored.ensure_is("the number of blocked cells", blocked.len())?;
    }
    // Room for every open cell but the cat's, as many as the published budget allows.
    let open = cells - count - 1;
    root.at(&BUDGET)?.number(open)?;
    let name = state.at(&["catPolicy", "name"])?;
    name.agree(reset.find(&["catPolicy"]))?;
    name.agree(root.find(&["meta_info", "cat_policy_name"]))?;
    let (habit, draws) = match name.text()? {
        "easy" => ("wandering_browser", draws(reset.get("rngSeed")?.number(u32::MAX)?, open)),
        "medium" => ("direct", Vec::new()),
        "hard" => ("wary", Vec::new()),
        _ => return Err(name.wrong("easy, medium or hard")),
    };
    Ok(Parts {
        state: json!({
            "radius": radius,
            "cat": cat,
            "blocked": blocked,
            "habit": habit,
            "order": ORDER,
            "draws": draws,
            "turn": 0,
        }),
        reference_length: None,
        solution: None,
    })
}

/// The draws of the published game: a linear congruential generator modulo 2³² (multiplier
/// 1,664,525, increment 1,013,904,223), one number a move for the coin and, where the cat strays, a
/// second one for the choice.
fn draws(seed: u32, moves: u32) -> Vec<u64> {
    let mut state = seed;
    let mut next = |below: u64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (u64::from(state) * below) >> 32
    };
    let mut draw = || {
        let coin = next(COINS);
        let choice = if coin < 3 { 0 } else { next(CHOICES) };
        coin * CHOICES + choice
    };
    (0..moves).map(|_| draw()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_coin_is_that_of_the_published_generator() {
        // (1,664,525 · seed + 1,013,904,223) / 2³²: 0.2365 for 1, 0.2996 for 164, 0.3000 for 165.
        for (seed, coin) in [(1, 2), (164, 2), (165, 3)] {
            assert_eq!(draws(seed, 3)[0] / CHOICES, coin, "{seed}");
        }
        assert_eq!(draws(1, 3).len(), 3);
    }
}
