//! The files of governed memory that a change leaves in their places, before it and after it.

use bstr::{BString, ByteSlice};
use gix::ObjectId;

use crate::dialects::FileKind;
use crate::facts::Run;
use crate::git::change::{Blob, Change};
use crate::select::read_error::ReadError;
use crate::select::selected::Earlier;

/// What reading a file gave; `None` if there is none.
pub type Read = Result<Option<Vec<u8>>, ReadError>;

/// A file that a change touches.
pub struct Changed<'a> {
    /// Its path.
    pub path: BString,
    /// The state root it is in.
    pub root: BString,
    /// The blob that it was before the change.
    pub id: ObjectId,
    /// Reads that: a long one need not be.
    pub before: &'a dyn Fn() -> Read,
    /// Its text after the change.
    pub after: Read,
}

/// Calls `look` with each file of `kind` that the change touches, with texts of at most `cap` bytes. One that gets another name is not
/// among them.
pub fn each(run: &Run<'_>, kind: &'static FileKind, cap: u64, mut look: impl FnMut(Changed<'_>)) {
    let Some(changes) = run.changes() else {
        for file in run.input.selection.files.iter().filter(|file| file.checked && file.kind == kind) {
            let (Earlier::Blob(id), Some(git)) = (file.earlier, &run.input.repository.git) else { continue };
            let before = &|| git.blob(id, file.path.as_bstr(), cap).map(Some).map_err(ReadError::from);
            let after = run.input.read_selected(file, cap).map(Some);
            look(Changed { path: file.path.clone(), root: file.root.clone(), id, before, after });
        }
        return;
    };
    // Taken back, a change adds what it removed.
    if changes.is_reversed {
        return;
    }
    let is_file = |blob: &Blob| blob.is_file();
    // To find out where a path lies takes time, and most changes are about other files.
    let is_of_memory = |path: &BString| path.contains_str("memory/");
    let stays = |change: &Change| {
        is_of_memory(&change.path) && change.after.as_ref().is_some_and(is_file) && change.old_path() == change.path
    };
    for change in changes.list().iter().filter(|change| stays(change)) {
        let Some(Blob { id, .. }) = change.before.filter(is_file) else { continue };
        let path = change.path.as_bstr();
        let location = run.input.roots.locate(path).filter(|it| it.kind == Some(kind));
        if let Some(location) = location.filter(|_| !run.input.excludes.matches(path)) {
            let (before, after) = (&|| changes.before(change, cap), changes.after(change, cap));
            look(Changed { path: path.into(), root: location.root, id, before, after });
        }
    }
}
