use serde::{Deserialize, Serialize};
use topotrace_core::{Draw, Flaw, Picture, RenderRng, Scene, ensure, ensure_theme, ensure_within};
use topotrace_draw::kurbo::Point;
use topotrace_draw::rope::{Arrow, Bead as Ball, Rope, RopeLook, RopeScene, draw_ropes};
use topotrace_draw::{Canvas, Color, CordPalette, Stroke, Text, Theme, difference, path};
use topotrace_space::{Camera, Curve, Lens, View};

use super::letters::{Letter, Letters};
use super::string::{Bead, BeadColor, BeadString, MAX_STRINGS, Strings};
use super::views::{CANVAS, CASING, Panel, Sizes, ensure_readable};

/// Strings through beads.
pub struct BeadScene;

/// The look of strings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeadStyle {
    /// The theme's name.
    pub theme: String,
    /// From where each string is seen.
    pub views: Vec<View>,
    /// How depth is drawn.
    pub lens: Lens,
    /// The strings' radius in steps of 1/1024 world unit, from 50 to 66.
    pub cord: u32,
    /// The beads' radius in steps of 1/1024 world unit, from 205 to 250.
    pub bead: u32,
    /// Where the light comes from on the canvas, in degrees: 0 from the right, 90 from above; from 50
    /// to 130.
    pub light_degrees: i16,
    /// Whether there is a shadow on a wall behind.
    pub shadow: bool,
}

impl BeadStyle {
    fn theme(&self) -> &'static Theme {
        Theme::named(&self.theme).unwrap_or(&Theme::all()[0])
    }

    pub(super) fn palette(&self) -> &'static CordPalette {
        CordPalette::of(self.theme())
    }

    /// What is written on the accent.
    pub(super) fn accent_ink(&self) -> Color {
        ink_on(self.palette().accent.color)
    }

    /// What a bead of this color is painted with.
    pub(super) fn paint(&self, color: BeadColor) -> Color {
        self.palette().get(color.name()).map_or(Color::BLACK, |paint| paint.color)
    }

    /// The radius of the beads in world units.
    pub(super) fn bead_radius(&self) -> f64 {
        self.sizes().bead_radius()
    }

    fn sizes(&self) -> Sizes {
        Sizes { cord: self.cord, bead: self.bead }
    }

    pub(super) fn look(&self) -> RopeLook {
        let look = RopeLook {
            casing: CASING,
            light_degrees: self.light_degrees,
            ..RopeLook::on(self.palette().ground.color)
        };
        if self.shadow { look.with_shadow() } else { look }
    }
}

/// How often a view is drawn before the state's own is taken.
const VIEWS: usize = 8;
/// The nearest that an eye is, in percent of the string's radius.
const EYE_DISTANCES: std::ops::RangeInclusive<u32> = 350..=700;

