//! Every format holds the same rows, is verified alike, and converts to every other byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, files};
use tempfile::TempDir;
use topotrace_core::Split;
use topotrace_dataset::{
    BuildOptions, Dataset, MANIFEST, Manifest, OutputOptions, Plan, PlanOptions, Row, Selection, ShardLimits,
    Storage, VerifyOptions, build, convert, verify,
};

/// Few enough rows a shard that every configuration has several.
fn limits(storage: Storage) -> Option<ShardLimits> {
    Some(ShardLimits { rows: 4, ..storage.default_limits() })
}

struct Made {
    around: TempDir,
}

impl Made {
    fn new() -> Self {
        let made = Made { around: tempfile::tempdir().unwrap() };
        let counts = [(Split::Train, 3), (Split::Test, 2)].into();
        let options = PlanOptions { seed: 5, side: 128, theme: None };
        let selection = Selection { counts, ..Selection::default() };
        let plan = Plan::of_selection(&common::registry(), &selection, options).unwrap();
        for storage in Storage::ALL {
            let options = BuildOptions { storage, limits: limits(storage), ..BuildOptions::default() };
            build(&plan, &made.folder(storage), &options, &mut |_| {}).unwrap();
        }
        made
    }

    fn folder(&self, storage: Storage) -> PathBuf {
        self.around.path().join(storage.name())
    }

    fn problems(&self, storage: Storage) -> String {
        let options = VerifyOptions::default();
        let report = verify(&self.folder(storage), &common::registry(), &options, &mut |_| {}).unwrap();
        report.problems.iter().map(|problem| format!("{problem}\n")).collect()
    }
}

fn rows(folder: &Path) -> Vec<Row> {
    Dataset::open(folder).unwrap().rows().map(Result::unwrap).collect()
}

#[test]
fn all_formats_hold_the_same_rows() {
    let made = Made::new();
    let wanted = rows(&made.folder(Storage::Parquet));
    assert_eq!(wanted.len(), 30);
    for storage in Storage::ALL {
        assert_eq!(rows(&made.folder(storage)), wanted, "{storage}");
        assert_eq!(made.problems(storage), "", "{storage}");
        let manifest = Manifest::read(&made.folder(storage)).unwrap();
        // An image folder is never split.
        let count = if storage == Storage::ImageFolder { 4 } else { 10 };
        assert_eq!(manifest.files.len(), count);
    }
}

#[test]
fn converting_is_building_in_that_format() {
    let made = Made::new();
    for from in Storage::ALL {
        for to in Storage::ALL {
            let folder = made.around.path().join(format!("{from} to {to}"));
            let output = OutputOptions { storage: to, limits: limits(to), overwrite: false };
            convert(&made.folder(from), &folder, &common::registry(), &output, &mut |_| {}).unwrap();
            assert!(files(&folder) == files(&made.folder(to)), "{from} to {to}");
        }
    }
    let names = fs::read_dir(made.around.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_str().unwrap().starts_with('.')), "something is left");
}

#[test]
fn a_dataset_in_any_format_is_replaced() {
    let made = Made::new();
    for (storage, other) in
        [(Storage::ImageFolder, Storage::WebDataset), (Storage::WebDataset, Storage::ImageFolder)]
    {
        let output = OutputOptions { storage, limits: limits(storage), overwrite: true };
        let (from, to) = (made.folder(Storage::Parquet), made.folder(other));
        convert(&from, &to, &common::registry(), &output, &mut |_| {}).unwrap();
        assert!(files(&to) == files(&made.folder(storage)));
        let output = OutputOptions { storage: other, limits: limits(other), overwrite: true };
        convert(&from, &to, &common::registry(), &output, &mut |_| {}).unwrap();
    }
}

#[test]
fn samples_of_a_tar_file_are_adjacent_and_bear_nothing_of_the_machine() {
    let made = Made::new();
    let path = made.folder(Storage::WebDataset).join("enclosure-2-pictures/train-00001-of-00003.tar");
    let mut archive = tar::Archive::new(fs::File::open(path).unwrap());
    let mut names = Vec::new();
    for entry in archive.entries().unwrap() {
        let entry = entry.unwrap();
        let header = entry.header();
        let plain =
            (header.mtime().unwrap(), header.uid().unwrap(), header.gid().unwrap(), header.mode().unwrap());
        assert_eq!(plain, (0, 0, 0, 0o644));
        assert!(header.as_ustar().is_some());
        names.push(entry.path().unwrap().to_str().unwrap().to_owned());
    }
    // The key of a sample is its row's number and id; the number alone would come again in the
    // files of another configuration.
    let rows = rows(&made.folder(Storage::Parquet));
    let of_file = rows.iter().filter(|row| row.record.split == Split::Train && row.pictures.len() == 2);
    let of_file = of_file.enumerate().skip(4).take(4);
    let wanted: Vec<String> = of_file
        .flat_map(|(number, row)| {
            ["json", "0.png", "1.png"].map(|end| format!("{number:09}-{}.{end}", row.record.id))
        })
        .collect();
    assert_eq!(names, wanted);
}

