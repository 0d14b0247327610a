//! The page on what a run of `bless` changed: pictures before, after, and their difference.

use std::fmt::Write as _;
use std::io::ErrorKind;

use topotrace_core::Raster;
use topotrace_draw::{PngEffort, png};

use super::difference;
use super::plan::{Change, Pair};
use super::repository::Repository;
use crate::failure::Failure;

/// The folder of the page, which is emptied before each run.
const FOLDER: &str = "target/bless";
/// The page.
pub(crate) const PAGE: &str = "target/bless/index.html";

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>bless</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1240px; padding: 0 1rem; }
  h2 { font-size: 1rem; margin: 2rem 0 0; }
  p { margin: 0; }
  pre { white-space: pre-wrap; }
  .row { display: flex; flex-wrap: wrap; gap: 1rem; }
  figure { margin: .5rem 0; }
  figcaption { color: #666; }
  img { border: 1px solid #ccc; display: block; max-width: 100%; }
</style>
";

/// Writes the page and its pictures anew.
///
/// # Errors
/// When a file can't be written or an old one can't be removed.
pub(crate) fn write(repository: &Repository, changes: &[Change], refusals: &[String]) -> Result<(), Failure> {
    let folder = repository.full(FOLDER);
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::file("empty", &folder, &error));
        }
        _ => {}
    }
    for (number, change) in changes.iter().enumerate() {
        for (kind, raster) in change.picture.iter().flat_map(figures) {
            let bytes = png::encode(&raster, PngEffort::Fast);
            repository.write(&format!("{FOLDER}/{}", file_name(number, kind)), &bytes)?;
        }
    }
    repository.write(PAGE, html(changes, refusals).as_bytes())
}

fn html(changes: &[Change], refusals: &[String]) -> String {
    let mut text = HEAD.to_owned();
    let count = match changes.len() {
        0 => "Nothing differs".to_owned(),
        1 => "One file differs".to_owned(),
        count => format!("{count} files differ"),
    };
    line(&mut text, format_args!("<h1>{count}</h1>"));
    for refusal in refusals {
        line(&mut text, format_args!("<pre>{}</pre>", escaped(refusal)));
    }
    for (number, change) in changes.iter().enumerate() {
        line(&mut text, format_args!("<h2>{}</h2>", escaped(&change.path)));
        line(&mut text, format_args!("<p>{}</p>", escaped(&change.note)));
        let Some(pair) = &change.picture else { continue };
        text.push_str("<div class=\"row\">\n");
        for (kind, raster) in figures(pair) {
            let (width, height, name) = (raster.width, raster.height, file_name(number, kind));
            line(
                &mut text,
                format_args!(
                    "  <figure><img src=\"{name}\" width=\"{width}\" height=\"{height}\" alt=\"{kind}\">\
                     <figcaption>{kind}</figcaption></figure>"
                ),
            );
        }
        text.push_str("</div>\n");
    }
    text.push_str("</html>\n");
    text
}

/// What there is to see of a change, each with its caption.
fn figures(pair: &Pair) -> Vec<(&'static str, Raster)> {
    let difference = pair.old.as_ref().zip(pair.new.as_ref()).map(|(old, new)| difference::picture(old, new));
    let figures = [("old", pair.old.clone()), ("new", pair.new.clone()), ("difference", difference)];
    figures.into_iter().filter_map(|(kind, raster)| Some((kind, raster?))).collect()
}

/// Numbered, because file names of the repository may hold what an address may not.
fn file_name(number: usize, kind: &str) -> String {
    format!("{number}-{kind}.png")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a text can always be written to");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(level: u8) -> Raster {
        Raster { width: 70, height: 64, rgb: vec![level; 70 * 64 * 3] }
    }

    fn change(path: &str, old: Option<Raster>, new: Option<Raster>) -> Change {
        let picture = Some(Pair { old, new });
        Change { path: path.to_owned(), note: "9 of 4480 pixels differ".to_owned(), bytes: None, picture }
    }

    #[test]
    fn every_change_is_shown_with_files_beside_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        let changes = [
            change("a<b.png", Some(plain(0)), Some(plain(9))),
            change("new.png", None, Some(plain(1))),
            change("gone.png", Some(plain(1)), None),
        ];
        assert!(repository.write("target/bless/7-old.png", b"of an earlier run").is_ok());
        assert!(write(&repository, &changes, &["pipe.txt: refused".to_owned()]).is_ok());
        let page = repository.text(PAGE).ok().flatten().unwrap();
        for part in ["3 files differ", "a&lt;b.png", "9 of 4480 pixels differ", "pipe.txt: refused"] {
            assert!(page.contains(part), "{part:?} is missing in:\n{page}");
        }
        let pictures = repository.list(FOLDER, "png").unwrap_or_default();
        let names = ["0-difference", "0-new", "0-old", "1-new", "2-old"];
        assert_eq!(pictures, names.map(|name| format!("{FOLDER}/{name}.png")));
        for name in names {
            assert!(page.contains(&format!("src=\"{name}.png\"")), "{name} is missing in:\n{page}");
        }
    }

    #[test]
    fn a_page_on_nothing_says_so() {
        assert!(html(&[], &[]).contains("<h1>Nothing differs</h1>"));
    }
}
