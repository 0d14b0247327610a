//! Sentences of the prompts. Every combination is complete and true.

use topotrace_core::PromptRng;

use super::scene::BeadStyle;
use super::string::BeadString;

/// What a picture of one string shows.
pub(super) fn one_string(string: &BeadString, style: &BeadStyle, rng: &mut PromptRng) -> String {
    let count = string.beads.len();
    let (cord, form) = (style.palette().cord.name, form(string));
    rng.pick(&[
        format!("The picture shows {form} in space, a {cord} cord on which {count} colored beads sit at equal distances."),
        format!("You see {form} of {cord} cord, threaded through {count} colored beads that are evenly spaced along it."),
        format!("{count} colored beads are threaded at equal distances on {form} (the {cord} cord), seen from one side."),
    ])
    .clone()
}

/// What two pictures of a string each show.
pub(super) fn two_strings(strings: &[BeadString], style: &BeadStyle, rng: &mut PromptRng) -> String {
    let count = strings[0].beads.len();
    let (cord, first, second) = (style.palette().cord.name, form(&strings[0]), form(&strings[1]));
    rng.pick(&[
        format!("Two pictures show two strings in space, each a {cord} cord through {count} colored beads. The first is {first}, the second {second}."),
        format!("The first picture shows {first}, the second picture {second}; on the {cord} cord of each sit {count} colored beads."),
        format!("You see two strings of {count} colored beads on {cord} cord, one a picture: {first} in the first, {second} in the second."),
    ])
    .clone()
}

/// What the picture of a loop and the picture of four others show.
pub(super) fn options(strings: &[BeadString], style: &BeadStyle, rng: &mut PromptRng) -> String {
    let (count, cord) = (strings[0].beads.len(), style.palette().cord.name);
    rng.pick(&[
        format!("The first picture shows a loop of {cord} cord through {count} colored beads. The second picture shows four other such loops, lettered A, B, C and D."),
        format!("You see five closed strings of {count} colored beads on {cord} cord: one in the first picture, and four, labeled A to D, in the second."),
        format!("In the first picture {count} colored beads sit on a closed {cord} cord; the second picture holds four more loops of {count} beads, with the letters A, B, C and D."),
    ])
    .clone()
}

fn form(string: &BeadString) -> &'static str {
    if string.closed { "a string closed into a loop" } else { "an open string with two ends" }
}

/// How a crossing is to be read.
pub(super) fn crossings(rng: &mut PromptRng) -> String {
    const SENTENCES: [&str; 3] = [
        "Where the string seems to cross itself, the strand with gaps beside it passes in front and the interrupted one behind; the two are not joined there.",
        "At a crossing the strand that is interrupted runs behind the other one: nothing is connected there.",
        "Strands that cross in the picture don't touch: the one that is cut short passes behind the other.",
    ];
    (*rng.pick(&SENTENCES)).to_owned()
}

/// Where the reading of one string begins and in which direction it goes.
pub(super) fn reading(string: &BeadString, style: &BeadStyle, rng: &mut PromptRng) -> String {
    let accent = style.palette().accent.name;
    let end = if string.closed {
        "go all the way around the loop, until every bead has been passed once"
    } else {
        "go on to the other end of the string"
    };
    rng.pick(&[
        format!("The bead with the {accent} ring around it is the first one. From there follow the string the way the {accent} arrow points and {end}."),
        format!("Start at the bead inside the {accent} ring and follow the string in the direction of the {accent} arrow; {end}."),
        format!("A {accent} ring marks the first bead and a {accent} arrow the direction: beginning with that bead, {end}."),
    ])
    .clone()
}

/// Where the reading of each of two strings begins and in which direction it goes.
pub(super) fn both_readings(style: &BeadStyle, rng: &mut PromptRng) -> String {
    let accent = style.palette().accent.name;
    rng.pick(&[
        format!("Read each string from the bead with the {accent} ring on, along the string, the way the {accent} arrow points: to the other end, or once around a loop. This gives two sequences of colors."),
        format!("On each string a {accent} ring marks the first bead and a {accent} arrow the direction. Follow the string from there, to its end or once around, and note the colors: that makes two sequences."),
        format!("For each string, begin at the bead inside the {accent} ring and follow the {accent} arrow along the string until every bead has been passed once; the colors in this order are its sequence."),
    ])
    .clone()
}

/// In which direction a string without a first bead is followed.
pub(super) fn direction(style: &BeadStyle, rng: &mut PromptRng) -> String {
    let accent = style.palette().accent.name;
    rng.pick(&[
        format!("A {accent} arrow on each string shows the direction in which it is followed."),
        format!("Each string is followed the way its {accent} arrow points."),
        format!("The {accent} arrow on a string gives the direction in which to go along it."),
    ])
    .clone()
}

/// Asks for all colors.
pub(super) fn sequence_question(string: &BeadString, rng: &mut PromptRng) -> String {
    let count = string.beads.len();
    rng.pick(&[
        format!("In which order do the colors of the {count} beads follow each other? Name every bead once, the marked one first; a color may occur more than once."),
        format!("List the colors of all {count} beads in the order in which you pass them, beginning with the marked bead. Colors may repeat."),
        format!("Which colors do you pass, in order? Give all {count}, the marked bead's first; several beads may have the same color."),
    ])
    .clone()
}

