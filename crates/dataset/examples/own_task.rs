//! A dataset of a task from outside this project: built, verified, read back.
//!
//! `cargo run -p topotrace-dataset --example own_task -- FOLDER`

#![allow(clippy::print_stdout)]

#[path = "../tests/suite/common/mod.rs"]
mod dots;

use std::error::Error;
use std::path::PathBuf;

use topotrace_dataset::{BuildOptions, Dataset, Plan, PlanOptions, Preset, VerifyOptions, build, verify};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("the folder is missing")?);
    let registry = dots::registry();
    let plan =
        Plan::of_preset(&registry, Preset::Smoke, PlanOptions { side: 256, ..PlanOptions::default() })?;
    build(&plan, &folder, &BuildOptions::default(), &mut |progress| {
        println!("{}/{} {}", progress.done, progress.total, progress.current);
    })?;
    let report = verify(&folder, &registry, &VerifyOptions::default(), &mut |_| {})?;
    for problem in &report.problems {
        println!("{problem}");
    }
    for row in Dataset::open(&folder)?.rows().take(3) {
        let record = row?.record;
        println!("{}: {} → {}", record.id, record.prompt, record.answer);
    }
    Ok(())
}
