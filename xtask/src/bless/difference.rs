//! How two pictures differ.

use topotrace_core::Raster;

/// Levels by which a channel may be off: other processors may round the last bit of antialiasing
/// differently.
const TOLERANCE: u8 = 1;
/// The color of changed pixels, which nothing gray hides.
const CHANGED: [u8; 3] = [224, 0, 96];

/// The number of pixels that differ; a pixel that only one of the pictures has differs.
pub(crate) fn count(old: &Raster, new: &Raster) -> usize {
    positions(old, new).filter(|&(x, y)| differs(pixel(old, x, y), pixel(new, x, y))).count()
}

/// The old picture, gray and faint, with the changed pixels on it in a glaring color.
pub(crate) fn picture(old: &Raster, new: &Raster) -> Raster {
    let (width, height) = extent(old, new);
    let rgb = positions(old, new)
        .flat_map(|(x, y)| match (pixel(old, x, y), pixel(new, x, y)) {
            (None, None) => [255; 3],
            (Some(before), after) if !differs(Some(before), after) => faint(before),
            _ => CHANGED,
        })
        .collect();
    Raster { width, height, rgb }
}

fn extent(old: &Raster, new: &Raster) -> (u32, u32) {
    (old.width.max(new.width), old.height.max(new.height))
}

fn positions(old: &Raster, new: &Raster) -> impl Iterator<Item = (u32, u32)> {
    let (width, height) = extent(old, new);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

fn pixel(raster: &Raster, x: u32, y: u32) -> Option<[u8; 3]> {
    (x < raster.width && y < raster.height).then(|| raster.pixel(x, y))
}

fn differs(old: Option<[u8; 3]>, new: Option<[u8; 3]>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => old.iter().zip(new).any(|(a, b)| a.abs_diff(b) > TOLERANCE),
        (old, new) => old != new,
    }
}

fn faint([red, green, blue]: [u8; 3]) -> [u8; 3] {
    let gray = (u32::from(red) + u32::from(green) + u32::from(blue)) / 3;
    [170 + (gray / 3) as u8; 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: u32, height: u32, level: u8) -> Raster {
        Raster { width, height, rgb: vec![level; (width * height * 3) as usize] }
    }

    #[test]
    fn one_level_is_no_difference_and_two_are() {
        assert_eq!(count(&plain(4, 3, 100), &plain(4, 3, 101)), 0);
        assert_eq!(count(&plain(4, 3, 100), &plain(4, 3, 98)), 12);
        let mut one = plain(4, 3, 100);
        one.rgb[5] = 200;
        assert_eq!(count(&plain(4, 3, 100), &one), 1);
    }

    #[test]
    fn pixels_of_only_one_picture_differ() {
        assert_eq!(count(&plain(4, 3, 9), &plain(4, 5, 9)), 8);
        assert_eq!(count(&plain(5, 3, 9), &plain(4, 4, 9)), 3 + 4, "the corner is in neither");
    }

    #[test]
    fn changed_pixels_stand_out() {
        let mut new = plain(2, 1, 0);
        new.rgb[3..6].fill(255);
        let shown = picture(&plain(2, 1, 0), &new);
        assert_eq!(shown.rgb, [170, 170, 170, 224, 0, 96]);
        assert_eq!((shown.width, shown.height), (2, 1));
    }
}
