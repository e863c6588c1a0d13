//! Every commit of two real histories against its first parent: the changes, the renames and the lines that git sees.
//!
//! `SQUAD_LINT_HISTORY` names the folder with their bundles.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use squad_lint::git::change::Scope;
use squad_lint::git::{lines, range};

use crate::support::git;
use crate::support::repo::{Repo, as_rows};

/// A clone of each history.
fn histories() -> Vec<(String, Repo, tempfile::TempDir)> {
    let folder = crate::support::needs("SQUAD_LINT_HISTORY");
    let mut found = Vec::new();
    for bundle in std::fs::read_dir(&folder).expect("SQUAD_LINT_HISTORY is a folder").map(|entry| entry.unwrap().path())
    {
        if bundle.extension().is_none_or(|extension| extension != "bundle") {
            continue;
        }
        let target = tempfile::tempdir().unwrap();
        let output = git(target.path()).args(["clone", "--quiet", "--bare"]).arg(&bundle).arg("repo").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let name = Path::new(&bundle).file_stem().unwrap().to_string_lossy().into_owned();
        found.push((name, Repo::at(target.path().join("repo")), target));
    }
    assert!(!found.is_empty(), "SQUAD_LINT_HISTORY holds no bundle");
    found
}

/// The lines that changed, by path, from `git diff -U0`: the ranges of the new text.
fn git_lines(repo: &Repo, from: &str, to: &str) -> BTreeMap<String, Vec<Range<u32>>> {
    let output = repo.try_git(&[
        "-c",
        "core.quotePath=false",
        "diff",
        "-U0",
        "--histogram",
        "--no-renames",
        "--no-color",
        "--diff-filter=M",
        from,
        to,
    ]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut out: BTreeMap<String, Vec<Range<u32>>> = BTreeMap::new();
    let mut path = String::new();
    let mut left = (0, 0);
    for line in text.lines() {
        match line.chars().next() {
            Some('-') if left.0 > 0 => left.0 -= 1,
            Some('+') if left.1 > 0 => left.1 -= 1,
            _ if line.starts_with("+++ b/") => line[6..].trim_end_matches('\t').clone_into(&mut path),
            Some('@') => {
                let side = |sign: char| -> (u32, u32) {
                    let word = line.split(' ').find(|word| word.starts_with(sign)).unwrap();
                    let (start, len) = word[1..].split_once(',').unwrap_or((&word[1..], "1"));
                    (start.parse().unwrap(), len.parse().unwrap())
                };
                let (start, len) = side('+');
                left = (side('-').1, len);
                // Where nothing came, git names the line before.
                let range = if len == 0 { start + 1..start + 1 } else { start..start + len };
                out.entry(path.clone()).or_default().push(range);
            }
            _ => {}
        }
    }
    out
}

#[test]
#[ignore = "needs SQUAD_LINT_HISTORY"]
fn real_histories() {
    let (mut commits, mut files, mut renamed, mut same, mut different) = (0, 0, 0, 0, Vec::new());
    for (name, repo, _folder) in histories() {
        let opened = repo.open();
        for line in repo.git(&["log", "--all", "--format=%H %P"]).lines() {
            let mut ids = line.split(' ');
            let (commit, parent) = (ids.next().unwrap(), ids.next().filter(|id| !id.is_empty()));
            commits += 1;
            let empty = repo.git(&["hash-object", "-t", "tree", "/dev/null"]);
            let from = parent.map_or(empty.trim(), |parent| parent);
            let range = range::resolve(&opened, from, Some(commit)).unwrap();
            let changes = range::changes(&opened, &range, &Scope::default()).unwrap();
            assert_eq!(as_rows(&changes, 40), repo.raw_diff(&[from, commit]), "{name} {commit}");
            files += changes.len();
            renamed += changes.iter().filter(|change| change.previous.is_some()).count();
            let expected = git_lines(&repo, from, commit);
            for change in &changes {
                let (Some(before), Some(after)) = (change.before, change.after) else { continue };
                if before.id == after.id || !before.is_file() || !after.is_file() {
                    continue;
                }
                let text = |id| opened.blob(id, change.path.as_ref(), 1 << 26).unwrap();
                let (before, after) = (text(before.id), text(after.id));
                if before.contains(&0) || after.contains(&0) {
                    continue;
                }
                if expected.get(&change.path.to_string()) == Some(&lines::changed(&before, &after)) {
                    same += 1;
                } else {
                    different.push(format!("{name} {commit} {}", change.path));
                }
            }
        }
    }
    eprintln!(
        "{commits} commits, {files} changes, {renamed} renames, the lines of {same} files equal, of {} not",
        different.len()
    );
    assert!(different.len() * 100 <= same + different.len(), "{}", different.join("\n"));
}
