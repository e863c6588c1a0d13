//! All files that git tracks.

use bstr::{BStr, ByteSlice};

use super::learning_team::folder_of;
use super::{Gather, Run};
use crate::select::input::Mode;
use crate::select::paths::Paths;

/// In the work tree and for staged changes those in the index, else those after the change. `None` without git, and where only
/// names are checked.
pub type Fact = Option<Paths>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        match run.input.mode {
            Mode::WorkTree => {
                let index = run.index().as_ref()?;
                run.git(|git| Paths::in_index(git, index))
            }
            Mode::Change(changes) => run.git(|git| Paths::after(changes, git)),
            Mode::Tree(_) | Mode::Push(_) => None,
        }
    }
}

/// The tracked files in the folder of the team whose manifest is at `path`, relative to that folder.
pub fn of_team<'r>(run: &'r Run<'_>, path: &BStr) -> impl Iterator<Item = &'r BStr> + use<'r> {
    let folder = folder_of(path);
    let inside = if folder.is_empty() { Vec::new() } else { [folder.as_bytes(), b"/"].concat() };
    let files = run.tracked_files().iter().flat_map(Paths::iter);
    files.filter_map(move |file| file.strip_prefix(inside.as_slice()).map(BStr::new))
}
