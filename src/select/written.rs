//! Files that were just written, each compared with what it was in an earlier commit.

use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::changes::find_in_tree;
use super::listed;
use super::repository::Repository;
use super::worktree::{SelectError, Selection};
use crate::fs::path::to_bytes;
use crate::fs::read::leads_out;
use crate::git::repository::{Git, commit_of};
use crate::layout::exclude::Excludes;
use crate::layout::roots::Roots;
use crate::select::selected::Earlier;

/// Selects the files at `names` to be checked where they differ from the commit `since`. Where that cannot be told, the whole
/// file counts. The state files of the repository are read for what they tell about it.
///
/// # Errors
/// When a name lies outside the repository, or the repository cannot be walked.
pub fn select(
    repository: &Repository,
    roots: &Roots,
    excludes: &Excludes,
    names: &[PathBuf],
    since: Option<&str>,
) -> Result<Selection, SelectError> {
    let mut selection = listed::select(repository, roots, excludes, names)?;
    // The repository as a whole is not asked about.
    selection.folders.clear();
    let (Some(git), Some(since)) = (&repository.git, since) else { return Ok(selection) };
    let Ok(tree) = git.read(|repository| commit_of(repository, since, true).map(|commit| commit.tree)) else {
        return Ok(selection);
    };
    for file in Arc::make_mut(&mut selection.files).iter_mut().filter(|file| file.checked) {
        let path = file.path.clone();
        let is_known = is_old_link(repository, git, tree, path.as_bstr());
        // A link out of the repository that the change did not touch is not the agent's work.
        if is_known && leads_out(&repository.root, &repository.root.join(path.to_path_lossy())) {
            file.checked = false;
            continue;
        }
        // What is after one was after it before.
        let path = if is_known { behind(repository, path.as_bstr()).unwrap_or(path) } else { path };
        file.earlier = match git.read(|repository| find_in_tree(repository, tree, path.as_bstr())) {
            Ok(Some(blob)) if blob.is_file() => Earlier::Blob(blob.id),
            Ok(_) => Earlier::Nothing,
            Err(_) => Earlier::Unknown,
        };
    }
    Ok(selection)
}

/// Whether the file at `path` is a link, and in the tree `tree` the same.
fn is_old_link(repository: &Repository, git: &Git, tree: ObjectId, path: &BStr) -> bool {
    const LONGEST: u64 = 64 << 10;
    let Ok(target) = repository.root.join(path.to_path_lossy()).read_link() else { return false };
    let known = git.read(|repository| find_in_tree(repository, tree, path)).ok().flatten();
    let known = known.filter(|blob| blob.kind == EntryKind::Link);
    // Git has `/` between names on each system.
    let target =
        gix::path::to_unix_separators_on_windows(gix::path::os_str_into_bstr(target.as_os_str()).unwrap_or_default());
    known.and_then(|known| git.blob(known.id, path, LONGEST).ok()).is_some_and(|known| *known == **target)
}

/// The path of the file in the repository that the link at `path` leads to.
fn behind(repository: &Repository, path: &BStr) -> Option<BString> {
    let at = repository.root.join(path.to_path_lossy()).canonicalize().ok()?;
    Some(to_bytes(at.strip_prefix(&repository.root).ok()?))
}
