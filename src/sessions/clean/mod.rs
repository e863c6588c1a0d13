//! What is left of sessions: those that ended go to the archive, those that were there long enough are deleted, and so are locks
//! whose time is over.

mod apply;
pub mod report;
mod summary;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use self::apply::apply;
use self::summary::Record;
pub use self::summary::Report;
use super::folder::{Folder, Place, PlaceError};
use super::locks::{self, Lock};
use crate::formats::session::Summary;
use crate::formats::session::field::SessionState;
use crate::formats::timestamp::Timestamp;
use crate::fs::folder::is_being_removed;
use crate::fs::read::FileError;

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
    pub locks: Vec<std::ffi::OsString>,
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
}

/// The folder of the archive in `place`.
///
/// # Errors
/// When a link leads out of the repository.
pub fn archives(place: &Place) -> Result<PathBuf, PlaceError> {
    let path = place.sessions.parent().unwrap_or(&place.sessions).join("archives");
    match path.is_symlink() && crate::fs::read::leads_out(&place.root, &path) {
        true => Err(PlaceError::Outside { path }),
        false => Ok(path.canonicalize().unwrap_or(path)),
    }
}

/// What is to be done in `place` at `now`.
///
/// # Errors
/// See [`PlaceError`].
pub fn plan(place: &Place, keep: Keep, now: Timestamp) -> Result<Plan, PlaceError> {
    let mut plan = Plan::default();
    let archives = archives(place)?;
    let mut taken = Vec::new();
    for path in place.outside()? {
        plan.kept.push((path, "a symbolic link leads out of the repository".to_owned()));
    }
    for folder in place.all()? {
        // It stays where it is, and so does the link.
        if folder.path.parent() != Some(&place.sessions) {
            plan.kept.push((folder.path, "a symbolic link leads to it".to_owned()));
            continue;
        }
        if let Err(PlaceError::NoLocks { .. }) = place.locks(&folder) {
            plan.kept.push((folder.path, "its `locks` is not a folder; delete it".to_owned()));
            continue;
        }
        match due(place, &folder, keep, now)? {
            Due::Open => unlock(place, &folder, now, &mut plan)?,
            Due::Kept(why) => {
                plan.kept.push((folder.path.clone(), why));
                unlock(place, &folder, now, &mut plan)?;
            }
            Due::Ended { state, ended_at } => {
                let to = free(&archives, &folder, &taken);
                taken.push(to.clone());
                let (files, summary) = place.read(&folder)?;
                let own = place.locks(&folder)?;
                let unreadable = |source| PlaceError::Unreadable { path: own.folder.clone(), source };
                let report = Record { state: Some(state), ended_at: Some(ended_at), archived_at: now };
                let report = report.report(&folder, &files, &summary).map_err(|error| no_report(&folder, error))?;
                let locks = locks::names(&own.folder).map_err(unreadable)?;
                plan.steps.push(Step::Archive(Archive { folder, to, state, ended_at, locks, report }));
            }
        }
    }
    for (link, target) in place.links()? {
        let goes =
            plan.steps.iter().any(|step| matches!(step, Step::Archive(archive) if archive.folder.path == target));
        let is_archived = || target.file_name().is_some_and(|name| archives.join(name).is_dir());
        if goes || !target.exists() && is_archived() {
            plan.steps.push(Step::Unlink { link, target });
        }
    }
    in_archive(place, &archives, keep, now, &mut plan)?;
    Ok(plan)
}

/// Whether it is time for a session to go.
enum Due {
    /// It goes on, as far as it says.
    Open,
    /// It has ended, and stays for now.
    Kept(String),
    /// It has ended long ago.
    Ended { state: SessionState, ended_at: Timestamp },
}

