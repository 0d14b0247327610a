//! Solids as they reach the pixels: against depth alone, and without visible seams.
#![cfg(feature = "raster")]

use proptest::prelude::*;
use topotrace_core::{Picture, Raster, SemanticRng};
use topotrace_draw::solid::{EdgeLines, GroundShadow, Solid, SolidLook, SolidScene, draw_solids};
use topotrace_draw::{Canvas, Color, Rasterizer, check_visibility};
use topotrace_space::nalgebra::{Point3, Rotation3, Vector3};
use topotrace_space::{Camera, Frame, Lens, View, VisibilityBuffer};

/// Canvas units a side; half of the usual size.
const SIDE: u32 = 512;
/// Random scenes in a run.
const SCENES: u64 = 300;

/// Without shading and lines, so that every face shows its own color.
fn flat() -> SolidLook {
    SolidLook { ambient_percent: 100, lines: None, ..SolidLook::default() }
}

fn draw(scene: &SolidScene, camera: &Camera, look: &SolidLook) -> Picture {
    let mut canvas = Canvas::new(SIDE, SIDE, Color::BLACK);
    draw_solids(&mut canvas, scene, camera, look).expect("a sound scene");
    canvas.finish()
}

/// A color for each number below 4,095, never black.
fn numbered(number: usize) -> Color {
    let channel = |shift: usize| (((number + 1) >> shift & 15) * 17) as u8;
    Color::rgb(channel(8), channel(4), channel(0))
}

/// The same scene with a color of its own for each face.
fn with_numbered_faces(scene: &SolidScene) -> SolidScene {
    let mut number = 0;
    let mut paint = |solid: &Solid| {
        (0..solid.faces().len()).fold(solid.clone(), |solid, face| {
            number += 1;
            solid.with_face_color(face, numbered(number - 1)).expect("a face")
        })
    };
    SolidScene { solids: scene.solids.iter().map(&mut paint).collect() }
}

/// What depth alone says, as numbers of faces.
fn by_depth(scene: &SolidScene, camera: &Camera) -> VisibilityBuffer {
    let mut buffer = VisibilityBuffer::new(SIDE, SIDE, 1.0);
    let solids = scene.solids.iter();
    let faces = solids.flat_map(|solid| solid.faces().iter().map(|face| (solid.is_two_sided(), face)));
    for (number, (two_sided, face)) in (0..).zip(faces) {
        let turned_away = face.normal().dot(&camera.ray_to(face.corners()[0])) >= 0.0;
        if two_sided || !turned_away {
            buffer.add_polygon(camera, face.corners(), number);
        }
    }
    buffer
}

/// Counts the pixels, of one sample each, that show another face than depth says: those away from
/// all outlines (depth says the same within a pixel and a half); those that show a face that is
/// nowhere within a pixel and a half, mostly one that is much thinner than a pixel; all.
fn wrong_pixels(scene: &SolidScene, camera: &Camera, rasterizer: &mut Rasterizer) -> [usize; 3] {
    let picture = draw(&with_numbered_faces(scene), camera, &flat());
    let once = picture.svg.replacen(" data-samples=\"2\"", "", 1);
    assert_ne!(once, picture.svg);
    let raster = rasterizer.render(&once, SIDE).expect("a raster");
    let buffer = by_depth(scene, camera);
    let color = |x: u32, y: u32| {
        let number = buffer.thing(x as usize, y as usize);
        number.map_or(Color::BLACK, |number| numbered(number as usize)).channels()
    };
    let mut counts = [0; 3];
    for (x, y) in (0..SIDE * SIDE).map(|at| (at % SIDE, at / SIDE)) {
        let (shown, expected) = (raster.pixel(x, y), color(x, y));
        if shown == expected {
            continue;
        }
        let around: Vec<_> = (0..9)
            .map(|at| (x + at % 3, y + at / 3))
            .filter(|(x, y)| (1..=SIDE).contains(x) && (1..=SIDE).contains(y))
            .map(|(x, y)| color(x - 1, y - 1))
            .collect();
        counts[0] += usize::from(around.iter().all(|color| *color == expected));
        counts[1] += usize::from(around.iter().all(|color| *color != shown));
        counts[2] += 1;
    }
    counts
}

