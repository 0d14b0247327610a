//! The pictures in the repository: small references of every task and theme, and the examples on
//! the tasks' pages.

use rayon::prelude::*;
use topotrace_core::{Level, Raster, Task, TaskInfo};
use topotrace_draw::Rasterizer;

use crate::failure::Failure;
use crate::task_page::example::{self, Example};

/// The folder of the reference pictures.
pub(crate) const FOLDER: &str = "fixtures/render";
/// Side of the reference pictures in pixels: as small as can still be judged by eye.
const SIDE: u32 = 256;
/// The seed of the reference pictures.
const SEED: u64 = 2026;

/// A picture as it should be.
pub(crate) struct Wanted {
    pub(crate) path: String,
    pub(crate) raster: Raster,
}

/// The paths of all pictures of a task, references first.
pub(crate) fn paths(task: &dyn Task) -> Vec<String> {
    let references = task.themes().iter().map(|theme| reference_path(task.info(), theme));
    references.chain(example_paths(task.info())).collect()
}

/// All pictures of these tasks, rendered on all threads.
///
/// # Errors
/// When an instance can't be made or drawn.
pub(crate) fn render_all(tasks: &[&'static dyn Task]) -> Result<Vec<Wanted>, Failure> {
    let of_each = tasks.par_iter().map(|task| {
        let mut pictures = render_references(*task)?;
        pictures.extend(render_example(*task)?);
        Ok(pictures)
    });
    Ok(of_each.collect::<Result<Vec<_>, Failure>>()?.into_iter().flatten().collect())
}

fn reference_path(info: &TaskInfo, theme: &str) -> String {
    format!("{FOLDER}/{}-{theme}.png", info.slug())
}

fn example_paths(info: &TaskInfo) -> impl Iterator<Item = String> {
    example::picture_names(info).into_iter().map(|name| format!("{}/{name}", example::FOLDER))
}

/// One picture in every theme, the tiers in turn, as the test of the reference pictures makes them.
fn render_references(task: &dyn Task) -> Result<Vec<Wanted>, Failure> {
    let themes = task.themes().iter().zip(Level::ALL.into_iter().cycle());
    let mut rasterizer = Rasterizer::new();
    let mut pictures = Vec::new();
    for (theme, level) in themes {
        let (seeds, instance) = task.generator(&level.into())?.generate(SEED)?;
        let style = instance.style(seeds.render, Some(theme))?;
        for picture in instance.draw(&style)?.iter().take(1) {
            let raster = rasterizer.render(&picture.svg, SIDE)?;
            pictures.push(Wanted { path: reference_path(task.info(), theme), raster });
        }
    }
    Ok(pictures)
}

fn render_example(task: &dyn Task) -> Result<Vec<Wanted>, Failure> {
    let example = Example::of(task)?;
    let mut rasterizer = Rasterizer::new();
    let drawn = example_paths(task.info()).zip(&example.pictures);
    drawn
        .map(|(path, picture)| Ok(Wanted { path, raster: rasterizer.render(&picture.svg, example.side)? }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rendered_is_what_is_named() {
        let registry = topotrace::registry();
        let task = registry.get("maze-2d/reach").unwrap();
        let rendered = render_all(&[task]).unwrap_or_default();
        let rendered: Vec<String> = rendered.into_iter().map(|picture| picture.path).collect();
        assert_eq!(rendered, paths(task));
        assert_eq!(paths(task)[0], "fixtures/render/maze-2d-reach-paper.png");
        assert_eq!(paths(task).last().map(String::as_str), Some("docs/tasks/pictures/maze-2d-reach.png"));
    }
}
