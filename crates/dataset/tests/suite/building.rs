//! What a build gives: the same bytes on any number of threads, every quota, no state twice.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::common::{self, files};
use tempfile::TempDir;
use topotrace_core::{Difficulty, Split};
use topotrace_dataset::{
    BuildOptions, Dataset, MANIFEST, Manifest, Plan, PlanOptions, PngEffort, Preset, Progress, Row,
    Selection, ShardLimits, Storage, VerifyOptions, build, for_each_rows, verify,
};

fn plan(counts: [u32; 3]) -> Plan {
    let selection =
        Selection { counts: Split::ALL.into_iter().zip(counts).collect(), ..Selection::default() };
    let options = PlanOptions { seed: 7, side: 128, theme: None };
    Plan::of_selection(&common::registry(), &selection, options).unwrap()
}

fn make(plan: &Plan, folder: &Path, options: &BuildOptions) -> Manifest {
    build(plan, folder, options, &mut |_| {}).unwrap()
}

fn rows(folder: &Path) -> Vec<Row> {
    Dataset::open(folder).unwrap().rows().map(Result::unwrap).collect()
}

#[test]
fn rows_without_a_build_are_those_of_the_build() {
    let plan = plan([30, 5, 5]);
    let folder = tempfile::tempdir().unwrap();
    make(&plan, folder.path(), &BuildOptions::default());
    let task = plan.groups()[0].task.info().id;
    let built: Vec<Row> = rows(folder.path()).into_iter().filter(|row| row.record.task == task).collect();
    let restricted = plan.restricted(|info| info.id == task).unwrap();
    assert!(restricted.rows() < plan.rows() && restricted.rows() == built.len() as u64);
    for threads in [1, 2] {
        let mut made = Vec::new();
        let visit = &mut |rows: Vec<Row>, _: Progress<'_>| {
            made.extend(rows);
            ControlFlow::Continue(())
        };
        for_each_rows(&restricted, Some(threads), visit).unwrap();
        assert!(made == built, "{threads} threads");
    }
    let mut calls = 0;
    let visit = &mut |_: Vec<Row>, _: Progress<'_>| {
        calls += 1;
        ControlFlow::Break(())
    };
    for_each_rows(&plan, None, visit).unwrap();
    assert_eq!(calls, 1, "it ends when it is told to");
    assert!(plan.restricted(|_| false).is_err());
}

#[test]
fn threads_change_no_byte_and_every_quota_is_met() {
    let plan = plan([40, 9, 11]);
    let limits = Some(ShardLimits { rows: 50, ..Storage::Parquet.default_limits() });
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut manifests = Vec::new();
    for (folder, threads) in folders.iter().zip([1, 3]) {
        let options = BuildOptions { threads: Some(threads), limits, ..BuildOptions::default() };
        manifests.push(make(&plan, folder.path(), &options));
    }
    assert!(files(folders[0].path()) == files(folders[1].path()), "files differ");
    let (folder, manifest) = (folders[0].path(), &manifests[0]);
    assert_eq!(Manifest::read(folder).unwrap(), *manifest);
    let paths: Vec<_> = manifest.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths[..4],
        [
            "enclosure/train-00000-of-00003.parquet",
            "enclosure/train-00001-of-00003.parquet",
            "enclosure/train-00002-of-00003.parquet",
            "enclosure/validation-00000-of-00001.parquet",
        ]
    );
    assert!(paths.contains(&"enclosure-2-pictures/test-00000-of-00001.parquet"));

    let rows = rows(folder);
    assert_eq!(rows.len() as u64, plan.rows());
    let mut places = Vec::new();
    let mut states = BTreeSet::new();
    for row in &rows {
        let record = &row.record;
        assert_eq!(Split::of(record.state_hash), record.split);
        assert!(states.insert((record.task.clone(), record.state_hash)), "a state occurs twice");
        assert_eq!(row.pictures.len(), if record.task == "dots/red" { 1 } else { 2 });
        places.push((record.task.clone(), record.split, record.level.clone()));
    }
    let wanted: Vec<_> = plan
        .groups()
        .iter()
        .flat_map(|group| {
            let place = (group.task.info().id.to_owned(), group.split, group.level());
            std::iter::repeat_n(place, group.count as usize)
        })
        .collect();
    assert_eq!(places, wanted);

    let rejections = &manifest.statistics[0].rejections;
    for reason in ["no dot in the first corner", "a mark can't be seen well enough in this look"] {
        assert!(rejections[reason] > 0, "{rejections:?}");
    }
    let report = verify(folder, &common::registry(), &VerifyOptions::default(), &mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:#?}", report.problems);
    assert_eq!((report.rows, report.files), (plan.rows(), manifest.files.len() as u64));
}