fn point(rng: &mut SemanticRng, low: f64, high: f64) -> Point3<f64> {
    Point3::new(rng.uniform(low, high), rng.uniform(low, high), rng.uniform(low, high))
}

fn random_turn(rng: &mut SemanticRng) -> Rotation3<f64> {
    Rotation3::from_euler_angles(rng.uniform(-3.0, 3.0), rng.uniform(-1.5, 1.5), rng.uniform(-3.0, 3.0))
}

/// A solid of any kind about a point, no larger than a third.
fn random_solid(rng: &mut SemanticRng, at: Point3<f64>) -> Solid {
    let turn = random_turn(rng);
    let across = |rng: &mut SemanticRng| rng.uniform(0.08, 0.3);
    let solid = match rng.below(6) {
        0 | 1 => {
            let size = Vector3::new(across(rng), across(rng), across(rng)) * 1.5;
            Solid::oriented_block(at, size, &turn, Color::WHITE)
        }
        2 => Solid::cylinder(at, at + turn * Vector3::z() * across(rng), across(rng), 14, Color::WHITE),
        3 => Solid::cone(at, at + turn * Vector3::z() * across(rng), across(rng), 11, Color::WHITE),
        kind => {
            let corners = 3 + rng.below(6);
            let corner = |index: usize| {
                let angle = index as f64 / corners as f64 * std::f64::consts::TAU;
                let (sin, cos) = libm::sincos(angle);
                at + turn * Vector3::new(cos, sin, 0.0) * rng.uniform(0.1, 0.33)
            };
            let outline: Vec<_> = (0..corners).map(corner).collect();
            if kind == 4 {
                Solid::prism(&outline, turn * Vector3::new(0.05, 0.1, 0.25), Color::WHITE)
            } else {
                Solid::sheet(&outline, Color::WHITE)
            }
        }
    };
    solid.expect("a solid")
}

/// One of four kinds of scene: things in a room, touching blocks on a grid, things that pass through
/// each other, a mix of sheets and solids with long bars.
fn random_scene(rng: &mut SemanticRng) -> SolidScene {
    let block = |low: [f64; 3], high: [f64; 3]| {
        Solid::block(Point3::from(low), Point3::from(high), Color::WHITE).expect("a block")
    };
    let mut solids = Vec::new();
    match rng.below(4) {
        0 => {
            solids.push(block([-2.0, -2.0, -0.1], [2.0, 2.0, 0.0]));
            solids.push(block([-2.0, 2.0, -0.1], [2.0, 2.1, 1.2]));
            solids.push(block([-2.1, -2.0, -0.1], [-2.0, 2.1, 1.2]));
            for at in 0..16 {
                let (x, y) = (f64::from(at % 4) - 1.9, f64::from(at / 4) - 1.9);
                let high = [x + rng.uniform(0.2, 0.9), y + rng.uniform(0.2, 0.9), rng.uniform(0.1, 1.0)];
                solids.push(block([x, y, 0.0], high));
            }
        }
        1 => {
            for at in 0..27 {
                if rng.percent(70) {
                    let low = [f64::from(at % 3), f64::from(at / 3 % 3), f64::from(at / 9)];
                    let high = low.map(|side| side + [0.5, 1.0][usize::from(rng.percent(70))]);
                    solids.push(block(low, high));
                }
            }
        }
        2 => {
            for _ in 0..14 {
                let at = point(rng, -0.5, 0.5);
                solids.push(random_solid(rng, at));
            }
        }
        _ => {
            for _ in 0..10 {
                let at = point(rng, -1.0, 1.0);
                solids.push(random_solid(rng, at));
                let size = Vector3::new(2.5, rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.2));
                let turn = random_turn(rng);
                solids.push(Solid::oriented_block(at, size, &turn, Color::WHITE).expect("a bar"));
            }
        }
    }
    SolidScene { solids }
}

