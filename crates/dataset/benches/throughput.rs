//! What an instance costs, stage by stage: `cargo bench -p topotrace-dataset`.

#![allow(missing_docs, clippy::unwrap_used)]

use divan::{Bencher, black_box};
use topotrace_core::{Instance, Level, Record, RecordContext, Seeds, Settings, Task};
use topotrace_dataset::{BuildOptions, Plan, PlanOptions, Selection, build};
use topotrace_draw::{PngEffort, Rasterizer, png};

const TASKS: [&str; 7] = [
    "bead/relation",
    "bead/rotation",
    "bead/sequence",
    "maze-2d/bars",
    "maze-2d/reach",
    "maze-2d/wall-added",
    "pipe",
];

fn main() {
    divan::main();
}

fn task(id: &str) -> &'static dyn Task {
    topotrace::registry().get(id).unwrap()
}

fn make(id: &str) -> (Seeds, Box<dyn Instance>, String) {
    let (seeds, instance) = task(id).generator(&Level::Hard.into()).unwrap().generate(3).unwrap();
    let style = instance.style(seeds.render, None).unwrap();
    (seeds, instance, style)
}

#[divan::bench(args = TASKS)]
fn instance_without_picture(bencher: Bencher<'_, '_>, id: &str) {
    let generator = task(id).generator(&Level::Hard.into()).unwrap();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        let (_, instance) = generator.generate(seed).unwrap();
        black_box(instance.answer().to_json())
    });
}

#[divan::bench(args = TASKS)]
fn picture_512(bencher: Bencher<'_, '_>, id: &str) {
    picture(bencher, id, 512);
}

#[divan::bench(args = TASKS)]
fn picture_1024(bencher: Bencher<'_, '_>, id: &str) {
    picture(bencher, id, 1024);
}

fn picture(bencher: Bencher<'_, '_>, id: &str, side: u32) {
    let (_, instance, style) = make(id);
    let mut rasterizer = Rasterizer::new();
    bencher.bench_local(|| {
        let picture = instance.draw(&style).unwrap().remove(0);
        let raster = rasterizer.render(&picture.svg, side).unwrap();
        black_box(png::encode(&raster, PngEffort::Fast).len())
    });
}

#[divan::bench(args = TASKS)]
fn visibility_measured(bencher: Bencher<'_, '_>, id: &str) {
    let (_, instance, style) = make(id);
    let picture = instance.draw(&style).unwrap().remove(0);
    let mut rasterizer = Rasterizer::new();
    bencher.bench_local(|| black_box(rasterizer.measure(&picture).unwrap().len()));
}

#[divan::bench(args = TASKS)]
fn record_written(bencher: Bencher<'_, '_>, id: &str) {
    let (seeds, instance, style) = make(id);
    let settings = Settings::from(Level::Hard);
    let context = RecordContext {
        generator: "bench",
        build_seed: 0,
        settings: &settings,
        params: "{}",
        seeds,
        style: &style,
        boxes: &[],
    };
    bencher.bench_local(|| {
        let record = Record::new(&*instance, context).unwrap();
        black_box(serde_json::to_string(&record).unwrap().len())
    });
}

/// A whole build of 100 instances with pictures at 1024 pixels, on one thread.
#[divan::bench(args = TASKS, sample_count = 5, sample_size = 1)]
fn build_of_100(bencher: Bencher<'_, '_>, id: &str) {
    let selection = Selection {
        tasks: vec![id.to_owned()],
        difficulties: vec![Level::Hard.into()],
        counts: [(topotrace_core::Split::Train, 100)].into(),
        ..Selection::default()
    };
    let plan = Plan::of_selection(&topotrace::registry(), &selection, PlanOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions { threads: Some(1), overwrite: true, ..BuildOptions::default() };
    bencher.bench_local(|| build(&plan, folder.path(), &options, &mut |_| {}).unwrap().rows());
}
