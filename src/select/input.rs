//! What a run looks at.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;

use bstr::{BStr, BString, ByteSlice};

use super::changes::Changes;
use super::repository::Repository;
use super::revision::Revision;
use super::selected::{Origin, Selected};
use super::worktree::Selection;
use crate::fs::path::below;
use crate::fs::read;
use crate::git::push::Push;
use crate::layout::exclude::Excludes;
use crate::layout::roots::Roots;
use crate::select::read_error::ReadError;

/// Bytes that replace those of a file, by its path: fixes that are not written yet.
pub type Overlay = BTreeMap<BString, Vec<u8>>;

/// Whether fixes delete the file at `path`, if they leave `bytes` in it: agents look for a lock by its name, so an empty file is a lock.
pub fn is_gone(path: &[u8], bytes: &[u8]) -> bool {
    bytes.is_empty() && path.ends_with(b".lock")
}

/// The files to check.
#[derive(Clone, Copy, Debug)]
pub enum Mode<'a> {
    /// The index and the work tree.
    WorkTree,
    /// What a change touches.
    Change(&'a Changes),
    /// The files in the tree of a revision.
    Revision(&'a Revision),
    /// The names of the files in the tree of this revision.
    Tree(&'a str),
    /// What a push brings to other branches.
    Push(&'a [Push]),
}

/// What a run looks at.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Where the files are.
    pub repository: &'a Repository,
    /// Where state is kept.
    pub roots: &'a Roots,
    /// What is left out.
    pub excludes: &'a Excludes,
    /// The files to read, and what was seen on the way to them.
    pub selection: &'a Selection,
    /// What is read in the place of files.
    pub overlay: &'a Overlay,
    /// The files to check.
    pub mode: Mode<'a>,
}

impl Input<'_> {
    /// The bytes of the file at `path`, at most `cap` of them: on disk, or as a change leaves it.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read(self, path: &BStr, cap: u64) -> Result<Vec<u8>, ReadError> {
        match (self.overlay.get(path), self.mode, path.to_path()) {
            (Some(bytes), _, _) => Ok(bytes.clone()),
            (None, Mode::Change(changes), _) if !path.starts_with(b".git/") => changes.read(path, cap),
            (None, Mode::Revision(revision), _) if !path.starts_with(b".git/") => revision.read(path, cap),
            // Git's own folder is not in any commit, so a link there is the user's.
            (None, _, Ok(inner)) if path.starts_with(b".git/") => {
                Ok(read::read(&self.repository.root.join(inner), cap)?)
            }
            (None, _, Ok(inner)) => {
                Ok(read::read_inside(&self.repository.root, &self.repository.root.join(inner), cap)?)
            }
            (None, _, Err(_)) => Err(ReadError::Io(std::io::ErrorKind::InvalidFilename.into())),
        }
    }

    /// The bytes of a file on disk to which no folder on the way is a link.
    fn read_found(self, path: &BStr, cap: u64) -> Result<Vec<u8>, ReadError> {
        match (self.mode, path.to_path()) {
            (Mode::Change(_) | Mode::Revision(_), _) | (_, Err(_)) => self.read(path, cap),
            (_, Ok(inner)) => {
                let full = below(&self.repository.root, inner);
                read::read_unlinked(&full, cap)?.map_or_else(|| self.read(path, cap), Ok)
            }
        }
    }

    /// What `look` makes of a selected file on disk that has at least `least` bytes and at most `cap`; `None` where it is better read
    /// as a whole.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn look<T>(
        self,
        file: &Selected,
        least: u64,
        cap: u64,
        look: impl FnOnce(&File) -> io::Result<Option<T>>,
    ) -> Result<Option<T>, ReadError> {
        let is_on_disk = matches!(file.origin, Origin::Disk) && matches!(self.mode, Mode::WorkTree);
        match file.path.to_path() {
            Ok(inner) if is_on_disk && !self.overlay.contains_key(&file.path) => {
                Ok(read::look(&self.repository.root.join(inner), least, cap, look)?)
            }
            _ => Ok(None),
        }
    }

    /// Sorts `files`, each with any other value, into the order in which they are read fastest.
    pub fn sort_for_reading<T>(self, files: &mut [(T, &Selected)]) {
        let is_blob = |(_, file): &(T, &Selected)| matches!(file.origin, Origin::Blob(_));
        // With a few, the indices of the packs cost more than they save.
        if let Some(git) =
            self.repository.git.as_ref().filter(|_| files.iter().filter(|file| is_blob(file)).count() > 32)
        {
            git.sort_as_packed(files, |(_, file)| match file.origin {
                Origin::Blob(id) => Some(id),
                _ => None,
            });
        }
    }

    /// The bytes of a selected file, at most `cap` of them.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read_selected(self, file: &Selected, cap: u64) -> Result<Vec<u8>, ReadError> {
        match (file.origin, &self.repository.git) {
            _ if self.overlay.contains_key(&file.path) => self.read(file.path.as_bstr(), cap),
            (Origin::Blob(id), Some(git)) => Ok(git.blob(id, file.path.as_bstr(), cap)?),
            (Origin::Unmerged, _) => Err(ReadError::Unmerged),
            (Origin::Link, _) => Err(ReadError::Io(io::ErrorKind::NotFound.into())),
            _ => self.read_found(file.path.as_bstr(), cap),
        }
    }
}
