//! Whether a file that a text names is there, for all who read the text.

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};

use super::Facts;
use crate::select::input::Mode;

/// What is known of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Nothing stands there.
    Missing,
    /// It is on disk and not in git, though what names it is in git.
    Untracked,
    /// It is there.
    There,
}

impl Facts<'_> {
    /// Whether a file at `path` is there for everybody who has the file `named_in`: on disk, and in git where that is. A
    /// change is looked at as it leaves things. Without a repository everything is there: nothing is known.
    pub fn presence(&self, path: &BStr, named_in: &BStr) -> Presence {
        let Some(guard) = &self.guard else { return Presence::There };
        let input = guard.input();
        let is_on_disk = || path.to_path().is_ok_and(|path| input.repository.root.join(path).exists());
        match input.mode {
            Mode::Change(changes) => match guard.read(|_| changes.find(path)) {
                // A git read that failed ends the run.
                None | Some(Some(_)) => Presence::There,
                Some(None) if changes.is_staged() && is_on_disk() => Presence::Untracked,
                Some(None) => Presence::Missing,
            },
            _ if !is_on_disk() => {
                let is_sparse = guard.index().is_some_and(|index| index.is_skipped(path));
                if is_sparse { Presence::There } else { Presence::Missing }
            }
            _ => match guard.index() {
                Some(index) if index.tracks(named_in) && !index.tracks(path) => Presence::Untracked,
                _ => Presence::There,
            },
        }
    }

    /// Whether the state root at `root` has a file of that name in some folder.
    pub fn has_name(&self, root: &BStr, name: &BStr) -> bool {
        let names = self.names.get_or_init(|| {
            let name = |path: &BString| BString::from(path.rsplit_str("/").next().unwrap_or_default());
            let files = match (self.changes(), &self.guard) {
                (Some(changes), Some(guard)) => {
                    let input = guard.input();
                    guard.read(|_| changes.files(input.roots, input.excludes, None)).unwrap_or_default()
                }
                _ => self.files.to_vec(),
            };
            files.into_iter().map(|file| (name(&file.path), file.root)).collect::<HashSet<_>>()
        });
        names.contains(&(name.into(), root.into()))
    }
}