fn random_camera(rng: &mut SemanticRng, scene: &SolidScene) -> Camera {
    let (azimuth, elevation) = (rng.below(360) as i16, rng.below(181) as i16 - 90);
    let view = *rng.pick(&[View::degrees(azimuth, elevation), View::Isometric, View::Oblique, View::Front]);
    let distance_percent = rng.between(150..=500) as u16;
    let lens = if rng.percent(40) { Lens::Orthographic } else { Lens::Perspective { distance_percent } };
    let frame = Frame { width: SIDE, height: SIDE, fill_percent: 95 };
    Camera::around_points(view, lens, &scene.points(), 0.0, frame)
}

/// Over 1,000 scenes, 23 of 262 million pixels were wrong away from outlines (where a thin face pokes
/// through another), 1,158 showed a face that is nowhere near, mostly one much thinner than a pixel,
/// and 0.055 % differed at outlines.
#[test]
fn what_is_seen_is_what_is_nearest() {
    let mut rasterizer = Rasterizer::new();
    let mut sums = [0; 3];
    for seed in 0..SCENES {
        let mut rng = SemanticRng::from_seed(seed);
        let scene = random_scene(&mut rng);
        let camera = random_camera(&mut rng, &scene);
        let found = wrong_pixels(&scene, &camera, &mut rasterizer);
        assert!(found[0] <= 2, "seed {seed}: {found:?}");
        for (sum, value) in sums.iter_mut().zip(found) {
            *sum += value;
        }
    }
    let [inside, elsewhere, different] = sums;
    let pixels = SCENES as usize * (SIDE * SIDE) as usize;
    assert!(inside * 5_000_000 <= pixels, "{inside} of {pixels}");
    assert!(elsewhere * 100_000 <= pixels, "{elsewhere} of {pixels}");
    assert!(different * 1_000 <= pixels, "{different} of {pixels}");
}

/// A line is a part of its face: in the color of the face, lines change nothing but what rounding does.
/// In 300 scenes that was no more than 12 pixels in one.
#[test]
fn lines_are_hidden_with_their_faces() {
    let mut rasterizer = Rasterizer::new();
    for seed in 0..40 {
        let mut rng = SemanticRng::from_seed(seed);
        let scene = with_numbered_faces(&random_scene(&mut rng));
        let camera = random_camera(&mut rng, &scene);
        let mut render = |lines: Option<EdgeLines>| {
            let picture = draw(&scene, &camera, &SolidLook { lines, ..flat() });
            rasterizer.render(&picture.svg, SIDE).expect("a raster")
        };
        let line = |darkness_percent| Some(EdgeLines { width: 3.0, darkness_percent });
        let (plain, same, dark) = (render(None), render(line(0)), render(line(60)));
        let differing = |other: &Raster| {
            plain.rgb.chunks_exact(3).zip(other.rgb.chunks_exact(3)).filter(|(a, b)| a != b).count()
        };
        assert!(differing(&same) <= 20 && differing(&dark) > 1_000, "seed {seed}: {}", differing(&same));
    }
}

/// Cuts the rectangle from (0, 0) to (4, 3) into tiles that meet in corners and along edges.
fn tiles(rng: &mut SemanticRng) -> Vec<[f64; 4]> {
    let mut rectangles = vec![[0.0, 0.0, 4.0, 3.0]];
    for _ in 0..60 {
        let at = rng.below(rectangles.len());
        let [x0, y0, x1, y1] = rectangles.swap_remove(at);
        let share = rng.uniform(0.3, 0.7);
        let (x, y) = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
        let halves = match x1 - x0 > y1 - y0 {
            true => [[x0, y0, x, y1], [x, y0, x1, y1]],
            false => [[x0, y0, x1, y], [x0, y, x1, y1]],
        };
        rectangles.extend(halves);
    }
    rectangles
}

