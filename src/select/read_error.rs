//! Why a file could not be read, wherever its bytes are.

use std::io;

use crate::fs::read::FileError;
use crate::git::error::GitError;
use crate::git::repository::BlobError;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is larger than the cap.
    #[error("it has {size} bytes, more than `max-file-bytes` ({cap})")]
    TooBig {
        /// Its size in bytes.
        size: u64,
        /// The cap in bytes.
        cap: u64,
    },
    /// It is a folder, a pipe, a socket or a device; the text says which, such as `a named pipe`.
    #[error("it is {0}, not a file")]
    NotAFile(&'static str),
    /// Another program kept writing it while it was read.
    #[error("another program keeps writing it")]
    Changing,
    /// A symbolic link on the way to it leads out of the repository.
    #[error("a symbolic link leads out of the repository")]
    Outside,
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Git could not read the object.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A merge left it in conflict: the index has several versions of it.
    #[error("it is unmerged")]
    Unmerged,
}

impl From<FileError> for ReadError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::TooBig { size, cap } => Self::TooBig { size, cap },
            FileError::NotAFile(what) => Self::NotAFile(what),
            FileError::Changing => Self::Changing,
            FileError::Outside => Self::Outside,
            FileError::Io(error) => Self::Io(error),
        }
    }
}

impl From<BlobError> for ReadError {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::TooBig { size, cap } => Self::TooBig { size, cap },
            BlobError::Git(error) => Self::Git(error),
        }
    }
}
