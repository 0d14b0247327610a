//! Rendered scenes under review: SVG and record text as snapshots, and small reference pictures.
//!
//! After a wanted change, look at each new file. `cargo insta review` accepts the snapshots one by
//! one, `INSTA_UPDATE=always cargo test -p topotrace --test scenes` all of them. `cargo xtask bless`
//! writes the pictures anew and a page that shows them beside the old ones.

// Helpers of tests may panic as tests do.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use topotrace::core::{GENERATOR, Instance, Level, Raster, Record, RecordContext, Seeds, Settings, Task};
use topotrace::draw::{Rasterizer, png};

/// Side of the reference pictures in pixels: as small as can still be judged by eye.
const SIDE: u32 = 256;
/// The seed of everything that is pinned.
const SEED: u64 = 2026;

fn make(task: &dyn Task, level: Level) -> (Seeds, Box<dyn Instance>, String) {
    let generator = task.generator(&level.into()).unwrap();
    let (seeds, instance) = generator.generate(SEED).unwrap();
    (seeds, instance, generator.params().to_owned())
}

fn each_task_and_theme(mut check: impl FnMut(&dyn Task, &str, Level)) {
    for task in topotrace::registry().tasks() {
        for (theme, level) in task.themes().iter().zip(Level::ALL.into_iter().cycle()) {
            check(*task, theme, level);
        }
    }
}

/// A drawing of a size that one can read, as it is; of a larger one the first elements, cut short. All of it
/// is pinned by the lists of hashes, and shown by the reference pictures.
fn abridged(svg: &str) -> String {
    if svg.len() <= 64 * 1024 {
        return svg.to_owned();
    }
    let lines = svg.lines().take(40).map(|line| line.chars().take(100).collect::<String>() + "\n");
    format!("{}… {} elements in all\n", lines.collect::<String>(), svg.lines().count())
}

#[test]
fn svg_text_is_as_reviewed() {
    each_task_and_theme(|task, theme, level| {
        let (seeds, instance, _) = make(task, level);
        let style = instance.style(seeds.render, Some(theme)).unwrap();
        for (number, picture) in instance.draw(&style).unwrap().iter().enumerate() {
            let name = format!("{}-{theme}-{number}.svg", task.info().slug());
            insta::assert_snapshot!(name, abridged(&picture.svg));
        }
    });
}

#[test]
fn records_are_as_reviewed() {
    for task in topotrace::registry().tasks() {
        for level in Level::ALL {
            let (seeds, instance, params) = make(*task, level);
            let style = instance.style(seeds.render, None).unwrap();
            let pictures = instance.draw(&style).unwrap();
            let mut rasterizer = Rasterizer::new();
            let boxes: Vec<_> = pictures.iter().map(|p| rasterizer.measure(p).unwrap()).collect();
            let context = RecordContext {
                generator: GENERATOR,
                build_seed: SEED,
                settings: &Settings::from(level),
                params: &params,
                seeds,
                style: &style,
                boxes: &boxes,
            };
            let record = Record::new(&*instance, context).unwrap();
            let name = format!("{}-{level}.json", task.info().slug());
            insta::assert_snapshot!(name, readable(&record));
        }
    }
}

/// The record as indented JSON, its inner JSON texts unfolded.
fn readable(record: &Record) -> String {
    let mut value = serde_json::to_value(record).unwrap();
    for key in ["query", "domain", "trace", "answer", "contract"] {
        let inner: serde_json::Value = serde_json::from_str(value[key].as_str().unwrap()).unwrap();
        value[key] = inner;
    }
    format!("{value:#}")
}

#[test]
fn pixels_are_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/render");
    let mut differences = Vec::new();
    each_task_and_theme(|task, theme, level| {
        let (seeds, instance, _) = make(task, level);
        let style = instance.style(seeds.render, Some(theme)).unwrap();
        let picture = instance.draw(&style).unwrap().remove(0);
        let raster = Rasterizer::new().render(&picture.svg, SIDE).unwrap();
        let name = format!("{}-{theme}.png", task.info().slug());
        match std::fs::read(folder.join(&name)) {
            Ok(bytes) if same_pixels(&png::decode(&bytes).unwrap(), &raster) => {}
            Ok(_) => differences.push(format!("{name} differs")),
            Err(error) => differences.push(format!("{name}: {error}")),
        }
    });
    assert!(
        differences.is_empty(),
        "fixtures/render:\n{}\ncargo xtask bless writes the pictures and shows what changed",
        differences.join("\n")
    );
}

/// One level a channel is no difference: other processors may round antialiasing differently.
fn same_pixels(wanted: &Raster, drawn: &Raster) -> bool {
    let same_size = (wanted.width, wanted.height) == (drawn.width, drawn.height);
    same_size && wanted.rgb.iter().zip(&drawn.rgb).all(|(a, b)| a.abs_diff(*b) <= 1)
}
