//! What git tracks of the state: the paths of the index or of a tree that lie in a state root.

use std::collections::BTreeMap;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::objs::tree::EntryKind;

use crate::git::change::{Change, Scope};
use crate::git::compare::{Side, compare};
use crate::git::error::GitError;
use crate::git::repository::{Git, commit_of};
use crate::layout::role::Roots;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A file.
    File,
    /// A symbolic link; its target is the blob.
    Link(gix::ObjectId),
    /// A commit of another repository.
    Submodule,
}

/// A path that git tracks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tracked {
    /// The path, relative to the repository's root.
    pub path: BString,
    /// What stands there.
    pub kind: Kind,
}

/// The tracked paths of each state root, in order. A link or submodule in the place of a root counts to it.
pub type StatePaths = BTreeMap<BString, Vec<Tracked>>;

/// The state in the index. Roots are found whatever the case of their names.
///
/// # Errors
/// When the index, or a tree that a sparse index refers to, cannot be read.
pub fn in_index(git: &Git, roots: &Roots) -> Result<StatePaths, GitError> {
    let repository = git.local();
    // Read anew: what this program has rewritten keeps its time, by which the known one would be taken for current.
    let index = git.read_index()?;
    let mut found = Gatherer::new(roots);
    for entry in index.entries() {
        // Of a conflict one side is enough: what is in any of them is in the index.
        if entry.stage() != Stage::Unconflicted && found.is_last(entry.path(&index)) {
            continue;
        }
        let kind = match entry.mode {
            Mode::DIR => {
                let path = entry.path(&index);
                tree_below(&repository, entry.id, path.strip_suffix(b"/").unwrap_or(path).into(), &mut found)?;
                continue;
            }
            Mode::SYMLINK => Kind::Link(entry.id),
            Mode::COMMIT => Kind::Submodule,
            _ => Kind::File,
        };
        found.add(entry.path(&index), kind);
    }
    Ok(found.paths)
}

/// The state in the tree of the commit, tag or tree that `revision` names.
///
/// # Errors
/// When there is no such revision, or an object is missing.
pub fn in_tree(git: &Git, roots: &Roots, revision: &str) -> Result<StatePaths, GitError> {
    let repository = git.local();
    let id = commit_of(&repository, revision, true)?.tree;
    let mut found = Gatherer::new(roots);
    tree_below(&repository, id, BString::default(), &mut found)?;
    Ok(found.paths)
}

/// The state that `new` has and `old` has not, or has otherwise: both name commits. Without `old` all of `new`.
///
/// # Errors
/// When there is no such revision, or an object is missing.
pub fn brought(git: &Git, roots: &Roots, old: Option<&str>, new: &str) -> Result<StatePaths, GitError> {
    let Some(old) = old else { return in_tree(git, roots, new) };
    let repository = git.local();
    let tree = |name| commit_of(&repository, name, true).map(|found| Side::Tree(found.tree));
    let (before, after) = (tree(old)?, tree(new)?);
    let changes = compare(&repository, None, &Scope::default(), before, after)?;
    Ok(in_changes(&changes, roots))
}

/// The state that a change brings: what it adds, changes, or gives another name.
pub fn in_changes(changes: &[Change], roots: &Roots) -> StatePaths {
    let mut found = Gatherer::new(roots);
    for change in changes {
        let Some(after) = change.after else { continue };
        let kind = match after.kind {
            EntryKind::Link => Kind::Link(after.id),
            EntryKind::Commit => Kind::Submodule,
            _ => Kind::File,
        };
        found.add(change.path.as_bstr(), kind);
    }
    found.paths
}

/// What keeps `git rm --cached` from taking files out of the index without being told twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UntrackBlockers {
    /// A file on disk may have changed since it was staged.
    pub modified: bool,
    /// A file lies outside of the sparse checkout.
    pub sparse: bool,
    /// What is staged of a file stands neither in HEAD nor on disk, or the file is unmerged: untracking loses it.
    pub only_staged: bool,
}

