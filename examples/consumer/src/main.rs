//! Takes one task crate, makes an instance, draws it, and judges answers.

use std::error::Error;

use topotrace_continuity::maze_2d::Reach;
use topotrace_core::{Level, Task as _};
use topotrace_draw::{PngEffort, Rasterizer, png};

fn main() -> Result<(), Box<dyn Error>> {
    let generator = Reach.generator(&Level::Hard.into())?;
    let (seeds, maze) = generator.generate(2026)?;

    let style = maze.style(seeds.render, Some("chalkboard"))?;
    let picture = &maze.draw(&style)?[0];
    let pixels = Rasterizer::new().render(&picture.svg, 768)?;
    let file = std::env::temp_dir().join("topotrace-consumer.png");
    std::fs::write(&file, png::encode(&pixels, PngEffort::Fast))?;

    println!("{}\n", maze.prompt(seeds.prompt, &style)?);
    let verifier = maze.verifier();
    let right = format!("Walking from A, I find this.\n{}", maze.answer().to_response());
    for response in [right.as_str(), "I can't tell."] {
        let verdict = verifier.verify(response);
        println!("{:?}: right {}, reward {}", verdict.reason, verdict.right, verdict.rewards.formatted);
    }
    assert!(verifier.verify(&right).right, "the right answer is right");
    assert!(!verifier.verify("I can't tell.").right, "no answer is not right");
    Ok(())
}
