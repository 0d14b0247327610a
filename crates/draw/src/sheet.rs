use topotrace_core::Raster;

use crate::{Canvas, Color, Error, MAX_SIDE, Rasterizer, Text, text_width};

/// Pixels between tiles and around the sheet.
const GUTTER: u32 = 12;
/// Pixels of the strip under a tile.
const CAPTION_HEIGHT: u32 = 26;
/// The largest and the smallest size of a caption's font.
const CAPTION_SIZES: (f64, f64) = (16.0, 9.0);

/// What lies between tiles: told apart from a white tile and from a dark one.
const GROUND: u8 = 228;

/// Rasters side by side on light gray, `columns` in a row, each scaled down to fit a square of `tile`
/// pixels, with its caption below. Rows are as high as the highest tile. A caption that is too long is
/// cut.
///
/// # Errors
/// When there is no picture or no column, a tile is below 16 pixels, the sheet would have a side
/// above [`MAX_SIDE`], or a raster does not hold `width * height * 3` bytes
/// ([`Error::is_out_of_range`] for all).
pub fn contact_sheet(pictures: &[(String, Raster)], columns: u32, tile: u32) -> Result<Raster, Error> {
    check(pictures, columns, tile)?;
    let count = pictures.len() as u64;
    let rows = count.div_ceil(u64::from(columns));
    let columns = u64::from(columns).min(count);
    let width = columns * u64::from(tile + GUTTER) + u64::from(GUTTER);
    let high = pictures.iter().map(|(_, raster)| scaled(raster, tile).1).max().unwrap_or(tile);
    let height = rows * u64::from(high + CAPTION_HEIGHT + GUTTER) + u64::from(GUTTER);
    let longer = width.max(height);
    if longer > u64::from(MAX_SIDE) {
        return Err(Error::out_of_range("sheet side", longer, format!("1 to {MAX_SIDE}")));
    }
    let (width, height, columns) = (width as u32, height as u32, columns as u32);
    let mut sheet = Raster { width, height, rgb: vec![GROUND; width as usize * height as usize * 3] };
    let place = |index: usize| {
        let (column, row) = (index as u32 % columns, index as u32 / columns);
        let x = GUTTER + column * (tile + GUTTER);
        (x, GUTTER + row * (high + CAPTION_HEIGHT + GUTTER), row)
    };
    // Every row of captions is a line of one strip, rendered once.
    let mut strip = Canvas::new(width, rows as u32 * CAPTION_HEIGHT, Color::rgb(GROUND, GROUND, GROUND));
    for (index, (caption, raster)) in pictures.iter().enumerate() {
        let (x, y, row) = place(index);
        let small = scale_to_fit(raster, tile);
        let left = x + (tile - small.width) / 2;
        let top = y + (high - small.height) / 2;
        copy(&small, 0..small.height, &mut sheet, left, top);
        let (text, size) = fit(caption, f64::from(tile));
        let middle = f64::from(x) + f64::from(tile) / 2.0;
        let line = f64::from(row * CAPTION_HEIGHT) + f64::from(CAPTION_HEIGHT) / 2.0;
        strip.text(Text::new(&text, middle, line, size, Color::hex(0x1a1a1a)));
    }
    let strip = Rasterizer::new().render_unscaled(&strip.finish().svg)?;
    for row in 0..rows as u32 {
        let lines = row * CAPTION_HEIGHT..(row + 1) * CAPTION_HEIGHT;
        let top = GUTTER + row * (high + CAPTION_HEIGHT + GUTTER) + high;
        copy(&strip, lines, &mut sheet, 0, top);
    }
    Ok(sheet)
}

fn check(pictures: &[(String, Raster)], columns: u32, tile: u32) -> Result<(), Error> {
    if pictures.is_empty() {
        return Err(Error::out_of_range("number of pictures", 0, "at least 1"));
    }
    if columns == 0 {
        return Err(Error::out_of_range("columns", 0, "at least 1"));
    }
    if !(16..=MAX_SIDE).contains(&tile) {
        return Err(Error::out_of_range("tile", tile, format!("16 to {MAX_SIDE}")));
    }
    for (_, raster) in pictures {
        let (width, height) = (raster.width, raster.height);
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            let found = format!("{width} x {height}");
            return Err(Error::out_of_range("raster size", found, format!("sides of 1 to {MAX_SIDE}")));
        }
        let expected = width as usize * height as usize * 3;
        if raster.rgb.len() != expected {
            return Err(Error::out_of_range("raster bytes", raster.rgb.len(), expected));
        }
    }
    Ok(())
}

/// The caption, cut if need be, and the font size at which it fits `width`.
fn fit(caption: &str, width: f64) -> (String, f64) {
    let (largest, smallest) = CAPTION_SIZES;
    let size = (width / text_width(caption, 1.0).max(1e-3)).clamp(smallest, largest);
    let mut text = caption.to_owned();
    if text_width(&text, size) > width {
        while !text.is_empty() && text_width(&text, size) + text_width("...", size) > width {
            text.pop();
        }
        text.push_str("...");
    }
    (text, size)
}

fn copy(from: &Raster, rows: std::ops::Range<u32>, to: &mut Raster, left: u32, top: u32) {
    let bytes = from.width as usize * 3;
    for (y, row) in (top..).zip(rows) {
        let source = row as usize * bytes;
        let target = (y as usize * to.width as usize + left as usize) * 3;
        to.rgb[target..target + bytes].copy_from_slice(&from.rgb[source..source + bytes]);
    }
}

