//! Rules on what pins the tasks' behavior: hash lists, pictures, transcripts.

use topotrace_core::Task;

use crate::bless::pictures;
use crate::bless::plan::{Change, Plan};
use crate::bless::repository::Repository;
use crate::failure::Failure;

/// The largest reference picture in bytes: a whole set of them is looked at, and kept for good.
const LARGEST_REFERENCE: usize = 40 * 1024;
/// The largest picture on a page in bytes.
const LARGEST_EXAMPLE: usize = 96 * 1024;

/// Whatever `bless` would write is as it would write it, and pictures are small.
pub(super) fn check_all(
    repository: &Repository,
    tasks: &[&'static dyn Task],
) -> Result<Vec<String>, Failure> {
    let plan = Plan::new(repository, tasks, false)?;
    let mut faults = plan.refusals;
    faults.extend(plan.changes.iter().map(stale));
    for path in tasks.iter().flat_map(|task| pictures::paths(*task)) {
        faults.extend(check_picture(&path, repository.bytes(&path)?.as_deref()));
    }
    Ok(faults)
}

fn stale(change: &Change) -> String {
    format!("{}: {}; run cargo xtask bless and look at what it changed", change.path, change.note)
}

/// A picture is small.
fn check_picture(path: &str, bytes: Option<&[u8]>) -> Option<String> {
    let most = if path.starts_with(pictures::FOLDER) { LARGEST_REFERENCE } else { LARGEST_EXAMPLE };
    let size = bytes.map_or(0, <[u8]>::len);
    let advice = "draw it with fewer shapes or colors";
    (size > most).then(|| format!("{path}: {size} bytes, at most {most}; {advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::samples::assert_one_fault;

    const PICTURE: &str = "fixtures/render/tiles-paper.png";

    #[test]
    fn pictures_are_small() {
        let large = [0; LARGEST_REFERENCE + 1];
        assert_one_fault(check_picture(PICTURE, Some(&large)), "40961 bytes, at most 40960");
        assert_eq!(check_picture(PICTURE, Some(&large[1..])), None);
        assert_eq!(check_picture("docs/tasks/pictures/tiles.png", Some(&large)), None);
    }

    #[test]
    fn what_bless_would_change_is_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        let registry = topotrace::registry();
        let faults = check_all(&repository, &[registry.get("maze-2d/reach").unwrap()]).unwrap_or_default();
        let about = |part: &str| faults.iter().filter(|fault| fault.contains(part)).count();
        assert_eq!(about("fixtures/hashes/maze-2d-reach.txt: new, 1002 instances; run cargo xtask bless"), 1);
        assert_eq!(about("docs/tasks/maze-2d.md: new; write its texts; run cargo xtask bless"), 1);
        assert_eq!(about("fixtures/render/maze-2d-reach-"), 6);
    }
}
