//! `--pre-push`: what is being pushed, from whoever knows it.

use std::io::{IsTerminal, Read};

use crate::git::push::{self, Push, PushError};
use crate::select::repository::Repository;
use crate::select::tracked;

/// Why it is not known what is being pushed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum UnknownPush {
    /// Nobody says it.
    #[error("nothing says what is being pushed: standard input is a terminal")]
    #[diagnostic(help(
        "`--pre-push` is for a pre-push hook, to which git writes it; `--tree REV --branch NAME` checks a revision"
    ))]
    Terminal,
    /// It cannot be read.
    #[error("cannot read from standard input what is being pushed")]
    Io(#[from] std::io::Error),
    /// It is something else.
    #[error("cannot read from standard input what is being pushed: {0}")]
    #[diagnostic(help("git writes `<local ref> <local object> <remote ref> <remote object>`, one push a line"))]
    Malformed(#[from] PushError),
}

/// What is being pushed: as git writes it to standard input, or as a hook manager, which reads that itself, says it.
///
/// # Errors
/// See [`UnknownPush`].
pub fn read(repository: &Repository) -> Result<Vec<Push>, UnknownPush> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (branch, new) = (variable("PRE_COMMIT_REMOTE_BRANCH"), variable("PRE_COMMIT_TO_REF"));
    let mut pushes = if let Some((branch, new)) = branch.zip(new) {
        push::from_variables(&branch, variable("PRE_COMMIT_FROM_REF").as_deref(), &new)
    } else {
        let mut stdin = std::io::stdin().lock();
        if stdin.is_terminal() {
            return Err(UnknownPush::Terminal);
        }
        let mut text = Vec::new();
        stdin.read_to_end(&mut text)?;
        push::parse(&text)?
    };
    // What the other side has and this one has not cannot be compared: then all that is pushed counts.
    for push in &mut pushes {
        push.old =
            push.old.take().filter(|old| repository.git.as_ref().is_some_and(|git| tracked::has_object(git, old)));
    }
    Ok(pushes)
}
