//! The names of all state files.

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};

use super::{Gather, Run, files};

/// The names, each with the state root that has a file of that name in some folder.
#[derive(Debug)]
pub struct FileNames(HashSet<(BString, BString)>);

/// See [`FileNames`].
pub type Fact = FileNames;

impl Gather for FileNames {
    fn gather(run: &Run<'_>) -> Self {
        let name = |path: &BString| BString::from(path.rsplit_str("/").next().unwrap_or_default());
        Self(files::all(run).iter().map(|file| (name(&file.path), file.root.clone())).collect())
    }
}

impl FileNames {
    /// Whether the state root at `root` has a file of that name in some folder.
    pub fn has(&self, root: &BStr, name: &BStr) -> bool {
        self.0.contains(&(name.into(), root.into()))
    }
}
