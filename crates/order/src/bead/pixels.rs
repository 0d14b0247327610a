//! The colors of the beads read off the finished pictures.

use topotrace_core::Raster;
use topotrace_draw::{Color, difference};

use super::letters::Letter;
use super::scene::BeadStyle;
use super::string::{BeadColor, Strings};
use super::views::{CANVAS, Panel};

/// The state with the colors that the pictures show at the places of its beads: of each bead the mean
/// over the middle of its disc, taken for the palette's nearest. A bead that is covered by a letter keeps
/// its color.
pub(super) fn with_read_colors(
    state: &Strings,
    letters: &[Letter],
    style: &BeadStyle,
    pictures: &[Raster],
) -> Option<Strings> {
    let look = style.look();
    let tones = BeadColor::ALL.map(|color| look.mid_tone(style.paint(color)));
    let mut read = state.clone();
    let panels = Panel::all(state.strings.len());
    for ((string, panel), view) in read.strings.iter_mut().zip(&panels).zip(&style.views) {
        let camera = panel.camera(&string.curve().ok()?, *view, style.lens);
        let picture = pictures.get(panel.picture)?;
        let scale = f64::from(picture.width) / f64::from(CANVAS);
        let covered = |index: &usize| letters.iter().any(|letter| letter.bead == *index);
        for index in (0..string.beads.len()).filter(|index| !covered(index)) {
            let seen = camera.project(string.place(&string.beads[index]));
            let radius = style.bead_radius() * camera.scale_at(seen.depth);
            let mean = mean(picture, seen.x * scale, seen.y * scale, 0.8 * radius * scale)?;
            let nearest = (0..tones.len())
                .min_by(|a, b| difference(tones[*a], mean).total_cmp(&difference(tones[*b], mean)))?;
            string.beads[index].color = BeadColor::ALL[nearest];
        }
    }
    Some(read)
}

/// The mean color of a disc.
fn mean(picture: &Raster, x: f64, y: f64, radius: f64) -> Option<Color> {
    let (mut sums, mut count) = ([0_u64; 3], 0);
    let range = |middle: f64, side: u32| {
        let low = (middle - radius).max(0.0) as u32;
        low..((middle + radius).max(0.0) as u32 + 1).min(side)
    };
    for row in range(y, picture.height) {
        for column in range(x, picture.width) {
            let (dx, dy) = (f64::from(column) + 0.5 - x, f64::from(row) + 0.5 - y);
            if dx * dx + dy * dy <= radius * radius {
                let pixel = picture.pixel(column, row);
                (0..3).for_each(|channel| sums[channel] += u64::from(pixel[channel]));
                count += 1;
            }
        }
    }
    let [red, green, blue] =
        sums.map(|sum| u8::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX));
    (count > 0).then_some(Color::rgb(red, green, blue))
}
