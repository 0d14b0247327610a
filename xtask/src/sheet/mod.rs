//! `sheet`: many instances of one task on one picture, with what someone needs to test himself.

mod answers;
mod check;
mod tile;

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use topotrace_core::{Raster, Settings, TaskInfo};
use topotrace_draw::{MAX_SIDE, MIN_SIDE, PngEffort, Rasterizer, contact_sheet, png};

use self::answers::AnswerLine;
use self::tile::Draft;
use crate::failure::{Failure, say};
use crate::settings::SettingsArguments;
use crate::whole_file::write_whole;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The task's id, such as `maze-2d/reach`.
    task: String,
    #[command(flatten)]
    settings: SettingsArguments,
    /// How many instances.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The seed of the first instance; the others have the seeds after it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The theme; one is drawn for each instance where none is given.
    #[arg(long, value_name = "THEME")]
    style: Option<String>,
    /// Instances in a row; about as many as there are rows where no number is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    columns: Option<u32>,
    /// Pixels on the longer side of an instance, whose pictures stand side by side; 512, or as many as
    /// are needed to read it, where no number is given.
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(SIZES))]
    size: Option<u32>,
    /// The folder for the sheet, its prompts and its answers.
    #[arg(long, default_value = "data/sheets")]
    out: PathBuf,
    /// Judge this file of lines `N RESPONSE` against the sheet that was made with the same arguments.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Pixels on the longer side of an instance, where so few are enough to read it.
const SIZE: u32 = 512;
/// What can be drawn at all.
const SIZES: std::ops::RangeInclusive<i64> = MIN_SIDE as i64..=MAX_SIDE as i64;
/// The most instances that are left out because no look shows their marks, as in builds.
const MOST_LEFT_OUT: u32 = 50;

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let task = topotrace::registry().get(&arguments.task)?;
    let settings = arguments.settings.settings()?;
    let files = Files::new(&arguments.out, task.info(), &settings, arguments.seed);
    if let Some(responses) = &arguments.check {
        return check::run(task, &files.answers, responses);
    }
    let (count, theme) = (arguments.count, arguments.style.as_deref());
    let columns = arguments.columns.unwrap_or_else(|| square_columns(count));
    ensure_room(count, columns, arguments.size.unwrap_or(SIZE))?;
    let generator = task.generator(&settings)?;
    let gathered =
        gather(arguments.seed, count, |rasterizer, seed| Draft::make(&*generator, theme, rasterizer, seed))?;
    let size = tile_size(arguments.size, &gathered.found)?;
    let sheet = paint(&gathered.found, columns, size)?;
    for seed in &gathered.left_out {
        say(format!("seed {seed} is left out: no look of it shows every mark well enough"))?;
    }
    let title = format!("{}, {}", task.info().id, settings.difficulty.name());
    files.write(&title, &gathered.found, &sheet)
}

/// The files of a sheet.
struct Files {
    sheet: PathBuf,
    prompts: PathBuf,
    answers: PathBuf,
}

impl Files {
    /// Named after what decides the instances, so that the same arguments find them again.
    fn new(folder: &Path, info: &TaskInfo, settings: &Settings, seed: u64) -> Self {
        let mut name = format!("{}-{}-{seed}", info.slug(), settings.difficulty.name());
        for (parameter, value) in &settings.overrides {
            name.push_str(&format!("-{parameter}-{value}"));
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let name: String = name.chars().map(|c| if plain(c) { c } else { '-' }).collect();
        let path = |ending: &str| folder.join(format!("{name}{ending}"));
        Files { sheet: path(".png"), prompts: path(".prompts.txt"), answers: path(".answers.jsonl") }
    }

    /// Writes all three and says where they are.
    fn write(&self, title: &str, drafts: &[Draft], sheet: &Raster) -> Result<(), Failure> {
        // On all threads: a planning task's reference plan may be dear.
        let numbered: Vec<(u32, &Draft)> = (1..).zip(drafts).collect();
        let answers: Vec<AnswerLine> =
            numbered.par_iter().map(|(number, draft)| draft.answer(*number)).collect::<Result<_, _>>()?;
        let prompts: Vec<&str> = drafts.iter().map(|draft| draft.prompt.as_str()).collect();
        let folder = self.sheet.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, &e))?;
        write_whole(&self.answers, answers::write(&answers)?.as_bytes())?;
        write_whole(&self.prompts, prompts_text(title, &prompts).as_bytes())?;
        write_whole(&self.sheet, &png::encode(sheet, PngEffort::Small))?;
        say(format!("sheet   {}", self.sheet.display()))?;
        say(format!("prompts {}", self.prompts.display()))?;
        say(format!("answers {}", self.answers.display()))
    }
}

