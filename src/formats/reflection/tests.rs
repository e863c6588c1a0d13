use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;

/// One as the schema asks for.
fn good() -> Json {
    json!({
        "task_result": { "status": "completed", "summary": "Done.", "files_changed": ["src/a.rs"] },
        "reflection": { "what_worked": "a", "what_didnt": "b", "confidence": "high" },
        "suggested_learnings": [
            { "category": "gotcha", "content": "x" },
            { "category": "cross-agent", "content": "y", "for_agent": "backend" },
        ],
        "follow_up": { "needs_human": false },
    })
}

/// The problems of `text`: the place and the message of each.
fn problems(text: &str) -> Vec<(&str, String)> {
    let reflection = Reflection::parse(text);
    reflection.problems.iter().map(|problem| (problem.span.of(text), problem.message())).collect()
}

/// The problems of a good one in which the value at `pointer` is `value`.
fn with(pointer: &str, value: Json) -> Vec<(String, String)> {
    let mut json = good();
    *json.pointer_mut(pointer).unwrap() = value;
    let text = serde_json::to_string(&json).unwrap();
    problems(&text).into_iter().map(|(place, message)| (place.to_owned(), message)).collect()
}

fn one(place: &str, message: &str) -> Vec<(String, String)> {
    vec![(place.into(), message.into())]
}

#[test]
fn what_it_says() {
    let text = good().to_string();
    let reflection = Reflection::parse(&text);
    assert_eq!(reflection.problems, []);
    assert_eq!(reflection.status.unwrap().value, "completed");
    assert_eq!(reflection.files_changed[0].span.of(&text), "\"src/a.rs\"");
    let [own, other] = &reflection.learnings[..] else { panic!("{:?}", reflection.learnings) };
    assert_eq!((own.category, &own.for_agent), (Some(Category::Gotcha), &None));
    assert_eq!(
        (other.category, other.for_agent.as_ref().unwrap().value.as_str()),
        (Some(Category::CrossAgent), "backend")
    );
    assert!(other.span.of(&text).starts_with('{'));
}

#[test]
fn each_problem_has_its_place() {
    assert_eq!(
        with("/task_result/status", json!("complete")),
        one(
            "\"complete\"",
            "`task_result.status` is `complete`, expected `completed`, `partial`, `blocked` or `failed`"
        )
    );
    assert_eq!(
        with("/follow_up/needs_human", json!("no")),
        one("\"no\"", "`follow_up.needs_human` is a string, expected `true` or `false`")
    );
    assert_eq!(
        with("/suggested_learnings/1", json!(7)),
        one("7", "`suggested_learnings[1]` is a number, expected an object")
    );
    assert_eq!(
        with("/task_result/files_changed", json!(null)),
        one("null", "`task_result.files_changed` is `null`, expected a list")
    );
    assert_eq!(
        with("/suggested_learnings/0", json!({ "category": "gotcha" })),
        one("{", "missing key `content` in `suggested_learnings[0]`")
    );
    assert_eq!(with("/follow_up", json!({})), one("\"follow_up\"", "missing key `needs_human` in `follow_up`"));
    assert_eq!(
        with("/suggested_learnings/0", json!({ "category": "Codebase_Pattern", "contents": "x" })),
        [
            (
                "\"Codebase_Pattern\"".into(),
                "`suggested_learnings[0].category` is `Codebase_Pattern`, expected `codebase-pattern`, `gotcha`, \
                 `preference` or `cross-agent`"
                    .into()
            ),
            ("\"contents\"".into(), "unknown key `suggested_learnings[0].contents`, expected `content`".into()),
        ]
    );
    assert_eq!(
        with("/follow_up", json!({ "needs_human": true, "mood": 1 })),
        one("\"mood\"", "unknown key `follow_up.mood`, expected `blocked_by`, `suggested_next` or `needs_human`")
    );
    assert_eq!(problems("[1]"), [("[1]", "the reflection is a list, expected an object".into())]);
    let missing = problems("{}");
    assert_eq!(missing.len(), 4);
    assert_eq!(missing[0], ("{", "missing key `task_result` in the reflection".into()));
}

#[test]
fn did_you_mean() {
    for (word, near) in [
        ("complete", Some("completed")),
        ("COMPLETED", Some("completed")),
        ("done", None),
        ("block", None),
        (&"x".repeat(100_000), None),
    ] {
        assert_eq!(nearest(word, shape::STATUSES, Tolerance::Help), near, "{}", shortened(word));
    }
    assert_eq!(nearest("cross agent", shape::CATEGORIES, Tolerance::Help), Some("cross-agent"));
}

#[test]
fn a_key_given_twice() {
    let text = good().to_string().replacen("\"summary\"", "\"status\":\"failed\",\"summary\"", 1);
    let reflection = Reflection::parse(&text);
    let [problem] = &reflection.problems[..] else { panic!("{:?}", reflection.problems) };
    assert_eq!(problem.message(), "duplicate key `task_result.status`, only this one counts");
    assert!(problem.related().unwrap().0.start < problem.span.start);
}

#[test]
fn what_is_no_json_has_one_problem() {
    let deep = "[".repeat(10_000);
    let huge = format!("{{\"a\": \"{}", "x".repeat(5_000_000));
    for (text, message) in [
        ("", "empty input, expected a reflection"),
        (" \n\u{feff}", " invalid JSON: expected a value"),
        ("\u{feff} \n", "empty input, expected a reflection"),
        ("{\"a\":1,}", "invalid JSON: trailing comma"),
        ("{\"a\":\"\u{0}\"}", "invalid JSON: control character in a string, expected an escape"),
        (&deep, "invalid JSON: values nested deeper than 128 levels"),
        (&huge, "invalid JSON: the string is never closed"),
    ] {
        let found = Reflection::parse(text).problems;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message(), message.trim_start());
    }
    let text = format!("\u{feff}{}", good());
    assert_eq!(problems(&text), []);
    assert_eq!(Reflection::parse(&text).files_changed[0].span.of(&text), "\"src/a.rs\"");
}

