//! Rules on the tasks' pages.

use topotrace_core::{Task, TaskInfo};

use crate::bless::repository::Repository;
use crate::failure::Failure;
use crate::task_page::{self, PLACEHOLDER, Scene};

/// Every scene's page has a line on each program's version and nothing left to be written; no page
/// is of a scene that is gone. Whether there is one, with the facts of today, the rules on what
/// `bless` writes say.
pub(super) fn check_all(
    repository: &Repository,
    tasks: &[&'static dyn Task],
) -> Result<Vec<String>, Failure> {
    let scenes = Scene::of_all(tasks);
    let mut faults = Vec::new();
    for scene in &scenes {
        let path = scene.path();
        let Some(stored) = repository.text(&path)? else { continue };
        faults.extend(check_texts(&path, &stored));
        faults.extend(scene.tasks.iter().filter_map(|task| check_history(&path, &stored, task.info())));
    }
    let wanted: Vec<String> = scenes.iter().map(Scene::path).collect();
    faults.extend(check_orphans(&repository.list(task_page::FOLDER, "md")?, &wanted));
    Ok(faults)
}

/// No placeholder of a new page is left.
fn check_texts(path: &str, text: &str) -> Option<String> {
    let line = text.lines().position(|line| line.contains(PLACEHOLDER))?;
    Some(format!("{path}:{}: {PLACEHOLDER:?} is left of the new page; write the text", line + 1))
}

/// The version history has a line for the version of today.
fn check_history(path: &str, text: &str, info: &TaskInfo) -> Option<String> {
    let (id, version) = (info.id, info.version);
    let begin = format!("* {version}: ");
    let section = text.lines().skip_while(|line| *line != "## Version history").skip(1);
    let told = section.take_while(|line| !line.starts_with("## ")).any(|line| line.starts_with(&begin));
    (!told).then(|| {
        format!("{path}: no line of \"## Version history\" begins with {begin:?}; say what {id} changed")
    })
}

/// Every page is of a scene.
fn check_orphans(found: &[String], wanted: &[String]) -> Vec<String> {
    let orphans = found.iter().filter(|path| !wanted.contains(path));
    orphans.map(|path| format!("{path} is of no scene; delete it or give it the scene's name")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::samples::{assert_one_fault, info};

    const PATH: &str = "docs/tasks/tiles.md";

    #[test]
    fn what_is_left_to_be_written_is_found() {
        assert_one_fault(check_texts(PATH, "# tiles\n\nTo be written: all.\n"), "tiles.md:3: ");
        assert_eq!(check_texts(PATH, "# tiles\n\nTiles.\n"), None);
    }

    #[test]
    fn the_history_tells_of_the_version() {
        let info = info("tiles/pieces");
        let page = "# tiles\n\n* 2: no history.\n\n## Version history\n\n* 1: first version.\n";
        assert_one_fault(check_history(PATH, page, &info), "begins with \"* 2: \"; say what tiles/pieces");
        assert_one_fault(check_history(PATH, &format!("{page}\n## More\n\n* 2: no.\n"), &info), "\"* 2: \"");
        assert_eq!(check_history(PATH, &format!("{page}* 2: larger tiles.\n"), &info), None);
    }

    #[test]
    fn pages_without_a_scene_are_found() {
        let found = [PATH.to_owned(), "docs/tasks/gone.md".to_owned()];
        assert_one_fault(check_orphans(&found, &[PATH.to_owned()]), "docs/tasks/gone.md is of no scene");
    }
}
