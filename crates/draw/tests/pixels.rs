//! What reaches the pixels: text, visibility, sizes, and that nothing differs between runs.
#![cfg(feature = "raster")]

use topotrace_core::{Picture, Raster};
use topotrace_draw::kurbo::Point;
use topotrace_draw::{Canvas, Color, Rasterizer, Stroke, Text, Theme, check_visibility, font, path};

fn canvas() -> Canvas {
    Canvas::new(256, 256, Color::WHITE)
}

fn dark_pixels(raster: &Raster) -> usize {
    raster.rgb.chunks_exact(3).filter(|rgb| rgb[0] < 128).count()
}

/// A picture with a bit of everything.
fn mixed() -> Picture {
    let theme = Theme::named("paper").expect("a theme");
    let mut canvas = canvas();
    canvas.stroke(&path::rounded_rect(20.0, 20.0, 216.0, 200.0, 24.0), Stroke::new(theme.ink.color, 7.0));
    canvas.mark("point A", |canvas| {
        canvas.fill(&path::circle(Point::new(80.5, 90.25), 22.0), theme.label.color);
        canvas.text(Text::new("A", 80.5, 90.25, 28.0, theme.background.color));
    });
    canvas.mark("bar red", |canvas| {
        let curve = topotrace_draw::kurbo::BezPath::from_vec(vec![
            topotrace_draw::kurbo::PathEl::MoveTo(Point::new(40.0, 200.0)),
            topotrace_draw::kurbo::PathEl::CurveTo(
                Point::new(90.0, 60.0),
                Point::new(150.0, 240.0),
                Point::new(220.0, 50.0),
            ),
        ]);
        canvas.stroke(&curve, Stroke::new(theme.hues[1].color, 11.0));
    });
    canvas.finish()
}

#[test]
fn a_letter_reaches_the_pixels_and_is_centered() {
    let mut canvas = canvas();
    canvas.text(Text::new("H", 128.0, 128.0, 100.0, Color::BLACK));
    let picture = canvas.finish();
    let mut rasterizer = Rasterizer::new();
    let raster = rasterizer.render(&picture.svg, 256).expect("a raster");
    assert!(dark_pixels(&raster) > 1000);
    let dark = |x: u32, y: u32| raster.pixel(x, y)[0] < 128;
    let rows: Vec<u32> = (0..256).filter(|y| (0..256).any(|x| dark(x, *y))).collect();
    let columns: Vec<u32> = (0..256).filter(|x| (0..256).any(|y| dark(*x, y))).collect();
    assert!((rows[0] + rows[rows.len() - 1]).abs_diff(255) <= 2, "{rows:?}");
    assert!((columns[0] + columns[columns.len() - 1]).abs_diff(255) <= 2, "{columns:?}");
    assert!((rows.len() as f64 - 100.0 * font::CAP_HEIGHT).abs() <= 1.5);
    // The same text in a family that is not bundled would vanish.
    let elsewhere = picture.svg.replace("Inter, sans-serif", "Nowhere");
    assert_ne!(elsewhere, picture.svg);
    let blank = rasterizer.render(&elsewhere, 256).expect("a raster");
    assert_eq!(dark_pixels(&blank), 0);
}

#[test]
fn a_free_mark_shows_all_of_itself() {
    let mut canvas = canvas();
    canvas.mark("square", |canvas| {
        canvas.fill(&path::rect(10.0, 20.0, 40.0, 40.0), Color::hex(0x123456));
    });
    let boxes = Rasterizer::new().measure(&canvas.finish()).expect("boxes");
    let found = &boxes[0];
    assert_eq!((found.x, found.y, found.width, found.height), (10, 20, 40, 40));
    assert_eq!((found.visible, found.silhouette), (1600, 1600));
    check_visibility(&boxes).expect("all visible");
}

#[test]
fn a_covered_mark_shows_less_than_its_silhouette() {
    for (cover, visible, fine) in [(20.0, 800, true), (30.0, 400, false), (40.0, 0, false)] {
        let mut canvas = canvas();
        canvas.mark("square", |canvas| {
            canvas.fill(&path::rect(100.0, 20.0, 40.0, 40.0), Color::BLACK);
        });
        canvas.fill(&path::rect(100.0, 20.0, cover, 40.0), Color::WHITE);
        let boxes = Rasterizer::new().measure(&canvas.finish()).expect("boxes");
        assert_eq!((boxes[0].visible, boxes[0].silhouette), (visible, 1600));
        assert_eq!(check_visibility(&boxes).is_ok(), fine, "{cover}");
    }
}

