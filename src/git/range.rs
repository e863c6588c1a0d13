//! What lies between two commits: tree against tree.

use bstr::BStr;
use gix::ObjectId;
use gix::objs::Kind;

use crate::git::change::{Change, Scope};
use crate::git::compare::{Side, compare};
use crate::git::error::GitError;
use crate::git::repository::{Git, commit_of, object_error};

/// Two states of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The tree of the commit that was named as the one before.
    pub named: ObjectId,
    /// The tree before.
    pub before: ObjectId,
    /// The tree after.
    pub after: ObjectId,
    /// A name of the commit before, or of the empty tree: as it was given, or its id.
    pub base: String,
    /// What the user ought to know of how `before` was found.
    pub note: Option<String>,
}

/// The states that `from` and `to` (`HEAD` when not given) name. `before` is the commit in which their histories meet, so
/// that what others did since does not count; or `from` itself where they do not meet, or where the clone is shallow and
/// the place cannot be known.
///
/// # Errors
/// When one of them is not there or cannot be read.
pub fn resolve(git: &Git, from: &str, to: Option<&str>) -> Result<Range, GitError> {
    git.read(|repository| resolve_in(repository, from, to))
}

fn resolve_in(repository: &gix::Repository, from: &str, to: Option<&str>) -> Result<Range, GitError> {
    let to = to.unwrap_or("HEAD");
    let (before, after) = (commit_of(repository, from, false)?, commit_of(repository, to, false)?);
    let mut range =
        Range { named: before.tree, before: before.tree, after: after.tree, base: from.to_owned(), note: None };
    let (Some(one), Some(other)) = (before.commit, after.commit) else { return Ok(range) };
    if repository.is_shallow().unwrap_or(false) {
        range.note = Some(format!("the clone is shallow: compared with `{from}` itself, not with the merge base"));
        return Ok(range);
    }
    let base = repository.merge_base(one, other).map_err(|error| GitError::History { source: Box::new(error) })?;
    match base.map(gix::Id::detach) {
        Some(base) if base == one => {}
        Some(base) => {
            range.before = tree_of(repository, base)?;
            range.base = base.to_hex_with_len(12).to_string();
        }
        None => {
            range.note = Some(format!("`{from}` and `{to}` have no common history: compared with `{from}` itself"));
        }
    }
    Ok(range)
}

/// What turns the one state into the other within `scope`, in the order of paths.
///
/// # Errors
/// When a tree cannot be read.
pub fn changes(git: &Git, range: &Range, scope: &Scope) -> Result<Vec<Change>, GitError> {
    git.read(|repository| compare(repository, None, scope, Side::Tree(range.before), Side::Tree(range.after)))
}

fn tree_of(repository: &gix::Repository, id: ObjectId) -> Result<ObjectId, GitError> {
    let fail = |error: gix::Error| object_error(repository, Kind::Commit, id, BStr::new(""), Box::new(error));
    let commit = repository.find_commit(id).map_err(fail)?;
    Ok(commit.tree_id().map_err(fail)?.detach())
}
