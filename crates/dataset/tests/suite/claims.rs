//! What a manifest claims, what lies beside the rows, and what a picture's file may hold.

use std::fs;
use std::path::Path;

use crate::common::{
    self,
    sample::{Sample, edited, with_picture},
};
use topotrace_dataset::{MANIFEST, Manifest, Place, VerifyOptions, verify};
use topotrace_draw::{PngEffort, png};

/// A PNG chunk whose checksum is right.
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = u32::try_from(data.len()).unwrap().to_be_bytes().to_vec();
    chunk.extend([kind, data].concat());
    let mut crc = u32::MAX;
    for byte in kind.iter().chain(data) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    chunk.extend((!crc).to_be_bytes());
    chunk
}

#[test]
fn pictures_hold_pixels_and_nothing_else() {
    let words =
        |bytes: &[u8]| [&bytes[..33], &chunk(b"tEXt", b"Comment\0the answer is 3"), &bytes[33..]].concat();
    let gamma = |bytes: &[u8]| [&bytes[..33], &chunk(b"gAMA", &[0, 0, 0xb1, 0x8f]), &bytes[33..]].concat();
    let last = |bytes: &[u8]| {
        let end = bytes.len() - 12;
        [&bytes[..end], &chunk(b"zzZz", b"3"), &bytes[end..]].concat()
    };
    let trailing = |bytes: &[u8]| [bytes, b"the answer is 3"].concat();
    let twice = |bytes: &[u8]| [bytes, &bytes[bytes.len() - 12..]].concat();
    let cut = |bytes: &[u8]| bytes[..bytes.len() - 12].to_vec();
    type Edit<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;
    let cases: [(Edit<'_>, &str); 6] = [
        (&words, "picture 0 holds a chunk \"tEXt\""),
        (&gamma, "picture 0 holds a chunk \"gAMA\""),
        (&last, "picture 0 holds a chunk \"zzZz\""),
        (&trailing, "picture 0 goes on after its end"),
        (&twice, "picture 0 goes on after its end"),
        (&cut, "picture 0 has no end"),
    ];
    for (edit, reason) in cases {
        let mut sample = Sample::new();
        let batch = with_picture(&sample.batch(), 0, edit);
        sample.forge(&[batch]);
        for pictures in [true, false] {
            let options = VerifyOptions { pictures, ..VerifyOptions::default() };
            let reasons = sample.problems(&options);
            assert!(reasons.contains(reason), "{reasons}");
        }
    }
}

#[test]
fn pictures_that_are_not_drawn_again_still_have_the_side() {
    let mut sample = Sample::new();
    sample.manifest.side = 256;
    sample.write_manifest();
    let options = VerifyOptions { pictures: false, ..VerifyOptions::default() };
    assert!(sample.problems(&options).contains("has 128x128 pixels, the longer side is 256"));
    sample.manifest.side = 5_000;
    sample.write_manifest();
    assert!(sample.problems(&options).contains("side 5000 is not from 64 to 4096"));
}

#[test]
fn false_facts_in_a_manifest() {
    type Edit = fn(&mut Manifest);
    let cases: [(Edit, &str); 14] = [
        (|m| m.generator = "gpt 5".to_owned(), "generator \"gpt 5\" is not topotrace"),
        (|m| m.generator = "topotrace 99".to_owned(), "the manifest says topotrace 99"),
        (|m| m.png = "lossy".to_owned(), "png \"lossy\" is neither fast nor small"),
        (|m| m.seed = "07".to_owned(), "seed \"07\" is no whole number"),
        (|m| m.preset = Some("huge".to_owned()), "preset \"huge\" is unknown"),
        (|m| m.preset = Some("smoke".to_owned()), "there are 1 groups, the plan has 18"),
        (|m| m.theme = Some("neon".to_owned()), "theme \"neon\" is unknown"),
        (|m| m.groups[0].level = "easy".to_owned(), "dots/red version 1 hard (1), 4 of test"),
        (|m| m.groups[0].task_version = 2, "dots/red version 1 hard (1), 4 of test"),
        (|m| m.groups[0].count = 5, "4 rows, the manifest says 5"),
        (|m| m.groups[0].config = "knots".to_owned(), "should be enclosure: dots/red"),
        (|m| m.groups[0].task = "dots/blue".to_owned(), "dots/blue"),
        (|m| m.groups.push(m.groups[0].clone()), "asked for twice"),
        (
            |m| drop(m.groups[0].overrides.insert("most".to_owned(), "12".to_owned())),
            "are not those of its group",
        ),
    ];
    for (edit, reason) in cases {
        let mut sample = Sample::new();
        edit(&mut sample.manifest);
        sample.write_manifest();
        let reasons = sample.problems(&VerifyOptions::default());
        assert!(reasons.contains(reason), "{reason} is not among {reasons}");
    }
}

#[test]
fn manifests_that_are_not_ours() {
    let sample = Sample::new();
    let path = sample.folder.path().join(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    let facts = &sample.manifest.files[0].path;
    let cases = [
        (text.replacen("\"format\"", "\"author\": \"me\",\n  \"format\"", 1), "author"),
        (text.replacen("\"task_version\"", "\"score\": 1,\n      \"task_version\"", 1), "score"),
        (text.replacen("\"sha256\"", "\"md5\": \"\",\n      \"sha256\"", 1), "md5"),
        (text.replace(facts, "enclosure/test.parquet"), "\"enclosure/test.parquet\" instead of"),
        (text.replace(facts, "enclosure/test-00001-of-00002.parquet"), "instead of"),
        (text.replace(facts, "README.md"), "\"README.md\" instead of"),
        (text.replace("\"enclosure\"", "\"../enclosure\""), "no name of a folder"),
    ];
    for (forged, reason) in cases {
        assert_ne!(forged, text);
        fs::write(&path, forged).unwrap();
        let error = Manifest::read(sample.folder.path()).unwrap_err();
        assert!(error.is_invalid_content());
        let flaw = std::error::Error::source(&error).unwrap().to_string();
        assert!(flaw.contains(reason), "{flaw}");
    }
}

#[test]
fn a_changed_card() {
    let sample = Sample::new();
    let file = |name: &str| sample.folder.path().join(name);
    let reasons = |name: &str| sample.reasons(|place| *place == Place::File(name.to_owned()));
    let card = fs::read_to_string(file("README.md")).unwrap();
    fs::write(file("README.md"), card.replace("license: mit", "license: other")).unwrap();
    assert!(reasons("README.md").contains("not what the manifest makes it, from line 3 on"));
    fs::write(file("README.md"), format!("{card}\nAll answers are 3.\n")).unwrap();
    assert!(reasons("README.md").contains("not what the manifest makes it"));
    fs::remove_file(file("README.md")).unwrap();
    assert!(reasons("README.md").contains("it is missing"));
    fs::write(file("README.md"), card).unwrap();

    let name = "card/dots-red.png";
    let sheet = fs::read(file(name)).unwrap();
    let mut other = png::decode(&sheet).unwrap();
    other.rgb[0] ^= 0x80;
    fs::write(file(name), png::encode(&other, PngEffort::Fast)).unwrap();
    assert!(reasons(name).contains("it is drawn differently in 1 pixels"));
    fs::write(file(name), "a picture").unwrap();
    assert!(reasons(name).contains("it is no 8-bit RGB PNG"));
    fs::remove_file(file(name)).unwrap();
    assert!(reasons(name).contains("it is missing"));
    fs::write(file(name), sheet).unwrap();
    assert!(sample.verify().is_clean());
}

#[test]
fn files_and_folders_that_no_build_wrote() {
    let sample = Sample::new();
    for name in ["notes.txt", ".enclosure-test-00000.partial", "card/photo.png", "enclosure/deep", "knots"] {
        let path = sample.folder.path().join(name);
        if Path::new(name).extension().is_some() {
            fs::write(&path, "mine").unwrap();
        } else {
            fs::create_dir(&path).unwrap();
        }
        let reasons = sample.reasons(|place| *place == Place::File(name.to_owned()));
        assert!(reasons.contains("not in the manifest"), "{reasons}");
    }
}

#[test]
fn a_row_of_another_generator() {
    let mut sample = Sample::new();
    let batch = edited(&sample.batch(), "trace", |traces| {
        let trace = traces[1].take().unwrap();
        assert!(trace.contains("\"topotrace "));
        traces[1] = Some(trace.replace("\"topotrace ", "\"toposcope "));
    });
    sample.forge(&[batch]);
    assert!(sample.problems(&VerifyOptions::default()).contains("it was made by toposcope"));
}

#[cfg(unix)]
mod special {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    /// Nothing here may wait for ever.
    #[test]
    fn pipes_and_devices_are_not_read() {
        let sample = Sample::new();
        let root = sample.folder.path();
        for name in [sample.manifest.files[0].path.as_str(), "README.md", "card/dots-red.png"] {
            let path = root.join(name);
            let bytes = fs::read(&path).unwrap();
            let reasons = || sample.reasons(|place| *place == Place::File(name.to_owned()));
            fs::remove_file(&path).unwrap();
            pipe(&path);
            assert!(reasons().contains("no regular file"), "{}", reasons());
            fs::remove_file(&path).unwrap();
            symlink("/dev/zero", &path).unwrap();
            assert!(reasons().contains("no regular file"), "{}", reasons());
            fs::remove_file(&path).unwrap();
            fs::write(&path, bytes).unwrap();
        }
        pipe(&root.join("knots"));
        assert!(
            sample.reasons(|place| *place == Place::File("knots".to_owned())).contains("not in the manifest")
        );
        fs::remove_file(root.join("knots")).unwrap();
        assert!(sample.verify().is_clean());

        let path = root.join(MANIFEST);
        let refused = || {
            let registry = common::registry();
            verify(root, &registry, &VerifyOptions::default(), &mut |_| {}).unwrap_err().is_invalid_content()
        };
        fs::rename(&path, root.join("kept")).unwrap();
        pipe(&path);
        assert!(refused());
        fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        assert!(refused());
        fs::remove_file(&path).unwrap();
        fs::File::create(&path).unwrap().set_len((64 << 20) + 1).unwrap();
        assert!(refused());
    }

    /// As in a download cache.
    #[test]
    fn links_to_files_are_read() {
        let sample = Sample::new();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::rename(sample.path(), elsewhere.path().join("blob")).unwrap();
        symlink(elsewhere.path().join("blob"), sample.path()).unwrap();
        assert!(sample.verify().is_clean(), "{:#?}", sample.verify().problems);
    }
}