#[test]
fn another_composition_fills_common_slots_alike() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    make(&plan([0, 0, 5]), folders[0].path(), &BuildOptions::default());
    make(&plan([0, 0, 90]), folders[1].path(), &BuildOptions::default());
    let easy = |folder: &Path| -> Vec<Row> {
        let all = rows(folder);
        all.into_iter().filter(|row| row.record.task == "dots/red").take(5).collect()
    };
    assert_eq!(easy(folders[0].path()), easy(folders[1].path()));
}

#[test]
fn progress_ends_at_the_total() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan([2, 1, 1]);
    let mut seen = Vec::new();
    build(&plan, folder.path(), &BuildOptions::default(), &mut |p| seen.push((p.done, p.total))).unwrap();
    assert!(seen.is_sorted() && seen.last() == Some(&(plan.rows(), plan.rows())), "{seen:?}");
}

/// A small dataset in a folder of its own, and what lies beside it.
struct Made {
    around: TempDir,
    plan: Plan,
}

const REPLACE: BuildOptions = BuildOptions {
    threads: None,
    png: PngEffort::Fast,
    storage: Storage::Parquet,
    limits: None,
    part: None,
    overwrite: true,
    resume: false,
};

impl Made {
    fn new() -> Self {
        let made = Made { around: tempfile::tempdir().unwrap(), plan: plan([0, 0, 1]) };
        make(&made.plan, &made.folder(), &BuildOptions::default());
        made
    }

    fn folder(&self) -> PathBuf {
        self.around.path().join("data")
    }

    fn partial(&self) -> PathBuf {
        self.around.path().join(".data.partial")
    }

    /// Why a build is refused; nothing may have changed.
    fn refused(&self, options: &BuildOptions) -> String {
        let before = files(self.around.path());
        let error = build(&self.plan, &self.folder(), options, &mut |_| {}).unwrap_err();
        assert!(error.is_unusable_folder(), "{error}");
        assert!(before == files(self.around.path()), "something changed");
        std::error::Error::source(&error).unwrap().to_string()
    }

    /// Begins a build, is stopped in its middle, and leaves what it made so far.
    fn stop_halfway(&self) {
        let stopped = catch_unwind(AssertUnwindSafe(|| {
            build(&self.plan, &self.folder(), &REPLACE, &mut |progress| {
                assert!(progress.done < progress.total / 2, "stopped on purpose");
            })
        }));
        assert!(stopped.is_err());
    }
}

#[test]
fn only_a_dataset_is_replaced() {
    let made = Made::new();
    let folder = made.folder();
    assert!(made.refused(&BuildOptions::default()).contains("a finished dataset"));
    let names: Vec<_> = files(&folder).into_keys().collect();
    assert!(names.iter().all(|name| !name.contains("partial")), "{names:?}");
    assert!(names.contains(&MANIFEST.to_owned()) && names.contains(&"card/dots-red.png".to_owned()));
    make(&made.plan, &folder, &REPLACE);
    assert_eq!(fs::read_dir(made.around.path()).unwrap().count(), 1, "nothing is left beside it");
    let other = made.around.path().join("other");
    fs::create_dir(&other).unwrap();
    make(&made.plan, &other, &BuildOptions::default());
    assert!(files(&folder) == files(&other));
    fs::remove_file(folder.join(MANIFEST)).unwrap();
    assert!(made.refused(&REPLACE).contains("holds no manifest.json"));
}

