//! What has to change in the repository for it to hold what the tasks make today.

use std::collections::BTreeSet;

use rayon::prelude::*;
use topotrace_core::{Raster, Task};
use topotrace_draw::{PngEffort, png};

use super::difference;
use super::hashes::{self, HashList, Standing};
use super::pictures::{self, Wanted};
use super::repository::Repository;
use super::transcripts;
use crate::failure::Failure;
use crate::task_page::{Scene, example};

/// Everything that differs.
#[derive(Default)]
pub(crate) struct Plan {
    /// What has to be written or removed.
    pub(crate) changes: Vec<Change>,
    /// Why nothing may be written, each with what to do.
    pub(crate) refusals: Vec<String>,
    /// The number of files that were compared.
    pub(crate) compared: usize,
}

/// A file that has to be written or removed.
pub(crate) struct Change {
    /// Its path from the root.
    pub(crate) path: String,
    /// What is wrong with the file that is there.
    pub(crate) note: String,
    /// What it has to hold; `None` when it has to go.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Before and after, where it is a picture.
    pub(crate) picture: Option<Pair>,
}

/// A picture before and after; one of them is missing when it comes or goes.
pub(crate) struct Pair {
    pub(crate) old: Option<Raster>,
    pub(crate) new: Option<Raster>,
}