/// A wall of many blocks of one color looks like one block: no line of the ground between two, and
/// none along the cuts that a bar through it makes.
#[test]
fn a_wall_of_many_tiles_has_no_seam() {
    let mut rasterizer = Rasterizer::new();
    for seed in 0..40 {
        let mut rng = SemanticRng::from_seed(seed);
        let wall = |[x0, z0, x1, z1]: [f64; 4], color| {
            Solid::block(Point3::new(x0, 0.0, z0), Point3::new(x1, 0.4, z1), color).expect("a tile")
        };
        let mut solids: Vec<_> =
            tiles(&mut rng).into_iter().map(|tile| wall(tile, Color::hex(0x2a60b8))).collect();
        let bar = [1.0, 2.0].map(|x| Point3::new(x, x - 1.9, x));
        if seed % 2 == 1 {
            solids.push(Solid::cylinder(bar[0], bar[1], 0.3, 9, Color::hex(0xf04545)).expect("a bar"));
        }
        let view = View::degrees(rng.below(100) as i16 - 50, rng.below(70) as i16);
        let percent = rng.between(200..=500) as u16;
        let lens = if rng.percent(50) {
            Lens::Orthographic
        } else {
            Lens::Perspective { distance_percent: percent }
        };
        let frame = Frame { width: SIDE, height: SIDE, fill_percent: 95 };
        let scene = SolidScene { solids };
        let camera = Camera::around_points(view, lens, &scene.points(), 0.0, frame);
        let picture = draw(&scene, &camera, &SolidLook { lines: None, ..SolidLook::default() });
        let raster = rasterizer.render(&picture.svg, SIDE).expect("a raster");
        let mut buffer = VisibilityBuffer::new(SIDE, SIDE, 1.0);
        for (thing, solid) in scene.solids.iter().enumerate() {
            let front = |face: usize| usize::from(face != 2);
            for (face, sheet) in solid.faces().iter().enumerate() {
                let thing = if thing + 1 < scene.solids.len() || seed % 2 == 0 { front(face) } else { 2 };
                buffer.add_polygon(&camera, sheet.corners(), thing as u32);
            }
        }
        let inside = |x: u32, y: u32| {
            (0..25).all(|at| buffer.thing((x + at % 5) as usize - 2, (y + at / 5) as usize - 2) == Some(0))
        };
        let places = (2..SIDE - 2).flat_map(|y| (2..SIDE - 2).map(move |x| (x, y)));
        let mut colors: Vec<_> =
            places.filter(|(x, y)| inside(*x, *y)).map(|(x, y)| raster.pixel(x, y)).collect();
        assert!(colors.len() > 10_000, "seed {seed}: {}", colors.len());
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), 1, "seed {seed}: {colors:?}");
    }
}

/// Three bars, each over the next: no order of whole faces is right.
#[test]
fn bars_in_a_ring_are_cut() {
    let bar = |at: usize| {
        let angle = at as f64 * std::f64::consts::TAU / 3.0;
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), angle);
        let tilt = Rotation3::from_axis_angle(&Vector3::y_axis(), 0.16);
        let place = |p: Point3<f64>| turn * (tilt * p + Vector3::new(0.0, -0.6, 0.0));
        let block = Solid::block(Point3::new(-1.5, -0.25, -0.05), Point3::new(1.5, 0.25, 0.05), numbered(at));
        block.and_then(|block| block.mapped(place)).expect("a bar").marked(format!("bar {at}"))
    };
    let scene = SolidScene { solids: (0..3).map(bar).collect() };
    let frame = Frame { width: SIDE, height: SIDE, fill_percent: 90 };
    let mut rasterizer = Rasterizer::new();
    for elevation in [90, 60] {
        for lens in [Lens::Orthographic, Lens::Perspective { distance_percent: 300 }] {
            let camera =
                Camera::around_points(View::degrees(10, elevation), lens, &scene.points(), 0.0, frame);
            let [inside, elsewhere, _] = wrong_pixels(&scene, &camera, &mut rasterizer);
            assert_eq!((inside, elsewhere), (0, 0), "{elevation} {lens:?}");
            let boxes = rasterizer.measure(&draw(&scene, &camera, &SolidLook::default())).expect("boxes");
            check_visibility(&boxes).expect("all visible");
            // Lines and shadows are looks alone.
            let with_shadow = draw(&scene, &camera, &flat().with_shadow(-0.5));
            assert_eq!(rasterizer.measure(&with_shadow).expect("boxes"), boxes);
            assert!(boxes.iter().all(|mark| mark.visible < mark.silhouette), "{boxes:?}");
        }
    }
}

