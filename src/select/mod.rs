//! Which files are read, and what part each of them plays.

pub mod attributes;
pub mod change;
mod compare;
pub mod exclude;
pub mod git;
pub mod ignored;
pub mod index;
pub mod lines;
pub mod push;
pub mod range;
pub mod read;
pub mod repository;
pub mod role;
pub mod staged;
pub mod stdin;
pub mod tracked;
pub mod untrack;
pub mod workflow;
pub mod worktree;

use std::collections::BTreeMap;
use std::path::{Component, Path};

use bstr::{BStr, BString, ByteSlice};

use exclude::Excludes;
use read::Unread;
use repository::Repository;
pub use role::{Role, Roots};
use worktree::Selection;

/// Bytes that stand for those of a file, by its path: fixes that are not written yet.
pub type Overlay = BTreeMap<BString, Vec<u8>>;

/// Whose state the guard looks at.
#[derive(Clone, Copy, Debug)]
pub enum Mode<'a> {
    /// The index and the work tree.
    WorkTree,
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
    /// Whose state the guard looks at.
    pub mode: Mode<'a>,
}

impl Input<'_> {
    /// The bytes of the file at `path`, at most `cap` of them.
    ///
    /// # Errors
    /// See [`read::read`].
    pub fn read(self, path: &BStr, cap: u64) -> Result<Vec<u8>, Unread> {
        match (self.overlay.get(path), path.to_path()) {
            (Some(bytes), _) => Ok(bytes.clone()),
            (None, Ok(path)) => read::read(&self.repository.root.join(path), cap),
            (None, Err(_)) => Err(Unread::Io(std::io::ErrorKind::InvalidFilename.into())),
        }
    }
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
}

impl Selected {
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
