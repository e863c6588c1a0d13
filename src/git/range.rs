//! What lies between two commits: tree against tree.

use bstr::BStr;
use gix::ObjectId;
use gix::objs::Kind;

use crate::git::change::{Change, Scope};
use crate::git::compare::{Side, compare};
use crate::git::error::GitError;
use crate::git::repository::{Git, object_error, revision};

/// Two states of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The tree before.
    pub before: ObjectId,
    /// The tree after.
    pub after: ObjectId,
    /// A name of the commit or tree before: as it was given, or its id.
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
    let repository = git.local();
    let to = to.unwrap_or("HEAD");
    let (from_id, to_id) = (revision(&repository, from)?, revision(&repository, to)?);
    let (before, after) = (peel(&repository, from_id)?, peel(&repository, to_id)?);
    let mut range = Range { before: before.tree, after: after.tree, base: from.to_owned(), note: None };
    let (Some(one), Some(other)) = (before.commit, after.commit) else { return Ok(range) };
    if repository.is_shallow().unwrap_or(false) {
        range.note =
            Some(format!("the clone is shallow: compared with `{from}` itself, not with where `{to}` left it"));
        return Ok(range);
    }
    let base = repository.merge_base(one, other).map_err(|error| GitError::History { source: Box::new(error) })?;
    match base.map(gix::Id::detach) {
        Some(base) if base == one => {}
        Some(base) => {
            range.before = peel(&repository, base)?.tree;
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
    compare(&git.local(), None, scope, Side::Tree(range.before), Side::Tree(range.after))
}

struct Peeled {
    commit: Option<ObjectId>,
    tree: ObjectId,
}

/// The tree that an object stands for, and the commit on the way to it.
fn peel(repository: &gix::Repository, id: ObjectId) -> Result<Peeled, GitError> {
    let fail = |error: gix::Error| object_error(repository, Kind::Commit, id, BStr::new(""), Box::new(error));
    let object = repository.find_object(id).map_err(fail)?.peel_tags_to_end().map_err(fail)?;
    if object.kind == Kind::Tree {
        return Ok(Peeled { commit: None, tree: object.id });
    }
    let commit = object.try_into_commit().map_err(fail)?;
    Ok(Peeled { commit: Some(commit.id), tree: commit.tree_id().map_err(fail)?.detach() })
}
