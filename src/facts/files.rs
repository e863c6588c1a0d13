//! Which state files the repository has.

use bstr::{BStr, ByteSlice};

use super::Run;
use crate::fs::path::is_in;
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

/// Whether a state file is in `folder`. After a change only what is in the folder is checked: a hook asks.
pub fn any_in(run: &Run<'_>, folder: &BStr) -> bool {
    if let Some(changes) = run.changes() {
        let files = run.git(|_| changes.files(run.input.roots, run.input.excludes, Some(folder)));
        return files.is_some_and(|files| !files.is_empty());
    }
    let files = &run.input.selection.files;
    let at = files.partition_point(|file| file.path.as_bstr() <= folder);
    let after = files.get(at..).unwrap_or_default().iter();
    after.take_while(|file| file.path.starts_with(folder)).any(|file| is_in(file.path.as_bstr(), folder))
}
