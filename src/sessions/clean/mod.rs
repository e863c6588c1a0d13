//! What is left of sessions: those that ended go to the archive, those that were there long enough are deleted, and so are locks
//! whose time is over.

mod apply;
mod archived;
mod due;
mod plan;
pub mod report;
mod summary;
mod turn;

use std::ffi::OsString;
use std::path::PathBuf;

pub use self::apply::apply;
pub use self::plan::plan;
pub use self::summary::Report;
pub use self::turn::{Turn, take_turn};
use super::folder::{Folder, PlaceError};
use super::locks::Lock;
use crate::formats::session::field::SessionState;
use crate::formats::timestamp::Timestamp;

/// How long sessions are kept, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// A completed session, before it goes to the archive.
    pub completed: i64,
    /// A failed session, before it goes to the archive.
    pub failed: i64,
    /// A session in the archive, before it is deleted.
    pub archived: i64,
}

/// What is to be done.
#[derive(Debug)]
pub enum Step {
    /// A session goes to the archive.
    Archive(Archive),
    /// A session is in the archive, and nothing says since when: from now on, something does.
    Record {
        /// Its folder.
        folder: PathBuf,
        /// Its report.
        report: Report,
    },
    /// A session was in the archive long enough.
    Delete {
        /// Its folder.
        folder: PathBuf,
        /// Since when it was there.
        archived_at: Timestamp,
    },
    /// A session was deleted in part.
    Finish {
        /// The folder with the rest.
        rest: PathBuf,
    },
    /// A link such as `latest` leads to a session that is in the archive, or goes there.
    Unlink {
        /// The link.
        link: PathBuf,
        /// The path of the session that it leads to.
        target: PathBuf,
    },
    /// A lock of a session that goes on has expired.
    Unlock {
        /// The session.
        folder: Folder,
        /// The lock.
        lock: Lock,
    },
}

/// A session that goes to the archive.
#[derive(Debug)]
pub struct Archive {
    /// The session.
    pub folder: Folder,
    /// Where it goes.
    pub to: PathBuf,
    /// How it ended.
    pub state: SessionState,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The names of its locks, which go.
    pub locks: Vec<OsString>,
    /// Its report.
    pub report: Report,
}

/// What is to be done, and which sessions ended and stay for now.
#[derive(Debug, Default)]
pub struct Plan {
    /// The steps, in the order in which they are done.
    pub steps: Vec<Step>,
    /// Sessions that ended, and why each stays.
    pub kept: Vec<(PathBuf, String)>,
    /// What is wrong with sessions that stay as they are.
    pub failed: Vec<PlaceError>,
}
