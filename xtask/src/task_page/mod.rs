//! The pages in `docs/tasks`, one a scene: hand-written but for a part made from the tasks' facts.

pub(crate) mod example;
mod facts;
mod skeleton;

use topotrace_core::{Flaw, Task};

use crate::failure::Failure;
use example::Example;

pub(crate) use skeleton::PLACEHOLDER;

/// The folder of the pages.
pub(crate) const FOLDER: &str = "docs/tasks";
/// The line before the part that is made from facts.
const BEGIN: &str = "<!-- facts: written by cargo xtask bless -->";
/// The line after it.
const END: &str = "<!-- end of facts -->";

/// All programs of one scene.
pub(crate) struct Scene {
    /// The scene's name.
    pub(crate) name: &'static str,
    /// Its programs, sorted by id.
    pub(crate) tasks: Vec<&'static dyn Task>,
}

impl Scene {
    /// The scenes of these tasks, sorted by name.
    pub(crate) fn of_all(tasks: &[&'static dyn Task]) -> Vec<Scene> {
        let mut scenes: Vec<Scene> = Vec::new();
        for task in tasks {
            let name = task.info().scene();
            match scenes.iter_mut().find(|scene| scene.name == name) {
                Some(scene) => scene.tasks.push(*task),
                None => scenes.push(Scene { name, tasks: vec![*task] }),
            }
        }
        scenes.sort_by_key(|scene| scene.name);
        scenes
    }

    /// The path of the scene's page.
    pub(crate) fn path(&self) -> String {
        format!("{FOLDER}/{}.md", self.name)
    }

    /// The page as it should be: the stored one with its facts made anew, or the skeleton of one
    /// where there is none.
    ///
    /// # Errors
    /// When an example can't be made, or when the markers in the stored page do not pair.
    pub(crate) fn page(&self, stored: Option<&str>) -> Result<String, Failure> {
        let examples = Example::of_all(&self.tasks)?;
        let sections = self.tasks.iter().zip(&examples).map(|(task, example)| facts::section(*task, example));
        let facts = sections.collect::<Result<Vec<_>, _>>()?.join("\n\n");
        let page = match stored {
            Some(page) => page.to_owned(),
            None => skeleton::page(self)?,
        };
        place(&page, &facts).map_err(|flaw| Failure::from(Flaw::new(format!("{}: {flaw}", self.path()))))
    }
}

/// The page with `facts` between its markers. A page without markers gets them before its first
/// section.
fn place(page: &str, facts: &str) -> Result<String, Flaw> {
    let part = format!("{BEGIN}\n\n{facts}\n\n{END}");
    let (begins, ends) = (page.matches(BEGIN).count(), page.matches(END).count());
    match (begins, ends, page.split_once(BEGIN)) {
        (0, 0, _) => {
            let at = page.find("\n## ").map_or(page.len(), |at| at + 1);
            let (before, after) = page.split_at(at);
            let text = format!("{}\n\n{part}\n\n{after}", before.trim_end());
            Ok(format!("{}\n", text.trim_end()))
        }
        (1, 1, Some((before, rest))) if rest.contains(END) => {
            let after = rest.split_once(END).map_or("", |(_, after)| after);
            Ok(format!("{before}{part}{after}"))
        }
        _ => Err(Flaw::new(format!(
            "the lines {BEGIN:?} ({begins} times) and {END:?} ({ends} times) must stand once each, in this \
             order; restore them or delete both"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_replaced_between_their_markers() {
        let page = format!("# tiles\n\nProse.\n\n{BEGIN}\n\nold\n\n{END}\n\n## The record\n");
        let placed = place(&page, "new").unwrap();
        assert_eq!(placed, page.replace("old", "new"));
        assert_eq!(place(&placed, "new").unwrap(), placed);
    }

    #[test]
    fn a_page_without_markers_gets_them_before_its_first_section() {
        let placed = place("# tiles\n\nProse.\n\n## The record\n\nMore.\n", "new").unwrap();
        let wanted = format!("# tiles\n\nProse.\n\n{BEGIN}\n\nnew\n\n{END}\n\n## The record\n\nMore.\n");
        assert_eq!(placed, wanted);
        assert_eq!(place("# tiles\n", "new").unwrap(), format!("# tiles\n\n{BEGIN}\n\nnew\n\n{END}\n"));
    }

    #[test]
    fn markers_that_do_not_pair_are_refused() {
        for page in [
            format!("# tiles\n{BEGIN}\n"),
            format!("{END}\n"),
            format!("{END}\n{BEGIN}\n"),
            format!("{BEGIN}\n{END}\n{BEGIN}\n{END}\n"),
        ] {
            assert!(place(&page, "new").is_err_and(|e| e.to_string().contains("once each")), "{page}");
        }
    }

    #[test]
    fn programs_of_one_scene_share_a_page() {
        let registry = topotrace::registry();
        let scenes = Scene::of_all(registry.tasks());
        let maze = scenes.iter().find(|scene| scene.name == "maze-2d").unwrap();
        assert_eq!(maze.path(), "docs/tasks/maze-2d.md");
        assert_eq!(maze.tasks.len(), 3);
        assert!(scenes.is_sorted_by_key(|scene| scene.name));
    }
}
