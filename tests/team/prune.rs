use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};
use proptest::prelude::*;
use squad_lint::select::input::Overlay;

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
- d3-force needs a fixed node (added: 2026-02-13)
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
- Tests live beside the source files, as `src/lib/foo.test.ts` (added: 2026-03-13)

## Gotchas
- Tests live beside the source: `src/lib/foo.test.ts` (added: 2026-03-14)

## Preferences
- (none yet)

## Cross-Agent Notes
- (from frontend) Times are shown as local (added: 2026-03-20)
";

const ARCHIVED: &str = "\
# Archive: backend

## Archived 2026-03-22: not updated for 21 days

### Codebase Patterns

- d3-force needs a fixed node (added: 2026-02-13)

## Archived 2026-03-22: notes not settled within 14 days

### Cross-Agent Notes

- (from frontend) Dates are stored as UTC (added: 2026-03-01)
";

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
fn shows_what_it_would_do_and_does_it() {
    let folder = folder();
    let folder = folder.path();
    let shown = team(folder, &[&["prune", "backend", "--diff"][..], &NOW].concat());
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
    let done = team(folder, &[&["prune", "backend"][..], &NOW].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(
        stdout(&done)
            .starts_with("memory/agents/backend/learnings.md: 14 lines, 17 before\n  merged: 1 duplicate entry\n")
    );
    for (path, expected) in [(BACKEND, PRUNED), (ARCHIVE, ARCHIVED)] {
        assert_eq!(read(folder, path), expected);
        assert_eq!(read(other.path(), path), expected);
    }
    assert!(read(folder, FRONTEND).contains("joi for validation. "), "nobody asked for these");
    let again = team(folder, &[&["prune", "backend"][..], &NOW].concat());
    assert_eq!(
        stdout(&again),
        "memory/agents/backend/learnings.md: nothing to prune\n  \
         left to you: line 8: entry shares 91% of its words with the one on line 5\n"
    );
    assert_eq!(read(folder, BACKEND), PRUNED);
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
    team(folder, &[&["prune"][..], &NOW].concat());
    assert_eq!(read(folder, BACKEND), PRUNED.replace('\n', "\r\n"));
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
    let output = team(folder, &[&["prune", "backend"][..], &NOW].concat());
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
        let text = "# Learnings: backend\n\n## Gotchas\n- one (added: 2026-01-01)\n\n- two (added: 2026-01-02)\n\n\n\
                    - three (added: 2026-01-03)\n";
        write(folder, BACKEND, text.replace('\n', end));
        let done = team(folder, &[&["prune"][..], &NOW].concat());
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert!(stdout(&done).contains("archived: 3 stale entries"), "{}", stdout(&done));
        assert_eq!(read(folder, BACKEND), "# Learnings: backend\n\n## Gotchas\n".replace('\n', end));
        let archived = read(folder, ARCHIVE);
        for entry in ["- one", "- two", "- three"] {
            assert_eq!(archived.matches(entry).count(), 1, "{archived}");
        }
        let again = team(folder, &[&["prune"][..], &NOW].concat());
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
        let output = team(folder, &[&["prune", "backend"][..], &NOW].concat());
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

/// Two days after the last day that a team wrote down, and half a year later.
#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_teams_come_under_the_cap_and_lose_nothing() {
    let words = |line: &str| line.trim().trim_start_matches('#').trim().to_owned();
    for folder in corpus() {
        for now in ["2026-03-05", "2026-04-29", "2026-09-01"] {
            let copy = tempfile::tempdir().unwrap();
            for path in files_below(&folder) {
                if path.extension().is_some_and(|extension| extension == "md" || extension == "yaml") {
                    write(copy.path(), &path, fs::read(folder.join(&path)).unwrap());
                }
            }
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
                assert!(new.lines().count() <= 60, "{} on {now}", shown.display());
                let before = fs::read_to_string(folder.join(&archive)).unwrap_or_default();
                assert!(archived.starts_with(&before), "{}", shown.display());
                let kept: BTreeSet<String> = new.lines().chain(archived.lines()).map(words).collect();
                let lost: Vec<&str> = old.lines().filter(|line| !kept.contains(&words(line))).collect();
                assert!(lost.is_empty(), "{} on {now}: {lost:?}", shown.display());
            }
            // What is to be merged by hand, or promoted, is all that is left.
            let again = team(copy.path(), &["prune", "--diff", "--no-config", "--now", now]);
            assert_eq!(stdout(&again), "", "{} on {now}", folder.display());
            let checked = squad_lint(copy.path()).args(["check", "--no-config", "--now", now, "."]).output().unwrap();
            assert!(!stdout(&checked).contains("learnings/too-many-lines"), "{}", stdout(&checked));
        }
    }
}
