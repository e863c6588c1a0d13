//! One file that a run reads.

use bstr::{BStr, BString, ByteSlice};

use crate::dialects::FileKind;
use crate::fs::path::inner_path;

/// Where the bytes of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// In the work tree.
    Disk,
    /// In the object database.
    Blob(gix::ObjectId),
    /// Nowhere: the index holds several versions.
    Unmerged,
    /// In git is a symbolic link, which is not followed.
    Link,
}

/// What a file was before the change that is examined.
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
    /// Its kind.
    pub kind: &'static FileKind,
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
    pub fn on_disk(path: BString, root: BString, kind: &'static FileKind, checked: bool, named: bool) -> Self {
        Self { path, root, kind, checked, named, origin: Origin::Disk, earlier: Earlier::Unknown }
    }

    /// The path inside its state root.
    pub fn inner_path(&self) -> &BStr {
        inner_path(self.path.as_bstr(), self.root.as_bstr())
    }
}
