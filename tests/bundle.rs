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
