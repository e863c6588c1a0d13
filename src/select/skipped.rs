//! Files that a sparse checkout leaves out of the work tree.

use bstr::BStr;

use super::changes::find_in_tree;
use crate::git::index::Index;
use crate::git::repository::Git;

/// The file at `path` as it is in `index`, at most `cap` bytes of it, if it is outside of the sparse checkout. `None` as well where git
/// cannot read it: a partial clone need not have it.
pub fn read(git: &Git, index: &Index, path: &BStr, cap: u64) -> Option<Vec<u8>> {
    let blob = match (index.find(path), index.sparse_folder(path)) {
        (Some(entry), _) => entry.blob.filter(|_| entry.skipped)?,
        (None, Some((folder, inside))) => {
            let tree = folder.blob?.id;
            git.read(|repository| find_in_tree(repository, tree, inside)).ok()??
        }
        (None, None) => return None,
    };
    git.blob(blob.id, path, cap).ok()
}
