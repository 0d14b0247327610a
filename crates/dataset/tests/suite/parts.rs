//! A build that is interrupted, or cut into parts, gives what a whole one gives, byte for byte.

use std::error::Error as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::common::{self, files};
use tempfile::TempDir;
use topotrace_core::Split;
use topotrace_dataset::{
    BuildOptions, Dataset, Error, Manifest, OutputOptions, Part, Plan, PlanOptions, Selection, Storage,
    VerifyOptions, build, merge, verify,
};

fn plan(seed: u64, train: u32) -> Plan {
    let counts = [(Split::Train, train), (Split::Validation, 2), (Split::Test, 1)].into();
    let options = PlanOptions { seed, side: 128, theme: None };
    let selection = Selection { counts, ..Selection::default() };
    Plan::of_selection(&common::registry(), &selection, options).unwrap()
}

fn because(error: &Error) -> String {
    let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
    format!("{error}{cause}")
}

struct Work {
    around: TempDir,
    plan: Plan,
}

impl Work {
    /// More rows of a configuration and split than a piece holds.
    fn new() -> Self {
        Work { around: tempfile::tempdir().unwrap(), plan: plan(3, 120) }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.around.path().join(name)
    }

    fn build(&self, name: &str, options: &BuildOptions) -> Result<Manifest, Error> {
        build(&self.plan, &self.at(name), options, &mut |_| {})
    }

    /// A build that is stopped after some pieces.
    fn stop(&self, name: &str, options: &BuildOptions, pieces: usize) {
        let mut count = 0;
        let stopped = catch_unwind(AssertUnwindSafe(|| {
            build(&self.plan, &self.at(name), options, &mut |_| {
                count += 1;
                assert!(count < pieces, "stopped on purpose");
            })
        }));
        assert!(stopped.is_err());
    }

    fn part(&self, number: u32, of: u32) -> PathBuf {
        let name = format!("part {number} of {of}");
        let options = BuildOptions { part: Some(Part { number, of }), ..BuildOptions::default() };
        self.build(&name, &options).unwrap();
        self.at(&name)
    }
}

fn merged(parts: &[PathBuf], to: &Path) -> Result<Manifest, Error> {
    merge(parts, to, &common::registry(), &OutputOptions::default(), &mut |_| {})
}

const RESUME: BuildOptions = BuildOptions {
    threads: Some(3),
    png: topotrace_dataset::PngEffort::Fast,
    storage: Storage::Parquet,
    limits: None,
    part: None,
    overwrite: false,
    resume: true,
};

#[test]
fn a_build_goes_on_where_it_was_interrupted() {
    let work = Work::new();
    work.build("whole", &BuildOptions::default()).unwrap();
    for pieces in 1..4 {
        work.stop("resumed", &RESUME, pieces);
    }
    let partial = work.at(".resumed.partial");
    assert_eq!(fs::read_dir(partial.join("pieces")).unwrap().count(), 3, "one piece more each time");
    // Killed while it assembled: half of everything is there.
    fs::create_dir_all(partial.join("enclosure")).unwrap();
    fs::write(partial.join("enclosure/train-00000-of-00001.parquet"), "half").unwrap();
    fs::write(partial.join(".enclosure-train-00001.partial"), "half").unwrap();
    fs::write(partial.join(".pieces-00003.parquet.partial"), "half").unwrap();
    work.build("resumed", &RESUME).unwrap();
    assert!(files(&work.at("resumed")) == files(&work.at("whole")));
    assert!(!partial.exists());
    // Resuming what is finished does nothing.
    let before = fs::metadata(work.at("resumed")).unwrap().modified().unwrap();
    work.build("resumed", &RESUME).unwrap();
    assert_eq!(fs::metadata(work.at("resumed")).unwrap().modified().unwrap(), before);
}

#[test]
fn states_that_no_look_shows_stay_refused() {
    let work = Work::new();
    work.build("whole", &BuildOptions::default()).unwrap();
    let refused: usize = (1..=8)
        .map(|pieces| {
            work.stop("resumed", &RESUME, 1);
            notes(&work.at(".resumed.partial"), pieces - 1)
        })
        .sum();
    assert!(refused > 0, "no state was refused: this tests nothing");
    work.build("resumed", &RESUME).unwrap();
    assert!(files(&work.at("resumed")) == files(&work.at("whole")));
}