impl Scene for BeadScene {
    const NAME: &'static str = "bead";
    const THEMES: &'static [&'static str] =
        &["paper", "chalkboard", "blueprint", "sand", "night", "newsprint"];
    type State = Strings;
    type Style = BeadStyle;

    fn style(state: &Strings, theme: &'static str, rng: &mut RenderRng) -> BeadStyle {
        let lens = match rng.percent(50) {
            true => Lens::Orthographic,
            false => Lens::Perspective { distance_percent: rng.between(EYE_DISTANCES) as u16 },
        };
        let mut style = BeadStyle {
            theme: theme.to_owned(),
            views: state.strings.iter().map(|string| string.seen_from).collect(),
            lens,
            cord: rng.between(Sizes::SMALLEST.cord..=Sizes::LARGEST.cord),
            bead: rng.between(Sizes::SMALLEST.bead..=Sizes::LARGEST.bead),
            light_degrees: rng.between(50..=130) as i16,
            shadow: rng.percent(50),
        };
        let panels = Panel::all(state.strings.len());
        for ((string, panel), view) in state.strings.iter().zip(&panels).zip(&mut style.views) {
            let sizes = Sizes { cord: style.cord, bead: style.bead };
            let fine = |view: &View| ensure_readable(string, *view, lens, sizes, panel).is_ok();
            let found = (0..VIEWS).map(|_| nearby(string.seen_from, rng)).find(fine);
            *view = found.unwrap_or(string.seen_from);
        }
        // The state's own view is certain to be good without perspective and with the largest sizes.
        if check_views(state, &style).is_err() {
            style.lens = Lens::Orthographic;
            (style.cord, style.bead) = (Sizes::LARGEST.cord, Sizes::LARGEST.bead);
            style.views = state.strings.iter().map(|string| string.seen_from).collect();
        }
        style
    }

    fn validate_style(state: &Strings, style: &BeadStyle) -> Result<(), Flaw> {
        ensure_theme::<Self>(&style.theme)?;
        ensure_within("cord", style.cord, Sizes::SMALLEST.cord, Sizes::LARGEST.cord)?;
        ensure_within("bead", style.bead, Sizes::SMALLEST.bead, Sizes::LARGEST.bead)?;
        ensure_within("light_degrees", style.light_degrees, 50, 130)?;
        if let Lens::Perspective { distance_percent } = style.lens {
            let (low, high) = (*EYE_DISTANCES.start(), *EYE_DISTANCES.end());
            ensure_within("distance_percent", u32::from(distance_percent), low, high)?;
        }
        let (views, strings) = (style.views.len(), state.strings.len());
        ensure(views == strings, || format!("{views} views for {strings} strings"))?;
        check_views(state, style)
    }

    fn least_side(state: &Strings) -> u32 {
        if state.strings.len() == MAX_STRINGS { 768 } else { 512 }
    }
}

fn check_views(state: &Strings, style: &BeadStyle) -> Result<(), Flaw> {
    let panels = Panel::all(state.strings.len());
    for ((string, panel), view) in state.strings.iter().zip(&panels).zip(&style.views) {
        ensure_readable(string, *view, style.lens, style.sizes(), panel)?;
    }
    Ok(())
}

/// A view up to 9 degrees beside a view.
fn nearby(view: View, rng: &mut RenderRng) -> View {
    let (azimuth, elevation) = view.millidegrees();
    let mut shift = || rng.below(18_001) as i32 - 9_000;
    View::Angles {
        azimuth_millidegrees: (azimuth + shift()).rem_euclid(360_000),
        elevation_millidegrees: (elevation + shift()).clamp(-5_000, 90_000),
    }
}

impl Draw<()> for BeadScene {
    fn draw(state: &Strings, (): &(), style: &BeadStyle) -> Vec<Picture> {
        draw_all(state, &[], style)
    }
}

impl Draw<Letters> for BeadScene {
    fn draw(state: &Strings, marks: &Letters, style: &BeadStyle) -> Vec<Picture> {
        draw_all(state, &marks.letters, style)
    }
}

/// The pictures of all strings; the letters are on beads of the first one.
fn draw_all(state: &Strings, letters: &[Letter], style: &BeadStyle) -> Vec<Picture> {
    let panels = Panel::all(state.strings.len());
    let pictures = panels.iter().map(|panel| panel.picture + 1).max().unwrap_or(0);
    let ground = style.palette().ground.color;
    let mut canvases: Vec<_> = (0..pictures).map(|_| Canvas::new(CANVAS, CANVAS, ground)).collect();
    for (index, ((string, panel), view)) in state.strings.iter().zip(&panels).zip(&style.views).enumerate() {
        let canvas = &mut canvases[panel.picture];
        let option = OPTIONS.get(index.wrapping_sub(1)).filter(|_| state.strings.len() == MAX_STRINGS);
        if let Some(option) = option {
            draw_frame(canvas, panel, *option, style);
        }
        let Ok(curve) = string.curve() else { continue };
        let camera = panel.camera(&curve, *view, style.lens);
        let prefix = option.map_or(String::new(), |option| format!("{option} "));
        let marked = state.strings.len() < MAX_STRINGS;
        let scene = rope_scene(string, curve, &prefix, marked, style);
        // Sizes and places were checked with the style and the state.
        let drawn = draw_ropes(canvas, &scene, &camera, &style.look());
        debug_assert!(drawn.is_ok(), "{drawn:?}");
        if index == 0 {
            letters.iter().for_each(|letter| draw_letter(canvas, *letter, string, &camera, style));
        }
    }
    canvases.into_iter().map(Canvas::finish).collect()
}

