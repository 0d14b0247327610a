use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use topotrace_core::{Difficulty, Flaw, Level, Settings};
use topotrace_dataset::{OutputOptions, ShardLimits, Storage};

/// How hard an instance is, and parameters set by themselves.
#[derive(Args, Clone, Debug)]
pub(crate) struct SettingsArguments {
    /// A tier (easy, medium, hard) or a difficulty from 0 to 1.25.
    #[arg(long, default_value = "medium", value_parser = parse_difficulty)]
    pub(crate) tier: Difficulty,
    /// Set one parameter by itself, such as `grid=7`; the value is JSON. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub(crate) overrides: Vec<(String, String)>,
}

impl SettingsArguments {
    /// The settings that were asked for.
    ///
    /// # Errors
    /// When a parameter is set twice.
    pub(crate) fn settings(&self) -> Result<Settings, Flaw> {
        Ok(Settings { difficulty: self.tier, overrides: collect_overrides(&self.overrides)? })
    }
}

/// When a shard is closed and the next one begun.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ShardArguments {
    /// The most rows of a file; where no number is given, 20,000, and 1,000 for `webdataset`. An
    /// image folder is never split.
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
    shard_rows: Option<u32>,
}

impl ShardArguments {
    /// The limits, where any are set.
    pub(crate) fn limits(self, storage: Storage) -> Option<ShardLimits> {
        self.shard_rows.map(|rows| ShardLimits { rows: rows as usize, ..storage.default_limits() })
    }
}

/// How and where rows that are there already are written once more.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArguments {
    /// The folder of the new dataset.
    #[arg(long)]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    shards: ShardArguments,
    /// Replace the dataset that lies there.
    #[arg(long)]
    overwrite: bool,
    /// Show no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl OutputArguments {
    /// The options of an output in this format.
    pub(crate) fn options(&self, storage: Storage) -> OutputOptions {
        OutputOptions { storage, limits: self.shards.limits(storage), overwrite: self.overwrite }
    }
}

/// Parameters by name.
///
/// # Errors
/// When one is set twice.
pub(crate) fn collect_overrides(pairs: &[(String, String)]) -> Result<BTreeMap<String, String>, Flaw> {
    let mut overrides = BTreeMap::new();
    for (name, value) in pairs {
        if let Some(other) = overrides.insert(name.clone(), value.clone()) {
            return Err(Flaw::new(format!("parameter {name} is set twice, to {other} and to {value}")));
        }
    }
    Ok(overrides)
}

/// A tier's name or a number.
pub(crate) fn parse_difficulty(text: &str) -> Result<Difficulty, Flaw> {
    match text.parse::<f64>() {
        Ok(value) => Difficulty::new(value),
        Err(_) => text.parse::<Level>().map(Difficulty::from),
    }
}

/// `NAME=VALUE`.
pub(crate) fn parse_override(text: &str) -> Result<(String, String), Flaw> {
    text.split_once('=')
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| Flaw::new(format!("{text:?} is not NAME=VALUE")))
}
