use crate::{Paint, Theme};

/// Colors for pictures of beads on a cord.
///
/// The eight beads, the cord and the accent, each at the mid-tone of its shading, and the plain
/// ground differ pairwise by CIEDE2000 of 20 or more, a white bead from its ground too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CordPalette {
    /// The name of the theme that it belongs to.
    pub theme: &'static str,
    /// The ground of the picture: near the theme's background, but never white.
    pub ground: Paint,
    /// Red, blue, green, yellow, orange, purple, white and brown, in this order.
    pub beads: [Paint; 8],
    /// The string through the beads.
    pub cord: Paint,
    /// Rings and arrows; its name is none of the eight.
    pub accent: Paint,
}

impl CordPalette {
    /// The palette of a theme; the first theme's where a theme has none.
    pub fn of(theme: &Theme) -> &'static CordPalette {
        PALETTES.iter().find(|palette| palette.theme == theme.name).unwrap_or(&PALETTES[0])
    }

    /// The bead called `name`, such as `brown`, if it is one of the eight.
    pub fn get(&self, name: &str) -> Option<Paint> {
        self.beads.into_iter().find(|bead| bead.name == name)
    }

    /// The bead at a place in the fixed order; places beyond the eighth begin again.
    pub fn bead(&self, index: usize) -> Paint {
        self.beads[index % self.beads.len()]
    }
}

const fn palette(
    theme: &'static str,
    ground: Paint,
    cord: Paint,
    accent: Paint,
    hexes: [u32; 8],
) -> CordPalette {
    let names = ["red", "blue", "green", "yellow", "orange", "purple", "white", "brown"];
    let mut beads = [ground; 8];
    let mut index = 0;
    while index < hexes.len() {
        beads[index] = Paint::new(names[index], hexes[index]);
        index += 1;
    }
    CordPalette { theme, ground, beads, cord, accent }
}

// Found by simulated annealing from colors chosen by eye, mostly the theme's own: the least sum of
// squared differences from those under which no two of a theme's colors are nearer than 21.
static PALETTES: [CordPalette; 6] = [
    palette(
        "paper",
        Paint::new("light blue", 0x95b2de),
        Paint::new("black", 0x28282d),
        Paint::new("magenta", 0xf045a7),
        [0xd72529, 0x1865d6, 0x2c9a45, 0xf5c816, 0xf07f13, 0x7835b9, 0xfffefc, 0x7b4b24],
    ),
    palette(
        "chalkboard",
        Paint::new("dark green", 0x25382f),
        Paint::new("gray", 0x909390),
        Paint::new("pink", 0xfe96c4),
        [0xe84446, 0x4a98ee, 0x46b85c, 0xf7e064, 0xfb8f2e, 0xa763e6, 0xffffff, 0x89582f],
    ),
    palette(
        "blueprint",
        Paint::new("dark blue", 0x173f80),
        Paint::new("gray", 0x91929a),
        Paint::new("pink", 0xfe91c1),
        [0xee4343, 0x48a7ff, 0x3fc06a, 0xffe14d, 0xff912c, 0xac67fa, 0xffffff, 0x8c582e],
    ),
    palette(
        "sand",
        Paint::new("tan", 0xaf9f80),
        Paint::new("black", 0x252123),
        Paint::new("magenta", 0xe94ca1),
        [0xc9201c, 0x2761ba, 0x3b8f3a, 0xffdb02, 0xf36c00, 0x713299, 0xfcfdfe, 0x754212],
    ),
    palette(
        "night",
        Paint::new("navy", 0x11152b),
        Paint::new("gray", 0x93939f),
        Paint::new("cyan", 0x42e3ea),
        [0xeb4042, 0x468eff, 0x33bd57, 0xffdd3c, 0xff8b22, 0xa664ee, 0xffffff, 0x8a582f],
    ),
    palette(
        "newsprint",
        Paint::new("gray", 0x95938a),
        Paint::new("black", 0x202223),
        Paint::new("magenta", 0xe63e9b),
        [0xc61621, 0x1359c5, 0x24843a, 0xf3cf1b, 0xea7310, 0x7027a4, 0xffffff, 0x73421a],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference;
    use crate::rope::RopeLook;

    #[test]
    fn everything_on_a_cord_can_be_told_apart_as_it_is_shaded() {
        for theme in Theme::all() {
            let palette = CordPalette::of(theme);
            assert_eq!(palette.theme, theme.name);
            let look = RopeLook::on(palette.ground.color);
            let mut seen = vec![palette.ground];
            for paint in palette.beads.iter().chain([&palette.cord, &palette.accent]) {
                let color = look.mid_tone(paint.color);
                for other in &seen {
                    let found = difference(color, other.color);
                    assert!(found >= 20.0, "{}: {} {} {found}", theme.name, paint.name, other.name);
                }
                seen.push(Paint { color, ..*paint });
            }
            assert_eq!(seen.len(), 11);
        }
    }

    #[test]
    fn grounds_are_in_the_spirit_of_their_themes() {
        let is_dark = |paint: Paint| paint.color.channels().map(u32::from).iter().sum::<u32>() < 3 * 128;
        for theme in Theme::all() {
            let ground = CordPalette::of(theme).ground;
            assert_eq!(is_dark(ground), is_dark(theme.background), "{}", theme.name);
            assert!(difference(ground.color, theme.ink.color) >= 20.0, "{}", theme.name);
        }
    }

    #[test]
    fn names_are_the_same_everywhere_and_used_once() {
        let expected = ["red", "blue", "green", "yellow", "orange", "purple", "white", "brown"];
        for theme in Theme::all() {
            let palette = CordPalette::of(theme);
            assert_eq!(palette.beads.map(|bead| bead.name), expected);
            let others = [palette.ground.name, palette.cord.name, palette.accent.name];
            assert!(others.iter().all(|name| palette.get(name).is_none()), "{others:?}");
            assert!(others[0] != others[1] && others[0] != others[2] && others[1] != others[2]);
            assert_eq!(palette.get("brown"), Some(palette.bead(7)));
            assert_eq!(palette.bead(8).name, "red");
        }
    }
}
