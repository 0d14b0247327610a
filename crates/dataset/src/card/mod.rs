//! The dataset's card: what a visitor reads first, and what tells loaders where the files are.

mod loading;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use topotrace_core::{Raster, Split, TaskInfo};
use topotrace_draw::{PngEffort, contact_sheet, png};

use crate::error::Error;
use crate::folder::{self, CARD, sheet_path};
use crate::gates::{Gate, GateOutcome, Statistics};
use crate::manifest::Manifest;
use crate::row::Row;
use crate::storage::{MEANINGS, Storage};
use crate::words::{counted, grouped, percent};

/// Pictures of each task and difficulty on its contact sheet.
const SAMPLES: usize = 4;
const COLUMNS: u32 = 4;
const TILE: u32 = 256;
/// The most pictures on a contact sheet.
const MOST_TILES: usize = 12;

/// The first pictures of every task and difficulty, for the contact sheets.
#[derive(Default)]
pub(crate) struct Gallery {
    samples: BTreeMap<(String, u64), Sample>,
}

struct Sample {
    level: String,
    split: Split,
    pictures: Vec<Vec<u8>>,
}

impl Gallery {
    /// Keeps the row's first picture where there is still room.
    pub(crate) fn offer(&mut self, row: &Row) {
        let Row { record, pictures } = row;
        let key = (record.task.clone(), record.difficulty.value().to_bits());
        let sample = self.samples.entry(key).or_insert_with(|| Sample {
            level: record.difficulty.name(),
            split: record.split,
            pictures: Vec::new(),
        });
        if sample.split == record.split && sample.pictures.len() < SAMPLES {
            sample.pictures.extend(pictures.first().cloned());
        }
    }

    /// The contact sheet of a task.
    pub(crate) fn sheet(&self, task: &str) -> Result<Raster, Error> {
        let of_task = self.samples.iter().filter(|((id, _), _)| *id == task);
        let pictures = of_task.flat_map(|(_, s)| s.pictures.iter().map(|picture| (&s.level, picture)));
        let tiles: Result<Vec<_>, _> = pictures
            .take(MOST_TILES)
            .map(|(level, picture)| png::decode(picture).map(|raster| (level.clone(), raster)))
            .collect();
        contact_sheet(&tiles.map_err(|e| Error::drawing("the card", e))?, COLUMNS, TILE)
            .map_err(|e| Error::drawing("the card", e))
    }
}

/// Writes the card and its pictures.
pub(crate) fn write(
    folder: &Path,
    tasks: &[&TaskInfo],
    manifest: &Manifest,
    gallery: &Gallery,
) -> Result<(), Error> {
    for info in tasks {
        let sheet = png::encode(&gallery.sheet(info.id)?, PngEffort::Small);
        folder::write_whole(folder, &sheet_path(&info.slug()), &sheet)?;
    }
    folder::write_whole(folder, CARD, text(manifest, tasks).as_bytes())
}

/// The card as Markdown.
pub(crate) fn text(manifest: &Manifest, tasks: &[&TaskInfo]) -> String {
    let parts = [
        loading::header(manifest, tasks),
        introduction(manifest, tasks),
        loading::loading(manifest, tasks),
        composition(manifest),
        pictures(manifest),
        measures(manifest),
        gallery(tasks),
        columns(manifest.storage),
        reproduction(manifest),
    ];
    parts.join("\n")
}

fn title(manifest: &Manifest) -> String {
    match &manifest.preset {
        Some(preset) => format!("Topotrace {preset}"),
        None => "Topotrace".to_owned(),
    }
}

fn introduction(manifest: &Manifest, tasks: &[&TaskInfo]) -> String {
    let mut text = format!("# {}\n\n", title(manifest));
    let properties: BTreeSet<&str> = tasks.iter().map(|info| info.property.name()).collect();
    line(
        &mut text,
        format_args!(
            "{} instances of {} about {}: about what survives when a picture is stretched. Every \
             instance is drawn from a known state, so its answer is computed and never annotated; it carries a \
             certificate that proves the answer, and can be replayed from its seeds and from its state.\n",
            grouped(manifest.rows()),
            counted(tasks.len() as u64, "task"),
            properties.into_iter().collect::<Vec<_>>().join(", "),
        ),
    );
    text.push_str("| task | property | kind | answer | what is asked |\n|---|---|---|---|---|\n");
    for info in tasks {
        let kind = info.kind.name();
        line(
            &mut text,
            format_args!(
                "| `{}` | {} | {kind} | {} | {} |",
                info.id,
                info.property.name(),
                info.answer.name(),
                info.summary
            ),
        );
    }
    text
}

