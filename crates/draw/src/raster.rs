use std::fmt;

use resvg::tiny_skia::{self, Pixmap, Transform};
use topotrace_core::{Flaw, MarkBox, Picture, Raster, ensure};
use usvg::roxmltree::{Document, ParsingOptions};

use crate::canvas::SAMPLES;
use crate::{Error, font};

/// The fewest pixels on a side of a rendered picture.
pub const MIN_SIDE: u32 = 64;
/// The most pixels on a side of a rendered picture.
pub const MAX_SIDE: u32 = 8192;
/// The fewest visible pixels of an answer-bearing mark, at one pixel a canvas unit.
pub const MIN_VISIBLE_PIXELS: u32 = 100;
/// The least share of its own silhouette that an answer-bearing mark must show, in percent.
pub const MIN_VISIBLE_PERCENT: u32 = 40;

/// Turns SVG into pixels. It keeps its pixel buffer from one picture to the next: use one a
/// thread. Text is drawn in the bundled font only; fonts of the system are never looked at.
pub struct Rasterizer {
    options: usvg::Options<'static>,
    pixmap: Option<Pixmap>,
    /// A band of samples of a picture that has several a pixel.
    band: Option<Pixmap>,
}

impl fmt::Debug for Rasterizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rasterizer").finish_non_exhaustive()
    }
}

impl Default for Rasterizer {
    fn default() -> Self {
        Rasterizer::new()
    }
}

impl Rasterizer {
    /// A rasterizer with an empty buffer. The first one of the process also reads the font.
    pub fn new() -> Self {
        let options = usvg::Options { fontdb: font::database(), ..usvg::Options::default() };
        Rasterizer { options, pixmap: None, band: None }
    }

    /// Draws the document scaled so that its longer side has `side` pixels. Where the document
    /// draws nothing the raster is white. A document with crisp shapes of a canvas is drawn at twice
    /// the size and averaged.
    ///
    /// # Errors
    /// When the SVG can't be read ([`Error::is_invalid_svg`]), or when `side`, or the shorter
    /// side that follows from it, is not within [`MIN_SIDE`] and [`MAX_SIDE`]
    /// ([`Error::is_out_of_range`]).
    pub fn render(&mut self, svg: &str, side: u32) -> Result<Raster, Error> {
        let mut raster = Raster { width: 0, height: 0, rgb: Vec::new() };
        self.render_into(svg, side, &mut raster)?;
        Ok(raster)
    }

    /// As [`Rasterizer::render`], into a raster whose memory is reused.
    ///
    /// # Errors
    /// As [`Rasterizer::render`]; the raster is then unchanged.
    pub fn render_into(&mut self, svg: &str, side: u32, raster: &mut Raster) -> Result<(), Error> {
        check_side("side", side)?;
        let (tree, samples) = self.parse(svg)?;
        let size = tree.size();
        let scale = side as f32 / size.width().max(size.height());
        let width = (size.width() * scale).round() as u32;
        let height = (size.height() * scale).round() as u32;
        check_side("shorter side", width.min(height))?;
        // A side is rounded to whole pixels; stretching by under a pixel fills the last row.
        let transform = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
        if samples == 1 {
            let pixmap = draw(&mut self.pixmap, &tree, width, height, transform);
            copy_pixels(pixmap, raster);
        } else {
            self.draw_finely(&tree, width, height, transform, raster);
        }
        Ok(())
    }

    /// Draws at two samples a pixel in each direction, a band after the other, and averages.
    fn draw_finely(
        &mut self,
        tree: &usvg::Tree,
        width: u32,
        height: u32,
        transform: Transform,
        raster: &mut Raster,
    ) {
        (raster.width, raster.height) = (width, height);
        raster.rgb.resize(width as usize * height as usize * 3, 0);
        let rows = (BAND_SAMPLES / (4 * width)).clamp(1, height);
        let bands = raster.rgb.chunks_mut(rows as usize * width as usize * 3);
        for (top, pixels) in (0u32..).step_by(rows as usize).zip(bands) {
            let band = transform.post_scale(2.0, 2.0).post_translate(0.0, -2.0 * top as f32);
            let pixmap = draw(&mut self.band, tree, 2 * width, 2 * rows, band);
            average(pixmap.data(), width as usize, pixels);
        }
    }

    /// Draws the document at one pixel a unit, whatever its size up to [`MAX_SIDE`].
    pub(crate) fn render_unscaled(&mut self, svg: &str) -> Result<Raster, Error> {
        let (tree, _) = self.parse(svg)?;
        let (width, height) = unscaled_size(&tree)?;
        let mut raster = Raster { width, height, rgb: Vec::new() };
        copy_pixels(draw(&mut self.pixmap, &tree, width, height, Transform::identity()), &mut raster);
        Ok(raster)
    }