#[test]
fn what_no_build_wrote_is_not_removed() {
    let made = Made::new();
    let foreign = [
        "notes.txt",
        ".notes.partial",
        "enclosure/notes.txt",
        "enclosure/test-00007-of-00009.parquet",
        "card/my-photo.png",
        "order/test-00000-of-00001.parquet",
        "order/.cache/notes.txt",
    ];
    for name in foreign {
        let path = made.folder().join(name);
        let parent = path.parent().unwrap();
        let is_new = !parent.exists();
        fs::create_dir_all(parent).unwrap();
        fs::write(&path, "mine").unwrap();
        assert!(made.refused(&REPLACE).contains("which no build wrote"));
        fs::remove_file(&path).unwrap();
        if is_new {
            assert!(made.refused(&REPLACE).contains("which no build wrote"), "an empty folder");
            fs::remove_dir_all(made.folder().join(Path::new(name).components().next().unwrap())).unwrap();
        }
    }
    fs::create_dir(made.folder().join(".git")).unwrap();
    assert!(made.refused(&REPLACE).contains(".git"));
    fs::remove_dir(made.folder().join(".git")).unwrap();
    // A name that a build may have left.
    fs::write(made.folder().join(".enclosure-test-00000.partial"), "ours").unwrap();
    make(&made.plan, &made.folder(), &REPLACE);
}

#[test]
fn a_build_that_does_not_end_harms_nothing() {
    let made = Made::new();
    let before = files(&made.folder());
    made.stop_halfway();
    assert!(before == files(&made.folder()), "the old dataset changed");
    assert!(!Manifest::read(&made.partial()).unwrap().complete);

    fs::write(made.partial().join("notes.txt"), "mine").unwrap();
    assert!(made.refused(&REPLACE).contains("notes.txt"));
    fs::remove_file(made.partial().join("notes.txt")).unwrap();
    make(&made.plan, &made.folder(), &REPLACE);
    assert!(before == files(&made.folder()) && !made.partial().exists());

    fs::create_dir(made.partial()).unwrap();
    fs::write(made.partial().join("notes.txt"), "mine").unwrap();
    assert!(made.refused(&REPLACE).contains("notes.txt"));
    fs::remove_dir_all(made.partial()).unwrap();
    // Killed between its last two steps.
    fs::rename(made.folder(), made.partial()).unwrap();
    assert!(made.refused(&BuildOptions::default()).contains("interrupted build left"));
    let old = made.around.path().join(".data.replaced");
    fs::rename(made.partial(), &old).unwrap();
    make(&made.plan, &made.folder(), &REPLACE);
    assert!(before == files(&made.folder()) && !old.exists(), "it was put back, then replaced");
    fs::create_dir(&old).unwrap();
    fs::write(made.folder().join(MANIFEST), "{").unwrap();
    assert!(made.refused(&REPLACE).contains("no finished dataset"));
}

