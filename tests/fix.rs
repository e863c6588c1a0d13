//! `--fix` and `--diff` as their users meet them, with the real program on real files.
//!
//! - `fix/archives.rs`: what leaves real memory files for their archives.
//! - `fix/command.rs`: options, exit codes, output, `git apply`.
//! - `fix/keeps.rs`: what fixing leaves as it is, and where it does not write.
//! - `fix/edits.rs`: many fixes in one text, as a property.
//! - `fix/conflicts.rs`: files with merge conflicts.
//! - `fix/corpus.rs`: real files, real entries with defects, and what safe fixes do to their meaning.
//! - `fix/moves.rs`: text that goes from file to file.
//! - `fix/roots.rs`: repositories with many state roots, which one run settles.
//! - `fix/settles.rs`: random files: nothing is lost, and one run settles them.
//! - `fix/late.rs`: what another program writes meanwhile.
//! - `fix/killed.rs`: killed runs, full disks, two runs at once.
//! - `fix/staged.rs`: the index and the working tree, fixed together, in real repositories and hooks.

mod archives;
mod command;
mod conflicts;
mod corpus;
mod edits;
mod keeps;
mod killed;
mod late;
mod meaning;
mod moves;
mod roots;
mod settles;
mod staged;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{NOW, files_below, squad_lint, stderr};

/// An entry without a defect.
const GOOD: &str = "### 2026-02-15T14:32:15-0800: note: x\n\n**type:** note  \n**timestamp:** 2026-02-15T14:32:15-0800  \n\
                    **author:** Verbal  \n\n**summary:** A sentence.\n\n---\n";

/// The same with an error that a safe fix repairs.
fn bad() -> String {
    GOOD.replacen("-0800", "-08:00", 1)
}

fn run(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).args(["--now", NOW]).args(args).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("killed: {}", stderr(output)))
}

/// The bytes of all files below `folder`, but for git's own.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = files_below(folder).into_iter().filter(|path| !path.starts_with(".git"));
    files.map(|path| (path.clone(), fs::read(folder.join(path)).unwrap())).collect()
}

fn git(folder: &Path, args: &[&str]) -> Output {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", stderr(&output));
    output
}

/// Copies `from` into `to`, without git's own files; the copy may be written.
fn copy(from: &Path, to: &Path) {
    for path in files_below(from).into_iter().filter(|path| !path.starts_with(".git")) {
        // Links are copied as what they lead to; those that lead nowhere are left out.
        if let Ok(bytes) = fs::read(from.join(&path)) {
            crate::support::write(to, &path, bytes);
        }
    }
}