/// In which direction one string is followed, where no first bead matters.
pub(super) fn direction_of_one(style: &BeadStyle, rng: &mut PromptRng) -> String {
    let accent = style.palette().accent.name;
    rng.pick(&[
        format!("The {accent} arrow shows the direction in which the string is followed; the {accent} ring around one bead plays no part here."),
        format!("Follow the string the way the {accent} arrow points. That one bead has a {accent} ring doesn't matter for this question."),
        format!("The string runs in the direction of the {accent} arrow. (The {accent} ring around a bead has no meaning here.)"),
    ])
    .clone()
}

/// Asks for the relation of two sequences.
pub(super) fn relation_question(rng: &mut PromptRng) -> String {
    const LABELS: &str = "IDENTICAL: both sequences are equal. REVERSED: the second is the first one read backwards. CYCLIC_ROTATION: the second is the first one with some of its colors, but not all, moved from the front to the end in their order. DIFFERENT: none of these.";
    const QUESTIONS: [&str; 3] = [
        "How is the second sequence related to the first? Exactly one of four labels applies.",
        "Which of these labels describes the two sequences?",
        "Compare the two sequences and choose the label that fits.",
    ];
    format!("{} {LABELS}", rng.pick(&QUESTIONS))
}

/// Asks which option has the same cyclic order.
pub(super) fn rotation_question(rng: &mut PromptRng) -> String {
    const QUESTIONS: [&str; 3] = [
        "Going once around along the arrow, which of the loops A to D shows the same colors in the same order as the loop in the first picture? It doesn't matter at which bead one starts, but the direction matters: a mirrored order is another order.",
        "Which option has the same cyclic order of colors as the first picture's loop, both followed along their arrows? The starting bead is free, so a rotation counts as the same; the reversed order does not.",
        "Exactly one of A, B, C and D has, followed along its arrow, the cyclic order of colors of the loop in the first picture. Begin anywhere; but an order that only agrees when it is read backwards doesn't count. Which one is it?",
    ];
    (*rng.pick(&QUESTIONS)).to_owned()
}

/// Asks for the bead a number of places after A.
pub(super) fn after_question(steps: usize, rng: &mut PromptRng) -> String {
    rng.pick(&[
        format!("Start at the bead with the letter A and go on along the string: the next bead is number 1, the one after it number 2, and so on. Which color has bead number {steps}?"),
        format!("Which color has the bead that comes {steps} places after bead A along the string? The bead right after A is 1 place after it."),
        format!("From the bead labeled A, move on by {steps} beads along the string. What is the color of the bead you arrive at?"),
    ])
    .clone()
}

/// Asks for the number of beads between A and B.
pub(super) fn between_question(rng: &mut PromptRng) -> String {
    const QUESTIONS: [&str; 3] = [
        "How many beads lie between the beads with the letters A and B when you go along the string from A to B in this direction? A and B themselves are not counted.",
        "Go from bead A along the string in this direction until you come to bead B. How many beads do you pass in between, A and B not counted?",
        "Count the beads that come after bead A and before bead B along the string in the direction of the arrow.",
    ];
    (*rng.pick(&QUESTIONS)).to_owned()
}

/// Asks for the colors once the piece from P to Q is turned.
pub(super) fn turned_question(string: &BeadString, rng: &mut PromptRng) -> String {
    let count = string.beads.len();
    rng.pick(&[
        format!("Imagine that the piece of the string that you pass on the way from bead P to bead Q, both included, is cut out, turned end for end and put back, so that P and Q change places and the beads between them follow in the opposite order. List the colors of all {count} beads in the order in which they would then follow each other, the marked bead first."),
        format!("Suppose you reversed the part of the string that you follow from bead P on, the way the arrow points, to bead Q, both included: it is taken out and put back the other way round, and everything else stays. Which colors would you then pass, in order? Give all {count}, beginning with the marked bead."),
        format!("Now the piece that leads, in the direction of the arrow, from P to Q, these two beads included, is turned around within the string: its first bead comes last and its last one first. In which order do the colors of the {count} beads follow each other afterwards? The marked bead is still the first."),
    ])
    .clone()
}

/// Asks for the bead beside A once the string is folded at F.
pub(super) fn folded_question(string: &BeadString, rng: &mut PromptRng) -> String {
    let far =
        if string.closed { " (the loop is pressed flat, with its other fold opposite of F)" } else { "" };
    rng.pick(&[
        format!("Imagine the string folded at the bead with the letter F, so that its two sides lie along each other bead by bead{far}: the two neighbors of F meet, then the beads next to these, and so on. Which color has the bead that comes to lie beside bead A? The ring and the arrow play no part here."),
        format!("Suppose the string is folded in two at bead F{far}. Beads at equal distance from F along the string, one on each side, then lie beside each other. Which color lies beside the bead labeled A? Ring and arrow don't matter for this."),
        format!("The string is doubled back at bead F{far}, so that beads that are equally many beads away from F along the string, on its two sides, meet. What is the color of the bead that meets bead A? (The ring and the arrow are not needed.)"),
    ])
    .clone()
}
