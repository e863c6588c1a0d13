//! `memory`, `health` and `stats` as their users meet them.

#[path = "memory/conflicts.rs"]
mod conflicts;
#[path = "memory/corpus.rs"]
mod corpus;
#[path = "memory/fast.rs"]
mod fast;
#[path = "memory/numbers.rs"]
mod numbers;
#[path = "memory/sections.rs"]
mod sections;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::repo::Repo;
use crate::support::{NOW, files_below, project, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

/// The sample of the page on memories.
fn demo() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = project().join("tests/demo-memory");
    for path in files_below(&sample) {
        write(folder.path(), &path, fs::read(sample.join(&path)).unwrap());
    }
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).args(args).args(["--root", ".", "--now", NOW]).output().unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, &[args, &["--format", "json"]].concat());
    assert!(output.status.code() != Some(2), "{args:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// The lines of the entries that a query finds in their files, in the order of the answer.
fn lines(folder: &Path, args: &[&str]) -> Vec<u64> {
    let found = json(folder, &[&["memory"], args].concat());
    found["entries"].as_array().unwrap().iter().map(|entry| entry["line"].as_u64().unwrap()).collect()
}

/// An SEM entry with further fields.
fn entry(at: &str, kind: &str, author: &str, summary: &str, fields: &str) -> String {
    format!(
        "### {at}: {kind}: {summary}\n\n**type:** {kind}  \n**timestamp:** {at}  \n**author:** {author}  \n{fields}\n\
         **summary:** {summary}.\n\n**rationale:** Because.\n\n---\n\n"
    )
}

#[test]
fn each_filter_finds_what_it_says() {
    let folder = demo();
    let at = folder.path();
    for (args, expected) in [
        (&[][..], &[1, 3, 56, 44, 23, 10, 3][..]),
        (&["--type", "directive"], &[44]),
        (&["--type", "directive,note"], &[1, 44]),
        (&["--author", "KEATON"], &[23, 3]),
        (&["--author", "Keaton", "--author", "@brady"], &[44, 23, 3]),
        (&["--scope", "project"], &[1]),
        (&["--scope", "agent:verbal"], &[3]),
        (&["--for", "keaton"], &[1, 56, 44, 23, 10, 3]),
        (&["--for", "verbal", "--type", "memory"], &[3]),
        (&["--tag", "Testing"], &[3]),
        (&["--tag", "testing,storage"], &[3, 23, 10]),
        (&["--after", "2026-02-24"], &[1, 3, 56]),
        (&["--before", "2026-02-02"], &[3]),
        (&["--after", "2026-02-18T16:05:01Z", "--before", "2026-02-24T08:15:00+0000"], &[44]),
        (&["--recent", "3d"], &[1, 3]),
        (&["--recent", "48h"], &[1]),
        (&["--recent", "1w"], &[1, 3, 56]),
        (&["--related", "issue:18"], &[23]),
        (&["--related", "#18"], &[23]),
        (&["--related", "pr:18"], &[]),
        (&["--related", "2026-02-02T10:30:00+0100"], &[56, 23]),
        (&["--text", "POSTGRES"], &[23]),
        (&["--superseded"], &[10]),
        (&["--in-force", "--tag", "ledger"], &[3, 23]),
        (&[".squad/agents"], &[3]),
        (&[".squad/decisions.md", "--type", "decision", "--text", "floating"], &[3]),
    ] {
        assert_eq!(lines(at, args), expected, "{args:?}");
    }
}

#[test]
fn recent_is_up_to_now() {
    let folder = demo();
    let at = |now: &str| {
        let args = ["memory", "--recent", "3d", "--root", ".", "--now", now, "--format", "json"];
        let output = squad_lint(folder.path()).args(args).output().unwrap();
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let entries = found["entries"].as_array().unwrap();
        entries.iter().map(|entry| entry["line"].as_u64().unwrap()).collect::<Vec<u64>>()
    };
    // The entry of 2026-02-18T16:05:00 is at line 23.
    assert_eq!(at("2026-02-18T16:04:59Z"), Vec::<u64>::new());
    assert_eq!(at("2026-02-18T16:05:00Z"), [23]);
    assert_eq!(at("2026-02-21T16:05:00Z").iter().filter(|line| **line == 23).count(), 1);
    assert_eq!(at("2026-02-21T16:05:01Z").iter().filter(|line| **line == 23).count(), 0);
}

#[test]
fn an_entry_says_everything_in_json() {
    let folder = demo();
    let found = json(folder.path(), &["memory", "--superseded"]);
    assert_eq!(found["version"], 1);
    let expected = serde_json::json!({
        "path": ".squad/decisions.md", "line": 10, "end_line": 19, "format": "sem", "type": "decision",
        "timestamp": "2026-02-02T09:30:00+0000", "date": "2026-02-02", "author": "Verbal", "contributors": [],
        "scope": "team", "tags": ["ledger", "storage"], "summary": "The ledger is kept in Redis", "related": [],
        "supersedes": null, "superseded_by": "2026-02-18T16:05:00+0000", "expires": null, "expired": false, "archived": false,
        "in_conflict": false,
        "loaded": true, "in_force": false, "sections": [],
    });
    assert_eq!(found["entries"], serde_json::json!([expected]));
    let legacy = &json(folder.path(), &["memory", "--before", "2026-02-01"])["entries"][0];
    assert_eq!(
        (&legacy["format"], &legacy["timestamp"], &legacy["date"]),
        (&"legacy".into(), &Value::Null, &"2026-01-12".into())
    );
}

#[test]
fn every_format_has_the_same_entries() {
    let folder = demo();
    let print = |format: &str| stdout(&run(folder.path(), &["memory", "--type", "decision", "--format", format]));
    assert_eq!(print("text").lines().count(), 4);
    assert_eq!(print("md").lines().count(), 4 + 2);
    assert_eq!(print("csv").split("\r\n").filter(|line| !line.is_empty()).count(), 4 + 1);
    let rows: Vec<Value> = print("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let list: Value = serde_json::from_str(&print("json")).unwrap();
    assert_eq!(Value::from(rows), list["entries"]);
}

#[test]
fn a_list_fits_the_terminal() {
    let folder = demo();
    for width in [40, 60, 80, 100, 200] {
        let output = squad_lint(folder.path())
            .args(["memory", "--root", ".", "--now", NOW])
            .env("COLUMNS", width.to_string())
            .output()
            .unwrap();
        let text = stdout(&output);
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
        assert!(text.contains("Never"), "{width}:\n{text}");
    }
}

#[test]
fn an_unknown_name_is_an_error_that_names_the_one_that_is_meant() {
    let folder = demo();
    for (args, expected) in [
        (&["memory", "--for", "keton"][..], "did you mean `keaton`?"),
        (&["memory", "brief", "--for", "verball"], "did you mean `verbal`?"),
        (&["memory", "--author", "kaeton"], "did you mean `Keaton`?"),
        (&["memory", "--author", "zorro"], "authors are `Brady`, `Keaton`, `Verbal`\n"),
        (&["memory", "--scope", "agent:verbl"], "did you mean `verbal`?"),
        (&["memory", "--for", "zorro"], "the team has `brady`, `keaton`, `verbal`"),
        (&["memory", "--scope", "everybody"], "a scope is `team`"),
        (&["memory", "--recent", "7x"], "expected a number and `h`, `d` or `w`"),
        (&["memory", "--recent", "99999999999w"], "expected a number of at most 4294967295"),
        (&["memory", "--tag", ""], "expected a tag"),
        (&["memory", "--tag", "ledger,"], "expected a tag"),
        (&["memory", "--related", " "], "expected `issue:18`"),
        (&["memory", "--related", "issue:"], "expected `issue:18`"),
        (&["memory", "--related", "foo"], "expected `issue:18`"),
        (&["memory", "--related", "2026-02-30T10:30:00Z"], "expected `issue:18`"),
        (&["memory", "--text", ""], "expected a text"),
        (
            &["memory", "show", "2026-02-18T16:05:00"],
            "write `2026-02-18T16:05:00Z`, which is the timestamp of an entry",
        ),
        (&["memory", "show", "2026-02-18T16:05:01"], "has no offset from UTC"),
        (&["memory", "--after", "tomorrow"], "expected a day or a timestamp"),
        (&["memory", "show", "2026-02-18T16:06:00+0000"], "the nearest one is of `2026-02-18T16:05:00+0000`"),
        (&["memory", "show", ".squad/decisions.md:2"], "no entry at"),
        (&["memory", "show", "x"], "neither a timestamp nor the place"),
        (&["memory", "brief", "--for", "keaton", "--budget", "0"], "a budget of 0 tokens leaves no room for a brief"),
        (&["memory", "brief", "--for", "keaton", "--budget", "7"], "is too small"),
        (&["memory", "breif"], "did you mean `squad-lint memory brief`?"),
        (&["chek"], "did you mean `squad-lint check`?"),
        (&["memory", "no-such-file.md"], "cannot open no-such-file.md"),
    ] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    // An agent that every squad has, a person, and an author who has written nothing.
    for args in [
        &["memory", "--for", "Scribe"][..],
        &["memory", "--for", "brady"],
        &["memory", "--author", "brady", "--type", "note"],
    ] {
        assert_eq!(run(folder.path(), args).status.code(), Some(0), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_answer_without_a_ledger_that_is_a_link_out_of_the_repository_is_not_all_of_it() {
    let (folder, elsewhere) = (demo(), tempfile::tempdir().unwrap());
    let (ledger, target) = (folder.path().join(".squad/decisions.md"), elsewhere.path().join("decisions.md"));
    fs::rename(&ledger, &target).unwrap();
    std::os::unix::fs::symlink(&target, &ledger).unwrap();
    let log = folder.path().join(".squad/log");
    std::os::unix::fs::symlink(elsewhere.path(), log).unwrap();
    for args in [
        &["memory"][..],
        &["memory", "--text", "ledger"],
        &["memory", "brief", "--for", "verbal"],
        &["memory", ".squad"],
        &["stats"],
        &["health"],
    ] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let expected = "cannot read .squad/decisions.md: a symbolic link leads out of the repository";
        assert_eq!(stderr(&output).matches("cannot read").count(), 1, "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
    // What was asked for is all there.
    assert_eq!(run(folder.path(), &["memory", ".squad/agents"]).status.code(), Some(0));
}

#[test]
fn an_entry_without_a_date_is_kept_and_comes_last() {
    let folder = demo();
    write(folder.path(), ".squad/decisions/inbox/undated.md", "### Use one colour\n**By:** Verbal\n**What:** Blue.\n");
    let found = json(folder.path(), &["memory"]);
    let last = found["entries"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["summary"], &last["date"]), (&"Use one colour".into(), &Value::Null));
    assert!(stdout(&run(folder.path(), &["memory"])).lines().last().unwrap().starts_with("-  "));
    assert_eq!(lines(folder.path(), &["--before", "2030-01-01"]).len(), 7);
}

#[test]
fn a_chain_is_shown_from_the_first_entry_to_the_one_that_applies() {
    let folder = demo();
    let (first, second, third) = ("2026-02-01T00:00:00+0000", "2026-02-02T00:00:00+0000", "2026-02-03T00:00:00+0000");
    let supersedes = |at: &str| format!("**supersedes:** {at}  ");
    let text = [
        entry(first, "decision", "Keaton", "One", ""),
        entry(second, "decision", "Keaton", "Two", &supersedes(first)),
        entry(third, "decision", "Keaton", "Three", &supersedes(second)),
        // Two that replace each other.
        entry("2026-02-04T00:00:00+0000", "note", "Keaton", "Four", &supersedes("2026-02-05T00:00:00+0000")),
        entry("2026-02-05T00:00:00+0000", "note", "Keaton", "Five", &supersedes("2026-02-04T00:00:00+0000")),
    ];
    write(folder.path(), ".squad/decisions.md", text.concat());
    for at in [first, second, third] {
        let shown = json(folder.path(), &["memory", "show", at]);
        let chain: Vec<&str> = shown["entries"][0]["chain"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["summary"].as_str().unwrap())
            .collect();
        assert_eq!(chain, ["One", "Two", "Three"], "{at}");
    }
    let circle = json(folder.path(), &["memory", "show", "2026-02-05T00:00:00+0000"]);
    assert!(circle["entries"][0]["chain"].as_array().unwrap().len() <= 2);
    // The same moment in another offset.
    let text = stdout(&run(folder.path(), &["memory", "show", "2026-02-02T01:00:00+01:00"]));
    assert!(text.contains("* 2026-02-02T00:00:00+0000  decision  Two"), "{text}");
}

#[test]
fn a_revision_is_asked_as_it_was() {
    let repo = Repo::new();
    repo.write(".squad/decisions.md", entry("2026-02-01T00:00:00+0000", "decision", "Keaton", "Old", ""));
    repo.commit("one");
    repo.write(".squad/decisions.md", entry("2026-02-02T00:00:00+0000", "decision", "Keaton", "New", ""));
    repo.write(".squad/agents/keaton/history.md", entry("2026-02-03T00:00:00+0000", "memory", "Keaton", "Mine", ""));
    let ask = |args: &[&str]| {
        let output = squad_lint(&repo.path).args(args).args(["--now", NOW]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(ask(&["memory"]).contains("New") && !ask(&["memory"]).contains("Old"));
    assert!(ask(&["memory", "--rev", "HEAD"]).contains("Old") && !ask(&["memory", "--rev", "HEAD"]).contains("New"));
    repo.commit("two");
    let within = ask(&["memory", "--rev", "HEAD", ".squad/agents"]);
    assert!(within.contains("Mine") && !within.contains("New"), "{within}");
    assert!(ask(&["memory", "show", "2026-02-01T00:00:00+0000", "--rev", "HEAD~1"]).contains("Old"));
    assert!(ask(&["memory", "brief", "--for", "keaton", "--rev", "HEAD~1"]).contains("Old"));
    let unknown = squad_lint(&repo.path).args(["memory", "--rev", "nowhere"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn nothing_of_an_entry_reaches_the_terminal_as_a_command() {
    let folder = demo();
    let evil = "Bad \u{1b}[31m \u{202e} ##[error]x =1|2";
    write(
        folder.path(),
        ".squad/decisions.md",
        entry("2026-02-01T00:00:00+0000", "note", "Keaton", evil, "**scope:** team  "),
    );
    for args in [
        &["memory"][..],
        &["memory", "--format", "json"],
        &["memory", "--format", "jsonl"],
        &["memory", "--format", "md"],
        &["memory", "--format", "csv"],
        &["memory", "show", "2026-02-01T00:00:00+0000"],
        &["memory", "brief", "--for", "keaton"],
        &["memory", "brief", "--for", "keaton", "--explain"],
        &["health"],
        &["stats"],
    ] {
        let output = run(folder.path(), args);
        let all = stdout(&output) + &stderr(&output);
        assert!(!all.contains(['\u{1b}', '\u{202e}']) && !all.contains("##["), "{args:?}: {all}");
    }
}

#[test]
fn a_brief_says_what_it_leaves_out() {
    let folder = demo();
    let brief =
        json(folder.path(), &["memory", "brief", "--for", "verbal", "--budget", "320", "--about", "server/ledger.rs"]);
    assert!(brief["tokens"].as_u64().unwrap() <= 304, "{brief}");
    let of = |list: &str, member: &str| -> Vec<String> {
        brief[list].as_array().unwrap().iter().map(|one| one[member].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of("taken", "summary")[..2], ["Never log a card number", "The ledger is kept in Postgres"]);
    assert_eq!(of("left_out", "reason"), ["no-room", "superseded", "no-room"]);
    let again =
        json(folder.path(), &["memory", "brief", "--for", "verbal", "--budget", "320", "--about", "server/ledger.rs"]);
    assert_eq!(brief, again);
    // What another agent keeps is not for this one.
    let other = json(folder.path(), &["memory", "brief", "--for", "keaton"]);
    assert!(!other["markdown"].as_str().unwrap().contains("database of their own"));
}

#[test]
fn a_brief_does_not_take_sides_in_a_conflict() {
    let folder = demo();
    let one = entry("2026-02-21T00:00:00+0000", "decision", "Keaton", "Blue everywhere", "");
    let torn = one.replace(
        "**summary:** Blue everywhere.\n",
        "<<<<<<< HEAD\n**summary:** Light blue.\n=======\n**summary:** Dark blue.\n>>>>>>> other\n",
    );
    let next = entry("2026-02-21T00:00:01+0000", "decision", "Keaton", "Green", "");
    write(folder.path(), ".squad/decisions.md", torn + &next);
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton"]);
    let text = brief["markdown"].as_str().unwrap();
    assert!(text.contains("Blue everywhere") && text.contains("unresolved merge conflict"), "{text}");
    assert!(!text.contains("Light blue") && !text.contains("Dark blue") && !text.contains("==="), "{text}");
}

#[test]
fn of_one_day_the_newer_entry_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    let one = |day: &str, title: &str| format!("### {day}: {title}\n**By:** Keaton\n**What:** {title} it is.\n\n");
    let (old, first, last) = (one("2026-02-01", "Tabs"), one("2026-02-10", "Blue"), one("2026-02-10", "Green"));
    for (text, newest) in [
        (format!("# Decisions\n\n{old}{first}{last}"), "Green"),
        (format!("# Decisions\n\n{last}{first}{old}"), "Green"),
    ] {
        write(folder.path(), ".squad/decisions.md", &text);
        let brief = json(folder.path(), &["memory", "brief", "--for", "keaton"]);
        let titles: Vec<&str> =
            brief["taken"].as_array().unwrap().iter().map(|one| one["summary"].as_str().unwrap()).collect();
        assert_eq!(titles, [newest, "Blue", "Tabs"], "{text}");
    }
}

#[test]
fn an_entry_of_the_inbox_that_was_merged_is_said_once() {
    let folder = demo();
    let text = entry("2026-02-21T00:00:00+0000", "decision", "Keaton", "Blue everywhere", "");
    write(folder.path(), ".squad/decisions.md", &text);
    write(folder.path(), ".squad/decisions/inbox/keaton-blue.md", &text);
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton"]);
    assert_eq!(brief["markdown"].as_str().unwrap().matches("Blue everywhere\n").count(), 1);
    assert!(brief["left_out"].as_array().unwrap().iter().any(|one| one["reason"] == "repeated"));
}

#[test]
fn a_brief_has_the_titles_of_what_has_no_room() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    let words = "It is so, as all of us have seen it in the last run of the checks.\n\n".repeat(16);
    let one = |day: u32| {
        let at = format!("2026-02-{day:02}T10:00:00+0000");
        entry(&at, "decision", "Keaton", &format!("Number {day} of all"), &format!("**details:** {words}"))
    };
    let ledger: String = (1..=25).map(one).collect();
    write(folder.path(), ".squad/decisions.md", ledger);
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton", "--budget", "2000"]);
    let forms: Vec<&str> = brief["taken"].as_array().unwrap().iter().map(|one| one["form"].as_str().unwrap()).collect();
    let count = |form: &str| forms.iter().filter(|own| **own == form).count();
    // A fifth of the budget has the titles of the next ones, below one heading.
    assert!(count("line") >= 8 && count("excerpt") >= 5, "{forms:?}");
    assert!(forms.is_sorted_by_key(|form| *form == "line"), "{forms:?}");
    assert_eq!(brief["markdown"].as_str().unwrap().matches("on one line each").count(), 1);
    assert!(brief["tokens"].as_u64().unwrap() <= 1900, "{brief}");
    // Nothing is kept free for entries that are not there.
    let ledger: String = (1..=6).map(one).collect();
    write(folder.path(), ".squad/decisions.md", ledger);
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton", "--budget", "2000"]);
    assert!(brief["taken"].as_array().unwrap().iter().all(|one| one["form"] == "excerpt"), "{brief}");
}

#[test]
fn versions_of_one_entry_are_said_once() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    let at = "### 2026-03-02T20:15:00Z: User directive — A login is a must on Production\n**By:** Mary (via Copilot)\n";
    let what = "**What:** Each page needs a login, in each of its stages, and there is never a page without one.\n";
    let short = format!("{at}{what}**Why:** User request. It is all private data.\n");
    let long = format!("{at}{what}**Why:** User request. The page was open for a day. It is all private data.\n");
    let long = long.replace("Production", "production");
    // Two wishes of one second are two.
    let other =
        format!("{at}**What:** The tests run on each push, in each of the stages, and nobody waits for them.\n");
    write(folder.path(), ".squad/decisions.md", format!("# Decisions\n\n{short}\n{other}"));
    write(folder.path(), ".squad/decisions/inbox/copilot-directive-login.md", long);
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton"]);
    let text = brief["markdown"].as_str().unwrap();
    assert!(text.contains("open for a day") && text.contains("nobody waits"), "{text}");
    assert_eq!(text.matches("Each page needs a login").count(), 1, "{text}");
    assert_eq!(brief["left_out"][0]["reason"], "repeated");
}

#[test]
fn a_brief_has_a_line_for_each_directive_and_those_that_were_carried_out_last() {
    let folder = tempfile::tempdir().unwrap();
    let long = "The words of it are long, and there are many of them. ".repeat(4);
    let directive = |day: u32, title: &str, rest: &str| {
        format!("### 2026-03-{day:02}: {title}\n**By:** Mary (via Copilot)\n{rest}\n**Why:** User request.\n\n")
    };
    let own = |day: u32| format!("### 2026-03-{day:02}: Report {day}\n\n{long}\n\n");
    let old: String = (1..6)
        .map(|day| directive(day, "User directive", &format!("**What:** Always keep rule {day}. {long}\n")))
        .collect();
    let done = directive(20, "User directive — the login", "**Status:** Implemented\n**What:** Add a login.");
    let reports: String = (21..29).map(own).collect();
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    write(folder.path(), ".squad/agents/keaton/history.md", format!("# Keaton\n\n## Learnings\n\n{reports}"));
    write(folder.path(), ".squad/decisions.md", format!("# Decisions\n\n{old}{done}"));
    let brief = json(folder.path(), &["memory", "brief", "--for", "keaton", "--budget", "900"]);
    let text = brief["markdown"].as_str().unwrap();
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    // Each of them is named by what it says, before any report; some have one line only.
    let reports = at("Report 2");
    assert!((1..6).all(|day| at(&format!("Always keep rule {day}")) < reports), "{text}");
    assert!(text.contains("### More directives, on one line each"), "{text}");
    assert!(!text.contains("### User directive"), "{text}");
    // It was carried out.
    assert!(at("the login") > reports, "{text}");
}

#[test]
fn a_first_word_names_an_author_where_nobody_has_that_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [full, short, role] = [(1, "David Ortinau"), (2, "david"), (3, "David (Lead)")]
        .map(|(second, author)| entry(&format!("2026-02-15T10:00:0{second}+0000"), "note", author, author, ""));
    let authors = |args: &[&str]| -> Vec<String> {
        let found = json(folder, &[&["memory"], args].concat());
        let mut authors: Vec<String> = found["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["author"].as_str().unwrap().to_owned())
            .collect();
        authors.sort();
        authors
    };
    write(folder, ".squad/agents/david/charter.md", "# David\n");
    write(folder, ".squad/decisions.md", format!("# Decisions\n\n{full}{short}{role}"));
    assert_eq!(authors(&["--author", "david"]), ["David (Lead)", "david"]);
    assert_eq!(authors(&["--author", "David Ortinau"]), ["David Ortinau"]);
    // Whatever else is asked for.
    assert!(authors(&["--author", "david", "--text", "Ortinau"]).is_empty());
    // Nobody else has it, or the team lists both names as those of one.
    write(folder, ".squad/decisions.md", format!("# Decisions\n\n{full}"));
    assert_eq!(authors(&["--author", "david"]), ["David Ortinau"]);
    write(folder, ".squad/decisions.md", format!("# Decisions\n\n{full}{short}"));
    let team = "# Team\n\n## Members\n\n| Name | Role | Charter |\n|---|---|---|\n\
        | David Ortinau | Lead | `.squad/agents/david/charter.md` |\n";
    write(folder, ".squad/team.md", team);
    assert_eq!(authors(&["--author", "david"]), ["David Ortinau", "david"]);
}

#[test]
fn a_brief_is_for_the_agents_of_all_teams() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let decision = entry("2026-02-15T10:00:01+0000", "decision", "keaton", "Tabs", "");
    write(folder, "a/.squad/agents/keaton/charter.md", "# Keaton\n");
    write(folder, "a/.squad/decisions.md", format!("# Decisions\n\n{decision}"));
    write(folder, "b/.squad/agents/ripley/charter.md", "# Ripley\n");
    for args in [&["memory", "brief", "--for", "ripley"][..], &["memory", "--for", "ripley"]] {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(!stdout(&output).contains("Tabs"), "{}", stdout(&output));
    }
    let unknown = run(folder, &["memory", "brief", "--for", "riply"]);
    assert!(stderr(&unknown).contains("did you mean `ripley`?"), "{}", stderr(&unknown));
}

#[test]
fn a_budget_is_a_number_of_tokens() {
    let folder = demo();
    for budget in ["abc", "-5", "1.5", "99999999999999999999", ""] {
        let output = run(folder.path(), &["memory", "brief", "--for", "keaton", "--budget", budget]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("expected a whole number of tokens, such as `4000`"), "{budget}: {said}");
        assert!(said.contains(&format!("'{budget}'")), "{budget}: {said}");
    }
}
