use super::*;

const PORTABLE: &str = r##"{
  "squad_format_version": "1.0",
  "exported_at": "2026-02-08T10:30:00Z",
  "exported_from": { "project": "App", "owner": "" },
  "casting": { "registry": { "agents": {} }, "history": null, "policy": {} },
  "agents": { "keaton": { "charter": "# Keaton\n", "history": "# One\n\n\"two\"\n" }, "verbal": { "charter": "x", "history": null } },
  "team": "# Team\n",
  "routing": null,
  "log": []
}"##;

fn messages(text: &str) -> Vec<String> {
    let bundle = Bundle::parse(text);
    bundle.problems.iter().map(|problem| format!("{}: {}", problem.span.of(text), problem.message)).collect()
}

#[test]
fn a_portable_squad_and_its_parts() {
    let bundle = Bundle::parse(PORTABLE);
    assert_eq!(messages(PORTABLE), [""; 0]);
    assert_eq!(bundle.format, Some(Format::Portable));
    let names: Vec<_> = bundle.agents.iter().map(|agent| agent.key.value.as_str()).collect();
    assert_eq!(names, ["keaton", "verbal"]);
    let [keaton, verbal] = &bundle.agents[..] else { panic!("{bundle:?}") };
    let history = keaton.history.as_ref().unwrap();
    assert_eq!(history.value, "# One\n\n\"two\"\n");
    assert_eq!(history.span.of(PORTABLE), r##""# One\n\n\"two\"\n""##);
    let member = keaton.history_member.as_ref().unwrap();
    assert_eq!(member.whole.of(PORTABLE), r##", "history": "# One\n\n\"two\"\n""##);
    assert!(verbal.history.is_none() && verbal.history_member.is_none());
    assert_eq!(bundle.file("team.md").unwrap().value, "# Team\n");
    assert_eq!(bundle.others[0].whole.of(PORTABLE), ",\n  \"log\": []");
    assert_eq!(bundle.casting("policy").unwrap().value.of(PORTABLE), "{}");
}

#[test]
fn an_export_of_squad_and_its_parts() {
    let text = r#"{"version": "1.0", "exported_at": "x", "squad_version": "0.9", "casting": {"registry": 1}, "agents": {"a b": {"charter": "A"}},
        "skills": ["one"], "team_md": "T", "decisions_md": "D", "routing_md": "R", "team": "T", "decisions": "D"}"#;
    let bundle = Bundle::parse(text);
    assert_eq!(messages(text), [""; 0]);
    assert_eq!(bundle.format, Some(Format::Export));
    let files: Vec<_> = bundle.files.iter().map(|file| (file.name, file.text.value.as_str())).collect();
    assert_eq!(files, [("team.md", "T"), ("decisions.md", "D"), ("routing.md", "R")]);
    assert_eq!(bundle.skills[0].value, "one");
}

#[test]
fn what_is_wrong_with_a_bundle() {
    for (text, expected) in [
        ("", ": empty file, expected a JSON object"),
        ("[1]", "[: bundle is a list, expected an object"),
        ("{}", "{: missing field `squad_format_version`"),
        ("{\"a\": 1,}", "}: invalid JSON: trailing comma"),
        (
            "{\"version\": \"0.9\", \"casting\": {}, \"agents\": {\"a\": {\"charter\": \"A\"}}, \"skills\": []}",
            "\"0.9\": `version` is `0.9`, expected `1.0`",
        ),
        (
            "{\"version\": 1, \"casting\": {}, \"agents\": {\"a\": {\"charter\": \"A\"}}, \"skills\": []}",
            "1: `version` is a number, expected a string",
        ),
        (
            "{\"version\": \"1.0\", \"casting\": {}, \"agents\": {\"a\": {\"charter\": \"A\"}}}",
            "{: missing field `skills`",
        ),
        (
            "{\"version\": \"1.0\", \"casting\": {}, \"agents\": [], \"skills\": []}",
            "[: `agents` is a list, expected an object",
        ),
        (
            "{\"version\": \"1.0\", \"casting\": {}, \"agents\": {\"a\": {\"history\": null}}, \"skills\": []}",
            "null: `agents.a.history` is `null`, expected a string",
        ),
        (
            "{\"version\": \"1.0\", \"casting\": {}, \"agents\": {\"a\": {\"charter\": \"A\"}, \"a\": {}}, \"skills\": []}",
            "\"a\": duplicate key `a`",
        ),
        (
            "{\"version\": \"1.0\", \"casting\": {}, \"agents\": {\"a\": {\"charter\": \"A\"}}, \"skills\": [1]}",
            "1: `skills[0]` is a number, expected a string",
        ),
        ("{\"version\": \"1.0\", \"casting\": {}, \"agents\": {}, \"skills\": []}", "{: bundle has no agents"),
        (
            "{\"version\": \"1.0\", \"casting\": {}, \"agents\": {\"_alumni\": {}}, \"skills\": []}",
            "{: bundle has no agents",
        ),
        ("{\"version\": \"\\ud800\"}", ""),
    ] {
        let found = messages(text);
        match expected {
            "" => assert!(found[0].contains("invalid JSON"), "{found:?}"),
            expected => assert_eq!(found, [expected], "{text}"),
        }
    }
}

#[test]
fn a_file_of_another_program_is_no_bundle() {
    for text in ["", "[team]\nname = \"x\"\n", "# Squad"] {
        assert_eq!(Bundle::squad(text), Bundle::default(), "{text}");
    }
    assert_eq!(Bundle::squad(" {}").problems.len(), 1);
}
