//! The versions of state files that the commits of a repository brought, from the oldest on.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::objs::tree::EntryKind;

use crate::git::error::GitError;
use crate::git::repository::Git;
use crate::layout::roots::{Location, Roots};
use crate::select::selected::Selected;

/// A version of a file that a commit brought.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The file, as it would be selected.
    pub file: &'a Selected,
    /// What it holds.
    pub bytes: &'a [u8],
    /// The commit.
    pub commit: &'a Commit,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its id, shortened.
    pub id: String,
    /// When its author wrote it, in seconds since 1970.
    pub seconds: i64,
    /// When it was made, in seconds since 1970: later than that, if it was amended or moved.
    pub committed: i64,
    /// The author's offset from UTC, in minutes.
    pub offset: i16,
    /// The author's name.
    pub author: BString,
    /// Whether nothing is known of what was there before it: the first commit of a history, or of a shallow clone.
    pub first: bool,
}

impl Git {
    /// The folder in which the repository keeps what is its own.
    pub fn folder(&self) -> PathBuf {
        self.local().git_dir().to_path_buf()
    }

    /// When the first commit and the last one were made, in seconds since 1970: no first one in a shallow clone, and in a history of
    /// one commit, which says nothing of when its files were written.
    ///
    /// # Errors
    /// When commits cannot be read. A branch without commits has no lifetime.
    pub fn lifetime(&self) -> Result<Option<(Option<i64>, i64)>, GitError> {
        let failed = |what: &'static str| move |error: gix::Error| GitError::new(what, error);
        let repository = self.local();
        let Ok(head) = repository.head_id() else { return Ok(None) };
        let sorting =
            gix::revision::walk::Sorting::ByCommitTime(gix::traverse::commit::simple::CommitTimeOrder::NewestFirst);
        let (mut count, mut first, mut last) = (0_usize, i64::MAX, i64::MIN);
        for info in repository.rev_walk([head]).sorting(sorting).all().map_err(failed("the history"))? {
            let seconds = info.map_err(failed("the history"))?.commit_time.unwrap_or_default();
            (count, first, last) = (count + 1, first.min(seconds), last.max(seconds));
        }
        let is_whole = count > 1 && !repository.is_shallow().unwrap_or(true);
        Ok((count > 0).then_some((is_whole.then_some(first), last)))
    }

    /// Hands every version of a state file with entries to `visit`, the oldest commits first. The changes of a merge are
    /// in the commits that it merges. Files of more than `cap` bytes are skipped.
    ///
    /// # Errors
    /// When commits or trees cannot be read. A branch without commits has no versions.
    pub fn versions(&self, roots: &Roots, cap: u64, mut visit: impl FnMut(Version<'_>)) -> Result<(), GitError> {
        let failed = |what: &'static str| move |error: gix::Error| GitError::new(what, error);
        let mut repository = self.local();
        repository.object_cache_size_if_unset(32 << 20);
        let Ok(head) = repository.head_id() else { return Ok(()) };
        let mut commits = Vec::new();
        let sorting =
            gix::revision::walk::Sorting::ByCommitTime(gix::traverse::commit::simple::CommitTimeOrder::NewestFirst);
        for info in repository.rev_walk([head]).sorting(sorting).all().map_err(failed("the history"))? {
            let info = info.map_err(failed("the history"))?;
            commits.push((info.commit_time.unwrap_or_default(), info.id));
        }
        // Children are found before their parents: among those of one second, too, the parent then comes first.
        commits.reverse();
        commits.sort_by_key(|(seconds, _)| *seconds);
        let shallow: BTreeSet<gix::ObjectId> = match repository.shallow_commits() {
            Ok(Some(boundary)) => boundary.iter().copied().collect(),
            _ => BTreeSet::new(),
        };
        for (committed, id) in commits {
            let commit = repository.find_commit(id).map_err(failed("a commit"))?;
            let parents: Vec<gix::ObjectId> = commit.parent_ids().map(gix::Id::detach).collect();
            let first = parents.is_empty() || shallow.contains(&id);
            if parents.len() > 1 && !first {
                continue;
            }
            let author = commit.author().map_err(failed("a commit"))?;
            let time = author.time().unwrap_or_default();
            let described = Commit {
                id: id.to_hex_with_len(9).to_string(),
                seconds: time.seconds,
                committed: committed.max(time.seconds),
                offset: i16::try_from(time.offset / 60).unwrap_or_default(),
                author: author.name.to_owned(),
                first,
            };
            let new = commit.tree_id().map_err(failed("a commit"))?.detach();
            let old = match parents.first().filter(|_| !first) {
                Some(parent) => {
                    let parent = repository.find_commit(*parent).map_err(failed("a commit"))?;
                    Some(parent.tree_id().map_err(failed("a commit"))?.detach())
                }
                None => None,
            };
            let mut walk = Walk { repository: &repository, roots, cap, commit: &described, visit: &mut visit };
            walk.tree(&mut BString::default(), new, old)?;
        }
        Ok(())
    }
}

struct Walk<'a, F> {
    repository: &'a gix::Repository,
    roots: &'a Roots,
    cap: u64,
    commit: &'a Commit,
    visit: &'a mut F,
}

impl<F: FnMut(Version<'_>)> Walk<'_, F> {
    /// Visits the files of the tree `new` that differ from `old`; both are at `path`.
    fn tree(&mut self, path: &mut BString, new: gix::ObjectId, old: Option<gix::ObjectId>) -> Result<(), GitError> {
        if Some(new) == old {
            return Ok(());
        }
        let failed = |error| GitError::new("a tree", error);
        let new = self.repository.find_tree(new).map_err(failed)?;
        let old = old.map(|old| self.repository.find_tree(old)).transpose().map_err(failed)?;
        let old = old.as_ref().map(gix::Tree::decode).transpose().map_err(|error| GitError::new("a tree", error))?;
        for entry in new.iter() {
            let entry = entry.map_err(|error| GitError::new("a tree", error))?;
            let kind = entry.mode().kind();
            let (name, id) = (entry.filename(), entry.id().detach());
            let before = old.as_ref().and_then(|tree| tree.bisect_entry(name, entry.mode().is_tree()));
            if before.is_some_and(|before| before.oid == id) {
                continue;
            }
            let len = path.len();
            if len > 0 {
                path.push_byte(b'/');
            }
            path.push_str(name);
            let result = match kind {
                EntryKind::Tree => self.tree(path, id, before.map(|before| before.oid.to_owned())),
                EntryKind::Blob | EntryKind::BlobExecutable => {
                    self.file(path.as_bstr(), id);
                    Ok(())
                }
                EntryKind::Link | EntryKind::Commit => Ok(()),
            };
            path.truncate(len);
            result?;
        }
        Ok(())
    }

    fn file(&mut self, path: &BStr, id: gix::ObjectId) {
        let Some(Location { root, kind: Some(kind) }) = self.roots.locate(path) else { return };
        if !kind.holds_legacy() {
            return;
        }
        // In a partial clone a version may be missing: it says nothing then.
        let Ok(header) = self.repository.find_header(id) else { return };
        if header.size() > self.cap {
            return;
        }
        let Ok(object) = self.repository.find_object(id) else { return };
        let file = Selected::on_disk(path.into(), root, kind, false, false);
        (self.visit)(Version { file: &file, bytes: &object.data, commit: self.commit });
    }
}
