//! The index under git's own lock: it holds still, is changed in memory, and takes the old one's place whole.
//!
//! gix writes versions 2 and 3 in one file. What else an index can be or hold is git's to write: see `by_git.rs`.

use std::collections::BTreeSet;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::time::{Duration, UNIX_EPOCH};

use bstr::BStr;
use gix::index::write::Options;
use gix::lock::acquire::Fail;

use crate::git::repository::Git;
use crate::git::write::by_git::ByGit;
pub use crate::git::write::error::IndexError;

/// How long another program may hold the index.
const PATIENCE: Duration = Duration::from_secs(2);
/// How the file is called from which `git commit PATH` commits; the index itself is locked meanwhile.
const OF_PARTIAL_COMMIT: &str = "next-index-";

/// The index, locked: other programs that would write it wait or give up. Dropped, it is as it was.
pub(super) struct Rewrite {
    lock: gix::lock::File,
    /// What it becomes.
    pub(super) index: gix::index::File,
    /// Writes it where gix would not keep all of it.
    by_git: Option<ByGit>,
}

impl Rewrite {
    /// Locks and reads the index of `git`, or the one that `GIT_INDEX_FILE` names.
    ///
    /// The entries are as they are, and so are its version, its parts, the conflicts that were resolved and the untracked cache. Cached
    /// trees and what a file system monitor said may be left out; git makes them anew.
    ///
    /// # Errors
    /// See [`IndexError`].
    pub(super) fn begin(git: &Git) -> Result<Self, IndexError> {
        let path = git.index_path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if name.starts_with(OF_PARTIAL_COMMIT.as_bytes()) {
            return Err(IndexError::Partial);
        }
        let patience = Fail::AfterDurationWithBackoff(PATIENCE);
        // From here on the index holds still.
        let lock = gix::lock::File::acquire_to_update_resource(path, patience, None, 0).map_err(IndexError::Locked)?;
        let mut index = git.read_index().map_err(|error| IndexError::Read(error.into()))?;
        // Reading for a check does without the hash; what is written anew must have been whole.
        index.verify_integrity().map_err(|error| IndexError::Read(error.into()))?;
        if index.is_sparse() {
            return Err(IndexError::Sparse);
        }
        let by_git = ByGit::where_needed(&git.local(), &index)?;
        // It is written as it is, and names the trees as they were.
        index.remove_tree();
        Ok(Self { lock, index, by_git })
    }

    /// Writes what the index becomes beside it, in the place of what was written there before. It differs in the entries at
    /// `paths` alone.
    ///
    /// # Errors
    /// When the disk is full, for one.
    pub(super) fn write(&mut self, paths: &BTreeSet<&BStr>) -> Result<(), IndexError> {
        let failed = |error: std::io::Error| IndexError::Write(error.into());
        self.lock.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut out = BufWriter::new(&mut self.lock);
        match &self.by_git {
            Some(by_git) => out.write_all(&by_git.written(&self.index, paths)?).map_err(failed)?,
            None => drop(
                self.index.write_to(&mut out, Options::default()).map_err(|error| IndexError::Write(error.into()))?,
            ),
        }
        out.flush().map_err(failed)?;
        let end = out.stream_position().map_err(failed)?;
        drop(out);
        // A file that changes right after it was added looks unchanged. Git tells it by its time, which is not older than that
        // of the index: it looks at the content then. So the index must not look younger than it was.
        let (seconds, nanoseconds) = (self.index.timestamp().unix_seconds(), self.index.timestamp().nanoseconds());
        let written = UNIX_EPOCH + Duration::new(u64::try_from(seconds).unwrap_or(0), nanoseconds);
        self.lock.with_mut(|file| file.set_len(end).and_then(|()| file.set_modified(written))).map_err(failed)
    }

    /// Puts it, as it was written last, into the place of the index.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub(super) fn commit(self) -> Result<(), IndexError> {
        self.lock.commit().map(drop).map_err(|error| IndexError::Write(error.to_string().into()))
    }
}