#[test]
fn a_flaw_names_the_mark_and_its_numbers() {
    let mut canvas = canvas();
    canvas.mark("point Q", |canvas| {
        canvas.fill(&path::rect(0.0, 0.0, 9.0, 11.0), Color::BLACK);
    });
    let boxes = Rasterizer::new().measure(&canvas.finish()).expect("boxes");
    let flaw = check_visibility(&boxes).expect_err("too small").to_string();
    assert_eq!(flaw, "point Q shows 99 pixels; at least 100 are needed");
}

#[test]
fn the_identity_pass_has_no_colors_but_the_identities() {
    let picture = mixed();
    let raster = Rasterizer::new().render(&picture.identity_svg, 256).expect("a raster");
    let mut known = vec![[0, 0, 0]];
    known.extend(picture.marks.iter().map(|mark| mark.identity));
    for rgb in raster.rgb.chunks_exact(3) {
        assert!(known.iter().any(|color| color == rgb), "{rgb:?} is antialiased");
    }
}

#[test]
fn many_marks_are_told_apart() {
    let mut canvas = canvas();
    for index in 0..400u32 {
        let (x, y) = (f64::from(index % 20) * 12.0, f64::from(index / 20) * 12.0);
        canvas.mark(format!("cell {index}"), |canvas| {
            canvas.fill(&path::rect(x, y, 12.0, 12.0), Color::BLACK);
        });
    }
    let boxes = Rasterizer::new().measure(&canvas.finish()).expect("boxes");
    for (index, found) in (0u32..).zip(&boxes) {
        assert_eq!(found.name, format!("cell {index}"));
        assert_eq!((found.x, found.y, found.visible), (index % 20 * 12, index / 20 * 12, 144));
        assert_eq!(found.silhouette, 144);
    }
}

#[test]
fn two_renders_are_equal_and_a_used_buffer_leaves_nothing() {
    let picture = mixed();
    let first = Rasterizer::new().render(&picture.svg, 300).expect("a raster");
    let mut used = Rasterizer::new();
    used.measure(&picture).expect("boxes");
    let black =
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0L9 0L9 9L0 9Z"/></svg>"#;
    used.render(black, 300).expect("a raster");
    let mut second = used.render(black, 64).expect("a raster");
    used.render_into(&picture.svg, 300, &mut second).expect("a raster");
    assert!(first == second);
    assert_eq!((first.width, first.height, first.rgb.len()), (300, 300, 270_000));
    assert_eq!(mixed(), picture);
}

#[test]
fn the_longer_side_gets_the_pixels_and_bad_input_is_named() {
    let mut rasterizer = Rasterizer::new();
    let wide = Canvas::new(400, 200, Color::hex(0x336699)).finish().svg;
    let raster = rasterizer.render(&wide, 129).expect("a raster");
    assert_eq!((raster.width, raster.height), (129, 65));
    assert!(raster.rgb.chunks_exact(3).all(|rgb| rgb == [0x33, 0x66, 0x99]));
    for side in [0, 63, 100, 8193] {
        let error = rasterizer.render(&wide, side).expect_err("out of range");
        assert!(error.is_out_of_range() && error.to_string().contains("64 to 8192"), "{error}");
    }
    let error = rasterizer.render("<svg", 64).expect_err("no SVG");
    assert!(error.is_invalid_svg() && std::error::Error::source(&error).is_some());
    assert!(rasterizer.measure(&Canvas::new(0, 5, Color::WHITE).finish()).is_err());
}

#[test]
fn special_characters_are_drawn_as_written() {
    let render = |content: &str| {
        let mut canvas = canvas();
        canvas.text(Text::new(content, 128.0, 128.0, 60.0, Color::BLACK));
        Rasterizer::new().render(&canvas.finish().svg, 256).expect("a readable SVG")
    };
    let all = dark_pixels(&render("&<\">'"));
    let parts: usize = ["&", "<", "\"", ">", "'"].map(|c| dark_pixels(&render(c))).iter().sum();
    assert!(all.abs_diff(parts) < parts / 20, "{all} {parts}");
    assert!(dark_pixels(&render("a\u{0}\u{1b}b")) > 0);
}
