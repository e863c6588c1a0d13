//! `--output` and `--report` never take the place of a file that somebody keeps.

use std::fs;

use crate::support::repo::Repo;
use crate::support::{squad_lint, stderr, write};

const TEXT: &str = "*.log\n";

#[test]
fn files_of_git_and_of_teams() {
    let repo = Repo::new();
    for path in ["squad-lint.toml", ".squad/decisions.md", ".claude/team.yaml", "README.md"] {
        repo.write(path, "");
    }
    repo.commit("first");
    repo.write(".gitignore", TEXT);
    repo.write(".squad/decisions/inbox/new.md", "# New\n");
    repo.write("a/.gitattributes", TEXT);
    for (path, why) in [
        (".gitignore", "git or npm reads"),
        ("a/.gitattributes", "git or npm reads"),
        // Also where there is none yet.
        (".gitmodules", "git or npm reads"),
        ("squad-lint.toml", "the configuration write to the same file"),
        (".squad/decisions.md", "part of the state of a team"),
        (".squad/decisions/inbox/new.md", "part of the state of a team"),
        (".claude/team.yaml", "part of the state of a team"),
        ("README.md", "it is in git"),
        (".git/config", "in git's own folder"),
        (".git/info/exclude", "in git's own folder"),
    ] {
        let before = fs::read(repo.path.join(path)).ok();
        for args in [["--output", path].to_vec(), ["--report", &format!("sarif={path}")].to_vec()] {
            let output = squad_lint(&repo.path).args(&args).env("COLUMNS", "300").output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert!(stderr(&output).contains(why), "{args:?}: {}", stderr(&output));
            assert_eq!(fs::read(repo.path.join(path)).ok(), before, "{args:?}");
        }
    }
}

#[test]
fn a_report_of_an_earlier_run_is_replaced() {
    let repo = Repo::new();
    repo.write(".squad/decisions.md", "");
    repo.commit("first");
    write(&repo.path, "report.txt", "an earlier one\n");
    let output = squad_lint(&repo.path).args(["--output", "report.txt"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_ne!(fs::read_to_string(repo.path.join("report.txt")).unwrap(), "an earlier one\n");
}
