//! Which state files the repository has.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::Run;
use crate::git::change::Blob;
use crate::select::selected::Selected;

/// All state files of the repository, whether they are to be checked or not, in the order of their paths.
pub fn all<'r>(run: &'r Run<'_>) -> &'r [Selected] {
    if run.changes().is_some() { &run.listed().0 } else { &run.input.selection.files }
}

/// Whether the repository has the state file at `path`.
pub fn has(run: &Run<'_>, path: &BStr) -> bool {
    match run.changes() {
        Some(changes) => run.git(|_| changes.find(path)).flatten().is_some_and(Blob::is_file),
        None => run.input.selection.files.binary_search_by(|file| file.path.as_bstr().cmp(path)).is_ok(),
    }
}

/// Whether a state file is in `folder`.
pub fn any_in(run: &Run<'_>, folder: &BStr) -> bool {
    match run.changes() {
        Some(changes) => {
            run.git(|_| changes.has_files(run.input.roots, run.input.excludes, folder)).unwrap_or_default()
        }
        None => !in_folder(run, folder).is_empty(),
    }
}

/// The state files in `folder`, in the order of their paths. After a change only what is in the folder is read: a hook
/// asks.
pub fn in_folder<'r>(run: &'r Run<'_>, folder: &BStr) -> Cow<'r, [Selected]> {
    if let Some(changes) = run.changes() {
        let files = run.git(|_| changes.files(run.input.roots, run.input.excludes, Some(folder)));
        return files.unwrap_or_default().into();
    }
    let files = &run.input.selection.files;
    if folder.is_empty() {
        return files.as_slice().into();
    }
    let inside = [folder.as_bytes(), b"/"].concat();
    let start = files.partition_point(|file| file.path.as_slice() < inside.as_slice());
    let rest = files.get(start..).unwrap_or_default();
    rest.get(..rest.partition_point(|file| file.path.starts_with(&inside))).unwrap_or_default().into()
}
