//! A change as a run looks at it: what is staged, or what lies between two commits, and the files as they are after it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::{EntryKind, EntryRef};
use gix::objs::{Kind, TreeRefIter};

use super::link::leads_nowhere;
use super::stdin::inside;
use super::worktree::{SelectError, Selection};
use crate::dialects::{self, FileKind};
use crate::git::change::{Blob, Change, Scope, Status};
use crate::git::compare::{Side, compare};
use crate::git::error::GitError;
use crate::git::index::Index;
use crate::git::range::{self, Range};
use crate::git::renames::join_renames;
use crate::git::repository::{Git, find, head_tree, object_error};
use crate::layout::exclude::Excludes;
use crate::layout::passage::Passage;
use crate::layout::roots::Roots;
use crate::select::read_error::ReadError;
use crate::select::repository::Repository;
use crate::select::selected::{Earlier, Origin, Selected};

/// The state after the change.
#[derive(Debug)]
enum Now {
    Index(Index),
    Tree(ObjectId),
}

/// A change.
#[derive(Debug)]
pub struct Changes {
    list: Vec<Change>,
    /// The tree before the change.
    before: ObjectId,
    now: Now,
    git: Git,
    /// The files and folders that were asked for, relative to the root.
    paths: Vec<BString>,
    /// Those that were named themselves.
    named: BTreeSet<BString>,
    /// Whether all that is found in a changed file counts, not only what the change touched.
    pub all_lines: bool,
    /// Whether it takes another one back: what is found after it was found before that.
    pub is_reversed: bool,
    /// The revision that holds what was before.
    pub base: String,
    /// What the user ought to know of how it was found.
    pub note: Option<String>,
}

impl Changes {
    /// What the next commit would change in `paths`; the empty path is everything.
    ///
    /// # Errors
    /// When the index, `HEAD` or a tree cannot be read.
    pub fn staged(git: &Git, paths: Vec<BString>) -> Result<Self, GitError> {
        let repository = git.local();
        let index = Index::in_parts(git)?;
        let before = head_tree(&repository)?;
        let old = Side::Tree(before);
        let new = Side::Entries { start: 0, end: index.len(), folder: index.root() };
        let list = compare(&repository, Some(&index), &Scope::new(paths.clone()), old, new)?;
        index.check()?;
        let (now, base) = (Now::Index(index), "HEAD".to_owned());
        let named = paths.iter().cloned().collect();
        Ok(Self {
            list,
            before,
            now,
            git: git.clone(),
            paths,
            named,
            all_lines: false,
            is_reversed: false,
            base,
            note: None,
        })
    }

    /// What changes in `paths` within `range`; see [`range::resolve`].
    ///
    /// # Errors
    /// When an object cannot be read.
    pub fn between(git: &Git, range: Range, paths: Vec<BString>) -> Result<Self, GitError> {
        let list = range::changes(git, &range, &Scope::new(paths.clone()))?;
        let (before, now, base, note) = (range.before, Now::Tree(range.after), range.base, range.note);
        let named = paths.iter().cloned().collect();
        Ok(Self { list, before, now, git: git.clone(), paths, named, all_lines: false, is_reversed: false, base, note })
    }

