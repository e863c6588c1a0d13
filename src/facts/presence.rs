//! Whether a referenced file exists for everyone who has the referring file.

use bstr::{BStr, ByteSlice};

use super::Run;
use crate::select::input::Mode;

/// What is known of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Nothing is there.
    Missing,
    /// It is on disk and not in git, though what names it is in git.
    Untracked,
    /// It is there.
    There,
}

/// Whether a file at `path` is there for everybody who has the file `named_in`: on disk, and in git where that is. A
/// change is checked as it leaves things.
pub fn of(run: &Run<'_>, path: &BStr, named_in: &BStr) -> Presence {
    let input = run.input;
    let is_on_disk = || path.to_path().is_ok_and(|path| input.repository.root.join(path).exists());
    match input.mode {
        Mode::Change(changes) => match run.git(|_| changes.find(path)) {
            // A git read that failed ends the run.
            None | Some(Some(_)) => Presence::There,
            Some(None) if changes.is_staged() && is_on_disk() => Presence::Untracked,
            Some(None) => Presence::Missing,
        },
        Mode::Revision(revision) => match run.git(|_| revision.has(path)) {
            None | Some(true) => Presence::There,
            Some(false) => Presence::Missing,
        },
        _ if !is_on_disk() => {
            let is_sparse = run.index().as_ref().is_some_and(|index| index.is_skipped(path));
            if is_sparse { Presence::There } else { Presence::Missing }
        }
        _ => match run.index().as_ref() {
            Some(index) if index.tracks(named_in) && !index.tracks(path) => Presence::Untracked,
            _ => Presence::There,
        },
    }
}
