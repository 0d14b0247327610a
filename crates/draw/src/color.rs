use std::fmt;
use std::str::FromStr;

use palette::color_difference::Ciede2000;
use palette::white_point::D65;
use palette::{FromColor, Lab, Srgb};
use serde::{Deserialize, Serialize};

use crate::Error;

/// An opaque color, 8 bits a channel, sRGB. Shown, read and serialized as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Color {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
}

impl Color {
    /// Pure black.
    pub const BLACK: Color = Color::rgb(0, 0, 0);
    /// Pure white.
    pub const WHITE: Color = Color::rgb(255, 255, 255);

    /// A color from its three channels.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Color { red, green, blue }
    }

    /// A color from `0xRRGGBB`; bits above the lowest 24 are ignored.
    pub const fn hex(rrggbb: u32) -> Self {
        let [_, red, green, blue] = rrggbb.to_be_bytes();
        Color { red, green, blue }
    }

    /// The three channels: red, green, blue.
    pub const fn channels(self) -> [u8; 3] {
        [self.red, self.green, self.blue]
    }

    /// The color `percent` of the way from `self` to `other`, mixed in sRGB as antialiasing
    /// does. Values of `percent` above 100 count as 100.
    pub fn mix(self, other: Color, percent: u8) -> Color {
        let share = u32::from(percent.min(100));
        let channel = |a: u8, b: u8| ((u32::from(a) * (100 - share) + u32::from(b) * share + 50) / 100) as u8;
        Color {
            red: channel(self.red, other.red),
            green: channel(self.green, other.green),
            blue: channel(self.blue, other.blue),
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

impl FromStr for Color {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        text.strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .map(Color::hex)
            .ok_or_else(|| Error::out_of_range("color", format!("{text:?}"), "#rrggbb"))
    }
}

impl TryFrom<String> for Color {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<Color> for String {
    fn from(color: Color) -> String {
        color.to_string()
    }
}

/// A color together with the plain English word a prompt uses for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// The word, such as `red` or `dark blue`.
    pub name: &'static str,
    /// The color.
    pub color: Color,
}

impl Paint {
    /// A paint from its word and `0xRRGGBB`.
    pub(crate) const fn new(name: &'static str, rrggbb: u32) -> Self {
        Paint { name, color: Color::hex(rrggbb) }
    }
}

/// How different two colors look: CIEDE2000 under D65, from 0 (equal) to about 100 (black and
/// white). Colors that must be told apart differ by 20 or more.
pub fn difference(a: Color, b: Color) -> f64 {
    lab(a).difference(lab(b))
}

fn lab(color: Color) -> Lab<D65, f64> {
    Lab::from_color(Srgb::new(color.red, color.green, color.blue).into_linear::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ciede2000_agrees_with_the_published_test_data() {
        // Sharma, Wu and Dalal (2005), table 1: pairs 1, 7, 14, 17, 20 and 25.
        let published = [
            ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
            ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
            ([50.0, -0.001, 2.49], [50.0, 0.0011, -2.49], 4.7461),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
            ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ];
        for ([l, a, b], [m, c, d], expected) in published {
            let found = Lab::<D65, f64>::new(l, a, b).difference(Lab::new(m, c, d));
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
    }

    #[test]
    fn black_and_white_are_a_hundred_apart_and_the_measure_is_symmetric() {
        assert!((difference(Color::BLACK, Color::WHITE) - 100.0).abs() < 1e-3);
        let (a, b) = (Color::hex(0xd42a2a), Color::hex(0x1665d7));
        assert_eq!(difference(a, b), difference(b, a));
        assert_eq!(difference(a, a), 0.0);
    }

    #[test]
    fn srgb_red_has_its_known_lab_coordinates() {
        let red = lab(Color::hex(0xff0000));
        assert!((red.l - 53.24).abs() < 0.02 && (red.a - 80.09).abs() < 0.02, "{red:?}");
        assert!((red.b - 67.20).abs() < 0.02, "{red:?}");
    }

    #[test]
    fn colors_are_written_and_read_as_hash_and_six_digits() {
        let color = Color::rgb(1, 0xab, 0xff);
        assert_eq!(color, Color::hex(0x01abff));
        let json = serde_json::to_string(&color).expect("a color can be written");
        assert_eq!(json, "\"#01abff\"");
        assert_eq!(serde_json::from_str::<Color>(&json).expect("and read"), color);
        for wrong in ["", "01abff", "#01abf", "#+1abff", "#01abfff"] {
            assert!(wrong.parse::<Color>().is_err_and(|e| e.is_out_of_range()), "{wrong}");
        }
    }
}