fn composition(manifest: &Manifest) -> String {
    let mut counts: BTreeMap<(&str, u64), (String, [u64; 3])> = BTreeMap::new();
    for group in &manifest.groups {
        let key = (group.task.as_str(), group.difficulty.to_bits());
        let row = counts.entry(key).or_insert_with(|| (group.level.clone(), [0; 3]));
        row.1[group.split as usize] += u64::from(group.count);
    }
    let mut text = String::from(
        "## Composition\n\nThe split of an instance is a function of its state, so no state is in two splits, here or \
         in any other build.\n\n| task | tier | train | validation | test |\n|---|---|---:|---:|---:|\n",
    );
    let mut sums = [0; 3];
    for ((task, _), (level, splits)) in &counts {
        let [train, validation, test] = splits.map(grouped);
        line(&mut text, format_args!("| `{task}` | {level} | {train} | {validation} | {test} |"));
        sums.iter_mut().zip(splits).for_each(|(sum, count)| *sum += count);
    }
    let [train, validation, test] = sums.map(grouped);
    line(&mut text, format_args!("| **all** | | **{train}** | **{validation}** | **{test}** |"));
    text
}

fn pictures(manifest: &Manifest) -> String {
    let mut text = String::from(
        "## Pictures\n\nRGB PNG on an opaque background. Tokens are estimated at one for 28 × 28 pixels; a trainer's prompt \
         budget has to hold them.\n\n| task | tier | size in pixels | bytes each | tokens each | least visible mark |\n\
         |---|---|---|---:|---:|---:|\n",
    );
    for s in &manifest.statistics {
        let sizes: Vec<_> =
            s.picture_sizes.iter().map(|(width, height)| format!("{width} × {height}")).collect();
        let tokens = s.picture_sizes.iter().map(|(w, h)| w.div_ceil(28) * h.div_ceil(28)).max().unwrap_or(0);
        let visible = s.least_visible_pixels.map_or_else(|| "–".to_owned(), |n| format!("{n} px"));
        line(
            &mut text,
            format_args!(
                "| `{}` | {} | {} | {} | {} | {visible} |",
                s.task,
                s.level,
                sizes.join(", "),
                grouped(s.mean_png_bytes),
                grouped(u64::from(tokens)),
            ),
        );
    }
    text
}

fn measures(manifest: &Manifest) -> String {
    let mut text = String::from(
        "## What guessing gets\n\nA blind guess, always giving the commonest answer, and the best of the shortcut solvers \
         that every task declares: small functions of the state that skip the topology. A bound stands behind \
         each share; ⚠ marks a share above it, (n) one above it over fewer than 200 instances. Plans have no chance level; their bounds count from 0.\n\n\
         | task | tier | n | chance | commonest answer | best shortcut | effort |\n|---|---|---:|---:|---:|---|---:|\n",
    );
    for s in &manifest.statistics {
        line(&mut text, format_args!("{}", measures_of(manifest, s)));
    }
    text
}

fn measures_of(manifest: &Manifest, s: &Statistics) -> String {
    let of_group = || manifest.gates.iter().filter(|gate| gate.task == s.task && gate.level == s.level);
    let shortcut = |gate: &&Gate| gate.name.starts_with("shortcut: ");
    let prior = of_group().find(|gate| !shortcut(gate)).map_or_else(String::new, share);
    let best = of_group().filter(shortcut).max_by(|a, b| a.share.total_cmp(&b.share));
    let best = best.map_or_else(
        || "–".to_owned(),
        |gate| format!("{}: {}", gate.name.trim_start_matches("shortcut: "), share(gate)),
    );
    let chance = s.chance.map_or_else(|| "–".to_owned(), percent);
    let (rows, effort) = (grouped(s.rows), s.effort);
    format!(
        "| `{}` | {} | {rows} | {chance} | {prior} | {best} | {:.1} ({}–{}) |",
        s.task, s.level, effort.mean, effort.least, effort.most
    )
}

fn share(gate: &Gate) -> String {
    let mark = match gate.outcome {
        GateOutcome::Holds => "",
        GateOutcome::Fails => " ⚠",
        GateOutcome::TooFew => " (n)",
    };
    format!("{} (≤ {}){mark}", percent(gate.share), percent(gate.bound))
}

fn gallery(tasks: &[&TaskInfo]) -> String {
    let mut text = String::from("## Gallery\n");
    for info in tasks {
        let path = sheet_path(&info.slug());
        line(
            &mut text,
            format_args!("\n### `{}`\n\n{}\n\n![Examples of {}]({path})", info.id, info.summary, info.id),
        );
    }
    text
}

fn columns(storage: Storage) -> String {
    let mut text = String::from("## Columns\n\n| column | meaning |\n|---|---|\n");
    // Where the files are no columns, the pictures lie beside the rows.
    let is_there = |name: &str| name != "images" || storage == Storage::Parquet;
    for (name, meaning) in MEANINGS.iter().filter(|(name, _)| is_there(name)) {
        line(&mut text, format_args!("| `{name}` | {} |", meaning.replace('|', "\\|")));
    }
    text
}

fn reproduction(manifest: &Manifest) -> String {
    let what = manifest.preset.as_ref().map_or_else(
        || "the groups listed in `manifest.json`".to_owned(),
        |preset| format!("the preset `{preset}`"),
    );
    format!(
        "## Making it again\n\nMade by {} from build seed {} as {what}, pictures of {} pixels. The same inputs give the same \
         bytes on any number of threads. `manifest.json` lists every data file with its SHA-256, the gates above in full, and \
         how many attempts were rejected for which reason.\n",
        manifest.generator, manifest.seed, manifest.side
    )
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("writing to a string can't fail");
}
