//! Doing what is to be done, in such an order that nothing is lost if it is interrupted.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::archived::{self, Fate};
use super::due::{Due, due};
use super::plan::{archives, in_archive, own_locks};
use super::{Archive, Keep, Plan, Report, Step, summary};
use crate::errors::show_error;
use crate::formats::timestamp::Timestamp;
use crate::fs::folder::RemoveError;
use crate::fs::guard::GuardError;
use crate::fs::{atomic, folder};
use crate::sessions::folder::{Folder, Place, PlaceError};
use crate::sessions::locks::{self, LockError, Locks};
use crate::terminal::{Terminal, display_path};

/// A step that was not done.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot {verb} {}", display_path(path.as_os_str().as_encoded_bytes()))]
struct NotDone {
    verb: &'static str,
    path: PathBuf,
    source: Reason,
    #[help]
    help: &'static str,
}

/// Why not.
#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Remove(#[from] RemoveError),
    /// The rest of a session that an earlier run deleted in part.
    #[error(transparent)]
    Rest(io::Error),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Write(#[from] atomic::WriteError),
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error("it has changed meanwhile")]
    Changed,
}

impl Reason {
    fn help(&self) -> &'static str {
        match self {
            Self::Io(_) | Self::Remove(RemoveError::Whole(_)) => {
                "the session is complete, at its old or its new place; repair the cause, and run again"
            }
            Self::Remove(RemoveError::Rest { .. }) => {
                "a part of the session is deleted; repair the cause, and run again to delete the rest"
            }
            Self::Rest(_) => {
                "it is the rest of an archived session, deleted in part; repair the cause, and run again to delete the rest"
            }
            Self::Lock(error) => error.help(),
            Self::Write(error) => error.help(),
            Self::Place(_) => "repair the cause, and run again; the other sessions are cleaned",
            Self::Changed => "run again",
        }
    }

    /// Whether it is that something is not there.
    fn is_gone(&self) -> bool {
        if let Self::Lock(LockError::Place(error)) = self {
            return matches!(**error, PlaceError::Gone { .. });
        }
        let (Self::Io(error)
        | Self::Remove(RemoveError::Whole(error))
        | Self::Lock(LockError::Io(error) | LockError::Guard(GuardError::Io(error)))
        | Self::Write(atomic::WriteError::Io { source: error, .. })
        | Self::Place(PlaceError::Unreadable { source: error, .. })) = self
        else {
            return false;
        };
        error.kind() == io::ErrorKind::NotFound
    }
}

/// Does the steps of `plan`; takes out those that were not done, about which it says why. Whether all were done.
///
/// # Errors
/// When the archive cannot be made.
pub fn apply(
    place: &Place,
    plan: &mut Plan,
    keep: Keep,
    now: Timestamp,
    terminal: Terminal,
) -> Result<bool, PlaceError> {
    let archives = archives(place)?;
    sweep(&archives)?;
    let mut is_complete = true;
    plan.steps.retain(|step| {
        // Its session did not go to the archive, or it leads to another one by now.
        if matches!(step, Step::Unlink { link, .. } if link.exists()) {
            return false;
        }
        let (verb, path, done) = match step {
            Step::Archive(archive) => ("archive", &archive.folder.path, move_to_archive(place, archive, keep, now)),
            Step::Record { folder, report } => ("write the report of", folder, write_report(folder, report)),
            Step::Delete { folder, .. } => ("delete", folder, delete(place, folder, keep, now)),
            Step::Finish { rest } => ("delete", rest, folder::remove_all(rest).map_err(Reason::Rest)),
            Step::Unlink { link, .. } => ("remove the link", link, remove_link(link).map_err(Reason::from)),
            Step::Unlock { folder, lock } => {
                ("remove the expired lock in", &folder.path, unlock(place, folder, &lock.name, now))
            }
        };
        if let Err(source) = done {
            if source.is_gone() && fs::symlink_metadata(path).is_err() {
                return false; // Another run did it.
            }
            show_error(terminal, &NotDone { verb, path: path.clone(), help: source.help(), source });
            is_complete = false;
            return false;
        }
        true
    });
    Ok(is_complete)
}

/// Moves a session to the archive: its report first, then its locks go, then it moves in one step.
fn move_to_archive(place: &Place, archive: &Archive, keep: Keep, now: Timestamp) -> Result<(), Reason> {
    let own = Locks::of(place, &archive.folder)?;
    // No agent locks a file meanwhile.
    let guard = own.guard()?;
    let folder = Folder::read(&place.root, archive.folder.path.clone());
    if !matches!(due(place, &folder, keep, now)?, Due::Ended { .. }) {
        return Err(Reason::Changed);
    }
    write_report(&folder.path, &archive.report)?;
    for name in own_locks(place, &folder)? {
        fs::remove_file(own.folder.join(name))?;
    }
    if let Some(parent) = archive.to.parent() {
        fs::create_dir_all(parent)?;
    }
    // Elsewhere a folder with an open file cannot be moved. What waits for the guard finds the session gone, or its status.
    let guard = cfg!(unix).then_some(guard);
    folder::rename(&folder.path, &archive.to)?;
    drop(guard);
    locks::remove_own(&archive.to.join("locks"));
    atomic::sweep(&archive.to);
    Ok(())
}

/// Deletes a session in the archive, if it is still time for that.
fn delete(place: &Place, folder: &Path, keep: Keep, now: Timestamp) -> Result<(), Reason> {
    match archived::fate(place, folder, keep, now)? {
        Fate::Step(Step::Delete { .. }) => Ok(folder::remove(folder)?),
        _ => Err(Reason::Changed),
    }
}

/// Removes what this program keeps in sessions from those in the archive: a run that was killed may have left it.
fn sweep(archives: &Path) -> Result<(), PlaceError> {
    for folder in in_archive(archives)? {
        if summary::archived_at(&folder).is_ok_and(|at| at.is_some()) {
            locks::remove_own(&folder.join("locks"));
            atomic::sweep(&folder);
        }
    }
    Ok(())
}

fn write_report(folder: &Path, report: &Report) -> Result<(), Reason> {
    let name = Path::new(summary::NAME);
    match &report.old {
        Some(old) => atomic::replace(folder, name, old, &report.new)?,
        None => atomic::create(folder, name, &report.new)?,
    }
    Ok(())
}

/// Removes the link, and not what it leads to.
fn remove_link(link: &Path) -> io::Result<()> {
    // On Windows, a link to a folder is removed as a folder is.
    fs::remove_file(link).or_else(|error| if cfg!(windows) { fs::remove_dir(link) } else { Err(error) })
}

fn unlock(place: &Place, folder: &Folder, name: &OsString, now: Timestamp) -> Result<(), Reason> {
    Ok(Locks::of(place, folder)?.remove_expired(name, now)?)
}
