use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};
use proptest::prelude::*;
use squad_lint::formats::learnings::{Entry, Learnings, Section, Tier};
use squad_lint::select::input::Overlay;
use squad_lint::text::Span;

use super::{TEAM, team};
use crate::support::fixing::forgotten;
use crate::support::random::{cases, learnings};
use crate::support::{files_below, git, squad_lint, stderr, stdout, write};

const BACKEND: &str = "memory/agents/backend/learnings.md";
const ARCHIVE: &str = "memory/agents/backend/archive.md";
const FRONTEND: &str = "memory/agents/frontend/learnings.md";
const NOW: [&str; 2] = ["--now", "2026-03-22"];

const LEARNINGS: &str = "\
# Learnings: backend

## Codebase Patterns
- API v2 uses joi for validation (added: 2026-03-13)
- d3-force pins a fixed node (added: 2026-02-13)
- Tests live beside the source files, as `src/lib/foo.test.ts` (added: 2026-03-13)

## Gotchas
- API v2 uses joi for validation. (added: 2026-03-20)
- Tests live beside the source: `src/lib/foo.test.ts` (added: 2026-03-14)

## Preferences
- (none yet)

## Cross-Agent Notes
- (from frontend) Dates are stored as UTC (added: 2026-03-01)
- (from frontend) Times are shown as local (added: 2026-03-20)
";

const PRUNED: &str = "\
# Learnings: backend

## Codebase Patterns
- API v2 uses joi for validation (added: 2026-03-13, updated: 2026-03-20)
- d3-force pins a fixed node (added: 2026-02-13)
- Tests live beside the source files, as `src/lib/foo.test.ts` (added: 2026-03-13)

## Gotchas
- Tests live beside the source: `src/lib/foo.test.ts` (added: 2026-03-14)

## Preferences
- (none yet)

## Cross-Agent Notes
- (from frontend) Dates are stored as UTC (added: 2026-03-01)
- (from frontend) Times are shown as local (added: 2026-03-20)
";

const ARCHIVED: &str = "\
# Archive: backend

## Archived 2026-03-22: not updated for 21 days

### Codebase Patterns

- d3-force pins a fixed node (added: 2026-02-13)

## Archived 2026-03-22: notes not settled within 14 days

### Cross-Agent Notes

- (from frontend) Dates are stored as UTC (added: 2026-03-01)
";

/// [`PRUNED`] without what is stale.
fn without_stale() -> String {
    let stale = [
        "- d3-force pins a fixed node (added: 2026-02-13)\n",
        "- (from frontend) Dates are stored as UTC (added: 2026-03-01)\n",
    ];
    stale.iter().fold(PRUNED.to_owned(), |text, line| text.replace(line, ""))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".claude/team.yaml", TEAM);
    write(folder.path(), BACKEND, LEARNINGS);
    write(folder.path(), FRONTEND, LEARNINGS.replace("backend", "frontend").replace("2026-02-13", "2026-03-13"));
    folder
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn quiet_leaves_out_the_summary_and_verbose_names_the_project() {
    let folder = folder();
    let folder = folder.path();
    let run = |args: &[&str]| team(folder, &[&["prune", "backend"], args, &NOW].concat());
    let diff = run(&["--diff", "--quiet"]);
    assert!(stdout(&diff).starts_with("diff --git a/memory/agents/backend/"), "{}", stdout(&diff));
    assert_eq!(stderr(&diff), "");
    let verbose = stderr(&run(&["--diff", "--verbose"]));
    assert!(verbose.contains("checking the plain folder") && verbose.contains("to merge: 1 duplicate"), "{verbose}");
    let done = run(&["--quiet"]);
    assert_eq!((done.status.code(), stdout(&done), stderr(&done)), (Some(0), String::new(), String::new()));
    assert_ne!(read(folder, BACKEND), LEARNINGS);
}

