//! All files that git tracks, whatever they are: for who asks which files there are, and not what is in them.

use std::ops::ControlFlow;

use bstr::BStr;
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::changes::{Changes, walk};
use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::index::Index;
use crate::git::repository::Git;

/// The paths of all tracked files, in order, each once. A submodule is a folder, with `/` at its end: of the files in it the
/// repository knows nothing.
#[derive(Debug, Default)]
pub struct Paths {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Paths {
    /// The files after a change.
    ///
    /// # Errors
    /// When the index or a tree cannot be read.
    pub fn after(changes: &Changes, git: &Git) -> Result<Self, GitError> {
        changes.tree().map_or_else(|| Self::in_index(git, &Index::of(git)?), |tree| Self::in_tree(git, tree))
    }

    /// The files in the tree `id`.
    ///
    /// # Errors
    /// When it, or a tree in it, is missing.
    pub fn in_tree(git: &Git, id: ObjectId) -> Result<Self, GitError> {
        let mut paths = Self::default();
        paths.add_tree(git, id, BStr::new(""))?;
        Ok(paths.sorted())
    }

    /// The files in the index; those that are only announced (`git add --intent-to-add`) count.
    ///
    /// # Errors
    /// When a tree that a sparse index refers to is missing.
    pub fn in_index(git: &Git, index: &Index) -> Result<Self, GitError> {
        let mut paths = Self::default();
        let mut is_sorted = true;
        for at in 0..index.len() {
            let path = index.path(at);
            // Each version of an unmerged file is an entry.
            if paths.last() == Some(path) {
                continue;
            }
            if index.is_file(at) {
                paths.push(path, EntryKind::Blob);
                continue;
            }
            match index.entry(at).and_then(|entry| entry.blob) {
                // Outside of a sparse checkout a whole folder can be one entry.
                Some(Blob { id, kind: EntryKind::Tree }) => {
                    is_sorted = false;
                    let folder = path.strip_suffix(b"/").unwrap_or(path);
                    paths.add_tree(git, id, BStr::new(folder))?;
                }
                blob => paths.push(path, blob.map_or(EntryKind::Blob, |blob| blob.kind)),
            }
        }
        Ok(if is_sorted { paths } else { paths.sorted() })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The paths.
    pub fn iter(&self) -> impl Iterator<Item = &BStr> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).filter_map(|(start, end)| self.bytes.get(*start..*end).map(BStr::new))
    }

    fn add_tree(&mut self, git: &Git, id: ObjectId, folder: &BStr) -> Result<(), GitError> {
        let mut add = |path: &BStr, blob: Blob| {
            self.push(path, blob.kind);
            ControlFlow::Continue(())
        };
        git.read(|repository| walk(repository, id, folder.to_owned(), &mut add).map(drop))
    }

    fn last(&self) -> Option<&BStr> {
        let start = self.ends.iter().rev().nth(1).copied().unwrap_or_default();
        self.ends.last().and_then(|end| self.bytes.get(start..*end)).map(BStr::new)
    }

    fn push(&mut self, path: &BStr, kind: EntryKind) {
        self.bytes.extend_from_slice(path);
        if kind == EntryKind::Commit {
            self.bytes.push(b'/');
        }
        self.ends.push(self.bytes.len());
    }

    fn sorted(&self) -> Self {
        let mut paths: Vec<&BStr> = self.iter().collect();
        paths.sort_unstable();
        let mut sorted = Self::default();
        for path in paths {
            sorted.push(path, EntryKind::Blob);
        }
        sorted
    }
}
