//! The subcommands of `bundle`, as their users meet them.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::support::{squad_lint, stderr, stdout, write};

/// A portable squad of two agents.
fn portable() -> Value {
    json!({
        "squad_format_version": "1.0",
        "exported_at": "2026-02-08T10:30:00Z",
        "exported_from": { "project": "app", "owner": "" },
        "casting": {
            "registry": { "agents": { "keaton": { "persistent_name": "Keaton", "status": "active" } } },
            "history": null,
            "policy": { "casting_policy_version": "1.1" },
        },
        "agents": {
            "keaton": { "charter": "# Keaton — Lead\n", "history": "# Keaton\n\n## Learnings\n\n- One\n- Two\n\n## Notes\n\nText.\n" },
            "scribe": { "charter": "# Scribe — Session Logger\n" },
        },
        "team": "# Team\n\n## Members\n\n| Name | Role |\n| --- | --- |\n| Keaton | Lead |\n",
        "routing": null,
        "ceremonies": null,
    })
}

fn bundle(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).arg("bundle").args(args).output().unwrap()
}

#[test]
fn what_differs_is_named_by_agent_and_section() {
    let folder = tempfile::tempdir().unwrap();
    let one = portable();
    let mut other = portable();
    other["exported_at"] = json!("2026-03-01T00:00:00Z");
    other["agents"]["keaton"]["history"] =
        json!("# Keaton\n\n## Learnings\n\n- One\n- Three\n- Four\n\n## Later\n\nMore.\n");
    other["agents"]["verbal"] = json!({ "charter": "# Verbal — Tester\n" });
    other["casting"]["registry"]["agents"]["keaton"]["status"] = json!("retired");
    other["casting"]["policy"] = json!(null);
    other["routing"] = json!("# Routing\n");
    write(folder.path(), "a.squad", one.to_string());
    write(folder.path(), "b.squad", other.to_string());
    let output = bundle(folder.path(), &["diff", "a.squad", "b.squad"]);
    let expected = "\
changed  agent keaton, history.md, ## Learnings (+2 -1)
added    agent keaton, history.md, ## Later (+3)
removed  agent keaton, history.md, ## Notes (-3)
added    agent verbal
changed  agent keaton, casting/registry.json
removed  casting/policy.json
added    routing.md (+1)
7 differences: 3 added, 2 removed, 2 changed
";
    assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(1)), "{}", stderr(&output));

    let output = bundle(folder.path(), &["diff", "a.squad", "b.squad", "--format", "json"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["from"], "a.squad");
    assert_eq!(
        printed["differences"][0],
        json!({ "change": "changed", "agent": "keaton", "file": "history.md", "section": "## Learnings", "added": 2, "removed": 1 })
    );

    let output = bundle(folder.path(), &["diff", "a.squad", "a.squad"]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("no differences\n", Some(0)));
}

#[test]
fn bundles_of_both_formats_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let one = portable();
    let export = json!({
        "version": "1.0",
        "casting": { "registry": one["casting"]["registry"], "policy": one["casting"]["policy"] },
        "agents": one["agents"],
        "team_md": one["team"],
        "skills": ["---\nname: release\n---\n\n# Release\n"],
    });
    write(folder.path(), "a.squad", one.to_string());
    write(folder.path(), "squad-export.json", export.to_string());
    let output = bundle(folder.path(), &["diff", "a.squad", "squad-export.json", "--quiet"]);
    assert_eq!(stdout(&output), "added    skills/release/SKILL.md (+5)\n");
}

#[test]
fn what_is_no_bundle_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.squad", portable().to_string());
    for (text, reason) in [
        (b"{}".as_slice(), "missing field `squad_format_version`"),
        (b"[team]", "invalid JSON"),
        (b"\xff", "line 1 is not UTF-8"),
    ] {
        write(folder.path(), "b.squad", text);
        let output = bundle(folder.path(), &["diff", "a.squad", "b.squad"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason) && stdout(&output).is_empty(), "{}", stderr(&output));
    }
    assert_eq!(bundle(folder.path(), &["diff", "a.squad", "gone.squad"]).status.code(), Some(2));
}