    /// The change that takes this one back: what is read by it is the state before.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let back = |change: &Change| match &change.previous {
            None => Change::new(change.path.clone(), change.after, change.before),
            Some(previous) => Change {
                path: previous.clone(),
                previous: Some(change.path.clone()),
                status: change.status,
                before: change.after,
                after: change.before,
            },
        };
        let mut list: Vec<Change> = self.list.iter().map(back).collect();
        list.sort_by(|a, b| a.path.cmp(&b.path));
        Self {
            list,
            before: self.before,
            now: Now::Tree(self.before),
            git: self.git.clone(),
            paths: self.paths.clone(),
            named: self.named.clone(),
            all_lines: true,
            is_reversed: true,
            base: self.base.clone(),
            note: None,
        }
    }

    /// Joins renames that change the content as well: what of the new file was in the old one is not new.
    pub fn join_renames(&mut self, roots: &Roots) {
        // Skills are state, too, wherever they are.
        let is_skill = |path: &BStr| path.ends_with(b"/SKILL.md");
        join_renames(&self.git, &mut self.list, |path| is_skill(path) || locate(roots, path, false).is_some());
    }

    /// Leaves out the files that are not among `names`; those that are gone are never named, and stay. State roots are asked
    /// about whatever is named in them.
    pub fn narrow(&mut self, names: &[BString]) {
        self.named = names.iter().cloned().collect();
        self.list.retain(|change| change.status == Status::Deleted || self.named.contains(&change.path));
    }

    /// What becomes of the file at `path`, if it is among what changed.
    pub fn change_of(&self, path: &BStr) -> Option<&Change> {
        let at = self.list.binary_search_by(|change| change.path.as_bstr().cmp(path)).ok()?;
        self.list.get(at)
    }

    /// What changed, in the order of paths.
    pub fn list(&self) -> &[Change] {
        &self.list
    }

    /// Whether it is about to be committed, and not in commits already.
    pub fn is_staged(&self) -> bool {
        matches!(self.now, Now::Index(_))
    }

    /// The tree after the change, where there is one.
    pub fn tree(&self) -> Option<ObjectId> {
        match self.now {
            Now::Index(_) => None,
            Now::Tree(id) => Some(id),
        }
    }

    /// The text before the change, at most `cap` bytes; `None` where there was no file.
    ///
    /// # Errors
    /// When it is too large, missing or damaged.
    pub fn before(&self, change: &Change, cap: u64) -> Result<Option<Vec<u8>>, ReadError> {
        let blob = change.before.filter(|blob| blob.is_file());
        Ok(blob.map(|blob| self.git.blob(blob.id, change.old_path(), cap)).transpose()?)
    }

    /// The text after the change, at most `cap` bytes; `None` where there is no file.
    ///
    /// # Errors
    /// When it is too large, missing or damaged.
    pub fn after(&self, change: &Change, cap: u64) -> Result<Option<Vec<u8>>, ReadError> {
        let blob = change.after.filter(|blob| blob.is_file());
        Ok(blob.map(|blob| self.git.blob(blob.id, change.path.as_bstr(), cap)).transpose()?)
    }

    /// The file at `path` after the change, at most `cap` bytes.
    ///
    /// # Errors
    /// When it is not there, too large, missing or damaged.
    pub fn read(&self, path: &BStr, cap: u64) -> Result<Vec<u8>, ReadError> {
        match self.find(path).map_err(ReadError::Git)? {
            Some(blob) if blob.is_file() => Ok(self.git.blob(blob.id, path, cap)?),
            _ => Err(ReadError::Io(std::io::ErrorKind::NotFound.into())),
        }
    }

    /// The entry at `path` after the change.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn find(&self, path: &BStr) -> Result<Option<Blob>, GitError> {
        if let Some(change) = self.change_of(path) {
            return Ok(change.after);
        }
        match &self.now {
            Now::Index(index) => match (index.find(path), index.sparse_folder(path)) {
                (Some(entry), _) => Ok(entry.blob),
                (None, Some((folder, inside))) => match folder.blob {
                    Some(tree) => self.git.read(|repository| find_in_tree(repository, tree.id, inside)),
                    None => Ok(None),
                },
                (None, None) => Ok(None),
            },
            Now::Tree(tree) => self.git.read(|repository| find_in_tree(repository, *tree, path)),
        }
    }

    /// The changed files that rules read, and what was seen on the way to them.
    pub fn select(&self, repository: &Repository, roots: &Roots, excludes: &Excludes) -> Selection {
        let mut selection = Selection { folders: self.paths.clone(), ..Selection::default() };
        let mut files = Vec::new();
        for change in &self.list {
            let path = change.path.as_bstr();
            if self.is_staged() && path.rsplit_str("/").next() == Some(b".gitignore") {
                selection.roots.extend(roots_beside(repository, roots, path));
            }
            let named = self.named.contains(&change.path);
            let Some((root, kind)) = locate(roots, path, named) else { continue };
            let origin = match (change.status, change.after) {
                (Status::Unmerged, _) => Origin::Unmerged,
                (_, Some(after)) if after.is_file() => Origin::Blob(after.id),
                (_, Some(after)) if self.is_broken_link(repository, path, after) => Origin::Link,
                (_, Some(_)) => {
                    selection.notes.push(format!("{path}: a link or a submodule; not followed"));
                    continue;
                }
                (_, None) => continue,
            };
            if excludes.matches(path) {
                selection.excluded += 1;
                continue;
            }
            let earlier = match change.before.filter(|blob| blob.is_file()) {
                _ if self.all_lines => Earlier::Unknown,
                Some(before) => Earlier::Blob(before.id),
                None => Earlier::Nothing,
            };
            let path = change.path.clone();
            files.push(Selected { path, root, kind, checked: true, named, origin, earlier });
        }
        selection.files = Arc::new(files);
        selection
    }

    /// Whether `blob` at `path` is a link that leads nowhere after the change. What is to be committed may lead to a file that git ignores.
    fn is_broken_link(&self, repository: &Repository, path: &BStr, blob: Blob) -> bool {
        let is_on_disk = || path.to_path().is_ok_and(|path| repository.root.join(path).exists());
        blob.kind == EntryKind::Link
            && leads_nowhere(&self.git, path, blob.id, |path| self.find(path)).unwrap_or_default()
            && !(self.is_staged() && is_on_disk())
    }

    /// All state files after the change, or those in the folder `below`, in the order of their paths.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn files(&self, roots: &Roots, excludes: &Excludes, below: Option<&BStr>) -> Result<Vec<Selected>, GitError> {
        let mut found = Vec::new();
        let mut passage = Passage::new(|folder: &BStr| roots.is_root(folder));
        let mut may_hold_state = roots.has_top() || roots.may_hold_manifest(BStr::new(""));
        // Nearly all folders have no files of a team: only the others are looked up.
        let mut add = |path: &BStr, blob: &dyn Fn() -> Option<Blob>| {
            if passage.go_to(path) {
                may_hold_state = passage.is_in_root() || roots.may_hold_manifest(passage.folder());
            }
            if !may_hold_state && dialects::kind_anywhere(path).is_none() {
                return;
            }
            let origin = match blob() {
                Some(blob) if blob.is_file() => Origin::Blob(blob.id),
                Some(Blob { kind: EntryKind::Link, .. }) => Origin::Link,
                _ => return,
            };
            let Some((root, kind)) = locate(roots, path, false).filter(|_| !excludes.matches(path)) else { return };
            let earlier = Earlier::Unknown;
            found.push(Selected { path: path.into(), root, kind, checked: false, named: false, origin, earlier });
        };
        let repository = self.git.local();
        let mut trees = Vec::new();
        match &self.now {
            Now::Index(index) => {
                for at in index.range_below(below.unwrap_or_default()) {
                    let path = index.path(at);
                    let blob = || index.entry(at)?.blob;
                    match path.strip_suffix(b"/") {
                        // Outside of a sparse checkout a whole folder can be one entry.
                        Some(folder) => trees.extend(blob().map(|tree| (folder.as_bstr(), tree.id))),
                        None => add(path, &blob),
                    }
                }
            }
            Now::Tree(tree) => match below {
                None => trees.push((BStr::new(""), *tree)),
                Some(below) => {
                    if let Some(Blob { id, kind: EntryKind::Tree }) = find_in_tree(&repository, *tree, below)? {
                        trees.push((below, id));
                    }
                }
            },
        }
        for (folder, id) in trees {
            let _ = walk(&repository, id, folder.into(), &mut |path, blob| {
                add(path, &|| Some(blob));
                ControlFlow::Continue(())
            })?;
        }
        found.sort();
        found.dedup_by(|a, b| a.path == b.path);
        Ok(found)
    }

    /// Whether a state file is in `folder` after the change. Of a tree no more is read than leads to the first one.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn has_files(&self, roots: &Roots, excludes: &Excludes, folder: &BStr) -> Result<bool, GitError> {
        let Now::Tree(tree) = &self.now else {
            return Ok(!self.files(roots, excludes, Some(folder))?.is_empty());
        };
        let is_state = |path: &BStr| locate(roots, path, false).is_some() && !excludes.matches(path);
        self.git.read(|repository| {
            let Some(Blob { id, kind: EntryKind::Tree }) = find_in_tree(repository, *tree, folder)? else {
                return Ok(false);
            };
            let visited =
                walk(repository, id, folder.into(), &mut |path, blob| match blob.is_file() && is_state(path) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })?;
            Ok(visited.is_break())
        })
    }
}

