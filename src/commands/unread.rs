//! What could not be read, as it is said and as reports tell it.

use super::change::GitFailure;
use super::show_error;
use crate::fs::read::Unread;
use crate::outcome::{Failure, Outcome};
use crate::report;
use crate::terminal::{Terminal, display_path};

/// Says on standard error what could not be read.
pub fn say(outcome: &Outcome, terminal: Terminal) {
    for failure in &outcome.failures {
        match &failure.reason {
            Unread::Git(error) => show_error(terminal, &GitFailure::from(error)),
            _ => show_error(terminal, &ReadError::from(failure)),
        }
    }
    if let Some(error) = &outcome.git_failure {
        show_error(terminal, &GitFailure::from(error));
    }
}

/// The same for reports.
pub fn tell(outcome: &Outcome) -> Vec<report::Unread> {
    let of_failure = |failure: &Failure| {
        let message = match &failure.reason {
            Unread::Git(error) => GitFailure::from(error).to_string(),
            _ => ReadError::from(failure).to_string(),
        };
        report::Unread { path: Some(failure.path.clone()), message }
    };
    let of_git = outcome.git_failure.as_ref().map(|error| GitFailure::from(error).to_string());
    let of_git = of_git.map(|message| report::Unread { path: None, message });
    outcome.failures.iter().map(of_failure).chain(of_git).collect()
}

/// Whether git did not say all that was asked.
pub fn is_of_git(outcome: &Outcome) -> bool {
    let of_git = |failure: &Failure| matches!(failure.reason, Unread::Git(_) | Unread::Unmerged);
    outcome.git_failure.is_some() || outcome.failures.iter().any(of_git)
}

/// A file that was named on the command line and not read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot read {path}: {reason}")]
#[diagnostic(help("{help}"))]
pub(super) struct ReadError {
    path: String,
    reason: String,
    help: &'static str,
}

impl From<&Failure> for ReadError {
    fn from(failure: &Failure) -> Self {
        let reason = reason(&failure.reason);
        let help = match &failure.reason {
            Unread::Unmerged => "end the conflict and `git add` the file; the other files were checked",
            _ => "the other files were checked",
        };
        Self { path: display_path(&failure.path), reason, help }
    }
}

/// Why a file was not read, for people.
pub(super) fn reason(unread: &Unread) -> String {
    match unread {
        Unread::TooBig { size, cap } => format!("it has {size} bytes, and `max-file-size` is {cap}"),
        Unread::NotAFile(what) => format!("it is {what}, not a file"),
        Unread::Changing => "another program keeps writing it".to_owned(),
        Unread::Outside => "a symbolic link leads out of the repository".to_owned(),
        Unread::Io(error) => error.to_string(),
        Unread::Git(error) => error.to_string(),
        Unread::Unmerged => "it is unmerged".to_owned(),
    }
}
