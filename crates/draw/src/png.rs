//! Pixels as PNG bytes: color type RGB, 8 bits a channel, no alpha.

use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter, Limits};
use topotrace_core::Raster;

use crate::{Error, MAX_SIDE};

/// How hard to compress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PngEffort {
    /// About a millisecond for a flat 1024 by 1024 picture.
    #[default]
    Fast,
    /// About half the size for many times the work.
    Small,
}

/// The raster as a PNG file.
///
/// # Panics
/// When `rgb` does not hold `width * height * 3` bytes or a side is 0.
pub fn encode(raster: &Raster, effort: PngEffort) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raster.rgb.len() / 16);
    let mut encoder = Encoder::new(&mut bytes, raster.width, raster.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    match effort {
        PngEffort::Fast => {
            encoder.set_compression(Compression::Fastest);
            encoder.set_filter(Filter::Up);
        }
        PngEffort::Small => {
            encoder.set_compression(Compression::High);
            encoder.set_filter(Filter::Adaptive);
        }
    }
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&raster.rgb));
    // Writing into memory can't fail, so that only the documented misuse remains.
    if let Err(error) = written {
        panic!("the raster does not fit its width and height: {error}");
    }
    bytes
}

/// The pixels of a PNG file as [`encode`] writes them.
///
/// # Errors
/// When the bytes are no PNG ([`Error::is_invalid_png`]), or have another color type or depth or
/// a side above [`MAX_SIDE`] ([`Error::is_out_of_range`]).
pub fn decode(bytes: &[u8]) -> Result<Raster, Error> {
    let limits = Limits { bytes: MAX_SIDE as usize * MAX_SIDE as usize * 4 };
    let mut reader =
        Decoder::new_with_limits(Cursor::new(bytes), limits).read_info().map_err(Error::invalid_png)?;
    let info = reader.info();
    let (width, height) = info.size();
    if (info.color_type, info.bit_depth) != (ColorType::Rgb, BitDepth::Eight) {
        let found = format!("{:?} {:?}", info.color_type, info.bit_depth);
        return Err(Error::out_of_range("PNG color type and depth", found, "Rgb Eight"));
    }
    if width.max(height) > MAX_SIDE {
        return Err(Error::out_of_range("PNG side", width.max(height), format!("1 to {MAX_SIDE}")));
    }
    let mut rgb = vec![0; width as usize * height as usize * 3];
    reader.next_frame(&mut rgb).map_err(Error::invalid_png)?;
    Ok(Raster { width, height, rgb })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noisy() -> Raster {
        let rgb = (0..70u32 * 64 * 3).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        Raster { width: 70, height: 64, rgb }
    }

    #[test]
    fn what_is_encoded_is_decoded_and_the_color_type_is_rgb() {
        for effort in [PngEffort::Fast, PngEffort::Small] {
            let bytes = encode(&noisy(), effort);
            assert_eq!((bytes[24], bytes[25]), (8, 2), "bit depth and color type");
            assert_eq!(decode(&bytes).expect("a PNG"), noisy());
        }
    }

    #[test]
    fn what_is_no_rgb_png_is_refused() {
        let bytes = encode(&noisy(), PngEffort::Fast);
        assert!(decode(b"GIF89a").is_err_and(|e| e.is_invalid_png()));
        assert!(decode(&bytes[..bytes.len() / 2]).is_err_and(|e| e.is_invalid_png()));
        let mut gray = Vec::new();
        let mut encoder = Encoder::new(&mut gray, 1, 1);
        encoder.set_color(ColorType::Grayscale);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&[7]).expect("a pixel");
        writer.finish().expect("an end");
        assert!(decode(&gray).is_err_and(|e| e.is_out_of_range()));
    }

    #[test]
    #[should_panic(expected = "does not fit")]
    fn a_raster_of_the_wrong_length_panics() {
        encode(&Raster { rgb: vec![0; 5], ..noisy() }, PngEffort::Fast);
    }
}
