//! A planning task played by hand, in a terminal.

mod keys;

use std::io::{BufRead, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use topotrace_core::{Episode, EpisodeOptions, Policy, Status, Step, StepReason};
use topotrace_mindtopo as mindtopo;
use topotrace_runner::{Opened, Painter, open_item, open_seed};

use self::keys::Input;
use crate::failure::{Failure, say};
use crate::settings::SettingsArguments;
use crate::whole_file::write_whole;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The task's id, such as `pipe`.
    #[arg(required_unless_present = "mindtopo")]
    task: Option<String>,
    /// The instance's seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    settings: SettingsArguments,
    /// Play a row of a published `question.jsonl` of MindTopo instead.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["task", "tier", "overrides"])]
    mindtopo: Option<PathBuf>,
    /// Which row of that file, counted from 0, or its id; the first where none is given.
    #[arg(long, requires = "mindtopo")]
    row: Option<String>,
    /// The theme; one is drawn from the seed where none is given.
    #[arg(long, value_name = "THEME")]
    style: Option<String>,
    /// Pixels on the longer side of the pictures.
    #[arg(long, default_value_t = 1024)]
    size: u32,
    /// The folder of the pictures, which are written anew after each step.
    #[arg(long, default_value = "data/play")]
    out: PathBuf,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let opened = open(&arguments)?;
    std::fs::create_dir_all(&arguments.out).map_err(|e| Failure::file("create", &arguments.out, &e))?;
    let mut table = Table {
        name: opened.facts.task,
        reference: opened.facts.reference_length,
        start: opened.episode.fork(),
        episode: opened.episode,
        before: Vec::new(),
        painter: Painter::new(),
        side: arguments.size,
        folder: arguments.out,
    };
    table.begin()?;
    let mut lines = std::io::stdin().lock().split(b'\n');
    loop {
        write!(std::io::stdout(), "> ")?;
        std::io::stdout().flush()?;
        let Some(line) = lines.next() else { return say("") };
        match keys::read(&String::from_utf8_lossy(&line?), &table.episode.shape()) {
            Input::Quit => return Ok(()),
            input => table.take(input)?,
        }
    }
}

fn open(arguments: &Arguments) -> Result<Opened, Failure> {
    let registry = topotrace::registry();
    let (options, theme) = (EpisodeOptions::default(), arguments.style.as_deref());
    if let Some(file) = &arguments.mindtopo {
        let row = mindtopo_row(file, arguments.row.as_deref().unwrap_or("0"))?;
        let task = registry.get(row.task)?;
        return Ok(open_item(task, &row.item, arguments.seed, theme, options)?);
    }
    let task = registry.get(arguments.task.as_deref().unwrap_or_default())?;
    Ok(open_seed(task, &arguments.settings.settings()?, arguments.seed, None, theme, options)?)
}

fn mindtopo_row(file: &Path, wanted: &str) -> Result<mindtopo::PlanningRow, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| Failure::file("read", file, &e))?;
    let mut rows: Vec<_> = mindtopo::parse(&text).collect();
    let is_wanted = |row: &Result<mindtopo::PlanningRow, mindtopo::Error>| match row {
        Ok(row) => row.id == wanted,
        Err(error) => error.row() == wanted,
    };
    let place = rows.iter().position(is_wanted).or_else(|| wanted.parse().ok());
    match place {
        Some(place) if place < rows.len() => Ok(rows.swap_remove(place)?),
        _ => Err(Failure::new(format!(
            "{} has no row {wanted:?}: it has {} rows, counted from 0, or named by their ids",
            file.display(),
            rows.len()
        ))),
    }
}

/// The game on the table.
struct Table {
    name: &'static str,
    reference: u32,
    start: Box<dyn Episode>,
    episode: Box<dyn Episode>,
    /// Snapshots before each step, for `undo`.
    before: Vec<String>,
    painter: Painter,
    side: u32,
    folder: PathBuf,
}

impl Table {
    fn begin(&mut self) -> Result<(), Failure> {
        let files = self.paint()?;
        say(self.episode.observe().prompt)?;
        say("")?;
        say(format!("picture: {}, written anew after each step", files.join(", ")))?;
        self.help()?;
        self.show()
    }

    fn help(&self) -> Result<(), Failure> {
        say(format!(
            "Type {}, or JSON; ? for a hint, ! to let the oracle act, legal, undo, restart, rules, help, quit.",
            keys::how_to_type(&self.episode.shape())
        ))
    }

    fn show(&self) -> Result<(), Failure> {
        say(format!("\n{}\n", self.episode.text()))?;
        match self.episode.status() {
            Status::Open => {
                let left = self.episode.steps_left();
                say(format!("{left} {} left", if left == 1 { "step" } else { "steps" }))
            }
            Status::Success => say(format!(
                "Done, in {} steps; the reference takes {}. undo, restart or quit.",
                self.before.len(),
                self.reference
            )),
            Status::Failure => say("Lost: the goal can't be reached any more. undo, restart or quit."),
            Status::OutOfBudget => say("Out of steps. undo, restart or quit."),
        }
    }

    fn take(&mut self, input: Input) -> Result<(), Failure> {
        match input {
            Input::Nothing => self.show(),
            Input::Help => self.help(),
            Input::Rules => say(self.episode.observe().prompt),
            Input::Legal => say(self.episode.legal_actions().join("  ")),
            Input::Hint => match self.advice() {
                Some(action) => say(format!("The oracle would play {action}.")),
                None => say("The oracle sees no way from here."),
            },
            Input::Oracle => match self.advice() {
                Some(action) => self.act(|episode| episode.act(&action)),
                None => say("The oracle sees no way from here."),
            },
            Input::Undo => self.undo(),
            Input::Restart => {
                self.episode = self.start.fork();
                self.before.clear();
                self.paint()?;
                self.show()
            }
            Input::Response(response) => self.act(|episode| episode.step(&response)),
            Input::Actions(actions) => {
                actions.iter().try_for_each(|action| self.act(|episode| episode.act(action)))
            }
            Input::Unknown => {
                say("That is no action and no word of the game; no step is used up.")?;
                self.help()
            }
            Input::Quit => Ok(()),
        }
    }

    fn advice(&self) -> Option<String> {
        self.episode.advise(Policy::Oracle, 0)
    }

    fn act(&mut self, act: impl FnOnce(&mut dyn Episode) -> Step) -> Result<(), Failure> {
        let before = self.episode.snapshot();
        let step = act(&mut *self.episode);
        if step.reason == StepReason::Ended {
            return self.show();
        }
        self.before.push(before);
        let action = step.action.as_deref().unwrap_or(&step.response);
        match &step.detail {
            None => say(format!("{action}: done."))?,
            Some(detail) => say(format!("{action}: {detail}. A step is used up."))?,
        }
        self.paint()?;
        self.show()
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let Some(before) = self.before.pop() else { return say("There is no step to take back.") };
        self.episode.restore(&before)?;
        self.paint()?;
        self.show()
    }

    /// Writes the pictures of the current state; returns their paths.
    fn paint(&mut self) -> Result<Vec<String>, Failure> {
        let mut files = Vec::new();
        for (number, picture) in self.episode.observe().pictures.iter().enumerate() {
            let name = match number {
                0 => format!("{}.png", self.name),
                _ => format!("{}-{number}.png", self.name),
            };
            let path = self.folder.join(name);
            write_whole(&path, &self.painter.paint(picture, self.side)?.png)?;
            files.push(path.display().to_string());
        }
        Ok(files)
    }
}
