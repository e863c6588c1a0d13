//! An open git repository, and how reading it can fail.

use std::fmt;

use bstr::BString;

/// A git repository, opened once and read from several threads.
#[derive(Clone)]
pub struct Git {
    repository: gix::ThreadSafeRepository,
}

impl fmt::Debug for Git {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Git").field(&self.repository.refs.git_dir()).finish()
    }
}

/// Something in git that cannot be read. It never stands for "nothing there".
#[derive(Debug, thiserror::Error)]
#[error("git: cannot read {what}")]
pub struct GitError {
    what: String,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl GitError {
    /// The error of reading `what`; its chain of causes says more.
    pub fn new(what: impl Into<String>, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { what: what.into(), source: source.into() }
    }
}

impl Git {
    pub(super) fn new(repository: gix::ThreadSafeRepository) -> Self {
        Self { repository }
    }

    /// The repository, for one thread.
    pub(super) fn local(&self) -> gix::Repository {
        self.repository.to_thread_local()
    }

    /// The short name of the branch that is checked out, also where it has no commit yet; `None` for a detached HEAD.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn branch(&self) -> Result<Option<BString>, GitError> {
        let name = self.local().head_name().map_err(|error| GitError::new("HEAD", error))?;
        Ok(name.map(|name| name.as_ref().shorten().to_owned()))
    }
}
