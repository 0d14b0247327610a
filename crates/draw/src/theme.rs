use crate::Paint;

/// A palette whose colors can be told apart: within a theme the background, the ink, the accent
/// and the six hues differ pairwise by CIEDE2000 of 20 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The theme's name, such as `paper`.
    pub name: &'static str,
    /// The ground of the picture.
    pub background: Paint,
    /// Main strokes: walls, outlines, text.
    pub ink: Paint,
    /// Faint helper lines, softer than the ink; may be near the background.
    pub grid: Paint,
    /// Discs or text of point labels: far from the background, the ink, the accent and the hues.
    pub label: Paint,
    /// A what-if segment or another highlight: far from every hue and from the ink.
    pub accent: Paint,
    /// What is connected; always called green.
    pub on: Paint,
    /// What is not connected; always called blue.
    pub off: Paint,
    /// Purple, red, green, blue, yellow and orange, in this order.
    pub hues: [Paint; 6],
}

impl Theme {
    /// Every theme, in a fixed order.
    pub fn all() -> &'static [Theme] {
        &THEMES
    }

    /// The theme of this name, if there is one.
    pub fn named(name: &str) -> Option<&'static Theme> {
        THEMES.iter().find(|theme| theme.name == name)
    }

    /// The hue called `name`, such as `orange`, if it is one of the six.
    pub fn hue(&self, name: &str) -> Option<Paint> {
        self.hues.into_iter().find(|hue| hue.name == name)
    }
}

/// Purple, red, green, blue, yellow, orange.
const fn hues(colors: [u32; 6]) -> [Paint; 6] {
    [
        Paint::new("purple", colors[0]),
        Paint::new("red", colors[1]),
        Paint::new("green", colors[2]),
        Paint::new("blue", colors[3]),
        Paint::new("yellow", colors[4]),
        Paint::new("orange", colors[5]),
    ]
}

