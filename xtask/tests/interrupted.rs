//! Builds as separate processes: killed and resumed, or shared between several.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn build(out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args([
        "build-dataset",
        "--tasks",
        "maze-2d/reach",
        "--count",
        "1000",
        "--size",
        "512",
        "--quiet",
    ]);
    command.arg("--out").arg(out).args(more).stdout(Stdio::null());
    command
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            all.insert(name, fs::read(&path).unwrap());
        }
    }
    all
}

fn pieces(partial: &Path) -> usize {
    fs::read_dir(partial.join("pieces")).map_or(0, Iterator::count)
}

#[test]
fn killed_builds_and_shared_ones_are_equal_to_a_whole_one() {
    let around = tempfile::tempdir().unwrap();
    let at = |name: &str| around.path().join(name);
    assert!(build(&at("whole"), &[]).status().unwrap().success());
    let wanted = files(&at("whole"));

    // Each one is killed a moment after it finished one more piece, in the middle of the next.
    let partial = at(".killed.partial");
    for moment in 0..5 {
        let before = pieces(&partial);
        let mut child = build(&at("killed"), &["--resume"]).spawn().unwrap();
        while pieces(&partial) <= before && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(2));
        }
        sleep(Duration::from_millis(u64::from(std::process::id() % 50) * moment));
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "it ended before it was killed");
        assert!(pieces(&partial) > before && !at("killed").exists());
    }
    assert!(build(&at("killed"), &["--resume"]).status().unwrap().success());
    assert!(files(&at("killed")) == wanted);

    let shares = ["1/3", "2/3", "3/3"];
    let folder = |share: &str| at(&share.replace('/', " of "));
    let running: Vec<_> =
        shares.iter().map(|share| build(&folder(share), &["--shard", share]).spawn().unwrap()).collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    let mut merge = Command::new(env!("CARGO_BIN_EXE_xtask"));
    merge.arg("merge").args(shares.iter().rev().map(|share| folder(share))).arg("--out").arg(at("merged"));
    assert!(merge.args(["--quiet"]).stdout(Stdio::null()).status().unwrap().success());
    assert!(files(&at("merged")) == wanted);
}

fn refused(command: &mut Command) -> String {
    let output = command.stdout(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_can_not_be_done_is_said_in_one_place() {
    let around = tempfile::tempdir().unwrap();
    let at = |name: &str| around.path().join(name);
    let preset = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["build-dataset", "--quiet", "--preset", name, "--out"]).arg(at("data"));
        command
    };
    assert!(refused(&mut preset("trian")).contains("did you mean \"train\""));
    assert!(refused(preset("full").args(["--count", "3"])).contains("only train takes --count"));
    assert!(refused(preset("train").args(["--count", "0"])).contains("count 0 is not from 1 to"));
    assert!(refused(preset("smoke").args(["--shard", "1/999"])).contains("999 parts are more than"));
    assert!(refused(&mut preset("nowhere.toml")).contains("nowhere.toml"));
    let file = at("mine.toml");
    fs::write(&file, "[[groups]]\ntasks = [\"maze-2d/rech\"]\ncounts = { train = 2 }\n").unwrap();
    let message = refused(&mut preset(file.to_str().unwrap()));
    assert!(message.contains("mine.toml") && message.contains("did you mean \"maze-2d/reach\""), "{message}");
    fs::write(&file, "[[groups]]\ntasks = [\"maze-2d/reach\"]\ncounts = { train = -2 }\n").unwrap();
    assert!(refused(&mut preset(file.to_str().unwrap())).contains("-2"));
    fs::create_dir(at("data")).unwrap();
    fs::write(at("data/photo.jpg"), "mine").unwrap();
    assert!(refused(&mut preset("smoke")).contains("not empty and holds no manifest.json"));
    assert_eq!(fs::read_dir(around.path()).unwrap().count(), 2, "nothing else is there");
    fs::remove_file(at("data/photo.jpg")).unwrap();
    fs::write(&file, "[[groups]]\ntasks = [\"pipe\"]\ntiers = [\"easy\", 0.3]\ncounts = { train = 2 }\n")
        .unwrap();
    assert!(
        preset(file.to_str().unwrap())
            .args(["--size", "416"])
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
}
