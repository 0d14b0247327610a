//! The board read off the finished pictures.

use topotrace_core::Raster;
use topotrace_draw::Color;

use super::board::{BLANK, BLOCKS, Board};
use super::scene::{CANVAS, Layout, SwapStyle};

/// The board that two pictures show, from the color in the middle of every cell. Of `shape` only
/// the numbers of rows and columns are used.
pub(super) fn board(shape: &Board, style: &SwapStyle, pictures: &[Raster]) -> Option<Board> {
    let [current, goal] = pictures else { return None };
    let layout = Layout::new(shape, style);
    let count = (shape.rows * shape.columns) as usize;
    let palette = style.palette();
    let read = |picture: &Raster| -> Vec<u8> {
        let scale = |position: f64, side: u32| {
            let pixel = (position * f64::from(side) / f64::from(CANVAS)) as u32;
            pixel.min(side.saturating_sub(1))
        };
        let seen = |index| {
            let center = layout.center(index);
            picture.pixel(scale(center.x, picture.width), scale(center.y, picture.height))
        };
        let distance = |number: u8, seen: [u8; 3]| {
            let color = palette.block(number).unwrap_or(palette.slot.color);
            distance_squared(color, seen)
        };
        let nearest = |seen| (BLANK..=BLOCKS).min_by_key(|number| distance(*number, seen));
        (0..count).filter_map(|index| nearest(seen(index))).collect()
    };
    Some(Board { current: read(current), goal: read(goal), ..*shape })
}

fn distance_squared(color: Color, seen: [u8; 3]) -> i32 {
    let pairs = color.channels().into_iter().zip(seen);
    pairs.map(|(a, b)| (i32::from(a) - i32::from(b)) * (i32::from(a) - i32::from(b))).sum()
}