#[test]
fn what_claude_prints() {
    let good = good();
    let result = |rest: Json| {
        let mut object = json!({ "type": "result", "subtype": "success", "is_error": false, "session_id": "x" });
        object.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        object
    };
    let structured = result(json!({ "result": "Done.", "structured_output": good }));
    let as_text = result(json!({ "result": good.to_string() }));
    let fenced = format!("Here it is \u{1F680}:\n\n```json\n{good:#}\n```\nBye.");
    let fenced = result(json!({ "result": fenced, "structured_output": null }));
    let verbose = json!([{ "type": "system", "subtype": "init" }, { "type": "assistant" }, structured]);
    let stream = format!("{}\n{}\n{structured}\n", json!({ "type": "system" }), json!({ "type": "assistant" }));
    for text in [structured.to_string(), as_text.to_string(), fenced.to_string(), verbose.to_string(), stream] {
        let reflection = Reflection::parse(&text);
        assert_eq!(reflection.problems, [], "{text}");
        let place = reflection.files_changed[0].span.of(&text);
        assert_eq!(place.trim_matches(['\\', '"']), "src/a.rs", "{place}");
    }
    // Places are true in a text within a text, too.
    let wrong = result(json!({ "result": good.to_string().replace("\"gotcha\"", "\"gotchá\"") })).to_string();
    let found = problems(&wrong);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "\\\"gotchá\\\"");

    let failed = result(json!({ "subtype": "error_max_turns", "is_error": true })).to_string();
    assert_eq!(problems(&failed), [("\"error_max_turns\"", "claude did not finish: `error_max_turns`".into())]);
    let failed = result(json!({ "is_error": true, "result": "Credit balance is too low" })).to_string();
    assert_eq!(problems(&failed), [("true", "claude did not finish: `Credit balance is too low`".into())]);
    let prose = result(json!({ "result": "Done." })).to_string();
    assert_eq!(problems(&prose), [("\"Done.\"", "claude's answer contains no reflection".into())]);
    let broken = result(json!({ "result": "{\"task_result\": x}" })).to_string();
    assert_eq!(problems(&broken), [("x", "invalid JSON: expected a value".into())]);
}

#[test]
fn the_schema_is_that_of_the_specification() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&good()));
    assert_eq!(schema["required"], json!(["task_result", "reflection", "suggested_learnings", "follow_up"]));
    let follow_up = &schema["properties"]["follow_up"];
    assert_eq!(follow_up["required"], json!(["needs_human"]));
    assert_eq!(follow_up["properties"]["suggested_next"]["description"], json!("Recommended next task or action"));
}

/// Any JSON, with the words of a reflection in it now and then.
fn value() -> impl Strategy<Value = Json> {
    let words = prop::sample::select(vec![
        "task_result",
        "status",
        "completed",
        "follow_up",
        "needs_human",
        "suggested_learnings",
        "category",
        "gotcha",
        "content",
        "type",
        "result",
        "structured_output",
        "summary",
        "files_changed",
        "reflection",
    ]);
    let word = prop_oneof![3 => words.prop_map(str::to_owned), 1 => any::<String>()];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i32>().prop_map(Json::from),
        word.clone().prop_map(Json::String),
    ];
    leaf.prop_recursive(5, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|entries| entries.into_iter().collect()),
        ]
    })
}

/// A good one with something else in one place.
fn mutated() -> impl Strategy<Value = Json> {
    let places = vec![
        "/task_result",
        "/task_result/status",
        "/task_result/files_changed",
        "/task_result/files_changed/0",
        "/reflection",
        "/reflection/confidence",
        "/suggested_learnings",
        "/suggested_learnings/0",
        "/suggested_learnings/1/for_agent",
        "/follow_up",
        "/follow_up/needs_human",
    ];
    (prop::sample::select(places), value()).prop_map(|(place, value)| {
        let mut json = good();
        *json.pointer_mut(place).unwrap() = value;
        json
    })
}

proptest! {
    #[test]
    fn spans_lie_inside_and_in_order(text in prop_oneof![any::<String>(), value().prop_map(|json| json.to_string())]) {
        let reflection = Reflection::parse(&text);
        prop_assert!(reflection.problems.windows(2).all(|pair| pair[0].span.start <= pair[1].span.start));
        for problem in &reflection.problems {
            prop_assert!(text.get(problem.span.start()..problem.span.end()).is_some());
        }
    }

    #[test]
    fn it_agrees_with_a_schema_validator(json in prop_oneof![mutated(), value()], pretty in any::<bool>()) {
        prop_assume!(json.get("type") != Some(&json!("result")) && !json.is_array());
        let text = if pretty { format!("{json:#}") } else { json.to_string() };
        let valid = jsonschema::validator_for(&schema()).unwrap().is_valid(&json);
        let reflection = Reflection::parse(&text);
        prop_assert_eq!(reflection.is_valid(), valid, "{:?}", reflection.problems);
    }

    #[test]
    fn what_is_cut_off_is_told(at in 0_usize..1000) {
        let text = good().to_string();
        let at = at % text.len();
        let reflection = Reflection::parse(&text[..at]);
        prop_assert_eq!(reflection.problems.len(), 1);
    }
}
