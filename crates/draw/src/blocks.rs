use crate::{Color, Paint, Theme};

/// Colors for a set of blocks that all have to be told apart.
///
/// The fifteen blocks, the empty slot and the theme's background differ pairwise by CIEDE2000 of
/// 20 or more, and blocks and slot differ by as much from the tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPalette {
    /// The name of the theme that it belongs to.
    pub theme: &'static str,
    /// A ground near the background, on which blocks may lie.
    pub tray: Color,
    /// A place without a block.
    pub slot: Paint,
    /// The blocks: block number 1 has the first color.
    pub blocks: [Color; 15],
}

impl BlockPalette {
    /// The palette of a theme; the first theme's where a theme has none.
    pub fn of(theme: &Theme) -> &'static BlockPalette {
        PALETTES.iter().find(|palette| palette.theme == theme.name).unwrap_or(&PALETTES[0])
    }

    /// The color of block number `number`, counted from 1; `None` beyond fifteen and for 0.
    pub fn block(&self, number: u8) -> Option<Color> {
        self.blocks.get(usize::from(number).checked_sub(1)?).copied()
    }
}

const fn palette(
    theme: &'static str,
    tray: u32,
    slot: (&'static str, u32),
    hexes: [u32; 15],
) -> BlockPalette {
    let mut blocks = [Color::BLACK; 15];
    let mut index = 0;
    while index < hexes.len() {
        blocks[index] = Color::hex(hexes[index]);
        index += 1;
    }
    BlockPalette { theme, tray: Color::hex(tray), slot: Paint::new(slot.0, slot.1), blocks }
}

// Found by simulated annealing from colors chosen by eye: the least sum of squared differences
// from those under which no two of a theme's colors are nearer than 21.
static PALETTES: [BlockPalette; 6] = [
    palette(
        "paper",
        0xeeeff2,
        ("gray", 0x969599),
        [
            0xdc302f, 0xf08021, 0xfece0b, 0xa1d836, 0x0f9b3c, 0x1d5a3c, 0x08a29c, 0x59c9fc, 0x1267d5,
            0x19285d, 0x812bc6, 0xae98f5, 0xfca3c3, 0xdf3296, 0x784926,
        ],
    ),
    palette(
        "chalkboard",
        0x2e433a,
        ("gray green", 0x777e67),
        [
            0xe6474d, 0xff8d3d, 0xffd024, 0xbcf840, 0x26b44b, 0xa8f4d1, 0x00a8a0, 0x76d5ff, 0x1c8aff,
            0x7f54eb, 0xbcb0ff, 0xffabc3, 0xe83fad, 0x986439, 0xfbf3e7,
        ],
    ),
    palette(
        "blueprint",
        0x1e488a,
        ("gray", 0x797d90),
        [
            0xea4a4a, 0xff9032, 0xffd732, 0xb0ea48, 0x29b45b, 0xadf3d4, 0x0cb1ab, 0x74d3ff, 0x3f8cff,
            0x8b59f6, 0xc4b6ff, 0xffa9c7, 0xe74ab5, 0xa16a40, 0xf9f6ee,
        ],
    ),
    palette(
        "sand",
        0xeadfbf,
        ("light brown", 0xa49072),
        [
            0xd42c27, 0xee7c1a, 0xfbc903, 0xa3c82a, 0x399a45, 0x1f5a3c, 0x14a39b, 0x50bdeb, 0x2264cd,
            0x1d2960, 0x7c34bb, 0xb397ea, 0xf990b7, 0xd52e93, 0x754526,
        ],
    ),
    palette(
        "night",
        0x1a1f38,
        ("gray", 0x636375),
        [
            0xe6474d, 0xff9042, 0xffd42b, 0xb0f82a, 0x12b348, 0xa6f4d1, 0x0aa79f, 0x74d6ff, 0x208cfe,
            0x8157ee, 0xbdb3ff, 0xffa9c2, 0xea39ac, 0x996438, 0xfbf4e9,
        ],
    ),
    palette(
        "newsprint",
        0xcac9c2,
        ("dark gray", 0x7e7d77),
        [
            0xda1929, 0xef7a1a, 0xffd10a, 0x9bd52d, 0x0c9839, 0x1b563a, 0x0b9e98, 0x4bc5f9, 0x1267ce,
            0x16265c, 0x7e2dc8, 0xb097f5, 0xffa4c4, 0xdd2c93, 0x754523,
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference;

    #[test]
    fn every_theme_has_blocks_that_can_be_told_apart() {
        for theme in Theme::all() {
            let palette = BlockPalette::of(theme);
            assert_eq!(palette.theme, theme.name);
            let mut colors = vec![theme.background.color, palette.slot.color];
            colors.extend(palette.blocks);
            for (index, a) in colors.iter().enumerate() {
                for b in &colors[..index] {
                    let found = difference(*a, *b);
                    assert!(found >= 20.0, "{}: {a} {b} {found}", theme.name);
                }
                let from_tray = difference(*a, palette.tray);
                assert!(index == 0 || from_tray >= 20.0, "{}: {a} and the tray {from_tray}", theme.name);
            }
        }
    }

    #[test]
    fn blocks_count_from_one() {
        let palette = BlockPalette::of(&Theme::all()[0]);
        assert_eq!(palette.block(1), Some(palette.blocks[0]));
        assert_eq!(palette.block(15), Some(palette.blocks[14]));
        assert_eq!((palette.block(0), palette.block(16)), (None, None));
    }
}
