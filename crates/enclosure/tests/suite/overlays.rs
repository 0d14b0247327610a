//! Certificates drawn on pictures: they render, they are seen in every theme, and they leave most
//! of the picture as it is.

use topotrace_core::{Level, Raster};
use topotrace_draw::Rasterizer;
use topotrace_enclosure::TASKS;

const SIDE: u32 = 512;

/// The picture with an overlay on it: the overlay's elements drawn after the picture's own.
fn composed(picture: &str, overlay: &str) -> String {
    let (_, shapes) = overlay.split_once('>').unwrap();
    format!("{}{shapes}", picture.trim_end().strip_suffix("</svg>").unwrap())
}

fn share_of_changed_pixels(a: &Raster, b: &Raster) -> f64 {
    let different = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 64);
    let changed = a.rgb.chunks(3).zip(b.rgb.chunks(3)).filter(|pair| different(*pair)).count();
    changed as f64 / (a.rgb.len() / 3) as f64
}

#[test]
fn certificates_are_seen_in_every_theme() {
    let mut rasterizer = Rasterizer::new();
    for task in TASKS {
        for (seed, theme) in task.themes().iter().enumerate() {
            for level in Level::ALL {
                let generator = task.generator(&level.into()).unwrap();
                let (seeds, instance) = generator.generate(300 + seed as u64).unwrap();
                let style = instance.style(seeds.render, Some(theme)).unwrap();
                let pictures = instance.draw(&style).unwrap();
                let overlays = instance.explain(&style).unwrap();
                assert_eq!(overlays.len(), pictures.len());
                for (picture, overlay) in pictures.iter().zip(&overlays) {
                    rasterizer.render(overlay, SIDE).unwrap();
                    let before = rasterizer.render(&picture.svg, SIDE).unwrap();
                    let after = rasterizer.render(&composed(&picture.svg, overlay), SIDE).unwrap();
                    let share = share_of_changed_pixels(&before, &after);
                    assert!((0.005..0.5).contains(&share), "{} {level} {theme}: {share}", task.info().id);
                }
            }
        }
    }
}