/// A project with a squad of three agents.
fn squad(folder: &Path) {
    for (path, text) in [
        (
            "team.md",
            "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n| --- | --- | --- | --- |\n\
                     | Keaton | Lead | agents/keaton/charter.md | Active |\n| Verbal | Tester | agents/verbal/charter.md | Active |\n\
                     | Scribe | Session Logger | agents/scribe/charter.md | Silent |\n\n## Project Context\n\n- **Stack:** Rust\n",
        ),
        ("routing.md", "# Routing\n\n| Work Type | Route To |\n| --- | --- |\n| Architecture | Keaton |\n"),
        ("decisions.md", "# Decisions\n\n- Secret of the project\n"),
        ("log/2026-02-08.md", "# Log\n\nSecret of the project\n"),
        (
            "casting/registry.json",
            "{\"agents\": {\"verbal\": {\"persistent_name\": \"Verbal\", \"status\": \"active\"},\n\
                                   \"keaton\": {\"persistent_name\": \"Keaton\", \"status\": \"active\"}}, \"imported_from\": {}}",
        ),
        ("agents/keaton/charter.md", "# Keaton — Lead\n\nDecides.\n"),
        (
            "agents/keaton/history.md",
            "# History of Keaton\n\n## Portable Context\n\n- Small changes\n\n## Project Context\n\n- Port 3000\n\n\
                                      ## Learnings\n\n- Names matter\n- [local] src/app/main.rs\n",
        ),
        ("agents/verbal/charter.md", "# Verbal — Tester\n\nTests.\n"),
        ("agents/scribe/charter.md", "# Scribe — Session Logger\n\nLogs.\n"),
        ("agents/scribe/history.md", "# History of Scribe\n\nSecret of the project\n"),
        ("agents/_alumni/edie/charter.md", "# Edie — Builder\n"),
    ] {
        write(folder, Path::new(".squad").join(path), text);
    }
}

const NOW: [&str; 2] = ["--now", "2026-03-01T00:00:00+0000"];

fn exported(folder: &Path, args: &[&str]) -> Value {
    let output = bundle(folder, &[&["export", "--out", "-"], &NOW[..], args].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn an_export_has_the_squad_and_not_the_project() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let found = exported(folder.path(), &[]);
    assert_eq!(found["exported_at"], "2026-03-01T00:00:00Z");
    assert_eq!(found["agents"].as_object().unwrap().keys().collect::<Vec<_>>(), ["keaton", "scribe", "verbal"]);
    assert_eq!(found["agents"]["scribe"], json!({ "charter": "# Scribe — Session Logger\n\nLogs.\n" }));
    assert_eq!(
        found["agents"]["keaton"]["history"],
        "# History of Keaton\n\n## Portable Context\n\n- Small changes\n\n## Learnings\n\n- Names matter\n"
    );
    assert!(found["casting"]["registry"]["imported_from"].is_null() && found["casting"]["policy"].is_null());
    assert!(found["ceremonies"].is_null() && !found["team"].as_str().unwrap().contains("Rust"));
    assert!(!found.to_string().contains("Secret"));
    // What is exported has no findings.
    write(folder.path(), "team.squad", found.to_string());
    let output = squad_lint(folder.path()).arg("team.squad").output().unwrap();
    assert_eq!(stdout(&output), "no problems found in 1 file\n");
}

#[test]
fn a_part_of_a_squad_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let found = exported(folder.path(), &["--agents", "Keaton", "--portable-only"]);
    assert_eq!(found["agents"].as_object().unwrap().keys().collect::<Vec<_>>(), ["keaton"]);
    assert_eq!(found["agents"]["keaton"]["history"], "# History of Keaton\n\n## Portable Context\n\n- Small changes\n");
    assert_eq!(found["casting"]["registry"]["agents"].as_object().unwrap().keys().collect::<Vec<_>>(), ["keaton"]);
    let team = found["team"].as_str().unwrap();
    assert!(team.contains("Keaton") && team.contains("Scribe") && !team.contains("Verbal"), "{team}");
    let output = bundle(folder.path(), &["export", "--agents", "edie"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("`keaton`"), "{}", stderr(&output));
}

#[test]
fn an_export_for_the_tool_of_squad_has_its_fields() {
    let folder = tempfile::tempdir().unwrap();
    squad(folder.path());
    let found = exported(folder.path(), &["--dialect", "cli"]);
    assert_eq!((&found["version"], &found["skills"]), (&json!("1.0"), &json!([])));
    assert_eq!(found["team"], found["team_md"]);
    assert!(!found.to_string().contains("Secret"));
    write(folder.path(), "squad-export.json", found.to_string());
    let output = squad_lint(folder.path()).arg("squad-export.json").output().unwrap();
    assert_eq!(stdout(&output), "no problems found in 1 file\n");
}

#[test]
fn an_export_replaces_nothing_and_refuses_errors() {
    let folder = tempfile::tempdir().unwrap();
    let output = bundle(folder.path(), &["export"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("there is no squad"), "{}", stderr(&output));
    squad(folder.path());
    let output = bundle(folder.path(), &[&["export"], &NOW[..]].concat());
    assert_eq!(stdout(&output), "exported 3 agents to squad-export.squad\n", "{}", stderr(&output));
    assert!(stderr(&output).contains("review the histories"));
    let output = bundle(folder.path(), &["export"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("is there already"), "{}", stderr(&output));
    write(folder.path(), ".squad/agents/con/charter.md", "# Con — Artist\n");
    let output = bundle(folder.path(), &["export", "--out", "b.squad"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("[bundle/unsafe-name]"), "{}", stderr(&output));
    assert!(!folder.path().join("b.squad").exists());
    assert!(bundle(folder.path(), &["export", "--out", "b.squad", "--allow-findings"]).status.success());
}
