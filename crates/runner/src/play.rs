use serde::Serialize;
use topotrace_core::{Episode, Policy, Status};

/// What came of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// How it ended.
    pub status: Status,
    /// Steps that were used up.
    pub steps: u32,
    /// Steps whose action was illegal or unreadable.
    pub not_legal: u32,
}

/// Lets a policy act until the episode ends, or the policy knows nothing more to do. `seed` feeds
/// its random choices.
pub fn play(episode: &mut dyn Episode, policy: Policy, seed: u64) -> Played {
    let (mut steps, mut not_legal) = (0, 0);
    while let Some(action) = episode.advise(policy, seed) {
        steps += 1;
        not_legal += u32::from(!episode.act(&action).legal());
    }
    Played { status: episode.status(), steps, not_legal }
}