    /// Measures how much of each mark is visible, in the order of the picture's marks, by its
    /// identity pass at one pixel a canvas unit.
    ///
    /// # Errors
    /// When an SVG of the picture can't be read, or a side is 0 or above [`MAX_SIDE`].
    pub fn measure(&mut self, picture: &Picture) -> Result<Vec<MarkBox>, Error> {
        let identities: Vec<_> = picture.marks.iter().map(|mark| mark.identity).collect();
        let seen = self.count(&picture.identity_svg, &identities)?;
        let mut boxes = Vec::with_capacity(seen.len());
        for (mark, extent) in picture.marks.iter().zip(seen) {
            let silhouette = match &mark.alone_svg {
                Some(svg) => self.count(svg, &[mark.identity])?[0].pixels,
                None => extent.pixels,
            };
            boxes.push(MarkBox {
                name: mark.name.clone(),
                x: if extent.pixels == 0 { 0 } else { extent.left },
                y: if extent.pixels == 0 { 0 } else { extent.top },
                width: extent.right.saturating_sub(extent.left),
                height: extent.bottom.saturating_sub(extent.top),
                visible: extent.pixels,
                silhouette,
            });
        }
        Ok(boxes)
    }

    /// Draws the document at one pixel a unit and boxes the pixels of each color.
    fn count(&mut self, svg: &str, colors: &[[u8; 3]]) -> Result<Vec<Extent>, Error> {
        let (tree, _) = self.parse(svg)?;
        let (width, height) = unscaled_size(&tree)?;
        let pixmap = draw(&mut self.pixmap, &tree, width, height, Transform::identity());
        Ok(scan(pixmap.data(), width, colors))
    }

    /// The document, and how many samples a pixel it wants in each direction: 1 or 2.
    fn parse(&self, svg: &str) -> Result<(usvg::Tree, u32), Error> {
        let parsing = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(svg, parsing)
            .map_err(|error| Error::invalid_svg(usvg::Error::ParsingFailed(error)))?;
        let samples = if document.root_element().attribute(SAMPLES) == Some("2") { 2 } else { 1 };
        let tree = usvg::Tree::from_xmltree(&document, &self.options).map_err(Error::invalid_svg)?;
        Ok((tree, samples))
    }
}

/// The samples that are drawn at once of a picture that has several a pixel: enough for all of a
/// usual one, and 16 MiB of memory whatever its size.
const BAND_SAMPLES: u32 = 1 << 22;

/// Draws on white into a buffer that is reused when it fits.
fn draw<'a>(
    buffer: &'a mut Option<Pixmap>,
    tree: &usvg::Tree,
    width: u32,
    height: u32,
    transform: Transform,
) -> &'a Pixmap {
    let fits = |pixmap: &Pixmap| (pixmap.width(), pixmap.height()) == (width, height);
    let pixmap = match buffer.take().filter(fits) {
        Some(pixmap) => pixmap,
        None => Pixmap::new(width, height).expect("both sides are within the checked range"),
    };
    let pixmap = buffer.insert(pixmap);
    pixmap.fill(tiny_skia::Color::WHITE);
    resvg::render(tree, transform, &mut pixmap.as_mut());
    pixmap
}

/// Copies the drawn pixels without alpha. Over an opaque ground every pixel is opaque, so that
/// premultiplied channels are the plain ones.
fn copy_pixels(pixmap: &Pixmap, raster: &mut Raster) {
    let data = pixmap.data();
    raster.width = pixmap.width();
    raster.height = pixmap.height();
    raster.rgb.resize(data.len() / 4 * 3, 0);
    // Four pixels at a time, as three words instead of twelve bytes.
    let (fours, rest) = data.as_chunks::<16>();
    let (packed, packed_rest) = raster.rgb.as_chunks_mut::<12>();
    for (rgba, rgb) in fours.iter().zip(packed) {
        let all = u128::from_le_bytes(*rgba);
        let pixel = |index: u32| (all >> (32 * index)) & 0x00ff_ffff;
        let joined = pixel(0) | pixel(1) << 24 | pixel(2) << 48 | pixel(3) << 72;
        rgb.copy_from_slice(&joined.to_le_bytes()[..12]);
    }
    for (rgba, rgb) in rest.chunks_exact(4).zip(packed_rest.chunks_exact_mut(3)) {
        rgb.copy_from_slice(&rgba[..3]);
    }
}

/// Fills rows of `width` pixels with the means of two by two samples each.
fn average(samples: &[u8], width: usize, rgb: &mut [u8]) {
    for (pair, row) in samples.chunks_exact(16 * width).zip(rgb.chunks_exact_mut(3 * width)) {
        let (upper, lower) = pair.split_at(8 * width);
        let twos = upper.as_chunks::<8>().0.iter().zip(lower.as_chunks::<8>().0);
        for ((upper, lower), pixel) in twos.zip(row.as_chunks_mut::<3>().0) {
            let (upper, lower) = (u64::from_le_bytes(*upper), u64::from_le_bytes(*lower));
            // Two channels of each sample at a time, each in sixteen bits.
            let channels = |shift: u32| {
                let sum = ((upper >> shift) & SPREAD) + ((lower >> shift) & SPREAD);
                (sum + (sum >> 32) + ROUNDING) >> 2
            };
            let (red_blue, green) = (channels(0), channels(8));
            *pixel = [red_blue as u8, green as u8, (red_blue >> 16) as u8];
        }
    }
}

