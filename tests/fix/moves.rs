//! Fixes that move text from file to file: nothing is lost on the way, whatever fails.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{GOOD, code, contents, copy, run};
use crate::support::{stderr, stdout, write};

const SMALL: &str = "[memory]\nmax-decisions-bytes = 400\n";

/// A `decisions.md` with four old entries, of which two fit.
pub fn too_large(folder: &Path) -> String {
    let entry = |day: u8| GOOD.replace("2026-02-15T", &format!("2026-01-{day:02}T")) + "\n";
    let text = [10, 11, 12, 13].map(entry).concat();
    write(folder, ".squad/decisions.md", &text);
    write(folder, "squad-lint.toml", SMALL);
    text
}

pub const ARCHIVE: [&str; 4] = ["--fix", "--unsafe-fixes", "--select", "memory/file-too-large"];

/// How often each line stands in the files; blank ones do not count.
fn lines(folder: &Path) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    for bytes in contents(folder).into_values() {
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.trim().is_empty()) {
            *lines.entry(line.trim_end().to_owned()).or_insert(0) += 1;
        }
    }
    lines
}

#[test]
fn the_oldest_go_to_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    too_large(folder.path());
    let output = run(folder.path(), &ARCHIVE);
    assert!(stdout(&output).starts_with("fixed 1 problem in 1 file\n"), "{}{}", stdout(&output), stderr(&output));
    let read = |name: &str| fs::read_to_string(folder.path().join(".squad").join(name)).unwrap();
    let days = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix("### 2026-01-")).map(|line| line[..2].to_owned()).collect()
    };
    assert_eq!(days(&read("decisions-archive.md")), ["10", "11"]);
    assert_eq!(days(&read("decisions.md")), ["12", "13"]);
}

#[test]
#[cfg(unix)]
fn where_the_archive_cannot_be_written_nothing_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let text = too_large(folder.path());
    let elsewhere = tempfile::tempdir().unwrap();
    write(elsewhere.path(), "archive.md", "# Elsewhere\n");
    let archive = folder.path().join(".squad/decisions-archive.md");
    std::os::unix::fs::symlink(elsewhere.path().join("archive.md"), &archive).unwrap();
    let output = run(folder.path(), &ARCHIVE);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    let told = "decisions.md cannot be fixed: .squad/decisions-archive.md, where its text moves to, cannot be written";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join(".squad/decisions.md")).unwrap(), text);
    assert_eq!(fs::read_to_string(elsewhere.path().join("archive.md")).unwrap(), "# Elsewhere\n");
}

#[test]
fn standard_input_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let text = too_large(folder.path());
    let mut child = crate::support::squad_lint(folder.path());
    child.args(["--now", super::NOW, "--stdin-filename", ".squad/decisions.md"]).args(ARCHIVE);
    child.stdin(fs::File::open(folder.path().join(".squad/decisions.md")).unwrap());
    let output = child.output().unwrap();
    assert_eq!(stdout(&output), text);
    assert!(!folder.path().join(".squad/decisions-archive.md").exists());
}

#[test]
fn a_diff_shows_both_files() {
    let folder = tempfile::tempdir().unwrap();
    too_large(folder.path());
    let before = contents(folder.path());
    let output = run(folder.path(), &["--diff", "--unsafe-fixes", "--select", "memory/file-too-large"]);
    assert_eq!(contents(folder.path()), before);
    write(folder.path(), "change.diff", output.stdout);
    super::git(folder.path(), &["init", "--quiet"]);
    super::git(folder.path(), &["apply", "change.diff"]);
    let after = fs::read_to_string(folder.path().join(".squad/decisions-archive.md")).unwrap();
    assert!(after.starts_with("# Archive of decisions.md\n\n### 2026-01-10T"), "{after}");
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn no_line_of_a_real_file_is_lost() {
    let corpus = crate::support::needs("SQUAD_LINT_CORPUS");
    let mut moved = 0;
    for repository in fs::read_dir(corpus).unwrap() {
        let folder = tempfile::tempdir().unwrap();
        copy(&repository.unwrap().path(), folder.path());
        let before = lines(folder.path());
        let rules = ["--select", "memory/file-too-large,inbox/multiple-entries,sem/out-of-order"];
        let fix = ["--no-config", "--fix", "--unsafe-fixes", "--format", "json", "--now", "2026-12-01"];
        let output = crate::support::squad_lint(folder.path()).args(fix).args(rules).output().unwrap();
        assert!([0, 1].contains(&code(&output)), "{}", stderr(&output));
        let mut after = lines(folder.path());
        for line in after.keys().filter(|line| line.starts_with("# Archive of ")) {
            moved += usize::from(!before.contains_key(line));
        }
        after.retain(|line, _| !line.starts_with("# Archive of ") || before.contains_key(line));
        assert!(after == before, "{}", folder.path().display());
    }
    assert!(moved > 2, "{moved} archives");
}