#[test]
fn what_comes_in_between_is_not_replaced() {
    let made = Made::new();
    let late = made.folder().join("late.txt");
    let error = build(&made.plan, &made.folder(), &REPLACE, &mut |_| fs::write(&late, "mine").unwrap());
    assert!(error.unwrap_err().is_unusable_folder());
    assert_eq!(fs::read_to_string(&late).unwrap(), "mine");
    fs::remove_file(&late).unwrap();
    fs::remove_dir_all(made.partial()).unwrap();
    // Two builds of one name at once: neither may take what the other made for its own.
    let mixed = made.partial().join(".enclosure-train-00000.partial");
    let error = build(&made.plan, &made.folder(), &REPLACE, &mut |_| fs::write(&mixed, "else").unwrap());
    assert!(error.unwrap_err().is_unusable_folder());
    let report = verify(&made.folder(), &common::registry(), &VerifyOptions::default(), &mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:#?}", report.problems);
}

#[test]
fn impossible_plans_are_named() {
    let registry = common::registry();
    let plan = |selection: &Selection, options: PlanOptions| {
        let error = Plan::of_selection(&registry, selection, options).unwrap_err();
        assert!(error.is_invalid_plan());
        format!("{error}: {}", std::error::Error::source(&error).unwrap())
    };
    let ten = Selection { counts: [(Split::Test, 10)].into(), ..Selection::default() };
    let options = PlanOptions::default;
    assert!(plan(&Selection::default(), options()).contains("at least 1"));
    assert!(
        plan(&ten, PlanOptions { side: 8_000, ..options() }).contains("side 8000 is not from 64 to 4096")
    );
    let theme = Some("neon".to_owned());
    assert!(plan(&ten, PlanOptions { theme, ..options() }).contains("theme \"neon\""));
    let tasks = vec!["dots/rde".to_owned()];
    assert!(plan(&Selection { tasks, ..ten.clone() }, options()).contains("did you mean \"dots/red\""));
    let twice = vec![Difficulty::new(0.3).unwrap(); 2];
    assert!(plan(&Selection { difficulties: twice, ..ten.clone() }, options()).contains("asked for twice"));
    let overrides = [("most".to_owned(), "13".to_owned())].into();
    assert!(plan(&Selection { overrides, ..ten.clone() }, options()).contains("settings of dots"));
}

#[test]
fn too_few_pixels_are_named_before_anything_is_built() {
    let ten = Selection { counts: [(Split::Test, 10)].into(), ..Selection::default() };
    let options = PlanOptions { side: 95, ..PlanOptions::default() };
    let error = Plan::of_selection(&common::registry(), &ten, options.clone()).unwrap_err();
    assert!(error.is_invalid_plan());
    let flaw = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(flaw, "side 95 is too small for dots/red at easy, which needs 96 pixels");
    assert!(Plan::of_preset(&common::registry(), Preset::Smoke, options).unwrap_err().is_invalid_plan());
    let enough = PlanOptions { side: 96, ..PlanOptions::default() };
    assert!(Plan::of_selection(&common::registry(), &ten, enough).is_ok());
}

#[test]
fn what_can_not_be_filled_is_named() {
    let made = Made::new();
    let before = files(&made.folder());
    let selection = Selection {
        tasks: vec!["dots/red".to_owned()],
        difficulties: vec![Difficulty::new(0.0).unwrap()],
        overrides: [("hidden".to_owned(), "true".to_owned())].into(),
        counts: [(Split::Test, 3)].into(),
    };
    let options = PlanOptions { side: 128, ..PlanOptions::default() };
    let plan = Plan::of_selection(&common::registry(), &selection, options).unwrap();
    let error = build(&plan, &made.folder(), &REPLACE, &mut |_| {}).unwrap_err();
    assert!(error.is_unfillable() && error.to_string().contains("dots/red (easy, test): slot 0"), "{error}");
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("can't be seen well enough"));
    assert!(!Manifest::read(&made.partial()).unwrap().complete);
    assert!(before == files(&made.folder()), "the old dataset changed");
}

#[test]
fn overridden_and_custom_settings_replay() {
    let registry = common::registry();
    let folder = tempfile::tempdir().unwrap();
    let selection = Selection {
        tasks: vec!["dots".to_owned()],
        difficulties: vec![Difficulty::new(0.3).unwrap()],
        overrides: [("most".to_owned(), "2".to_owned())].into(),
        counts: [(Split::Train, 12)].into(),
    };
    let options = PlanOptions { seed: u64::MAX, side: 100, theme: Some("paper".to_owned()) };
    let plan = Plan::of_selection(&registry, &selection, options).unwrap();
    let manifest = make(&plan, folder.path(), &BuildOptions::default());
    assert_eq!(manifest.statistics[0].level, "0.3");
    assert!(rows(folder.path()).iter().all(|row| ["1", "2"].contains(&row.record.answer.as_str())));
    let report = verify(folder.path(), &registry, &VerifyOptions::default(), &mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:#?}", report.problems);
}

#[test]
fn presets_are_plans() {
    let registry = common::registry();
    let smoke = Plan::of_preset(&registry, Preset::Smoke, PlanOptions::default()).unwrap();
    assert_eq!((smoke.rows(), smoke.groups().len()), (60, 18));
    let nothing = Plan::of_preset(&registry, Preset::Full, PlanOptions::default()).unwrap_err();
    assert!(nothing.is_invalid_plan());
}
