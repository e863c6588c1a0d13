//! What `.gitattributes` says about a path.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use bstr::{BStr, BString};
use gix::attrs::StateRef;
use gix::attrs::search::Outcome;
use gix::index::entry::Mode;
use gix::worktree::stack::state::attributes::Source;

use crate::git::error::GitError;
use crate::git::index::Index;
use crate::git::repository::Git;

/// Answers what attributes a path has.
pub struct Attributes {
    inner: Mutex<(gix::Repository, gix::worktree::Stack, Outcome)>,
}

impl fmt::Debug for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attributes").finish_non_exhaustive()
    }
}

impl Attributes {
    /// Ready to read the attribute files of the work tree, those of the user, and `info/attributes`; where one is not on disk,
    /// that in `index`.
    ///
    /// # Errors
    /// When one of the last two cannot be read.
    pub fn new(git: &Git, index: &Index) -> Result<Self, GitError> {
        let repository = git.local();
        let index = index.files_named(b".gitattributes");
        let stack = repository
            .attributes_only(&index, Source::WorktreeThenIdMapping)
            .map_err(|error| GitError::new("the attributes files", error))?;
        let outcome = stack.selected_attribute_matches(["merge", "text", "eol"]);
        let stack = stack.detach();
        Ok(Self { inner: Mutex::new((repository, stack, outcome)) })
    }

    /// The merge driver that the attributes name for `path`.
    ///
    /// # Errors
    /// When an attributes file on the way cannot be read.
    pub fn merge(&self, path: &BStr) -> Result<Option<BString>, GitError> {
        self.look(path, |name, state| match state {
            StateRef::Value(value) if name == "merge" => Some(value.as_bstr().to_owned()),
            _ => None,
        })
    }

    /// Whether git writes `path` with the line ends that it has in git, whatever the configuration says, or with line feeds.
    ///
    /// # Errors
    /// When an attributes file on the way cannot be read.
    pub fn keeps_line_feeds(&self, path: &BStr) -> Result<bool, GitError> {
        let kept = self.look(path, |name, state| match state {
            StateRef::Unset if name == "text" => Some(()),
            StateRef::Value(value) if name == "eol" && value.as_bstr() == "lf" => Some(()),
            _ => None,
        })?;
        Ok(kept.is_some())
    }

    /// The first attribute of `path` for which `choose` finds something.
    fn look<T>(&self, path: &BStr, choose: impl Fn(&str, StateRef<'_>) -> Option<T>) -> Result<Option<T>, GitError> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let (repository, stack, outcome) = &mut *inner;
        let failed = |error| GitError::new(format!("the attributes files above `{path}`"), error);
        let platform = stack.at_path(path, Some(Mode::FILE), &repository.objects).map_err(failed)?;
        outcome.reset();
        platform.matching_attributes(outcome);
        Ok(outcome.iter_selected().find_map(|found| choose(found.assignment.name.as_str(), found.assignment.state)))
    }
}
