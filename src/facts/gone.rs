//! The files that a change takes from a state root in which others stay.

use bstr::{BStr, BString, ByteSlice};

use super::lost::is_only_untracked;
use super::{Run, files, state_branch};
use crate::dialects::FileKind;
use crate::fs::path::inner_path;
use crate::git::change::Change;
use crate::select::changes::Changes;

/// A file that the change deletes, or gives another name.
#[derive(Debug)]
pub struct Gone<'a> {
    /// What becomes of it.
    pub change: &'a Change,
    /// All of the change.
    pub changes: &'a Changes,
    /// The state root that it was in.
    pub root: BString,
    /// What it was.
    pub kind: &'static FileKind,
}

impl Gone<'_> {
    /// Its path in the state root.
    pub fn inner(&self) -> &BStr {
        inner_path(self.change.old_path(), self.root.as_bstr())
    }
}

/// The files of these `kinds` that the change takes away. Not one that only leaves git, nor one that is in another state root or on the
/// state branch after it.
pub fn of<'a>(run: &Run<'a>, kinds: &[&'static FileKind]) -> Vec<Gone<'a>> {
    let Some(changes) = run.changes() else { return Vec::new() };
    let gone_by = |change: &'a Change| {
        let path = change.old_path();
        if change.before.is_none() || change.after.is_some() && change.path == path {
            return None;
        }
        let location = run.input.roots.locate(path)?;
        let kind = location.kind.filter(|kind| kinds.contains(kind))?;
        let gone = Gone { change, changes, root: location.root, kind };
        let root = gone.root.as_bstr();
        let is_elsewhere = || is_moved(&gone, run) || is_on_branch(&gone, run);
        let is_left = || run.input.excludes.matches(path) || is_only_untracked(run, path, changes);
        let stays = || files::in_folder(run, root).iter().any(|file| file.path != change.path);
        (!is_left() && !is_elsewhere() && stays()).then_some(gone)
    };
    changes.list().iter().filter_map(gone_by).collect()
}

/// Whether the file has the same place in another state root.
fn is_moved(gone: &Gone<'_>, run: &Run<'_>) -> bool {
    let path = gone.change.path.as_bstr();
    let to = run.input.roots.locate(path).filter(|to| gone.change.after.is_some() && to.root != gone.root);
    to.is_some_and(|to| inner_path(path, to.root.as_bstr()) == gone.inner())
}

/// Whether the team keeps its state on a branch, which has the file.
fn is_on_branch(gone: &Gone<'_>, run: &Run<'_>) -> bool {
    let branch = || run.state_branch().as_ref();
    state_branch::holds(run, gone.root.as_bstr())
        && branch().is_some_and(|branch| run.git(|_| branch.has(gone.inner())).unwrap_or_default())
}
