//! What was tampered with is found and named, and no file, however hostile, ends in a panic.

use std::fs;
use std::path::Path;

use crate::common::{
    self,
    sample::{Sample, edited, with_picture},
};
use topotrace_dataset::{MANIFEST, Place, VerifyOptions, verify};
use topotrace_draw::{PngEffort, png};

#[test]
fn a_careful_forger_who_changes_nothing_is_not_accused() {
    let mut sample = Sample::new();
    let batch = sample.batch();
    sample.forge(&[batch]);
    assert!(sample.verify().is_clean(), "{:#?}", sample.verify().problems);
}

#[test]
fn a_flipped_answer() {
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "answer", |answers| answers[2] = Some("11".to_owned()));
    sample.forge(&[batch]);
    let reasons = sample.record_reasons(2);
    for part in ["answer is \"11\" but replays as", "certificate does not prove", "column reward_model"] {
        assert!(reasons.contains(part), "{reasons}");
    }
    assert_eq!(sample.verify().problems.len(), 1, "only that record is bad");
}

#[test]
fn a_changed_pixel() {
    let mut sample = Sample::new();
    let batch = with_picture(&sample.batch(), 1, |bytes| {
        let mut raster = png::decode(bytes).unwrap();
        raster.rgb[3 * (5 * 128 + 7)] ^= 0x80;
        png::encode(&raster, PngEffort::Fast)
    });
    sample.forge(&[batch]);
    let reasons = sample.record_reasons(1);
    assert!(reasons.contains("picture 0 is drawn differently in 1 pixels, the first at (7, 5)"), "{reasons}");
}

#[test]
fn hostile_pictures() {
    for bytes in [b"".to_vec(), b"GIF89a".to_vec(), vec![0xff; 4_000]] {
        let mut sample = Sample::new();
        let batch = with_picture(&sample.batch(), 0, |_| bytes);
        sample.forge(&[batch]);
        assert!(sample.record_reasons(0).contains("picture 0 is no 8-bit RGB PNG"));
    }
    let mut sample = Sample::new();
    let batch = with_picture(&sample.batch(), 0, |bytes| {
        let mut huge = bytes.to_vec();
        huge[16..24].fill(0x7f);
        huge
    });
    sample.forge(&[batch]);
    assert!(sample.record_reasons(0).contains("has 2139062143x2139062143 pixels instead of 128x128"));
}

#[test]
fn swapped_traces() {
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "trace", |traces| traces.swap(0, 3));
    sample.forge(&[batch]);
    assert!(sample.record_reasons(0).contains("replays as"));
    assert!(sample.record_reasons(3).contains("replays as"));
}

#[test]
fn forged_seeds_and_nonsense_in_a_trace() {
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "trace", |traces| {
        let trace: serde_json::Value = serde_json::from_str(traces[0].as_ref().unwrap()).unwrap();
        let semantic = trace["seeds"]["semantic"].as_str().unwrap();
        traces[0] = Some(traces[0].as_ref().unwrap().replace(semantic, "12345"));
        traces[1] = Some("{".to_owned());
        traces[2] = Some(traces[2].as_ref().unwrap().replace("\"red\"", "\"mauve\""));
    });
    sample.forge(&[batch]);
    assert!(sample.record_reasons(0).contains("its seeds give"), "{}", sample.record_reasons(0));
    assert!(sample.record_reasons(1).contains("can't be read"));
    assert!(sample.record_reasons(2).contains("no item of dots/red"));
}

#[test]
fn a_wrong_split() {
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "split", |splits| splits[1] = Some("train".to_owned()));
    sample.forge(&[batch]);
    assert!(sample.record_reasons(1).contains("its state belongs to test, not to train"));
    assert!(sample.manifest_reasons().contains("3 rows, the manifest says 4"));
}

#[test]
fn a_row_that_occurs_twice() {
    let mut sample = Sample::new();
    let batch = sample.batch();
    sample.forge(&[batch.clone(), batch.slice(1, 1)]);
    assert!(sample.record_reasons(1).contains("the id occurs twice"));
    assert!(sample.manifest_reasons().contains("5 rows, the manifest says 4"));
}

#[test]
fn nulls_and_unknown_values() {
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "answer", |answers| answers[0] = None);
    let batch = edited(&batch, "task", |tasks| tasks[1] = Some("dots/green".to_owned()));
    let batch = edited(&batch, "property", |properties| properties[2] = Some("taste".to_owned()));
    sample.forge(&[batch]);
    assert!(sample.record_reasons(0).contains("column answer is null"));
    assert!(sample.record_reasons(1).contains("did you mean \"dots/red\""));
    assert!(sample.record_reasons(2).contains("taste"));
}

#[test]
fn missing_columns_and_other_schemas() {
    let mut sample = Sample::new();
    let batch = sample.batch();
    let without_last: Vec<usize> = (0..batch.num_columns() - 1).collect();
    sample.forge(&[batch.project(&without_last).unwrap()]);
    assert!(sample.file_reasons().contains("27 columns, 28 are needed"), "{}", sample.file_reasons());
    let without_first: Vec<usize> = (1..batch.num_columns()).collect();
    sample.forge(&[batch.project(&without_first).unwrap()]);
    assert!(sample.file_reasons().contains("column state_hash"), "{}", sample.file_reasons());
}

#[test]
fn a_missing_a_cut_and_a_foreign_file() {
    let sample = Sample::new();
    let bytes = fs::read(sample.path()).unwrap();
    for cut in [0, 3, bytes.len() / 2, bytes.len() - 9] {
        fs::write(sample.path(), &bytes[..cut]).unwrap();
        assert!(sample.file_reasons().contains(&format!("it has {cut} bytes")));
    }
    fs::remove_file(sample.path()).unwrap();
    assert!(sample.file_reasons().contains("it is missing"));
    fs::write(sample.path(), &bytes).unwrap();
    let foreign = Path::new("enclosure/test-00001-of-00002.parquet");
    fs::write(sample.folder.path().join(foreign), &bytes).unwrap();
    let reasons = sample.reasons(|place| *place == Place::File(foreign.display().to_string()));
    assert!(reasons.contains("not in the manifest"));
}

#[test]
fn flipped_bytes_never_panic() {
    let sample = Sample::new();
    let bytes = fs::read(sample.path()).unwrap();
    for at in (0..bytes.len()).step_by(bytes.len() / 60) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x55;
        fs::write(sample.path(), &broken).unwrap();
        assert!(sample.file_reasons().contains("SHA-256"));
    }
}

#[test]
fn a_manifest_that_says_otherwise() {
    let mut sample = Sample::new();
    sample.manifest.gates[0].share = 0.0;
    sample.manifest.statistics[0].effort.most += 1;
    sample.manifest.complete = false;
    sample.write_manifest();
    let report = sample.verify();
    let text: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    let text = text.join("\n");
    for part in ["did not come to its end", "the gates are not", "the statistics are not"] {
        assert!(text.contains(part), "{text}");
    }
    sample.manifest.files[0].path = "../elsewhere.parquet".to_owned();
    sample.write_manifest();
    let outside = verify(sample.folder.path(), &common::registry(), &VerifyOptions::default(), &mut |_| {});
    assert!(outside.unwrap_err().is_invalid_content());
    fs::write(sample.folder.path().join(MANIFEST), "{}").unwrap();
    let nothing = verify(sample.folder.path(), &common::registry(), &VerifyOptions::default(), &mut |_| {});
    assert!(nothing.unwrap_err().is_invalid_content());
}
