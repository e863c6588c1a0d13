//! Removes files from the index and leaves them on disk, as `git rm --cached` does.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};

use crate::git::repository::Git;
use crate::git::write::lock::{IndexError, Rewrite};

/// Removes `paths` from the index and leaves them on disk; says how many of them were in it. Where none was, the index is
/// not written.
///
/// # Errors
/// See [`IndexError`]; the index is then as it was.
pub fn untrack(git: &Git, paths: &BTreeSet<BString>) -> Result<usize, IndexError> {
    let mut rewrite = Rewrite::begin(git)?;
    let mut removed = BTreeSet::new();
    rewrite.index.remove_entries(|_, path, _| {
        let found = paths.get(path.as_bytes().as_bstr());
        found.map(|path| removed.insert(path)).is_some()
    });
    if removed.is_empty() {
        return Ok(0);
    }
    rewrite.write(&removed.iter().map(|path| path.as_bstr()).collect())?;
    rewrite.commit()?;
    Ok(removed.len())
}