/// What stands in the way of untracking `paths`, which lie below `root`.
///
/// # Errors
/// When the index cannot be read.
pub fn untrack_blockers(git: &Git, root: &Path, paths: &[Tracked]) -> Result<UntrackBlockers, GitError> {
    let repository = git.local();
    let index = git.known_index()?;
    let head = match repository.head().map(|head| head.is_unborn()) {
        Ok(true) => None,
        _ => Some(repository.head_tree().map_err(|error| GitError::new("HEAD", error))?),
    };
    let mut hurdles = UntrackBlockers::default();
    for Tracked { path, .. } in paths {
        // Outside of the sparse checkout a whole folder can be one entry.
        let Some(entry) = index.entry_by_path(path.as_bstr()) else {
            hurdles.sparse |= index.is_sparse();
            hurdles.only_staged |= !index.is_sparse();
            continue;
        };
        hurdles.sparse |= entry.flags.contains(Flags::SKIP_WORKTREE);
        let full = path.to_path().map(|path| root.join(path)).ok();
        let metadata = full.and_then(|full| gix::index::fs::Metadata::from_path_no_follow(&full).ok());
        let stat = metadata.and_then(|metadata| Stat::from_fs(&metadata).ok());
        let is_same = |stat: Stat| stat.size == entry.stat.size && stat.mtime == entry.stat.mtime;
        hurdles.modified |= stat.is_some_and(|stat| !is_same(stat));
        if !stat.is_some_and(is_same) {
            let committed = head.as_ref().map(|tree| tree.lookup_entry(path.split_str("/"))).transpose();
            let committed = committed.map_err(|error| GitError::new("HEAD", error))?.flatten();
            hurdles.only_staged |= committed.is_none_or(|committed| committed.object_id() != entry.id);
        }
    }
    Ok(hurdles)
}

/// Whether the object that `name` names in full is in this repository; another name is looked up when it is used.
pub fn has_object(git: &Git, name: &str) -> bool {
    gix::ObjectId::from_hex(name.as_bytes()).is_ok_and(|id| git.local().has_object(id)) || name.len() < 40
}

/// The path that a symbolic link in git leads to, as it is written there.
///
/// # Errors
/// When its blob is missing.
pub fn link_target(git: &Git, id: gix::ObjectId) -> Result<BString, GitError> {
    let repository = git.local();
    let blob = repository.find_blob(id).map_err(|error| GitError::new(format!("the link {id}"), error))?;
    Ok(blob.data.as_slice().into())
}

/// Adds what lies in the tree `id`, which stands at `path`.
fn tree_below(
    repository: &gix::Repository,
    id: gix::ObjectId,
    path: BString,
    found: &mut Gatherer<'_>,
) -> Result<(), GitError> {
    let mut open = vec![(path, id)];
    while let Some((folder, id)) = open.pop() {
        let tree = repository.find_tree(id).map_err(|error| GitError::new(format!("the tree {id}"), error))?;
        for entry in tree.iter() {
            let entry = entry.map_err(|error| GitError::new(format!("the tree {id}"), error))?;
            let mut path = folder.clone();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(entry.filename());
            let kind = match entry.kind() {
                EntryKind::Tree => {
                    open.push((path, entry.object_id()));
                    continue;
                }
                EntryKind::Link => Kind::Link(entry.object_id()),
                EntryKind::Commit => Kind::Submodule,
                EntryKind::Blob | EntryKind::BlobExecutable => Kind::File,
            };
            found.add(path.as_bstr(), kind);
        }
    }
    for tracked in found.paths.values_mut() {
        tracked.sort();
    }
    Ok(())
}

/// Sorts paths to their state roots. Paths come folder by folder: what holds for a folder is found out once.
struct Gatherer<'a> {
    roots: &'a Roots,
    folder: BString,
    /// Where the name of each folder on the way to `folder` ends, `folder` included, and whether it is a state root.
    steps: Vec<(usize, bool)>,
    paths: StatePaths,
}

