//! Draws a small scene in every theme and a contact sheet of them.
//!
//! `cargo run -p topotrace-draw --example themes -- DIRECTORY`

use std::error::Error;
use std::path::PathBuf;

use topotrace_core::Picture;
use topotrace_draw::kurbo::{BezPath, Point};
use topotrace_draw::{
    Canvas, PngEffort, Rasterizer, Stroke, Text, Theme, check_visibility, contact_sheet, path, png,
};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).ok_or("give a directory")?);
    let mut rasterizer = Rasterizer::new();
    let mut tiles = Vec::new();
    for theme in Theme::all() {
        let picture = scene(theme);
        check_visibility(&rasterizer.measure(&picture)?)?;
        let raster = rasterizer.render(&picture.svg, 1024)?;
        let file = directory.join(theme.name);
        std::fs::write(file.with_extension("svg"), &picture.svg)?;
        std::fs::write(file.with_extension("png"), png::encode(&raster, PngEffort::Small))?;
        tiles.push((format!("{}: {} ink", theme.name, theme.ink.name), raster));
    }
    let sheet = contact_sheet(&tiles, 3, 480)?;
    std::fs::write(directory.join("sheet.png"), png::encode(&sheet, PngEffort::Small))?;
    Ok(())
}

fn scene(theme: &Theme) -> Picture {
    let mut canvas = Canvas::new(1024, 1024, theme.background.color);
    let mut grid = BezPath::new();
    for step in 1..9 {
        let at = 80.0 + f64::from(step) * 96.0;
        grid.extend(path::line(Point::new(at, 80.0), Point::new(at, 944.0)));
        grid.extend(path::line(Point::new(80.0, at), Point::new(944.0, at)));
    }
    canvas.stroke(&grid, Stroke::new(theme.grid.color, 3.0));
    canvas.stroke(&walls(), Stroke::new(theme.ink.color, 10.0));
    for (index, hue) in (0u32..).zip(theme.hues) {
        canvas.mark(format!("bar {}", hue.name), |canvas| {
            let y = 400.0 + f64::from(index) * 56.0;
            canvas.fill(&path::rounded_rect(480.0, y, 260.0, 36.0, 12.0), hue.color);
        });
    }
    let gap = path::line(Point::new(176.0, 560.0), Point::new(368.0, 560.0));
    canvas.stroke(&gap, Stroke::new(theme.accent.color, 10.0).dashed(22.0, 20.0));
    for (index, paint) in (0u32..).zip([theme.on, theme.off]) {
        let center = Point::new(230.0 + f64::from(index) * 96.0, 850.0);
        canvas.fill(&path::circle(center, 34.0), paint.color);
    }
    for (name, x, y) in [("A", 128.0, 128.0), ("B", 896.0, 320.0), ("C", 320.0, 704.0)] {
        canvas.mark(format!("point {name}"), |canvas| {
            canvas.fill(&path::circle(Point::new(x, y), 30.0), theme.label.color);
            canvas.text(Text::new(name, x, y, 38.0, theme.background.color));
        });
    }
    canvas.finish()
}

/// Walls on a grid of nine by nine cells, as one path.
fn walls() -> BezPath {
    let corner =
        |(column, row): (u32, u32)| Point::new(80.0 + f64::from(column) * 96.0, 80.0 + f64::from(row) * 96.0);
    let lines: [&[(u32, u32)]; 8] = [
        &[(1, 0), (0, 0), (0, 9), (9, 9), (9, 0), (2, 0)],
        &[(1, 1), (1, 3), (3, 3), (3, 1)],
        &[(2, 0), (2, 2)],
        &[(4, 0), (4, 2), (6, 2), (6, 1), (8, 1)],
        &[(3, 5), (3, 4), (1, 4), (1, 6)],
        &[(9, 3), (4, 3), (4, 4)],
        &[(1, 7), (4, 7), (4, 9)],
        &[(7, 9), (7, 8), (8, 8), (8, 4)],
    ];
    let mut walls = BezPath::new();
    for line in lines {
        let points: Vec<_> = line.iter().copied().map(corner).collect();
        walls.extend(path::polyline(&points));
    }
    walls
}