impl Plan {
    /// Compares the repository with what the tasks make today. `unreleased` allows to overwrite
    /// hash lists whose version did not go up.
    ///
    /// # Errors
    /// When an instance can't be made or drawn, or a file can't be read.
    pub(crate) fn new(
        repository: &Repository,
        tasks: &[&'static dyn Task],
        unreleased: bool,
    ) -> Result<Self, Failure> {
        let mut plan = Plan::default();
        plan.compare_lists(repository, tasks, unreleased)?;
        for picture in pictures::render_all(tasks)? {
            plan.compared += 1;
            plan.changes.extend(compare_picture(repository, picture)?);
        }
        for wanted in transcripts::tell_all(tasks)? {
            plan.compared += 1;
            plan.changes.extend(compare_transcript(repository, wanted)?);
        }
        for scene in Scene::of_all(tasks) {
            plan.compared += 1;
            plan.changes.extend(compare_page(repository, &scene)?);
        }
        plan.changes.extend(orphans(repository, tasks)?);
        Ok(plan)
    }

    /// Writes and removes what has to be.
    ///
    /// # Errors
    /// When a file can't be written or removed.
    pub(crate) fn apply(&self, repository: &Repository) -> Result<(), Failure> {
        self.changes.iter().try_for_each(|change| match &change.bytes {
            Some(bytes) => repository.write(&change.path, bytes),
            None => repository.remove(&change.path),
        })
    }

    fn compare_lists(
        &mut self,
        repository: &Repository,
        tasks: &[&'static dyn Task],
        unreleased: bool,
    ) -> Result<(), Failure> {
        let lists: Vec<HashList> =
            tasks.par_iter().map(|task| HashList::compute(*task)).collect::<Result<_, _>>()?;
        for (task, list) in tasks.iter().zip(lists) {
            self.compared += 1;
            let path = hashes::path(task.info());
            let note = match list.judge(&path, repository.text(&path)?.as_deref()) {
                Standing::Same => continue,
                Standing::Missing => format!("new, {} instances", list.len()),
                Standing::Older { listed } => format!("of version {listed} until now"),
                Standing::Broken(_) if unreleased => "overwritten, its version unchanged".to_owned(),
                Standing::Broken(reason) => {
                    self.refusals.push(reason);
                    continue;
                }
            };
            let bytes = Some(list.text().into_bytes());
            self.changes.push(Change { path, note, bytes, picture: None });
        }
        Ok(())
    }
}

fn compare_picture(repository: &Repository, wanted: Wanted) -> Result<Option<Change>, Failure> {
    let Wanted { path, raster: new } = wanted;
    let stored = repository.bytes(&path)?;
    let old = stored.as_deref().map(png::decode);
    let (note, old) = match old {
        None => ("new".to_owned(), None),
        Some(Err(flaw)) => (format!("unreadable: {flaw}"), None),
        Some(Ok(old)) => match difference::count(&old, &new) {
            0 => return Ok(None),
            count => {
                let all = new.width * new.height;
                (format!("{count} of {all} pixels differ"), Some(old))
            }
        },
    };
    let bytes = Some(png::encode(&new, PngEffort::Small));
    Ok(Some(Change { path, note, bytes, picture: Some(Pair { old, new: Some(new) }) }))
}

fn compare_transcript(
    repository: &Repository,
    wanted: transcripts::Wanted,
) -> Result<Option<Change>, Failure> {
    let transcripts::Wanted { path, text } = wanted;
    let note = match repository.text(&path)? {
        None => "new".to_owned(),
        Some(stored) if stored == text => return Ok(None),
        Some(stored) => {
            let same = stored.lines().zip(text.lines()).take_while(|(stored, told)| stored == told).count();
            format!("differs from line {} on", same + 1)
        }
    };
    Ok(Some(Change { path, note, bytes: Some(text.into_bytes()), picture: None }))
}

fn compare_page(repository: &Repository, scene: &Scene) -> Result<Option<Change>, Failure> {
    let path = scene.path();
    let stored = repository.text(&path)?;
    let page = scene.page(stored.as_deref())?;
    let note = match stored {
        Some(stored) if stored == page => return Ok(None),
        Some(_) => "other facts",
        None => "new; write its texts",
    };
    Ok(Some(Change { path, note: note.to_owned(), bytes: Some(page.into_bytes()), picture: None }))
}

/// Pictures, hash lists and transcripts that belong to no task any more.
fn orphans(repository: &Repository, tasks: &[&'static dyn Task]) -> Result<Vec<Change>, Failure> {
    let mut changes = Vec::new();
    for path in orphan_paths(repository, tasks)? {
        let old = repository.bytes(&path)?.and_then(|bytes| png::decode(&bytes).ok());
        let picture = old.map(|old| Pair { old: Some(old), new: None });
        changes.push(Change { path, note: "belongs to no task".to_owned(), bytes: None, picture });
    }
    Ok(changes)
}

fn orphan_paths(repository: &Repository, tasks: &[&'static dyn Task]) -> Result<Vec<String>, Failure> {
    let mut owned: BTreeSet<String> = tasks.iter().flat_map(|task| pictures::paths(*task)).collect();
    owned.extend(tasks.iter().map(|task| hashes::path(task.info())));
    owned.extend(tasks.iter().filter_map(|task| transcripts::path(task.info())));
    let mut found = repository.list(pictures::FOLDER, "png")?;
    found.extend(repository.list(example::FOLDER, "png")?);
    found.extend(repository.list(hashes::FOLDER, "txt")?);
    found.extend(repository.list(transcripts::FOLDER, "txt")?);
    found.retain(|path| !owned.contains(path));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "fixtures/hashes/maze-2d-reach.txt";
    const PICTURE: &str = "fixtures/render/maze-2d-reach-paper.png";
    const PAGE: &str = "docs/tasks/maze-2d.md";

    fn plan(repository: &Repository, unreleased: bool) -> Plan {
        let registry = topotrace::registry();
        let plan = Plan::new(repository, &[registry.get("maze-2d/reach").unwrap()], unreleased);
        plan.unwrap_or_else(|_| panic!("the task can be made and drawn"))
    }

    fn notes(plan: &Plan) -> Vec<String> {
        plan.changes.iter().map(|change| format!("{}: {}", change.path, change.note)).collect()
    }

    /// The stored picture with every channel raised by `levels`.
    fn raise(repository: &Repository, levels: u8) {
        let bytes = repository.bytes(PICTURE).ok().flatten().unwrap();
        let mut raster = png::decode(&bytes).unwrap();
        raster.rgb.iter_mut().for_each(|channel| *channel = channel.saturating_add(levels));
        assert!(repository.write(PICTURE, &png::encode(&raster, PngEffort::Fast)).is_ok());
    }

    #[test]
    fn only_what_changed_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        let first = plan(&repository, false);
        assert_eq!(first.changes.len(), first.compared, "{:?}", notes(&first));
        assert!(first.apply(&repository).is_ok());
        assert_eq!(notes(&plan(&repository, false)), [""; 0], "a second run has nothing to do");

        raise(&repository, 1);
        assert_eq!(notes(&plan(&repository, false)), [""; 0], "one level a channel is no change");
        raise(&repository, 9);
        for gone in ["fixtures/render/gone-paper.png", "fixtures/episodes/gone.txt"] {
            assert!(repository.write(gone, b"of no task").is_ok());
        }
        let page = repository.text(PAGE).ok().flatten().unwrap();
        assert!(
            repository.write(PAGE, page.replace("| version | 1 |", "| version | 9 |").as_bytes()).is_ok()
        );
        let second = plan(&repository, false);
        let [picture, page, orphan, transcript] = &notes(&second)[..] else { panic!("{:?}", notes(&second)) };
        assert!(picture.starts_with(PICTURE) && picture.ends_with("of 65536 pixels differ"), "{picture}");
        assert_eq!(*page, format!("{PAGE}: other facts"));
        assert_eq!(*orphan, "fixtures/render/gone-paper.png: belongs to no task");
        assert_eq!(*transcript, "fixtures/episodes/gone.txt: belongs to no task");
        assert!(second.apply(&repository).is_ok());
        assert_eq!(notes(&plan(&repository, false)), [""; 0]);
    }

    #[test]
    fn a_list_of_the_same_version_is_overwritten_only_when_unreleased() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        assert!(repository.write(LIST, b"version 1\neasy 0 000000000000\n").is_ok());
        let refused = plan(&repository, false);
        assert_eq!(refused.refusals.len(), 1);
        assert!(refused.refusals[0].contains("1002 of 1002 lines differ"), "{}", refused.refusals[0]);
        assert!(refused.changes.iter().all(|change| change.path != LIST));
        let allowed = plan(&repository, true);
        assert_eq!(allowed.refusals, [""; 0]);
        assert!(notes(&allowed).contains(&format!("{LIST}: overwritten, its version unchanged")));
    }
}