/// As many columns as rows, or one more.
fn square_columns(count: u32) -> u32 {
    let root = count.isqrt();
    root + u32::from(root * root < count)
}

/// Refuses a sheet that can't fit before the work; the space between the tiles comes on top.
fn ensure_room(count: u32, columns: u32, size: u32) -> Result<(), Failure> {
    let columns = columns.min(count);
    let rows = count.div_ceil(columns);
    let too_long = |tiles: u32| u64::from(tiles) * u64::from(size) > u64::from(MAX_SIDE);
    let (tiles, remedy) = match (too_long(1), too_long(columns), too_long(rows)) {
        (false, false, false) => return Ok(()),
        (true, _, _) => ("1 instance".to_owned(), "lower --size"),
        (_, true, _) => (format!("{columns} columns"), "lower --columns or --size"),
        (_, _, true) => (format!("{rows} rows"), "lower --count or --size, or raise --columns"),
    };
    Err(Failure::new(format!("{tiles} of {size} pixels are more than {MAX_SIDE}, a picture's largest side"))
        .hint(remedy))
}

/// What was found for the seeds from a first one on.
#[derive(Debug, PartialEq)]
struct Gathered<T> {
    /// In the order of their seeds.
    found: Vec<T>,
    /// The seeds between that gave nothing.
    left_out: Vec<u64>,
}

/// The first `count` that `make` finds for the seeds from `first` on, made on all threads.
fn gather<T: Send>(
    first: u64,
    count: u32,
    make: impl Fn(&mut Rasterizer, u64) -> Result<Option<T>, Failure> + Sync,
) -> Result<Gathered<T>, Failure> {
    let mut gathered = Gathered { found: Vec::new(), left_out: Vec::new() };
    let mut next = first;
    while gathered.found.len() < count as usize {
        let missing = u64::from(count) - gathered.found.len() as u64;
        let end = next.checked_add(missing).ok_or_else(|| {
            Failure::new(format!("there are no {count} seeds from {first} on; the last is {}", u64::MAX))
        })?;
        let seeds: Vec<u64> = (next..end).collect();
        let made: Vec<_> =
            seeds.par_iter().map_init(Rasterizer::new, |rasterizer, seed| make(rasterizer, *seed)).collect();
        for (seed, made) in seeds.into_iter().zip(made) {
            match made.map_err(|failure| failure.within(format!("seed {seed} can't be shown")))? {
                Some(tile) => gathered.found.push(tile),
                None => gathered.left_out.push(seed),
            }
        }
        if gathered.left_out.len() > MOST_LEFT_OUT as usize {
            return Err(Failure::new(format!(
                "{} of the {} instances from seed {first} on have a mark that can't be seen well enough in any look",
                gathered.left_out.len(),
                gathered.left_out.len() + gathered.found.len()
            )));
        }
        next = end;
    }
    Ok(gathered)
}

/// The tiles' size: the wanted one, or one at which every instance can be read.
fn tile_size(wanted: Option<u32>, drafts: &[Draft]) -> Result<u32, Failure> {
    let least = drafts.iter().map(Draft::least_size).max().unwrap_or(0);
    let size = u64::from(wanted.unwrap_or(SIZE));
    match wanted {
        Some(_) if size < least => Err(Failure::new(format!(
            "size {size} is too small; these instances can be read from {least} pixels on"
        ))),
        _ => Ok(u32::try_from(size.max(least)).unwrap_or(u32::MAX)),
    }
}

/// The instances with their numbers on one raster, drawn on all threads.
fn paint(drafts: &[Draft], columns: u32, size: u32) -> Result<Raster, Failure> {
    ensure_room(drafts.len() as u32, columns, size)?;
    let tiles: Vec<_> = drafts
        .par_iter()
        .map_init(Rasterizer::new, |rasterizer, draft| draft.paint(rasterizer, size))
        .collect();
    let mut pictures = Vec::with_capacity(tiles.len());
    for (number, tile) in (1_u32..).zip(tiles) {
        pictures.push((number.to_string(), tile?));
    }
    contact_sheet(&pictures, columns, size).map_err(|error| {
        Failure::from(error).hint("lower --size or --count, or choose --columns nearer to a square")
    })
}

