//! What a picture of ropes costs, stage by stage: `cargo bench -p topotrace-draw --bench ropes`.

#![allow(missing_docs, clippy::unwrap_used)]

use divan::{Bencher, black_box};
use topotrace_core::Picture;
use topotrace_draw::rope::{Arrow, Bead, Rope, RopeLook, RopeScene, draw_ropes};
use topotrace_draw::{Canvas, PngEffort, Rasterizer, Theme, png};
use topotrace_space::nalgebra::Point3;
use topotrace_space::{Camera, Curve, Frame, Lens, View, shapes};

const SCENES: [&str; 4] =
    ["three ropes", "three ropes with shadow", "three ropes in perspective", "ten beads"];

fn main() {
    divan::main();
}

struct Subject {
    scene: RopeScene,
    camera: Camera,
    look: RopeLook,
    theme: &'static Theme,
}

impl Subject {
    fn named(name: &str) -> Subject {
        let theme = Theme::named("paper").unwrap();
        let scene = if name == "ten beads" { beads(theme) } else { links(theme) };
        let lens = if name.ends_with("perspective") {
            Lens::Perspective { distance_percent: 350 }
        } else {
            Lens::Orthographic
        };
        let points: Vec<_> = scene.ropes.iter().flat_map(|rope| rope.curve.points()).copied().collect();
        let frame = Frame { width: 1024, height: 1024, fill_percent: 85 };
        let camera = Camera::around_points(View::degrees(15, 55), lens, &points, 0.3, frame);
        let plain = RopeLook::on(theme.background.color);
        let look = if name.ends_with("shadow") { plain.with_shadow() } else { plain };
        Subject { scene, camera, look, theme }
    }

    fn draw(&self) -> Picture {
        let mut canvas = Canvas::new(1024, 1024, self.theme.background.color);
        draw_ropes(&mut canvas, &self.scene, &self.camera, &self.look).unwrap();
        canvas.finish()
    }
}

fn rope(curve: Curve, radius: f64, color: usize, theme: &Theme) -> Rope {
    Rope { curve, radius, color: theme.hues[color].color, mark: Some(format!("rope {color}")) }
}

/// A chain of three rings, each about half as long again as the canvas is wide.
fn links(theme: &Theme) -> RopeScene {
    let ring = shapes::ring(1.5, 200).unwrap();
    let second = ring.mapped(|p| Point3::new(p.x + 1.6, p.y * 0.7, p.z + p.y * 0.7)).unwrap();
    let third = ring.mapped(|p| Point3::new(p.x + 3.2, p.y, p.z)).unwrap();
    let curves = [(ring, 1), (second, 3), (third, 5)];
    let ropes = curves.into_iter().map(|(curve, color)| rope(curve, 0.15, color, theme)).collect();
    RopeScene { ropes, ..RopeScene::default() }
}

fn beads(theme: &Theme) -> RopeScene {
    let string = shapes::torus_knot(2, 3, 2.0, 0.8, 300).unwrap();
    let step = string.length() / 10.0;
    let bead = |index: usize| Bead {
        rope: 0,
        position: index as f64 * step,
        radius: 0.3,
        color: theme.hues[index % 6].color,
        mark: Some(format!("bead {index}")),
        ring: (index == 0).then_some((theme.accent.color, Some("marker".to_owned()))),
        label: String::new(),
    };
    let arrow = Arrow {
        rope: 0,
        position: step / 2.0,
        length: 0.5,
        radius: 0.2,
        forward: true,
        color: theme.accent.color,
        mark: Some("arrow".to_owned()),
    };
    let beads = (0..10).map(bead).collect();
    RopeScene { ropes: vec![rope(string, 0.08, 0, theme)], beads, arrows: vec![arrow] }
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
