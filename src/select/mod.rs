//! Which files are read, and what part each of them plays.

pub mod attributes;
pub mod blame;
pub mod change;
pub mod changes;
mod compare;
pub mod exclude;
pub mod git;
pub mod history;
pub mod hooks;
pub mod ignored;
pub mod index;
pub mod lines;
pub mod listed;
mod open;
pub mod paths;
pub mod push;
pub mod range;
pub mod read;
pub mod repository;
pub mod restage;
pub mod rewrite;
pub mod role;
mod similar;
pub mod staged;
pub mod stdin;
pub mod tracked;
pub mod untrack;
pub mod workflow;
pub mod worktree;

use std::collections::BTreeMap;
use std::path::{Component, Path};

use bstr::{BStr, BString, ByteSlice};

use changes::Changes;
use exclude::Excludes;
use read::Unread;
use repository::Repository;
pub use role::{Role, Roots};
use worktree::Selection;

/// Bytes that stand for those of a file, by its path: fixes that are not written yet.
pub type Overlay = BTreeMap<BString, Vec<u8>>;

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub enum Mode<'a> {
    /// The index and the work tree.
    WorkTree,
    /// What a change touches.
    Change(&'a Changes),
    /// The tree of this revision.
    Tree(&'a str),
    /// What a push brings to other branches.
    Push(&'a [push::Push]),
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
    /// What is looked at.
    pub mode: Mode<'a>,
}

impl Input<'_> {
    /// The bytes of the file at `path`, at most `cap` of them: on disk, or as a change leaves it.
    ///
    /// # Errors
    /// See [`Unread`].
    pub fn read(self, path: &BStr, cap: u64) -> Result<Vec<u8>, Unread> {
        match (self.overlay.get(path), self.mode, path.to_path()) {
            (Some(bytes), _, _) => Ok(bytes.clone()),
            (None, Mode::Change(changes), _) if !path.starts_with(b".git/") => changes.read(path, cap),
            // Where git keeps its own, no commit puts a link.
            (None, _, Ok(inner)) if path.starts_with(b".git/") => read::read(&self.repository.root.join(inner), cap),
            (None, _, Ok(path)) => read::read_inside(&self.repository.root, &self.repository.root.join(path), cap),
            (None, _, Err(_)) => Err(Unread::Io(std::io::ErrorKind::InvalidFilename.into())),
        }
    }

    /// The bytes of a file on disk to which no folder on the way is a link.
    fn read_found(self, path: &BStr, cap: u64) -> Result<Vec<u8>, Unread> {
        match (self.mode, path.to_path()) {
            (Mode::Change(_), _) | (_, Err(_)) => self.read(path, cap),
            (_, Ok(inner)) => {
                let full = self.repository.root.join(inner);
                if full.is_symlink() { self.read(path, cap) } else { read::read(&full, cap) }
            }
        }
    }

    /// The bytes of a selected file, at most `cap` of them.
    ///
    /// # Errors
    /// See [`Unread`].
    pub fn read_selected(self, file: &Selected, cap: u64) -> Result<Vec<u8>, Unread> {
        match (file.origin, &self.repository.git) {
            _ if self.overlay.contains_key(&file.path) => self.read(file.path.as_bstr(), cap),
            (Origin::Blob(id), Some(git)) => git.blob(id, file.path.as_bstr(), cap),
            (Origin::Unmerged, _) => Err(Unread::Unmerged),
            _ => self.read_found(file.path.as_bstr(), cap),
        }
    }
}

/// Where the bytes of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// In the work tree.
    Disk,
    /// In the object database.
    Blob(gix::ObjectId),
    /// Nowhere: the index holds several versions.
    Unmerged,
}

/// What a file was before the change that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Earlier {
    /// It does not matter: the file is judged as it is.
    Unknown,
    /// It was not there.
    Nothing,
    /// This blob.
    Blob(gix::ObjectId),
}

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selected {
    /// The path, relative to the repository's root, `/` between its parts.
    pub path: BString,
    /// The state root it lies in, relative to the repository's root; empty when it lies in none.
    pub root: BString,
    /// Its part in the team's memory.
    pub role: Role,
    /// Whether findings in it are reported. Others are read for what they tell about the repository.
    pub checked: bool,
    /// Whether it was named on the command line, itself and not by a folder.
    pub named: bool,
    /// Where its bytes are.
    pub origin: Origin,
    /// What it was before.
    pub earlier: Earlier,
}

impl Selected {
    /// A file of the work tree.
    pub fn on_disk(path: BString, root: BString, role: Role, checked: bool, named: bool) -> Self {
        Self { path, root, role, checked, named, origin: Origin::Disk, earlier: Earlier::Unknown }
    }

    /// The path inside its state root.
    pub fn inner_path(&self) -> &BStr {
        inner_path(self.path.as_bstr(), self.root.as_bstr())
    }
}

/// `path` inside the state root at `root`.
pub fn inner_path<'a>(path: &'a BStr, root: &BStr) -> &'a BStr {
    let rest = if root.is_empty() { Some(path.as_bytes()) } else { path.strip_prefix(root.as_bytes()) };
    let rest = rest.unwrap_or(path);
    rest.strip_prefix(b"/").unwrap_or(rest).as_bstr()
}

/// Whether `path` lies in `folder`; all paths lie in the empty one.
pub fn is_in(path: &BStr, folder: &BStr) -> bool {
    folder.is_empty() || path.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
}

/// A relative path as git writes it: bytes, `/` between its parts.
pub(crate) fn to_bytes(path: &Path) -> BString {
    let mut bytes = Vec::new();
    for part in path.components() {
        if let Component::Normal(part) = part {
            if !bytes.is_empty() {
                bytes.push(b'/');
            }
            bytes.extend_from_slice(part.as_encoded_bytes());
        }
    }
    bytes.into()
}
