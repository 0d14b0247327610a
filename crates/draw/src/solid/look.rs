use topotrace_space::nalgebra::Vector3;

use super::facet::Projection;
use crate::Color;

/// How solids are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidLook {
    /// Where the light comes from, in degrees to the right of the viewer; negative is to his left.
    pub light_azimuth_degrees: i16,
    /// How high the light stands above the horizon, in degrees, cut to −90 to 90.
    pub light_elevation_degrees: i16,
    /// The brightness of a face that the light only grazes, in percent of the color; cut to 100, at
    /// which no shading is left. Faces turned away from the light are somewhat darker.
    pub ambient_percent: u8,
    /// Thin lines along the edges of faces, or none.
    pub lines: Option<EdgeLines>,
    /// A soft shadow on level ground below everything, or none.
    pub shadow: Option<GroundShadow>,
}

/// How edges are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeLines {
    /// The width between two visible faces, in canvas units, above 0 and up to 64; at the outline of a
    /// solid it is seven tenths of that.
    pub width: f64,
    /// How far from the color of the face to black a line is, 0 to 100 percent.
    pub darkness_percent: u8,
}

/// A soft shadow on a level plane, lit from above and slightly from the side where the light comes
/// from. Solids drawn in the same call throw it and lie over it: the ground itself is drawn before.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundShadow {
    /// Its color.
    pub color: Color,
    /// How much it covers in its middle, 1 to 95 percent.
    pub opacity_percent: u8,
    /// The height of the plane, z in world units.
    pub height: f64,
    /// The outline of the ground, x and y in world units, outside of which no shadow falls; empty
    /// for one without end.
    pub ground: Vec<[f64; 2]>,
}

impl Default for SolidLook {
    /// Light from the upper left, thin lines, no shadow.
    fn default() -> Self {
        SolidLook {
            light_azimuth_degrees: -35,
            light_elevation_degrees: 58,
            ambient_percent: 54,
            lines: Some(EdgeLines { width: 1.6, darkness_percent: 50 }),
            shadow: None,
        }
    }
}

impl SolidLook {
    /// The same look with a soft dark shadow on endless ground at this height.
    pub fn with_shadow(self, height: f64) -> Self {
        let shadow = GroundShadow { color: Color::BLACK, opacity_percent: 30, height, ground: Vec::new() };
        SolidLook { shadow: Some(shadow), ..self }
    }

    /// The color of a face halfway between full and grazing light. Colors that must be told apart are
    /// compared by it.
    pub fn mid_tone(&self, color: Color) -> Color {
        self.tone(color, 0.5)
    }

    /// The color of a face whose normal makes this cosine with the way to the light.
    pub(super) fn tone(&self, color: Color, cosine: f64) -> Color {
        let ambient = f64::from(self.ambient_percent.min(100)) / 100.0;
        // Faces turned away differ, too: an edge between two of them shows.
        let cosine = if cosine < 0.0 { 0.4 * cosine.max(-1.0) } else { cosine.min(1.0) };
        let brightness = ambient + (1.0 - ambient) * cosine;
        color.mix(Color::BLACK, ((1.0 - brightness) * 100.0).round() as u8)
    }

    /// The unit vector towards the light.
    pub(super) fn light(&self, projection: &Projection<'_>) -> Vector3<f64> {
        let (right, viewer) = projection.level();
        let (sin, cos) = libm::sincos(f64::from(self.light_azimuth_degrees).to_radians());
        let elevation = f64::from(self.light_elevation_degrees.clamp(-90, 90));
        let (height, reach) = libm::sincos(elevation.to_radians());
        (right * sin + viewer * cos) * reach + Vector3::z() * height
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Theme, difference};
    use topotrace_space::nalgebra::Point3;
    use topotrace_space::{Camera, Frame, Lens, View};

    #[test]
    fn the_light_turns_with_the_viewer() {
        let frame = Frame { width: 100, height: 100, fill_percent: 80 };
        let light = |view, azimuth, elevation| {
            let camera = Camera::around_sphere(view, Lens::Orthographic, Point3::origin(), 1.0, frame);
            let look = SolidLook {
                light_azimuth_degrees: azimuth,
                light_elevation_degrees: elevation,
                ..SolidLook::default()
            };
            look.light(&Projection::new(&camera))
        };
        let near = |a: Vector3<f64>, b: Vector3<f64>| assert!((a - b).norm() < 1e-9, "{a} {b}");
        near(light(View::Front, 90, 0), Vector3::x());
        near(light(View::Front, 0, 0), -Vector3::y());
        near(light(View::degrees(90, 30), 0, 0), Vector3::x());
        near(light(View::Top, 0, 90), Vector3::z());
    }

    #[test]
    fn tones_run_from_the_color_to_its_shade() {
        let color = Color::hex(0x64c8fa);
        let look = SolidLook { ambient_percent: 40, ..SolidLook::default() };
        assert_eq!((look.tone(color, 1.0), look.tone(color, 0.0)), (color, Color::rgb(40, 80, 100)));
        assert_eq!(
            (look.mid_tone(color), look.tone(color, -1.0)),
            (Color::rgb(70, 140, 175), Color::rgb(16, 32, 40))
        );
        let flat = SolidLook { ambient_percent: 100, ..look };
        assert_eq!((flat.mid_tone(color), flat.tone(color, -1.0)), (color, color));
    }

    #[test]
    fn mid_tones_keep_the_colors_of_a_theme_apart() {
        let look = SolidLook::default();
        for theme in Theme::all() {
            for (index, hue) in theme.hues.iter().enumerate() {
                for other in &theme.hues[..index] {
                    let found = difference(look.mid_tone(hue.color), look.mid_tone(other.color));
                    assert!(found >= 15.0, "{} {} {}: {found}", theme.name, hue.name, other.name);
                }
            }
        }
    }
}
