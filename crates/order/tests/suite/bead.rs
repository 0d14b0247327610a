//! Strings of beads: what is read is what the wanted answer was, tiers keep their ranges, pictures can be
//! read, and a stranger's string is refused by name.

use std::collections::BTreeMap;

use proptest::prelude::*;
use topotrace_core::{Answer, Instance, Item, Level, Params as _, SemanticRng, Task, TaskProgram};
use topotrace_draw::{CordPalette, Rasterizer, Theme, check_visibility};
use topotrace_order::bead::{
    After, BeadColor, BeadString, Between, Folded, FoldedParams, Letters, Relation, Rotation, Sequence,
    StringParams, Strings, Turned,
};

fn generated(task: &dyn Task, level: Level, seed: u64) -> (u64, Box<dyn Instance>) {
    let (seeds, instance) = task.generator(&level.into()).unwrap().generate(seed).unwrap();
    (seeds.render, instance)
}

fn item<P: TaskProgram>(task: &P, level: Level, seed: u64) -> Item<P> {
    serde_json::from_str(&generated(task, level, seed).1.item()).unwrap()
}

const ALL: [&dyn Task; 7] = [&After, &Between, &Folded, &Relation, &Rotation, &Sequence, &Turned];

/// The colors in the order of reading, from the points of the line alone.
fn colors(string: &BeadString) -> Vec<&'static str> {
    let points = string.line.len() as i64;
    let from = i64::from(string.beads[string.first].at);
    let way = if string.forward { 1 } else { -1 };
    let mut beads: Vec<_> = string.beads.iter().collect();
    beads.sort_by_key(|bead| ((i64::from(bead.at) - from) * way).rem_euclid(points));
    beads.into_iter().map(|bead| bead.color.name()).collect()
}

fn sequence(answer: Answer) -> Vec<String> {
    match answer {
        Answer::Sequence(names) => names,
        _ => panic!("no sequence"),
    }
}

fn label(answer: Answer) -> String {
    match answer {
        Answer::Label(name) => name,
        _ => panic!("no label"),
    }
}

fn place(string: &BeadString, marks: &Letters, letter: usize) -> usize {
    let at = string.beads[marks.letters[letter].bead].at as i64;
    let points = string.line.len() as i64;
    let from = i64::from(string.beads[string.first].at);
    let way = if string.forward { 1 } else { -1 };
    let steps = |at: i64| ((at - from) * way).rem_euclid(points);
    string.beads.iter().filter(|bead| steps(i64::from(bead.at)) < steps(at)).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn strings_keep_the_ranges_of_their_tier(seed in any::<u64>(), level in prop::sample::select(&Level::ALL[..])) {
        let item = item(&Sequence, level, seed);
        let string = &item.state.strings[0];
        let range = if level == Level::Medium { 9..=11 } else { 6..=8 };
        prop_assert!(range.contains(&string.beads.len()));
        prop_assert!(level != Level::Hard || string.closed);
        let gaps: Vec<_> = string.beads.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
        prop_assert!(gaps.iter().all(|gap| *gap == gaps[0]));
        if string.closed {
            let last = string.line.len() as u32 + string.beads[0].at - string.beads[string.beads.len() - 1].at;
            prop_assert_eq!(last, gaps[0]);
        }
        let curve = string.curve().unwrap();
        let mean = curve.length() / curve.segment_count() as f64;
        let uneven = (0..curve.segment_count())
            .map(|at| (curve.start(at + 1) - curve.start(at)) / mean)
            .find(|share| !(0.5..1.5).contains(share));
        prop_assert_eq!(uneven, None);
        prop_assert_eq!(sequence(Sequence::execute(&item).answer), colors(string));
    }

    #[test]
    fn what_if_answers_follow_from_the_sequence(seed in any::<u64>(), level in prop::sample::select(&Level::ALL[..])) {
        let after = item(&After, level, seed);
        let string = &after.state.strings[0];
        let read = colors(string);
        let to = (place(string, &after.marks, 0) + after.query.steps) % read.len();
        prop_assert_eq!(label(After::execute(&after).answer), read[to]);

        let between = item(&Between, level, seed);
        let string = &between.state.strings[0];
        let [a, b] = [0, 1].map(|letter| place(string, &between.marks, letter));
        let count = string.beads.len();
        prop_assert_eq!(Between::execute(&between).answer, Answer::Integer(((b + count - a) % count) as i64 - 1));

        let turned = item(&Turned, level, seed);
        let string = &turned.state.strings[0];
        let mut read = colors(string);
        let [p, q] = [0, 1].map(|letter| place(string, &turned.marks, letter));
        let before = read.clone();
        read[p..=q].reverse();
        prop_assert!(read != before);
        prop_assert_eq!(sequence(Turned::execute(&turned).answer), read);

        let folded = item(&Folded, level, seed);
        let string = &folded.state.strings[0];
        let read = colors(string);
        let [f, a] = [0, 1].map(|letter| place(string, &folded.marks, letter) as i64);
        let partner = (2 * f - a).rem_euclid(read.len() as i64) as usize;
        prop_assert_eq!(label(Folded::execute(&folded).answer), read[partner]);
        let away = (f - a).abs();
        prop_assert!(away >= 2 && (!string.closed || read.len() as i64 - away >= 2));
    }

    #[test]
    fn exactly_one_relation_and_one_option_apply(seed in any::<u64>(), level in prop::sample::select(&Level::ALL[..])) {
        let relation = item(&Relation, level, seed);
        let [first, second] = [0, 1].map(|index| colors(&relation.state.strings[index]));
        let count = first.len();
        let rotated = |shift: usize| [&first[shift..], &first[..shift]].concat();
        let mut all = Vec::new();
        if first == second {
            all.push("IDENTICAL");
        }
        if first.iter().rev().eq(second.iter()) {
            all.push("REVERSED");
        }
        if (1..count).any(|shift| rotated(shift) == second) {
            all.push("CYCLIC_ROTATION");
        }
        if all.is_empty() {
            all.push("DIFFERENT");
        }
        prop_assert_eq!(all, [label(Relation::execute(&relation).answer)]);
        let counted = |colors: &[&'static str]| {
            let mut counts = BTreeMap::new();
            colors.iter().for_each(|color| *counts.entry(*color).or_insert(0) += 1);
            counts
        };
        prop_assert_eq!(counted(&first), counted(&second));

        let rotation = item(&Rotation, level, seed);
        let words: Vec<_> = rotation.state.strings.iter().map(colors).collect();
        let count = words[0].len();
        let same = |word: &Vec<&str>| (0..count).any(|shift| [&words[0][shift..], &words[0][..shift]].concat() == *word);
        let right: Vec<_> = (0..4).filter(|index| same(&words[index + 1])).collect();
        prop_assert_eq!(right.len(), 1);
        prop_assert_eq!(label(Rotation::execute(&rotation).answer), ["A", "B", "C", "D"][right[0]]);
        prop_assert!(words.iter().all(|word| counted(word) == counted(&words[0])));
    }
}

