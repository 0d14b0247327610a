use serde::{Deserialize, Serialize};

/// A finished drawing, still as text. Pixels are made from it by `topotrace-draw`.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width in canvas units; the SVG's view box is `0 0 width height`.
    pub width: u32,
    /// Height in canvas units.
    pub height: u32,
    /// The picture as a complete SVG document with an opaque background.
    pub svg: String,
    /// The identity pass: the same shapes without antialiasing, each answer-bearing mark in its
    /// own flat identity color, everything that may cover it in black.
    pub identity_svg: String,
    /// The answer-bearing marks.
    pub marks: Vec<PictureMark>,
}

/// One answer-bearing mark of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureMark {
    /// Which element of the item this is, such as `point A` or `bar red`.
    pub name: String,
    /// Its color in the identity pass, never black.
    pub identity: [u8; 3],
    /// The mark drawn alone, when something later may cover it; `None` when nothing can, so
    /// that what is visible is the whole silhouette.
    pub alone_svg: Option<String>,
}

/// Where a mark is seen, in pixels. Measured at one pixel a canvas unit; [`MarkBox::scaled`] gives
/// another size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkBox {
    /// The mark's name.
    pub name: String,
    /// Left edge of the bounding box of its visible pixels.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Width; 0 when nothing is visible.
    pub width: u32,
    /// Height; 0 when nothing is visible.
    pub height: u32,
    /// The number of visible pixels.
    pub visible: u32,
    /// The number of pixels of the mark drawn alone.
    pub silhouette: u32,
}

impl MarkBox {
    /// The box in another size of the same picture; both sizes are width and height in pixels.
    /// Edges are rounded outwards, pixel counts to the nearest.
    pub fn scaled(&self, from: (u32, u32), to: (u32, u32)) -> MarkBox {
        let span = |start: u32, length: u32, from: u32, to: u32| {
            let at = |edge: u32| u64::from(edge) * u64::from(to);
            let (low, high) =
                (at(start) / u64::from(from.max(1)), at(start + length).div_ceil(u64::from(from.max(1))));
            (low as u32, if length == 0 { 0 } else { (high - low) as u32 })
        };
        let (x, width) = span(self.x, self.width, from.0, to.0);
        let (y, height) = span(self.y, self.height, from.1, to.1);
        let area = |(width, height): (u32, u32)| u64::from(width) * u64::from(height);
        let count = |pixels: u32| {
            let (old, new) = (area(from).max(1), area(to));
            ((u64::from(pixels) * new + old / 2) / old) as u32
        };
        let (visible, silhouette) = (count(self.visible), count(self.silhouette));
        MarkBox { name: self.name.clone(), x, y, width, height, visible, silhouette }
    }
}

/// Pixels: 8-bit sRGB, row by row from the top, three bytes a pixel, no alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width * height * 3` bytes.
    pub rgb: Vec<u8>,
}

impl Raster {
    /// The color at column `x` and row `y`.
    ///
    /// # Panics
    /// When the position is outside the raster.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = (y as usize * self.width as usize + x as usize) * 3;
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_scale_outwards() {
        let mark = MarkBox { name: "m".into(), x: 3, y: 4, width: 5, height: 2, visible: 9, silhouette: 10 };
        let half = mark.scaled((100, 100), (50, 50));
        assert_eq!((half.x, half.y, half.width, half.height), (1, 2, 3, 1));
        assert_eq!((half.visible, half.silhouette), (2, 3));
        assert_eq!(mark.scaled((100, 100), (100, 100)), mark);
        assert_eq!(MarkBox { width: 0, ..mark }.scaled((100, 100), (300, 300)).width, 0);
    }
}
