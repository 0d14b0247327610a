use proptest::prelude::*;
use serde_json::{Value, json};
use topotrace_core::Flaw;
use topotrace_runner::session::Session;

fn no_files(_: &str, _: &[u8]) -> Result<String, Flaw> {
    Err(Flaw::new("no files here"))
}

/// Asks one question after another; returns the replies.
fn dialog(requests: &[Value]) -> Vec<Value> {
    let mut save = no_files;
    let mut session = Session::new(topotrace::registry(), &mut save);
    let answer = |request: &Value| serde_json::from_str(&session.answer(&request.to_string())).unwrap();
    requests.iter().map(answer).collect()
}

#[test]
fn an_episode_is_driven_to_its_goal() {
    let mut save = no_files;
    let mut session = Session::new(topotrace::registry(), &mut save);
    let mut ask = |request: Value| -> Value {
        let reply: Value = serde_json::from_str(&session.answer(&request.to_string())).unwrap();
        assert_eq!(reply["ok"], json!(true), "{request} {reply}");
        reply
    };
    let opened = ask(
        json!({"do": "reset", "task": "pipe", "tier": "easy", "seed": 5, "options": {"steps_left": true}}),
    );
    let (episode, budget) = (&opened["episode"], opened["budget"].as_u64().unwrap());
    let seen = ask(json!({"do": "observe", "episode": episode, "size": 128}));
    assert!(seen["prompt"].as_str().unwrap().contains(&format!("Steps left: {budget}.")));
    let png = seen["pictures"][0]["png"].as_str().unwrap();
    assert!(png.starts_with("iVBORw0KGgo"), "{png}");
    let nothing = ask(json!({"do": "observe", "episode": episode, "picture": "none"}));
    assert_eq!(nothing["pictures"], json!([]));

    let missed = ask(json!({"do": "step", "episode": episode, "response": "Let me think."}));
    assert_eq!((&missed["reason"], &missed["reward"]), (&json!("unreadable"), &json!(0.0)));
    let snapshot = ask(json!({"do": "snapshot", "episode": episode}))["snapshot"].clone();
    let copy = ask(json!({"do": "fork", "episode": episode}))["episode"].clone();
    let mut last = missed;
    loop {
        let action = ask(json!({"do": "advise", "episode": episode}))["action"].clone();
        if action.is_null() {
            break;
        }
        last =
            ask(json!({"do": "step", "episode": episode, "response": json!({"answer": action}).to_string()}));
    }
    assert_eq!(
        (&last["reward"], &last["terminated"], &last["truncated"]),
        (&json!(1.0), &json!(true), &json!(false))
    );
    let after = ask(json!({"do": "act", "episode": episode, "action": {"x": 0, "y": 0}}));
    assert_eq!(
        (&after["reason"], &after["reward"]),
        (&json!("ended"), &json!(0.0)),
        "the goal is rewarded once"
    );
    assert_eq!(ask(json!({"do": "legal", "episode": episode}))["actions"], json!([]));

    let restored = ask(json!({"do": "restore", "episode": episode, "snapshot": snapshot}));
    assert_eq!(restored["steps_left"], json!(budget - 1));
    let text = |reply: Value| reply["text"].clone();
    let same = text(ask(json!({"do": "text", "episode": episode})));
    assert_eq!(same, text(ask(json!({"do": "text", "episode": copy}))));
    let both = ask(
        json!({"do": "step_all", "episodes": [copy, episode], "responses": ["a", "{\"answer\":{\"x\":90,\"y\":0}}"]}),
    );
    let reasons: Vec<&Value> = both["steps"].as_array().unwrap().iter().map(|step| &step["reason"]).collect();
    assert_eq!(reasons, [&json!("unreadable"), &json!("illegal")]);
    ask(json!({"do": "close", "episode": copy}));
}

