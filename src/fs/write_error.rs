//! Why a file was left as it was.

use std::io;
use std::path::{Path, PathBuf};

use crate::terminal::display_path;

/// What to do about a conflict.
pub const RESOLVE: &str = "keep the correct lines of each side, delete the marker lines, and run again";

/// Why a file was left as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file, or a folder on the way to it, is a symbolic link.
    #[error("{} is reached through a symbolic link", shown(path))]
    Link {
        /// The file.
        path: PathBuf,
    },
    /// The file may not be written.
    #[error("{} is read-only", shown(path))]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another program holds a lock on it, and does not let go.
    #[error("{} is locked by another program", shown(path))]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A merge left both sides in it: what is written would keep one of them, or make entries of both.
    #[error("{} has an unresolved merge conflict on line {line}", shown(path))]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The line of the first marker, from 1.
        line: usize,
    },
    /// Another program wrote it while it was replaced, and into the new file as well.
    #[error(
        "{} changed while it was written: the text that another program wrote is in {}",
        shown(path),
        shown(beside)
    )]
    Beside {
        /// The file.
        path: PathBuf,
        /// Where the text of the old file is.
        beside: PathBuf,
    },
    /// Another program wrote it in the meantime.
    #[error("{} changed since it was read", shown(path))]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The operating system says no.
    #[error("cannot {step} {}", shown(path))]
    Io {
        /// What was being done.
        step: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl WriteError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Link { .. } => "fix the file that the link leads to: run squad-lint in the folder of that file",
            Self::ReadOnly { .. } => "make it writable, and run again",
            Self::Locked { .. } => "end the program that holds it, and run again",
            Self::Conflict { .. } => RESOLVE,
            Self::Beside { .. } => "merge the two by hand, and run again",
            Self::Changed { .. } => "run again; the change of the other program is kept",
            Self::Io { .. } => "the file is unchanged; repair the cause, and run again",
        }
    }

    /// The file that was left as it was.
    pub fn path(&self) -> &Path {
        match self {
            Self::Link { path }
            | Self::ReadOnly { path }
            | Self::Locked { path }
            | Self::Changed { path }
            | Self::Conflict { path, .. }
            | Self::Beside { path, .. }
            | Self::Io { path, .. } => path,
        }
    }
}

fn shown(path: &Path) -> String {
    display_path(path.as_os_str().as_encoded_bytes())
}
