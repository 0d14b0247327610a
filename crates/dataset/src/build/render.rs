use topotrace_core::{Flaw, Instance, MarkBox, Picture, Raster, Rejections, Seeds};
use topotrace_draw::{PngEffort, Rasterizer, check_visibility, png};

use crate::error::chain;

/// How many looks of one instance are tried before the instance is given up.
const LOOKS: u32 = 8;

const HIDDEN: &str = "a mark can't be seen well enough in this look";

/// What holds for every picture of a build.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions<'a> {
    /// Pixels on the longer side.
    pub side: u32,
    /// The theme, or one drawn for each look.
    pub theme: Option<&'a str>,
    /// How hard to compress.
    pub png: PngEffort,
}

/// An instance's finished pictures.
#[derive(Clone, Debug)]
pub struct Look {
    /// The seeds of the look.
    pub seeds: Seeds,
    /// The style as JSON text.
    pub style: String,
    /// Where the marks of each picture are seen, in its pixels.
    pub boxes: Vec<Vec<MarkBox>>,
    /// Width and height of each picture in pixels.
    pub sizes: Vec<(u32, u32)>,
    /// The pictures as PNG files.
    pub pictures: Vec<Vec<u8>>,
}

/// The first look in which every mark is visible, or none. `seeds` gives the seeds of a look; looks
/// that hide a mark are added to `rejections`.
///
/// # Errors
/// When the instance can't be drawn at all, or needs more pixels.
pub fn first_good_look(
    rasterizer: &mut Rasterizer,
    instance: &dyn Instance,
    seeds: impl Fn(u32) -> Seeds,
    options: RenderOptions<'_>,
    rejections: &mut Rejections,
) -> Result<Option<Look>, Flaw> {
    let least = instance.least_side();
    if options.side < least {
        return Err(Flaw::new(format!(
            "side {} is too small for instance {}, which needs {least} pixels",
            options.side,
            instance.id()
        )));
    }
    for look in 0..LOOKS {
        let seeds = seeds(look);
        let style = instance.style(seeds.render, options.theme).map_err(|e| Flaw::new(chain(&e)))?;
        let pictures = instance.draw(&style).map_err(|e| Flaw::new(chain(&e)))?;
        let boxes = measure(rasterizer, &pictures).map_err(Flaw::new)?;
        if boxes.iter().any(|boxes| check_visibility(boxes).is_err()) {
            *rejections.entry(HIDDEN).or_default() += 1;
            continue;
        }
        let rasters = render(rasterizer, &pictures, options.side).map_err(Flaw::new)?;
        let sizes: Vec<_> = rasters.iter().map(|raster| (raster.width, raster.height)).collect();
        return Ok(Some(Look {
            seeds,
            style,
            boxes: in_pixels(boxes, &pictures, &sizes),
            sizes,
            pictures: rasters.iter().map(|raster| png::encode(raster, options.png)).collect(),
        }));
    }
    Ok(None)
}

/// Where the marks of each picture are seen.
pub(crate) fn measure(
    rasterizer: &mut Rasterizer,
    pictures: &[Picture],
) -> Result<Vec<Vec<MarkBox>>, String> {
    pictures.iter().map(|picture| rasterizer.measure(picture).map_err(|e| chain(&e))).collect()
}

/// Boxes that were measured in canvas units, in the pixels of pictures of the given sizes.
pub(crate) fn in_pixels(
    boxes: Vec<Vec<MarkBox>>,
    pictures: &[Picture],
    sizes: &[(u32, u32)],
) -> Vec<Vec<MarkBox>> {
    let scaled = |(boxes, (picture, size)): (Vec<MarkBox>, (&Picture, &(u32, u32)))| {
        boxes.iter().map(|mark| mark.scaled((picture.width, picture.height), *size)).collect()
    };
    boxes.into_iter().zip(pictures.iter().zip(sizes)).map(scaled).collect()
}

/// The pixels of each picture.
pub(crate) fn render(
    rasterizer: &mut Rasterizer,
    pictures: &[Picture],
    side: u32,
) -> Result<Vec<Raster>, String> {
    pictures.iter().map(|picture| rasterizer.render(&picture.svg, side).map_err(|e| chain(&e))).collect()
}
