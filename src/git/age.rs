//! Between which commits the history of a repository lies.

use bstr::{BStr, ByteSlice};
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::error::GitError;
use super::repository::Git;

/// The history of `HEAD`, in seconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Age {
    /// When the first commit was made; `None` if some commit is older than was asked for, or the clone is shallow.
    pub first: Option<i64>,
    /// When the newest commit was made; `None` for a repository with fewer than [`MIN_COMMITS`] commits.
    pub last: Option<i64>,
}

/// A repository with fewer commits is often a copy whose history is elsewhere.
pub const MIN_COMMITS: usize = 3;

impl Git {
    /// Reads the commits of `HEAD` from the newest on, down to the first one or to one from before `since`.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn age(&self, since: i64) -> Result<Age, GitError> {
        let failed = |error: gix::Error| GitError::new("the history", error);
        let repository = self.local();
        let Ok(head) = repository.head_id() else { return Ok(Age::default()) };
        let sorting = Sorting::ByCommitTime(CommitTimeOrder::NewestFirst);
        let (mut commits, mut first, mut last) = (0, i64::MAX, i64::MIN);
        let mut reaches_start = !repository.is_shallow().unwrap_or(true);
        for info in repository.rev_walk([head]).sorting(sorting).all().map_err(failed)? {
            let info = info.map_err(failed)?;
            let mut at = info.commit_time.unwrap_or_default();
            last = last.max(at);
            // The first commit may have been rebased: its author wrote it before.
            if info.parent_ids.is_empty() {
                let commit = info.object().map_err(failed)?;
                at = at.min(commit.author().map_err(failed)?.time().map_or(at, |time| time.seconds));
            }
            first = first.min(at);
            commits += 1;
            if first < since {
                reaches_start = false;
            }
            if !reaches_start && commits >= MIN_COMMITS {
                break;
            }
        }
        let is_known = commits >= MIN_COMMITS;
        Ok(Age { first: (is_known && reaches_start).then_some(first), last: is_known.then_some(last) })
    }

    /// Whether `HEAD` has a file at `path` with just these bytes.
    ///
    /// # Errors
    /// When its tree cannot be read.
    pub fn has_committed(&self, path: &BStr, bytes: &[u8]) -> Result<bool, GitError> {
        let Some(committed) = self.committed(path)? else { return Ok(false) };
        let id = gix::objs::compute_hash(self.local().object_hash(), gix::objs::Kind::Blob, bytes);
        Ok(id.is_ok_and(|id| committed == id))
    }

    /// The object that `HEAD` has at `path`: of a file or of a folder.
    ///
    /// # Errors
    /// When its tree cannot be read.
    pub fn committed(&self, path: &BStr) -> Result<Option<gix::ObjectId>, GitError> {
        let failed = |error: gix::Error| GitError::new("the tree of HEAD", error);
        let repository = self.local();
        let Ok(head) = repository.head_id() else { return Ok(None) };
        let tree = head.object().and_then(gix::Object::peel_to_tree).map_err(failed)?;
        Ok(tree.lookup_entry(path.split_str("/")).map_err(failed)?.map(|entry| entry.object_id()))
    }
}
