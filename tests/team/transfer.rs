use std::fs;
use std::path::Path;

use super::{TEAM, team};
use crate::support::{files_below, git, stderr, stdout, write};

const BACKEND: &str = "memory/agents/backend/learnings.md";
const ARCHIVE: &str = "memory/agents/backend/archive.md";
const FRONTEND: &str = "memory/agents/frontend/learnings.md";
const API: &str = "memory/agents/api/learnings.md";
const NOW: [&str; 2] = ["--now", "2026-03-22"];

const OF_BACKEND: &str = "\
# Learnings: backend

What the server knows.

## Codebase Patterns
- Migrations run before the tests, always (added: 2026-03-13)
- d3-force pins a fixed node (added: 2026-02-13)

## Gotchas
- Tests live beside the source: `src/lib/foo.test.ts` (added: 2026-03-14)

## Preferences
- (none yet)

## Cross-Agent Notes
- (from frontend) Dates are stored as UTC (added: 2026-03-01)
  - in all tables
- (from architect) Use TrustLevel from `src/core/types.ts` (added: 2026-03-20)
";

const OF_FRONTEND: &str = "\
# Learnings: frontend

## Codebase Patterns
- Tests live beside the source files: `src/lib/foo.test.ts` (added: 2026-03-13)

## Gotchas
- Forms are sent once (added: 2026-03-13)

## Preferences
- (none yet)

## Cross-Agent Notes
- (from backend) The queue retries three times (added: 2026-03-20)
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".claude/team.yaml", TEAM);
    write(folder.path(), BACKEND, OF_BACKEND);
    write(folder.path(), FRONTEND, OF_FRONTEND);
    folder
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

/// A folder of the same files to which `git apply` applied `patch`.
fn patched(patch: &str) -> tempfile::TempDir {
    let other = folder();
    write(other.path(), "patch", patch);
    assert!(git(other.path()).args(["apply", "patch"]).status().unwrap().success(), "{patch}");
    other
}

#[test]
fn a_new_member_begins_with_what_others_learned() {
    let folder = folder();
    let folder = folder.path();
    let add = [&["add", "api", "--from", "backend,frontend"][..], &NOW].concat();
    let shown = team(folder, &[&add[..], &["--diff"]].concat());
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    assert!(!folder.join(API).exists());
    let done = team(folder, &add);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(
        read(folder, API),
        "# Learnings: api\n\n## Codebase Patterns\n\
         - Migrations run before the tests, always (added: 2026-03-22, from: backend)\n\n## Gotchas\n\
         - Tests live beside the source: `src/lib/foo.test.ts` (added: 2026-03-22, from: backend)\n\
         - Forms are sent once (added: 2026-03-22, from: frontend)\n\n## Preferences\n- (none yet)\n\n\
         ## Cross-Agent Notes\n- (none yet)\n"
    );
    assert_eq!(read(patched(&stdout(&shown)).path(), API), read(folder, API));
    assert_eq!(
        stdout(&done),
        "memory/agents/api/learnings.md: 14 lines, with 2 of backend, 1 of frontend\n  \
         left where they are: 1 stale\n  left where they are: 1 similar to others\n  \
         left to you: under `members:` in .claude/team.yaml\n    - name: api\n      role: \"...\"\n      \
         tools: [Read, Grep, Glob]\n      owns: [\"...\"]\n"
    );
    assert_eq!(stderr(&shown), stdout(&done));
    assert_eq!((read(folder, BACKEND), read(folder, FRONTEND)), (OF_BACKEND.to_owned(), OF_FRONTEND.to_owned()));
}