/// `paths` of the command line relative to the root of `repository`; nothing on disk need be there. Everything where none
/// is given.
///
/// # Errors
/// When one lies outside.
pub fn wanted(repository: &Repository, paths: &[PathBuf]) -> Result<Vec<BString>, SelectError> {
    match paths {
        [] => Ok(vec![BString::default()]),
        paths => paths.iter().map(|path| inside(repository, Path::new(path))).collect(),
    }
}

/// The state root and the kind of a file; `None` where no rule reads it.
fn locate(roots: &Roots, path: &BStr, named: bool) -> Option<(BString, &'static FileKind)> {
    let found = if named { roots.locate_named(path) } else { roots.locate(path)? };
    found.kind.map(|kind| (found.root, kind))
}

/// The state roots on disk beside the ignore file at `path`, which decides about them.
fn roots_beside(repository: &Repository, roots: &Roots, path: &BStr) -> Vec<BString> {
    let folder = path.strip_suffix(b".gitignore").unwrap_or_default();
    let names = roots.globs().iter().map(|glob| glob.trim_start_matches("**/"));
    let plain = names.filter(|name| !name.contains(['*', '?', '[', '{']));
    let paths = plain.map(|name| BString::from([folder, name.as_bytes()].concat()));
    paths.filter(|path| path.to_path().is_ok_and(|path| repository.root.join(path).is_dir())).collect()
}