/// Width and height of the raster scaled down so that its longer side has `side` pixels at most.
fn scaled(raster: &Raster, side: u32) -> (u32, u32) {
    let longer = raster.width.max(raster.height);
    let side = side.min(longer);
    let length = |length: u32| ((length * side + longer / 2) / longer).max(1);
    (length(raster.width), length(raster.height))
}

/// The raster scaled down so that its longer side has `side` pixels at most; each pixel is the mean of the
/// area that it covers.
fn scale_to_fit(raster: &Raster, side: u32) -> Raster {
    let (width, height) = scaled(raster, side);
    let across = spans(raster.width, width);
    let down = spans(raster.height, height);
    let row_bytes = raster.width as usize * 3;
    // Rows are shrunk first; a sum stays below 255 * 8192.
    let mut narrow = Vec::with_capacity(raster.height as usize * width as usize * 3);
    for row in raster.rgb.chunks_exact(row_bytes) {
        for (first, weights) in &across {
            for channel in 0..3 {
                let values = row[first * 3 + channel..].iter().step_by(3);
                narrow.push(weights.iter().zip(values).map(|(w, v)| w * u32::from(*v)).sum::<u32>());
            }
        }
    }
    let area = u64::from(raster.width) * u64::from(raster.height);
    let line = width as usize * 3;
    let mut rgb = Vec::with_capacity(height as usize * line);
    for (first, weights) in &down {
        for at in 0..line {
            let values = narrow[first * line + at..].iter().step_by(line);
            let sum: u64 = weights.iter().zip(values).map(|(w, v)| u64::from(*w) * u64::from(*v)).sum();
            rgb.push(((sum + area / 2) / area) as u8);
        }
    }
    Raster { width, height, rgb }
}

/// For each of `to` pixels: the first of the `from` pixels under it and how much of each it
/// covers, in whole numbers that add up to `from`.
fn spans(from: u32, to: u32) -> Vec<(usize, Vec<u32>)> {
    (0..to)
        .map(|index| {
            let (start, end) = (index * from, (index + 1) * from);
            let (first, last) = (start / to, (end - 1) / to);
            let weights =
                (first..=last).map(|source| end.min((source + 1) * to) - start.max(source * to)).collect();
            (first as usize, weights)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(width: u32, height: u32, color: [u8; 3]) -> Raster {
        Raster { width, height, rgb: color.repeat(width as usize * height as usize) }
    }

    #[test]
    fn weights_add_up_and_a_mean_is_exact() {
        for (from, to) in [(10, 3), (3, 10), (8192, 5), (7, 7)] {
            for (first, weights) in spans(from, to) {
                assert_eq!(weights.iter().sum::<u32>(), from);
                assert!(first + weights.len() <= from as usize);
            }
        }
        let mut checks = flat(64, 64, [0, 0, 0]);
        for at in 0..64 * 64 {
            if (at / 64 + at % 64) % 2 == 0 {
                checks.rgb[at * 3] = 255;
            }
        }
        assert_eq!(scale_to_fit(&checks, 32), flat(32, 32, [128, 0, 0]));
        assert_eq!(scale_to_fit(&flat(30, 90, [1, 2, 3]), 40), flat(13, 40, [1, 2, 3]));
    }

    #[test]
    fn tiles_and_captions_are_where_they_belong() {
        let red = [200, 10, 20];
        let pictures: Vec<_> = (0..3)
            .map(|index| (format!("picture {index} with a caption that is far too long"), flat(100, 80, red)))
            .collect();
        let sheet = contact_sheet(&pictures, 2, 100).expect("a sheet");
        assert_eq!((sheet.width, sheet.height), (2 * 112 + 12, 2 * 118 + 12));
        assert_eq!(sheet.pixel(12, 12), red);
        assert_eq!(sheet.pixel(11, 12), [GROUND; 3]);
        assert_eq!(sheet.pixel(12 + 112 + 50, 60), red);
        let dark = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            x.flat_map(|x| y.clone().map(move |y| (x, y)))
                .filter(|(x, y)| sheet.pixel(*x, *y)[0] < 100)
                .count()
        };
        assert!(dark(12..112, 92..118) > 50, "a caption");
        assert_eq!(dark(124..224, 210..236), 0, "no caption under an empty place");
        assert_eq!(dark(112..124, 0..248), 0, "captions keep out of the gutters");
    }

    #[test]
    fn what_makes_no_sheet_is_refused() {
        let one = [("a".to_owned(), flat(8, 8, [0; 3]))];
        let torn = [("a".to_owned(), Raster { rgb: Vec::new(), ..flat(8, 8, [0; 3]) })];
        assert!(contact_sheet(&[], 1, 64).is_err_and(|e| e.is_out_of_range()));
        assert!(contact_sheet(&one, 0, 64).is_err());
        assert!(contact_sheet(&one, 1, 8).is_err());
        assert!(contact_sheet(&one, 1, 8192).is_err_and(|e| e.to_string().contains("8216")));
        assert!(contact_sheet(&torn, 1, 64).is_err_and(|e| e.to_string().contains("192")));
    }
}
