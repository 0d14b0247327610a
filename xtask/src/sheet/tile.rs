//! One instance as it stands on a sheet.

use topotrace_core::{Generator, Instance, Picture, Raster, Rejections, Seeds, Slot};
use topotrace_dataset::{RenderOptions, first_good_look};
use topotrace_draw::{PngEffort, Rasterizer};

use super::answers::AnswerLine;
use crate::failure::Failure;

/// Pixels between two pictures of one instance.
const GAP: u32 = 12;
/// What fills the gap: told apart from light and dark grounds.
const GAP_COLOR: [u8; 3] = [0x80; 3];

/// An instance in a look that shows all its marks, not yet in pixels.
pub(super) struct Draft {
    seed: u64,
    instance: Box<dyn Instance>,
    pictures: Vec<Picture>,
    pub(super) prompt: String,
}

impl Draft {
    /// The instance of a seed in the first look, in this theme or in one drawn for each look, that
    /// shows its marks as builds demand it; none where no look does.
    ///
    /// # Errors
    /// When there is no instance, or it can't be drawn in the theme.
    pub(super) fn make(
        generator: &dyn Generator,
        theme: Option<&str>,
        rasterizer: &mut Rasterizer,
        seed: u64,
    ) -> Result<Option<Self>, Failure> {
        let (seeds, instance) = generator.generate(seed)?;
        let slot = Slot::new(seed, generator.info(), "sheet");
        let looks = |look| match look {
            // The look that `show` gives this seed.
            0 => seeds,
            _ => Seeds { render: slot.seeds(0, look).render, ..seeds },
        };
        // What is visible is measured at the canvas's own size: the pictures made with it are not used.
        let options = RenderOptions { side: instance.least_side(), theme, png: PngEffort::Fast };
        let look = first_good_look(rasterizer, &*instance, looks, options, &mut Rejections::new())?;
        let Some(look) = look else { return Ok(None) };
        let pictures = instance.draw(&look.style)?;
        let prompt = instance.prompt(look.seeds.prompt, &look.style)?;
        Ok(Some(Draft { seed, instance, pictures, prompt }))
    }

    /// The fewest pixels on the longer side of the tile at which the instance can be read.
    pub(super) fn least_size(&self) -> u64 {
        tile_side(&self.shapes(), self.instance.least_side())
    }

    /// The pictures side by side in a tile with `size` pixels on the longer side.
    ///
    /// # Errors
    /// When `size` leaves a picture fewer pixels than can be drawn.
    pub(super) fn paint(&self, rasterizer: &mut Rasterizer, size: u32) -> Result<Raster, Failure> {
        let shapes = self.shapes();
        let side = (1..=size).rev().find(|side| tile_side(&shapes, *side) <= u64::from(size)).unwrap_or(0);
        let render = |picture: &Picture| rasterizer.render(&picture.svg, side);
        let pictures = self.pictures.iter().map(render).collect::<Result<Vec<Raster>, _>>()?;
        Ok(side_by_side(&pictures))
    }

    /// What the file of answers holds of the instance under this number.
    ///
    /// # Errors
    /// When the instance's answer or item is no JSON text.
    pub(super) fn answer(&self, number: u32) -> Result<AnswerLine, serde_json::Error> {
        AnswerLine::new(number, self.seed, &*self.instance)
    }

    fn shapes(&self) -> Vec<(u32, u32)> {
        self.pictures.iter().map(|picture| (picture.width, picture.height)).collect()
    }
}

/// The longer side of a tile whose pictures, of these widths and heights, are scaled to a longer side
/// of `side` pixels each.
fn tile_side(shapes: &[(u32, u32)], side: u32) -> u64 {
    let scaled = |length: u32, (width, height): (u32, u32)| {
        let longer = u64::from(width.max(height).max(1));
        (u64::from(length) * u64::from(side)).div_ceil(longer)
    };
    let gaps = u64::from(GAP) * (shapes.len() as u64).saturating_sub(1);
    let width: u64 = shapes.iter().map(|shape| scaled(shape.0, *shape)).sum();
    let height = shapes.iter().map(|shape| scaled(shape.1, *shape)).max().unwrap_or(0);
    (width + gaps).max(height)
}