/// A door painted on a wall: two faces in one plane, the later one is seen.
#[test]
fn of_two_faces_in_a_plane_the_later_is_seen() {
    let wall =
        Solid::block(Point3::new(0.0, 0.0, 0.0), Point3::new(3.0, 0.2, 2.0), numbered(0)).expect("a wall");
    let corners = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 0.0, 1.5], [1.0, 0.0, 1.5]].map(Point3::from);
    let door = Solid::sheet(&corners, numbered(1)).expect("a door").marked("door");
    let frame = Frame { width: SIDE, height: SIDE, fill_percent: 90 };
    for view in [View::Front, View::degrees(40, 20), View::Oblique] {
        for (solids, seen) in
            [(vec![wall.clone(), door.clone()], true), (vec![door.clone(), wall.clone()], false)]
        {
            let scene = SolidScene { solids };
            let lens = Lens::Perspective { distance_percent: 300 };
            let camera = Camera::around_points(view, lens, &scene.points(), 0.0, frame);
            let boxes = Rasterizer::new().measure(&draw(&scene, &camera, &flat())).expect("boxes");
            assert_eq!(boxes[0].visible > 1000, seen, "{view:?} {boxes:?}");
        }
    }
}

/// Text and strokes keep their smooth edges next to crisp solids, and a picture without solids asks
/// for nothing.
#[test]
fn what_else_is_drawn_stays_smooth() {
    let block = Solid::block(Point3::origin(), Point3::new(1.0, 1.0, 1.0), Color::WHITE).expect("a block");
    let scene = SolidScene { solids: vec![block] };
    let frame = Frame { width: 128, height: 128, fill_percent: 30 };
    let camera = Camera::around_points(View::Isometric, Lens::Orthographic, &scene.points(), 0.0, frame);
    let ring = topotrace_draw::path::circle(topotrace_draw::kurbo::Point::new(64.0, 64.0), 50.0);
    let render = |solids: bool| -> (Raster, String) {
        let mut canvas = Canvas::new(128, 128, Color::BLACK);
        canvas.stroke(&ring, topotrace_draw::Stroke::new(Color::WHITE, 6.0));
        if solids {
            draw_solids(&mut canvas, &scene, &camera, &flat()).expect("a sound scene");
        }
        let picture = canvas.finish();
        assert!(!picture.identity_svg.contains("data-samples"));
        (Rasterizer::new().render(&picture.svg, 128).expect("a raster"), picture.svg)
    };
    let ((plain, without), (mixed, with)) = (render(false), render(true));
    assert!(!without.contains("data-samples") && with.contains(" data-samples=\"2\">"));
    let mut grays = [0, 0];
    for (x, y) in (0..128 * 128).map(|at| (at % 128, at / 128)) {
        let (x_off, y_off) = (f64::from(x) - 63.5, f64::from(y) - 63.5);
        if x_off * x_off + y_off * y_off > 40.0 * 40.0 {
            let (a, b) = (plain.pixel(x, y)[0], mixed.pixel(x, y)[0]);
            assert!(a.abs_diff(b) <= 60, "{x} {y}: {a} {b}");
            for (count, value) in grays.iter_mut().zip([a, b]) {
                *count += usize::from((1..255).contains(&value));
            }
        }
    }
    assert!(grays[0] > 400 && grays[1] > 400, "{grays:?}");
}

