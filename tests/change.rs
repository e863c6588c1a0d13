//! `--staged` and `--from`: what is read, what is reported, what is said where git cannot tell.

mod alike;
mod brought;
mod failures;
mod hooks;
mod lost;
mod touched;

use std::process::Output;

use crate::support::repo::Repo;
use crate::support::{NOW, squad_lint, stderr, stdout};

/// An entry; `defect` stands in the place of its author.
pub fn entry(minute: usize, author: &str) -> String {
    format!(
        "### 2026-02-15T14:{minute:02}:15-0800: note: Number {minute}\n\n**type:** note  \n\
         **timestamp:** 2026-02-15T14:{minute:02}:15-0800  \n{author}\n**summary:** Sentence {minute}.\n\n---\n\n"
    )
}

/// An entry without a defect.
pub fn good(minute: usize) -> String {
    entry(minute, "**author:** Verbal  \n")
}

/// An entry without an author.
pub fn bad(minute: usize) -> String {
    entry(minute, "")
}

/// Runs the program in a repository whose state is in git on purpose.
fn run(repo: &Repo, args: &[&str]) -> Output {
    let fixed = ["--format", "compact", "--now", NOW, "--ignore", "guard,memory/entry-lost"];
    squad_lint(&repo.path).args(fixed).args(args).output().unwrap()
}

/// What a run prints, and its exit code.
pub fn printed(repo: &Repo, args: &[&str]) -> (String, Option<i32>) {
    let output = run(repo, args);
    (stdout(&output) + &stderr(&output), output.status.code())
}
