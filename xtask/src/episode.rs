use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use topotrace_core::Flaw;
use topotrace_runner::session::Session;

use crate::failure::Failure;
use crate::whole_file::write_whole;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Answer requests on standard input, one JSON object a line, until it ends. What there is to
    /// ask for stands in `docs/episodes.md`.
    #[arg(long, required = true)]
    stdio: bool,
    /// The folder for pictures that are asked for as files; each process has one of its own in it.
    #[arg(long, value_name = "FOLDER", default_value = "data/episodes")]
    pictures: PathBuf,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { stdio: _, pictures } = arguments;
    // Two processes that share a folder must not take each other's names.
    let folder = pictures.join(std::process::id().to_string());
    let mut save = |name: &str, png: &[u8]| save(&folder, name, png);
    let mut session = Session::new(topotrace::registry(), &mut save);
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let failed = |what: &str, e: std::io::Error| Failure::file(what, Path::new("the stream"), &e);
    let mut line = Vec::new();
    loop {
        line.clear();
        // Bytes that are no text are a request that does not hold, not the end.
        if input.read_until(b'\n', &mut line).map_err(|e| failed("read", e))? == 0 {
            return Ok(());
        }
        let reply = session.answer(&String::from_utf8_lossy(&line));
        writeln!(output, "{reply}").and_then(|()| output.flush()).map_err(|e| failed("write", e))?;
    }
}

fn save(folder: &Path, name: &str, png: &[u8]) -> Result<String, Flaw> {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder)
        .map_err(|e| Failure::file("create", folder, &e))
        .and_then(|()| write_whole(&path, png));
    written.map_err(|failure| Flaw::new(failure.in_one_line()))?;
    Ok(path.display().to_string())
}
