//! Swapping with the blank: what is drawn can be seen, told apart and read back.

use topotrace_core::{
    Draw as _, Item, Level, Planning as _, PromptRng, RenderRng, Scene as _, Task as _, TaskProgram as _,
};
use topotrace_draw::{Rasterizer, check_visibility};
use topotrace_order::swap::{Blocks, Captions, Swap, SwapStyle};

fn items() -> Vec<(u64, Item<Swap>)> {
    let levels = Level::ALL.into_iter().cycle().take(12).enumerate();
    let generated = levels.map(|(seed, level)| {
        let (_, instance) = Swap.generator(&level.into()).unwrap().generate(seed as u64).unwrap();
        (seed as u64, serde_json::from_str(&instance.item()).unwrap())
    });
    generated.collect()
}

fn style(item: &Item<Swap>, theme: &'static str, seed: u64) -> SwapStyle {
    let style = Blocks::style(&item.state, theme, &mut RenderRng::from_seed(seed));
    Blocks::validate_style(&item.state, &style).unwrap();
    style
}

#[test]
fn every_mark_is_visible_in_every_theme_and_style() {
    let mut rasterizer = Rasterizer::new();
    for (seed, item) in items() {
        for (number, theme) in Blocks::THEMES.iter().enumerate() {
            let style = style(&item, theme, seed * 10 + number as u64);
            for picture in Blocks::draw(&item.state, &(), &style) {
                let boxes = rasterizer.measure(&picture).unwrap();
                check_visibility(&boxes).unwrap_or_else(|flaw| panic!("{style:?}: {flaw}"));
                assert_eq!(boxes.len(), item.state.current.len());
                // Nothing lies over anything else.
                assert!(picture.marks.iter().all(|mark| mark.alone_svg.is_none()), "{style:?}");
            }
        }
    }
}

#[test]
fn the_board_can_be_read_off_the_pixels() {
    let mut rasterizer = Rasterizer::new();
    for (seed, item) in items() {
        let answer = Swap::execute(&item).answer;
        for (number, theme) in Blocks::THEMES.iter().enumerate() {
            let style = style(&item, theme, 500 + seed * 10 + number as u64);
            for side in [Blocks::least_side(&item.state), 512] {
                let mut rasters: Vec<_> = Blocks::draw(&item.state, &(), &style)
                    .iter()
                    .map(|picture| rasterizer.render(&picture.svg, side).unwrap())
                    .collect();
                assert_eq!(Swap::read_pixels(&item, &style, &rasters), Some(answer.clone()), "{style:?}");
                // The two pictures are not alike.
                rasters.reverse();
                assert_ne!(Swap::read_pixels(&item, &style, &rasters), Some(answer.clone()));
                assert_eq!(Swap::read_pixels(&item, &style, &rasters[..1]), None);
            }
        }
    }
}

#[test]
fn prompts_speak_of_what_is_drawn() {
    for (seed, item) in items() {
        for (number, theme) in Blocks::THEMES.iter().enumerate() {
            let style = style(&item, theme, seed + number as u64);
            let mut rng = PromptRng::from_seed(seed * 10 + number as u64);
            let (now, goal) = match style.captions {
                Captions::Now => ("now", "goal"),
                Captions::Current => ("current", "goal"),
                Captions::Capitals => ("NOW", "GOAL"),
            };
            let pictures = Blocks::draw(&item.state, &(), &style);
            for prompt in [Swap::prompt(&item, &style, &mut rng), Swap::rules(&item, &style, &mut rng)] {
                for (word, picture) in [now, goal].into_iter().zip(&pictures) {
                    assert!(prompt.contains(&format!("\"{word}\"")), "{prompt}");
                    assert!(picture.svg.contains(&format!(">{word}</text>")), "{}", picture.svg);
                }
                assert!(prompt.contains(&item.query.budget.to_string()), "{prompt}");
            }
        }
    }
}

#[test]
fn a_style_out_of_its_bounds_is_named() {
    let (_, item) = items().remove(0);
    let good = style(&item, "paper", 1);
    let flaw = |change: fn(&mut SwapStyle)| {
        let mut style = good.clone();
        change(&mut style);
        Blocks::validate_style(&item.state, &style).unwrap_err().to_string()
    };
    assert!(flaw(|s| s.theme = "velvet".into()).contains("velvet"));
    assert!(flaw(|s| s.gap_permille = 49).contains("gap_permille 49"));
    assert!(flaw(|s| s.corner_permille = 241).contains("corner_permille 241"));
    assert!(flaw(|s| s.font = 33).contains("font 33"));
    assert!(flaw(|s| s.band = 101).contains("band 101"));
    assert!(flaw(|s| s.margin = 29).contains("margin 29"));
}
