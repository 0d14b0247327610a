//! Conventions that fail the build. Every message says what repairs it.
//!
//! The rules are functions of texts and facts, one file a subject; only this file and what it
//! hands to them reads the repository.

mod crates;
mod files;
mod links;
mod pages;
mod pins;
mod tasks;

use std::path::Path;

use walkdir::WalkDir;

use crate::bless::repository::Repository;
use crate::failure::{Failure, say};

/// The examples that the README shows.
const EXAMPLES: [&str; 2] = ["examples/episodes/drive.py", "examples/reward/reward.py"];

/// A text file of the project.
struct TextFile {
    /// Its path from the root, with `/`.
    path: String,
    text: String,
}

pub(crate) fn run() -> Result<(), Failure> {
    let repository = Repository::here();
    let files = text_files(&repository)?;
    let families: Vec<&str> = topotrace::FAMILIES.iter().map(|(name, _)| *name).collect();
    let mut faults = Vec::new();
    for TextFile { path, text } in &files {
        faults.extend(files::check_ends(path, text));
        faults.extend(files::check_length(path, text));
        faults.extend(crates::check_manifest(path, text, &families));
        faults.extend(links::check(path, text, |target| repository.full(target).exists()));
    }
    let text_of =
        |path: &str| files.iter().find(|file| file.path == path).map_or("", |file| file.text.as_str());
    for example in EXAMPLES {
        faults.extend(files::check_quote("README.md", text_of("README.md"), example, text_of(example)));
    }
    for (family, members) in topotrace::FAMILIES {
        let infos: Vec<_> = members.iter().map(|task| task.info()).collect();
        faults.extend(tasks::check_family(family, &infos));
        for task in *members {
            faults.extend(tasks::check_summary(task.info()));
            faults.extend(tasks::check_shortcuts(task.info(), &task.shortcuts()));
        }
    }
    let registry = topotrace::registry();
    faults.extend(pages::check_all(&repository, registry.tasks())?);
    faults.extend(pins::check_all(&repository, registry.tasks())?);
    for fault in &faults {
        say(fault)?;
    }
    match faults.len() {
        0 => say(format!("{} files are tidy", files.len())),
        count => Err(Failure::new(format!("{count} rules are broken"))),
    }
}

/// The project's text files, sorted by path.
fn text_files(repository: &Repository) -> Result<Vec<TextFile>, Failure> {
    const SKIPPED: [&str; 4] = ["target", "data", ".git", ".venv"];
    const KNOWN: [&str; 6] = ["rs", "toml", "md", "yml", "py", "sh"];
    let root = repository.root();
    let walk = WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| !SKIPPED.iter().any(|name| entry.file_name() == *name));
    let mut files = Vec::new();
    for entry in walk {
        let entry = entry?;
        let extension = entry.path().extension().and_then(|e| e.to_str()).unwrap_or_default();
        if entry.file_type().is_file() && KNOWN.contains(&extension) {
            let text =
                std::fs::read_to_string(entry.path()).map_err(|e| Failure::file("read", entry.path(), &e))?;
            files.push(TextFile { path: with_slashes(entry.path().strip_prefix(root)?), text });
        }
    }
    Ok(files)
}

fn with_slashes(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// What the rules' tests share.
#[cfg(test)]
mod samples {
    use topotrace_core::{AnswerKind, Contract, Operation, Property, TaskInfo, TaskKind};

    /// The facts of a task that keeps every rule, but for its id.
    pub(super) fn info(id: &'static str) -> TaskInfo {
        TaskInfo {
            id,
            version: 2,
            property: Property::Separation,
            kind: TaskKind::Reasoning,
            answer: AnswerKind::Integer,
            contract: Contract::Equal,
            operations: &[Operation::Reachability],
            pictures: 1,
            units: 8,
            published: false,
            summary: "How many pieces are there?",
        }
    }

    /// Demands that exactly one fault is there and that it holds `part`.
    #[track_caller]
    pub(super) fn assert_one_fault(faults: impl IntoIterator<Item = String>, part: &str) {
        let faults: Vec<String> = faults.into_iter().collect();
        assert!(faults.len() == 1 && faults[0].contains(part), "{part:?} is wanted, there is {faults:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_file_is_found_under_its_path() {
        let files = text_files(&Repository::here()).unwrap_or_default();
        assert!(
            files.iter().any(|file| file.path == "xtask/src/tidy/mod.rs" && file.text.contains("text_files"))
        );
        assert!(files.iter().all(|file| !file.path.starts_with("target/")));
    }
}