static THEMES: [Theme; 6] = [
    Theme {
        name: "paper",
        background: Paint::new("white", 0xffffff),
        ink: Paint::new("black", 0x1a1a1a),
        grid: Paint::new("light gray", 0xe2e4e8),
        label: Paint::new("gray", 0x70707c),
        accent: Paint::new("magenta", 0xe83fa8),
        on: Paint::new("green", 0x2c9a45),
        off: Paint::new("blue", 0x1665d7),
        hues: hues([0x8338b5, 0xd42a2a, 0x2c9a45, 0x1665d7, 0xf5c814, 0xf07f13]),
    },
    Theme {
        name: "chalkboard",
        background: Paint::new("dark green", 0x25382f),
        ink: Paint::new("white", 0xf4f2e9),
        grid: Paint::new("gray green", 0x3a5045),
        label: Paint::new("gray", 0x8ba396),
        accent: Paint::new("pink", 0xffa5cc),
        on: Paint::new("green", 0x5fcf72),
        off: Paint::new("blue", 0x57a3f2),
        hues: hues([0xb07fe6, 0xec5858, 0x5fcf72, 0x57a3f2, 0xf7e063, 0xf59a3e]),
    },
    Theme {
        name: "blueprint",
        background: Paint::new("dark blue", 0x163f80),
        ink: Paint::new("white", 0xeef4fb),
        grid: Paint::new("slate blue", 0x2a5497),
        label: Paint::new("gray green", 0x8eb2b2),
        accent: Paint::new("pink", 0xffa1cc),
        on: Paint::new("green", 0x4fd27c),
        off: Paint::new("blue", 0x58aaff),
        hues: hues([0xb57cf2, 0xf2524e, 0x4fd27c, 0x58aaff, 0xffe14d, 0xff9838]),
    },
    Theme {
        name: "sand",
        background: Paint::new("beige", 0xf2e6cb),
        ink: Paint::new("brown", 0x4b2e19),
        grid: Paint::new("tan", 0xdfcfaa),
        label: Paint::new("light brown", 0x8a7358),
        accent: Paint::new("magenta", 0xe0479f),
        on: Paint::new("green", 0x3c8f3a),
        off: Paint::new("blue", 0x2a60b8),
        hues: hues([0x7a379c, 0xc5281f, 0x3c8f3a, 0x2a60b8, 0xe9b90c, 0xe57717]),
    },
    Theme {
        name: "night",
        background: Paint::new("navy", 0x11152b),
        ink: Paint::new("white", 0xeceef8),
        grid: Paint::new("slate", 0x282e4d),
        label: Paint::new("gray", 0x9a9ab2),
        accent: Paint::new("cyan", 0x3fe3ea),
        on: Paint::new("green", 0x3fcf62),
        off: Paint::new("blue", 0x4c8efd),
        hues: hues([0xa566ee, 0xf04545, 0x3fcf62, 0x4c8efd, 0xffdd3c, 0xff8f2b]),
    },
    Theme {
        name: "newsprint",
        background: Paint::new("gray", 0xd3d2cc),
        ink: Paint::new("black", 0x1f1f1f),
        grid: Paint::new("gray", 0xbfbeb7),
        label: Paint::new("dark gray", 0x66665f),
        accent: Paint::new("magenta", 0xe0369c),
        on: Paint::new("green", 0x23843a),
        off: Paint::new("blue", 0x1159c5),
        hues: hues([0x7a28a1, 0xc41f23, 0x23843a, 0x1159c5, 0xf3cf1a, 0xea7310]),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, difference};

    fn far(theme: &Theme, paints: &[Paint]) {
        for (index, a) in paints.iter().enumerate() {
            for b in &paints[..index] {
                let found = difference(a.color, b.color);
                assert!(found >= 20.0, "{}: {a:?} {b:?} {found}", theme.name);
            }
        }
    }

    #[test]
    fn colors_that_must_be_told_apart_differ_by_twenty() {
        for theme in Theme::all() {
            let mut paints = vec![theme.background, theme.ink, theme.accent];
            paints.extend(theme.hues);
            far(theme, &paints);
            far(
                theme,
                &[&[theme.label, theme.background, theme.ink, theme.accent], &theme.hues[..]].concat(),
            );
            far(theme, &[theme.on, theme.off, theme.background]);
        }
    }

    #[test]
    fn names_are_unique_and_the_same_everywhere() {
        assert!(Theme::all().len() >= 5);
        for theme in Theme::all() {
            assert_eq!(Theme::named(theme.name), Some(theme));
            let names = theme.hues.map(|hue| hue.name);
            assert_eq!(names, ["purple", "red", "green", "blue", "yellow", "orange"]);
            assert_eq!((theme.on.name, theme.off.name), ("green", "blue"));
            for paint in [theme.background, theme.ink, theme.accent] {
                assert!(!names.contains(&paint.name), "{} {paint:?}", theme.name);
            }
        }
        assert_eq!(Theme::named("no such theme"), None);
    }

    #[test]
    fn the_grid_is_softer_than_the_ink() {
        for theme in Theme::all() {
            let grid = difference(theme.grid.color, theme.background.color);
            let ink = difference(theme.ink.color, theme.background.color);
            assert!(grid > 2.0 && grid * 3.0 < ink, "{} {grid} {ink}", theme.name);
        }
    }

    fn distance_squared(a: Color, b: Color) -> i32 {
        let (a, b) = (a.channels(), b.channels());
        (0..3).map(|i| (i32::from(a[i]) - i32::from(b[i])).pow(2)).sum()
    }

    /// Which half-covered edges are nearest to a color they have nothing to do with. A reader
    /// that snaps single edge pixels to the nearest hue is fooled there; on a light ground a half
    /// red edge is pink and on a dark one a half yellow edge is brown, whatever the palette.
    #[test]
    fn edges_that_look_like_another_hue_are_known() {
        let mut found = Vec::new();
        for theme in Theme::all() {
            let mut own = theme.hues.to_vec();
            own.push(theme.ink);
            for paint in &own {
                let mixed = theme.background.color.mix(paint.color, 50);
                let nearest = [theme.background]
                    .iter()
                    .chain(&own)
                    .min_by_key(|other| distance_squared(mixed, other.color))
                    .copied()
                    .expect("there are paints");
                if nearest != *paint && nearest != theme.background {
                    found.push(format!("{}: {} looks {}", theme.name, paint.name, nearest.name));
                }
            }
        }
        insta::assert_snapshot!(found.join("\n"));
    }
}