/// A string as a rope with its beads and its arrow, and a ring around the first bead if it is marked.
fn rope_scene(string: &BeadString, curve: Curve, prefix: &str, marked: bool, style: &BeadStyle) -> RopeScene {
    let (palette, sizes) = (style.palette(), style.sizes());
    let accent = palette.accent.color;
    let ball = |(index, bead): (usize, &Bead)| {
        let ring = marked && index == string.first;
        Ball {
            rope: 0,
            position: curve.start(bead.at as usize),
            radius: sizes.bead_radius(),
            color: style.paint(bead.color),
            mark: Some(format!("{prefix}bead {}", index + 1)),
            ring: ring.then(|| (accent, Some(format!("{prefix}marker")))),
            label: String::new(),
        }
    };
    let beads = string.beads.iter().enumerate().map(ball).collect();
    let (length, radius) = Sizes::ARROW;
    let arrow = Arrow {
        rope: 0,
        position: string.arrow_position(&curve),
        length,
        radius,
        forward: string.forward,
        color: accent,
        mark: Some(format!("{prefix}arrow")),
    };
    let rope = Rope { curve, radius: sizes.cord_radius(), color: palette.cord.color, mark: None };
    RopeScene { ropes: vec![rope], beads, arrows: vec![arrow] }
}

/// A letter on a disc in the middle of its bead, in front of the string that may come out there.
fn draw_letter(canvas: &mut Canvas, letter: Letter, string: &BeadString, camera: &Camera, style: &BeadStyle) {
    let Some(bead) = string.beads.get(letter.bead) else { return };
    let seen = camera.project(string.place(bead));
    let radius = style.bead_radius() * camera.scale_at(seen.depth);
    let color = style.paint(bead.color);
    let ink = ink_on(color);
    canvas.mark(format!("bead {}", letter.bead + 1), |canvas| {
        canvas.fill(&path::circle(Point::new(seen.x, seen.y), LETTER_DISC * radius), color);
        canvas.text(Text::new(&letter.name.to_string(), seen.x, seen.y, LETTER_SIZE * radius, ink));
    });
}

/// Black or white, whichever is farther from a color.
fn ink_on(color: Color) -> Color {
    let [black, white] = [Color::BLACK, Color::WHITE].map(|ink| difference(ink, color));
    if black > white { Color::BLACK } else { Color::WHITE }
}

/// The radius of a letter's disc and the size of its font, in radii of the bead.
const LETTER_DISC: f64 = 0.74;
const LETTER_SIZE: f64 = 1.3;

/// The letter of an option and a line around its panel.
fn draw_frame(canvas: &mut Canvas, panel: &Panel, option: char, style: &BeadStyle) {
    let (palette, (left, top)) = (style.palette(), panel.frame_corner());
    let ink = style.theme().ink.color;
    let soft = palette.ground.color.mix(ink, 25);
    let side = f64::from(CANVAS / 2);
    canvas.stroke(&path::rect(left, top, side, side), Stroke::new(soft, 3.0));
    canvas.mark(format!("option {option}"), |canvas| {
        canvas.text(Text::new(&option.to_string(), left + 36.0, top + 38.0, 44.0, ink));
    });
}

/// The letters of the options, in the order of their strings.
pub(super) const OPTIONS: [char; 4] = ['A', 'B', 'C', 'D'];
