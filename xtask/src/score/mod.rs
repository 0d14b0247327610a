//! `score`: responses of a model judged, all at once or line by line.

mod table;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use topotrace_core::{Flaw, Split};
use topotrace_dataset::score::{Questions, RowFilter, Scores, Stream, score};

use crate::failure::{Failure, say};
use crate::progress;
use crate::whole_file::WholeFile;

#[derive(Args)]
#[command(override_usage = "cargo xtask score [OPTIONS] RESPONSES.jsonl DATASET\n       \
                            cargo xtask score --stream [OPTIONS] [DATASET]...")]
pub(crate) struct Arguments {
    /// A file of responses and the folder of a dataset; with `--stream` folders of datasets alone.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Answer every line on standard input with one line on standard output, at once.
    #[arg(long, conflicts_with_all = ["out", "strict"])]
    stream: bool,
    /// The splits whose rows count; all where none is given.
    #[arg(long, value_delimiter = ',', value_name = "SPLIT,…", value_parser = parse_split)]
    split: Vec<Split>,
    /// Tasks, or scenes for all their programs, whose rows count; all where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TASK,…")]
    tasks: Vec<String>,
    /// The folder for verdicts and scores; that of the responses where none is given.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Fail when a response is missing or a line is none, after everything was scored.
    #[arg(long)]
    strict: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.stream {
        return serve(&arguments);
    }
    let [responses, dataset] = arguments.paths.as_slice() else {
        return Err(Failure::new(format!(
            "there are {} paths; a file of responses and the folder of a dataset are needed",
            arguments.paths.len()
        )));
    };
    score_file(&arguments, responses, dataset)
}

fn parse_split(text: &str) -> Result<Split, Flaw> {
    Split::ALL.into_iter().find(|split| split.name() == text).ok_or_else(|| {
        Flaw::new(format!("split {text:?} is unknown; the splits are train, validation and test"))
    })
}

fn serve(arguments: &Arguments) -> Result<(), Failure> {
    let registry = topotrace::registry();
    let questions = read_questions(arguments, &arguments.paths)?;
    Stream::new(&registry, &questions).serve(stdin().lock(), BufWriter::new(stdout().lock()))?;
    Ok(())
}

fn read_questions(arguments: &Arguments, folders: &[PathBuf]) -> Result<Questions, Failure> {
    let registry = topotrace::registry();
    let filter = RowFilter::new(&registry, arguments.split.iter().copied(), &arguments.tasks)?;
    let bar = progress::bar(arguments.quiet);
    bar.set_message("reading the dataset");
    let questions = Questions::read(&registry, folders, &filter, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    Ok(questions?)
}

fn score_file(arguments: &Arguments, responses: &Path, dataset: &Path) -> Result<(), Failure> {
    let file = File::open(responses).map_err(|e| Failure::file("open", responses, &e))?;
    let facts = file.metadata().map_err(|e| Failure::file("read", responses, &e))?;
    if facts.is_dir() {
        let shown = responses.display();
        return Err(Failure::new(format!("{shown} is a folder; a file of responses comes first")));
    }
    if !facts.is_file() && arguments.out.is_none() {
        let shown = responses.display();
        return Err(Failure::new(format!(
            "{shown} is no plain file to write beside; say where with --out FOLDER"
        )));
    }
    let (verdicts, scores) = output_paths(arguments, responses)?;
    let questions = read_questions(arguments, &[dataset.to_owned()])?;

    let mut partial = WholeFile::create(&verdicts)?;
    let bar = progress::bar(arguments.quiet);
    bar.set_length(facts.len());
    bar.set_message("bytes judged");
    let outcome = score(&questions, &mut BufReader::new(file), partial.writer(), &mut |done| {
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let result = outcome?;
    partial.finish()?;
    write_scores(&scores, &result)?;

    say(table::render(&result))?;
    say(format!("verdicts: {}", verdicts.display()))?;
    say(format!("scores: {}", scores.display()))?;
    if arguments.strict && !result.intake.is_clean() {
        return Err(Failure::new("not every row has exactly one response, or a line is none"));
    }
    Ok(())
}

/// Where verdicts and scores go.
fn output_paths(arguments: &Arguments, responses: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    let stem = responses.file_stem().ok_or_else(|| {
        Failure::new(format!("{} has no name that verdicts could be called after", responses.display()))
    })?;
    let folder = match &arguments.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, &e))?;
            folder.clone()
        }
        None => responses.parent().unwrap_or(Path::new("")).to_owned(),
    };
    let path = |ending: &str| {
        let mut name = stem.to_owned();
        name.push(ending);
        folder.join(name)
    };
    Ok((path(".verdicts.jsonl"), path(".scores.json")))
}

fn write_scores(path: &Path, scores: &Scores) -> Result<(), Failure> {
    let mut partial = WholeFile::create(path)?;
    serde_json::to_writer_pretty(&mut *partial.writer(), scores)?;
    partial.writer().write_all(b"\n").map_err(|e| Failure::file("write", path, &e))?;
    partial.finish()
}