#[test]
fn under_the_limit_it_shows_what_is_stale_and_keeps_it() {
    let folder = folder();
    let folder = folder.path();
    let done = team(folder, &[&["prune", "backend"][..], &NOW].concat());
    let left = "  left to you: line 8: entry shares 91% of its words with the one on line 5\n  \
                left to you: line 15: note has been unsettled since 2026-03-01, expected at most 14 days\n  \
                left to you: line 5: entry has not been updated for 21 days (since 2026-02-13)\n";
    let lines = |text: &str| -> BTreeSet<String> { text.lines().map(str::to_owned).collect() };
    let head = "memory/agents/backend/learnings.md: 16 lines, 17 before\n  merged: 1 duplicate entry\n";
    assert_eq!(
        lines(&stdout(&done)),
        lines(&format!("{head}{}", left.replace("line 5\n", "line 6\n").replace("line 8", "line 9")))
    );
    assert_eq!(read(folder, BACKEND), PRUNED);
    assert!(!folder.join(ARCHIVE).exists());
    let again = team(folder, &[&["prune", "backend"][..], &NOW].concat());
    assert!(stdout(&again).starts_with("memory/agents/backend/learnings.md: nothing to prune\n"), "{}", stdout(&again));
    assert_eq!(read(folder, BACKEND), PRUNED);
}

#[test]
fn shows_what_it_would_do_and_does_it() {
    let folder = folder();
    let folder = folder.path();
    let shown = team(folder, &[&["prune", "backend", "--stale", "--diff"][..], &NOW].concat());
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    assert_eq!(
        stderr(&shown),
        "memory/agents/backend/learnings.md: 17 lines, 14 after pruning\n  \
         to merge: 1 duplicate entry\n  \
         to archive: 1 stale entry\n  \
         to archive: 1 unsettled note\n  \
         left to you: line 8: entry shares 91% of its words with the one on line 5\n"
    );
    assert_eq!(read(folder, BACKEND), LEARNINGS);
    assert!(!folder.join(ARCHIVE).exists());

    let other = tempfile::tempdir().unwrap();
    write(other.path(), BACKEND, LEARNINGS);
    write(other.path(), "patch", stdout(&shown));
    assert!(git(other.path()).args(["apply", "patch"]).status().unwrap().success());
    let done = team(folder, &[&["prune", "backend", "--stale"][..], &NOW].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(
        stdout(&done)
            .starts_with("memory/agents/backend/learnings.md: 14 lines, 17 before\n  merged: 1 duplicate entry\n")
    );
    for (path, expected) in [(BACKEND, without_stale()), (ARCHIVE, ARCHIVED.to_owned())] {
        assert_eq!(read(folder, path), expected);
        assert_eq!(read(other.path(), path), expected);
    }
    assert!(read(folder, FRONTEND).contains("joi for validation. "), "nobody asked for these");
    let again = team(folder, &[&["prune", "backend", "--stale"][..], &NOW].concat());
    assert_eq!(
        stdout(&again),
        "memory/agents/backend/learnings.md: nothing to prune\n  \
         left to you: line 8: entry shares 91% of its words with the one on line 5\n"
    );
    assert_eq!(read(folder, BACKEND), without_stale());
}

/// Undated, dated and fresh entries in sections of the format, and one of the team's own. A placeholder would take the line of the
/// only entry in a section of the format, so that it stays.
#[test]
fn over_the_limit_the_oldest_go_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "squad-lint.toml", "[learnings]\nmax-lines = 10\n");
    let text = "# Learnings: backend\n\n## Codebase Patterns\n- new (added: 2026-03-21)\n- undated\n- older (added: 2026-01-01)\n\n\
                ## Gotchas\n- oldest (added: 2025-12-01)\n\n## Own\n- old (added: 2026-01-02)\n\n## Preferences\n\
                - newest (added: 2026-03-22)\n";
    write(folder, BACKEND, text);
    let done = team(folder, &[&["prune"][..], &NOW].concat());
    assert!(
        stdout(&done).contains(
            "15 before\n  archived: 3 oldest entries, to keep the limit\n    no date: undated\n    2026-01-01: older\n    \
             2026-01-02: old\n"
        ),
        "{}",
        stdout(&done)
    );
    let left = text
        .replace("- undated\n- older (added: 2026-01-01)\n", "")
        .replace("## Own\n- old (added: 2026-01-02)\n\n", "");
    assert_eq!(read(folder, BACKEND), left);
    let again = team(folder, &[&["prune"][..], &NOW].concat());
    assert!(stdout(&again).contains("nothing to prune"), "{}", stdout(&again));
    assert_eq!(read(folder, BACKEND), left);
}

