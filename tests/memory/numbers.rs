//! `health` and `stats`.

use std::fs;

use serde_json::Value;

use super::{demo, entry, json, run};
use crate::support::repo::Repo;
use crate::support::{NOW, squad_lint, stderr, stdout, write};

fn topics(health: &Value) -> Vec<&str> {
    health["items"].as_array().unwrap().iter().map(|item| item["topic"].as_str().unwrap()).collect()
}

#[test]
fn health_is_about_age_references_and_size() {
    let folder = demo();
    let health = json(folder.path(), &["health"]);
    assert_eq!(topics(&health), ["expiring-soon", "cites-superseded", "archive"]);
    assert_eq!((&health["entries"], &health["in_force"]), (&7.into(), &6.into()));
    let later = squad_lint(folder.path())
        .args(["health", "--root", ".", "--now", "2026-03-20", "--format", "json"])
        .output()
        .unwrap();
    assert_eq!(topics(&serde_json::from_str(&stdout(&later)).unwrap()), ["expired", "archive"]);
    assert_eq!(topics(&json(folder.path(), &["health", "--soon", "5"])), ["cites-superseded", "archive"]);
}

#[test]
fn health_ends_as_a_check_does() {
    let folder = demo();
    for (args, code) in
        [(&["health"][..], 0), (&["health", "--fail-on", "warning"], 1), (&["health", "--fail-on", "info"], 1)]
    {
        assert_eq!(run(folder.path(), args).status.code(), Some(code), "{args:?}");
    }
    write(folder.path(), "squad-lint.toml", "fail-on = \"warning\"\n");
    assert_eq!(run(folder.path(), &["health"]).status.code(), Some(1));
    write(
        folder.path(),
        "squad-lint.toml",
        "[memory]\nmax-context-tokens = 100\n[rules]\n\"memory/context-budget\" = \"error\"\n",
    );
    let health = json(folder.path(), &["health"]);
    assert!(topics(&health).contains(&"budget"));
    assert_eq!(run(folder.path(), &["health"]).status.code(), Some(1));
}

#[test]
fn the_rule_and_the_report_count_the_same_tokens() {
    let folder = demo();
    write(folder.path(), "squad-lint.toml", "[memory]\nmax-context-tokens = 100\n");
    let health = json(folder.path(), &["health"]);
    let loads = health["loads"].as_array().unwrap();
    let counts: Vec<String> =
        loads.iter().map(|load| format!("{} {}", load["agent"].as_str().unwrap(), load["tokens"])).collect();
    let output = stdout(&run(folder.path(), &["--select", "memory/context-budget"]));
    assert!(counts.iter().all(|count| output.contains(count)), "{counts:?}: {output}");
    let files: u64 = loads[0]["files"].as_array().unwrap().iter().map(|file| file["tokens"].as_u64().unwrap()).sum();
    assert_eq!(loads[0]["tokens"], files);
}

#[test]
fn stats_count_entries_and_follow_files_through_commits() {
    let repo = Repo::new();
    let one = entry("2026-02-02T00:00:00+0000", "decision", "Keaton (Lead)", "One", "");
    let two = entry("2026-02-10T00:00:00+0000", "note", "keaton", "Two", "**scope:** project  ");
    repo.write(".squad/decisions.md", &one);
    repo.git(&["add", "--all"]);
    let commit = |message: &str, at: &str| {
        repo.git(&["add", "--all"]);
        let output = crate::support::git(&repo.path)
            .args(["commit", "--quiet", "--no-verify", "-m", message])
            .env("GIT_COMMITTER_DATE", at)
            .env("GIT_AUTHOR_DATE", at)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    commit("one", "2026-02-02T12:00:00Z");
    repo.write(".squad/decisions.md", format!("{one}{two}"));
    commit("two", "2026-02-10T12:00:00Z");
    let output = squad_lint(&repo.path).args(["stats", "--now", NOW, "--format", "json"]).output().unwrap();
    let stats: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(
        stats["authors"][0],
        serde_json::json!({"author": "keaton", "entries": 2, "types": {"decision": 1, "note": 1}})
    );
    let mondays: Vec<&str> =
        stats["weeks"].as_array().unwrap().iter().map(|week| week["monday"].as_str().unwrap()).collect();
    assert_eq!(mondays, ["2026-02-02", "2026-02-09"]);
    assert_eq!(stats["scopes"], serde_json::json!({"team": 1, "project": 1}));
    let (before, after) = (one.len(), one.len() + two.len());
    let history = serde_json::json!([{"date": "2026-02-02", "bytes": before}, {"date": "2026-02-10", "bytes": after}]);
    assert_eq!(
        stats["files"],
        serde_json::json!([{"path": ".squad/decisions.md", "bytes": after, "history": history}])
    );

    // The page has all of it, and nothing from elsewhere.
    let output = squad_lint(&repo.path).args(["stats", "--now", NOW, "--html", "page.html"]).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "wrote page.html\n"));
    let page = fs::read_to_string(repo.path.join("page.html")).unwrap();
    // No file of the team or of git is replaced.
    let ledger = fs::read_to_string(repo.path.join(".squad/decisions.md")).unwrap();
    let output = squad_lint(&repo.path).args(["stats", "--html", ".squad/decisions.md"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("it is one of the files that a team keeps"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(repo.path.join(".squad/decisions.md")).unwrap(), ledger);
    for part in [
        "<svg",
        "<polyline",
        "<details>",
        "<th scope=\"row\">keaton</th>",
        ".squad/decisions.md",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("http") && !page.contains("<script") && !page.contains("url("));
}

#[test]
fn a_name_is_text_on_the_page() {
    let folder = demo();
    let evil = "<img src=x onerror=alert(1)>\u{202e}";
    write(folder.path(), ".squad/decisions.md", entry("2026-02-01T00:00:00+0000", "note", evil, "One", ""));
    assert_eq!(run(folder.path(), &["stats", "--html", "page.html"]).status.code(), Some(0));
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("&lt;img") && !page.contains("<img") && !page.contains('\u{202e}'));
}
