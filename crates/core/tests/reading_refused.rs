//! Responses that name a right value without giving it as their answer, row by row.

mod reading;

use reading::check;

#[test]
fn lists_over_several_lines_are_not_their_last_item() {
    check(&[
        ("bars", "red,\nblue", "none: Missing"),
        ("bars", "red and\nblue", "none: Missing"),
        ("bars", "red &\n\nblue", "none: Missing"),
        ("bars", "* red\n* blue", "none: Missing"),
        ("bars", "- red\n- blue", "none: Missing"),
        ("bars", "1. red\n2. blue", "none: Missing"),
        ("bars", "red\nblue", "none: Missing"),
        ("bars", "red\n---\nblue", "none: Missing"),
        ("bar", "red, green\nblue", "none: Missing"),
        ("int", "16\n17", "none: Missing"),
        ("bars", "[red,\nblue]", "none: Missing"),
        ("bars", "red\nor rather\nblue", "none: Missing"),
        ("seq", "Answer: RED, BLUE\n-> GREEN", "phrase: Conflicting"),
        ("bars", "The bars:\n* blue", "none: Missing"),
        ("bars", "**Final answer:**\n* red\n* blue", "none: Missing"),
        ("bars", "**Final answer**\nblue", "none: Missing"),
        ("bars", "Answer: blue,\nred, green", "none: Missing"),
        ("bars", "The answer is blue\nand red", "phrase: Conflicting"),
        ("bars", "Answer: blue\n, red", "phrase: Conflicting"),
        ("bars", "Answer: blue\nred", "phrase: Conflicting"),
        ("bars", "Answer: blue\n\n- red\n", "phrase: Conflicting"),
        ("bar", "Answer: blue\nNo, red", "phrase: Conflicting"),
        ("bars", "Answer: blue\n\nLet me see.\n\nred", "phrase: Conflicting"),
        ("bars", "Answer: blue\nblue", r#"phrase ["blue"]"#),
        ("bars", "Answer: blue\nIt is near red.\nBye", r#"phrase ["blue"]"#),
        ("bar", "Answer: blue\r\n\r\nRed is shut, so it is no way out.", "phrase \"blue\""),
        ("bars", "Answer: blue and", "none: Missing"),
        ("bars", "Answer: blue,", "none: Missing"),
        ("bars", "Answer: [blue", "none: Missing"),
        ("bars", "Answer: \"blue\", \"re", "none: Missing"),
        ("bars", r"\boxed{blue,}", "none: Missing"),
        ("bars", "\\boxed{blue}\nred", "phrase: Conflicting"),
        ("bars", "<answer>red\nblue</answer>", "none: Missing"),
        ("bars", "Not\nblue", "none: Missing"),
        ("bars", "I don't think it is\nblue", "none: Missing"),
        ("bars", "blue?", "none: Missing"),
        ("bars", "I look.\nblue", r#"lone ["blue"]"#),
    ]);
}

#[test]
fn thoughts_are_not_read() {
    check(&[
        ("bars", "<think>Answer: blue</think>", "none: Missing"),
        ("bars", "<think>Answer: red</think>Answer: blue", r#"phrase ["blue"]"#),
        ("bars", r#"<think>{"answer": ["blue"]}"#, "none: Missing"),
        ("bars", r#"<think>{"answer": ["blue"]}</think>"#, "none: Missing"),
        ("bars", r#"red</THINKING>{"answer": ["blue"]}"#, r#"strict ["blue"]"#),
        ("bars", "a</reasoning>\nblue", r#"lone ["blue"]"#),
        ("bars", "a</think>{\"answer\": [\"blue\"]}<think>No", r#"strict ["blue"]"#),
        ("act", "<think>{\"answer\": 3}</think> I wait", "none: Missing"),
    ]);
}

#[test]
fn a_later_answer_of_a_weaker_form_takes_an_earlier_one_back() {
    check(&[
        ("int", "{\"answer\": 4}\nThe answer is 5", "loose: Conflicting"),
        ("int", "{\"answer\": 4}\nThe answer is 170", "loose: Conflicting"),
        ("int", "{\"answer\": 4}\nThe answer is 4.", "loose 4"),
        ("int", "{\"answer\": 4}\nThe answer is hard to see", "loose: Conflicting"),
        ("int", "{\"answer\": 4}\nThis answer is my best", "loose 4"),
        ("int", "{\"answer\": 4}\nWait, I missed one.", "loose: Conflicting"),
        ("int", "{\"answer\": 4}\nThat was all I saw.\n5", "loose: Conflicting"),
        ("int", "{\"answer\": 4} or 5", "loose: Conflicting"),
        ("int", "{\"answer\": 4} is wrong", "loose: Conflicting"),
        ("int", "It is not {\"answer\": 4}.", "loose: Conflicting"),
        ("int", "~~{\"answer\": 4}~~", "loose: Conflicting"),
        ("int", r#"{"answer": 4} {'answer': 5}"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4} {"answer": 5"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4} {answer: 5}"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4} {"Answer": 5}"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4} {"answer": null}!"#, "loose: Conflicting"),
        ("int", "The answer is 4\n{'answer': 5}", "phrase: Conflicting"),
        ("move", "{\"answer\": \"U\"}\nThe answer is D", "loose: Conflicting"),
        ("move", "{\"answer\": \"U\"} and then I go on.", "loose \"U\""),
        ("bars", "Answer: blue\nCorrected answer: red", "phrase: Conflicting"),
        ("bars", "Answer: blue\nCorrection: red", "phrase: Conflicting"),
        ("bars", "Answer: blue\nThe answer should be red", "phrase: Conflicting"),
        ("bars", "Answer: blue\nThe answer must be red", "phrase: Conflicting"),
        ("bars", "Answer: blue\nThe real answer is red", "phrase: Conflicting"),
        ("bars", "Answer: blue\nThe answer is actually red", "phrase: Conflicting"),
        ("bars", "Answer: blue\nThe answer isn't blue", "phrase: Conflicting"),
        ("bars", "Answer: blue\nThe answer is red, not blue", "phrase: Conflicting"),
        ("bars", "Answer: blue\nSo the real answer is blue", r#"phrase ["blue"]"#),
        ("bars", "Answer: blue\nFinal answer:\n$$\\boxed{blue}$$", r#"phrase ["blue"]"#),
        ("bars", "The answer should be red", "none: Missing"),
        ("bars", "The answer is red, not blue", "none: Missing"),
        ("bar", "The answer is red, not blue", "phrase: Conflicting"),
        ("bars", "<answer>blue</answer><answer>not blue</answer>", "phrase: Conflicting"),
        ("bars", "<answer>blue</answer> <answer>red", "phrase: Conflicting"),
        ("bars", "\\boxed{blue} \\boxed{red", "phrase: Conflicting"),
        ("bars", "\\boxed{blue}\nFinal: \\boxed{none of them}", "phrase: Conflicting"),
        ("bars", "\\boxed{blue}\nFinal: red", "phrase: Conflicting"),
        ("bars", "Another answer is red. The answer is blue", r#"phrase ["blue"]"#),
    ]);
}

#[test]
fn denied_and_doubted_phrases_are_none() {
    check(&[
        ("bars", "I do not think the answer is blue", "none: Missing"),
        ("bars", "I don't say the answer is blue", "none: Missing"),
        ("bars", "I never said the answer is blue", "none: Missing"),
        ("bars", "I doubt that the answer is blue", "none: Missing"),
        ("bars", "It is wrong that\nthe answer is blue", "none: Missing"),
        ("bars", "It is false that the answer is blue", "none: Missing"),
        ("bars", "Incorrect: the answer is blue", "none: Missing"),
        ("bars", "Nobody holds that the answer is blue", "none: Missing"),
        ("bars", "Suppose the answer is blue", "none: Missing"),
        ("bars", "If the answer is blue, it is shut", "none: Missing"),
        ("bars", "Tom claims the answer is blue", "none: Missing"),
        ("bars", "Instead of red the answer is blue", "none: Missing"),
        ("bars", r"not \boxed{blue}", "none: Missing"),
        ("bars", "It is not\n\\boxed{blue}", "none: Missing"),
        ("bars", "not <answer>blue</answer>", "none: Missing"),
        ("bars", "It is not red. The answer is blue", r#"phrase ["blue"]"#),
        ("bars", "It is not red\nThe answer is blue", r#"phrase ["blue"]"#),
        ("bars", "Answer: blue\nI doubt the answer is blue", "phrase: Conflicting"),
    ]);
}

#[test]
fn the_rest_of_the_line_may_take_an_answer_back() {
    check(&[
        ("bars", "Answer: blue? no", "none: Missing"),
        ("bar", "Answer: blue? no", "none: Missing"),
        ("bars", "Answer: blue. red", "phrase: Conflicting"),
        ("bar", "Answer: blue. red", "phrase: Conflicting"),
        ("bars", "Answer: blue. No!", "phrase: Conflicting"),
        ("bar", "Answer: blue (wrong)", "phrase: Conflicting"),
        ("bar", "Answer: blue. Correction", "phrase: Conflicting"),
        ("bar", "Answer: blue because it is open. Actually not", "none: Missing"),
        ("bar", "Answer: blue because it is open. Actually not this", "phrase: Conflicting"),
        ("bar", "Answer: blue, because red is not open.", "phrase \"blue\""),
        ("reach", r"\boxed{B,C} is wrong", "phrase: Conflicting"),
        ("reach", r"\boxed{B,C}, D", "phrase: Conflicting"),
        ("reach", r"\boxed{B,C}?", "phrase: Conflicting"),
        ("reach", r"\boxed{B,C} is what I see", r#"phrase ["B","C"]"#),
        ("reach", "<answer>B</answer> and C", "phrase: Conflicting"),
        ("reach", "<answer>The answer is B</answer> no", "phrase: Conflicting"),
        ("int", "The answer is 17. Or 18", "phrase: Conflicting"),
        ("int", r"\boxed{17}, no, 18", "phrase: Conflicting"),
        ("int", "The answer is 17, not sure", "phrase: Conflicting"),
        ("bar", r#"{"answer": "blue, not red"}"#, "loose: Conflicting"),
        ("bar", r#"{"answer": "blue? no"}"#, "loose: Conflicting"),
    ]);
}

#[test]
fn struck_out_values_are_refused() {
    check(&[
        ("bars", "~~blue~~", "none: Missing"),
        ("bars", "~blue", "none: Missing"),
        ("bars", "blue~", "none: Missing"),
        ("bars", "Answer: ~~blue~~", "none: Missing"),
        ("bar", "Answer: blue~~", "none: Missing"),
        ("bars", "~~The answer is blue~~", "none: Missing"),
        ("bars", r"~~\boxed{blue}~~", "none: Missing"),
        ("bar", r#"{"answer": "~~blue~~"}"#, r#"strict: Illegal "~~blue~~""#),
        ("bars", r#"{"answer": "~blue~"}"#, r#"loose: Illegal "~blue~""#),
        ("bars", r#"{"answer": ["~~blue~~"]}"#, r#"strict: Illegal ["~~blue~~"]"#),
        ("int", r#"{"answer": "~~17~~"}"#, r#"loose: WrongType "~~17~~""#),
        ("int", "~17", "none: Missing"),
    ]);
}

#[test]
fn keys_that_compete() {
    check(&[
        ("int", r#"{"answer": 4, "Answer": 5}"#, "loose: Conflicting"),
        ("int", r#"{"final": 5, "answer": 4}"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4, "final_answer": 5}"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4, "FINAL ANSWER": "unclear"}"#, "loose: Conflicting"),
        ("int", r#"{"answer": 4, "final_answer": "4"}"#, "loose 4"),
        ("int", r#"{"answer": 4, "more": {"answer": 5}}"#, "loose: Conflicting"),
        ("int", r#"{"result": {"answer": 4}, "final_answer": 5}"#, "loose: Conflicting"),
        ("cell", r#"{"answer": {"x": 1, "y": 2, "z": 3}}"#, r#"loose: WrongType {"x": 1, "y": 2, "z": 3}"#),
        ("cell", r#"{"answer": {"x": 1, "y": 2}, "z": 3}"#, r#"loose {"x":1,"y":2}"#),
        (
            "plan",
            r#"{"answer": [{"x": 1, "y": 2, "z": 3}]}"#,
            r#"loose: WrongType [{"x": 1, "y": 2, "z": 3}]"#,
        ),
    ]);
}

#[test]
fn broken_remains_are_not_the_empty_set() {
    check(&[
        ("bars", "The answer is [\"]", "none: Missing"),
        ("bars", "The answer is [\"\"]", "none: Missing"),
        ("bars", "The answer is []", "phrase []"),
        ("bars", "The answer is **{ }**.", "phrase []"),
        ("bars", "The answer is [", "none: Missing"),
        ("bars", "The answer is ]", "none: Missing"),
        ("bars", "The answer is \"\"", "none: Missing"),
        ("bars", "<answer></answer>", "none: Missing"),
        ("bars", r"\boxed{}", "none: Missing"),
        ("bars", r"\boxed{\{\}}", "phrase []"),
        ("bars", "\"", "none: Missing"),
        ("bars", r#"{"answer": "["}"#, r#"loose: Illegal "[""#),
        ("bars", r#"{"answer": "[\"]"}"#, r#"loose: Illegal "[\"]""#),
        ("bars", r#"{"answer": "[]"}"#, "loose []"),
        ("bars", r#"{"answer": [""]}"#, r#"strict: Illegal [""]"#),
    ]);
}
