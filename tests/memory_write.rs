//! `memory add`, `supersede`, `merge-inbox` and `archive`: what they write, at the same time and if they are killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::support::sample::Rng;
use crate::support::{files_below, rounds, squad_lint, stderr, stdout, write};
use tempfile::TempDir;

const NOW: &str = "2026-02-15T10:00:00+0000";
const LEDGER: &str = ".squad/decisions.md";

fn squad() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let team = "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n| --- | --- | --- | --- |\n\
        | Keaton | Lead | `.squad/agents/keaton/charter.md` | Active |\n| Verbal | Writer | `.squad/agents/verbal/charter.md` | Active |\n";
    write(folder.path(), ".squad/team.md", team);
    write(folder.path(), LEDGER, "# Decisions\n");
    write(folder.path(), ".squad/agents/keaton/history.md", "# Keaton\n\n## Learnings\n");
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

fn done(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn text(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

fn warnings(folder: &Path) -> String {
    let output =
        squad_lint(folder).args(["--now", NOW, "--format", "compact", "--fail-on", "warning"]).output().unwrap();
    stdout(&output)
}

#[test]
fn entries_go_where_they_belong() {
    let folder = squad();
    let folder = folder.path();
    let before = warnings(folder);
    let add = ["add", "decision", "--author", "Keaton", "--now", NOW, "--rationale", "They are short."];
    assert_eq!(done(folder, &[&add[..], &["--summary", "We use tabs"]].concat()), format!("{LEDGER}: {NOW}\n"));
    // The second is taken.
    let next = "2026-02-15T10:00:01+0000";
    assert_eq!(done(folder, &[&add[..], &["--summary", "We use caches"]].concat()), format!("{LEDGER}: {next}\n"));
    let history = ".squad/agents/keaton/history.md";
    let add = ["add", "memory", "--author", "keaton", "--summary", "Tests need one thread", "--now", NOW];
    assert_eq!(done(folder, &add), format!("{history}: 2026-02-15T10:00:02+0000\n"));
    write(folder, "text.md", "We use blanks.\n\n**rationale:** All editors agree.\n");
    let supersede = ["supersede", NOW, "--author", "Verbal", "--summary", "We use blanks", "--now", NOW, "text.md"];
    assert_eq!(done(folder, &supersede), format!("{LEDGER}: 2026-02-15T10:00:03+0000\n"));
    let ledger = text(folder, LEDGER);
    assert!(ledger.contains(&format!("**supersedes:** {NOW}  \n")), "{ledger}");
    assert!(
        ledger.contains("**details:**\n\nWe use blanks.\n\n**rationale:** All editors agree.\n\n---\n"),
        "{ledger}"
    );
    let orders: Vec<usize> = ["use tabs", "use caches", "use blanks"].map(|it| ledger.find(it).unwrap()).to_vec();
    assert!(orders.is_sorted());
    assert!(text(folder, history).starts_with("# Keaton\n\n## Learnings\n\n### 2026-02-15T10:00:02+0000: memory: "));
    assert_eq!(warnings(folder), before);
}

#[test]
fn what_the_file_has_stays_to_its_end() {
    let entry = |day: u32| format!("### 2026-02-{day:02}: Number {day}\n\n**By:** Keaton\n**What:** It is.\n");
    let add = ["add", "decision", "--author", "Keaton", "--now", NOW, "--rationale", "So.", "--summary", "We use tabs"];
    for end in ["", "\n", "\n\n\n"] {
        let folder = squad();
        let folder = folder.path();
        // The new entry comes last.
        let old = format!("# Decisions\n\n{}\n{}{end}", entry(1), entry(2));
        write(folder, LEDGER, &old);
        done(folder, &add);
        let new = text(folder, LEDGER);
        assert!(new.starts_with(&old) && new.ends_with("\n---\n") || new.ends_with("So.\n"), "{new:?}");
        // It comes first.
        let old = format!("# Decisions\n\n{}\n{}{end}", entry(2), entry(1));
        write(folder, LEDGER, &old);
        done(folder, &add);
        let new = text(folder, LEDGER);
        assert!(new.ends_with(old.strip_prefix("# Decisions\n\n").unwrap()), "{new:?}");
    }
    let folder = squad();
    write(
        folder.path(),
        LEDGER,
        "# Decisions\n\n## Active Decisions\n\nNo decisions recorded yet.\n\n## Governance\n\n- All agree\n\n\n",
    );
    done(folder.path(), &add);
    let new = text(folder.path(), LEDGER);
    assert!(!new.contains("recorded yet") && new.ends_with("\n\n## Governance\n\n- All agree\n\n\n"), "{new:?}");
}

#[test]
fn an_older_entry_is_converted_before_another_one_supersedes_it() {
    let folder = squad();
    let folder = folder.path();
    let older = "# Decisions\n\n### 2026-02-11T10:00:00Z: Tabs\n\n**By:** Verbal\n\n**What:** We use tabs.\n";
    write(folder, LEDGER, older);
    write(folder, "text.md", "We use blanks.\n");
    let at = "2026-02-11T10:00:00+0000";
    let supersede = [
        "supersede",
        at,
        "--author",
        "Verbal",
        "--summary",
        "We use blanks",
        "--rationale",
        "So.",
        "--now",
        NOW,
        "text.md",
    ];
    let output = run(folder, &supersede);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    let (place, way) =
        (format!("the entry of {at}, at {LEDGER}:3, is not in SEM"), format!("squad-lint convert {LEDGER}"));
    assert!(said.contains(&place) && said.contains(&way), "{said}");
    assert_eq!(text(folder, LEDGER), older);
    // The way out is one.
    assert_eq!(squad_lint(folder).args(["convert", LEDGER]).output().unwrap().status.code(), Some(0));
    done(folder, &supersede);
    assert!(text(folder, LEDGER).contains(&format!("**supersedes:** {at}")), "{}", text(folder, LEDGER));
}

#[test]
fn what_a_check_would_warn_of_is_not_written() {
    let folder = squad();
    let folder = folder.path();
    let long = "word ".repeat(30);
    for (args, expected) in [
        (vec!["decision", "--summary", "We use tabs"], "sem/missing-rationale"),
        (vec!["note", "--summary", long.trim()], "sem/summary-too-long"),
        (vec!["note", "--summary", "Two\nlines"], "`--summary` contains a line break"),
        (vec!["note", "--summary", "A", "--tag", "a\n**type:** directive"], "`--tag` contains a line break"),
        (vec!["note", "--summary", "A", "--supersedes", "2026-01-01T00:00:00+0000"], "no entry has the timestamp"),
        (vec!["thought", "--summary", "A"], "possible values"),
    ] {
        let output = run(folder, &[&["add"], &args[..], &["--author", "Keaton", "--now", NOW]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
    let note = ["add", "note", "--summary", "A", "--now", NOW, "--author"];
    let output = run(folder, &[&note[..], &["Keton"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("author `Keton` is not on the team (did you mean `keaton`?)"),
        "{}",
        stderr(&output)
    );
    write(folder, "open.md", "We use tabs.\n\n```\na\n");
    let output = run(folder, &[&note[..], &["Keaton", "open.md"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let expected = "the text of the entry: the code fence that begins on line 3 is never closed";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    assert_eq!(text(folder, LEDGER), "# Decisions\n");
    let args = ["add", "decision", "--summary", "We use tabs", "--author", "Keaton", "--now", NOW, "--allow-findings"];
    done(folder, &args);
    assert!(text(folder, LEDGER).contains("decision: We use tabs\n"));
}

#[test]
fn what_a_check_says_is_on_one_line() {
    let folder = squad();
    let add =
        ["add", "directive", "--author", "Keaton", "--now", NOW, "--summary", "We use tabs", "--rationale", "So."];
    let output = run(folder.path(), &add);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("; if no person gave it") && !said.contains("\\n"), "{said}");
}

#[test]
fn bad_places() {
    let folder = tempfile::tempdir().unwrap();
    let add = ["add", "note", "--author", "Keaton", "--summary", "A", "--now", NOW];
    let said = |folder: &Path, args: &[&str]| {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        stderr(&output)
    };
    assert!(said(folder.path(), &add).contains("there is no squad here"));
    #[cfg(unix)]
    {
        // The agents are a squad, whatever its ledger is.
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::NamedTempFile::new().unwrap();
        write(folder.path(), ".squad/agents/keaton/charter.md", "# Keaton\n");
        std::os::unix::fs::symlink(elsewhere.path(), folder.path().join(LEDGER)).unwrap();
        let said = said(folder.path(), &add);
        assert!(said.contains("decisions.md is reached through a symbolic link"), "{said}");
    }
    write(folder.path(), LEDGER, "# Decisions\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
    assert!(said(folder.path(), &add).contains("conflict"));
    write(folder.path(), "b/.squad/decisions.md", "# Decisions\n");
    assert!(said(folder.path(), &add).contains("several squads here: `.squad` and `b/.squad`"));
    done(folder.path(), &[&add[..], &["--squad", "b/.squad/"]].concat());
    let full = folder.path().join("b/.squad");
    let full = done(folder.path(), &[&add[..], &["--squad", full.to_str().unwrap()]].concat());
    assert!(full.starts_with("b/.squad/decisions.md: "), "{full}");
    let unknown = said(folder.path(), &[&add[..], &["--squad", "c/.squad"]].concat());
    assert!(
        unknown.contains("no squad has the state root `c/.squad`") && unknown.contains("`.squad` and `b/.squad`"),
        "{unknown}"
    );
    #[cfg(unix)]
    {
        let folder = squad();
        write(folder.path(), "elsewhere.md", "# Decisions\n");
        fs::remove_file(folder.path().join(LEDGER)).unwrap();
        std::os::unix::fs::symlink("../elsewhere.md", folder.path().join(LEDGER)).unwrap();
        assert!(said(folder.path(), &add).contains("link"));
        assert_eq!(text(folder.path(), "elsewhere.md"), "# Decisions\n");
    }
}

#[test]
fn many_at_once_lose_nothing() {
    let folder = squad();
    let path = folder.path();
    let count = rounds(200);
    let children: Vec<_> = (0..count)
        .map(|number| {
            let summary = format!("Number {number} of all");
            let mut args = vec!["add", "note", "--author", "Keaton", "--summary", &summary, "--now", NOW];
            args.extend((number % 4 == 3).then_some("--inbox"));
            memory(path, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut moments = BTreeSet::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let said = stdout(&output);
        moments.insert(said.split_once(": ").unwrap().1.to_owned());
    }
    assert_eq!(moments.len(), count, "two entries have one moment");
    done(path, &["merge-inbox"]);
    let ledger = text(path, LEDGER);
    for number in 0..count {
        assert_eq!(ledger.matches(&format!(": note: Number {number} of all\n")).count(), 1, "{number}");
    }
    assert!(!warnings(path).contains("sem/"), "{}", warnings(path));
}

#[test]
fn many_at_once_lose_nothing_without_a_ledger() {
    for kind in [&["memory"][..], &["note", "--inbox"], &["note"]] {
        let folder = squad();
        let path = folder.path();
        fs::remove_file(path.join(LEDGER)).unwrap();
        let start = |number: usize| {
            let summary = format!("Number {number} of all");
            let add = ["--author", "keaton", "--summary", &summary, "--now", NOW];
            let args = [&["add"], kind, &add[..]].concat();
            memory(path, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children: Vec<_> = (0..12).map(start).collect();
        let mut moments = BTreeSet::new();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{kind:?}: {}", stderr(&output));
            moments.insert(stdout(&output).split_once(": ").unwrap().1.to_owned());
        }
        assert_eq!(moments.len(), 12, "{kind:?}: two entries have one moment");
        let files = files_below(path).into_iter().map(|file| text(path, file.to_str().unwrap())).collect::<String>();
        for number in 0..12 {
            assert_eq!(files.matches(&format!(": Number {number} of all\n")).count(), 1, "{kind:?}: {number}");
        }
    }
}

#[test]
fn one_of_many_at_once_supersedes() {
    let folder = squad();
    let path = folder.path();
    let add = ["add", "decision", "--author", "Keaton", "--now", NOW, "--rationale", "They are short.", "--summary"];
    done(path, &[&add[..], &["We use tabs"]].concat());
    let start = |number: usize| {
        let summary = format!("We use {number} blanks");
        let args = ["supersede", NOW, "--author", "Keaton", "--now", NOW, "--rationale", "So.", "--summary", &summary];
        memory(path, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..6).map(start).collect();
    let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let count = outputs.iter().filter(|output| output.status.success()).count();
    assert_eq!(count, 1, "{}", outputs.iter().map(stderr).collect::<String>());
    assert_eq!(text(path, LEDGER).matches("**supersedes:**").count(), 1);
}

const INBOX: [(&str, &str); 5] = [
    (
        "keaton-tabs.md",
        "# Decision: Tabs\n\n**By:** Keaton\n**Date:** 2026-02-10\n\n## Context\n\nWe had blanks.\n\n## Decision\n\nWe use tabs.\n",
    ),
    ("verbal-logs.md", "### 2026-02-09: Logs are short\n**By:** Verbal\n**What:** At most a line.\n"),
    (
        "verbal-two.md",
        "### 2026-02-11: Caches stay\n**By:** Verbal\n**What:** For a day.\n\n### 2026-02-08: Ports are free\n**By:** Verbal\n**What:** From 8000.\n",
    ),
    ("verbal-note.md", "The build is slow on Mondays.\n"),
    ("verbal-again.md", "### 2026-02-01: First\r\n**By:** Verbal\r\n**What:** It was there.\r\n"),
];

fn with_inbox() -> TempDir {
    let folder = squad();
    write(folder.path(), LEDGER, "# Decisions\n\n### 2026-02-01: First\n**By:** Verbal\n**What:** It was there.\n");
    for (name, content) in INBOX {
        write(folder.path(), format!(".squad/decisions/inbox/{name}"), content);
    }
    folder
}

#[test]
fn an_author_is_one_member() {
    let folder = squad();
    let folder = folder.path();
    let add = |author: &str| run(folder, &["add", "memory", "--author", author, "--summary", "Locks are files"]);
    let history = ".squad/agents/keaton/history.md";
    for (author, written) in [
        ("Keaton (Lead)", "Keaton"),
        ("keaton", "keaton"),
        ("@Keaton", "@Keaton"),
        ("Keaton (via Verbal)", "Keaton (via Verbal)"),
    ] {
        let before = text(folder, history).matches(&format!("**author:** {written}  \n")).count();
        let output = add(author);
        assert!(
            stdout(&output).starts_with(&format!("{history}: ")),
            "{author}: {}{}",
            stdout(&output),
            stderr(&output)
        );
        assert_eq!(
            text(folder, history).matches(&format!("**author:** {written}  \n")).count(),
            before + 1,
            "{author}"
        );
    }
    for (author, names) in [
        ("Keaton, Verbal", "Keaton and Verbal"),
        ("keaton & verbal", "keaton and verbal"),
        ("Keaton and Verbal", "Keaton and Verbal"),
        ("Keaton, Verbal and Mike (humans)", "Keaton, Verbal and Mike"),
        ("Ann and Bob", "Ann and Bob"),
    ] {
        let before = text(folder, history);
        let output = add(author);
        assert_eq!(output.status.code(), Some(2), "{author}");
        assert!(stderr(&output).contains(&format!("`--author` names several: {names}\n")), "{}", stderr(&output));
        assert_eq!(text(folder, history), before);
    }
}

#[test]
fn the_inbox_moves_into_the_ledger() {
    let folder = with_inbox();
    let folder = folder.path();
    let before = text(folder, LEDGER);
    let output = run(folder, &["merge-inbox", "--diff"]);
    assert!(stdout(&output).contains("+### Decision: Tabs\n"), "{}", stdout(&output));
    assert!(stderr(&output).contains("would merge 5 files: 5 new entries, 1 already there"), "{}", stderr(&output));
    assert_eq!(text(folder, LEDGER), before);
    assert_eq!(done(folder, &["merge-inbox"]), "merged 5 files: 5 new entries, 1 already there\n");
    let expected = format!(
        "# Decisions\n\n{old}\n### 2026-02-08: Ports are free\n**By:** Verbal\n**What:** From 8000.\n\n\
         ### 2026-02-09: Logs are short\n**By:** Verbal\n**What:** At most a line.\n\n\
         ### Decision: Tabs\n\n**By:** Keaton\n**Date:** 2026-02-10\n\n#### Context\n\nWe had blanks.\n\n#### Decision\n\nWe use tabs.\n\n\
         ### 2026-02-11: Caches stay\n**By:** Verbal\n**What:** For a day.\n\n\
         ### verbal note\n\n**By:** Verbal\n\nThe build is slow on Mondays.\n",
        old = before.strip_prefix("# Decisions\n\n").unwrap()
    );
    assert_eq!(text(folder, LEDGER), expected);
    assert!(files_below(&folder.join(".squad/decisions/inbox")).is_empty());
    assert_eq!(done(folder, &["merge-inbox"]), "the inbox has nothing to merge\n");
    assert_eq!(text(folder, LEDGER), expected);
}

#[test]
fn a_file_that_stays_is_no_empty_inbox() {
    let folder = squad();
    let folder = folder.path();
    write(folder, ".squad/decisions/inbox/verbal-tabs.md", "# Proposal\n\n## Context\n");
    let output = run(folder, &["merge-inbox"]);
    assert!(stdout(&output).contains("merged no file: 1 file stays in the inbox"), "{}", stdout(&output));
    assert!(stderr(&output).contains("kept .squad/decisions/inbox/verbal-tabs.md"), "{}", stderr(&output));
}

#[test]
fn what_is_in_the_inbox_is_in_the_ledger_once() {
    let folder = squad();
    let folder = folder.path();
    let known = "2026-02-03: Known\n**By:** Keaton\n**What:** It was there.\n";
    write(folder, LEDGER, format!("# Decisions\n\n### {known}"));
    let file = format!(
        "# Inbox of Keaton\n\nWhat we said.\n\n## Sprint 12\n\n### 2026-02-10: One\n**By:** Keaton\n**What:** First.\n\n\
         ## 2026-02-12: Monday\n\n### Tabs\n**By:** Keaton\n**What:** Second.\n\n## {known}\n## Caches\n\n### Keep them\n\nFor a day.\n"
    );
    write(folder, ".squad/decisions/inbox/keaton.md", &file);
    done(folder, &["merge-inbox"]);
    let ledger = text(folder, LEDGER);
    let says = |line: &str| line.trim_start_matches('#').trim().to_owned();
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with("**By")) {
        assert_eq!(ledger.lines().filter(|other| says(other) == says(line)).count(), 1, "{line}\n{ledger}");
    }
    assert!(ledger.contains("## Sprint 12\n\n### 2026-02-10: One\n"), "{ledger}");
    assert!(ledger.contains("## 2026-02-12: Monday\n\n### Tabs\n**Date:** 2026-02-12\n"), "{ledger}");
    // A run that was killed before it removed the file.
    write(folder, ".squad/decisions/inbox/keaton.md", &file);
    done(folder, &["merge-inbox"]);
    assert_eq!(text(folder, LEDGER), ledger);
}

#[test]
fn what_cannot_be_merged_stays() {
    let folder = squad();
    let folder = folder.path();
    let inbox = |name: &str| format!(".squad/decisions/inbox/{name}");
    write(folder, inbox("a.md"), "### 2026-02-01: A\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
    write(folder, inbox("b.md"), b"### 2026-02-01: B\n\xff\n");
    write(folder, inbox("c.md"), "# Only a title\n");
    write(folder, inbox("d.md"), "### 2026-02-01: D\n**By:** Verbal\n");
    write(folder, inbox("e.md"), "### 2026-02-01: E\n**By:** Verbal\n\n```js\nlet a;\n");
    write(folder, inbox("f.md"), "\n");
    let output = run(folder, &["merge-inbox"]);
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(2), "merged 2 files: 1 new entry, 1 file was empty\n"));
    let open = "inbox/e.md:4: the code fence that begins on line 4 is never closed";
    for reason in ["inbox/a.md:2: it has an unresolved merge conflict", "not UTF-8", "no entry is in it", open] {
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
    assert_eq!(files_below(&folder.join(".squad/decisions/inbox")).len(), 4);
    write(folder, LEDGER, "# Decisions\n\n```\nopen\n");
    write(folder, inbox("d.md"), "### 2026-02-01: D\n**By:** Verbal\n");
    let output = run(folder, &["merge-inbox"]);
    assert_eq!(output.status.code(), Some(2));
    let expected = "decisions.md: the code fence that begins on line 3 is never closed";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
}

#[test]
fn a_run_that_is_killed_loses_nothing() {
    let words = ["We use tabs.", "At most a line.", "For a day.", "From 8000.", "on Mondays.", "It was there."];
    let mut rng = Rng(20);
    for round in 0..rounds(500) {
        let folder = with_inbox();
        let path = folder.path();
        let mut child = memory(path, &["merge-inbox"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(rng.below(60_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let all = || {
            let files = files_below(path).into_iter().filter(|file| file.extension().is_some_and(|end| end == "md"));
            files.map(|file| fs::read_to_string(path.join(file)).unwrap()).collect::<String>()
        };
        let left = all();
        for word in &words {
            assert!(left.contains(word), "{round}: {word} is lost");
        }
        done(path, &["merge-inbox"]);
        let ledger = text(path, LEDGER);
        for word in &words {
            assert_eq!(ledger.matches(word).count(), 1, "{round}: {word}\n{ledger}");
        }
        assert!(files_below(&path.join(".squad/decisions/inbox")).is_empty());
    }
}

#[test]
fn archives() {
    let folder = squad();
    let folder = folder.path();
    let entry = |day: usize| {
        let text = "Text of an entry. ".repeat(40);
        format!("### 2025-{:02}-{:02}: Number {day}\n**By:** Keaton\n**What:** {text}\n\n", 1 + day / 28, 1 + day % 28)
    };
    let text_before = format!("# Decisions\n\n{}", (0..80).map(entry).collect::<String>());
    write(folder, LEDGER, &text_before);
    let output = run(folder, &["archive", "--diff", "--now", NOW]);
    assert!(stdout(&output).contains("+++ b/.squad/decisions-archive.md"), "{}", stderr(&output));
    assert_eq!(text(folder, LEDGER), text_before);
    let said = done(folder, &["archive", "--now", NOW]);
    assert!(said.contains(".squad/decisions.md: "), "{said}");
    assert!(text(folder, LEDGER).len() < text_before.len() && folder.join(".squad/decisions-archive.md").is_file());
    assert_eq!(done(folder, &["archive", "--now", NOW]), "no file is over its limit\n");
}

/// The temporary files of runs, by their paths.
#[cfg(unix)]
fn left(folder: &Path) -> Vec<String> {
    let files = files_below(folder).into_iter().map(|path| path.to_string_lossy().into_owned());
    files.filter(|path| path.contains(".squad-lint-")).collect()
}

#[cfg(unix)]
#[test]
fn what_a_run_that_was_killed_left_is_no_memory_and_is_removed() {
    let folder = squad();
    let folder = folder.path();
    let add = |inbox: &[&str]| {
        let args = ["add", "note", "--author", "Keaton", "--summary", "We use tabs", "--now", NOW];
        memory(folder, &[&args[..], inbox].concat())
    };
    for round in 0..rounds(200) {
        let inbox: &[&str] = if round % 2 == 0 { &[] } else { &["--inbox"] };
        let mut child = add(inbox).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(500 * u64::try_from(round).unwrap()));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // An empty one stays for an hour: its run may be about to lock it.
    let two_hours_ago = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    for path in left(folder) {
        let file = fs::File::options().write(true).open(folder.join(path)).unwrap();
        if file.metadata().unwrap().len() == 0 {
            file.set_modified(two_hours_ago).unwrap();
        }
    }
    // Also in the folders that the next run does not write to.
    let stale =
        format!("### {NOW}: directive: Never\n\n**type:** directive  \n**timestamp:** {NOW}  \n**author:** Verbal  \n");
    let folders = [".squad", ".squad/agents/keaton", ".squad/decisions/inbox"];
    fs::create_dir_all(folder.join(folders[2])).unwrap();
    write(folder, ".squad/decisions/inbox/verbal-old.md", "# Old\n\nIt is old.\n");
    for (number, inner) in folders.iter().enumerate() {
        write(folder, format!("{inner}/.squad-lint-abcde{number}.tmp"), &stale);
    }
    // One that lives has a lock.
    let living = ".squad/agents/keaton/.squad-lint-living.tmp";
    write(folder, living, &stale);
    let file = fs::File::open(folder.join(living)).unwrap();
    file.lock().unwrap();
    assert!(!done(folder, &["--format", "jsonl"]).contains("Never"));
    assert!(!warnings(folder).contains("squad-lint-"));
    assert!(!done(folder, &["merge-inbox", "--diff"]).contains("Never"));
    let output = add(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(left(folder), [living]);
    drop(file);
    done(folder, &["merge-inbox"]);
    assert_eq!(left(folder), Vec::<String>::new());
    assert!(!text(folder, LEDGER).contains("Never"));
}

#[test]
fn an_entry_is_not_put_below_what_was_rejected() {
    let folder = squad();
    let folder = folder.path();
    let kept = "### 2026-02-05: Use tabs\n**By:** Keaton\n**What:** Tabs.\n";
    let rejected = "### 2026-02-06: Use spaces\n**By:** Keaton\n**What:** Spaces.\n";
    write(folder, LEDGER, format!("# Decisions\n\n## Active decisions\n\n{kept}\n## Rejected ideas\n\n{rejected}"));
    done(folder, &["add", "decision", "--author", "Keaton", "--now", NOW, "--summary", "One", "--rationale", "R."]);
    let two = "### 2026-02-12: Two\n**By:** Verbal\n**What:** It is two.\n";
    write(folder, ".squad/decisions/inbox/two.md", two);
    // What comes with its section stays in it, and takes nothing else in.
    let three = "## Rejected ideas\n\n### 2026-02-11: Three\n**By:** Verbal\n**What:** It is three.\n";
    write(folder, ".squad/decisions/inbox/three.md", three);
    done(folder, &["merge-inbox"]);
    let ledger = text(folder, LEDGER);
    let list = done(folder, &["--in-force", "--format", "jsonl"]);
    for (title, applies) in [("One", true), ("Two", true), ("Three", false), ("Use tabs", true), ("Use spaces", false)]
    {
        assert_eq!(list.contains(&format!("\"{title}\"")), applies, "{title}: {list}\n{ledger}");
    }
    // Nor where nothing else was decided so far.
    for start in ["# Decisions\n\n## Active decisions\n\nNone yet.\n", "# Decisions\n"] {
        write(folder, LEDGER, format!("{start}\n## Rejected ideas\n\n{rejected}"));
        done(folder, &["add", "decision", "--author", "Keaton", "--now", NOW, "--summary", "One", "--rationale", "R."]);
        let list = done(folder, &["--in-force", "--format", "jsonl"]);
        assert!(list.contains("\"One\"") && !list.contains("Use spaces"), "{}", text(folder, LEDGER));
        assert!(text(folder, LEDGER).starts_with(start), "{}", text(folder, LEDGER));
    }
}
