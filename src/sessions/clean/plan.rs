//! What is to be done, before anything is.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::archived::{self, Fate};
use super::due::{Due, due};
use super::summary::{self, Record};
use super::{Archive, Keep, Plan, Step};
use crate::formats::timestamp::Timestamp;
use crate::fs::folder::{is_being_removed, rests};
use crate::fs::read::leads_out;
use crate::sessions::folder::{Folder, Place, PlaceError};
use crate::sessions::locks::{self, Locks};

/// The folder of the archive in `place`.
///
/// # Errors
/// When a link leads out of the repository, or to the sessions.
pub(super) fn archives(place: &Place) -> Result<PathBuf, PlaceError> {
    let path = place.state.join("archives");
    if path.is_symlink() && leads_out(&place.root, &path) {
        return Err(PlaceError::Outside { path });
    }
    let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
    // Sessions would be in the archive as soon as they begin.
    match canonical.starts_with(&place.sessions) || place.sessions.starts_with(&canonical) {
        true => Err(PlaceError::SamePlace { path }),
        false => Ok(canonical),
    }
}

/// What is to be done in `place` at `now`.
///
/// # Errors
/// When the sessions or the archive cannot be listed. What is wrong with one session is in [`Plan::failed`].
pub fn plan(place: &Place, keep: Keep, now: Timestamp) -> Result<Plan, PlaceError> {
    let mut plan = Plan::default();
    let archives = archives(place)?;
    for path in place.outside()? {
        plan.kept.push((path, "a symbolic link leads out of the repository".to_owned()));
    }
    for folder in place.all()? {
        let done = of_session(place, &archives, folder, keep, now, &mut plan);
        plan.failed.extend(done.err());
    }
    for (link, target) in place.links()? {
        let goes =
            plan.steps.iter().any(|step| matches!(step, Step::Archive(archive) if archive.folder.path == target));
        let is_archived = || target.file_name().is_some_and(|name| archives.join(name).is_dir());
        if goes || !target.exists() && is_archived() {
            plan.steps.push(Step::Unlink { link, target });
        }
    }
    plan.steps.extend(rests(&archives).into_iter().map(|rest| Step::Finish { rest }));
    for path in in_archive(&archives)? {
        match archived::fate(place, &path, keep, now) {
            Ok(Fate::None) => {}
            Ok(Fate::Kept(why)) => plan.kept.push((path, why)),
            Ok(Fate::Step(step)) => plan.steps.push(step),
            Err(error) => plan.failed.push(error),
        }
    }
    Ok(plan)
}

/// Adds what is to be done with the session in `folder`.
fn of_session(
    place: &Place,
    archives: &Path,
    folder: Folder,
    keep: Keep,
    now: Timestamp,
    plan: &mut Plan,
) -> Result<(), PlaceError> {
    // It stays where it is, and so does the link.
    if folder.path.parent() != Some(&place.sessions) {
        plan.kept.push((folder.path, "a symbolic link leads to it".to_owned()));
        return Ok(());
    }
    match due(place, &folder, keep, now)? {
        Due::Open => unlock(place, &folder, now, plan),
        Due::Kept(why) => {
            plan.kept.push((folder.path.clone(), why));
            unlock(place, &folder, now, plan)
        }
        Due::Ended { state, ended_at } => {
            let (files, summary) = place.read(&folder)?;
            let report = Record { state: Some(state), ended_at: Some(ended_at), archived_at: now };
            let report =
                report.report(&folder, &files, &summary).map_err(|error| summary::unreadable(&folder.path, error))?;
            let locks = own_locks(place, &folder)?;
            let to = free(archives, &folder, &plan.steps);
            plan.steps.push(Step::Archive(Archive { folder, to, state, ended_at, locks, report }));
            Ok(())
        }
    }
}

/// The names of the locks that go when the session in `folder` does: not those in a folder that others may use as well, and not what
/// cannot be read as a lock, which may be anything.
///
/// # Errors
/// When they cannot be read.
pub(super) fn own_locks(place: &Place, folder: &Folder) -> Result<Vec<OsString>, PlaceError> {
    let own = Locks::of(place, folder)?;
    if folder.path.join("locks").is_symlink() {
        return Ok(Vec::new());
    }
    let unreadable = |source| PlaceError::Unreadable { path: own.folder.clone(), source };
    let (locks, _) = locks::all(&place.root, &own.folder).map_err(unreadable)?;
    let mut names: Vec<OsString> = locks.into_iter().map(|lock| lock.name).collect();
    names.sort();
    Ok(names)
}

/// Adds the expired locks of a session that goes on.
fn unlock(place: &Place, folder: &Folder, now: Timestamp, plan: &mut Plan) -> Result<(), PlaceError> {
    let own = Locks::of(place, folder)?;
    let unreadable = |source| PlaceError::Unreadable { path: own.folder.clone(), source };
    let (locks, others) = locks::all(&place.root, &own.folder).map_err(unreadable)?;
    let kept = others.into_iter().map(|lock| (own.folder.join(lock.name), format!("cannot be read: {}", lock.reason)));
    plan.kept.extend(kept);
    let expired = locks.into_iter().filter(|lock| lock.is_expired(now));
    plan.steps.extend(expired.map(|lock| Step::Unlock { folder: folder.clone(), lock }));
    Ok(())
}

/// The folders in the archive, in order, without links.
///
/// # Errors
/// When the archive cannot be listed.
pub(super) fn in_archive(archives: &Path) -> Result<Vec<PathBuf>, PlaceError> {
    let entries = match fs::read_dir(archives) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(PlaceError::Unreadable { path: archives.into(), source }),
        Ok(entries) => entries,
    };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let folders = folders.filter(|entry| !is_being_removed(entry.file_name().as_encoded_bytes()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    Ok(folders)
}

/// A place in the archive for the session, where nothing is, and where none of `steps` puts anything.
fn free(archives: &Path, folder: &Folder, steps: &[Step]) -> PathBuf {
    let name = folder.path.file_name().unwrap_or_default();
    let is_taken = |path: &Path| {
        steps.iter().any(|step| matches!(step, Step::Archive(archive) if archive.to == path))
            || fs::symlink_metadata(path).is_ok()
    };
    let mut path = archives.join(name);
    let mut number = 1;
    while is_taken(&path) {
        number += 1;
        let mut again = name.to_owned();
        again.push(format!("-{number}"));
        path = archives.join(again);
    }
    path
}