/// How many states a piece says that it refused.
fn notes(partial: &Path, piece: usize) -> usize {
    let path = partial.join(format!("pieces/{piece:05}.parquet"));
    let Ok(file) = fs::File::open(path) else { return 0 };
    let reader = parquet::file::reader::SerializedFileReader::new(file).unwrap();
    let notes =
        parquet::file::reader::FileReader::metadata(&reader).file_metadata().key_value_metadata().unwrap();
    let notes = notes.iter().find(|note| note.key == "topotrace.piece").unwrap().value.clone().unwrap();
    let notes: serde_json::Value = serde_json::from_str(&notes).unwrap();
    notes["refused"].as_array().unwrap().len()
}

#[test]
fn a_build_that_was_finished_but_not_published_is() {
    let work = Work::new();
    work.build("whole", &BuildOptions::default()).unwrap();
    fs::rename(work.at("whole"), work.at(".late.partial")).unwrap();
    assert!(because(&work.build("late", &BuildOptions::default()).unwrap_err()).contains("--resume"));
    work.build("late", &RESUME).unwrap();
    let first = files(&work.at("late"));
    // Killed while it replaced another dataset: after its last step but one …
    work.build("other", &BuildOptions::default()).unwrap();
    fs::rename(work.at("other"), work.at(".late.replaced")).unwrap();
    fs::write(work.at("late/lock"), "1").unwrap();
    work.build("late", &RESUME).unwrap();
    assert!(files(work.around.path()).keys().all(|name| name.starts_with("late/")), "nothing else is left");
    assert!(files(&work.at("late")) == first);
    // … and between the two renames.
    fs::rename(work.at("late"), work.at(".late.replaced")).unwrap();
    work.build("late", &RESUME).unwrap();
    assert!(files(&work.at("late")) == first && !work.at(".late.replaced").exists());
}

#[test]
fn what_a_merge_left_does_not_stand_in_the_way() {
    let work = Work::new();
    let parts = [work.part(1, 1)];
    merged(&parts, &work.at("merged")).unwrap();
    let first = files(&work.at("merged"));
    fs::rename(work.at("merged"), work.at(".merged.partial")).unwrap();
    merged(&parts, &work.at("merged")).unwrap();
    assert!(files(&work.at("merged")) == first && !work.at(".merged.partial").exists());
}

#[test]
fn what_an_interrupted_build_left_is_not_lost_by_accident() {
    let work = Work::new();
    work.stop("data", &RESUME, 2);
    let left = files(work.around.path());
    let refused = because(&work.build("data", &BuildOptions::default()).unwrap_err());
    assert!(refused.contains("interrupted build left") && refused.contains("--resume"), "{refused}");
    for other in [plan(4, 120), plan(3, 121)] {
        let refused = because(&build(&other, &work.at("data"), &RESUME, &mut |_| {}).unwrap_err());
        assert!(refused.contains("something else"), "{refused}");
    }
    let small = BuildOptions { png: topotrace_dataset::PngEffort::Small, ..RESUME };
    assert!(because(&work.build("data", &small).unwrap_err()).contains("png is fast there and small here"));
    let limits = Some(topotrace_dataset::ShardLimits { rows: 50, bytes: 1_000 });
    assert!(
        because(&work.build("data", &BuildOptions { limits, ..RESUME }).unwrap_err())
            .contains("limits is none there")
    );
    let tar = BuildOptions { storage: Storage::WebDataset, ..RESUME };
    assert!(because(&work.build("data", &tar).unwrap_err()).contains("format is parquet there"));
    assert!(files(work.around.path()) == left, "something changed");
    work.build("data", &BuildOptions { overwrite: true, resume: false, ..RESUME }).unwrap();
}

