//! All files that git tracks.

use bstr::{BStr, ByteSlice};

use super::learning_team::folder_of;
use super::{Gather, Run};
use crate::git::index::Index;
use crate::select::input::Mode;
use crate::select::paths::Paths;

/// Where all tracked files are listed.
#[derive(Debug)]
pub enum TrackedFiles {
    /// Nowhere: without git, and where only names are checked.
    Unknown,
    /// In the index, as they are.
    Index,
    /// Here.
    Paths(Paths),
}

/// In the work tree and for staged changes those in the index, else those after the change.
pub type Fact = TrackedFiles;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let paths = match run.input.mode {
            Mode::WorkTree => match run.index() {
                Some(index) if index.is_plain() => return Self::Index,
                Some(index) => run.git(|git| Paths::in_index(git, index)),
                None => None,
            },
            Mode::Change(changes) => run.git(|git| Paths::after(changes, git)),
            Mode::Revision(revision) => run.git(|git| Paths::in_tree(git, revision.tree)),
            Mode::Tree(_) | Mode::Push(_) => None,
        };
        paths.map_or(Self::Unknown, Self::Paths)
    }
}

/// All tracked files, in order. `None` without git, and where only names are checked.
pub fn all<'r>(run: &'r Run<'_>) -> Option<impl Iterator<Item = &'r BStr> + use<'r>> {
    let (index, paths) = match run.tracked_files() {
        TrackedFiles::Unknown => return None,
        TrackedFiles::Index => (run.index().as_ref(), None),
        TrackedFiles::Paths(paths) => (None, Some(paths)),
    };
    Some(index.into_iter().flat_map(Index::paths).chain(paths.into_iter().flat_map(Paths::iter)))
}

/// The tracked files in the folder of the team whose manifest is at `path`, relative to that folder.
pub fn of_team<'r>(run: &'r Run<'_>, path: &BStr) -> impl Iterator<Item = &'r BStr> + use<'r> {
    let folder = folder_of(path);
    // Not an empty text: to compare no bytes at the address of an empty vector can take longer than to compare many.
    let inside = (!folder.is_empty()).then(|| [folder.as_bytes(), b"/"].concat());
    let files = all(run).into_iter().flatten();
    files.filter_map(move |file| match &inside {
        Some(inside) => file.strip_prefix(inside.as_slice()).map(BStr::new),
        None => Some(file),
    })
}
