use topotrace_core::Rng;

use super::{Diagram, ReadingRule, Tube, Unreadable};
use crate::{Camera, View};

/// Which of several readable views is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first one.
    First,
    /// The one whose smallest crossing angle is largest; the first of equals.
    Clearest,
}

/// Looks for a camera under which every crossing can be read. Returns the camera with its
/// diagram, or, for every camera that was tried, what was wrong first.
///
/// # Errors
/// When no camera will do.
pub fn choose_view(
    tubes: &[Tube<'_>],
    cameras: impl IntoIterator<Item = Camera>,
    rule: &ReadingRule,
    choice: Choice,
) -> Result<(Camera, Diagram), Vec<Unreadable>> {
    let mut flaws = Vec::new();
    let mut best: Option<(f64, Camera, Diagram)> = None;
    for camera in cameras {
        let diagram = Diagram::new(tubes, &camera);
        if let Some(flaw) = diagram.first_flaw(rule) {
            flaws.push(flaw);
            continue;
        }
        if choice == Choice::First {
            return Ok((camera, diagram));
        }
        let angle = diagram.crossings().iter().map(|c| c.angle_degrees).fold(90.0, f64::min);
        if best.as_ref().is_none_or(|(found, _, _)| angle > *found) {
            best = Some((angle, camera, diagram));
        }
    }
    best.map(|(_, camera, diagram)| (camera, diagram)).ok_or(flaws)
}

/// `count` random views with elevations from `low` to `high` whole degrees, to choose from.
pub fn random_views<S>(rng: &mut Rng<S>, count: usize, low: i16, high: i16) -> Vec<View> {
    let (low, high) = (i32::from(low.min(high)), i32::from(low.max(high)));
    (0..count)
        .map(|_| View::Angles {
            azimuth_millidegrees: rng.below(360_000) as i32,
            elevation_millidegrees: low * 1000 + rng.below((high - low) as usize * 1000 + 1) as i32,
        })
        .collect()
}
