use std::path::{Path, PathBuf};

use clap::Args;
use topotrace_core::Instance;
use topotrace_draw::{PngEffort, Rasterizer, png};

use crate::failure::{Failure, say};
use crate::settings::SettingsArguments;
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
    let style = instance.style(seeds.render, arguments.style.as_deref())?;
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