/// Orders stay, in whatever words, and what goes is named with its state.
#[test]
fn over_the_limit_orders_stay_and_notes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "squad-lint.toml", "[learnings]\nmax-lines = 10\n");
    let long = "word ".repeat(30);
    let text = format!(
        "# Learnings: backend\n\n## Gotchas\n- The pulse is shared: skills should call it (added: 2026-01-01)\n\
         - All logging via the logger (added: 2026-01-01)\n- {long}(added: 2026-01-02)\n\
         - RESOLVED: the pool leaks (added: 2026-01-02)\n- a (added: 2026-03-01)\n\n## Cross-Agent Notes\n\
         - (from frontend) Dates are UTC (added: 2026-01-03)\n\
         - (from frontend) Names are long (added: 2026-01-03, triaged: 2026-01-04)\n\
         - (from frontend) Times are local (added: 2026-03-02)\n"
    );
    write(folder, BACKEND, &text);
    let shown = stderr(&team(folder, &[&["prune", "--diff"][..], &NOW].concat()));
    let short = long.trim().chars().take(72).collect::<String>();
    let expected = format!(
        "13 lines, 10 after pruning\n  to archive: 3 oldest entries, to keep the limit\n    2026-01-02: {short}…\n    \
         2026-01-02, settled: RESOLVED: the pool leaks\n    2026-01-03, open note: Dates are UTC\n"
    );
    assert!(shown.contains(&expected), "{shown}");
    team(folder, &[&["prune"][..], &NOW].concat());
    let left = read(folder, BACKEND);
    assert!(left.contains("skills should call it") && left.contains("- All logging via"), "{left}");
}

#[test]
fn over_the_limit_what_guides_leaves_after_newer_facts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let order = "- Put types in one file instead of two (added: 2026-01-01)\n";
    let guidance = "- The store is shared on purpose (added: 2026-01-01)\n- Commands: check, fix\n- Views are imported one by one, not as a bundle\n";
    let text = format!(
        "# Learnings: backend\n\n## Gotchas\n{order}{guidance}- The pool has 5 connections\n\
         - The build takes 3 minutes (added: 2026-01-02)\n- The cache has 9 kinds (added: 2026-01-03)\n\
         - a (added: 2026-03-01)\n"
    );
    let left = |most: usize| {
        write(folder, "squad-lint.toml", format!("[learnings]\nmax-lines = {most}\n"));
        write(folder, BACKEND, &text);
        team(folder, &[&["prune"][..], &NOW].concat());
        let left = read(folder, BACKEND);
        let words = ["5 connections", "check, fix", "3 minutes", "9 kinds", "on purpose"];
        words.into_iter().filter(|words| left.contains(words)).collect::<Vec<_>>()
    };
    assert_eq!(left(10), ["check, fix", "3 minutes", "9 kinds", "on purpose"]);
    assert_eq!(left(9), ["check, fix", "9 kinds", "on purpose"]);
    assert_eq!(left(8), ["check, fix", "on purpose"]);
    assert_eq!(left(7), ["on purpose"]);
    assert_eq!(left(6), <[&str; 0]>::default());
    let left = read(folder, BACKEND);
    assert!(left.contains("instead of two") && left.contains("as a bundle"), "{left}");
}

