use std::collections::BTreeMap;
use std::path::Path;

use clap::{Args, ValueEnum};
use topotrace_core::{Difficulty, Registry, Split};
use topotrace_dataset::{Plan, PlanOptions, Preset, Selection};

use crate::failure::Failure;
use crate::settings::{collect_overrides, parse_difficulty, parse_override};

/// Which instances are wanted: a preset, or tasks, tiers and counts chosen one by one.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlanArguments {
    /// A named composition, `smoke`, `train` or `full`, or a TOML file with one of your own.
    #[arg(long, value_name = "NAME|FILE.toml", conflicts_with_all = ["tasks", "tiers", "split", "overrides"])]
    pub(crate) preset: Option<String>,
    /// Tasks, or scenes for all their programs; all tasks where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TASK,…")]
    tasks: Vec<String>,
    /// Tiers or difficulties from 0 to 1.25; the three tiers where none is given.
    #[arg(long, value_delimiter = ',', value_name = "TIER,…", value_parser = parse_difficulty)]
    tiers: Vec<Difficulty>,
    /// Instances of each task, tier and split; with the preset `train`, of each task. 64 where
    /// none is given.
    #[arg(long)]
    count: Option<u32>,
    /// The splits to fill.
    #[arg(long, value_delimiter = ',', value_name = "SPLIT,…", default_value = "train")]
    split: Vec<SplitArgument>,
    /// Set one parameter by itself, such as `grid=7`; the value is JSON. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    overrides: Vec<(String, String)>,
    /// The build seed: another one gives other instances.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SplitArgument {
    Train,
    Validation,
    Test,
}

impl PlanArguments {
    /// The plan of what was asked for.
    ///
    /// # Errors
    /// When it does not hold; the error names what is wrong.
    pub(crate) fn plan(&self, options: PlanOptions) -> Result<Plan, Failure> {
        let registry = topotrace::registry();
        if let Some(preset) = &self.preset {
            if preset.ends_with(".toml") {
                return self.of_preset_file(preset, &registry, options);
            }
            let preset: Preset = preset.parse()?;
            let preset = self.count.map_or(Ok(preset), |count| preset.with_count(count))?;
            return Ok(Plan::of_preset(&registry, preset, options)?);
        }
        let count = self.count.unwrap_or(64);
        let counts: BTreeMap<Split, u32> = self.split.iter().map(|split| (split_of(*split), count)).collect();
        let selection = Selection {
            tasks: self.tasks.clone(),
            difficulties: self.tiers.clone(),
            overrides: collect_overrides(&self.overrides)?,
            counts,
        };
        Ok(Plan::of_selection(&registry, &selection, options)?)
    }

    fn of_preset_file(&self, path: &str, registry: &Registry, options: PlanOptions) -> Result<Plan, Failure> {
        if self.count.is_some() {
            let message = format!("{path} has counts of its own; --count is for the preset train");
            return Err(Failure::new(message));
        }
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", Path::new(path), &e))?;
        Plan::of_preset_file(registry, &text, options)
            .map_err(|error| Failure::from(error).within(format!("the preset {path} does not hold")))
    }
}

fn split_of(split: SplitArgument) -> Split {
    match split {
        SplitArgument::Train => Split::Train,
        SplitArgument::Validation => Split::Validation,
        SplitArgument::Test => Split::Test,
    }
}
