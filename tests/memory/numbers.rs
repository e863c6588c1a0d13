//! `health` and `stats`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::corpus::repositories;
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
    assert_eq!(topics(&health), ["expiring-soon", "cites-superseded", "superseded"]);
    assert_eq!((&health["entries"], &health["in_force"]), (&7.into(), &6.into()));
    let later = squad_lint(folder.path())
        .args(["health", "--root", ".", "--now", "2026-03-20", "--format", "json"])
        .output()
        .unwrap();
    assert_eq!(topics(&serde_json::from_str(&stdout(&later)).unwrap()), ["expired", "superseded"]);
    assert_eq!(topics(&json(folder.path(), &["health", "--soon", "5"])), ["cites-superseded", "superseded"]);
}

#[test]
fn health_names_the_entry_that_expired() {
    let folder = demo();
    let output = squad_lint(folder.path()).args(["health", "--root", ".", "--now", "2026-03-20"]).output().unwrap();
    let said = stdout(&output);
    assert!(said.contains("days ago: Exports go to the old bucket\n"), "{said}");
}

/// The files that health says can be archived, and those from which `memory archive` moves entries.
fn archived(folder: &Path) -> (BTreeSet<String>, BTreeSet<String>) {
    let health = json(folder, &["health"]);
    let items = health["items"].as_array().unwrap().iter().filter(|item| item["topic"] == "archive");
    let said = items.map(|item| item["path"].as_str().unwrap().to_owned()).collect();
    let output = stdout(&run(folder, &["memory", "archive", "--diff"]));
    let mut path = "";
    let mut changed = BTreeSet::new();
    for line in output.lines() {
        match line.strip_prefix("+++ b/") {
            Some(name) => path = name,
            None if line.starts_with('-') && !line.starts_with("---") => drop(changed.insert(path.to_owned())),
            None => {}
        }
    }
    (said, changed)
}

#[test]
fn health_and_archive_agree() {
    let folder = demo();
    let folder = folder.path();
    let entry = |year: u32, day: usize| {
        let text = "Text of an entry. ".repeat(40);
        format!(
            "### {year}-{:02}-{:02}: Number {day}\n**By:** Keaton\n**What:** {text}\n\n",
            1 + day / 28,
            1 + day % 28
        )
    };
    let file = |year| format!("# Decisions\n\n{}", (0..80).map(|day| entry(year, day)).collect::<String>());
    write(folder, ".squad/decisions.md", file(2025));
    // The entries of one file are all of the future, and stay.
    write(folder, ".squad/agents/keaton/history.md", file(2027));
    let ledger: BTreeSet<String> = [".squad/decisions.md".to_owned()].into();
    assert_eq!(archived(folder), (ledger.clone(), ledger.clone()));
    let health = json(folder, &["health"]);
    assert!(topics(&health).contains(&"too-large"), "{health}");
    // Whatever the configuration makes of the rule.
    write(folder, "squad-lint.toml", "[rules]\n\"memory/file-too-large\" = \"off\"\n");
    assert_eq!(archived(folder), (ledger.clone(), ledger));
    write(folder, ".squad/decisions.md", format!("{}<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n", file(2025)));
    assert_eq!(archived(folder), (BTreeSet::new(), BTreeSet::new()));
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn health_and_archive_agree_on_real_repositories() {
    let mut all = 0;
    for folder in repositories() {
        let (said, changed) = archived(&folder);
        assert_eq!(said, changed, "{}", folder.display());
        all += said.len();
    }
    eprintln!("{all} files can be archived");
}

#[test]
fn stats_say_what_they_do_not_show() {
    let folder = demo();
    let folder = folder.path();
    let one = |at: &str| entry(at, "note", "Keaton", "One", "");
    let old = ["2025-01-06", "2025-01-07", "2025-02-03"].map(|day| one(&format!("{day}T00:00:00+0000"))).concat();
    write(folder, ".squad/decisions.md", old + &one("2026-02-16T00:00:00+0000"));
    let said = stdout(&run(folder, &["stats"]));
    assert!(said.contains("  3 entries in 2 weeks before 20"), "{said}");
    let weeks = json(folder, &["stats"])["weeks"].as_array().unwrap().clone();
    assert!(weeks.iter().any(|week| week["monday"] == "2025-01-06" && week["entries"] == 2));
    let empty = tempfile::tempdir().unwrap();
    write(empty.path(), ".squad/team.md", "# Team\n");
    assert_eq!(stdout(&run(empty.path(), &["stats"])), "no entries\n");
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
        loads.iter().map(|load| format!("{} ({})", load["agent"].as_str().unwrap(), load["tokens"])).collect();
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
    assert!(stderr(&output).contains("it is part of the state of a team"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(repo.path.join(".squad/decisions.md")).unwrap(), ledger);
    for part in [
        "<svg",
        "<polyline",
        "<details>",
        "<th scope=\"row\">keaton</th>",
        ".squad/decisions.md",
        "prefers-color-scheme: dark",
        // A long number at an axis is not cut on a phone.
        "overflow: visible",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("http") && !page.contains("<script") && !page.contains("url("));
}

#[test]
fn numbers_on_the_page_are_as_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let text = ["2026-02-02", "2026-02-03"].map(|day| {
        let stamp = |hour: u32| format!("{day}T{hour:02}:00:00+0000");
        let memory = entry(&stamp(1), "memory", "keaton", "One", "");
        let decision = entry(&stamp(2), "decision", "keaton", "Two", "");
        if day == "2026-02-02" { format!("{memory}{decision}") } else { memory }
    });
    write(folder.path(), ".squad/decisions.md", text.concat());
    assert_eq!(run(folder.path(), &["stats", "--html", "page.html"]).status.code(), Some(0));
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    for part in [
        "<b>3</b> entries</li>",
        "<b>1</b> decision</li>",
        "<b>2</b> memories</li>",
        "2026-02-02: 1 decision</title>",
        "2026-02-02: 2 memories</title>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn a_name_is_text_on_the_page() {
    let folder = demo();
    let evil = "<img src=x onerror=alert(1)>\u{202e}";
    write(folder.path(), ".squad/decisions.md", entry("2026-02-01T00:00:00+0000", "note", evil, "One", ""));
    // As for reports, the folder is made.
    assert_eq!(run(folder.path(), &["stats", "--html", "new/page.html"]).status.code(), Some(0));
    let page = fs::read_to_string(folder.path().join("new/page.html")).unwrap();
    assert!(page.contains("&lt;img") && !page.contains("<img") && !page.contains('\u{202e}'));
}
