//! A dataset as a page to be looked at: instances with their certificates drawn on the pictures,
//! and the measures as charts. Plain files, to be opened without a server.

mod charts;
mod page;
mod plots;
mod samples;
mod sketch;
mod stage;
mod tallies;

use std::path::Path;

use topotrace_core::Registry;

use crate::Dataset;
use crate::error::Error;
use page::{Page, Shown};
use samples::Chooser;
use stage::Stage;
use tallies::Tallies;

/// The page, its looks and its behavior: the same for every dataset.
const ASSETS: [(&str, &str); 3] = [
    ("index.html", include_str!("assets/index.html")),
    ("style.css", include_str!("assets/style.css")),
    ("gallery.js", include_str!("assets/gallery.js")),
];

/// How a gallery is made.
#[derive(Clone, Copy, Debug)]
pub struct GalleryOptions {
    /// The most instances that are shown of a task and tier.
    pub count: u32,
    /// Whether a gallery that lies in the folder already is replaced when the new one is finished.
    pub overwrite: bool,
}

impl Default for GalleryOptions {
    fn default() -> Self {
        GalleryOptions { count: 12, overwrite: false }
    }
}

/// What a gallery shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryFacts {
    /// The number of instances that are shown.
    pub shown: u64,
    /// How many of them have their certificate drawn.
    pub explained: u64,
    /// The number of rows of the dataset.
    pub rows: u64,
}

/// Makes a gallery of `dataset` in the folder `out`. `progress` is told the number of rows that
/// are read and that of all rows, after each.
///
/// Certificates are drawn by the tasks of `registry`; an instance of another task, or of another
/// version of a task, is shown without. One row is in memory at a time. The same dataset gives the
/// same bytes.
///
/// # Errors
/// When the folder holds anything but a gallery that may be replaced, a row can't be read or is no
/// instance of its task, or a file can't be written.
pub fn gallery(
    dataset: &Dataset,
    registry: &Registry,
    out: &Path,
    options: &GalleryOptions,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<GalleryFacts, Error> {
    let manifest = dataset.manifest();
    let mut stage = Stage::begin(out, options.overwrite)?;
    let mut chooser = Chooser::new(manifest, options.count);
    let mut tallies = Tallies::default();
    let mut shown = Vec::new();
    let total = manifest.rows();
    for (number, row) in dataset.rows().enumerate() {
        let row = row?;
        tallies.add(&row.record);
        if chooser.takes(&row) {
            shown.push(Shown::write(&row, registry, &mut stage)?);
        }
        progress(number as u64 + 1, total);
    }
    let facts = GalleryFacts {
        shown: shown.len() as u64,
        explained: shown.iter().filter(|instance| instance.is_explained()).count() as u64,
        rows: total,
    };
    let plots = plots::write(manifest, &tallies, &mut stage)?;
    let page = Page::new(manifest, registry, &tallies, shown, plots);
    stage.write("data.js", page.to_script().as_bytes())?;
    for (name, text) in ASSETS {
        stage.write(name, text.as_bytes())?;
    }
    stage.finish()?;
    Ok(facts)
}