/// Pictures from left to right with a gap between, each in the middle of their common height.
fn side_by_side(pictures: &[Raster]) -> Raster {
    let gaps = GAP * (pictures.len() as u32).saturating_sub(1);
    let width = pictures.iter().map(|picture| picture.width).sum::<u32>() + gaps;
    let height = pictures.iter().map(|picture| picture.height).max().unwrap_or(0);
    let mut tile = Raster { width, height, rgb: GAP_COLOR.repeat(width as usize * height as usize) };
    let mut left = 0;
    for picture in pictures {
        let top = (height - picture.height) / 2;
        for (y, row) in (top..).zip(picture.rgb.chunks_exact(picture.width.max(1) as usize * 3)) {
            copy_row(row, &mut tile, left, y);
        }
        left += picture.width + GAP;
    }
    tile
}

fn copy_row(row: &[u8], to: &mut Raster, left: u32, y: u32) {
    let at = (y as usize * to.width as usize + left as usize) * 3;
    to.rgb[at..at + row.len()].copy_from_slice(row);
}

#[cfg(test)]
mod tests {
    use topotrace_core::Level;

    use super::*;

    fn flat(width: u32, height: u32, color: [u8; 3]) -> Raster {
        Raster { width, height, rgb: color.repeat(width as usize * height as usize) }
    }

    #[test]
    fn pictures_stand_side_by_side_with_a_gap() {
        let (red, blue) = ([200, 0, 0], [0, 0, 200]);
        let tile = side_by_side(&[flat(40, 20, red), flat(30, 30, blue)]);
        assert_eq!((tile.width, tile.height), (82, 30));
        let row: Vec<[u8; 3]> = [0, 39, 40, 51, 52, 81].map(|x| tile.pixel(x, 15)).to_vec();
        assert_eq!(row, [red, red, GAP_COLOR, GAP_COLOR, blue, blue]);
        let column = |x: u32| [0, 4, 5, 24, 25, 29].map(|y| tile.pixel(x, y)).to_vec();
        assert_eq!(column(0), [GAP_COLOR, GAP_COLOR, red, red, GAP_COLOR, GAP_COLOR]);
        assert_eq!(column(60), [blue; 6]);
        assert_eq!(side_by_side(&[flat(16, 16, red)]), flat(16, 16, red), "one picture stays as it is");
    }

    #[test]
    fn a_tile_is_as_large_as_its_pictures_side_by_side() {
        assert_eq!(tile_side(&[(1024, 1024)], 512), 512);
        assert_eq!(tile_side(&[(1024, 512), (512, 1024)], 200), 200 + 12 + 100);
        assert_eq!(tile_side(&[(3, 7)], 100), 100);
    }

    #[test]
    fn two_pictures_share_a_tile() {
        let task = topotrace::registry().get("swap").unwrap_or_else(|e| panic!("{e}"));
        let generator = task.generator(&Level::Easy.into()).unwrap_or_else(|e| panic!("{e}"));
        let mut rasterizer = Rasterizer::new();
        let draft = Draft::make(&*generator, None, &mut rasterizer, 3).ok().flatten();
        let draft = draft.unwrap_or_else(|| panic!("seed 3 has a good look"));
        assert_eq!(draft.least_size(), 2 * u64::from(draft.instance.least_side()) + 12);
        let tile =
            draft.paint(&mut rasterizer, 700).unwrap_or_else(|failure| panic!("{}", failure.in_one_line()));
        assert_eq!((tile.width, tile.height), (700, 344));
        assert_eq!((0..700).filter(|x| tile.pixel(*x, 5) == GAP_COLOR).count(), GAP as usize);
        assert!(draft.paint(&mut rasterizer, 12).is_err(), "nothing is left for the pictures");
    }
}
