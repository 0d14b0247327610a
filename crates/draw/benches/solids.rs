//! What a picture of solids costs, stage by stage: `cargo bench -p topotrace-draw --bench solids`.

#![allow(missing_docs, clippy::unwrap_used)]

use divan::{Bencher, black_box};
use topotrace_core::{Picture, SemanticRng};
use topotrace_draw::solid::{Solid, SolidLook, SolidScene, draw_solids};
use topotrace_draw::{Canvas, PngEffort, Rasterizer, Theme, png};
use topotrace_space::nalgebra::{Point3, Vector3};
use topotrace_space::{Camera, Frame, Lens, View};

const SCENES: [&str; 4] = ["town", "town without lines", "town with shadow", "crowd of crossing blocks"];

fn main() {
    divan::main();
}

struct Subject {
    scene: SolidScene,
    camera: Camera,
    look: SolidLook,
    theme: &'static Theme,
}

impl Subject {
    fn named(name: &str) -> Subject {
        let theme = Theme::named("paper").unwrap();
        let scene = if name.starts_with("town") { town(theme) } else { crowd(theme) };
        let frame = Frame { width: 1024, height: 1024, fill_percent: 92 };
        let lens = Lens::Perspective { distance_percent: 350 };
        let camera = Camera::around_points(View::degrees(35, 35), lens, &scene.points(), 0.0, frame);
        let look = SolidLook::default();
        let look = match name {
            "town without lines" => SolidLook { lines: None, ..look },
            "town with shadow" => look.with_shadow(0.0),
            _ => look,
        };
        Subject { scene, camera, look, theme }
    }

    fn draw(&self) -> Picture {
        let mut canvas = Canvas::new(1024, 1024, self.theme.background.color);
        draw_solids(&mut canvas, &self.scene, &self.camera, &self.look).unwrap();
        canvas.finish()
    }
}

/// Houses with pitched roofs in rows, each with a chimney through its roof: 1,303 faces are turned to
/// the viewer.
fn town(theme: &Theme) -> SolidScene {
    let mut rng = SemanticRng::from_seed(1);
    let mut solids = Vec::new();
    for at in 0..147 {
        let (x, y) = (f64::from(at % 12) * 2.0, f64::from(at / 12) * 2.0);
        let (width, height) = (rng.uniform(0.9, 1.5), rng.uniform(0.6, 2.0));
        let wall = theme.hues[at as usize % 6].color;
        let body = Solid::block(Point3::new(x, y, 0.0), Point3::new(x + width, y + 1.2, height), wall);
        let gable = [(-0.1, 0.0), (width + 0.1, 0.0), (width / 2.0, 0.6)]
            .map(|(along, up)| Point3::new(x + along, y - 0.1, height + up));
        let roof = Solid::prism(&gable, Vector3::new(0.0, 1.4, 0.0), theme.label.color);
        let low = Point3::new(x + width * 0.2, y + 0.5, height + 0.05);
        let chimney = Solid::block(low, low + Vector3::new(0.2, 0.2, 0.6), theme.ink.color);
        solids.extend([body.unwrap().marked(format!("house {at}")), roof.unwrap(), chimney.unwrap()]);
    }
    SolidScene { solids }
}

/// Sixty blocks at random places, most of which pass through others.
fn crowd(theme: &Theme) -> SolidScene {
    let mut rng = SemanticRng::from_seed(2);
    let mut solids = Vec::new();
    for at in 0..60 {
        let low = Point3::new(rng.uniform(0.0, 4.0), rng.uniform(0.0, 4.0), rng.uniform(0.0, 4.0));
        let size = Vector3::new(rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5));
        solids.push(Solid::block(low, low + size, theme.hues[at % 6].color).unwrap());
    }
    SolidScene { solids }
}

/// Our own part: geometry, order, paths and SVG text, identity pass included.
#[divan::bench(args = SCENES)]
fn draw(bencher: Bencher<'_, '_>, name: &str) {
    let subject = Subject::named(name);
    bencher.bench_local(|| subject.draw());
}

/// SVG text to pixels.
#[divan::bench(args = SCENES)]
fn render(bencher: Bencher<'_, '_>, name: &str) {
    let picture = Subject::named(name).draw();
    let mut rasterizer = Rasterizer::new();
    bencher.bench_local(|| rasterizer.render(black_box(&picture.svg), 1024).unwrap());
}

/// Pixels to PNG bytes.
#[divan::bench(args = SCENES)]
fn encode(bencher: Bencher<'_, '_>, name: &str) {
    let picture = Subject::named(name).draw();
    let raster = Rasterizer::new().render(&picture.svg, 1024).unwrap();
    bencher.bench_local(|| png::encode(black_box(&raster), PngEffort::Fast).len());
}

/// Scene to PNG bytes.
#[divan::bench(args = SCENES)]
fn whole(bencher: Bencher<'_, '_>, name: &str) {
    let subject = Subject::named(name);
    let mut rasterizer = Rasterizer::new();
    bencher.bench_local(|| {
        let raster = rasterizer.render(&subject.draw().svg, 1024).unwrap();
        png::encode(&raster, PngEffort::Fast).len()
    });
}

/// The identity pass and each mark alone.
#[divan::bench(args = SCENES)]
fn measure(bencher: Bencher<'_, '_>, name: &str) {
    let picture = Subject::named(name).draw();
    let mut rasterizer = Rasterizer::new();
    bencher.bench_local(|| rasterizer.measure(black_box(&picture)).unwrap());
}