/// Every other byte of a word.
const SPREAD: u64 = 0x00ff_00ff_00ff_00ff;
/// Half of the four samples, for both channels of the lower half of a word.
const ROUNDING: u64 = 0x0002_0002;

/// Checks what every picture owes its question: each mark shows at least [`MIN_VISIBLE_PIXELS`]
/// pixels and [`MIN_VISIBLE_PERCENT`] percent of its silhouette.
///
/// # Errors
/// The first mark that falls short, with its name and numbers.
pub fn check_visibility(boxes: &[MarkBox]) -> Result<(), Flaw> {
    for mark in boxes {
        let (name, visible, silhouette) = (&mark.name, mark.visible, mark.silhouette);
        ensure(visible >= MIN_VISIBLE_PIXELS, || {
            format!("{name} shows {visible} pixels; at least {MIN_VISIBLE_PIXELS} are needed")
        })?;
        let enough = u64::from(visible) * 100 >= u64::from(silhouette) * u64::from(MIN_VISIBLE_PERCENT);
        ensure(enough, || {
            format!(
                "{name} shows {visible} of its {silhouette} pixels; at least {MIN_VISIBLE_PERCENT} % are needed"
            )
        })?;
    }
    Ok(())
}

fn check_side(parameter: &'static str, side: u32) -> Result<(), Error> {
    if (MIN_SIDE..=MAX_SIDE).contains(&side) {
        return Ok(());
    }
    Err(Error::out_of_range(parameter, side, format!("{MIN_SIDE} to {MAX_SIDE}")))
}

fn unscaled_size(tree: &usvg::Tree) -> Result<(u32, u32), Error> {
    let size = tree.size().to_int_size();
    let longer = size.width().max(size.height());
    if longer > MAX_SIDE {
        return Err(Error::out_of_range("picture side", longer, format!("1 to {MAX_SIDE}")));
    }
    Ok((size.width(), size.height()))
}

/// The pixels of one identity color: how many, and the box around them.
#[derive(Clone, Copy)]
struct Extent {
    pixels: u32,
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

const BLACK: [u8; 4] = [0, 0, 0, 255];
/// Eight black pixels: most of an identity pass is black and skipped in such steps.
const BLACK_RUN: [u8; 32] = {
    let mut run = [0; 32];
    let mut at = 3;
    while at < 32 {
        run[at] = 255;
        at += 4;
    }
    run
};

fn scan(data: &[u8], width: u32, colors: &[[u8; 3]]) -> Vec<Extent> {
    let mut by_color: Vec<([u8; 4], usize)> = colors
        .iter()
        .enumerate()
        .map(|(index, [red, green, blue])| ([*red, *green, *blue, 255], index))
        .collect();
    by_color.sort_unstable();
    let nothing = Extent { pixels: 0, left: u32::MAX, top: u32::MAX, right: 0, bottom: 0 };
    let mut extents = vec![nothing; colors.len()];
    let mut add = |color: [u8; 4], left: u32, right: u32, y: u32| {
        if let Ok(at) = by_color.binary_search_by_key(&color, |entry| entry.0) {
            let extent = &mut extents[by_color[at].1];
            extent.pixels += right - left;
            extent.left = extent.left.min(left);
            extent.top = extent.top.min(y);
            extent.right = extent.right.max(right);
            extent.bottom = y + 1;
        }
    };
    for (y, row) in (0u32..).zip(data.chunks_exact(width as usize * 4)) {
        // A run of one color, from its first pixel on.
        let (mut color, mut start) = (BLACK, 0);
        let (eights, rest) = row.as_chunks::<32>();
        let mut step = |x: u32, pixel: [u8; 4]| {
            if pixel != color {
                if color != BLACK {
                    add(color, start, x, y);
                }
                (color, start) = (pixel, x);
            }
            color
        };
        let mut last = BLACK;
        for (x, eight) in (0u32..).step_by(8).zip(eights) {
            if last == BLACK && *eight == BLACK_RUN {
                continue;
            }
            for (offset, pixel) in (0u32..).zip(eight.as_chunks::<4>().0) {
                last = step(x + offset, *pixel);
            }
        }
        let x = eights.len() as u32 * 8;
        for (offset, pixel) in (0u32..).zip(rest.as_chunks::<4>().0) {
            step(x + offset, *pixel);
        }
        step(width, BLACK);
    }
    extents
}
