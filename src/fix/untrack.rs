//! The part of `--fix` that changes the index: leaked files are taken out of git and stay on disk.

use std::collections::BTreeSet;

use bstr::BString;

use super::problems::Problems;
use crate::diagnostic::Applicability;
use crate::git::repository::Git;
use crate::git::write::lock::IndexError;
use crate::git::write::untrack;
use crate::outcome::Outcome;
use crate::text::prose::plural;

/// Files that stay in the index.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{files} not taken out of the index")]
#[diagnostic(help("{help}"))]
struct NotUntracked {
    files: String,
    help: &'static str,
    source: IndexError,
}

/// The files that the fixes in `found` take out of the index.
pub(super) fn wanted(found: &Outcome, limit: Applicability) -> BTreeSet<BString> {
    let fixes = found.diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
    fixes.filter(|fix| fix.applicability <= limit).flat_map(|fix| fix.untracked().cloned()).collect()
}

/// Takes them out. How many there were, and whether that failed, which `problems` has then.
pub(super) fn run(found: &Outcome, git: Option<&Git>, limit: Applicability, problems: &mut Problems) -> (usize, bool) {
    let paths = wanted(found, limit);
    let Some(git) = git.filter(|_| !paths.is_empty()) else { return (0, false) };
    match untrack::untrack(git, &paths) {
        Ok(count) => (count, false),
        Err(source) => {
            let are = if paths.len() == 1 { "was" } else { "were" };
            let files = format!("{} {are}", plural(paths.len(), "file"));
            problems.push(NotUntracked { files, help: help(&source), source });
            (0, true)
        }
    }
}

fn help(error: &IndexError) -> &'static str {
    match error {
        IndexError::Sparse => {
            "`git sparse-checkout disable`, or `git rm --cached --sparse`, takes them out; the other fixes were made"
        }
        IndexError::Partial => "`git rm --cached` takes them out; then commit without a path",
        _ => index_help(error),
    }
}

/// What to do where the index could not be changed.
pub(super) fn index_help(error: &IndexError) -> &'static str {
    match error {
        IndexError::Locked(_) => {
            "the index is as it was; when no other git program runs here, remove `index.lock` from git's folder, and run again"
        }
        IndexError::Read(_) => "`git status` says more about the index",
        IndexError::Sparse => {
            "`git sparse-checkout disable`, and run again; or run `--fix` alone, and `git add` the files"
        }
        IndexError::Partial => {
            "`git add` the files, and commit without a path; or run `--fix` alone first, and then the same commit"
        }
        IndexError::Git(..) => {
            "the index is as it was; install git where it can be found, or make the index a plain one: \
             `git update-index --no-split-index --index-version 2`"
        }
        IndexError::Write(_) => "the index is as it was; repair the cause, and run again",
    }
}
