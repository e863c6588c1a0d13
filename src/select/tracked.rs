//! What git tracks of the state: the paths of the index or of a tree that lie in a state root.

use std::collections::BTreeMap;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use gix::objs::tree::EntryKind;

use crate::fs::path::below;
use crate::git::change::{Blob, Change, Scope};
use crate::git::compare::{Side, compare};
use crate::git::error::GitError;
use crate::git::index::{Index, Stat};
use crate::git::repository::{Git, commit_of};
use crate::layout::passage::Passage;
use crate::layout::roots::Roots;

/// The entry at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A file.
    File,
    /// A symbolic link; its target is the blob.
    Link(gix::ObjectId),
    /// A commit of another repository.
    Submodule,
}

impl Kind {
    /// That of an entry that is no folder.
    pub(super) fn of(blob: Blob) -> Self {
        match blob.kind {
            EntryKind::Link => Self::Link(blob.id),
            EntryKind::Commit => Self::Submodule,
            _ => Self::File,
        }
    }
}

/// A path that git tracks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tracked {
    /// The path, relative to the repository's root.
    pub path: BString,
    /// The kind of the entry.
    pub kind: Kind,
}

/// The tracked paths of each state root, in order. A link or submodule in the place of a root counts to it.
pub type StatePaths = BTreeMap<BString, Vec<Tracked>>;

/// The state in `index`. Roots are found whatever the case of their names.
///
/// # Errors
/// When a tree that a sparse index refers to cannot be read.
pub fn in_index(git: &Git, index: &Index, roots: &Roots) -> Result<StatePaths, GitError> {
    let repository = git.local();
    let mut found = gatherer(roots);
    for at in 0..index.len() {
        let path = index.path(at);
        found.passage.go_to(path);
        if !found.passage.is_in_root() && index.is_file(at) {
            continue;
        }
        let Some(entry) = index.entry(at) else { continue };
        // Of a conflict one side is enough: what is in any of them is in the index.
        if entry.stage != 0 && found.is_last(path) {
            continue;
        }
        let kind = match entry.blob {
            Some(Blob { id, kind: EntryKind::Tree }) => {
                tree_below(&repository, id, path.strip_suffix(b"/").unwrap_or(path).into(), &mut found)?;
                continue;
            }
            Some(Blob { id, kind: EntryKind::Link }) => Kind::Link(id),
            Some(Blob { kind: EntryKind::Commit, .. }) => Kind::Submodule,
            _ => Kind::File,
        };
        found.add(path, kind);
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
    let mut found = gatherer(roots);
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
    let mut found = gatherer(roots);
    for change in changes {
        let Some(after) = change.after else { continue };
        found.add(change.path.as_bstr(), Kind::of(after));
    }
    found.paths
}

/// What keeps `git rm --cached` from removing files from the index without `--force`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UntrackBlockers {
    /// A file on disk may have changed since it was staged.
    pub modified: bool,
    /// A file lies outside of the sparse checkout.
    pub sparse: bool,
    /// The staged content is neither in HEAD nor on disk, or the file is unmerged: untracking would lose it.
    pub only_staged: bool,
}

/// Why `paths`, which lie below `root`, cannot be untracked from `index`.
///
/// # Errors
/// When `HEAD` or its tree cannot be read.
pub fn untrack_blockers(git: &Git, index: &Index, root: &Path, paths: &[Tracked]) -> Result<UntrackBlockers, GitError> {
    let repository = git.local();
    let head = match repository.head().map(|head| head.is_unborn()) {
        Ok(true) => None,
        _ => Some(repository.head_tree().map_err(|error| GitError::new("HEAD", error))?),
    };
    let mut hurdles = UntrackBlockers::default();
    for Tracked { path, .. } in paths {
        // Outside of the sparse checkout a whole folder can be one entry.
        let Some(entry) = index.find(path.as_bstr()).filter(|entry| entry.stage == 0) else {
            let is_sparse = index.sparse_folder(path.as_bstr()).is_some();
            hurdles.sparse |= is_sparse;
            hurdles.only_staged |= !is_sparse;
            continue;
        };
        hurdles.sparse |= entry.skipped;
        let full = path.to_path().map(|path| below(root, path)).ok();
        let metadata = full.and_then(|full| gix::index::fs::Metadata::from_path_no_follow(&full).ok());
        let stat = metadata.and_then(|metadata| Some(Stat::from(gix::index::entry::Stat::from_fs(&metadata).ok()?)));
        hurdles.modified |= stat.is_some_and(|stat| stat != entry.stat);
        if stat != Some(entry.stat) {
            let committed = head.as_ref().map(|tree| tree.lookup_entry(path.split_str("/"))).transpose();
            let committed = committed.map_err(|error| GitError::new("HEAD", error))?.flatten();
            let staged = entry.blob.map(|blob| blob.id);
            hurdles.only_staged |= committed.is_none_or(|committed| Some(committed.object_id()) != staged);
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

/// Adds the entries of the tree `id`, which is at `path`.
fn tree_below(
    repository: &gix::Repository,
    id: gix::ObjectId,
    path: BString,
    found: &mut Gatherer<'_, impl Fn(&BStr) -> bool>,
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
            if entry.kind() == EntryKind::Tree {
                open.push((path, entry.object_id()));
            } else {
                found.add(path.as_bstr(), Kind::of(Blob { id: entry.object_id(), kind: entry.kind() }));
            }
        }
    }
    found.sort();
    Ok(())
}

/// Sorts paths to their state roots.
pub(super) struct Gatherer<'a, F> {
    roots: &'a Roots,
    passage: Passage<F>,
    paths: StatePaths,
}

pub(super) fn gatherer(roots: &Roots) -> Gatherer<'_, impl Fn(&BStr) -> bool> {
    Gatherer { roots, passage: Passage::new(|folder: &BStr| roots.is_folded_root(folder)), paths: StatePaths::new() }
}

impl<F: Fn(&BStr) -> bool> Gatherer<'_, F> {
    /// What was added, in order.
    pub(super) fn into_paths(mut self) -> StatePaths {
        self.sort();
        self.paths
    }

    fn sort(&mut self) {
        self.paths.values_mut().for_each(|tracked| tracked.sort());
    }

    /// Whether `path` was the last one of its root to be added.
    fn is_last(&mut self, path: &BStr) -> bool {
        let root = self.passage.root_of(path).unwrap_or(path);
        self.paths.get(root).and_then(|paths| paths.last()).is_some_and(|last| last.path == path)
    }

    /// Adds the entry at `path`, if it is state.
    pub(super) fn add(&mut self, path: &BStr, kind: Kind) {
        // A link or a submodule can stand where a root would.
        let root = match self.passage.root_of(path) {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_on_any_way_through_the_folders() -> Result<(), globset::Error> {
        let roots = Roots::new([".ai-team", "memory/agents"])?;
        let mut found = gatherer(&roots);
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
