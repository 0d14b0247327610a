use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use topotrace_core::{Difficulty, Flaw, Level, Settings};
use topotrace_dataset::{OutputOptions, ShardLimits, Storage};
use topotrace_space::View;

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

/// A view's name, or `AZIMUTH,ELEVATION` in degrees with up to three decimals.
pub(crate) fn parse_view(text: &str) -> Result<View, Flaw> {
    match text {
        "front" => return Ok(View::Front),
        "isometric" => return Ok(View::Isometric),
        "oblique" => return Ok(View::Oblique),
        "top" => return Ok(View::Top),
        _ => {}
    }
    let (azimuth, elevation) = text.split_once(',').ok_or_else(|| {
        Flaw::new(format!(
            "view {text:?} is unknown; the views are front, isometric, oblique, top and AZIMUTH,ELEVATION in degrees"
        ))
    })?;
    Ok(View::Angles {
        azimuth_millidegrees: parse_millidegrees("azimuth", azimuth, 360)?,
        elevation_millidegrees: parse_millidegrees("elevation", elevation, 90)?,
    })
}

/// Thousandths of a degree, read digit by digit: a float would round.
fn parse_millidegrees(name: &str, text: &str, most: i32) -> Result<i32, Flaw> {
    let flaw = || {
        Flaw::new(format!(
            "{name} {text:?} is no angle from -{most} to {most} degrees with up to three decimals"
        ))
    };
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !plain(whole) || !plain(decimals) || decimals.len() > 3 {
        return Err(flaw());
    }
    let thousandths: i32 = format!("{decimals:0<3}").parse().map_err(|_| flaw())?;
    let degrees: i32 = whole.parse().map_err(|_| flaw())?;
    let value =
        degrees.checked_mul(1000).and_then(|value| value.checked_add(thousandths)).ok_or_else(flaw)?;
    if value > most * 1000 { Err(flaw()) } else { Ok(sign * value) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn angles(azimuth_millidegrees: i32, elevation_millidegrees: i32) -> View {
        View::Angles { azimuth_millidegrees, elevation_millidegrees }
    }

    #[test]
    fn views_are_read_by_name_and_by_angles() {
        let named = [View::Front, View::Isometric, View::Oblique, View::Top];
        assert_eq!(
            ["front", "isometric", "oblique", "top"].map(|name| parse_view(name).ok()),
            named.map(Some)
        );
        for (text, wanted) in [
            ("30,25", angles(30_000, 25_000)),
            ("-0.5, 90", angles(-500, 90_000)),
            ("35.264,-7.05", angles(35_264, -7_050)),
            ("360,-90.000", angles(360_000, -90_000)),
        ] {
            assert_eq!(parse_view(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_no_view_is_refused_by_name() {
        for (text, part) in [
            ("side", "view \"side\" is unknown; the views are front,"),
            ("", "view \"\" is unknown"),
            ("30", "view \"30\" is unknown"),
            ("30,", "elevation \"\" is no angle from -90 to 90"),
            ("360.001,0", "azimuth \"360.001\" is no angle from -360 to 360"),
            ("0,-90.5", "elevation \"-90.5\""),
            ("0,1.0005", "elevation \"1.0005\""),
            ("1e1,0", "azimuth \"1e1\""),
            ("--1,0", "azimuth \"--1\""),
            ("+1,0", "azimuth \"+1\""),
            ("0,1.", "elevation \"1.\""),
            ("99999999999,0", "azimuth \"99999999999\""),
            ("2147484,0", "azimuth \"2147484\""),
            ("1,2,3", "elevation \"2,3\""),
        ] {
            let message = parse_view(text).err().map(|flaw| flaw.to_string()).unwrap_or_default();
            assert!(message.contains(part), "{text:?}: {message:?}");
        }
    }

    proptest! {
        #[test]
        fn thousandths_are_exact(azimuth in -360_000..=360_000_i32, elevation in -90_000..=90_000_i32) {
            let degrees = |value: i32| {
                let sign = if value < 0 { "-" } else { "" };
                format!("{sign}{}.{:03}", value.abs() / 1000, value.abs() % 1000)
            };
            let text = format!("{},{}", degrees(azimuth), degrees(elevation));
            prop_assert_eq!(parse_view(&text), Ok(angles(azimuth, elevation)));
        }

        #[test]
        fn no_text_panics(text in any::<String>(), azimuth in "[-0-9.]{0,12}", elevation in "[-0-9.]{0,12}") {
            let _ = (parse_view(&text), parse_view(&format!("{azimuth},{elevation}")));
        }
    }
}