fn due(place: &Place, folder: &Folder, keep: Keep, now: Timestamp) -> Result<Due, PlaceError> {
    let Some(state) = folder.state.filter(|_| !folder.is_open()) else { return Ok(Due::Open) };
    let (files, summary) = place.read(folder)?;
    let own = place.locks(folder)?;
    let unreadable = |source| PlaceError::Unreadable { path: own.folder.clone(), source };
    let (locks, _) = locks::all(&place.root, &own.folder).map_err(unreadable)?;
    // As `session/retention` has it: nothing must have happened for so long.
    let locked = locks.into_iter().filter_map(|lock| lock.locked_at);
    let Some(last) = locked.chain(summary.last_activity).max_by_key(|at| at.unix()) else {
        return Ok(Due::Kept(format!("{}, and no file says when; add `completed_at` to its status", state.as_str())));
    };
    let ended_at = ended_at(&files, &summary).unwrap_or(last);
    let keep = if state == SessionState::Failed { keep.failed } else { keep.completed };
    let left = keep.saturating_sub(now.unix().saturating_sub(last.unix()));
    if left > 0 {
        let left = super::clock::lasted(now, now.plus_seconds(left));
        return Ok(Due::Kept(format!("{}, goes to the archive in {left}", state.as_str())));
    }
    Ok(Due::Ended { state, ended_at })
}

/// When a session ended: as its status says, else when something happened in it for the last time.
fn ended_at(files: &super::read::Files, summary: &Summary) -> Option<Timestamp> {
    let status = files.files.values().nth(summary.status?)?.status()?;
    status.ended_at.as_ref().map(|at| at.value).or(summary.last_activity)
}

/// Adds the expired locks of a session that goes on.
fn unlock(place: &Place, folder: &Folder, now: Timestamp, plan: &mut Plan) -> Result<(), PlaceError> {
    let own = place.locks(folder)?;
    let unreadable = |source| PlaceError::Unreadable { path: own.folder.clone(), source };
    let (locks, others) = locks::all(&place.root, &own.folder).map_err(unreadable)?;
    let kept = others.into_iter().map(|lock| (own.folder.join(lock.name), format!("cannot be read: {}", lock.reason)));
    plan.kept.extend(kept);
    let expired = locks.into_iter().filter(|lock| lock.is_expired(now));
    plan.steps.extend(expired.map(|lock| Step::Unlock { folder: folder.clone(), lock }));
    Ok(())
}

/// Adds what is to be done with the sessions in the archive.
fn in_archive(place: &Place, archives: &Path, keep: Keep, now: Timestamp, plan: &mut Plan) -> Result<(), PlaceError> {
    let entries = match fs::read_dir(archives) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(PlaceError::Unreadable { path: archives.into(), source }),
        Ok(entries) => entries,
    };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for path in folders {
        let is_gone = path.file_name().is_some_and(|name| is_being_removed(name.as_encoded_bytes()));
        if is_gone || path.is_symlink() || !path.is_dir() {
            continue;
        }
        match summary::archived_at(&path) {
            Some(archived_at) if now.unix().saturating_sub(archived_at.unix()) >= keep.archived => {
                plan.steps.push(Step::Delete { folder: path, archived_at });
            }
            Some(archived_at) => {
                let left = keep.archived.saturating_sub(now.unix().saturating_sub(archived_at.unix()));
                let left = super::clock::lasted(now, now.plus_seconds(left));
                plan.kept.push((path, format!("in the archive, and will be deleted in {left}")));
            }
            None => {
                let folder = Folder::read(path);
                let (files, summary) = place.read(&folder)?;
                // Another folder is not for this program to delete.
                if summary.status.is_some() {
                    let ended_at = ended_at(&files, &summary);
                    let report = Record { state: folder.state, ended_at, archived_at: now };
                    let report = report.report(&folder, &files, &summary).map_err(|error| no_report(&folder, error))?;
                    plan.steps.push(Step::Record { folder: folder.path, report });
                }
            }
        }
    }
    Ok(())
}

fn no_report(folder: &Folder, error: FileError) -> PlaceError {
    let source = match error {
        FileError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    };
    PlaceError::Unreadable { path: folder.path.join(summary::NAME), source }
}

/// A place in the archive for the session, where nothing is.
fn free(archives: &Path, folder: &Folder, taken: &[PathBuf]) -> PathBuf {
    let name = folder.path.file_name().unwrap_or_default();
    let mut path = archives.join(name);
    let mut number = 1;
    while taken.contains(&path) || fs::symlink_metadata(&path).is_ok() {
        number += 1;
        let mut again = name.to_owned();
        again.push(format!("-{number}"));
        path = archives.join(again);
    }
    path
}
