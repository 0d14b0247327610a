use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::flaw::Flaw;
use crate::level::Difficulty;
use crate::picture::Picture;
use crate::random::RenderRng;

/// A plain value that can be compared, printed, sent to another thread and written as JSON.
pub trait Datum: Serialize + DeserializeOwned + Clone + PartialEq + Debug + Send + Sync + 'static {}

impl<T> Datum for T where T: Serialize + DeserializeOwned + Clone + PartialEq + Debug + Send + Sync + 'static {}

/// A scene grammar: what can be drawn, and in which looks.
pub trait Scene: 'static {
    /// The scene's name, the first part of its programs' ids.
    const NAME: &'static str;
    /// The names of the themes that a style may have.
    const THEMES: &'static [&'static str];
    /// The structure: walls, pipes, ropes, fences. Integers wherever integers do.
    type State: Datum;
    /// Everything that changes the look and not the meaning.
    type Style: Datum;

    /// The representative of all states that differ from this one by a recoloring without
    /// structure; its hash decides the split and finds repeats.
    fn canonical(state: &Self::State) -> Self::State {
        state.clone()
    }

    /// Draws a style in the given theme, which is one of [`Scene::THEMES`].
    fn style(state: &Self::State, theme: &'static str, rng: &mut RenderRng) -> Self::Style;

    /// Checks a stranger's style before it is drawn.
    ///
    /// # Errors
    /// When a value is outside the bounds within which every mark stays readable.
    fn validate_style(state: &Self::State, style: &Self::Style) -> Result<(), Flaw>;

    /// The least side in pixels at which every mark of this state can still be read.
    fn least_side(state: &Self::State) -> u32;
}

/// The theme of this name, if the scene has it.
///
/// # Errors
/// Names the themes that there are.
pub fn ensure_theme<S: Scene>(name: &str) -> Result<&'static str, Flaw> {
    let theme = S::THEMES.iter().find(|theme| **theme == name).copied();
    theme.ok_or_else(|| Flaw::new(format!("theme {name:?} is unknown; there are {}", S::THEMES.join(", "))))
}

/// Ties a program's marks to a drawing of the scene. An outside crate may add its own.
pub trait Draw<Marks>: Scene {
    /// Draws the pictures of an instance. A function of its arguments and of nothing else.
    fn draw(state: &Self::State, marks: &Marks, style: &Self::Style) -> Vec<Picture>;
}

/// The parameters of a task, each of which can also be set by itself.
pub trait Params: Datum {
    /// The parameters at a difficulty; at the three tiers exactly what the task declares.
    fn at(difficulty: Difficulty) -> Self;

    /// Checks every range.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    fn check(&self) -> Result<(), Flaw>;
}