#[test]
fn every_mark_is_visible_and_the_colors_can_be_read_back() {
    let mut rasterizer = Rasterizer::new();
    for task in ALL {
        for level in Level::ALL {
            for seed in 0..6 {
                let (render_seed, instance) = generated(task, level, seed);
                let style = instance.style(render_seed, None).unwrap();
                let pictures = instance.draw(&style).unwrap();
                for picture in &pictures {
                    let boxes = rasterizer.measure(picture).unwrap();
                    assert!(!boxes.is_empty());
                    check_visibility(&boxes).unwrap_or_else(|flaw| {
                        panic!("{} {level} {seed}: {flaw}", task.info().id);
                    });
                }
                let rasters: Vec<_> =
                    pictures.iter().map(|picture| rasterizer.render(&picture.svg, 1024).unwrap()).collect();
                // A number of beads says nothing of their colors.
                let read = instance.read_pixels(&style, &rasters).unwrap();
                let wanted = Some(instance.answer()).filter(|_| task.info().id != "bead/between");
                assert_eq!(read.as_ref(), wanted, "{} {level} {seed}", task.info().id);
            }
        }
    }
}

fn refused<P: TaskProgram>(task: &P, change: impl Fn(&mut Item<P>), wanted: &str) {
    let mut item = item(task, Level::Easy, 3);
    change(&mut item);
    let text = serde_json::to_string(&item).unwrap();
    let error = match task.load(&text) {
        Ok(_) => panic!("{wanted}: not refused"),
        Err(error) => error,
    };
    let mut message = error.to_string();
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
    while let Some(inner) = cause {
        message.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    assert!(message.contains(wanted), "{message:?} does not say {wanted:?}");
}

#[test]
fn a_strangers_string_is_refused_by_name() {
    fn first(state: &mut Strings) -> &mut BeadString {
        &mut state.strings[0]
    }
    refused(&Sequence, |i| i.state.strings.clear(), "0 strings and not 1");
    refused(&Sequence, |i| first(&mut i.state).line.truncate(3), "points of a line 3");
    refused(&Sequence, |i| first(&mut i.state).line[1] = [i32::MIN, 0, 0], "coordinate");
    refused(&Sequence, |i| first(&mut i.state).beads.truncate(2), "beads of a string 2");
    refused(&Sequence, |i| first(&mut i.state).beads.swap(0, 1), "not in the line's order");
    refused(&Sequence, |i| first(&mut i.state).beads.last_mut().unwrap().at = u32::MAX, "4294967295");
    refused(&Sequence, |i| first(&mut i.state).first = 99, "first 99");
    refused(&Relation, |i| first(&mut i.state).beads.truncate(5), "5 beads are compared with");
    refused(&After, |i| i.query.steps = 1, "steps 1");
    refused(&After, |i| i.marks.letters[0].bead = 77, "bead 77");
    refused(&Between, |i| i.marks.letters[1] = i.marks.letters[0], "letters \"AA\"");
    let all_red = |state: &mut Strings| {
        let beads = state.strings.iter_mut().flat_map(|string| &mut string.beads);
        beads.for_each(|bead| bead.color = BeadColor::Red);
    };
    refused(&Rotation, |i| all_red(&mut i.state), "4 options have");
    refused(&Relation, |i| all_red(&mut i.state), "several relations");
    refused(&Sequence, |i| first(&mut i.state).beads[1].at += 1, "not at equal distances");
}

#[test]
fn a_forged_proof_is_refused() {
    for seed in 0..20 {
        let item = item(&Relation, Level::Easy, seed);
        let right = Relation::execute(&item);
        Relation::check(&item, &right).unwrap();
        let mut forged = vec![right.clone(); 7];
        forged[0].answer = Answer::Label("FOO".to_owned());
        forged[1].answer = Answer::Integer(1);
        forged[2].evidence.readings[1].0.swap(0, 1);
        forged[3].evidence.readings[0].0[0] = 99;
        forged[4].evidence.readings[0].0.pop();
        forged[5].evidence.shift = Some(usize::MAX);
        forged[5].evidence.differences = vec![usize::MAX; 30];
        forged[6].evidence.shift = None;
        forged[6].evidence.differences.clear();
        let shown = label(right.answer.clone());
        let beyond = matches!(shown.as_str(), "CYCLIC_ROTATION" | "DIFFERENT");
        for (index, outcome) in forged.iter().enumerate() {
            // The last two only concern what such an answer is proved by.
            assert_eq!(
                Relation::check(&item, outcome).is_err(),
                index < 5 || beyond,
                "{seed} {index} {shown}"
            );
        }
    }
    let item = item(&Rotation, Level::Easy, 1);
    let right = Rotation::execute(&item);
    Rotation::check(&item, &right).unwrap();
    let mut forged = vec![right.clone(); 6];
    forged[0].answer = Answer::Label("E".to_owned());
    forged[1].evidence.shift += 1;
    forged[2].evidence.shift = usize::MAX;
    forged[3].evidence.differences.pop();
    forged[4].evidence.differences[0][0] = usize::MAX;
    forged[5].evidence.readings.truncate(2);
    for (index, outcome) in forged.iter().enumerate() {
        assert!(Rotation::check(&item, outcome).is_err(), "{index}");
    }
}

/// Whatever weights are set, some wanted answer is found: no draw goes on forever.
#[test]
fn every_setting_has_wanted_answers() {
    let nothing = StringParams {
        distinct: 0,
        mixed: 0,
        similar: 0,
        palindromic: 0,
        periodic: 0,
        ..StringParams::at(Level::Easy.into())
    };
    for mode in 0..5 {
        for beads in 5..=12 {
            let mut params = StringParams { beads_min: beads, beads_max: beads, ..nothing.clone() };
            let weights = [
                &mut params.distinct,
                &mut params.mixed,
                &mut params.similar,
                &mut params.palindromic,
                &mut params.periodic,
            ];
            *weights.into_iter().nth(mode).unwrap() = 1;
            params.check().unwrap();
            for seed in 0..100 {
                let mut rng = SemanticRng::from_seed(seed);
                After::aim(&params, &mut rng);
                Between::aim(&params, &mut rng);
                Folded::aim(&FoldedParams(params.clone()), &mut rng);
                Relation::aim(&params, &mut rng);
                Sequence::aim(&params, &mut rng);
                Turned::aim(&params, &mut rng);
            }
        }
    }
}

/// The palettes name their colors as answers do.
#[test]
fn every_color_has_its_paint() {
    for theme in Theme::all() {
        let palette = CordPalette::of(theme);
        for color in BeadColor::ALL {
            assert_eq!(palette.get(color.name()).map(|paint| paint.name), Some(color.name()));
        }
    }
}