/// A picture that is drawn in several bands looks as it does at half the size.
#[test]
fn large_pictures_are_drawn_in_bands() {
    let mut rng = SemanticRng::from_seed(5);
    let scene = random_scene(&mut rng);
    let camera = random_camera(&mut rng, &scene);
    let picture = draw(&scene, &camera, &SolidLook::default());
    let mut rasterizer = Rasterizer::new();
    let small = rasterizer.render(&picture.svg, 1024).expect("a raster");
    let large = rasterizer.render(&picture.svg, 3072).expect("a raster");
    assert_eq!((large.width, large.height, large.rgb.len()), (3072, 3072, 3072 * 3072 * 3));
    let mut off = 0;
    for (x, y) in (0..1024 * 1024).map(|at| (at % 1024, at / 1024)) {
        let mean = |channel: usize| {
            let nine = (0..9).map(|at| large.pixel(3 * x + at % 3, 3 * y + at / 3)[channel]);
            nine.map(u32::from).sum::<u32>() / 9
        };
        let pixel = small.pixel(x, y);
        off += usize::from((0..3).any(|channel| mean(channel).abs_diff(u32::from(pixel[channel])) > 80));
    }
    assert!(off < 100, "{off}");
    assert_eq!(rasterizer.render(&picture.svg, 1024).expect("a raster"), small);
}

#[test]
fn the_same_scene_gives_the_same_bytes_everywhere() {
    let svg = || {
        let mut rng = SemanticRng::from_seed(11);
        let scene = SolidScene { solids: (0..3).flat_map(|_| random_scene(&mut rng).solids).collect() };
        let camera = random_camera(&mut rng, &scene);
        draw(&scene, &camera, &SolidLook::default().with_shadow(-1.5)).svg
    };
    let here = svg();
    let there = std::thread::spawn(svg).join().expect("the same picture");
    assert!(here == there && here.len() > 20_000);
}

/// Darker in the middle, on the ground alone, under what throws it.
#[test]
fn a_shadow_falls_on_the_ground() {
    let block = |low: [f64; 3], high: [f64; 3], color| {
        Solid::block(Point3::from(low), Point3::from(high), color).expect("a block")
    };
    let scene = SolidScene { solids: vec![block([-0.5, -0.5, 1.0], [0.5, 0.5, 1.5], Color::hex(0xff0000))] };
    let frame = Frame { width: SIDE, height: SIDE, fill_percent: 95 };
    let camera =
        Camera::around_sphere(View::degrees(0, 40), Lens::Orthographic, Point3::origin(), 2.5, frame);
    let render = |ground: &[[f64; 2]], percent: u8| {
        let mut canvas = Canvas::new(SIDE, SIDE, Color::WHITE);
        let shadow = GroundShadow {
            color: Color::BLACK,
            opacity_percent: percent,
            height: 0.0,
            ground: ground.to_vec(),
        };
        let look = SolidLook { shadow: Some(shadow), ..flat() };
        draw_solids(&mut canvas, &scene, &camera, &look).map(|()| canvas.finish().svg)
    };
    let grays = |svg: &str| {
        let raster = Rasterizer::new().render(svg, SIDE).expect("a raster");
        let gray = |rgb: &&[u8]| rgb[0] == rgb[1] && rgb[0] < 255;
        raster.rgb.chunks_exact(3).filter(gray).map(|rgb| rgb[0]).collect::<Vec<_>>()
    };
    let free = grays(&render(&[], 40).expect("a picture"));
    assert!(free.len() > 5_000, "{}", free.len());
    let darkest = *free.iter().min().expect("a shadow");
    assert!(darkest.abs_diff(153) <= 6, "{darkest}");
    let half = grays(&render(&[[-3.0, -3.0], [0.4, -3.0], [0.4, 3.0], [-3.0, 3.0]], 40).expect("a picture"));
    assert!(!half.is_empty() && half.len() * 10 < free.len() * 9, "{} {}", half.len(), free.len());
    let wrong = render(&[[0.0, 0.0], [1.0, 0.0]], 40).expect_err("a flaw").to_string();
    assert!(wrong.contains("the ground of a shadow"), "{wrong}");
}

