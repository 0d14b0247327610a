use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use topotrace_core::Picture;
use topotrace_draw::{PngEffort, Rasterizer, png};

use crate::error::Error;

/// Makes PNG files of observations' pictures. It keeps its buffers: use one a thread.
#[derive(Debug, Default)]
pub struct Painter {
    rasterizer: Rasterizer,
}

/// A picture as the bytes of a PNG file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Painted {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The PNG file.
    pub png: Vec<u8>,
}

impl Painter {
    /// A painter with empty buffers.
    pub fn new() -> Self {
        Painter::default()
    }

    /// Paints a picture with so many pixels on its longer side.
    ///
    /// # Errors
    /// When the side is out of range.
    pub fn paint(&mut self, picture: &Picture, side: u32) -> Result<Painted, Error> {
        let raster = self.rasterizer.render(&picture.svg, side)?;
        let png = png::encode(&raster, PngEffort::Fast);
        Ok(Painted { width: raster.width, height: raster.height, png })
    }
}

impl Painted {
    /// The PNG file in base 64, as data URLs hold it.
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.png)
    }
}
