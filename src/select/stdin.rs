//! One file whose bytes come from standard input, as editors and agents hand over what is not saved yet.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use super::repository::Repository;
use super::worktree::{self, SelectError, Selection};
use crate::fs::path::to_bytes;
use crate::layout::exclude::Excludes;
use crate::layout::roots::{Location, Roots};
use crate::select::selected::Selected;

/// Selects the file at `name`, which need not be there, to be checked; the state files of the repository are read for what
/// they tell about it. Gives its path, relative to the root.
///
/// # Errors
/// When `name` lies outside the repository, or the repository cannot be walked.
pub fn select(
    repository: &Repository,
    roots: &Roots,
    excludes: &Excludes,
    name: &Path,
) -> Result<(Selection, BString), SelectError> {
    let path = inside(repository, name)?;
    let mut selection = worktree::select(repository, roots, excludes, &[])?;
    // The repository as a whole is not asked about.
    selection.folders.clear();
    selection.excluded = 0;
    let files = Arc::make_mut(&mut selection.files);
    for file in &mut *files {
        file.checked = false;
    }
    files.retain(|file| file.path != path);
    let Location { root, kind } = roots.locate_named(path.as_bstr());
    if excludes.matches(path.as_bstr()) {
        selection.excluded = 1;
    } else if let Some(kind) = kind {
        files.push(Selected::on_disk(path.clone(), root, kind, true, true));
        files.sort();
    } else {
        selection.notes.push(format!("{}: no rule reads such a file", name.display()));
    }
    Ok((selection, path))
}

/// `name` relative to the root. The folders of it that exist decide where it lies.
///
/// # Errors
/// When it lies outside.
pub fn inside(repository: &Repository, name: &Path) -> Result<BString, SelectError> {
    let unreachable = |source| SelectError::Path { path: name.into(), source };
    let full = std::path::absolute(name).map_err(unreachable)?;
    let there = full.ancestors().skip(1).find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    let (folder, canonical) = there.unwrap_or((Path::new(""), PathBuf::new()));
    let full = canonical.join(full.strip_prefix(folder).unwrap_or(&full));
    match full.strip_prefix(&repository.root) {
        Ok(inner) => Ok(to_bytes(inner)),
        Err(_) => Err(SelectError::Outside { path: name.into(), root: repository.root.clone() }),
    }
}
