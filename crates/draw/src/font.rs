//! The one font of every picture: Inter SemiBold, Latin subset.

#[cfg(feature = "raster")]
use std::sync::{Arc, OnceLock};

/// The family name that SVG text must ask for; any other would be dropped in silence.
pub const FAMILY: &str = "Inter";

/// The weight of the bundled face.
pub const WEIGHT: u32 = 600;

/// The height of a capital letter, as a share of the font size.
pub const CAP_HEIGHT: f64 = 1490.0 / UNITS;

/// The font as a TrueType file.
#[cfg(feature = "raster")]
pub const BYTES: &[u8] = include_bytes!("../font/inter-latin-600.ttf");

/// Font units in one em.
const UNITS: f64 = 2048.0;

/// Advances of the printable ASCII characters, from the space on, in font units.
const ADVANCES: [u16; 95] = [
    516, 658, 1071, 1318, 1332, 2057, 1357, 667, 764, 764, 1105, 1378, 653, 953, 653, 776, 1351, 866, 1276,
    1303, 1364, 1254, 1310, 1180, 1311, 1310, 653, 674, 1378, 1378, 1378, 1113, 2046, 1490, 1350, 1509, 1479,
    1240, 1204, 1534, 1527, 567, 1187, 1440, 1158, 1889, 1555, 1574, 1321, 1583, 1336, 1332, 1352, 1507,
    1490, 2089, 1474, 1461, 1336, 764, 776, 764, 986, 961, 719, 1176, 1278, 1193, 1278, 1211, 796, 1281,
    1254, 536, 536, 1166, 536, 1844, 1253, 1247, 1278, 1278, 813, 1125, 723, 1254, 1202, 1719, 1165, 1205,
    1159, 931, 735, 931, 1378,
];

/// The width of `content` at font size `size`, in the unit of `size`. Right for ASCII but for
/// kerning, which changes a line by a few percent at most; another character counts as one em,
/// wider than nearly all.
pub fn text_width(content: &str, size: f64) -> f64 {
    let units: u64 = content
        .chars()
        .map(|character| {
            (character as usize)
                .checked_sub(' ' as usize)
                .and_then(|index| ADVANCES.get(index))
                .map_or(UNITS as u64, |advance| u64::from(*advance))
        })
        .sum();
    units as f64 / UNITS * size
}

/// The database that holds the bundled font and nothing else, built at the first call.
#[cfg(feature = "raster")]
pub(crate) fn database() -> Arc<usvg::fontdb::Database> {
    static DATABASE: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    DATABASE
        .get_or_init(|| {
            let mut database = usvg::fontdb::Database::new();
            database.load_font_source(usvg::fontdb::Source::Binary(Arc::new(BYTES)));
            Arc::new(database)
        })
        .clone()
}

#[cfg(all(test, feature = "raster"))]
mod tests {
    use super::*;

    /// The text's laid out width and glyph numbers; `None` when the text was dropped.
    fn layout(content: &str, family: &str, kerning: &str) -> Option<(f64, Vec<u32>)> {
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="200"><text x="10" y="150" font-family="{family}" font-weight="{WEIGHT}" font-size="100" kerning="{kerning}" xml:space="preserve">{}</text></svg>"#,
            crate::shape::escape(content)
        );
        let options = usvg::Options { fontdb: database(), ..usvg::Options::default() };
        let tree = usvg::Tree::from_str(&svg, &options).expect("a readable SVG");
        let usvg::Node::Text(text) = tree.root().children().first()? else {
            return None;
        };
        let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
        let numbers = glyphs.map(|glyph| glyph.id.0).collect();
        Some((f64::from(text.bounding_box().width()), numbers))
    }

    #[test]
    fn an_unknown_family_drops_the_text_and_ours_does_not() {
        assert!(layout("A", FAMILY, "auto").is_some());
        assert!(layout("A", "Inter Semibold of Nowhere", "auto").is_none());
    }

    #[test]
    fn every_printable_ascii_character_has_its_own_glyph() {
        for character in ' '..='~' {
            // Between two letters, so that a space isn't trimmed.
            let (_, glyphs) = layout(&format!("H{character}H"), FAMILY, "auto").expect("text");
            assert_eq!(glyphs.len(), 3, "{character:?}");
            assert_ne!(glyphs[1], 0, "{character:?} would be drawn as a box");
        }
        // The check itself sees a missing glyph.
        let missing = layout("H\u{4e2d}H", FAMILY, "auto");
        assert!(missing.is_none_or(|(_, glyphs)| glyphs.contains(&0)));
    }

    #[test]
    fn the_advance_table_is_the_font_s() {
        for character in '!'..='~' {
            let content = character.to_string().repeat(8);
            let (found, _) = layout(&content, FAMILY, "0").expect("text");
            let expected = text_width(&content, 100.0);
            assert!((found - expected).abs() < 0.001 * expected, "{character} {found} {expected}");
        }
        let sentence = "Which points are connected to A?";
        let (found, _) = layout(sentence, FAMILY, "auto").expect("text");
        assert!((found / text_width(sentence, 100.0) - 1.0).abs() < 0.03, "{found}");
    }
}
