//! Every mode of the program reports in every format: what is staged, what a branch changed, standard input, what a fix leaves.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use super::read::{diagnostics, json, reports};
use crate::support::{NOW, run_git, squad_lint, write};

const FIXABLE: &str = "### 2026-02-15T10:32:15Z: decision: Models\n\n**summary:** A sentence.\n\n---\n";

/// A repository whose one commit has an entry, with another one staged and a third on disk.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run_git(path, &["init", "--quiet", "--initial-branch", "main"]);
    let grow = |name: &str| write(path, format!(".squad/decisions/inbox/{name}.md"), FIXABLE);
    grow("one");
    run_git(path, &["add", "--all"]);
    run_git(path, &["commit", "--quiet", "--message", "one"]);
    grow("two");
    run_git(path, &["add", "--all"]);
    grow("three");
    folder
}

/// Asserts that all formats tell of the same findings, in these files; how many there are.
fn assert_agree(folder: &Path, args: &[&str], files: &[&str]) -> usize {
    let reports = reports(folder, args);
    let found = diagnostics(&reports);
    let mut paths: Vec<&str> = found.iter().map(|one| one["path"].as_str().unwrap()).collect();
    paths.dedup();
    let expected: Vec<String> = files.iter().map(|name| format!(".squad/decisions/inbox/{name}.md")).collect();
    assert_eq!(paths, expected, "{args:?}");
    let sarif = json(&reports["sarif"]);
    let counts = [
        ("sarif", sarif["runs"][0]["results"].as_array().unwrap().len()),
        ("gitlab", json(&reports["gitlab"]).as_array().unwrap().len()),
        ("rdjson", json(&reports["rdjson"])["diagnostics"].as_array().unwrap().len()),
        ("github", reports["github"].lines().count()),
        ("junit", reports["junit"].matches("<failure ").count()),
        ("checkstyle", reports["checkstyle"].matches("<error ").count()),
        ("compact", reports["compact"].lines().filter(|line| line.ends_with(']')).count()),
        ("summary", reports["summary"].lines().filter(|line| line.ends_with(']')).count()),
    ];
    for (format, count) in counts {
        assert_eq!(count, found.len(), "{format} with {args:?}: {}", reports[format]);
    }
    found.len()
}

#[test]
fn formats_agree_on_every_selection_of_files() {
    let folder = repository();
    let path = folder.path();
    assert!(assert_agree(path, &["--select", "sem"], &["one", "three", "two"]) > 0);
    assert!(assert_agree(path, &["--select", "sem", "--staged"], &["two"]) > 0);
    run_git(path, &["commit", "--quiet", "--message", "two"]);
    assert!(assert_agree(path, &["--select", "sem", "--from", "HEAD~1"], &["two"]) > 0);
    assert_eq!(assert_agree(path, &["--select", "sem", "--staged"], &[]), 0);
}

#[test]
fn a_fix_reports_what_it_leaves() {
    let folder = repository();
    let select = ["--select", "sem/timestamp-format,sem/missing-field"];
    let before = assert_agree(folder.path(), &select, &["one", "three", "two"]);
    let with_fix: Vec<&str> = select.into_iter().chain(["--fix"]).collect();
    let after = assert_agree(folder.path(), &with_fix, &["one", "three", "two"]);
    assert!(after < before, "{after} of {before} are left");
}

#[test]
fn the_fixed_text_and_the_reports_keep_apart() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["--stdin-filename", ".squad/decisions.md", "--fix", "--root", ".", "--now", NOW, "--output", "main.txt"];
    let mut child = squad_lint(folder.path())
        .args(args)
        .args(["--report", "sarif=out.sarif"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(FIXABLE.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let fixed = String::from_utf8(output.stdout).unwrap();
    assert!(fixed.starts_with("### 2026-02-15T10:32:15+0000: "), "{fixed}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(folder.path().join("main.txt")).unwrap().contains("error[sem/"));
    let log = json(&fs::read_to_string(folder.path().join("out.sarif")).unwrap());
    assert!(!log["runs"][0]["results"].as_array().unwrap().is_empty());
}
