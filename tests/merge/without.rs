//! What git does with the driver where the program is missing, and with the files that the driver is for.

#[cfg(unix)]
use std::process::Command;

use bstr::ByteSlice;
use squad_lint::dialects::{FileKind, default_roots, is_merged};
use squad_lint::layout::roots::Roots;

use super::{ledger, repository};
use crate::support::repo::Repo;
#[cfg(unix)]
use crate::support::{git, write};
use crate::support::{squad_lint, stderr};

fn install(repo: &Repo) {
    let output = squad_lint(&repo.path).args(["install", "--merge-driver"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// The folders of the PATH without the program.
#[cfg(unix)]
fn path() -> std::ffi::OsString {
    let folders = std::env::var_os("PATH").unwrap();
    let folders = std::env::split_paths(&folders).filter(|folder| !folder.join("squad-lint").exists());
    std::env::join_paths(folders).unwrap()
}

#[cfg(unix)]
fn merge(repo: &Repo) -> Option<i32> {
    let mut command = git(&repo.path);
    command.args(["merge", "--quiet", "--no-edit", "other"]).env("PATH", path()).output().unwrap().status.code()
}

#[cfg(unix)]
#[test]
fn git_merges_by_lines_where_the_program_is_not_on_the_path() {
    let clean = repository("a\n\nb\n", "A\n\nb\n", "a\n\nb\nc\n");
    install(&clean);
    assert_eq!((merge(&clean), ledger(&clean)), (Some(0), "A\n\nb\nc\n".into()));
    let torn = repository("a\n", "b\n", "c\n");
    install(&torn);
    assert_eq!(merge(&torn), Some(1));
    let text = ledger(&torn);
    let names: Vec<&str> = text.lines().filter(|line| line.len() > 7).collect();
    // A git from before 2.44 does not tell the driver the names of the sides.
    assert!(names == ["<<<<<<< HEAD", ">>>>>>> other"] || names == ["<<<<<<< ours", ">>>>>>> theirs"], "{text}");
}

#[cfg(unix)]
#[test]
fn a_git_that_names_no_sides_gets_other_markers() {
    let repo = repository("a\n", "b\n", "c\n");
    install(&repo);
    let driver = repo.git(&["config", "merge.squad-lint.driver"]);
    let driver = driver.replace("%L", "7").replace("%O", "o").replace("%A", "a").replace("%B", "b").replace("%P", "p");
    for (name, text) in [("o", "a\n"), ("a", "b\n"), ("b", "c\n")] {
        write(&repo.path, name, text);
    }
    let output = Command::new("sh").args(["-c", &driver]).current_dir(&repo.path).env("PATH", path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = std::fs::read_to_string(repo.path.join("a")).unwrap();
    assert_eq!(text, "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n");
}

/// In a clone whose configuration has no driver, the attribute alone names it.
#[test]
fn git_merges_by_lines_in_a_clone_without_the_driver() {
    let repo = repository("a\n\nb\n", "A\n\nb\n", "a\n\nb\nc\n");
    repo.git(&["config", "--remove-section", "merge.squad-lint"]);
    repo.git(&["merge", "--quiet", "--no-edit", "other"]);
    assert_eq!(ledger(&repo), "A\n\nb\nc\n");
}

const FILES: [&str; 28] = [
    "decisions.md",
    "decisions-archive.md",
    "decisions-archive-2026.md",
    "decisions/decisions.md",
    "decisions/archive.md",
    "decisions/archive/2026-Q1.md",
    "decisions/inbox/keaton-x.md",
    "decisions/inbox/x.txt",
    "archive.md",
    "archive/2026-decisions-archive.md",
    "archive/decisions-2026.md",
    "archive/plan.md",
    "agents/keaton/history.md",
    "agents/keaton/history-archive.md",
    "agents/keaton/charter.md",
    "agents/_alumni/keaton/history.md",
    "agents/_alumni/keaton/history-archive.md",
    "agents/keaton/learnings.md",
    "agents/keaton/archive.md",
    "keaton/learnings.md",
    "keaton/archive.md",
    "keaton/archive-2026.md",
    "keaton/notes.md",
    "team/decisions.md",
    "team.md",
    "retro-history.md",
    "skills/x/SKILL.md",
    "routing.md",
];

/// `.gitattributes` names the driver for those files of state whose kinds branches add entries to, and for no others. A squad keeps none
/// of its files in the root of a learning team.
#[test]
fn the_driver_is_for_the_files_that_are_merged() {
    let repo = Repo::new();
    install(&repo);
    let roots = Roots::new(default_roots().map(|root| root.glob)).unwrap();
    let mut wrong = Vec::new();
    for root in default_roots().map(|root| root.glob) {
        for file in FILES {
            let path = format!("a/{root}/{file}");
            let kind = roots.locate(path.as_bytes().as_bstr()).and_then(|location| location.kind);
            if root.contains("memory") && kind.is_some_and(FileKind::holds_legacy) {
                continue;
            }
            let expected = if kind.is_some_and(is_merged) { "squad-lint" } else { "unspecified" };
            let found = repo.git(&["check-attr", "merge", &path]);
            if !found.ends_with(&format!(": {expected}\n")) {
                wrong.push(format!("{path}: {kind:?}: {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
