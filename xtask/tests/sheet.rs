//! `sheet` as its users run it, and views of `show`.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;

use common::{run, scratch, words};
use serde_json::Value;
use topotrace_core::Level;

fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_sheet_is_made_answered_and_judged() {
    let folder = scratch("sheet");
    let out = folder.join("made");
    let arguments = [
        "sheet",
        "maze-2d/reach",
        "--tier",
        "easy",
        "--count",
        "5",
        "--seed",
        "7",
        "--size",
        "340",
        "--out",
        out.to_str().unwrap(),
    ];
    let (text, _) = words(&run(&arguments), true);
    let path = |ending: &str| out.join(format!("maze-2d-reach-easy-7{ending}"));
    let [sheet, prompts, answers] = [".png", ".prompts.txt", ".answers.jsonl"].map(path);
    let wanted = format!(
        "sheet   {}\nprompts {}\nanswers {}\n",
        sheet.display(),
        prompts.display(),
        answers.display()
    );
    assert_eq!(text, wanted);
    let raster = topotrace_draw::png::decode(&fs::read(&sheet).unwrap()).unwrap();
    assert!(raster.width > 3 * 340 && raster.height > 2 * 340 && raster.width < 4 * 340, "three in a row");

    let key = lines(&answers);
    let generator = topotrace::registry().get("maze-2d/reach").unwrap();
    let generator = generator.generator(&Level::Easy.into()).unwrap();
    let questions = fs::read_to_string(&prompts).unwrap();
    assert_eq!(questions.matches("\n# ").count(), 5);
    for (place, line) in key.iter().enumerate() {
        let (_, instance) = generator.generate(7 + place as u64).unwrap();
        assert_eq!(line["seed"], (7 + place).to_string(), "{line}");
        assert_eq!(line["number"], place + 1);
        assert_eq!(line["answer"].to_string(), instance.answer().to_json());
        assert_eq!(line["id"], instance.id().to_string());
        assert!(!questions.contains(line["id"].as_str().unwrap()), "the prompts tell nothing");
    }

    let mine = folder.join("mine.txt");
    let mut text = "what?\n".to_owned();
    for line in &key[..3] {
        text.push_str(&format!("{} {{\"answer\": {}}}\n", line["number"], line["answer"]));
    }
    text.push_str("4 no idea\n2 A\n6 A\n");
    fs::write(&mine, text).unwrap();
    let check = [&arguments[..], &["--check", mine.to_str().unwrap()]].concat();
    let before = fs::read(&sheet).unwrap();
    let (text, _) = words(&run(&check), true);
    let name = mine.display();
    let wanted = format!(
        "   1 right\n   2 right\n   3 right\n   4 missing\n   5 not answered\n\
         {name}: line 1 does not begin with a number and a blank: what?\n\
         {name}: line 6 answers 2, as line 3 does, which counts\n\
         {name}: line 7 answers 6; the sheet has 1 to 5\n\
         3 of 5 right, 1 not answered: {}\n",
        answers.display()
    );
    assert_eq!(text, wanted);
    assert_eq!(fs::read(&sheet).unwrap(), before, "a check makes nothing");

    // Another task's answers, a torn file and none at all are no key.
    let torn = fs::read_to_string(&answers).unwrap();
    for (key, part) in [
        (torn.replace("\"number\":1,", "\"number\":2,"), "line 1 has number 2"),
        (torn[..torn.len() / 2].to_owned(), "is no answer of a sheet"),
        (
            torn.replacen(&lines(&answers)[0]["id"].to_string(), &lines(&answers)[1]["id"].to_string(), 1),
            "has id",
        ),
        (String::new(), "there is no line"),
    ] {
        fs::write(&answers, key).unwrap();
        let (_, err) = words(&run(&check), false);
        assert!(err.contains(part) && err.contains("make the sheet again"), "{err}");
    }
    fs::remove_file(&answers).unwrap();
    let (_, err) = words(&run(&check), false);
    assert!(err.contains("make the sheet first"), "{err}");
}

#[test]
fn a_reference_plan_is_right_and_several_pictures_share_a_tile() {
    let folder = scratch("sheet-plan");
    let out = folder.to_str().unwrap();
    let arguments =
        ["sheet", "swap", "--tier", "easy", "--count", "2", "--set", "distance_max=4", "--out", out];
    let (text, err) = words(&run(&arguments), true);
    assert_eq!(err, "");
    let answers = folder.join("swap-easy-0-distance_max-4.answers.jsonl");
    assert!(text.contains("swap-easy-0-distance_max-4.png"), "{text}");
    let raster =
        topotrace_draw::png::decode(&fs::read(answers.with_extension("").with_extension("png")).unwrap());
    let raster = raster.unwrap();
    // Two pictures side by side need more than the usual size.
    let (_, instance) = topotrace::registry()
        .get("swap")
        .unwrap()
        .generator(&Level::Easy.into())
        .unwrap()
        .generate(0)
        .unwrap();
    assert!(raster.width > 2 * 2 * instance.least_side() && raster.width < 2 * 800, "{}", raster.width);
    let mine = folder.join("mine.txt");
    let responses: String = lines(&answers)
        .iter()
        .map(|line| format!("{}: {{\"answer\": {}}}\n", line["number"], line["answer"]))
        .collect();
    fs::write(&mine, responses).unwrap();
    let (text, _) = words(&run(&[&arguments[..], &["--check", mine.to_str().unwrap()]].concat()), true);
    assert!(text.contains("2 of 2 right, 0 not answered"), "{text}");
}

#[test]
fn what_makes_no_sheet_is_refused_and_nothing_is_written() {
    let folder = scratch("sheet-refused");
    let out = folder.join("made");
    let refused = |arguments: &[&str]| {
        let start = ["sheet", "pipe", "--out", out.to_str().unwrap()];
        words(&run(&[&start[..], arguments].concat()), false).1
    };
    for (arguments, part) in [
        (&["--count", "40", "--columns", "40"][..], "40 columns of 512 pixels are more than 8192"),
        (&["--count", "40", "--columns", "1"], "lower --count or --size, or raise --columns"),
        (&["--count", "16", "--columns", "16"], "lower --size or --count"),
        (&["--size", "20", "--count", "1"], "20 is not in 64..=8192"),
        (&["--size", "100", "--count", "1"], "size 100 is too small"),
        (&["--style", "velvet", "--count", "1"], "velvet"),
        (&["--count", "0"], "--count"),
        (&["--columns", "0"], "--columns"),
        (&["--set", "board=99"], "board"),
        (&["--seed", "18446744073709551615"], "there are no 20 seeds"),
    ] {
        let err = refused(arguments);
        assert!(err.contains(part), "{arguments:?}: {err}");
    }
    assert!(!out.exists());
}

#[test]
fn a_flat_scene_has_no_view() {
    let folder = scratch("show-view");
    let show = |view: &str| {
        words(
            &run(&["show", "pipe", "--tier", "easy", "--view", view, "--out", folder.to_str().unwrap()]),
            false,
        )
        .1
    };
    assert!(show("-30.5,20").contains("this scene has no camera"));
    assert!(show("behind").contains("view \"behind\" is unknown"));
}
