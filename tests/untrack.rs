//! Untracking in real repositories: git agrees with the index afterwards, and nothing on disk changes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{git, run_git, write};
use bstr::BString;
use squad_lint::git::repository::Git;
use squad_lint::git::write::lock::IndexError;
use squad_lint::git::write::untrack;
use squad_lint::select::repository::Repository;
use tempfile::TempDir;

const STATE: [&str; 3] = [".ai-team/log/a.md", ".ai-team/team.md", "sub/.ai-team/team.md"];

/// A commit with state in it, and a file beside it.
fn repository(settings: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    run_git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    for setting in settings {
        let (key, value) = setting.split_once('=').unwrap();
        run_git(folder.path(), &["config", key, value]);
    }
    for path in STATE.iter().chain(&["a.txt", "sub/b.txt", "sub/deep/c.txt", ".ai-teams"]) {
        write(folder.path(), path, format!("{path}\n"));
    }
    run_git(folder.path(), &["add", "-f", "."]);
    run_git(folder.path(), &["commit", "--quiet", "-m", "all"]);
    folder
}

fn open(folder: &Path) -> Git {
    Repository::discover(folder).unwrap().git.unwrap()
}

fn state() -> BTreeSet<BString> {
    STATE.iter().map(|path| BString::from(*path)).collect()
}

/// What git says after the state was taken out and nothing else happened.
fn agrees(folder: &Path, before: &str) {
    let expected: String =
        before.lines().filter(|line| !line.contains(".ai-team/")).map(|line| format!("{line}\n")).collect();
    assert_eq!(run_git(folder, &["ls-files", "--stage"]), expected);
    assert_eq!(run_git(folder, &["fsck", "--strict", "--no-progress"]), "");
    let status: BTreeSet<String> =
        run_git(folder, &["status", "--porcelain", "-uall"]).lines().map(String::from).collect();
    let expected: BTreeSet<String> =
        STATE.iter().flat_map(|path| [format!("D  {path}"), format!("?? {path}")]).collect();
    assert_eq!(status, expected);
    let tree = run_git(folder, &["write-tree"]);
    let listed = run_git(folder, &["ls-tree", "-r", "--name-only", tree.trim()]);
    assert_eq!(listed, ".ai-teams\na.txt\nsub/b.txt\nsub/deep/c.txt\n");
    for path in STATE {
        assert_eq!(fs::read_to_string(folder.join(path)).unwrap(), format!("{path}\n"));
    }
    assert!(!folder.join(".git/index.lock").exists());
    run_git(folder, &["commit", "--quiet", "-m", "untracked"]);
    assert_eq!(
        run_git(folder, &["diff", "HEAD~1", "--name-status"]).lines().filter(|line| line.starts_with('D')).count(),
        3
    );
}

#[test]
fn git_agrees_with_every_kind_of_index() {
    let kinds: [&[&str]; 5] =
        [&[], &["index.version=4"], &["core.untrackedCache=true"], &["index.skipHash=true"], &["core.splitIndex=true"]];
    for settings in kinds {
        let folder = repository(settings);
        let folder = folder.path();
        // The cached trees are there: left as they are they would bring the files back.
        run_git(folder, &["status"]);
        run_git(folder, &["write-tree"]);
        let before = run_git(folder, &["ls-files", "--stage"]);
        assert_eq!(untrack::untrack(&open(folder), &state()).unwrap(), 3, "{settings:?}");
        agrees(folder, &before);
    }
}

#[test]
fn a_file_that_changed_in_the_same_tick_is_still_changed() {
    for _ in 0..20 {
        let folder = repository(&[]);
        let folder = folder.path();
        write(folder, "a.txt", "one\n");
        run_git(folder, &["add", "a.txt"]);
        // The same length: only the time and the content tell.
        write(folder, "a.txt", "two\n");
        assert_eq!(untrack::untrack(&open(folder), &state()).unwrap(), 3);
        assert!(run_git(folder, &["status", "--porcelain", "a.txt"]).starts_with("MM"));
    }
}

#[test]
fn all_sides_of_a_conflict_go() {
    let folder = repository(&[]);
    let folder = folder.path();
    run_git(folder, &["branch", "theirs"]);
    for (branch, text) in [("theirs", "a\n"), ("main", "b\n")] {
        run_git(folder, &["checkout", "--quiet", branch]);
        write(folder, ".ai-team/team.md", text);
        run_git(folder, &["commit", "--quiet", "-a", "-m", branch]);
    }
    assert!(!git(folder).args(["merge", "--quiet", "theirs"]).output().unwrap().status.success());
    assert_eq!(untrack::untrack(&open(folder), &state()).unwrap(), 3);
    assert_eq!(run_git(folder, &["ls-files", "--unmerged"]), "");
    run_git(folder, &["commit", "--quiet", "-m", "merged"]);
}

#[test]
fn what_cannot_be_written_is_left_as_it_was() {
    let folder = repository(&[]);
    let folder = folder.path();
    let index = || fs::read(folder.join(".git/index")).unwrap();
    let before = index();
    let nothing = BTreeSet::from([BString::from("no/such/file")]);
    assert_eq!(untrack::untrack(&open(folder), &nothing).unwrap(), 0);
    assert_eq!(index(), before);
    write(folder, ".git/index.lock", "");
    assert!(matches!(untrack::untrack(&open(folder), &state()), Err(IndexError::Locked(_))));
    assert_eq!(index(), before);
    fs::remove_file(folder.join(".git/index.lock")).unwrap();
    let mut damaged = before.clone();
    // Inside of an object's name: only the hash over all of it tells.
    damaged[12 + 45] ^= 1;
    fs::write(folder.join(".git/index"), &damaged).unwrap();
    assert!(matches!(untrack::untrack(&open(folder), &state()), Err(IndexError::Read(_))));
    assert_eq!(index(), damaged);
    fs::write(folder.join(".git/index"), &before).unwrap();
    run_git(folder, &["sparse-checkout", "set", "--cone", "--sparse-index", "nowhere"]);
    let sparse = index();
    assert!(matches!(untrack::untrack(&open(folder), &state()), Err(IndexError::Sparse)));
    assert_eq!(index(), sparse);
}
