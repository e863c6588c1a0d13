//! What is staged: the index against `HEAD`.

use crate::git::change::{Change, Scope};
use crate::git::compare::{Side, compare};
use crate::git::error::GitError;
use crate::git::index::Index;
use crate::git::repository::{Git, head_tree};

/// What the next commit would change within `scope`, in the order of paths. Before the first commit that is everything in
/// the index. An entry that was added with `--intent-to-add` is not staged yet.
///
/// # Errors
/// When the index, `HEAD` or a tree cannot be read.
pub fn changes(git: &Git, scope: &Scope) -> Result<Vec<Change>, GitError> {
    let repository = git.local();
    let index = Index::of(git)?;
    let old = Side::Tree(head_tree(&repository)?);
    let new = Side::Entries { start: 0, end: index.len(), folder: index.root() };
    compare(&repository, Some(&index), scope, old, new)
}
