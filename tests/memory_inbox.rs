//! `memory merge-inbox` beside itself and links, and `memory supersede` where a timestamp names several entries.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;

use crate::support::{files_below, needs, rounds, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

const LEDGER: &str = ".squad/decisions.md";

fn squad() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), LEDGER, "# Decisions\n");
    write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
    folder
}

fn memory(folder: &Path, args: &[&str]) -> Command {
    let mut command = squad_lint(folder);
    command.arg("memory").args(args).stdin(Stdio::null());
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    memory(folder, args).output().unwrap()
}

fn text(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn several_runs_at_once_merge_the_inbox_once() {
    for round in 0..rounds(40) {
        let folder = squad();
        let path = folder.path();
        for number in 0..12 {
            let entry =
                format!("### 2026-02-{:02}: Number {number} of all\n**By:** Keaton\n**What:** It is.\n", number + 1);
            write(path, format!(".squad/decisions/inbox/keaton-{number}.md"), entry);
        }
        let start = |_| memory(path, &["merge-inbox"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let children: Vec<_> = (0..4).map(start).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{round}: {}{}", stdout(&output), stderr(&output));
        }
        let ledger = text(path, LEDGER);
        for number in 0..12 {
            assert_eq!(
                ledger.matches(&format!(": Number {number} of all\n")).count(),
                1,
                "{round}: {number}\n{ledger}"
            );
        }
        assert!(files_below(&path.join(".squad/decisions/inbox")).is_empty());
    }
}

#[test]
fn what_is_passed_over_is_named() {
    let folder = squad();
    let folder = folder.path();
    let inbox = ".squad/decisions/inbox";
    write(folder, format!("{inbox}/a.txt"), "We use tabs.\n");
    write(folder, format!("{inbox}/.gitkeep"), "");
    write(folder, format!("{inbox}/b.md"), "We use tabs.\n");
    let mut expected = vec![format!("kept {inbox}/a.txt: it is not a Markdown file\n")];
    // What is no Markdown is no entry either.
    let output = run(folder, &["merge-inbox", "--diff"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains(&expected[0]), "{}", stderr(&output));
    let elsewhere = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        write(elsewhere.path(), "c.md", "We use blanks.\n");
        symlink(elsewhere.path().join("c.md"), folder.join(inbox).join("c.md")).unwrap();
        symlink(folder, folder.join(inbox).join("d")).unwrap();
        expected.push(format!("kept {inbox}/c.md: it is a link that leads out of the repository\n"));
        expected.push(format!("kept {inbox}/d: it is a link to a folder\n"));
    }
    for (args, said) in [(&["merge-inbox", "--diff"][..], "would merge"), (&["merge-inbox"], "merged")] {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(if cfg!(unix) { 2 } else { 0 }));
        for line in &expected {
            assert!(stderr(&output).contains(line), "{line}{}", stderr(&output));
        }
        assert!(!stderr(&output).contains(".gitkeep"), "{}", stderr(&output));
        let summary = stdout(&output) + &stderr(&output);
        assert!(summary.contains(&format!("{said} 1 file: 1 new entry\n")), "{summary}");
    }
    assert!(text(folder, LEDGER).contains("We use tabs."));
    drop(elsewhere);
}

#[test]
fn a_timestamp_of_several_entries_names_none() {
    const AT: &str = "2026-02-10T10:00:00+0000";
    let entry = |summary: &str| {
        format!(
            "### {AT}: decision: {summary}\n\n**type:** decision  \n**timestamp:** {AT}  \n**author:** keaton  \n\
             **scope:** team  \n**summary:** {summary}\n\n**rationale:** Because.\n\n---\n"
        )
    };
    let folder = squad();
    let folder = folder.path();
    let ledger = format!("# Decisions\n\n{}\n{}", entry("We use tabs"), entry("We use Postgres"));
    write(folder, LEDGER, &ledger);
    let new = ["--author", "keaton", "--summary", "We use blanks", "--rationale", "They fit."];
    let second = 1 + ledger.lines().position(|line| line.ends_with("decision: We use Postgres")).unwrap();
    let places = format!("several entries have the timestamp {AT}: {LEDGER}:3 and {LEDGER}:{second}");
    for args in [&["supersede", AT][..], &["add", "decision", "--supersedes", AT]] {
        let output = run(folder, &[args, &new].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(&places), "{}", stderr(&output));
        assert_eq!(text(folder, LEDGER), ledger);
    }
    // A copy, as a merge of the inbox that was killed leaves it, is the same entry.
    write(folder, LEDGER, format!("# Decisions\n\n{}", entry("We use tabs")));
    write(folder, ".squad/decisions/inbox/keaton-tabs.md", entry("We use tabs"));
    let output = run(folder, &[&["supersede", AT][..], &new].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// Merges an inbox with one file, twice, and once more with the file there again. The ledger after that.
fn merged(ledger: &str, file: &str) -> String {
    let folder = squad();
    let folder = folder.path();
    write(folder, LEDGER, ledger);
    let mut after = None;
    for is_there in [true, false, true] {
        if is_there {
            write(folder, ".squad/decisions/inbox/keaton-lock.md", file);
        }
        let output = run(folder, &["merge-inbox"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = text(folder, LEDGER);
        assert_eq!(*after.get_or_insert_with(|| text.clone()), text);
    }
    after.unwrap()
}

#[test]
fn an_entry_stays_whole() {
    let ledger =
        "# Decisions\n\n### 2026-02-15: Why\n**By:** Keaton\n**What:** A.\n\n---\n\n## Root Cause\n\nThe prompt.\n";
    let file = "### 2026-02-28: Links\n**By:** Fenster\n**What:** They are short.\n";
    // Without a rule, the title at its end would be one of a section with the new entry in it.
    assert_eq!(merged(ledger, file), format!("{ledger}\n---\n\n{file}"));
}

#[test]
fn every_line_of_a_file_moves() {
    let title = "# Decisions\n";
    // The fields of an entry without its heading, and text behind the rule.
    let fields = "**type:** decision\n**author:** Keaton\n**summary:** We lock the build";
    let file = format!("{fields}\n\n---\n\nThe build takes an hour longer.\n");
    assert_eq!(merged(title, &file), format!("{title}\n### keaton lock\n\n{file}"));
    for file in ["-1 is returned\n", "- [ ] a\n- [x] b\n", "--force is needed\n"] {
        assert_eq!(merged(title, file), format!("{title}\n### keaton lock\n\n**By:** keaton\n\n{file}"));
    }
    let file = "---\ntitle: x\n---\n\n### 2026-02-28: Links\n**By:** Fenster\n**What:** They are short.\n";
    let ledger = merged("# Decisions\n\n### 2026-03-01: Last\n**By:** Keaton\n**What:** A.\n", file);
    assert!(ledger.contains("### 2026-02-28: Links\n**Title:** x\n**By:** Fenster\n"), "{ledger}");
}

/// The type, the day and the author of each entry, as the program itself prints them.
fn known(folder: &Path) -> Vec<[String; 3]> {
    let output = run(folder, &["--format", "jsonl"]);
    let entry = |line: &str| {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        ["type", "date", "author"].map(|key| entry[key].as_str().unwrap_or("none").to_lowercase())
    };
    stdout(&output).lines().map(entry).collect()
}

#[test]
fn what_only_the_name_says_gets_into_the_entry() {
    let tabs = "# Decision: Tabs\n\nWe use tabs.\n";
    let request = "### User request\n**By:** Brady\n**What:** Always use tabs.\n";
    for (name, file, expected) in [
        ("ripley-tabs", tabs, ["decision", "none", "ripley"]),
        ("2026-02-14-ripley-tabs", tabs, ["decision", "2026-02-14", "ripley"]),
        ("20260214-mary-ann-tabs", tabs, ["decision", "2026-02-14", "mary ann"]),
        ("ripley-tabs-2026-02-14", "We use tabs.\n", ["decision", "2026-02-14", "ripley"]),
        ("2026-02-14-use-tabs", tabs, ["decision", "2026-02-14", "none"]),
        ("copilot-directive-2026-02-14T1235Z", request, ["directive", "2026-02-14", "brady"]),
        ("copilot-directives-2026-02-14", request, ["directive", "2026-02-14", "brady"]),
        (
            "sam-directive-tabs",
            "### 2026-02-10: Tabs\n**By:** Sam\n**What:** Tabs.\n",
            ["directive", "2026-02-10", "sam"],
        ),
        // The name is all that says what it is about.
        (
            "copilot-directive-2026-02-14",
            "## Context\n\nTabs fit.\n\n## Decision\n\nUse tabs.\n",
            ["directive", "2026-02-14", "none"],
        ),
        ("ripley-directive-tabs", "## Tabs\n\nUse tabs.\n\n### Why\n\nThey fit.\n", ["directive", "none", "ripley"]),
        // What the text says counts.
        ("ripley-tabs-2026-02-14", "# Tabs\n\nBlanks.\n**By:** Dallas\n", ["decision", "2026-02-14", "dallas"]),
        ("2026-02-14-ripley-tabs", "# Tabs (2026-02-10)\n\nTabs.\n", ["decision", "2026-02-10", "ripley"]),
        (
            "ripley-tabs",
            "### 2026-02-10: Tabs\n**Auditor:** Ripley (Lead)\n",
            ["decision", "2026-02-10", "ripley (lead)"],
        ),
        ("ripley-tabs", "| Field | Value |\n|---|---|\n| Date | 2026-02-10 |\n", ["decision", "2026-02-10", "ripley"]),
    ] {
        let folder = squad();
        let folder = folder.path();
        let row = |name: &str| format!("| {name} | Engineer | `agents/{}/charter.md` |\n", name.to_lowercase());
        let rows = [row("Ripley"), row("Dallas"), row("Mary Ann")].concat();
        write(
            folder,
            ".squad/team.md",
            format!("# Team\n\n## Members\n\n| Name | Role | Charter |\n|---|---|---|\n{rows}"),
        );
        let path = format!(".squad/decisions/inbox/{name}.md");
        write(folder, &path, file);
        let before = known(folder);
        let output = run(folder, &["merge-inbox"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let ledger = text(folder, LEDGER);
        let found = known(folder);
        assert_eq!(found, [expected.map(str::to_owned)], "{name}\n{ledger}");
        // As it was before, perhaps with a role behind the name.
        let words = |one: &[String; 3]| one.join(" ").replace('-', " ");
        assert!(before.iter().all(|one| words(&found[0]).starts_with(&words(one))), "{before:?}\n{ledger}");
        // A copy is joined, and its file removed.
        write(folder, &path, file);
        assert_eq!(stdout(&run(folder, &["merge-inbox"])), "merged 1 file: 0 new entries, 1 already there\n");
        assert!(files_below(&folder.join(".squad/decisions/inbox")).is_empty());
        assert_eq!(text(folder, LEDGER), ledger);
    }
}

#[test]
fn front_matter_becomes_fields() {
    let matter = "---\ntitle: Use Postgres\ndate: 2026-03-04\nauthor: Ripley\ntype: directive\nstatus: accepted\n---\n";
    let fields = "**Date:** 2026-03-04\n**By:** Ripley\n**Type:** directive\n**Status:** accepted\n";
    let expected = ["directive", "2026-03-04", "ripley"].map(str::to_owned);
    let context = "#### Context\n\nLocks.\n\n#### Decision\n\nPostgres 17.\n";
    for (body, entry) in [
        ("\nOne schema each.\n", format!("### Use Postgres\n\n{fields}\nOne schema each.\n")),
        (
            "\nOne schema each.\n\n## Context\n\nLocks.\n\n## Decision\n\nPostgres 17.\n",
            format!("### Use Postgres\n\n{fields}\nOne schema each.\n\n{context}"),
        ),
        ("## Context\n\nLocks.\n\n## Decision\n\nPostgres 17.\n", format!("### Use Postgres\n\n{fields}\n{context}")),
        (
            "# Use Postgres\n\n## Context\n\nLocks.\n\n## Decision\n\nPostgres 17.\n",
            format!("### Use Postgres\n\n{fields}\n{context}"),
        ),
        (
            "# Stores\n\n**Why:** Locks.\n",
            format!("### Stores\n\n**Title:** Use Postgres\n{fields}\n**Why:** Locks.\n"),
        ),
        ("", format!("### Use Postgres\n\n{fields}")),
    ] {
        let folder = squad();
        let folder = folder.path();
        team(folder, &["Ripley"]);
        let path = ".squad/decisions/inbox/store.md";
        for text in [format!("{matter}{body}"), format!("{matter}{body}").replace('\n', "\r\n")] {
            write(folder, LEDGER, "# Decisions\n");
            write(folder, path, &text);
            let output = run(folder, &["merge-inbox"]);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert_eq!(self::text(folder, LEDGER), format!("# Decisions\n\n{entry}"));
            assert_eq!(known(folder), std::slice::from_ref(&expected));
            // A copy is joined.
            write(folder, path, &text);
            assert_eq!(stdout(&run(folder, &["merge-inbox"])), "merged 1 file: 0 new entries, 1 already there\n");
        }
    }
}

#[test]
fn nothing_of_front_matter_is_lost() {
    let text = "---\nauthor: Ripley\n# From the old wiki\ntags: [db, state]\nlinks:\n  - name: issue\n    at: 18\n---\n\n\
        ## Context\n\nLocks.\n";
    let expected = "### store\n\n**By:** Ripley\n**Tags:** db, state\n**Comment:** From the old wiki\n\n\
        #### Context\n\nLocks.\n\n```yaml\nlinks:\n  - name: issue\n    at: 18\n```\n";
    let folder = squad();
    let folder = folder.path();
    write(folder, ".squad/decisions/inbox/store.md", text);
    assert_eq!(run(folder, &["merge-inbox"]).status.code(), Some(0));
    assert_eq!(self::text(folder, LEDGER), format!("# Decisions\n\n{expected}"));
}

/// A squad with these members.
fn team(folder: &Path, names: &[&str]) {
    let row = |name: &&str| format!("| {name} | Engineer | `agents/{}/charter.md` |\n", name.to_lowercase());
    let rows: String = names.iter().map(row).collect();
    write(
        folder,
        ".squad/team.md",
        format!("# Team\n\n## Members\n\n| Name | Role | Charter |\n|---|---|---|\n{rows}"),
    );
}

#[test]
fn what_the_name_says_in_doubt_is_not_written() {
    let tabs = "# Decision: Tabs\n\nWe use tabs.\n";
    for (name, expected) in [
        // Two days, or one that is not of the entry.
        ("2026-02-10-to-2026-02-14-sprint", ["decision", "none", "none"]),
        ("ripley-tabs-2026-02-10-2026-02-14", ["decision", "none", "ripley"]),
        ("ripley-tabs-2026-02-10-14", ["decision", "none", "ripley"]),
        ("ripley-due-2026-02-14", ["decision", "none", "ripley"]),
        // The second file of a day, the same day twice, and a time.
        ("ripley-tabs-2026-02-14-2", ["decision", "2026-02-14", "ripley"]),
        ("2026-02-14-ripley-20260214", ["decision", "2026-02-14", "ripley"]),
        ("ripley-tabs-2026-02-14-10-30-00", ["decision", "2026-02-14", "ripley"]),
        // Two members, and one whose name is a word.
        ("ripley-and-dallas-tabs", ["decision", "none", "none"]),
        ("2026-02-14-dallas-ripley-tabs", ["decision", "2026-02-14", "none"]),
        ("api-versions", ["decision", "none", "none"]),
        ("ripley-api-versions", ["decision", "none", "ripley"]),
        // What the file is about.
        ("ripley-parser-of-directives", ["decision", "none", "ripley"]),
        ("ripley-remove-directive", ["decision", "none", "ripley"]),
        ("directives-of-ripley-2026-02-14", ["decision", "2026-02-14", "none"]),
    ] {
        let folder = squad();
        let folder = folder.path();
        team(folder, &["Ripley", "Dallas", "Api"]);
        write(folder, format!(".squad/decisions/inbox/{name}.md"), tabs);
        let output = run(folder, &["merge-inbox"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(known(folder), [expected.map(str::to_owned)], "{name}\n{}", text(folder, LEDGER));
    }
}

#[test]
fn an_entry_that_the_ledger_has_without_them_gets_what_the_name_says() {
    let tabs = "### Decision: Tabs\n\nWe use tabs.\n";
    let completed = "# Decisions\n\n### Decision: Tabs\n\n**By:** keaton\n\nWe use tabs.\n";
    assert_eq!(merged(&format!("# Decisions\n\n{tabs}"), tabs), completed);
    assert_eq!(merged(completed, tabs), completed);
    // The file has more.
    let ledger = "# Decisions\n\n### Decision: Tabs\n";
    assert_eq!(merged(ledger, tabs), completed);
    // The ledger says it already.
    let ledger = completed.replace("keaton", "Keaton (Lead)");
    assert_eq!(merged(&ledger, tabs), ledger);
}

#[test]
fn the_longest_version_that_the_ledger_has_counts() {
    let short = "### 2026-01-05: Sync\n**By:** Keaton\n";
    let long = format!("{short}**What:** We use ports, and nothing else.\n");
    let ledger = format!("# Decisions\n\n{short}\n{long}");
    assert_eq!(merged(&ledger, &long), ledger);
}

#[test]
fn a_preview_refuses_what_the_run_refuses() {
    let conflict = "# Decisions\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
    let both = |folder: &Path, expected: Option<&str>| {
        for args in [&["merge-inbox", "--diff"][..], &["merge-inbox"]] {
            let output = run(folder, args);
            let said = stdout(&output) + &stderr(&output);
            let code = if expected.is_some() { 2 } else { 0 };
            assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
            let expected = expected.unwrap_or("the inbox has nothing to merge");
            assert!(said.contains(expected), "{args:?}: {said}");
        }
    };
    let folder = squad();
    let folder = folder.path();
    write(folder, LEDGER, conflict);
    both(folder, None);
    write(folder, ".squad/decisions/inbox/a.md", "### 2026-02-01: A\n**By:** Keaton\n**What:** B.\n");
    both(folder, Some("unresolved merge conflict"));
    #[cfg(unix)]
    {
        write(folder, "elsewhere.md", "# Decisions\n");
        fs::remove_file(folder.join(LEDGER)).unwrap();
        std::os::unix::fs::symlink("../elsewhere.md", folder.join(LEDGER)).unwrap();
        both(folder, Some("symbolic link"));
        fs::remove_file(folder.join(".squad/decisions/inbox/a.md")).unwrap();
        both(folder, None);
    }
}

/// The entries of the ledger as the program itself prints them, each with its lines.
fn entries(folder: &Path, ledger: &str) -> Vec<(String, String)> {
    let output = run(folder, &["--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = text(folder, ledger).replace("\r\n", "\n");
    let lines: Vec<&str> = text.lines().collect();
    let entries =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<serde_json::Value>>();
    let at = |entry: &serde_json::Value, key: &str| usize::try_from(entry[key].as_u64().unwrap()).unwrap();
    let of_ledger = entries.iter().filter(|entry| entry["path"] == ledger);
    let read = of_ledger.map(|entry| {
        let own = lines[at(entry, "line") - 1..at(entry, "end_line")].join("\n");
        (entry["summary"].to_string(), own.trim_end_matches(['-', '\n', ' ', '\r']).to_owned())
    });
    read.collect()
}

/// Into copies of all ledgers of the corpus, entries are put at three dates: each other entry is read as before, and the new one alone.
#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn no_entry_of_a_real_ledger_is_torn() {
    let new = "### 2026-02-20: Zebras have stripes\n**By:** Keaton\n**What:** They do.";
    let mut count = 0;
    let corpus = needs("SQUAD_LINT_CORPUS");
    for path in files_below(&corpus).iter().filter(|path| path.ends_with("decisions.md")) {
        let Ok(ledger) = fs::read_to_string(corpus.join(path)) else { continue };
        let folder = squad();
        let folder = folder.path();
        write(folder, LEDGER, &ledger);
        let before = entries(folder, LEDGER);
        for date in ["2026-01-02", "2026-02-20", "2027-12-01"] {
            let add = ["add", "note", "--author", "Keaton", "--summary", "Zebras have stripes", "--now"];
            for is_inbox in [true, false] {
                write(folder, LEDGER, &ledger);
                let output = if is_inbox {
                    write(folder, ".squad/decisions/inbox/zebras.md", new.replace("2026-02-20", date));
                    run(folder, &["merge-inbox"])
                } else {
                    run(folder, &[&add[..], &[&format!("{date}T12:00:00Z")]].concat())
                };
                assert_eq!(output.status.code(), Some(0), "{}: {}", path.display(), stderr(&output));
                let mut after = entries(folder, LEDGER);
                for entry in &before {
                    let at = after.iter().position(|one| one == entry);
                    assert!(at.map(|at| after.remove(at)).is_some(), "{}: {date}: {entry:?}", path.display());
                }
                assert_eq!(after.len(), 1, "{}: {after:?}", path.display());
                assert!(!is_inbox || after[0].1 == new.replace("2026-02-20", date), "{}: {after:?}", path.display());
                count += 1;
            }
        }
    }
    assert!(count >= 60, "the corpus has only {count} cases");
}

/// Before the first of them, an entry would take in the titles below it.
#[test]
fn where_a_ledger_has_only_titled_text_an_entry_goes_to_its_end() {
    let folder = squad();
    let path = folder.path();
    let ledger = "# Team Decisions\n\n## Architecture\n- One server\n\n## Conventions\n- One schema\n";
    let entry = "### 2026-02-20: Tabs\n**By:** Keaton\n**What:** We use tabs.\n";
    write(path, LEDGER, ledger);
    write(path, ".squad/decisions/inbox/tabs.md", entry);
    let output = run(path, &["merge-inbox"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(text(path, LEDGER), format!("{ledger}\n{entry}"));
}

#[test]
fn an_entry_without_a_date_does_not_get_that_of_a_section() {
    let entry = "### Logs\n**By:** Keaton\n**What:** Short ones.\n";
    let section = "## Sprint 12 (2026-02-12)\n\n### Tabs\n**By:** Verbal\n**What:** We use tabs.\n";
    // At the end of the file a section begins that says nothing; elsewhere there is none.
    for (before, end) in [
        (format!("# Decisions\n\n{section}\n## Learnings\n\n### Caches\n**By:** Verbal\n**What:** For a day.\n"), ""),
        ("# Decisions\n".to_owned(), section),
    ] {
        let folder = squad();
        let path = folder.path();
        write(path, LEDGER, if end.is_empty() { before.clone() } else { format!("{before}\n{end}") });
        write(path, ".squad/decisions/inbox/logs.md", entry);
        let output = run(path, &["merge-inbox"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let end = if end.is_empty() { String::new() } else { format!("\n{end}") };
        assert_eq!(text(path, LEDGER), format!("{before}\n{entry}{end}"));
        let output = run(path, &["--text", "Short ones", "--format", "json"]);
        assert!(!stdout(&output).contains("2026-02-12"), "{}", stdout(&output));
    }
}

#[test]
fn what_an_entry_says_counts_more_than_the_name_of_its_file() {
    let date = "**Date:** 2026-02-10\n";
    for (file, author, day) in [
        ("## Redis - Verbal, 2026-02-10\n\nWe use it.\n".to_owned(), "verbal", "2026-02-10"),
        ("## Redis — Verbal (Lead), 2026-02-10\n\nWe use it.\n".to_owned(), "verbal", "2026-02-10"),
        ("## Redis - Brady, 2026-02-10\n\nWe use it.\n".to_owned(), "brady", "2026-02-10"),
        // No name of the team, and no author.
        ("## Redis - Overview, 2026-02-10\n\nWe use it.\n".to_owned(), "keaton", "2026-02-10"),
        (format!("## Redis\n{date}\nWe use it.\n\n- Verbal, 2026-02-11\n"), "verbal", "2026-02-10"),
        (format!("## Redis\n{date}\nWe use it.\n\n- Keaton, 2026-02-11\n"), "keaton", "2026-02-10"),
        (format!("## Redis\n{date}**Author:** Verbal\n\nWe use it.\n"), "verbal", "2026-02-10"),
        (format!("## Redis\n{date}\nWe use it.\n"), "keaton", "2026-02-10"),
    ] {
        let folder = squad();
        let path = folder.path();
        let rows = "| Keaton | Lead | `agents/keaton/charter.md` |\n| Verbal | Tester | `agents/verbal/charter.md` |\n";
        let team = format!(
            "# Team\n\n- **Owner:** Brady\n\n## Members\n\n| Name | Role | Charter |\n|---|---|---|\n{rows}| Brady | 👤 Human | — |\n"
        );
        write(path, ".squad/team.md", team);
        write(path, ".squad/decisions/inbox/keaton-redis.md", &file);
        let expected = [["decision", day, author].map(str::to_owned)];
        assert_eq!(known(path), expected, "{file}");
        let output = run(path, &["merge-inbox"]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        assert_eq!(known(path), expected, "{}", text(path, LEDGER));
    }
}

#[test]
fn the_first_word_of_a_name_is_the_author_where_nothing_says_who_is_on_the_team() {
    let plain = "## Redis\n**Date:** 2026-02-10\n\nWe use it.\n";
    let signed = "## Redis - Verbal, 2026-02-10\n\nWe use it.\n";
    let note = "the first word in the name of 1 file became the author: no agent is known here\n";
    for (is_team, file, name, author, said) in [
        (false, plain, "keaton-redis", "keaton", note),
        (false, signed, "keaton-redis", "verbal", ""),
        // A word for what is in the file.
        (false, plain, "release-redis", "none", ""),
        // The team has others.
        (true, plain, "fenster-redis", "none", ""),
    ] {
        let folder = if is_team { squad() } else { tempfile::tempdir().unwrap() };
        let path = folder.path();
        write(path, LEDGER, "# Decisions\n");
        write(path, format!(".squad/decisions/inbox/{name}.md"), file);
        let expected = [["decision", "2026-02-10", author].map(str::to_owned)];
        assert_eq!(known(path), expected, "{name}");
        let output = run(path, &["merge-inbox"]);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), said), "{name}");
        assert_eq!(known(path), expected, "{}", text(path, LEDGER));
    }
}

#[test]
fn the_section_of_an_entry_dates_it_before_the_name_of_the_file_does() {
    let entry = |title: &str, end: &str| format!("## {title}\n**By:** Keaton\n\nWe use {title}.\n{end}\n");
    let folder = squad();
    let path = folder.path();
    let file = format!("# Batch (2026-01-04)\n\n{}{}", entry("Redis", ""), entry("Kafka", "\n- Keaton, 2026-01-07\n"));
    write(path, ".squad/decisions/inbox/2026-02-10-batch.md", file);
    let of = |day: &str| ["decision", day, "keaton"].map(str::to_owned);
    assert_eq!(known(path), [of("2026-01-07"), of("2026-01-04")]);
    let output = run(path, &["merge-inbox"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(known(path), [of("2026-01-07"), of("2026-01-04")], "{}", text(path, LEDGER));
}

#[test]
fn what_has_no_timestamp_or_no_history_is_said() {
    let folder = squad();
    let path = folder.path();
    write(path, LEDGER, "# Decisions\n\n### 2026-02-10: Tabs\n**By:** Keaton\n**What:** We use tabs.\n");
    for (old, is_said) in [(".squad/decisions.md:3", true), ("2026-02-10", true), ("tabs", false)] {
        let output = run(path, &["supersede", old, "--author", "Keaton", "--summary", "Blanks"]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stderr(&output).contains("gets it from `squad-lint convert`"), is_said, "{}", stderr(&output));
    }
    let note = "`Keaton` has no `history.md` here: the memory is in .squad/decisions.md\n";
    for (kind, said) in [("memory", note), ("note", "")] {
        let output = run(path, &["add", kind, "--author", "Keaton", "--summary", "Tabs are wide"]);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), said));
    }
    write(path, ".squad/agents/keaton/history.md", "# Keaton\n");
    let output = run(path, &["add", "memory", "--author", "Keaton", "--summary", "Tabs are narrow"]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn the_introduction_of_a_file_becomes_an_entry() {
    let ledger = "# Decisions\n\n### 2026-02-14: Old\n**By:** Verbal\n**What:** It is old.\n";
    let entries = "## 2026-02-11: One\n\nWe use one.\n\n## 2026-02-12: Two\n\nWe use two.\n";
    let file = format!("# Storage\n\nFrom the review of the store.\n\n{entries}");
    let expected = "### Storage\n\n**By:** keaton\n**Date:** 2026-02-11\n\nFrom the review of the store.\n\n### 2026-02-11: One\n\n\
        **By:** keaton\n\nWe use one.\n\n### 2026-02-12: Two\n\n**By:** keaton\n\nWe use two.\n\n";
    assert_eq!(merged(ledger, &file), ledger.replacen("### ", &format!("{expected}### "), 1));
    // The title of a section below it stays above its entries.
    let file = file.replace("## 2026-02-11", "## Sprint 12\n\n## 2026-02-11").replace("## 2026", "### 2026");
    let ledger = merged(ledger, &file);
    assert!(ledger.contains("the store.\n\n### 2026-02-14: Old"), "{ledger}");
    assert!(ledger.contains("It is old.\n\n## Sprint 12\n\n### 2026-02-11: One"), "{ledger}");
}

#[test]
fn a_title_without_an_entry_of_its_own_is_neither_lost_nor_above_others() {
    let entry = "### 2026-02-11: Bazel\n\n**By:** Keaton\n\nWe build with it.\n";
    let titled = format!("## Tools of the team\n\n{entry}");
    let ledger = format!("# Decisions\n\n{entry}");
    let folder = squad();
    let folder = folder.path();
    let path = ".squad/decisions/inbox/keaton-tools.md";
    write(folder, LEDGER, &ledger);
    write(folder, path, &titled);
    let said = stderr(&run(folder, &["merge-inbox"]));
    let way = "the ledger has its entries, but not the title above them; write `## Tools of the team` above them there";
    assert!(said.contains(way), "{said}");
    assert_eq!((text(folder, LEDGER), text(folder, path)), (ledger, titled.clone()));
    // Both ways lead out.
    for (ledger, file) in [(titled.as_str(), titled.as_str()), (entry, entry)] {
        let ledger = format!("# Decisions\n\n{ledger}");
        write(folder, LEDGER, &ledger);
        write(folder, path, file);
        assert_eq!(run(folder, &["merge-inbox"]).status.code(), Some(0));
        assert_eq!((text(folder, LEDGER), folder.join(path).exists()), (ledger, false));
    }
}

#[test]
fn the_name_of_a_file_says_whose_all_of_it_is() {
    for (file, expected) in [
        ("# One\n\nWe use one.\n\n# Two\n\nWe use two.\n", 2),
        ("<!-- by hand -->\n\n# One\n\nWe use one.\n", 1),
        ("<!-- by hand -->\n### 2026-02-11: One\n\nWe use one.\n", 1),
        ("### 2026-02-11: One\n\nWe use one.\n\n### 2026-02-12: Two\n\nWe use two.\n", 2),
    ] {
        let folder = squad();
        let folder = folder.path();
        team(folder, &["Wren"]);
        write(folder, ".squad/decisions/inbox/wren-topic.md", file);
        assert_eq!(run(folder, &["merge-inbox"]).status.code(), Some(0));
        let known = known(folder);
        assert!(known.len() == expected && known.iter().all(|[.., author]| author == "wren"), "{known:?}");
        let ledger = text(folder, LEDGER);
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            assert!(ledger.contains(line), "{ledger}");
        }
    }
}

#[test]
fn a_text_without_a_date_waits_in_the_inbox() {
    let folder = squad();
    let folder = folder.path();
    write(folder, ".squad/decisions/inbox/tabs.md", "We use tabs.\n");
    write(folder, ".squad/decisions/inbox/keaton-dated.md", "### 2026-02-11: One\n\nWe use one.\n");
    let said = ".squad/decisions/inbox/tabs.md waits in the inbox: it has no date and no author\n";
    let output = run(folder, &[]);
    assert_eq!(stderr(&output), format!("1 entry in 3 files\n{said}"));
    assert!(!stderr(&run(folder, &["--author", "keaton"])).contains("waits"));
    for number in 0..9 {
        write(folder, format!(".squad/decisions/inbox/text-{number}.md"), "Words.\n");
    }
    assert!(stderr(&run(folder, &[])).ends_with("\nand 2 more\n"));
}

#[test]
fn a_section_with_the_name_of_a_part_keeps_its_entries() {
    let entry =
        |day: u32, title: &str| format!("### 2026-02-{day}: {title}\n\n**By:** Keaton\n**What:** {title} it is.\n\n");
    let ledger = format!("# Decisions\n\n## Active decisions\n\n{}", entry(14, "Postgres"));
    for part in ["Tests", "Notes", "Alternatives considered"] {
        let storage = format!("## Storage\n\n{}", entry(11, "One"));
        let part = format!("## {part}\n\n{}", entry(13, "Three"));
        let expected = |more: &str| format!("{ledger}{more}").trim_end().to_owned() + "\n";
        assert_eq!(merged(&ledger, &format!("{storage}{part}")), expected(&format!("{storage}{part}")));
        assert_eq!(merged(&ledger, &part), expected(&part));
        let joined = part.replacen("## ", "## Results: ", 1);
        assert_eq!(merged(&ledger, &format!("# Results\n\n{part}")), expected(&joined));
        // Nothing else gets below it.
        let ledger = expected(&part);
        let at = |text: &str, what: &str| text.find(what).unwrap();
        let text = merged(&ledger, &entry(12, "Two"));
        assert!(at(&text, "Two") < at(&text, part.trim_end()), "{text}");
    }
}

#[test]
fn entries_stay_above_the_governance_of_a_team() {
    let entry = |day: u32| format!("### 2026-02-{day}: Number {day}\n\n**By:** Keaton\n**What:** It is.\n\n");
    let governance = "## Governance\n\n- All meaningful changes require team consensus\n- Keep history focused\n";
    let of = |entries: &str| format!("# Squad Decisions\n\n## Active Decisions\n\n{entries}{governance}");
    assert_eq!(merged(&of(&entry(10)), &format!("{}{}", entry(12), entry(11))), of(&[10, 11, 12].map(entry).concat()));
    // What the template says of an empty ledger goes with the first entry, if it is all that the section had.
    let none = "No decisions recorded yet.\n\n";
    let expected = of(&format!("{}{}", entry(11), entry(12)));
    assert_eq!(merged(&of(none), &format!("{}{}", entry(12), entry(11))), expected);
    let more = format!("{none}Write the first one.\n\n");
    let expected = of(&format!("{more}{}{}", entry(11), entry(12)));
    assert_eq!(merged(&of(&more), &format!("{}{}", entry(12), entry(11))), expected);
    // Also where sections with entries come behind it.
    let rejected = format!("\n## Rejected ideas\n\nNot these.\n\n{}", entry(20).trim_end());
    for (old, kept) in [(none.to_owned(), String::new()), (entry(10), entry(10))] {
        let ledger = |entries: &str| format!("{}{rejected}\n", of(entries));
        let new = format!("{}{}", entry(12), entry(11));
        assert_eq!(merged(&ledger(&old), &new), ledger(&format!("{kept}{}{}", entry(11), entry(12))));
    }
    let folder = squad();
    let folder = folder.path();
    write(folder, LEDGER, of(&entry(10)));
    let new = ["add", "decision", "--author", "keaton", "--summary", "We use tabs", "--rationale", "They fit."];
    assert_eq!(run(folder, &new).status.code(), Some(0));
    let text = text(folder, LEDGER);
    assert!(text.starts_with(&of(&entry(10)).replace(governance, "")) && text.ends_with(governance), "{text}");
}

/// A file of the inbox: what its name begins with, its title, and what is in it.
#[derive(Clone, Debug)]
struct Drop {
    name: &'static str,
    title: Option<&'static str>,
    parts: Vec<(Option<&'static str>, Vec<Written>)>,
}

/// How an entry says its date and its author.
#[derive(Clone, Copy, Debug)]
struct Written {
    day: u32,
    date: u8,
    author: u8,
}

fn drops() -> impl Strategy<Value = Drop> {
    let written = (1u32..28, 0u8..3, 0u8..4).prop_map(|(day, date, author)| Written { day, date, author });
    let section = prop::option::of(prop::sample::select(vec![
        "Sprint 12",
        "Sprint 13 (2026-01-20)",
        "Caches",
        // Documents have parts with these titles.
        "Tests",
        "Notes",
        "Alternatives considered",
    ]));
    let parts = prop::collection::vec((section, prop::collection::vec(written, 1..3)), 1..3);
    let title = prop::option::of(prop::sample::select(vec!["Batch", "Drop (2026-01-04)"]));
    let name = prop::sample::select(vec!["keaton", "verbal", "2026-02-20", "notes"]);
    (name, title, parts).prop_map(|(name, title, parts)| Drop { name, title, parts })
}

fn text_of(Drop { title, parts, .. }: &Drop, number: usize) -> String {
    let mut out = vec![title.map(|title| format!("# {title}\n\n")).unwrap_or_default()];
    let mut count = 0;
    for (section, entries) in parts {
        let hashes = if section.is_some() { "###" } else { "##" };
        out.push(section.map(|title| format!("## {title}\n\n")).unwrap_or_default());
        for Written { day, date, author } in entries {
            count += 1;
            let title = format!("Number {number}x{count} of all");
            let day = format!("2026-02-{day:02}");
            out.push(match (date, author) {
                (0, 0) => format!("{hashes} {day}: {title}\n"),
                (0, 1) => format!("{hashes} {title} - Verbal, {day}\n"),
                (0, _) => format!("{hashes} {day}: {title}\n**By:** Verbal\n"),
                (1, 0) => format!("{hashes} {title}\n**Date:** {day}\n"),
                (1, _) => format!("{hashes} {title}\n**Date:** {day}\n**By:** Verbal\n"),
                _ => format!("{hashes} {title}\n**By:** Keaton\n"),
            });
            out.push(format!("\nWe use number {number}x{count}.\n\n"));
            if *author == 3 {
                out.push(format!("- Verbal, {day}\n\n"));
            }
        }
    }
    out.concat()
}

/// The date, the author, the type and the section of each entry, by its title. A title of the file itself is no section.
fn read_as(folder: &Path) -> BTreeMap<String, [String; 4]> {
    let output = run(folder, &["--format", "jsonl"]);
    let entry = |line: &str| {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let said = ["date", "author", "type"].map(|key| entry[key].as_str().unwrap_or("none").to_lowercase());
        let sections: Vec<String> = serde_json::from_value(entry["sections"].clone()).unwrap_or_default();
        let is_section = |title: &&String| {
            !["Batch", "Drop (2026-01-04)", "Decisions", "Active Decisions"].contains(&title.as_str())
        };
        let sections: Vec<String> = sections.iter().filter(is_section).cloned().collect();
        let [date, author, kind] = said;
        let section = sections.last().map(|title| title.rsplit(": ").next().unwrap().to_owned());
        (entry["summary"].as_str().unwrap().to_owned(), [date, author, kind, section.unwrap_or_default()])
    };
    // A title with a date and no entry right below it may be one itself.
    stdout(&output).lines().map(entry).filter(|(title, _)| title.starts_with("Number")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(rounds(40)).unwrap()))]
    #[test]
    fn an_entry_of_the_inbox_is_read_from_the_ledger_as_before(
        drops in prop::collection::vec(drops(), 1..4),
        later in prop::collection::vec(drops(), 0..2),
        ledger in prop::sample::select(vec![
            "# Decisions\n",
            "# Decisions\n\n### 2026-02-14: Old\n**By:** Verbal\n\nIt is old.\n",
            "# Decisions\n\n## 2026-02-14: Old\n**By:** Verbal\n\nIt is old.\n\n## 2026-02-01: Older\n**By:** Verbal\n\nIt is older.\n",
            "# Decisions\n\n## Sprint 11\n\n### 2026-02-01: Old\n**By:** Verbal\n\nIt is old.\n",
            "# Decisions\n\n## Notes\n\n### 2026-02-01: Old\n**By:** Verbal\n\nIt is old.\n",
            "# Decisions\n\n## Active Decisions\n\n### 2026-02-14: Old\n**By:** Verbal\n\nIt is old.\n\n## Governance\n\n- Ask.\n",
            "# Decisions\n\n## Active Decisions\n\nNone yet.\n\n## Governance\n\n- Ask.\n",
        ]),
    ) {
        let folder = squad();
        let path = folder.path();
        write(path, ".squad/agents/verbal/charter.md", "# Verbal\n");
        write(path, LEDGER, ledger);
        let mut number = 0;
        for drops in [drops, later] {
            for drop in &drops {
                number += 1;
                write(path, format!(".squad/decisions/inbox/{}-{number}.md", drop.name), text_of(drop, number));
            }
            let before = read_as(path);
            let files = drops.iter().enumerate().map(|(at, drop)| text_of(drop, number + 1 + at - drops.len()));
            let files: Vec<String> = files.collect();
            let output = run(path, &["merge-inbox"]);
            let shown = || format!("{}\n{}\n====\n{}", stderr(&output), files.join("\n====\n"), text(path, LEDGER));
            // A file that the ledger would read otherwise stays: a title with a date can be an entry there.
            let is_kept = stderr(&output).contains("kept .squad/decisions/inbox/");
            prop_assert_eq!(output.status.code(), Some(if is_kept { 2 } else { 0 }), "{}", shown());
            prop_assert_eq!(read_as(path), before, "{}", shown());
            let ledger = text(path, LEDGER);
            for line in files.iter().flat_map(|file| file.lines()).filter(|line| line.starts_with("We use") && !is_kept) {
                prop_assert_eq!(ledger.matches(line).count(), 1, "{}", shown());
            }
            let second = run(path, &["merge-inbox"]);
            prop_assert_eq!(second.status.code(), output.status.code());
            prop_assert_eq!(text(path, LEDGER), ledger, "{}", shown());
        }
    }
}

#[test]
fn a_heading_of_the_inbox_takes_in_no_entry_of_others() {
    let ledgers = [
        "# Decisions\n\n### 2026-01-14: Old\n**By:** Verbal\n\nIt is old.\n",
        "# Decisions\n\n## Sprint 11\n\n### 2026-02-01: Old\n**By:** Verbal\n\nIt is old.\n",
        "# Decisions\n\n## Sprint 11\n\n### 2026-02-14: Old\n**By:** Verbal\n\nIt is old.\n\n### 2026-02-01: Older\n**By:** Verbal\n\nIt is older.\n",
    ];
    for ledger in ledgers {
        let folder = squad();
        let path = folder.path();
        write(path, ".squad/agents/verbal/charter.md", "# Verbal\n");
        write(path, LEDGER, ledger);
        let (one, other) = (".squad/decisions/inbox/keaton-1.md", ".squad/decisions/inbox/keaton-2.md");
        write(path, one, "## 2026-02-20: Number 1 of all\n**By:** Verbal\n\nWe use number 1.\n");
        write(path, other, "## Tests\n\n### Number 2 of all - Verbal, 2026-02-01\n\nWe use number 2.\n");
        let read = || {
            let output = stdout(&run(path, &["--format", "jsonl"]));
            let entry = |line: &str| {
                let entry: serde_json::Value = serde_json::from_str(line).unwrap();
                (entry["summary"].to_string(), entry["sections"].to_string())
            };
            output.lines().map(entry).collect::<BTreeMap<String, String>>()
        };
        let before = read();
        let output = run(path, &["merge-inbox"]);
        assert_eq!(read(), before, "{}{}", stderr(&output), text(path, LEDGER));
        assert!(!path.join(one).exists(), "{}", stderr(&output));
    }
}

#[test]
fn an_entry_is_below_its_own_title_beside_entries_of_the_same_level() {
    let entry = |level: &str, day: u32, title: &str| {
        format!("{level} 2026-02-{day:02}: {title}\n**By:** Verbal\n**What:** {title} it is.\n\n")
    };
    let (new, older) = (entry("###", 3, "Ports"), entry("##", 1, "Logs"));
    for at in [5, 2] {
        // The title is in the ledger, with entries of its own level behind it: the new one is older and newer than they are.
        let beside = entry("##", at, "Tabs");
        let ledger = format!("# Decisions\n\n## Alternatives considered\n\n{beside}{older}");
        let folder = squad();
        let path = folder.path();
        write(path, LEDGER, &ledger);
        write(path, ".squad/decisions/inbox/keaton-ports.md", format!("## Alternatives considered\n\n{new}"));
        let output = run(path, &["merge-inbox"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let expected = format!("# Decisions\n\n## Alternatives considered\n\n{new}{beside}{older}");
        assert_eq!(text(path, LEDGER).trim_end(), expected.trim_end());
        let found: serde_json::Value =
            serde_json::from_str(&stdout(&run(path, &["--text", "Ports", "--format", "json"]))).unwrap();
        let found = &found["entries"][0];
        assert_eq!((&found["summary"], &found["sections"][0]), (&"Ports".into(), &"Alternatives considered".into()));
    }
}

#[test]
fn what_is_above_a_title_and_in_a_name_is_of_the_entry() {
    let folder = squad();
    let path = folder.path();
    write(
        path,
        ".squad/decisions/inbox/tabs.md",
        "> **Date:** 2026-02-11\n> **Author:** Verbal\n\n# Tabs\n\nWe use tabs.\n",
    );
    let directive = "# Decisions in English\n\n**Date:** 2026-02-12\n\nDecisions are written in English.\n";
    write(path, ".squad/decisions/inbox/copilot-directive-english.md", directive);
    assert!(run(path, &["merge-inbox"]).status.success());
    let ledger = text(path, LEDGER);
    assert!(ledger.contains("### Tabs\n\n> **Date:** 2026-02-11\n> **Author:** Verbal\n\nWe use tabs.\n"), "{ledger}");
    for (words, expected) in [("use tabs", "\"author\":\"Verbal\""), ("in English", "\"type\":\"directive\"")] {
        let output = stdout(&run(path, &["--text", words, "--format", "jsonl"]));
        assert!(output.replace(": ", ":").contains(expected), "{output}");
    }
}
