//! The built command, and small datasets for it.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use topotrace_core::{Level, Record, Split};
use topotrace_dataset::{BuildOptions, Dataset, Plan, PlanOptions, Selection, build};

/// A new folder for the test of this name.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("xtask-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// `count` pipes of each tier in each split.
pub fn pipes(folder: &Path, tiers: &[Level], splits: &[Split], count: u32) -> Vec<Record> {
    let selection = Selection {
        tasks: vec!["pipe".to_owned()],
        difficulties: tiers.iter().map(|&tier| tier.into()).collect(),
        counts: splits.iter().map(|&split| (split, count)).collect(),
        ..Selection::default()
    };
    let options = PlanOptions { seed: 0, side: 512, theme: None };
    let plan = Plan::of_selection(&topotrace::registry(), &selection, options).unwrap();
    build(&plan, folder, &BuildOptions::default(), &mut |_| {}).unwrap();
    Dataset::open(folder).unwrap().rows().map(|row| row.unwrap().record).collect()
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments);
    command
}

pub fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What was written, when the command succeeded or failed as it should.
pub fn words(output: &Output, succeeds: bool) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.success(), succeeds, "{out}{err}");
    (out, err)
}
