use std::path::{Path, PathBuf};

use clap::Args;
use indexmap::IndexMap;
use serde::de::IgnoredAny;
use serde_json::value::{RawValue, to_raw_value};
use topotrace_core::{Flaw, Instance};
use topotrace_draw::{PngEffort, Rasterizer, png};
use topotrace_space::View;

use crate::failure::{Failure, say};
use crate::settings::{SettingsArguments, parse_view};
use crate::whole_file::write_whole;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The task's id, such as `maze-2d/reach`.
    task: String,
    /// The instance's seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    settings: SettingsArguments,
    /// The theme; one is drawn from the seed where none is given.
    #[arg(long, value_name = "THEME")]
    style: Option<String>,
    /// From where a scene in space is seen: front, isometric, oblique, top, or AZIMUTH,ELEVATION in
    /// degrees; drawn from the seed where none is given.
    #[arg(long, allow_hyphen_values = true, value_parser = parse_view)]
    view: Option<View>,
    /// Pixels on the longer side of the PNG.
    #[arg(long, default_value_t = 1024)]
    size: u32,
    /// The folder for the SVG and PNG files.
    #[arg(long, default_value = "data/show")]
    out: PathBuf,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let task = topotrace::registry().get(&arguments.task)?;
    let generator = task.generator(&arguments.settings.settings()?)?;
    let (seeds, instance) = generator.generate(arguments.seed)?;
    let mut style = instance.style(seeds.render, arguments.style.as_deref())?;
    if let Some(view) = arguments.view {
        style = with_view(&style, view)?;
    }
    say(format!("id          {}", instance.id()))?;
    say(format!("state hash  {}", instance.state_hash()))?;
    say(format!("parameters  {}", generator.params()))?;
    say(format!("style       {style}"))?;
    for file in write_pictures(&*instance, &style, &arguments)? {
        say(format!("picture     {}", file.display()))?;
    }
    say(format!("\n{}\n", instance.prompt(seeds.prompt, &style)?))?;
    say(format!("answer      {}", instance.answer().to_json()))?;
    say(format!(
        "chance      {}",
        instance.domain().chance().map_or("none".to_owned(), |c| format!("{c:.4}"))
    ))?;
    say(format!("effort      {}", instance.effort()))?;
    if let (Some(budget), Some(length)) = (instance.budget(), instance.reference_length()) {
        say(format!("budget      {budget} actions, reference plan {length}"))?;
    }
    for (name, guess) in instance.guesses() {
        let mark = if instance.accepts(&guess) { "right" } else { "wrong" };
        say(format!("shortcut    {name}: {mark}"))?;
    }
    say(format!("certificate {}", instance.evidence()))?;
    say(format!("item        {}", instance.item()))?;
    instance.audit()?;
    say("audit       the recount agrees, the certificate checks and proves no other answer")
}

fn write_pictures(
    instance: &dyn Instance,
    style: &str,
    arguments: &Arguments,
) -> Result<Vec<PathBuf>, Failure> {
    let least = instance.least_side();
    if arguments.size < least {
        return Err(Failure::new(format!(
            "size {} is too small; this instance can be read from {least} pixels on",
            arguments.size
        )));
    }
    let folder = &arguments.out;
    std::fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, &e))?;
    let mut rasterizer = Rasterizer::new();
    let mut files = Vec::new();
    for (number, picture) in instance.draw(style)?.iter().enumerate() {
        let name = match number {
            0 => format!("{}-{}", instance.info().slug(), arguments.seed),
            _ => format!("{}-{}-{number}", instance.info().slug(), arguments.seed),
        };
        let raster = rasterizer.render(&picture.svg, arguments.size)?;
        files.push(write(&folder.join(format!("{name}.svg")), picture.svg.as_bytes())?);
        files.push(write(&folder.join(format!("{name}.png")), &png::encode(&raster, PngEffort::Small))?);
    }
    Ok(files)
}

fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, Failure> {
    write_whole(path, bytes)?;
    Ok(path.to_owned())
}

/// The style, as JSON text, with this view in every place of its list `views`; nothing else changes.
///
/// # Errors
/// When the style has no list of views: the scene has no camera.
fn with_view(style: &str, view: View) -> Result<String, Flaw> {
    let unreadable =
        |e: serde_json::Error| Flaw::new(format!("the style {style} can't be given a view: {e}"));
    let mut fields: IndexMap<String, Box<RawValue>> = serde_json::from_str(style).map_err(unreadable)?;
    let Some(views) = fields.get_mut("views") else {
        return Err(Flaw::new(format!("this scene has no camera: there are no views in its style {style}")));
    };
    let places: Vec<IgnoredAny> = serde_json::from_str(views.get()).map_err(unreadable)?;
    *views = to_raw_value(&vec![view; places.len()]).map_err(unreadable)?;
    serde_json::to_string(&fields).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_takes_every_place_and_nothing_else_changes() {
        let style = r#"{"theme":"paper","views":["top",{"angles":{"azimuth_millidegrees":1,"elevation_millidegrees":2}}],"a":{"z":1.50,"b":[]},"seed":18446744073709551615}"#;
        let front = r#"{"theme":"paper","views":["front","front"],"a":{"z":1.50,"b":[]},"seed":18446744073709551615}"#;
        assert_eq!(with_view(style, View::Front), Ok(front.to_owned()));
        let angles = r#"{"angles":{"azimuth_millidegrees":30000,"elevation_millidegrees":-5000}}"#;
        let turned = front.replace(r#""front","front""#, &format!("{angles},{angles}"));
        assert_eq!(with_view(style, View::degrees(30, -5)), Ok(turned));
        assert_eq!(with_view(r#"{"views":[]}"#, View::Top), Ok(r#"{"views":[]}"#.to_owned()));
    }

    #[test]
    fn a_style_without_views_is_refused() {
        for (style, part) in [
            (r#"{"theme":"paper"}"#, "this scene has no camera"),
            (r#"{"views":"top"}"#, "can't be given a view"),
            (r#""paper""#, "can't be given a view"),
        ] {
            let message = with_view(style, View::Top).err().map(|flaw| flaw.to_string()).unwrap_or_default();
            assert!(message.contains(part) && message.contains(style), "{style}: {message}");
        }
    }
}
