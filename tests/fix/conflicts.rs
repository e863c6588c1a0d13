//! Files with a merge conflict: whatever would write leaves them alone, and says so.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::{GOOD, bad, code, contents, run};
use crate::support::repo::Repo;
use crate::support::{NOW, squad_lint, stderr, stdout, write};

/// What both sides have, in the styles of git.
fn styles() -> [String; 3] {
    let (ours, theirs) = (bad(), bad().replace("A sentence", "Another one"));
    [
        format!("{}\n<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n", bad()),
        format!("{}\n<<<<<<< HEAD\n{ours}||||||| 1234567\n{ours}=======\n{theirs}>>>>>>> other\n", bad()),
        format!("<<<<<<< HEAD\r\n{ours}||||||| 1234567\r\n=======\r\n{theirs}>>>>>>> other\r\n"),
    ]
}

/// `args` leave all files as they are, exit with 2, and say of `path` that it holds a conflict.
#[track_caller]
fn leaves(folder: &Path, path: &str, args: &[&str]) -> Output {
    let before = contents(folder);
    let output = squad_lint(folder).args(args).env("COLUMNS", "400").output().unwrap();
    assert_eq!(code(&output), 2, "{args:?}: {}{}", stdout(&output), stderr(&output));
    let told = format!("{path} has an unresolved merge conflict on line ");
    assert!(stderr(&output).contains(&told), "{args:?}: {}", stderr(&output));
    assert!(contents(folder) == before, "{args:?}");
    output
}

#[test]
fn no_fix_and_no_comment() {
    let path = ".squad/decisions.md";
    for text in styles() {
        let repo = Repo::new();
        repo.commit("first");
        repo.stage(path, &text);
        let index = fs::read(repo.git_path("index")).unwrap();
        for args in [
            &["--now", NOW, "--fix"][..],
            &["--now", NOW, "--fix", "--unsafe-fixes"],
            &["--now", NOW, "--staged", "--fix", "--ignore", "guard"],
            &["--now", NOW, "--add-ignore=known", "--ignore", "guard"],
        ] {
            // The guard's own fix writes another file.
            leaves(&repo.path, path, &[args, &["--select", "sem,markdown"]].concat());
        }
        assert_eq!(fs::read(repo.git_path("index")).unwrap(), index);
        let output = leaves(&repo.path, path, &["--now", NOW, "--diff", "--select", "sem"]);
        assert_eq!(stdout(&output), "");
        let mut child = squad_lint(&repo.path);
        child
            .args(["--now", NOW, "--fix", "--stdin-filename", path])
            .stdin(fs::File::open(repo.path.join(path)).unwrap());
        let output = child.output().unwrap();
        assert_eq!((code(&output), stdout(&output)), (2, text), "{}", stderr(&output));
    }
}

#[test]
fn the_other_files_are_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let [text, ..] = styles();
    write(folder.path(), ".squad/decisions.md", &text);
    write(folder.path(), "a/.squad/decisions.md", bad());
    // An underline is no conflict, and neither are markers in another order.
    write(folder.path(), "b/.squad/decisions.md", format!("Decisions\n=======\n\n{}>>>>>>> x\n", bad()));
    let output = run(folder.path(), &["--fix"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(read(".squad/decisions.md"), text);
    assert_eq!(read("a/.squad/decisions.md"), GOOD);
    assert_eq!(read("b/.squad/decisions.md"), format!("Decisions\n=======\n\n{GOOD}>>>>>>> x\n"));
}

#[test]
fn nothing_goes_into_an_archive_with_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    super::moves::too_large(folder.path());
    let [archive, ..] = styles();
    write(folder.path(), ".squad/decisions-archive.md", archive);
    let output =
        leaves(folder.path(), ".squad/decisions-archive.md", &[&["--now", NOW], &super::moves::ARCHIVE[..]].concat());
    let told =
        ".squad/decisions.md cannot be fixed: .squad/decisions-archive.md, where its text moves to, cannot be written";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

#[test]
fn a_file_of_git_is_left_too() {
    let repo = Repo::new();
    repo.write(".squad/decisions.md", GOOD);
    repo.commit("first");
    repo.write(".gitignore", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n");
    leaves(&repo.path, ".gitignore", &["--now", NOW, "--fix", "--unsafe-fixes", "--select", "guard/not-ignored"]);
}

#[test]
fn legacy_entries_are_not_converted() {
    let folder = tempfile::tempdir().unwrap();
    let entry = "### 2026-02-12: Title\n**By:** Keaton\n**What:** This is what was decided.\n\n";
    write(
        folder.path(),
        ".squad/decisions.md",
        format!("<<<<<<< HEAD\n{entry}||||||| base\n{entry}=======\n{entry}>>>>>>> other\n"),
    );
    for (args, are) in [(&["convert"][..], ""), (&["convert", "--dry-run"], "would be ")] {
        let output = leaves(folder.path(), ".squad/decisions.md", args);
        let expected = format!("\n0 of 3 entries {are}converted automatically.\n");
        assert!(stdout(&output).contains(&expected), "{}", stdout(&output));
    }
}
