//! Pictures: every cell, block and cat can be seen.

use topotrace_core::{Draw as _, Item, Level, RenderRng, Scene as _, Task as _};
use topotrace_draw::{Rasterizer, check_visibility};
use topotrace_enclosure::chat_noir::{ChatNoir, Garden, RimMark, Stone};

#[test]
fn every_mark_is_visible_in_every_theme_and_style() {
    let mut rasterizer = Rasterizer::new();
    for (seed, level) in Level::ALL.into_iter().cycle().take(9).enumerate() {
        let (_, instance) = ChatNoir.generator(&level.into()).unwrap().generate(seed as u64).unwrap();
        let item: Item<ChatNoir> = serde_json::from_str(&instance.item()).unwrap();
        for (number, theme) in Garden::THEMES.iter().enumerate() {
            let mut rng = RenderRng::from_seed((seed * 10 + number) as u64);
            let style = Garden::style(&item.state, theme, &mut rng);
            Garden::validate_style(&item.state, &style).unwrap();
            let picture = &Garden::draw(&item.state, &(), &style)[0];
            let boxes = rasterizer.measure(picture).unwrap();
            check_visibility(&boxes).unwrap_or_else(|flaw| panic!("{style:?}: {flaw}"));
            let cells = [19, 37, 61][item.state.radius as usize - 2];
            assert_eq!(boxes.len(), cells, "one mark a cell, the cat's among them");
            let blocks = boxes.iter().filter(|mark| mark.name.starts_with("block ")).count();
            assert_eq!(blocks as u32, item.state.blocked.count());
        }
    }
}

/// The least readable style: the smallest numbers on the greatest board.
#[test]
fn the_smallest_numbers_are_visible() {
    let (_, instance) = ChatNoir.generator(&Level::Easy.into()).unwrap().generate(1).unwrap();
    let item: Item<ChatNoir> = serde_json::from_str(&instance.item()).unwrap();
    let mut state = item.state;
    state.radius = 4;
    for theme in Garden::THEMES {
        // Outlines can be told apart in any color.
        let mut style = Garden::style(&state, theme, &mut RenderRng::from_seed(1));
        (style.margin, style.gap, style.font_permille) = (64, 12, 330);
        (style.rim, style.stone) = (RimMark::Outline, Stone::Ridged);
        let boxes = Rasterizer::new().measure(&Garden::draw(&state, &(), &style)[0]).unwrap();
        check_visibility(&boxes).unwrap();
        let digits = boxes.iter().filter(|mark| mark.name.starts_with("cell "));
        assert!(digits.map(|mark| mark.height).min().unwrap() >= 20, "digits of ten pixels at 512");
    }
}

#[test]
fn a_style_out_of_bounds_is_named() {
    let (_, instance) = ChatNoir.generator(&Level::Easy.into()).unwrap().generate(1).unwrap();
    let item: Item<ChatNoir> = serde_json::from_str(&instance.item()).unwrap();
    let style = Garden::style(&item.state, "sand", &mut RenderRng::from_seed(1));
    let flaw = |change: fn(&mut topotrace_enclosure::chat_noir::GardenStyle)| {
        let mut style = style.clone();
        change(&mut style);
        Garden::validate_style(&item.state, &style).unwrap_err().to_string()
    };
    assert!(flaw(|s| s.theme = "neon".into()).contains("neon"));
    assert!(flaw(|s| s.margin = 65).contains("margin 65"));
    assert!(flaw(|s| s.gap = 5).contains("gap 5"));
    assert!(flaw(|s| s.round_permille = 301).contains("round_permille 301"));
    assert!(flaw(|s| s.font_permille = 300).contains("font_permille 300"));
    assert!(flaw(|s| s.rim_color = "yellow".into()).contains("rim_color"));
    assert!(flaw(|s| s.lamp_color = "green".into()).contains("lamp_color"));
}
