//! What could not be read, as it is said and as reports tell it.

use super::git_failure::GitFailure;
use crate::errors::show_error;
use crate::outcome::{Failure, Outcome};
use crate::report;
use crate::select::read_error::ReadError;
use crate::terminal::{Terminal, display_path};

/// Says on standard error what could not be read.
pub fn say(outcome: &Outcome, terminal: Terminal) {
    for failure in &outcome.failures {
        match &failure.reason {
            ReadError::Git(error) => show_error(terminal, &GitFailure::from(error)),
            _ => show_error(terminal, &NotRead::from(failure)),
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
            ReadError::Git(error) => GitFailure::from(error).to_string(),
            _ => NotRead::from(failure).to_string(),
        };
        report::Unread { path: Some(failure.path.clone()), message }
    };
    let of_git = outcome.git_failure.as_ref().map(|error| GitFailure::from(error).to_string());
    let of_git = of_git.map(|message| report::Unread { path: None, message });
    outcome.failures.iter().map(of_failure).chain(of_git).collect()
}

/// Whether git did not say all that was asked.
pub fn is_of_git(outcome: &Outcome) -> bool {
    let of_git = |failure: &Failure| matches!(failure.reason, ReadError::Git(_) | ReadError::Unmerged);
    outcome.git_failure.is_some() || outcome.failures.iter().any(of_git)
}

/// A file that was named on the command line and not read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot read {path}: {reason}")]
#[diagnostic(help("{help}"))]
pub struct NotRead {
    path: String,
    reason: String,
    help: &'static str,
}

impl From<&Failure> for NotRead {
    fn from(failure: &Failure) -> Self {
        let reason = failure.reason.to_string();
        let help = match &failure.reason {
            ReadError::Unmerged => "end the conflict and `git add` the file; the other files were checked",
            _ => "the other files were checked",
        };
        Self { path: display_path(&failure.path), reason, help }
    }
}