/// What someone needs to answer beside the sheet.
fn prompts_text(title: &str, prompts: &[&str]) -> String {
    let mut text = format!(
        "{title}: {} instances, numbered as on the sheet. Several pictures of one instance stand side by side,\n\
         the first on the left.\n\n\
         Write your answers to a file, one line each: the number, a blank, the response. To have them judged,\n\
         add --check FILE to the command that made the sheet.\n",
        prompts.len()
    );
    for (number, prompt) in (1..).zip(prompts) {
        text.push_str(&format!("\n# {number}\n\n{}\n", prompt.trim_end()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(outcome: Result<Gathered<u64>, Failure>) -> Result<Gathered<u64>, String> {
        outcome.map_err(|failure| failure.in_one_line())
    }

    #[test]
    fn a_sheet_is_about_a_square() {
        let columns: Vec<u32> = [1, 2, 4, 5, 9, 20, 21, 26].map(square_columns).to_vec();
        assert_eq!(columns, [1, 2, 2, 3, 3, 5, 5, 6]);
        assert_eq!(square_columns(u32::MAX), 65_536);
    }

    #[test]
    fn what_does_not_fit_is_refused_and_the_remedy_named() {
        assert!(ensure_room(20, 5, 512).is_ok());
        assert!(ensure_room(1, 400, 512).is_ok(), "columns that are not filled take no room");
        let refusal = |count, columns, size| ensure_room(count, columns, size).err().map(|f| f.in_one_line());
        let wide = refusal(20, 20, 512).unwrap_or_default();
        assert_eq!(wide, "20 columns of 512 pixels are more than 8192, a picture's largest side");
        let high = refusal(u32::MAX, 1, 512).unwrap_or_default();
        assert!(high.starts_with("4294967295 rows of 512 pixels"), "{high}");
        let large = refusal(u32::MAX, 1, u32::MAX).unwrap_or_default();
        assert!(large.starts_with("1 instance of 4294967295 pixels"), "{large}");
    }

    #[test]
    fn seeds_are_kept_in_order_and_gaps_are_filled_from_behind() {
        let odd = |_: &mut Rasterizer, seed: u64| Ok((!seed.is_multiple_of(3)).then_some(seed));
        let wanted = Gathered { found: vec![4, 5, 7, 8, 10], left_out: vec![3, 6, 9] };
        assert_eq!(numbers(gather(3, 5, odd)), Ok(wanted));
        let first = u64::MAX - 3;
        assert_eq!(numbers(gather(first, 3, |_, seed| Ok(Some(seed)))).map(|g| g.found.len()), Ok(3));
        let beyond = numbers(gather(first, 4, |_, seed| Ok(Some(seed)))).unwrap_err();
        assert!(beyond.contains("no 4 seeds from 18446744073709551612"), "{beyond}");
        let never = numbers(gather(0, 20, |_, _| Ok(None))).unwrap_err();
        assert!(never.starts_with("60 of the 60 instances from seed 0 on"), "{never}");
        let failing = |_: &mut Rasterizer, seed: u64| match seed {
            7 | 9 => Err(Failure::new("no pen")),
            _ => Ok(Some(seed)),
        };
        assert_eq!(numbers(gather(0, 20, failing)), Err("seed 7 can't be shown: no pen".to_owned()));
    }

    #[test]
    fn names_tell_overrides_apart_and_stay_in_the_folder() {
        let info = topotrace::registry().tasks()[0].info();
        let name = |value: &str| {
            let overrides = [("at".to_owned(), value.to_owned())].into();
            let settings = Settings { overrides, ..topotrace_core::Level::Easy.into() };
            Files::new(Path::new("f"), info, &settings, 7).sheet
        };
        assert_eq!(name("3"), Path::new("f").join(format!("{}-easy-7-at-3.png", info.slug())));
        assert_ne!(name("3"), name("4"));
        assert_eq!(name("\"../x\"").parent(), Some(Path::new("f")));
    }

    #[test]
    fn prompts_are_numbered_from_one() {
        let text = prompts_text("pipe, easy", &["Turn.\nOr not.\n", "Again."]);
        assert!(text.starts_with("pipe, easy: 2 instances"), "{text}");
        assert!(text.ends_with("\n# 1\n\nTurn.\nOr not.\n\n# 2\n\nAgain.\n"), "{text}");
    }
}
