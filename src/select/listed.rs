//! The files of the working tree that a hook manager lists, all of git's (`--all-files`) or some (`--files`).

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::changes::wanted;
use super::repository::Repository;
use super::worktree::{self, SelectError, Selection};
use crate::layout::exclude::Excludes;
use crate::layout::roots::{Location, Roots};
use crate::select::selected::Selected;

/// Selects the files at `names` to be checked, and the state roots that they lie in; without names the whole repository. Other
/// than a path that a person gives, a name may be a link that leads nowhere, and what cannot be read is a finding.
///
/// # Errors
/// When a name lies outside the repository, or the repository cannot be walked.
pub fn select(
    repository: &Repository,
    roots: &Roots,
    excludes: &Excludes,
    names: &[PathBuf],
) -> Result<Selection, SelectError> {
    let mut selection = worktree::select(repository, roots, excludes, &[])?;
    if names.is_empty() {
        return Ok(selection);
    }
    let names: BTreeSet<BString> = wanted(repository, names)?.into_iter().collect();
    let asked: BTreeSet<BString> = names.iter().filter_map(|name| root_of(roots, name.as_bstr())).collect();
    selection.folders = asked.into_iter().collect();
    let files = Arc::make_mut(&mut selection.files);
    for file in &mut *files {
        file.checked = names.contains(&file.path);
    }
    selection.excluded = 0;
    for path in names {
        let Err(at) = files.binary_search_by(|file| file.path.cmp(&path)) else { continue };
        // Not on the way through the state roots: it lies in none, or its name is spelled in another way.
        let Location { root, kind } = roots.locate_named(path.as_bstr());
        if excludes.matches(path.as_bstr()) {
            selection.excluded += 1;
        } else if let Some(kind) = kind {
            let named = root.is_empty();
            files.insert(at, Selected::on_disk(path, root, kind, true, named));
        }
    }
    Ok(selection)
}

/// The state root that `path` lies in, or is, in whatever case git has it.
fn root_of(roots: &Roots, path: &BStr) -> Option<BString> {
    let ends = std::iter::once(path.len()).chain(memchr::memrchr_iter(b'/', path));
    ends.filter_map(|end| path.get(..end)).find(|folder| roots.is_folded_root(folder.as_bstr())).map(BString::from)
}
