use crate::Color;

/// How ropes are drawn. Lengths are canvas units.
#[derive(Clone, Debug, PartialEq)]
pub struct RopeLook {
    /// The number of nested tones from rim to core, cut to 3 to 16; 8 to 10 look round.
    pub tones: u8,
    /// The gap on both sides of the upper strand at a crossing; 6 and more can be read.
    pub casing: f64,
    /// The color of the gap: the background, or `None` for a dark shade of the lower strand.
    pub casing_color: Option<Color>,
    /// Where the light comes from on the canvas: 0° from the right, 90° from above.
    pub light_degrees: i16,
    /// The contrast between rim and core: 0 is flat, 100 usual, at most 150.
    pub contrast_percent: u8,
    /// A soft shadow below everything, or none.
    pub shadow: Option<Shadow>,
}

/// A soft shadow, made of nested strokes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// Its color.
    pub color: Color,
    /// How much it covers in its middle, 1 to 100 percent.
    pub opacity_percent: u8,
    /// The plane that it falls on.
    pub plane: ShadowPlane,
}

/// The plane that a shadow falls on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShadowPlane {
    /// The plane z = this height in world units, lit from above and slightly from the side.
    Floor(f64),
    /// A wall across the view, so far behind the deepest point in world units. The shadow of a
    /// point is shifted away from the light by a fifth of its distance from the wall.
    Wall(f64),
}

impl RopeLook {
    /// Nine tones, a gap of 7 units in the color of the background, light from the upper left,
    /// no shadow.
    pub const fn on(background: Color) -> Self {
        RopeLook {
            tones: 9,
            casing: 7.0,
            casing_color: Some(background),
            light_degrees: 120,
            contrast_percent: 100,
            shadow: None,
        }
    }

    /// The same look with a soft dark shadow on a wall just behind the ropes.
    pub const fn with_shadow(self) -> Self {
        let plane = ShadowPlane::Wall(0.2);
        RopeLook { shadow: Some(Shadow { color: Color::BLACK, opacity_percent: 20, plane }), ..self }
    }

    /// The mean color of a rope or bead of this color across its width. Colors that must be told
    /// apart are compared by it.
    pub fn mid_tone(&self, color: Color) -> Color {
        let tones = self.all_tones();
        let mut sums = [0.0; 3];
        for (index, tone) in tones.iter().enumerate() {
            // What the next tone leaves of this one.
            let seen = tone.half - tones.get(index + 1).map_or(0.0, |next| next.half);
            for (sum, channel) in sums.iter_mut().zip(self.shade(color, tone.lightness).channels()) {
                *sum += seen * f64::from(channel);
            }
        }
        let [red, green, blue] = sums.map(|sum| sum.round() as u8);
        Color::rgb(red, green, blue)
    }

    /// The nested tones, from the rim inward.
    pub(super) fn all_tones(&self) -> Vec<Tone> {
        let count = self.tones.clamp(3, 16);
        (0..count).map(|index| tone(f64::from(index) / f64::from(count - 1))).collect()
    }

    /// The nested tones of a ball: more of them than on a rope, and a narrower rim.
    pub(super) fn ball_tones(&self) -> Vec<Tone> {
        let count = self.tones.clamp(3, 16) * 3 / 2;
        let narrowed =
            |tone: Tone| Tone { half: tone.half * BALL_HALF, shift: tone.shift * BALL_SHIFT, ..tone };
        let inner = (1..count).map(|index| narrowed(tone(f64::from(index) / f64::from(count - 1))));
        std::iter::once(tone(0.0)).chain(inner).collect()
    }

    /// The unit vector towards the light on the canvas (y downward).
    pub(super) fn light(&self) -> (f64, f64) {
        let (sin, cos) = libm::sincos(f64::from(self.light_degrees).to_radians());
        (cos, -sin)
    }

    /// The color at a lightness from −1 (rim) to 1 (core).
    pub(super) fn shade(&self, color: Color, lightness: f64) -> Color {
        let contrast = f64::from(self.contrast_percent.min(150)) / 100.0;
        let percent = |most: f64| (lightness.abs() * most * contrast).round().min(95.0) as u8;
        if lightness < 0.0 {
            color.mix(Color::BLACK, percent(DARKEST))
        } else {
            color.mix(Color::WHITE, percent(LIGHTEST))
        }
    }
}

/// Percent of black in the rim and of white in the core.
const DARKEST: f64 = 58.0;
const LIGHTEST: f64 = 52.0;

/// One of the nested tones: a share of the tube's half width, shifted to the light by another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tone {
    pub(super) half: f64,
    pub(super) shift: f64,
    pub(super) lightness: f64,
}

/// The light's sine and cosine against the viewer, times 0.94, so that a dark line remains on
/// the lit side.
const SINE: f64 = 0.40;
const COSINE: f64 = 0.85;

/// By how much the tones of a ball are larger and less shifted than a rope's; they stay within it.
const BALL_HALF: f64 = 1.09;
const BALL_SHIFT: f64 = 0.68;

/// The tone at a share of the way from rim to core. On a round tube lit from the side, the
/// surface within an angle of the brightest line is a strip whose width goes by that angle's
/// sine and whose shift goes by its cosine.
fn tone(share: f64) -> Tone {
    if share == 0.0 {
        return Tone { half: 1.0, shift: 0.0, lightness: -1.0 };
    }
    let angle = (1.0 - share) * 0.94 + 0.06;
    let (sin, cos) = libm::sincos(angle * std::f64::consts::FRAC_PI_2 * 1.05);
    let lightness = -0.72 + 1.72 * share * (0.75 + 0.25 * share);
    Tone { half: COSINE * sin, shift: SINE * cos, lightness }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Theme, difference};

    #[test]
    fn tones_are_nested_and_stay_on_the_tube() {
        for tones in [0, 3, 8, 10, 16, 255] {
            let look = RopeLook { tones, ..RopeLook::on(Color::WHITE) };
            for tones in [look.all_tones(), look.ball_tones()] {
                for pair in tones.windows(2) {
                    let (outer, inner) = (&pair[0], &pair[1]);
                    assert!(inner.half > 0.0 && inner.half < outer.half && inner.lightness > outer.lightness);
                    assert!((inner.shift - outer.shift).abs() + inner.half <= outer.half + 0.06);
                    assert!(inner.shift.abs() + inner.half <= 0.97);
                }
            }
        }
    }

    #[test]
    fn the_mid_tone_is_near_the_color_and_keeps_colors_apart() {
        for theme in Theme::all() {
            let look = RopeLook::on(theme.background.color);
            for (index, hue) in theme.hues.iter().enumerate() {
                let mid = look.mid_tone(hue.color);
                assert!(difference(mid, hue.color) < 14.0, "{} {}", theme.name, hue.name);
                let ground = difference(mid, theme.background.color);
                assert!(ground >= 20.0, "{} {}: {ground}", theme.name, hue.name);
                for other in &theme.hues[..index] {
                    let found = difference(mid, look.mid_tone(other.color));
                    assert!(found >= 18.0, "{} {} {}: {found}", theme.name, hue.name, other.name);
                }
            }
        }
    }

    #[test]
    fn the_light_comes_from_where_it_is_said() {
        let from = |light_degrees| RopeLook { light_degrees, ..RopeLook::on(Color::WHITE) }.light();
        assert!((from(0).0 - 1.0).abs() < 1e-12 && (from(90).1 + 1.0).abs() < 1e-12);
        let flat = RopeLook { contrast_percent: 0, ..RopeLook::on(Color::WHITE) };
        assert_eq!(flat.mid_tone(Color::hex(0x336699)), Color::hex(0x336699));
    }
}