impl<'a> Gatherer<'a> {
    fn new(roots: &'a Roots) -> Self {
        Self { roots, folder: BString::default(), steps: Vec::new(), paths: StatePaths::new() }
    }

    /// Whether `path` was the last one to be added.
    fn is_last(&self, path: &BStr) -> bool {
        let last = root_in(&self.steps, self.folder.as_bstr()).and_then(|root| self.paths.get(root)?.last());
        last.is_some_and(|last| last.path == path)
    }

    fn add(&mut self, path: &BStr, kind: Kind) {
        let end = memchr::memrchr(b'/', path).unwrap_or(0);
        let folder = path.get(..end).unwrap_or_default();
        if self.folder != folder {
            self.enter(folder);
        }
        // A link or a submodule can stand where a root would.
        let root = match root_in(&self.steps, self.folder.as_bstr()) {
            Some(root) => root,
            None if kind != Kind::File && self.roots.is_folded_root(path) => path,
            None => return,
        };
        let tracked = Tracked { path: path.into(), kind };
        if let Some(of_root) = self.paths.get_mut(root) {
            of_root.push(tracked);
        } else {
            self.paths.insert(root.into(), vec![tracked]);
        }
    }

    /// Goes to `folder`: only the part of its path that is another than before is looked at.
    fn enter(&mut self, folder: &[u8]) {
        let same = folder.iter().zip(self.folder.iter()).take_while(|(new, old)| new == old).count();
        let is_on_the_way = |end: usize| end <= same && folder.get(end).is_none_or(|&byte| byte == b'/');
        while self.steps.pop_if(|(end, _)| !is_on_the_way(*end)).is_some() {}
        let mut start = self.steps.last().map_or(0, |(end, _)| end + 1);
        while let Some(rest) = folder.get(start..).filter(|rest| !rest.is_empty()) {
            let end = start + memchr::memchr(b'/', rest).unwrap_or(rest.len());
            let is_root = folder.get(..end).is_some_and(|path| self.roots.is_folded_root(path.as_bstr()));
            self.steps.push((end, is_root));
            start = end + 1;
        }
        self.folder.clear();
        self.folder.extend_from_slice(folder);
    }
}

/// The innermost state root among the steps to `folder`.
fn root_in<'a>(steps: &[(usize, bool)], folder: &'a BStr) -> Option<&'a BStr> {
    let (end, _) = steps.iter().rev().find(|(_, is_root)| *is_root)?;
    folder.get(..*end).map(BStr::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_on_any_way_through_the_folders() -> Result<(), globset::Error> {
        let roots = Roots::new([".ai-team", "memory/agents"])?;
        let mut found = Gatherer::new(&roots);
        let paths = [
            ".ai-team/a",
            ".ai-team/b/c",
            ".ai-team-x/a",
            "a/.AI-Team/b",
            "a/.ai-teams/b",
            "a/b",
            "a/b/.ai-team/c/d/e",
            "a/b/c",
            "memory/agent/x",
            "memory/agents",
            "memory/agents/x/y",
            "memory/agentsx/y",
            "x/.ai-team/y/.ai-team/z",
            "x/.ai-team/y/z",
        ];
        for path in paths {
            found.add(path.into(), Kind::File);
        }
        found.add("link/.ai-team".into(), Kind::Submodule);
        let shown: Vec<_> = found.paths.iter().map(|(root, paths)| format!("{root} {}", paths.len())).collect();
        let expected = [
            ".ai-team 2",
            "a/.AI-Team 1",
            "a/b/.ai-team 1",
            "link/.ai-team 1",
            "memory/agents 1",
            "x/.ai-team 1",
            "x/.ai-team/y/.ai-team 1",
        ];
        assert_eq!(shown, expected);
        Ok(())
    }
}