#[test]
fn what_is_out_of_range_is_refused_and_draws_nothing() {
    let block = Solid::block(Point3::origin(), Point3::new(1.0, 1.0, 1.0), Color::WHITE).expect("a block");
    let frame = Frame { width: 64, height: 64, fill_percent: 50 };
    let camera = Camera::around_sphere(View::Front, Lens::Orthographic, Point3::origin(), 2.0, frame);
    let flaw = |count: usize, look: &SolidLook| {
        let mut canvas = Canvas::new(64, 64, Color::WHITE);
        let empty = canvas.clone().finish();
        let scene = SolidScene { solids: vec![block.clone(); count] };
        let flaw = draw_solids(&mut canvas, &scene, &camera, look).expect_err("a flaw").to_string();
        assert_eq!(canvas.finish(), empty);
        flaw
    };
    let faces = flaw(1_667, &SolidLook::default());
    assert_eq!(faces, "number of faces of a scene 10002 is not from 0 to 10000");
    let lines = Some(EdgeLines { width: f64::NAN, darkness_percent: 50 });
    assert!(flaw(1, &SolidLook { lines, ..flat() }).contains("width NaN of edge lines"));
    assert!(flaw(1, &flat().with_shadow(f64::INFINITY)).contains("height of the ground inf"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// Whatever numbers a scene is made of, it is drawn or refused.
    #[test]
    fn no_scene_panics(
        numbers in proptest::collection::vec(odd_number(), 48), sides in 0..40_usize,
        azimuth in any::<i16>(), elevation in any::<i16>(), distance in any::<u16>(), near in any::<bool>(),
        ambient in any::<u8>(), width in odd_number(), ground in odd_number(),
    ) {
        let mut next = numbers.iter().copied().cycle();
        let mut number = || next.next().unwrap_or_default();
        let color = Color::hex(0x336699);
        let mut solids = Vec::new();
        for _ in 0..2 {
            let mut point = || Point3::new(number(), number(), number());
            let points: Vec<_> = (0..6).map(|_| point()).collect();
            let (a, b) = (points[0], points[1]);
            let turn = Rotation3::from_euler_angles(a.x, b.y, 0.3);
            let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].map(|face| face.to_vec());
            let made = [
                Solid::block(a, b, color),
                Solid::oriented_block(a, b.coords, &turn, color),
                Solid::prism(&points[2..5], b.coords, color),
                Solid::prism(&points, b.coords, color),
                Solid::cylinder(a, b, points[2].x, sides, color),
                Solid::cone(a, b, points[2].x, sides, color),
                Solid::sheet(&points[..3], color),
                Solid::sheet(&points.iter().map(|p| Point3::new(p.x, p.y, 0.0)).collect::<Vec<_>>(), color),
                Solid::mesh(&points, &faces, color),
            ];
            for solid in made.into_iter().flatten() {
                solids.extend(solid.mapped(|p| p + (a - b) * 0.3));
                solids.push(solid);
            }
        }
        let scene = SolidScene { solids };
        let frame = Frame { width: 256, height: 256, fill_percent: 80 };
        let lens = Lens::Perspective { distance_percent: distance };
        let view = View::degrees(azimuth, elevation);
        let camera = if near {
            Camera::around_sphere(view, lens, Point3::new(0.1, 0.2, 0.3), 0.1, frame)
        } else {
            Camera::around_points(view, lens, &scene.points(), 0.0, frame)
        };
        let look = SolidLook {
            ambient_percent: ambient,
            light_azimuth_degrees: elevation,
            light_elevation_degrees: azimuth,
            lines: Some(EdgeLines { width, darkness_percent: ambient }),
            ..SolidLook::default()
        };
        let look = look.with_shadow(ground);
        let mut canvas = Canvas::new(256, 256, Color::BLACK);
        let drawn = draw_solids(&mut canvas, &scene, &camera, &look);
        prop_assert_eq!(drawn.is_ok(), width > 0.0 && width <= 64.0 && ground.abs() <= 1024.0);
        Rasterizer::new().render(&canvas.finish().svg, 64).expect("readable SVG");
    }
}

fn odd_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        12 => -1.0..1.0_f64,
        2 => prop_oneof![Just(0.0), Just(0.25), Just(1.0)],
        1 => prop_oneof![Just(1000.0), Just(1e-9), Just(-1e-300)],
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(1e300)],
    ]
}
