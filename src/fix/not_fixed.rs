//! Files that were left as they were, and what to do about it.

use bstr::BString;

use super::problems::Problems;
use crate::fs::atomic;
use crate::terminal::display_path;

/// A file that was left as it was.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum NotFixed {
    #[error("{path} was not {done}")]
    #[diagnostic(help("{help}"))]
    Write { path: String, done: &'static str, help: &'static str, source: atomic::WriteError },
    #[error("{path} was not {done}: {target}, where its text moves to, could not be written")]
    #[diagnostic(help("it is unchanged; repair what is said of {target}, and run again"))]
    Target { path: String, done: &'static str, target: String },
    #[error("{path} was not {done}: {from}, from which text moves here, could not be written")]
    #[diagnostic(help("it is unchanged; repair what is said of {from}, and run again"))]
    Origin { path: String, done: &'static str, from: String },
}

/// Adds that the file at `path` was not `done`.
pub fn not_written(path: &BString, done: &'static str, error: atomic::WriteError, problems: &mut Problems) {
    let help = help(&error);
    problems.push(NotFixed::Write { path: display_path(path), done, help, source: error });
}

fn help(error: &atomic::WriteError) -> &'static str {
    match error {
        atomic::WriteError::Link { .. } => "fix the file that the link leads to: run squad-lint where it lies",
        atomic::WriteError::ReadOnly { .. } => "make it writable, and run again",
        atomic::WriteError::Locked { .. } => "end the program that holds it, and run again",
        atomic::WriteError::Conflict { .. } => atomic::RESOLVE,
        atomic::WriteError::Beside { .. } => "bring the two together by hand, and run again",
        atomic::WriteError::Changed { .. } => "run again: it is as the other program left it",
        atomic::WriteError::Io { .. } => "it is as it was; repair the cause, and run again",
    }
}
