//! The days of lines, against what `git blame` says.

use bstr::{BString, ByteSlice};
use squad_lint::git::blame::Blame;

use crate::support::git;
use crate::support::repo::Repo;

const PATH: &str = "memory/agents/db/learnings.md";

fn commit_on(repo: &Repo, day: &str) {
    repo.git(&["add", "--all"]);
    let output = git(&repo.path)
        .args(["commit", "--quiet", "--no-verify", "--message", "a commit"])
        .env("GIT_AUTHOR_DATE", format!("{day}T23:30:00-0800"))
        .env("GIT_COMMITTER_DATE", format!("{day}T23:30:00-0800"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", output.stderr.to_str_lossy());
}

fn blame(repo: &Repo, path: &str) -> Blame {
    let text = std::fs::read(repo.path.join(path)).unwrap();
    repo.open().blame(path.into(), &text).unwrap()
}

fn days(blame: &Blame, lines: usize) -> Vec<String> {
    (1..=lines).map(|line| blame.day(line).map_or("-".to_owned(), |day| day.to_string())).collect()
}

/// Three commits, the last of them on the last line.
fn history() -> Repo {
    let repo = Repo::new();
    repo.write(PATH, "# Learnings: db\n\n- one\n");
    commit_on(&repo, "2026-01-01");
    repo.write(PATH, "# Learnings: db\n\n- one\n- two\n- three\n");
    commit_on(&repo, "2026-01-02");
    repo.write(PATH, "# Learnings: db\n\n- one\n- two\n- 3\n");
    commit_on(&repo, "2026-01-03");
    repo
}

#[test]
fn lines_have_the_day_of_their_commit() {
    let repo = history();
    let all = ["2026-01-01", "2026-01-01", "2026-01-01", "2026-01-02", "2026-01-03"];
    assert_eq!(days(&blame(&repo, PATH), 6), [&all[..], &["-"]].concat());
    assert_eq!(blame(&repo, PATH).day(0), None);
    // What is not committed has no day, and what stands around it keeps its own.
    repo.write(PATH, "# Learnings: db\n- zero\n- one\n- two\nnew\n- 3\n- four");
    assert_eq!(days(&blame(&repo, PATH), 7), ["2026-01-01", "-", "2026-01-01", "2026-01-02", "-", "2026-01-03", "-"]);
}

#[test]
fn line_ends_do_not_count() {
    let repo = history();
    repo.write(PATH, "# Learnings: db\r\n\r\n- one\r\n- two\r\n- 3\r\n- four\r\n");
    let all = ["2026-01-01", "2026-01-01", "2026-01-01", "2026-01-02", "2026-01-03", "-"];
    assert_eq!(days(&blame(&repo, PATH), 6), all);
}

#[test]
fn a_file_is_followed_through_a_rename() {
    let repo = history();
    let path = "memory/agents/storage/learnings.md";
    repo.write(path, "");
    repo.git(&["mv", "--force", PATH, path]);
    commit_on(&repo, "2026-02-01");
    repo.write(path, "# Learnings: storage\n\n- one\n- two\n- 3\n");
    commit_on(&repo, "2026-02-02");
    assert_eq!(days(&blame(&repo, path), 5), ["2026-02-02", "2026-01-01", "2026-01-01", "2026-01-02", "2026-01-03"]);
}

#[test]
fn what_no_commit_has_has_no_day() {
    let repo = Repo::new();
    repo.write(PATH, "# Learnings: db\n");
    assert_eq!(blame(&repo, PATH), Blame::default());
    commit_on(&repo, "2026-01-01");
    repo.stage("memory/agents/ui/learnings.md", "# Learnings: ui\n");
    assert_eq!(blame(&repo, "memory/agents/ui/learnings.md"), Blame::default());
    // A folder was there, and now a file has its name.
    let taken: BString = "memory/agents/db".into();
    assert_eq!(repo.open().blame(taken.as_bstr(), b"text\n").unwrap(), Blame::default());
    assert_eq!(repo.open().blame("".into(), b"text\n").unwrap(), Blame::default());
}

#[test]
fn where_the_history_is_cut_off_a_line_may_be_older() {
    let repo = history().clone(&["--depth", "2"]);
    assert_eq!(days(&blame(&repo, PATH), 5), ["-", "-", "-", "-", "2026-01-03"]);
    let repo = history().clone(&["--depth", "1"]);
    assert_eq!(days(&blame(&repo, PATH), 5), ["-"; 5]);
}

#[test]
fn a_partial_clone_says_what_is_missing() {
    let origin = history();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let repo = origin.clone(&["--filter=blob:none"]);
    let text = std::fs::read(repo.path.join(PATH)).unwrap();
    let error = repo.open().blame(PATH.into(), &text).unwrap_err();
    assert!(error.to_string().contains("the history of memory/agents/db/learnings.md"), "{error}");
}

#[test]
fn merges_bring_the_days_of_both_sides() {
    let repo = history();
    repo.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    repo.write(PATH, "# Learnings: the db\n\n- one\n- two\n- three\n");
    commit_on(&repo, "2026-03-01");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "--no-edit", "side"]);
    assert_eq!(days(&blame(&repo, PATH), 5), ["2026-03-01", "2026-01-01", "2026-01-01", "2026-01-02", "2026-01-03"]);
}
