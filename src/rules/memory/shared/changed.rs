//! The files of governed memory that a change leaves in their places, before it and after it.

use bstr::{BString, ByteSlice};

use crate::dialects::FileKind;
use crate::facts::Run;
use crate::git::change::{Blob, Change};
use crate::select::read_error::ReadError;
use crate::select::selected::Earlier;

/// What reading a file gave; `None` if there is none.
pub type Read = Result<Option<Vec<u8>>, ReadError>;

/// A file that a change touches.
#[derive(Debug)]
pub struct Changed {
    /// Its path.
    pub path: BString,
    /// The state root it is in.
    pub root: BString,
    /// Its text before the change.
    pub before: Read,
    /// Its text after the change.
    pub after: Read,
}

/// Calls `look` with each file of `kind` that the change touches, with texts of at most `cap` bytes. One that gets another name is not
/// among them.
pub fn each(run: &Run<'_>, kind: &'static FileKind, cap: u64, mut look: impl FnMut(Changed)) {
    let Some(changes) = run.changes() else {
        for file in run.input.selection.files.iter().filter(|file| file.checked && file.kind == kind) {
            let (Earlier::Blob(id), Some(git)) = (file.earlier, &run.input.repository.git) else { continue };
            let before = git.blob(id, file.path.as_bstr(), cap).map(Some).map_err(ReadError::from);
            let after = run.input.read_selected(file, cap).map(Some);
            look(Changed { path: file.path.clone(), root: file.root.clone(), before, after });
        }
        return;
    };
    // Taken back, a change adds what it removed.
    if changes.is_reversed {
        return;
    }
    let is_file = |blob: Option<Blob>| blob.is_some_and(Blob::is_file);
    let stays = |change: &&Change| is_file(change.before) && is_file(change.after) && change.old_path() == change.path;
    for change in changes.list().iter().filter(stays) {
        let path = change.path.as_bstr();
        let location = run.input.roots.locate(path).filter(|it| it.kind == Some(kind));
        if let Some(location) = location.filter(|_| !run.input.excludes.matches(path)) {
            let (before, after) = (changes.before(change, cap), changes.after(change, cap));
            look(Changed { path: path.into(), root: location.root, before, after });
        }
    }
}
