//! A gallery: what is on the page, which folders it may use, and that it is the same every time.

use crate::common;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use topotrace_core::{Level, Registry, Split};
use topotrace_dataset::gallery::{GalleryFacts, GalleryOptions, gallery};
use topotrace_dataset::{BuildOptions, Dataset, Plan, PlanOptions, Selection, build};

fn dataset(registry: &Registry, tasks: &[&str], counts: [u32; 3], side: u32) -> (TempDir, Dataset) {
    let folder = tempfile::tempdir().unwrap();
    let selection = Selection {
        tasks: tasks.iter().map(|&task| task.to_owned()).collect(),
        difficulties: vec![Level::Easy.into(), Level::Hard.into()],
        counts: Split::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect(),
        ..Selection::default()
    };
    let options = PlanOptions { side, ..PlanOptions::default() };
    let plan = Plan::of_selection(registry, &selection, options).unwrap();
    build(&plan, folder.path(), &BuildOptions::default(), &mut |_| {}).unwrap();
    let dataset = Dataset::open(folder.path()).unwrap();
    (folder, dataset)
}

fn make(dataset: &Dataset, registry: &Registry, out: &Path, count: u32) -> GalleryFacts {
    let options = GalleryOptions { count, overwrite: true };
    gallery(dataset, registry, out, &options, &mut |_, _| {}).unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

fn data(folder: &Path) -> Value {
    let script = fs::read_to_string(folder.join("data.js")).unwrap();
    let json = script.strip_prefix("\"use strict\";\nconst GALLERY = ").unwrap().strip_suffix(";\n").unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn a_page_holds_so_many_of_each_tier_with_their_very_pictures() {
    let registry = common::registry();
    let (_folder, dataset) = dataset(&registry, &[], [9, 4, 2], 128);
    let out = tempfile::tempdir().unwrap();
    let facts = make(&dataset, &registry, out.path(), 5);
    // Two tasks in two tiers; the tasks draw no certificates.
    assert_eq!(facts, GalleryFacts { shown: 20, explained: 0, rows: 60 });
    let data = data(out.path());
    assert_eq!(data["tasks"][0]["levels"], serde_json::json!([["easy", 15, 5], ["hard", 15, 5]]));
    let shown = data["instances"].as_array().unwrap();
    let splits: Vec<&str> = shown[..5].iter().map(|instance| instance["split"].as_str().unwrap()).collect();
    assert_eq!(splits, ["test", "test", "validation", "validation", "train"]);
    let rows: BTreeMap<String, _> =
        dataset.rows().map(|row| row.unwrap()).map(|row| (row.record.id.to_string(), row)).collect();
    let mut pictures = 0;
    for instance in shown {
        let row = &rows[instance["id"].as_str().unwrap()];
        assert_eq!(instance["prompt"], row.record.prompt.as_str());
        assert_eq!(instance["response"], format!("{{\"answer\":{}}}", row.record.answer));
        assert_eq!(instance["shortcuts"].as_array().unwrap().len(), 3);
        let files = instance["pictures"].as_array().unwrap();
        assert_eq!(files.len(), row.pictures.len());
        for (picture, bytes) in files.iter().zip(&row.pictures) {
            let file = fs::read(out.path().join(picture["file"].as_str().unwrap())).unwrap();
            assert!(file == *bytes, "a picture changed");
            assert_eq!((&picture["width"], &picture["overlay"]), (&Value::from(128), &Value::Null));
            pictures += 1;
        }
    }
    assert_eq!(pictures, 10 + 2 * 10, "one task has two pictures an instance");
}

#[test]
fn certificates_lie_beside_their_pictures() {
    let registry = topotrace::registry();
    let (_folder, dataset) = dataset(&registry, &["maze-2d/reach", "pipe"], [0, 0, 3], 512);
    let out = tempfile::tempdir().unwrap();
    let facts = make(&dataset, &registry, out.path(), 2);
    assert_eq!(facts, GalleryFacts { shown: 8, explained: 8, rows: 12 });
    let page = data(out.path());
    for instance in page["instances"].as_array().unwrap() {
        let picture = &instance["pictures"][0];
        let overlay = fs::read_to_string(out.path().join(picture["overlay"].as_str().unwrap())).unwrap();
        assert!(overlay.starts_with("<svg") && overlay.contains("viewBox=\"0 0 1024 1024\""), "{overlay}");
        assert!(!picture["boxes"].as_array().unwrap().is_empty());
    }
    // Without the tasks there is still a page: of what stands in the dataset.
    let facts = make(&dataset, &Registry::new(&[]), out.path(), 2);
    assert_eq!((facts.shown, facts.explained), (8, 0));
    let page = data(out.path());
    assert_eq!(page["instances"][0]["shortcuts"], Value::Null);
    assert!(!out.path().join("overlays").exists(), "overlays of the page before are left");
}

#[test]
fn every_chart_is_a_document_and_plans_have_none_of_answers() {
    let registry = topotrace::registry();
    let (_folder, dataset) = dataset(&registry, &["maze-2d/bars", "pipe"], [0, 0, 2], 512);
    let out = tempfile::tempdir().unwrap();
    make(&dataset, &registry, out.path(), 1);
    let page = data(out.path());
    let mut charts = 0;
    for task in page["tasks"].as_array().unwrap() {
        for plot in task["plots"].as_object().unwrap().values().filter(|plot| !plot.is_null()) {
            assert!(plot["alt"].as_str().unwrap().contains(task["id"].as_str().unwrap()));
            for scheme in ["light", "dark"] {
                let svg = fs::read_to_string(out.path().join(plot[scheme].as_str().unwrap())).unwrap();
                let size = format!("viewBox=\"0 0 {} {}\"", plot["width"], plot["height"]);
                assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains(&size));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                charts += 1;
            }
        }
    }
    assert_eq!(charts, 2 * (3 + 2));
    assert!(page["tasks"][1]["plots"]["answers"].is_null());
    let outcomes = ["holds", "fails", "too few"];
    let words = page["tasks"][0]["plots"]["guesses"]["alt"].as_str().unwrap();
    assert!(outcomes.iter().any(|outcome| words.contains(outcome)), "{words}");
}

#[test]
fn the_same_dataset_gives_the_same_bytes_and_every_file_is_listed() {
    let registry = common::registry();
    let (_folder, dataset) = dataset(&registry, &[], [3, 0, 3], 96);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for folder in &folders {
        make(&dataset, &registry, folder.path(), 2);
    }
    let [once, twice] = folders.each_ref().map(|folder| files(folder.path()));
    assert!(once == twice, "the second gallery differs");
    let marker = String::from_utf8(once[".topotrace-gallery"].clone()).unwrap();
    let listed: BTreeSet<&str> = marker.lines().skip(1).collect();
    let there: BTreeSet<&str> =
        once.keys().map(String::as_str).filter(|name| !name.starts_with('.')).collect();
    assert_eq!(listed, there);
}

#[test]
fn a_page_asks_nothing_of_the_network_and_puts_no_data_into_markup() {
    let registry = common::registry();
    let (_folder, dataset) = dataset(&registry, &["dots/red"], [0, 0, 1], 96);
    let out = tempfile::tempdir().unwrap();
    make(&dataset, &registry, out.path(), 1);
    for name in ["index.html", "style.css", "gallery.js"] {
        let text = fs::read_to_string(out.path().join(name)).unwrap();
        let namespace = "http://www.w3.org/2000/svg";
        let text = text.replace(namespace, "");
        for unwanted in
            ["http:", "https:", "innerHTML", "outerHTML", "insertAdjacent", " onclick", "@import", "eval("]
        {
            assert!(!text.contains(unwanted), "{name} holds {unwanted}");
        }
    }
}

#[test]
fn only_a_gallery_is_replaced_and_only_when_allowed() {
    let registry = common::registry();
    let (_folder, dataset) = dataset(&registry, &["dots/red"], [0, 0, 2], 96);
    let parent = tempfile::tempdir().unwrap();
    let out = parent.path().join("page");
    let again = |overwrite| {
        gallery(&dataset, &registry, &out, &GalleryOptions { count: 1, overwrite }, &mut |_, _| {})
    };
    again(false).unwrap();
    let refused = again(false).unwrap_err();
    assert!(refused.is_unusable_folder(), "{refused}");
    // What a build that was broken off left is no obstacle.
    let partial = parent.path().join(".page.gallery-partial");
    fs::create_dir(&partial).unwrap();
    fs::copy(out.join(".topotrace-gallery"), partial.join(".topotrace-gallery")).unwrap();
    again(true).unwrap();
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "something is left beside the gallery");

    fs::write(out.join("pictures/notes.txt"), "mine").unwrap();
    let refused = again(true).unwrap_err();
    assert!(refused.is_unusable_folder(), "{refused}");
    assert_eq!(fs::read_to_string(out.join("pictures/notes.txt")).unwrap(), "mine");
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);

    let foreign = parent.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("index.html"), "mine").unwrap();
    let options = GalleryOptions { overwrite: true, ..GalleryOptions::default() };
    let refused = gallery(&dataset, &registry, &foreign, &options, &mut |_, _| {}).unwrap_err();
    assert!(refused.is_unusable_folder(), "{refused}");
    assert_eq!(fs::read_to_string(foreign.join("index.html")).unwrap(), "mine");
}

