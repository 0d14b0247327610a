//! Rules on what pins the tasks' behavior: hash lists and pictures.

use rayon::prelude::*;
use topotrace_core::Task;

use crate::bless::hashes::{self, HashList, Standing};
use crate::bless::repository::Repository;
use crate::bless::{pictures, plan};
use crate::failure::Failure;

/// The largest picture in bytes.
const LARGEST_PICTURE: usize = 20 * 1024;

/// Every task has a hash list that is true today and small pictures; none is of a task that is
/// gone. Whether the pictures are of today, their test and `bless --check` say.
pub(super) fn check_all(
    repository: &Repository,
    tasks: &[&'static dyn Task],
) -> Result<Vec<String>, Failure> {
    let lists: Vec<HashList> =
        tasks.par_iter().map(|task| HashList::compute(*task)).collect::<Result<_, _>>()?;
    let mut faults = Vec::new();
    for (task, list) in tasks.iter().zip(&lists) {
        let path = hashes::path(task.info());
        let standing = list.judge(&path, repository.text(&path)?.as_deref());
        faults.extend(check_list(&path, task.info().version, standing));
        for path in pictures::paths(*task) {
            faults.extend(check_picture(&path, repository.bytes(&path)?.as_deref()));
        }
    }
    faults.extend(plan::orphan_paths(repository, tasks)?.iter().map(|path| orphan(path)));
    Ok(faults)
}

/// A list is of the version and of the behavior of today.
fn check_list(path: &str, version: u32, standing: Standing) -> Option<String> {
    match standing {
        Standing::Same => None,
        Standing::Missing => Some(format!("{path} is missing; run cargo xtask bless")),
        Standing::Older { listed } => Some(format!(
            "{path} is of version {listed} and the task of version {version}; run cargo xtask bless"
        )),
        Standing::Broken(reason) => Some(reason),
    }
}

/// A picture is there and small.
fn check_picture(path: &str, bytes: Option<&[u8]>) -> Option<String> {
    match bytes.map(<[u8]>::len) {
        None => Some(format!("{path} is missing; run cargo xtask bless")),
        Some(size) if size > LARGEST_PICTURE => Some(format!(
            "{path}: {size} bytes, at most {LARGEST_PICTURE}; draw it with fewer shapes or colors"
        )),
        Some(_) => None,
    }
}

fn orphan(path: &str) -> String {
    format!("{path} belongs to no task; run cargo xtask bless, which removes it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::samples::assert_one_fault;

    const LIST: &str = "fixtures/hashes/tiles.txt";
    const PICTURE: &str = "fixtures/render/tiles-paper.png";

    #[test]
    fn lists_that_are_not_of_today_are_faults() {
        assert_eq!(check_list(LIST, 2, Standing::Same), None);
        assert_one_fault(
            check_list(LIST, 2, Standing::Missing),
            "tiles.txt is missing; run cargo xtask bless",
        );
        let older = check_list(LIST, 2, Standing::Older { listed: 1 });
        assert_one_fault(older, "of version 1 and the task of version 2; run cargo xtask bless");
        assert_one_fault(check_list(LIST, 2, Standing::Broken("it differs".to_owned())), "it differs");
    }

    #[test]
    fn pictures_are_there_and_small() {
        assert_one_fault(check_picture(PICTURE, None), "tiles-paper.png is missing; run cargo xtask bless");
        assert_one_fault(
            check_picture(PICTURE, Some(&[0; LARGEST_PICTURE + 1])),
            "20481 bytes, at most 20480",
        );
        assert_eq!(check_picture(PICTURE, Some(&[0; 9])), None);
    }

    #[test]
    fn files_of_no_task_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        let registry = topotrace::registry();
        let task = registry.get("pipe").unwrap();
        let gone =
            ["fixtures/render/gone-paper.png", "docs/tasks/pictures/gone.png", "fixtures/hashes/gone.txt"];
        for path in gone.into_iter().chain(["fixtures/hashes/pipe.txt", "fixtures/render/pipe-paper.png"]) {
            assert!(repository.write(path, b"").is_ok());
        }
        let found = plan::orphan_paths(&repository, &[task]).unwrap_or_default();
        assert_eq!(found, gone);
        assert!(orphan(&found[0]).contains("fixtures/render/gone-paper.png belongs to no task"));
    }
}