#[test]
fn what_is_broken_is_made_again() {
    let work = Work::new();
    work.build("whole", &BuildOptions::default()).unwrap();
    work.stop("data", &RESUME, 3);
    let piece = |number: usize| work.at(".data.partial").join(format!("pieces/{number:05}.parquet"));
    let bytes = fs::read(piece(0)).unwrap();
    fs::write(piece(0), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(piece(1), &bytes).unwrap();
    work.build("data", &RESUME).unwrap();
    assert!(files(&work.at("data")) == files(&work.at("whole")));

    // A finished dataset that lost something is not called finished.
    let file = work.at("data/enclosure/test-00000-of-00001.parquet");
    fs::write(&file, "half").unwrap();
    assert!(because(&work.build("data", &RESUME).unwrap_err()).contains("4 bytes"));
    work.build("data", &BuildOptions { overwrite: true, ..RESUME }).unwrap();
    assert!(files(&work.at("data")) == files(&work.at("whole")));
    // Nothing is built inside of a dataset.
    let inner = because(&work.build("data/enclosure/inner", &BuildOptions::default()).unwrap_err());
    assert!(inner.contains("it lies in the dataset"), "{inner}");
}

#[test]
fn only_one_build_has_a_folder() {
    let work = Work::new();
    let mut tried = false;
    build(&work.plan, &work.at("data"), &BuildOptions::default(), &mut |_| {
        if !std::mem::replace(&mut tried, true) {
            let error = build(&work.plan, &work.at("data"), &RESUME, &mut |_| {}).unwrap_err();
            let process = format!("process {} is building there", std::process::id());
            assert!(error.is_unusable_folder() && because(&error).contains(&process), "{}", because(&error));
        }
    })
    .unwrap();
    assert!(tried && !work.at("data/lock").exists());
}

#[test]
fn parts_make_a_whole() {
    let work = Work::new();
    work.build("whole", &BuildOptions::default()).unwrap();
    let wanted = files(&work.at("whole"));
    for of in [1, 3] {
        let mut parts: Vec<PathBuf> = (1..=of).map(|number| work.part(number, of)).collect();
        parts.reverse();
        let to = work.at(&format!("merged of {of}"));
        merged(&parts, &to).unwrap();
        assert!(files(&to) == wanted, "{of} parts");
    }
    let rows = |number| Manifest::read(&work.at(&format!("part {number} of 3"))).unwrap().rows();
    // One task is a single unit; the four units of the other share the rest.
    assert_eq!([1, 2, 3].map(rows), [369, 186, 183]);
    let report = verify(&work.at("merged of 3"), &common::registry(), &VerifyOptions::default(), &mut |_| {});
    assert!(report.unwrap().is_clean());
}

#[test]
fn a_part_is_interrupted_like_a_whole() {
    let work = Work::new();
    let options = BuildOptions { part: Some(Part { number: 2, of: 3 }), ..RESUME };
    work.stop("resumed", &options, 2);
    let other = BuildOptions { part: Some(Part { number: 1, of: 3 }), ..RESUME };
    assert!(because(&work.build("resumed", &other).unwrap_err()).contains("part is 2/3 there and 1/3 here"));
    work.build("resumed", &options).unwrap();
    assert!(files(&work.at("resumed")) == files(&work.part(2, 3)));
}

#[test]
fn parts_that_do_not_belong_together_are_named() {
    let work = Work::new();
    let parts: Vec<PathBuf> = (1..=3).map(|number| work.part(number, 3)).collect();
    let whole = work.at("whole");
    work.build("whole", &BuildOptions::default()).unwrap();
    let refused = |parts: &[PathBuf]| because(&merged(parts, &work.at("merged")).unwrap_err());
    assert!(refused(&parts[..1]).contains("the parts 2/3, 3/3 are missing"));
    assert!(refused(&[parts[0].clone(), parts[1].clone(), parts[0].clone()]).contains("and so is"));
    assert!(refused(std::slice::from_ref(&whole)).contains("a whole dataset"));
    assert!(refused(&[]).contains("no parts are given"));
    assert!(refused(&[work.at("nowhere")]).contains("manifest.json"));
    let half = work.part(1, 2);
    assert!(refused(&[parts[0].clone(), half]).contains("it is part 1/2"));
    let stranger = Work { around: tempfile::tempdir().unwrap(), plan: plan(8, 120) };
    let foreign = stranger.part(2, 3);
    assert!(refused(&[parts[0].clone(), foreign, parts[2].clone()]).contains("seed is 8 there and 3 here"));
    let piece = parts[1].join("pieces/00000.parquet");
    let bytes = fs::read(&piece).unwrap();
    fs::write(&piece, [bytes.as_slice(), b"x"].concat()).unwrap();
    assert!(refused(&parts).contains("not the file that manifest.json lists"));
    fs::remove_file(&piece).unwrap();
    assert!(refused(&parts).contains("00000.parquet"));
    assert!(!work.at("merged").exists() && !work.at(".merged.partial").exists());
    let asked = because(&Dataset::open(&parts[0]).unwrap_err());
    assert!(asked.contains("part 1/3 of a dataset; merge the parts first"), "{asked}");
}

#[test]
fn more_parts_than_units_are_refused() {
    let work = Work::new();
    let most = work.plan.most_parts();
    let options = |number, of| BuildOptions { part: Some(Part { number, of }), ..BuildOptions::default() };
    let error = work.build("data", &options(1, most + 1)).unwrap_err();
    assert!(error.is_invalid_plan());
    assert!(because(&error).contains(&format!("more than the {most} units of work")), "{}", because(&error));
    assert!(because(&work.build("data", &options(4, 3)).unwrap_err()).contains("part 4 is not from 1 to 3"));
    assert_eq!(fs::read_dir(work.around.path()).unwrap().count(), 0);
}
