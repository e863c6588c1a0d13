//! The part of `--fix` that changes the index: leaked files are removed from git and stay on disk.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::problems::Problems;
use crate::diagnostic::Applicability;
use crate::git::index::Index;
use crate::git::repository::Git;
use crate::git::write::lock::IndexError;
use crate::git::write::untrack;
use crate::outcome::Outcome;
use crate::text::prose::plural;

/// Files that stay in the index.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{files} not removed from the index")]
#[diagnostic(help("{help}"))]
struct NotUntracked {
    files: String,
    help: &'static str,
    source: IndexError,
}

/// The files that the fixes in `found` remove from the index.
pub(super) fn wanted(found: &Outcome, limit: Applicability) -> BTreeSet<BString> {
    let fixes = found.diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
    fixes.filter(|fix| fix.applicability <= limit).flat_map(|fix| fix.untracked().cloned()).collect()
}

/// A file that is to leave the index, or a folder all of whose files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untracked {
    /// The path; that of a folder ends in `/`.
    pub path: BString,
    /// How many files the folder has in the index.
    pub files: Option<usize>,
}

/// `paths` with one line for each folder that leaves the index as a whole.
pub(super) fn folders(paths: &BTreeSet<BString>, git: Option<&Git>) -> Vec<Untracked> {
    // Where it cannot be read, the check has said so, and each file is named.
    let index = git.filter(|_| !paths.is_empty()).and_then(|git| Index::of(git).ok());
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    for folder in paths.iter().flat_map(folders_above) {
        *counts.entry(folder).or_default() += 1;
    }
    let is_whole = |folder: &[u8], count: usize| {
        let all = index.as_ref().map(|index| index.range_below(folder.trim_end_with(|c| c == '/').as_bstr()).len());
        count > 1 && all == Some(count)
    };
    counts.retain(|folder, count| is_whole(folder, *count));
    let mut found: Vec<Untracked> = Vec::new();
    for path in paths {
        // In the order of paths, all files of a folder come one after the other.
        let is_said = |last: &Untracked| last.files.is_some() && path.starts_with(last.path.as_bytes());
        if found.last().is_some_and(is_said) {
            continue;
        }
        let whole = folders_above(path).find_map(|folder| counts.get_key_value(folder));
        found.push(match whole {
            Some((folder, count)) => Untracked { path: BString::from(*folder), files: Some(*count) },
            None => Untracked { path: path.clone(), files: None },
        });
    }
    found
}

/// The folders that `path` is in, from the top; each ends in `/`.
fn folders_above(path: &BString) -> impl Iterator<Item = &[u8]> {
    path.find_iter("/").filter_map(|slash| path.get(..=slash))
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
            "`git sparse-checkout disable`, or `git rm --cached --sparse`, removes them from the index; the other fixes were made"
        }
        IndexError::Partial => "`git rm --cached` removes them from the index; then commit without a path",
        _ => index_help(error),
    }
}

/// What to do where the index could not be changed.
pub(super) fn index_help(error: &IndexError) -> &'static str {
    match error {
        IndexError::Locked(_) => {
            "the index is unchanged; if no other git program is running, remove `index.lock` from git's folder, and run again"
        }
        IndexError::Read(_) => "`git status` shows the state of the index",
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
        IndexError::Write(_) => "the index is unchanged; repair the cause, and run again",
    }
}
