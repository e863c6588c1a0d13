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
    /// So many seconds those two were from UTC where they were made.
    pub offsets: (i64, i64),
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
        let (mut commits, mut first, mut last) = (0, (i64::MAX, head.detach()), (i64::MIN, head.detach()));
        let mut reaches_start = !repository.is_shallow().unwrap_or(true);
        for info in repository.rev_walk([head]).sorting(sorting).all().map_err(failed)? {
            let info = info.map_err(failed)?;
            let mut at = info.commit_time.unwrap_or_default();
            last = last.max((at, info.id));
            // The first commit may have been rebased: its author wrote it before.
            if info.parent_ids.is_empty() {
                let commit = info.object().map_err(failed)?;
                at = at.min(commit.author().map_err(failed)?.time().map_or(at, |time| time.seconds));
            }
            first = first.min((at, info.id));
            commits += 1;
            if first.0 < since {
                reaches_start = false;
            }
            if !reaches_start && commits >= MIN_COMMITS {
                break;
            }
        }
        let is_known = commits >= MIN_COMMITS;
        let (first, last) = ((is_known && reaches_start).then_some(first), is_known.then_some(last));
        let offset = |commit: Option<(i64, gix::ObjectId)>| commit.map_or(Ok(0), |(at, id)| self.offset_at(id, at));
        let offsets = (offset(first)?, offset(last)?);
        Ok(Age { first: first.map(|(at, _)| at), last: last.map(|(at, _)| at), offsets })
    }

    /// How many seconds it was from UTC where the commit was written, or made, at that time.
    fn offset_at(&self, commit: gix::ObjectId, at: i64) -> Result<i64, GitError> {
        let failed = |error: gix::Error| GitError::new("a commit", error);
        let repository = self.local();
        let commit = repository.find_commit(commit).map_err(failed)?;
        let times = [commit.committer().map_err(failed)?.time(), commit.author().map_err(failed)?.time()];
        let offset = times.into_iter().flatten().find(|time| time.seconds == at).map(|time| time.offset);
        Ok(offset.map_or(0, i64::from))
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