/// The entry at `path` below the tree `id`; for the empty path the tree itself.
pub(super) fn find_in_tree(repository: &gix::Repository, id: ObjectId, path: &BStr) -> Result<Option<Blob>, GitError> {
    let mut found = Blob { id, kind: EntryKind::Tree };
    let mut buffer = Vec::new();
    for name in path.split_str("/").filter(|_| !path.is_empty()) {
        if found.kind != EntryKind::Tree {
            return Ok(None);
        }
        find(repository, Kind::Tree, found.id, path, &mut buffer)?;
        let mut entries = TreeRefIter::from_bytes(&buffer, repository.object_hash());
        let is_wanted = |entry: &Result<EntryRef<'_>, _>| entry.as_ref().map_or(true, |entry| entry.filename == name);
        let Some(entry) = entries.find(is_wanted) else { return Ok(None) };
        let entry = entry.map_err(|error| object_error(repository, Kind::Tree, found.id, path, Box::new(error)))?;
        found = Blob { id: entry.oid.to_owned(), kind: entry.mode.kind() };
    }
    Ok(Some(found))
}

/// Visits the files of the tree `id`, which is at `path`, folder by folder, until `visit` has seen enough.
pub(super) fn walk(
    repository: &gix::Repository,
    id: ObjectId,
    path: BString,
    visit: &mut impl FnMut(&BStr, Blob) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, GitError> {
    let mut open = vec![(path, id)];
    let (mut buffer, mut path) = (Vec::new(), BString::default());
    while let Some((folder, id)) = open.pop() {
        find(repository, Kind::Tree, id, folder.as_bstr(), &mut buffer)?;
        path.clone_from(&folder);
        if !path.is_empty() {
            path.push(b'/');
        }
        let before = path.len();
        for entry in TreeRefIter::from_bytes(&buffer, repository.object_hash()) {
            let entry =
                entry.map_err(|error| object_error(repository, Kind::Tree, id, folder.as_bstr(), Box::new(error)))?;
            path.truncate(before);
            path.extend_from_slice(entry.filename);
            match entry.mode.kind() {
                EntryKind::Tree => open.push((path.clone(), entry.oid.to_owned())),
                kind => {
                    if visit(path.as_bstr(), Blob { id: entry.oid.to_owned(), kind }).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}