#[test]
fn what_comes_in_between_is_not_replaced_and_only_one_build_has_the_place() {
    let registry = common::registry();
    let (_folder, dataset) = dataset(&registry, &["dots/red"], [0, 0, 1], 96);
    let parent = tempfile::tempdir().unwrap();
    let out = parent.path().join("page");
    let options = GalleryOptions { count: 1, overwrite: true };
    let late = out.join("late.txt");
    let made = gallery(&dataset, &registry, &out, &options, &mut |_, _| {
        let second = gallery(&dataset, &registry, &out, &options, &mut |_, _| {}).unwrap_err();
        assert!(second.is_unusable_folder(), "{second}");
        fs::create_dir_all(&out).unwrap();
        fs::write(&late, "mine").unwrap();
    });
    assert!(made.unwrap_err().is_unusable_folder());
    assert_eq!(fs::read_to_string(&late).unwrap(), "mine");
    fs::remove_file(&late).unwrap();
    gallery(&dataset, &registry, &out, &options, &mut |_, _| {}).unwrap();
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "what was left is gone");
    assert!(!out.join("lock").exists());
}

#[test]
fn progress_counts_every_row_and_no_instance_is_fine() {
    let registry = common::registry();
    let (_folder, dataset) = dataset(&registry, &["dots/red"], [0, 0, 3], 96);
    let out = tempfile::tempdir().unwrap();
    let mut seen = Vec::new();
    let options = GalleryOptions { count: 0, overwrite: false };
    let facts =
        gallery(&dataset, &registry, out.path(), &options, &mut |done, total| seen.push((done, total)))
            .unwrap();
    assert_eq!(seen, (1..=6).map(|done| (done, 6)).collect::<Vec<_>>());
    assert_eq!(facts.shown, 0);
    assert!(data(out.path())["instances"].as_array().unwrap().is_empty());
}
