//! The files of a team in the tree of a revision.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::changes::{find_in_tree, walk};
use super::link::leads_nowhere;
use super::state_branch::{self, Layout};
use super::tracked::{self, StatePaths};
use super::worktree::Selection;
use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::repository::{Git, commit_of};
use crate::layout::exclude::Excludes;
use crate::layout::roots::{Location, Roots};
use crate::select::read_error::ReadError;
use crate::select::selected::{Earlier, Origin, Selected};

/// A revision whose files are checked as they are in its tree.
#[derive(Debug)]
pub struct Revision {
    /// Its name, such as `squad-state` or `HEAD~1`.
    pub name: String,
    /// Its tree.
    pub tree: ObjectId,
    /// The branch that it names; `None` for a tag, a commit, or an earlier state of a branch.
    pub branch: Option<BString>,
    /// Where its state is.
    pub layout: Layout,
    /// Whether it has the name of the state branch.
    pub is_named: bool,
    /// What the user ought to know of its layout.
    pub note: Option<String>,
    git: Git,
    ignore_files: OnceLock<BTreeMap<BString, Blob>>,
    tracked: OnceLock<StatePaths>,
}

impl Revision {
    /// The revision `name`; `state_branch` is the name of the branch that is made for state.
    ///
    /// # Errors
    /// When there is no such revision, or its tree cannot be read.
    pub fn open(git: &Git, name: &str, state_branch: &str) -> Result<Self, GitError> {
        let tree = git.read(|repository| commit_of(repository, name, true))?.tree;
        let is_named = state_branch::names(git, name, state_branch);
        let layout = state_branch::layout_of(git, tree, is_named)?;
        let note = match layout {
            Layout::Folders if is_named => Some(state_branch::prefix_note(&format!("`{name}`"))),
            Layout::Top if state_branch::has_folder(git, tree)? => Some(state_branch::stray_note(&format!("`{name}`"))),
            _ => None,
        };
        Ok(Self {
            name: name.to_owned(),
            tree,
            branch: git.branch_named(name),
            layout,
            is_named,
            note,
            git: git.clone(),
            ignore_files: OnceLock::new(),
            tracked: OnceLock::new(),
        })
    }

    /// The files in state roots, and the manifests of teams.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn select(&self, roots: &Roots, excludes: &Excludes) -> Result<Selection, GitError> {
        let mut selection = Selection::everything();
        let (mut files, mut ignore_files, mut tracked) = (Vec::new(), BTreeMap::new(), tracked::gatherer(roots));
        let visit = &mut |path: &BStr, blob: Blob| {
            tracked.add(path, tracked::Kind::of(blob));
            if is_ignore_file(path, blob) {
                ignore_files.insert(path.to_owned(), blob);
            }
            let Some(Location { root, kind: Some(kind) }) = roots.locate(path) else {
                return ControlFlow::Continue(());
            };
            let (origin, checked) = match blob.kind {
                _ if blob.is_file() => (Origin::Blob(blob.id), true),
                EntryKind::Link => (Origin::Link, self.is_broken_link(path, blob.id)),
                _ => (Origin::Link, false),
            };
            if !checked {
                selection.notes.push(format!("{path}: a link or a submodule; not followed"));
            }
            if excludes.matches(path) {
                selection.excluded += usize::from(checked);
            } else if checked || blob.kind == EntryKind::Link {
                let earlier = Earlier::Unknown;
                files.push(Selected { path: path.into(), root, kind, checked, named: false, origin, earlier });
            }
            ControlFlow::Continue(())
        };
        self.git.read(|repository| walk(repository, self.tree, BString::default(), visit)).map(drop)?;
        // Who asks for them later need not go through the tree again.
        let _ = self.ignore_files.set(ignore_files);
        let _ = self.tracked.set(tracked.into_paths());
        files.sort();
        selection.files = Arc::new(files);
        Ok(selection)
    }

    /// The state in the tree. `roots` are those of [`Revision::select`].
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn tracked(&self, roots: &Roots) -> Result<StatePaths, GitError> {
        self.tracked.get().map_or_else(|| tracked::in_tree(&self.git, roots, &self.name), |paths| Ok(paths.clone()))
    }

    /// The ignore files in the tree, by their paths.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn ignore_files(&self) -> Result<&BTreeMap<BString, Blob>, GitError> {
        if let Some(files) = self.ignore_files.get() {
            return Ok(files);
        }
        let mut files = BTreeMap::new();
        let visit = &mut |path: &BStr, blob: Blob| {
            if is_ignore_file(path, blob) {
                files.insert(path.to_owned(), blob);
            }
            ControlFlow::Continue(())
        };
        self.git.read(|repository| walk(repository, self.tree, BString::default(), visit)).map(drop)?;
        Ok(self.ignore_files.get_or_init(|| files))
    }

    fn is_broken_link(&self, path: &BStr, id: ObjectId) -> bool {
        let find = |path: &BStr| self.git.read(|repository| find_in_tree(repository, self.tree, path));
        leads_nowhere(&self.git, path, id, find).unwrap_or_default()
    }

    /// The paths of the files below `folder`.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn files_below(&self, folder: &BStr) -> Result<Vec<BString>, GitError> {
        self.git.read(|repository| {
            let found = find_in_tree(repository, self.tree, folder)?;
            let Some(tree) = found.filter(|blob| blob.kind == EntryKind::Tree) else { return Ok(Vec::new()) };
            let mut paths = Vec::new();
            let visit = &mut |path: &BStr, blob: Blob| {
                paths.extend(blob.is_file().then(|| path.to_owned()));
                ControlFlow::Continue(())
            };
            walk(repository, tree.id, folder.into(), visit).map(drop)?;
            Ok(paths)
        })
    }

    /// Whether it has a file, a link or a folder at `path`.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn has(&self, path: &BStr) -> Result<bool, GitError> {
        Ok(self.git.read(|repository| find_in_tree(repository, self.tree, path))?.is_some())
    }

    /// The file at `path`, at most `cap` bytes.
    ///
    /// # Errors
    /// When it is not there, too large, missing or damaged.
    pub fn read(&self, path: &BStr, cap: u64) -> Result<Vec<u8>, ReadError> {
        let found = self.git.read(|repository| find_in_tree(repository, self.tree, path)).map_err(ReadError::Git)?;
        match found {
            Some(blob) if blob.is_file() => Ok(self.git.blob(blob.id, path.as_bstr(), cap)?),
            _ => Err(ReadError::Io(std::io::ErrorKind::NotFound.into())),
        }
    }
}

fn is_ignore_file(path: &BStr, blob: Blob) -> bool {
    blob.is_file() && path.rsplit_str("/").next() == Some(b".gitignore")
}
