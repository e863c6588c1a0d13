//! Taking files out of the index and leaving them on disk, as `git rm --cached` does.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::time::Duration;

use bstr::{BString, ByteSlice};
use gix::index::write::Options;
use gix::lock::acquire::Fail;

use super::git::Git;

/// How long another program may hold the index.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why the index is as it was.
#[derive(Debug, thiserror::Error)]
pub enum UntrackError {
    /// Another program writes it, or died while it did.
    #[error("cannot lock the index: another git process may be running in this repository")]
    Locked(#[source] gix::Error),
    /// It cannot be read, or is damaged.
    #[error("cannot read the index")]
    Read(#[source] gix::Error),
    /// It holds folders in the place of files: what is in them would have to be spelled out.
    #[error("the index is sparse: `git sparse-checkout disable`, or `git rm --cached --sparse`, takes the files out")]
    Sparse,
    /// It cannot be written.
    #[error("cannot write the index")]
    Write(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Takes `paths` out of the index and leaves them on disk; says how many of them were in it. Where none was, the index is
/// not written.
///
/// The entries stay as they are, but for those that git could not tell from a later change: it is made to look at their
/// content again. What git keeps in the index besides (cached trees, the untracked cache, resolved conflicts) is left out;
/// git makes it anew. A split index becomes one file.
///
/// # Errors
/// See [`UntrackError`]; the index is then as it was.
pub fn untrack(git: &Git, paths: &BTreeSet<BString>) -> Result<usize, UntrackError> {
    let repository = git.local();
    let patience = Fail::AfterDurationWithBackoff(PATIENCE);
    // From here on the index holds still.
    let mut lock = gix::lock::File::acquire_to_update_resource(repository.index_path(), patience, None, 0)
        .map_err(UntrackError::Locked)?;
    let mut index = repository.open_index().map_err(UntrackError::Read)?;
    // Reading for a check does without the hash; what is written anew must have been whole.
    index.verify_integrity().map_err(UntrackError::Read)?;
    if index.is_sparse() {
        return Err(UntrackError::Sparse);
    }
    let mut removed = BTreeSet::new();
    index.remove_entries(|_, path, _| {
        let found = paths.get(path.as_bytes().as_bstr());
        found.map(|path| removed.insert(path)).is_some()
    });
    if removed.is_empty() {
        return Ok(0);
    }
    // A file that changed within the tick in which the index was written looks unchanged. Git tells it by its time, which is
    // not older than the index; the index is younger from now on, so that the size, 0, has to tell it.
    let written = index.timestamp();
    for entry in index.entries_mut() {
        let (seconds, nanoseconds) = (i64::from(entry.stat.mtime.secs), entry.stat.mtime.nsecs);
        if (seconds, nanoseconds) >= (written.unix_seconds(), written.nanoseconds()) {
            entry.stat.size = 0;
        }
    }
    // It is written as it is, and names the trees with the files that are gone.
    index.remove_tree();
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| UntrackError::Write(error);
    let mut out = BufWriter::new(&mut lock);
    index.write_to(&mut out, Options::default()).map_err(|error| failed(error.into()))?;
    out.flush().map_err(|error| failed(error.into()))?;
    drop(out);
    lock.commit().map_err(|error| failed(error.to_string().into()))?;
    Ok(removed.len())
}
