//! The errors of files that cannot be fixed.

use bstr::BString;

use super::problems::Problems;
use crate::fs::atomic;
use crate::terminal::display_path;

/// Why a file is unchanged.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum NotFixed {
    #[error("{path} cannot be {done}")]
    #[diagnostic(help("{help}"))]
    Write { path: String, done: &'static str, help: &'static str, source: atomic::WriteError },
    #[error("{path} cannot be {done}: {target}, where its text moves to, cannot be written")]
    #[diagnostic(help("both files are unchanged; repair the problem of {target}, and run again"))]
    Target { path: String, done: &'static str, target: String },
    #[error("{path} cannot be {done}: {from}, from which text moves here, cannot be written")]
    #[diagnostic(help("both files are unchanged; repair the problem of {from}, and run again"))]
    Origin { path: String, done: &'static str, from: String },
    #[error("{path} was not changed: another program has changed or removed it since squad-lint read it")]
    #[diagnostic(severity(Warning))]
    LeftAlone { path: String },
}

/// Adds that the file at `path`, which was to be deleted, is no longer what was read: what was found in it is found no more.
pub(super) fn left_alone(path: &BString, problems: &mut Problems) {
    problems.push(NotFixed::LeftAlone { path: display_path(path) });
}

/// Adds that the file at `path` was not `done`.
pub fn not_written(path: &BString, done: &'static str, error: atomic::WriteError, problems: &mut Problems) {
    let help = error.help();
    problems.push(NotFixed::Write { path: display_path(path), done, help, source: error });
}