/// Where a section leaves with the last one, what left before it on the same day has room again.
#[test]
fn over_the_limit_no_more_leave_than_have_to() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "squad-lint.toml", "[learnings]\nmax-lines = 6\n");
    let own = "\n## Own\n- The store is shared on purpose (added: 2026-01-01)\n";
    let text = format!(
        "# Learnings: backend\n\n## Gotchas\n- one (added: 2026-01-01)\n- two (added: 2026-01-01)\n- a (added: 2026-03-01)\n{own}"
    );
    write(folder, BACKEND, &text);
    team(folder, &[&["prune"][..], &NOW].concat());
    assert_eq!(read(folder, BACKEND), text.replace(own, ""));
}

/// What is over the limit is text without entries.
#[test]
fn what_cannot_come_under_the_limit_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "squad-lint.toml", "[learnings]\nmax-lines = 6\n");
    let text = format!(
        "# Learnings: backend\n\n{}\n## Gotchas\n- a (added: 2026-01-01)\n- b (added: 2026-01-02)\n",
        "Prose.\n".repeat(8)
    );
    write(folder, BACKEND, &text);
    let done = team(folder, &[&["prune"][..], &NOW].concat());
    let said = "left to you: file has 14 lines, expected at most 6 (8 too many)\n    \
                archiving is not enough: 1 entry of the newest day, headings and text outside entries stay, and have more than 6 lines\n";
    assert!(stdout(&done).contains(said), "{}", stdout(&done));
    assert_eq!(read(folder, BACKEND), text);
}

/// What goes because of its age can be enough for the limit.
#[test]
fn stale_entries_leave_before_others_that_hold() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "squad-lint.toml", "[learnings]\nmax-lines = 7\n");
    let text = "# Learnings: backend\n\n## Gotchas\n- no date\n- old (added: 2026-01-01)\n- a (added: 2026-03-18)\n- b (added: 2026-03-19)\n\
                - c (added: 2026-03-20)\n";
    for (args, left) in [(&["prune"][..], "- no date\n"), (&["prune", "--stale"], "- old (added: 2026-01-01)\n")] {
        write(folder, BACKEND, text);
        team(folder, &[args, &NOW].concat());
        assert_eq!(read(folder, BACKEND), text.replace(left, ""), "{args:?}");
    }
}

/// Below what was confirmed last, no section is emptied.
#[test]
fn the_last_entries_of_a_section_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "# Learnings: backend\n\n## Gotchas\n- one (added: 2026-01-01)\n- two (added: 2026-01-01, updated: 2026-01-09)\n\
                - three (added: 2026-01-09)\n\n## Own\n- four (added: 2026-01-02)\n- undated\n\n## Preferences\n\
                - five (added: 2026-01-02)\n- six (added: 2026-03-20)\n";
    write(folder, BACKEND, text);
    for _ in 0..2 {
        team(folder, &[&["prune", "--stale"][..], &NOW].concat());
        let left = text.replace("- one (added: 2026-01-01)\n", "").replace("- five (added: 2026-01-02)\n", "");
        assert_eq!(read(folder, BACKEND), left);
    }
}

