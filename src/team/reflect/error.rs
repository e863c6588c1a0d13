//! Why nothing was learned.

use crate::fs::atomic::WriteError;

/// Why nothing was learned.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum NotLearned {
    #[error("cannot read {path}: {reason}")]
    #[diagnostic(help("check the spelling, and that you have permission to read it"))]
    Input { path: String, reason: String },
    #[error("cannot tell which member wrote this reflection")]
    #[diagnostic(help("name it with `--member NAME`: {members}"))]
    NoMember { members: String },
    #[error("`{name}` is not a valid member name")]
    #[diagnostic(help("rename the member, with lower-case letters, digits, `-` and `_`"))]
    Name { name: String },
    #[error("cannot read {path}: {reason}")]
    #[diagnostic(help("no file was changed; repair this one, and run again"))]
    Target { path: String, reason: String },
    #[error("cannot add entries to {path}: {reason}")]
    #[diagnostic(help("no file was changed; close the open fence or comment in this one, and run again"))]
    Swallowed { path: String, reason: String },
    #[error("nothing was learned: {source}")]
    #[diagnostic(help("no file was changed; repair the cause, and run again"))]
    Write { source: WriteError },
}
