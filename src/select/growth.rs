//! How large the files of a team were at moments of its history, from the trees of commits.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use crate::dialects::FileKind;
use crate::git::error::GitError;
use crate::git::repository::{Git, commit_of};
use crate::layout::roots::{Location, Roots};

/// The sizes of files at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When the commit was made, in seconds since 1970.
    pub seconds: i64,
    /// The size of each file, in bytes.
    pub sizes: BTreeMap<BString, u64>,
}

/// Seconds.
const DAY: i64 = 24 * 60 * 60;

impl Git {
    /// The sizes of the files that are `wanted` after the last commit of a day, the oldest first: at most `most` days, evenly over
    /// the history of `revision`. Of a merge the first parent counts.
    ///
    /// # Errors
    /// When commits or trees cannot be read. A branch without commits has no samples.
    pub fn growth(
        &self,
        revision: Option<&str>,
        roots: &Roots,
        wanted: impl Fn(&FileKind) -> bool,
        most: usize,
    ) -> Result<Vec<Sample>, GitError> {
        let failed = |error: gix::Error| GitError::new("the history", error);
        let mut repository = self.local();
        repository.object_cache_size_if_unset(32 << 20);
        let head = match revision {
            Some(name) => commit_of(&repository, name, true)?.commit,
            None => repository.head_id().ok().map(gix::Id::detach),
        };
        let Some(head) = head else { return Ok(Vec::new()) };
        // The last commit of each day: commits come newest first.
        let mut days: BTreeMap<i64, (i64, ObjectId)> = BTreeMap::new();
        for info in repository.rev_walk([head]).first_parent_only().all().map_err(failed)? {
            let info = info.map_err(failed)?;
            let seconds = match info.commit_time {
                Some(seconds) => seconds,
                None => {
                    repository.find_commit(info.id).and_then(|commit| Ok(commit.time()?.seconds)).map_err(failed)?
                }
            };
            days.entry(seconds.div_euclid(DAY)).or_insert((seconds, info.id));
        }
        let all: Vec<(i64, ObjectId)> = days.into_values().collect();
        let mut walk = Walk { repository: &repository, roots, wanted, known: HashMap::new() };
        let samples = evenly(&all, most).into_iter().map(|(seconds, id)| {
            let tree = repository.find_commit(id).and_then(|commit| Ok(commit.tree_id()?.detach())).map_err(failed)?;
            let sizes = walk.files(BStr::new(""), tree)?.iter().cloned().collect();
            Ok(Sample { seconds, sizes })
        });
        samples.collect()
    }
}

/// At most `most` of `all`, with the same distance between them, and always the last one.
pub fn evenly<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    let step = all.len().div_ceil(most.max(1)).max(1);
    let mut some: Vec<T> = all.iter().rev().step_by(step).copied().collect();
    some.reverse();
    some
}

/// The files of a folder, with their sizes.
type Files = Rc<Vec<(BString, u64)>>;

/// A walk over trees that have most of their folders in common.
struct Walk<'a, W> {
    repository: &'a gix::Repository,
    roots: &'a Roots,
    wanted: W,
    /// The folders that were read: the same tree at the same path has the same files.
    known: HashMap<(ObjectId, BString), Files>,
}

impl<W: Fn(&FileKind) -> bool> Walk<'_, W> {
    fn files(&mut self, folder: &BStr, id: ObjectId) -> Result<Files, GitError> {
        let key = (id, folder.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let repository = self.repository;
        let tree = repository.find_tree(id).map_err(|error| GitError::new("a tree", error))?;
        let mut files = Vec::new();
        for entry in tree.iter() {
            let entry = entry.map_err(|error| GitError::new("a tree", error))?;
            let mut path = folder.to_owned();
            if !path.is_empty() {
                path.push_byte(b'/');
            }
            path.push_str(entry.filename());
            match entry.mode().kind() {
                EntryKind::Tree => files.extend(self.files(path.as_bstr(), entry.id().detach())?.iter().cloned()),
                EntryKind::Blob | EntryKind::BlobExecutable => {
                    let Some(Location { kind: Some(kind), .. }) = self.roots.locate(path.as_bstr()) else { continue };
                    // In a partial clone a version may be missing: it says nothing then.
                    if (self.wanted)(kind)
                        && let Ok(header) = repository.find_header(entry.id())
                    {
                        files.push((path, header.size()));
                    }
                }
                EntryKind::Link | EntryKind::Commit => {}
            }
        }
        let files = Rc::new(files);
        self.known.insert(key, files.clone());
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_is_always_among_some() {
        assert_eq!(evenly(&[1, 2, 3, 4, 5], 2), [2, 5]);
        assert_eq!(evenly(&[1, 2, 3], 9), [1, 2, 3]);
        assert_eq!(evenly(&[1, 2, 3], 0), [3]);
        assert!(evenly(&[0; 0], 3).is_empty());
    }
}
