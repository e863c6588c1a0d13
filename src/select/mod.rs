//! Which files are read, and what part each of them plays.

pub mod exclude;
pub mod read;
pub mod repository;
pub mod role;
pub mod stdin;
pub mod worktree;

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use exclude::Excludes;
use read::Unread;
use repository::Repository;
pub use role::{Role, Roots};
use worktree::Selection;

/// Bytes that stand for those of a file, by its path: fixes that are not written yet.
pub type Overlay = BTreeMap<BString, Vec<u8>>;

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