#[test]
fn who_cannot_be_added() {
    let folder = folder();
    for (args, expected) in [
        (&["add", "backend", "--from", "frontend"][..], "`backend` already has learnings"),
        (&["add", "../api", "--from", "frontend"], "`../api` cannot be the name of a member"),
        (&["add", "Api", "--from", "frontend"], "`Api` cannot be the name of a member"),
        (&["add", "my api", "--from", "frontend"], "`my api` cannot be the name of a member"),
        (&["add", "9api", "--from", "frontend"], "`9api` cannot be the name of a member"),
        (&["add", "café", "--from", "frontend"], "`café` cannot be the name of a member"),
        (&["add", "api", "--from", "api"], "`api` cannot begin with its own learnings"),
        (&["add", "api", "--from", "front"], "`front` has no learnings"),
        (&["add", "api"], "--from"),
        (&["remove", "api"], "`api` has no learnings"),
        (&["remove", "backend", "--to", "backend"], "`backend` cannot take over its own notes"),
        (&["remove", "backend", "--to", "front"], "there are learnings of backend, frontend"),
    ] {
        let output = team(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(read(folder.path(), BACKEND), OF_BACKEND);
}

#[test]
fn who_leaves_leaves_everything() {
    let folder = folder();
    let folder = folder.path();
    write(folder, ARCHIVE, "# Archive: backend\n\n- Old (added: 2026-01-01)\n");
    let remove = [&["remove", "backend", "--to", "frontend"][..], &NOW].concat();
    let shown = team(folder, &[&remove[..], &["--diff"]].concat());
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    assert_eq!(read(folder, BACKEND), OF_BACKEND);
    let done = team(folder, &remove);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(
        stdout(&done),
        "memory/agents/backend/learnings.md: archived\n  1 note to `frontend`\n  \
         left to you: remove the member from .claude/team.yaml, lines 8–12\n  \
         left to you: settle the note of `backend` in memory/agents/frontend/learnings.md, line 13\n"
    );
    assert!(!folder.join(BACKEND).exists());
    let archive = read(folder, ARCHIVE);
    assert!(archive.starts_with(
        "# Archive: backend\n\n- Old (added: 2026-01-01)\n\n## Archived 2026-03-22: backend left the team\n\n\
         What the server knows.\n\n### Codebase Patterns\n"
    ));
    for line in OF_BACKEND.lines().skip(1) {
        assert!(archive.contains(line), "{line}");
    }
    assert!(read(folder, FRONTEND).ends_with(
        "- (from backend) The queue retries three times (added: 2026-03-20)\n\
         - (from architect) Use TrustLevel from `src/core/types.ts` (added: 2026-03-20, updated: 2026-03-22)\n"
    ));
    let other = tempfile::tempdir().unwrap();
    for (path, text) in [(BACKEND, OF_BACKEND), (FRONTEND, OF_FRONTEND)] {
        write(other.path(), path, text);
    }
    write(other.path(), ARCHIVE, "# Archive: backend\n\n- Old (added: 2026-01-01)\n");
    write(other.path(), "patch", stdout(&shown));
    assert!(git(other.path()).args(["apply", "patch"]).status().unwrap().success(), "{}", stdout(&shown));
    assert!(!other.path().join(BACKEND).exists());
    assert_eq!((read(other.path(), ARCHIVE), read(other.path(), FRONTEND)), (archive, read(folder, FRONTEND)));
}

#[test]
fn notes_that_nobody_takes_over_are_said() {
    let folder = folder();
    let folder = folder.path();
    let done = team(folder, &[&["remove", "backend"][..], &NOW].concat());
    assert!(stdout(&done).contains("no member takes over 2 notes; name members with --to"), "{}", stdout(&done));
    assert!(read(folder, ARCHIVE).contains("Use TrustLevel"));
    assert_eq!(read(folder, FRONTEND), OF_FRONTEND);
}

#[test]
fn bytes_that_are_no_text_stay_where_they_are() {
    let folder = folder();
    let folder = folder.path();
    let bytes = [OF_BACKEND.as_bytes(), b"- \xff\n"].concat();
    write(folder, BACKEND, &bytes);
    let output = team(folder, &[&["remove", "backend", "--to", "frontend"][..], &NOW].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is not valid UTF-8"), "{}", stderr(&output));
    assert_eq!(fs::read(folder.join(BACKEND)).unwrap(), bytes);
    assert!(!folder.join(ARCHIVE).exists());
}

#[cfg(unix)]
#[test]
fn nothing_leaves_where_the_archive_cannot_be_written() {
    let folder = folder();
    let folder = folder.path();
    write(folder, "elsewhere.md", "# Elsewhere\n");
    std::os::unix::fs::symlink("../../../elsewhere.md", folder.join(ARCHIVE)).unwrap();
    let output = team(folder, &[&["remove", "backend"][..], &NOW].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert_eq!(
        (read(folder, BACKEND), read(folder, "elsewhere.md")),
        (OF_BACKEND.to_owned(), "# Elsewhere\n".to_owned())
    );
}

#[test]
fn a_file_with_a_conflict_is_left_by_all() {
    let held = format!("{OF_FRONTEND}<<<<<<< HEAD\n- a\n||||||| base\n- a\n=======\n- b\n>>>>>>> other\n");
    let duplicate = OF_BACKEND
        .replace("## Gotchas\n", "## Gotchas\n- Migrations run before the tests, always (added: 2026-03-13)\n");
    let result = r#"{"task_result": {"status": "completed", "summary": "Done.", "files_changed": []},
        "reflection": {"what_worked": "a", "what_didnt": "b", "confidence": "high"},
        "suggested_learnings": [{"category": "gotcha", "content": "The queue is slow"}], "follow_up": {"needs_human": false}}"#;
    for (path, args) in [
        (BACKEND, &["prune", "backend", "--stale"][..]),
        (ARCHIVE, &["prune", "backend", "--stale"]),
        (BACKEND, &["remove", "backend"]),
        (ARCHIVE, &["remove", "backend"]),
        (FRONTEND, &["remove", "backend", "--to", "frontend"]),
        (BACKEND, &["reflect", "out.json", "--member", "backend"]),
    ] {
        let folder = folder();
        let folder = folder.path();
        // What is said twice is merged without the archive.
        write(folder, BACKEND, if path == ARCHIVE { OF_BACKEND } else { &duplicate });
        let text = if path == BACKEND { duplicate.clone() + &held[OF_FRONTEND.len()..] } else { held.clone() };
        write(folder, path, text);
        write(folder, "out.json", result);
        let state = || -> Vec<_> {
            let files = files_below(folder).into_iter();
            files.map(|path| (path.clone(), fs::read(folder.join(path)).unwrap())).collect()
        };
        let before = state();
        let output = team(folder, &[args, &NOW[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}{}", stdout(&output), stderr(&output));
        let told = stderr(&output).replace("\n  │ ", " ").replace('\n', " ");
        assert!(told.contains("unresolved merge conflict"), "{path} {args:?}: {told}");
        assert!(state() == before, "{path} {args:?}");
    }
}
