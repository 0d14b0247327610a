//! Conventions that fail the build. Every message says what repairs it.

use std::path::{Path, PathBuf};

use topotrace_core::Task;
use walkdir::WalkDir;

use crate::failure::{Failure, say};

/// The most lines of a Rust file outside its tests.
const LONGEST_FILE: usize = 600;
/// The most lines of the architecture page: longer, and nobody reads it.
const LONGEST_ARCHITECTURE: usize = 300;
/// The largest reference picture in bytes.
const LARGEST_PICTURE: u64 = 20 * 1024;

pub(crate) fn run() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = text_files(&root)?;
    let mut faults = Vec::new();
    for (path, text) in &files {
        faults.extend(check_text(path, text));
        faults.extend(check_length(path, text));
        faults.extend(check_manifest(path, text));
    }
    for (family, tasks) in topotrace::FAMILIES {
        faults.extend(check_family(family, tasks));
        faults.extend(tasks.iter().flat_map(|task| check_fixtures(&root, *task)));
    }
    for fault in &faults {
        say(fault)?;
    }
    match faults.len() {
        0 => say(format!("{} files are tidy", files.len())),
        count => Err(Failure::new(format!("{count} rules are broken"))),
    }
}

/// The project's text files with their paths from the root.
fn text_files(root: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let skipped = ["target", "data", ".git", ".venv"];
    let walk = WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| !skipped.iter().any(|name| entry.file_name() == *name));
    let mut files = Vec::new();
    for entry in walk {
        let entry = entry?;
        let known = ["rs", "toml", "md", "yml", "py", "sh"];
        let extension = entry.path().extension().and_then(|e| e.to_str()).unwrap_or_default();
        if entry.file_type().is_file() && known.contains(&extension) {
            let text =
                std::fs::read_to_string(entry.path()).map_err(|e| Failure::file("read", entry.path(), &e))?;
            files.push((entry.path().strip_prefix(root)?.to_owned(), text));
        }
    }
    Ok(files)
}

fn check_text(path: &Path, text: &str) -> Option<String> {
    let path = path.display();
    if !text.is_empty() && !text.ends_with('\n') {
        return Some(format!("{path}: the last line has no end; add a newline"));
    }
    let line = text.lines().position(|line| line.ends_with([' ', '\t']))?;
    Some(format!("{path}:{}: white space at the end of the line; run cargo fmt or delete it", line + 1))
}

fn check_length(path: &Path, text: &str) -> Option<String> {
    let in_tests =
        path.components().any(|part| ["tests", "benches"].iter().any(|name| part.as_os_str() == *name));
    let (lines, most) = match path.extension().and_then(|e| e.to_str()) {
        Some("rs") if !in_tests => {
            (text.lines().take_while(|line| *line != "#[cfg(test)]").count(), LONGEST_FILE)
        }
        Some("md") if path.ends_with("docs/architecture.md") => (text.lines().count(), LONGEST_ARCHITECTURE),
        _ => return None,
    };
    (lines > most).then(|| format!("{}: {lines} lines, at most {most}; split it by purpose", path.display()))
}

/// Families depend on core and draw and never on each other; every crate inherits the lints.
fn check_manifest(path: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let is_member = path.ends_with("Cargo.toml") && (path.starts_with("crates") || path.starts_with("xtask"));
    if !is_member {
        return faults;
    }
    let shown = path.display();
    if !text.contains("[lints]\nworkspace = true") {
        faults.push(format!("{shown}: the lints are not inherited; add [lints] workspace = true"));
    }
    let families: Vec<&str> = topotrace::FAMILIES.iter().map(|(name, _)| *name).collect();
    let own = path.components().nth(1).and_then(|part| part.as_os_str().to_str()).unwrap_or_default();
    if !(families.contains(&own) || ["core", "draw"].contains(&own)) {
        return faults;
    }
    let heavy = ["parquet", "arrow", "clap", "tokio", "topotrace-dataset", "topotrace "];
    let foreign = families.iter().filter(|name| **name != own).map(|name| format!("topotrace-{name}"));
    for unwanted in foreign.chain(heavy.map(str::to_owned)) {
        if text.lines().any(|line| line.starts_with(&unwanted)) {
            let unwanted = unwanted.trim_end();
            faults.push(format!("{shown}: depends on {unwanted}; families stand on core and draw alone"));
        }
    }
    faults
}

fn check_family(family: &str, tasks: &[&dyn Task]) -> Vec<String> {
    let mut faults = Vec::new();
    for pair in tasks.windows(2) {
        let (first, second) = (pair[0].info().id, pair[1].info().id);
        if first >= second {
            faults.push(format!(
                "crates/{family}: {second} stands after {first}; sort the list of tasks by id"
            ));
        }
    }
    for task in tasks {
        if task.info().property.name() != family {
            faults.push(format!("crates/{family}: {} asks about another property; move it", task.info().id));
        }
    }
    faults
}

/// Every task has a page on its scene that names its version, and a small reference picture in
/// every theme.
fn check_fixtures(root: &Path, task: &dyn Task) -> Vec<String> {
    let mut faults = Vec::new();
    let (info, page) = (task.info(), format!("docs/tasks/{}.md", task.info().scene()));
    let text = std::fs::read_to_string(root.join(&page)).unwrap_or_default();
    if !text.contains(&format!("`{}`", info.id)) || !text.contains(&format!("\n* {}: ", info.version)) {
        let version = info.version;
        faults.push(format!("{page} does not tell of {} or of its version {version}; write it", info.id));
    }
    for theme in task.themes() {
        let path = format!("fixtures/render/{}-{theme}.png", task.info().slug());
        match std::fs::metadata(root.join(&path)) {
            Err(_) => faults
                .push(format!("{path} is missing; run TOPOTRACE_BLESS=1 cargo nextest run -p topotrace")),
            Ok(facts) if facts.len() > LARGEST_PICTURE => {
                faults.push(format!(
                    "{path}: {} bytes, at most {LARGEST_PICTURE}; draw it smaller",
                    facts.len()
                ));
            }
            Ok(_) => {}
        }
    }
    faults
}