#[test]
fn lines_have_the_same_keys_and_no_null() {
    let made = Made::new();
    let mut keys: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for (name, bytes) in files(&made.folder(Storage::ImageFolder)) {
        if !name.ends_with("metadata.jsonl") {
            continue;
        }
        for line in String::from_utf8(bytes).unwrap().lines() {
            let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
            assert!(row.values().all(|value| !value.is_null()), "{line}");
            assert!(row["extra_info"].as_object().unwrap().values().all(|value| !value.is_null()), "{line}");
            let config = name.split('/').next().unwrap().to_owned();
            keys.entry(config).or_default().push(row.keys().cloned().collect());
        }
    }
    assert_eq!(keys.len(), 2);
    for keys in keys.values() {
        assert!(keys.iter().all(|others| *others == keys[0]));
    }
}

#[test]
fn what_was_tampered_with_is_found_in_every_format() {
    let made = Made::new();
    let folder = made.folder(Storage::ImageFolder);
    let shard = folder.join("enclosure/test");
    let line = fs::read_to_string(shard.join("metadata.jsonl")).unwrap();
    let picture = shard.join("000000/000000000.png");
    let bytes = fs::read(&picture).unwrap();

    fs::remove_file(&picture).unwrap();
    assert!(made.problems(Storage::ImageFolder).contains("can't be opened"));
    fs::write(&picture, &bytes[..bytes.len() / 2]).unwrap();
    assert!(made.problems(Storage::ImageFolder).contains("picture 0"));
    fs::write(&picture, &bytes).unwrap();
    let stray = shard.join("000000/000000009.png");
    fs::write(&stray, &bytes).unwrap();
    assert!(made.problems(Storage::ImageFolder).contains("its folder holds 8 files, its rows make 7"));
    fs::remove_file(&stray).unwrap();
    fs::write(shard.join("notes.txt"), "mine").unwrap();
    assert!(made.problems(Storage::ImageFolder).contains("notes.txt"));
    fs::remove_file(shard.join("notes.txt")).unwrap();

    let away = line.replacen(".png\"", ".png/../../../../secret\"", 1);
    fs::write(shard.join("metadata.jsonl"), &away).unwrap();
    assert!(made.problems(Storage::ImageFolder).contains("its picture 0 is"));
    for nonsense in ["{", "null", "{\"id\": 3}", "[]"] {
        fs::write(shard.join("metadata.jsonl"), format!("{nonsense}\n")).unwrap();
        assert!(
            made.problems(Storage::ImageFolder).contains("SHA-256")
                || made.problems(Storage::ImageFolder).contains("bytes")
        );
    }
    fs::write(shard.join("metadata.jsonl"), &line).unwrap();
    assert_eq!(made.problems(Storage::ImageFolder), "");

    let tar = made.folder(Storage::WebDataset).join("enclosure/test-00000-of-00002.tar");
    let bytes = fs::read(&tar).unwrap();
    for end in [0, 100, 512, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&tar, &bytes[..end]).unwrap();
        assert!(made.problems(Storage::WebDataset).contains("bytes, the manifest says"), "{end}");
    }
    fs::write(&tar, [bytes.as_slice(), bytes.as_slice()].concat()).unwrap();
    assert!(made.problems(Storage::WebDataset).contains("its members make"));
    fs::write(&tar, &bytes).unwrap();
    assert_eq!(made.problems(Storage::WebDataset), "");
}

#[test]
fn too_few_rows_and_rows_of_another_place_are_not_converted() {
    let made = Made::new();
    let to = made.around.path().join("converted");
    let refused = |from: Storage| {
        let output = OutputOptions::default();
        let error = convert(&made.folder(from), &to, &common::registry(), &output, &mut |_| {}).unwrap_err();
        assert!(error.is_invalid_content(), "{error}");
        assert!(!to.exists() && !made.around.path().join(".converted.partial").exists());
        format!("{error}: {}", std::error::Error::source(&error).unwrap())
    };
    let metadata = made.folder(Storage::ImageFolder).join("enclosure/train/metadata.jsonl");
    let text = fs::read_to_string(&metadata).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&metadata, lines[..7].join("\n") + "\n").unwrap();
    let reason = refused(Storage::ImageFolder);
    assert!(reason.contains("7 rows, the manifest says 9"), "{reason}");
    let mut swapped = lines.clone();
    swapped.swap(0, 8);
    fs::write(&metadata, swapped.join("\n") + "\n").unwrap();
    let reason = refused(Storage::ImageFolder);
    assert!(reason.contains("stands where one of dots/red (easy, train) belongs"), "{reason}");
    fs::write(&metadata, text.replace("\"dots/red\"", "\"dots/blue\"")).unwrap();
    assert!(refused(Storage::ImageFolder).contains("dots/blue"));
}

#[test]
fn a_dataset_is_converted_onto_itself() {
    let made = Made::new();
    let folder = made.folder(Storage::WebDataset);
    let output = OutputOptions { storage: Storage::ImageFolder, limits: None, overwrite: true };
    convert(&folder, &folder, &common::registry(), &output, &mut |_| {}).unwrap();
    assert_eq!(rows(&folder), rows(&made.folder(Storage::Parquet)));
}

#[test]
fn a_manifest_of_another_format_is_refused() {
    let made = Made::new();
    let path = made.folder(Storage::WebDataset).join(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"webdataset\"", "\"parquet\"")).unwrap();
    let error = Manifest::read(&made.folder(Storage::WebDataset)).unwrap_err();
    assert!(error.is_invalid_content(), "{error}");
    let flaw = "webdatset".parse::<Storage>().unwrap_err().to_string();
    assert!(flaw.contains("did you mean \"webdataset\""), "{flaw}");
}