#[test]
fn all_members_are_pruned_with_or_without_a_manifest() {
    let folder = folder();
    let folder = folder.path();
    fs::remove_file(folder.join(".claude/team.yaml")).unwrap();
    let done = team(folder, &[&["prune"][..], &NOW].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(!read(folder, FRONTEND).contains("joi for validation. "));
    assert_eq!(read(folder, BACKEND), PRUNED);
}

#[test]
fn where_there_is_no_team_or_nothing_was_learned_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let output = team(folder.path(), &["prune"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no team here"), "{}", stderr(&output));
    write(folder.path(), ".claude/team.yaml", TEAM);
    let output = team(folder.path(), &["prune"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!((stdout(&output), stderr(&output)), ("no learnings to prune\n".to_owned(), String::new()));
}

#[test]
fn names_that_nobody_has() {
    let folder = folder();
    let output = team(folder.path(), &["prune", "back"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`back` has no learnings"), "{}", stderr(&output));
    assert!(stderr(&output).contains("there are learnings of backend, frontend"), "{}", stderr(&output));
}

#[test]
fn line_ends_stay() {
    let folder = folder();
    let folder = folder.path();
    write(folder, BACKEND, LEARNINGS.replace('\n', "\r\n"));
    team(folder, &[&["prune", "--stale"][..], &NOW].concat());
    assert_eq!(read(folder, BACKEND), without_stale().replace('\n', "\r\n"));
    assert_eq!(read(folder, ARCHIVE), ARCHIVED.replace('\n', "\r\n"));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_archived_stays() {
    let folder = folder();
    let folder = folder.path();
    let merged = LEARNINGS.replace("- API v2 uses joi for validation. (added: 2026-03-20)\n", "");
    write(folder, BACKEND, &merged);
    write(folder, "elsewhere.md", "# Elsewhere\n");
    std::os::unix::fs::symlink("../../../elsewhere.md", folder.join(ARCHIVE)).unwrap();
    let output = team(folder, &[&["prune", "backend", "--stale"][..], &NOW].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert_eq!(read(folder, BACKEND), merged);
    assert_eq!(read(folder, "elsewhere.md"), "# Elsewhere\n");
}

/// Two blank lines between two entries that both go, the second at the end of the file.
#[test]
fn what_goes_is_archived_once() {
    for end in ["\n", "\r\n"] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let text = "# Learnings: backend\n\n## Cross-Agent Notes\n- one (added: 2026-01-03)\n\n- two (added: 2026-01-02)\n\n\n\
                    - three (added: 2026-01-01)\n";
        write(folder, BACKEND, text.replace('\n', end));
        let done = team(folder, &[&["prune", "--stale"][..], &NOW].concat());
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert!(stdout(&done).contains("archived: 2 unsettled notes"), "{}", stdout(&done));
        assert_eq!(
            read(folder, BACKEND),
            "# Learnings: backend\n\n## Cross-Agent Notes\n- one (added: 2026-01-03)\n".replace('\n', end)
        );
        let archived = read(folder, ARCHIVE);
        for entry in ["- two", "- three"] {
            assert_eq!(archived.matches(entry).count(), 1, "{archived}");
        }
        let again = team(folder, &[&["prune", "--stale"][..], &NOW].concat());
        assert_eq!((again.status.code(), read(folder, ARCHIVE)), (Some(0), archived));
    }
}

/// Without its removal nothing is appended, and the file is not said to be in order.
#[cfg(unix)]
#[test]
fn what_cannot_leave_is_not_archived() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let folder = folder.path();
    write(folder, ARCHIVE, "# Archive: backend\n");
    fs::set_permissions(folder.join(BACKEND), fs::Permissions::from_mode(0o444)).unwrap();
    for _ in 0..2 {
        let output = team(folder, &[&["prune", "backend", "--stale"][..], &NOW].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stdout(&output).starts_with(&format!("{BACKEND}: not pruned\n")), "{}", stdout(&output));
        let said = "archive.md cannot be pruned: memory/agents/backend/learnings.md, from which text moves here, cannot be written";
        assert!(stderr(&output).replace("\n  │ ", " ").contains(said), "{}", stderr(&output));
        assert_eq!((read(folder, BACKEND), read(folder, ARCHIVE)), (LEARNINGS.into(), "# Archive: backend\n".into()));
    }
}

#[test]
fn all_copies_go_at_once() {
    let folder = folder();
    let folder = folder.path();
    let copies: String = (1..=12).map(|day| format!("- Fonts load late here. (added: 2026-03-{day:02})\n\n")).collect();
    write(folder, BACKEND, format!("# Learnings: backend\n\n## Gotchas\n{copies}"));
    let done = team(folder, &[&["prune", "backend"][..], &NOW].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stdout(&done).contains("merged: 11 duplicate entries"), "{}", stdout(&done));
    let left = read(folder, BACKEND);
    assert_eq!(left.matches("Fonts load").count(), 1, "{left}");
    assert!(
        left.contains("(added: 2026-03-01, updated: 2026-03-02") && left.contains("updated: 2026-03-12)"),
        "{left}"
    );
}

proptest! {
    #![proptest_config(cases(24))]

    /// What is pruned arrives in the archive once, but for copies; the second run changes nothing.
    #[test]
    fn random_learnings_lose_nothing(files in learnings()) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (path, bytes) in &files {
            write(folder, path.to_str().unwrap(), bytes);
        }
        write(folder, "squad-lint.toml", "[learnings]\nmax-lines = 14\n");
        let all = || -> Overlay {
            let paths = files_below(&folder.join("memory"));
            let name = |path: &PathBuf| BString::from(format!("memory/{}", path.to_str().unwrap().replace('\\', "/")));
            paths.iter().map(|path| (name(path), fs::read(folder.join("memory").join(path)).unwrap())).collect()
        };
        let done = team(folder, &[&["prune"][..], &NOW].concat());
        prop_assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let once = all();
        let is_nothing = |line: &str| line.ends_with("nothing to prune");
        prop_assert!(once != files || stdout(&done).lines().all(|line| line.starts_with("  ") || is_nothing(line)));
        // A copy goes, and the one that stays has its day.
        let forgotten = forgotten(&files, &once);
        prop_assert!(forgotten.is_empty(), "{forgotten:?}\n{files:#?}\n{once:#?}");
        let again = team(folder, &[&["prune"][..], &NOW].concat());
        prop_assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
        prop_assert!(all() == once, "{files:#?}\n{once:#?}\n{:#?}", all());
    }
}

/// The folders of `SQUAD_LINT_CORPUS` that hold learnings.
fn corpus() -> Vec<PathBuf> {
    let folders =
        fs::read_dir(crate::support::needs("SQUAD_LINT_CORPUS")).unwrap().map(|folder| folder.unwrap().path());
    let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.join("memory/agents").is_dir()).collect();
    folders.sort();
    assert!(!folders.is_empty(), "no repository of the corpus holds learnings");
    folders
}

/// What leaves `old` before something that should have left earlier, and headings that are left empty. Duplicates are no matter.
fn wrongly_pruned(old: &str, new: &str) -> Vec<String> {
    let (before, after) = (Learnings::parse(old), Learnings::parse(new));
    // What forbids or needs something for good stays as long as what is of `Core`, and so does what introduces the project.
    let holds = [
        "DO NOT ",
        "MUST NOT ",
        "NEVER ",
        " must ",
        " should ",
        "required for ",
        "- One ",
        "- Project",
        "- Parent project",
    ];
    // What guides later work leaves last.
    let guides = [
        ", not ",
        " not ",
        " instead",
        " rather than ",
        "- Uses ",
        "Subcommands:",
        "pipeline:",
        " only when ",
        "design",
        "all use ",
    ];
    let forbids = |text: &str| holds.iter().any(|words| text.contains(words));
    let is_core = |learnings: &Learnings, entry: &Entry, text: &str| {
        learnings.section_of(entry).is_some_and(|section| section.tier == Some(Tier::Core))
            || forbids(entry.span.of(text))
    };
    let kept: BTreeSet<&str> = after.real_entries().map(|entry| entry.span.of(new).trim()).collect();
    let is_gone = |entry: &&Entry| !is_core(&before, entry, old) && !kept.contains(entry.span.of(old).trim());
    let gone: Vec<&Entry> = before.real_entries().filter(is_gone).collect();
    let left: Vec<&Entry> = after.real_entries().filter(|entry| !is_core(&after, entry, new)).collect();
    let mut wrong = Vec::new();
    let last = |entries: &[&Entry]| entries.iter().filter_map(|entry| entry.newest()).max();
    if last(&gone) > last(&left) {
        wrong.push(format!("the newest left: {:?} of {:?}", last(&gone), last(&left)));
    }
    let is_fact = |entry: &&&Entry| !guides.iter().any(|words| entry.span.of(new).contains(words));
    if last(&gone).is_some() && left.iter().filter(is_fact).any(|entry| entry.newest().is_none()) {
        wrong.push("dated entries left, and undated ones stayed".to_owned());
    }
    let is_empty =
        |text: &str, section: &Section| Span::new(section.heading.end(), section.span.end()).of(text).trim().is_empty();
    let was_empty =
        |name: &str| before.sections.iter().any(|section| section.name.of(old) == name && is_empty(old, section));
    let emptied = after.sections.iter().filter(|section| is_empty(new, section) && !was_empty(section.name.of(new)));
    wrong.extend(emptied.map(|section| format!("left empty: {}", section.name.of(new))));
    wrong
}

/// Two days after the last day that a team wrote down, and half a year later.
#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_teams_come_under_the_cap_and_lose_nothing() {
    let words = |line: &str| line.trim().trim_start_matches('#').trim().to_owned();
    let (mut over, mut left_over) = (0, 0);
    for folder in corpus() {
        for now in ["2026-03-05", "2026-04-29", "2026-09-01"] {
            let copy = tempfile::tempdir().unwrap();
            for path in files_below(&folder) {
                if path.extension().is_some_and(|extension| extension == "md" || extension == "yaml") {
                    write(copy.path(), &path, fs::read(folder.join(&path)).unwrap());
                }
            }
            let mut stays = false;
            let output = team(copy.path(), &["prune", "--no-config", "--now", now]);
            assert_eq!(output.status.code(), Some(0), "{}: {}", folder.display(), stderr(&output));
            for path in files_below(&copy.path().join("memory/agents")) {
                let path = Path::new("memory/agents").join(path);
                if path.file_name().unwrap() != "learnings.md" {
                    continue;
                }
                let shown = folder.join(&path);
                let (old, new) = (fs::read_to_string(&shown).unwrap(), read(copy.path(), path.to_str().unwrap()));
                let archive = path.with_file_name("archive.md");
                let archived = fs::read_to_string(copy.path().join(&archive)).unwrap_or_default();
                let before = fs::read_to_string(folder.join(&archive)).unwrap_or_default();
                assert!(archived.starts_with(&before), "{}", shown.display());
                // What cannot come under the cap without the entries of the newest day stays as it is.
                over += usize::from(old.lines().count() > 60);
                left_over += usize::from(new.lines().count() > 60);
                assert!(new.lines().count() <= 60 || archived == before, "{} on {now}", shown.display());
                stays |= new.lines().count() > 60;
                let kept: BTreeSet<String> = new.lines().chain(archived.lines()).map(words).collect();
                let lost: Vec<&str> = old.lines().filter(|line| !kept.contains(&words(line))).collect();
                assert!(lost.is_empty(), "{} on {now}: {lost:?}", shown.display());
                assert!(old.lines().count() > 60 || archived == before, "{} has room on {now}", shown.display());
                let wrong = wrongly_pruned(&old, &new);
                assert!(wrong.is_empty(), "{} on {now}: {wrong:#?}", shown.display());
            }
            // What is to be merged by hand, or promoted, is all that is left.
            let again = team(copy.path(), &["prune", "--diff", "--no-config", "--now", now]);
            assert_eq!(stdout(&again), "", "{} on {now}", folder.display());
            let checked = squad_lint(copy.path()).args(["check", "--no-config", "--now", now, "."]).output().unwrap();
            let said = stdout(&checked);
            assert_eq!(said.contains("learnings/too-many-lines"), stays, "{said}");
        }
    }
    println!("{left_over} of {over} files stay over the cap");
    assert!(left_over * 3 <= over, "{left_over} of {over}");
}
