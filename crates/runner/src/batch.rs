use rayon::prelude::*;
use topotrace_core::{Digest, Episode, Observation, Policy, Status, Step};

use crate::error::Error;

/// Episodes that one thread takes at a time: a step costs microseconds, handing one over as well.
const AT_A_TIME: usize = 64;

/// Many episodes that act together, spread over threads. Whatever the number of threads, results
/// come in the order of the episodes and are the same.
///
/// Work is done on the current rayon pool; for another number of threads, call from within
/// `ThreadPool::install`.
pub struct Batch {
    episodes: Vec<Box<dyn Episode>>,
}

impl Batch {
    /// A batch of these episodes.
    pub fn new(episodes: Vec<Box<dyn Episode>>) -> Self {
        Batch { episodes }
    }

    /// The number of episodes.
    pub fn len(&self) -> usize {
        self.episodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.episodes.is_empty()
    }

    /// The episodes.
    pub fn episodes(&self) -> &[Box<dyn Episode>] {
        &self.episodes
    }

    /// The episodes, taken out again.
    pub fn into_episodes(self) -> Vec<Box<dyn Episode>> {
        self.episodes
    }

    /// Puts another episode in the place of one, as after its end, and returns the old one.
    ///
    /// # Errors
    /// When there is no such place; the new episode is then dropped.
    pub fn replace(&mut self, place: usize, episode: Box<dyn Episode>) -> Result<Box<dyn Episode>, Error> {
        let count = self.len();
        let old = self
            .episodes
            .get_mut(place)
            .ok_or_else(|| Error::request(format!("place {place} is not one of the {count} of the batch")))?;
        Ok(std::mem::replace(old, episode))
    }

    /// Where each episode stands.
    pub fn statuses(&self) -> Vec<Status> {
        self.episodes.iter().map(|episode| episode.status()).collect()
    }

    /// Reads one response for each episode and acts. An episode that has ended stays as it is.
    ///
    /// # Errors
    /// When there are not as many responses as episodes; nothing has then been done.
    pub fn step<R: AsRef<str> + Sync>(&mut self, responses: &[R]) -> Result<Vec<Step>, Error> {
        self.each(responses, |episode, response| episode.step(response))
    }

    /// Acts by one action (as JSON text) for each episode. An episode that has ended stays as it is.
    ///
    /// # Errors
    /// When there are not as many actions as episodes; nothing has then been done.
    pub fn act<A: AsRef<str> + Sync>(&mut self, actions: &[A]) -> Result<Vec<Step>, Error> {
        self.each(actions, |episode, action| episode.act(action))
    }

    /// What the agent of each episode sees. The pictures are drawn as SVG text; a
    /// [`Painter`](crate::Painter) makes pixels of them.
    pub fn observe(&self) -> Vec<Observation> {
        self.episodes.par_iter().map(|episode| episode.observe()).collect()
    }

    /// What a policy would do in each episode; `None` where one has ended. The episode's place
    /// goes into its random choices, so that equal episodes don't move alike, and neighboring seeds
    /// share nothing.
    pub fn advise(&self, policy: Policy, seed: u64) -> Vec<Option<String>> {
        let places = self.episodes.par_iter().enumerate();
        let advice = places.map(|(place, episode)| {
            let key = Digest::of("topotrace 2026 batch", &[&seed.to_string(), &place.to_string()]);
            episode.advise(policy, key.low())
        });
        advice.collect()
    }

    fn each<T: AsRef<str> + Sync>(
        &mut self,
        given: &[T],
        act: impl Fn(&mut dyn Episode, &str) -> Step + Sync,
    ) -> Result<Vec<Step>, Error> {
        if given.len() != self.len() {
            return Err(Error::request(format!("{} actions for {} episodes", given.len(), self.len())));
        }
        Ok(act_on_each(self.episodes.iter_mut().zip(given.iter().map(AsRef::as_ref)), act))
    }
}

/// Acts in every episode, on all threads; the steps come in the order of the episodes.
pub(crate) fn act_on_each<'a>(
    pairs: impl Iterator<Item = (&'a mut Box<dyn Episode>, &'a str)>,
    act: impl Fn(&mut dyn Episode, &str) -> Step + Sync,
) -> Vec<Step> {
    let pairs: Vec<_> = pairs.collect();
    let steps = pairs.into_par_iter().with_min_len(AT_A_TIME);
    steps.map(|(episode, text)| act(&mut **episode, text)).collect()
}