#[test]
fn half_a_character_is_a_response_like_another() {
    let mut save = no_files;
    let mut session = Session::new(topotrace::registry(), &mut save);
    session.answer(r#"{"do": "reset", "task": "pipe"}"#);
    let line = r#"{"do": "step", "episode": 0, "response": "\ud83d {\"answer\": {\"x\": 90, \"y\": 0}}"}"#;
    let reply: Value = serde_json::from_str(&session.answer(line)).unwrap();
    assert_eq!((&reply["ok"], &reply["reason"]), (&json!(true), &json!("illegal")), "{reply}");
}

#[test]
fn what_does_not_hold_is_named() {
    let cases = [
        (json!({"do": "reset", "task": "pip"}), "did you mean \"pipe\""),
        (json!({"do": "reset", "task": "maze-2d/reach"}), "only planning tasks"),
        (json!({"do": "reset", "task": "pipe", "tier": "huge"}), "easy, medium and hard"),
        (json!({"do": "reset", "task": "pipe", "tier": 3}), "1.25"),
        (json!({"do": "reset", "task": "pipe", "set": {"board": 99}}), "board 99 is not from 3 to 8"),
        (json!({"do": "reset", "task": "pipe", "theme": "plaid"}), "plaid"),
        (json!({"do": "reset", "task": "pipe", "item": {"state": 0}}), "no item of pipe"),
        (json!({"do": "reset", "task": "pipe", "trace": "{}"}), "the trace can't be read"),
        (
            json!({"do": "reset", "task": "pipe", "trace": "{}", "item": {}}),
            "item does not count beside trace",
        ),
        (
            json!({"do": "reset", "task": "pipe", "trace": "{}", "seed": 1}),
            "seed does not count beside trace",
        ),
        (
            json!({"do": "reset", "task": "pipe", "item": {}, "tier": "easy"}),
            "tier does not count beside item",
        ),
        (json!({"do": "reset", "task": "pipe", "trace": null}), "is null"),
        (
            json!({"do": "reset", "task": "pipe", "item": {}, "split": "test"}),
            "split does not count beside item",
        ),
        (json!({"do": "reset", "task": "pipe", "split": "all"}), "all"),
        (json!({"do": "reset", "task": "pipe", "sead": 1}), "sead"),
        (json!({"do": "reset"}), "task"),
        (json!({"do": "step", "episode": 7, "response": ""}), "no episode 7"),
        (json!({"do": "step_all", "episodes": [0], "responses": []}), "0 responses for 1 episodes"),
        (json!({"do": "step_all", "episodes": [0, 0], "responses": ["", ""]}), "episode 0 is named twice"),
        (json!({"do": "step_all", "episodes": [0, 9], "responses": ["", ""]}), "no episode 9"),
        (json!({"do": "observe", "episode": 0, "size": 8}), "64"),
        (json!({"do": "observe", "episode": 0, "picture": "file"}), "no files here"),
        (json!({"do": "restore", "episode": 0, "snapshot": "{}"}), "snapshot"),
        (json!({"do": "fly"}), "unknown variant"),
        (json!({"do": "tasks", "all": 1}), "all"),
        (json!([]), "request"),
    ];
    let mut requests = vec![json!({"do": "reset", "task": "pipe"})];
    requests.extend(cases.iter().map(|(request, _)| request.clone()));
    requests.push(json!({"do": "snapshot", "episode": 0}));
    let replies = dialog(&requests);
    for ((request, wanted), reply) in cases.iter().zip(&replies[1..]) {
        assert_eq!(reply["ok"], json!(false), "{request} {reply}");
        assert!(reply["error"].as_str().unwrap().contains(wanted), "{request}: {reply}");
    }
    let snapshot = replies.last().unwrap()["snapshot"].as_str().unwrap();
    assert!(snapshot.ends_with("\"log\":[]}"), "nothing was done: {snapshot}");
}

#[test]
fn seeds_keep_to_their_split_and_an_item_comes_as_text_or_as_it_is() {
    let split = |split: Option<&str>, seed: u64| {
        let mut request = json!({"do": "reset", "task": "pipe", "tier": "easy", "seed": seed});
        if let Some(split) = split {
            request["split"] = json!(split);
        }
        dialog(&[request])[0]["split"].clone()
    };
    for seed in 0..12 {
        assert_eq!(split(None, seed), json!("train"));
        assert_eq!(split(Some("test"), seed), json!("test"));
    }
    assert!((0..60).any(|seed| split(Some("any"), seed) != json!("train")));

    let task = topotrace::registry().get("pipe").unwrap();
    let (_, instance) = task.generator(&topotrace_core::Level::Easy.into()).unwrap().generate(4).unwrap();
    let as_text = json!({"do": "reset", "task": "pipe", "item": instance.item()});
    let item: Value = serde_json::from_str(&instance.item()).unwrap();
    let as_it_is = json!({"do": "reset", "task": "pipe", "item": item});
    let replies = dialog(&[as_text, as_it_is]);
    assert!(replies.iter().all(|reply| reply["id"] == json!(instance.id())), "{replies:?}");
}

proptest! {
    #[test]
    fn any_line_is_answered(line in prop_oneof![".{0,80}", "\\{\"do\": ?\"[a-z_]{0,9}\".{0,60}\\}"]) {
        let mut save = no_files;
        let mut session = Session::new(topotrace::registry(), &mut save);
        let reply: Value = serde_json::from_str(&session.answer(&line)).unwrap();
        prop_assert!(reply["ok"].is_boolean());
    }
}
