//! Entries between the markers of a conflict that a merge left in a file.

use std::path::Path;

use super::{demo, entry, json, run};
use crate::support::{stdout, write};

const LEDGER: &str = ".squad/decisions.md";

fn sem(second: u32, summary: &str) -> String {
    entry(&format!("2026-02-21T00:00:{second:02}+0000"), "decision", "Keaton", summary, "")
}

fn older(day: u32, title: &str) -> String {
    format!("### 2026-02-{day:02}: {title}\n**By:** Keaton\n**What:** {title} it is.\n\n")
}

/// The summaries of the entries in a conflict.
fn disputed(folder: &Path, args: &[&str]) -> Vec<String> {
    let found = json(folder, &[&["memory"], args].concat());
    let all = found["entries"].as_array().unwrap().iter().filter(|one| one["in_conflict"] == true);
    let mut all: Vec<String> = all.map(|one| one["summary"].as_str().unwrap().to_owned()).collect();
    all.sort();
    all
}

#[test]
fn whole_entries_between_the_markers_apply_on_neither_side() {
    for (one, ours, theirs, last) in [
        (sem(1, "Tabs"), sem(2, "Postgres"), sem(3, "Redis"), sem(4, "Caches")),
        (older(10, "Tabs"), older(11, "Postgres"), older(12, "Redis"), older(13, "Caches")),
    ] {
        let conflicts = [
            format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n"),
            format!("<<<<<<< HEAD\n{ours}||||||| 1234567\n=======\n{theirs}>>>>>>> other\n"),
            format!("<<<<<<< HEAD\r\n{ours}=======\r\n{theirs}>>>>>>> other\r\n"),
        ];
        for conflict in conflicts {
            let folder = demo();
            let folder = folder.path();
            write(folder, LEDGER, format!("# Decisions\n\n{one}{conflict}{last}"));
            assert_eq!(disputed(folder, &[]), ["Postgres", "Redis"], "{conflict}");
            assert_eq!(disputed(folder, &["--in-force"]), Vec::<String>::new());
            // A filter by which only a part of the file is read.
            assert_eq!(disputed(folder, &["--text", "Redis"]), ["Redis"]);
            assert!(stdout(&run(folder, &["memory"])).contains("[in conflict] Redis"));
            assert!(stdout(&run(folder, &["memory", "--format", "csv"])).contains(",Redis,in conflict,"));
            let brief = stdout(&run(folder, &["memory", "brief", "--for", "keaton"]));
            assert_eq!(brief.matches("neither side of it applies").count(), 2, "{brief}");
            assert!(!brief.contains("Redis it is") && brief.contains("Tabs") && brief.contains("Caches"), "{brief}");
            let health = stdout(&run(folder, &["health"]));
            let line = 1 + one.lines().count() + 2;
            let place = format!("in conflict (1)\n  {LEDGER}:{line}: unresolved merge conflict, up to line ");
            assert!(health.contains(&place), "{health}");
            assert_eq!(run(folder, &["health"]).status.code(), Some(1));
        }
    }
}

#[test]
fn a_short_brief_takes_no_side_either() {
    let folder = demo();
    let same = |second| sem(second, &format!("Postgres is the store {}", "of all that we keep ".repeat(20)));
    write(folder.path(), LEDGER, format!("<<<<<<< HEAD\n{}=======\n{}>>>>>>> other\n", same(1), same(2)));
    let brief = stdout(&run(folder.path(), &["memory", "brief", "--for", "keaton", "--budget", "900"]));
    assert_eq!(brief.matches("in an unresolved merge conflict").count(), 2, "{brief}");
}

#[test]
fn what_only_looks_like_markers_disputes_nothing() {
    let (one, two) = (older(10, "Tabs"), older(11, "Postgres"));
    for text in [
        format!("# Decisions\n\nAll of them\n=======\n\n{one}{two}"),
        format!("# Decisions\n\n```\n<<<<<<< HEAD\n{one}=======\n{two}>>>>>>> other\n```\n\n{}", older(12, "Redis")),
        format!("# Decisions\n\n<<<<<<< HEAD\n{one}=======\n{two}"),
    ] {
        let folder = demo();
        write(folder.path(), LEDGER, &text);
        assert_eq!(disputed(folder.path(), &[]), Vec::<String>::new(), "{text}");
    }
}
