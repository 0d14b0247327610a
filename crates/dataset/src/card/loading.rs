//! The parts of the card that loaders and their users read.

use std::collections::{BTreeMap, BTreeSet};

use topotrace_core::{Split, TaskInfo};

use super::{line, title};
use crate::manifest::Manifest;
use crate::storage::Storage;

/// The YAML header: what tells loaders where the files are.
pub(super) fn header(manifest: &Manifest, tasks: &[&TaskInfo]) -> String {
    let mut text = String::from("---\n");
    let size = match manifest.rows() {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        _ => "1M<n<10M",
    };
    line(&mut text, format_args!("pretty_name: {}", title(manifest)));
    text.push_str("license: mit\nlanguage:\n- en\ntask_categories:\n- visual-question-answering\n");
    line(&mut text, format_args!("size_categories:\n- {size}"));
    text.push_str(
        "tags:\n- topology\n- spatial-reasoning\n- synthetic\n- verifiable-rewards\n- benchmark\nconfigs:\n",
    );
    let configs = configs(manifest);
    let joined = has_joint_config(manifest, tasks);
    if joined {
        text.push_str("- config_name: all\n  default: true\n  data_files:\n");
        let splits: BTreeSet<Split> = configs.values().flatten().copied().collect();
        for split in splits {
            line(&mut text, format_args!("  - split: {split}\n    path:"));
            for (config, _) in configs.iter().filter(|(_, splits)| splits.contains(&split)) {
                line(&mut text, format_args!("    - {}", manifest.storage.pattern(config, split)));
            }
        }
    }
    for (number, (config, splits)) in configs.into_iter().enumerate() {
        line(&mut text, format_args!("- config_name: {config}"));
        if number == 0 && !joined {
            text.push_str("  default: true\n");
        }
        text.push_str("  data_files:\n");
        for split in splits {
            let pattern = manifest.storage.pattern(config, split);
            line(&mut text, format_args!("  - split: {split}\n    path: {pattern}"));
        }
    }
    text.push_str("---\n");
    text
}

/// The splits of every configuration.
fn configs(manifest: &Manifest) -> BTreeMap<&str, BTreeSet<Split>> {
    let mut configs: BTreeMap<&str, BTreeSet<Split>> = BTreeMap::new();
    for file in &manifest.files {
        configs.entry(&file.config).or_default().insert(file.split);
    }
    configs
}

/// Whether one configuration can join all others: where each picture is a field of its own, rows
/// of different numbers of pictures have different fields.
fn has_joint_config(manifest: &Manifest, tasks: &[&TaskInfo]) -> bool {
    let pictures: BTreeSet<usize> = tasks.iter().map(|info| info.pictures).collect();
    manifest.storage == Storage::Parquet || pictures.len() <= 1
}

/// How rows are got from the files.
pub(super) fn loading(manifest: &Manifest, tasks: &[&TaskInfo]) -> String {
    let configs = configs(manifest);
    let config = configs.keys().next().copied().unwrap_or("all");
    let split = configs.values().flatten().next_back().copied().unwrap_or(Split::Test);
    let everything = if has_joint_config(manifest, tasks) {
        format!("rows = load_dataset(\"path/to/this/folder\", split=\"{split}\")  # everything\n")
    } else {
        String::new()
    };
    let several = tasks.iter().any(|info| info.pictures > 1);
    let (row, notes) = match manifest.storage {
        Storage::Parquet => parquet(),
        Storage::WebDataset => webdataset(manifest, several),
        Storage::ImageFolder => image_folder(several),
    };
    format!(
        "## Loading\n\n```python\nfrom datasets import load_dataset\n\n{everything}rows = \
         load_dataset(\"path/to/this/folder\", \"{config}\", split=\"{split}\")\nrow = rows[0]\n{row}```\n\n{notes}"
    )
}

fn parquet() -> (String, String) {
    let row = r#"row["images"][0]      # a PIL picture
row["prompt"]         # one user message; ends with the exact shape of the answer
row["answer"]         # JSON text: what stands after "answer": in a perfect response
"#;
    let notes = r#"- **TRL** uses `prompt` and `images` as they are.
- **verl**: `data.prompt_key=prompt_verl data.image_key=images`, with the Parquet files given as they are. The
  reward function gets the answer as `ground_truth` and the id in `extra_info["id"]`, by which `score --stream` judges.
- **Anything else** reads the Parquet files: a picture is a struct of `bytes` (a PNG) and `path`.
"#;
    (row.to_owned(), notes.to_owned())
}

/// What the formats in JSON have in common.
const IN_JSON: &str = "`chance`, `budget`, `reference_length` and `extra_info.item` are text, empty where there is \
                       none: loaders guess types from the first rows, and a null there breaks later ones.\n";

fn webdataset(manifest: &Manifest, several: bool) -> (String, String) {
    let row = r#"row["png"]            # a PIL picture
row["json"]["prompt"] # one user message; ends with the exact shape of the answer
row["json"]["answer"] # JSON text: what stands after "answer": in a perfect response
"#;
    let example = manifest.files.last().map_or("", |file| &file.path);
    let pictures = if several {
        "`KEY.png`, or `KEY.0.png`, `KEY.1.png` … where there are several pictures"
    } else {
        "`KEY.png`"
    };
    let notes = format!(
        "With the library: `webdataset.WebDataset(\"{example}\", shardshuffle=False).decode(\"pil\")`. A sample is \
         `KEY.json` and {pictures}; the key is the row's number in nine digits and its id, which no other \
         sample has. {IN_JSON}"
    );
    (row.to_owned(), notes)
}

fn image_folder(several: bool) -> (String, String) {
    let row = r#"row["image"]          # a PIL picture
row["prompt"]         # one user message; ends with the exact shape of the answer
row["answer"]         # JSON text: what stands after "answer": in a perfect response
"#;
    let more = if several { ", or `file_names` and a column `images` where there are several" } else { "" };
    let notes = format!(
        "Every split has a `metadata.jsonl`, one row a line, whose `file_name` is the path of its picture{more}. {IN_JSON}"
    );
    (row.to_owned(), notes)
}
