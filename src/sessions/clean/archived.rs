//! Whether a session was in the archive long enough to be deleted. Whatever speaks against it keeps the session.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::due::{State, ended_at, last_moment, left, state};
use super::summary::{self, Record};
use super::{Keep, Step};
use crate::formats::timestamp::Timestamp;
use crate::sessions::clock::lasted;
use crate::sessions::folder::{Folder, Place, PlaceError};

/// What is to be done with a folder in the archive.
#[derive(Debug)]
pub(super) enum Fate {
    /// It is not a session.
    None,
    /// It stays, and why.
    Kept(String),
    /// The step.
    Step(Step),
}

/// What is to be done with the folder at `path` in the archive of `place`.
///
/// # Errors
/// When it is a session that cannot be read.
pub(super) fn fate(place: &Place, path: &Path, keep: Keep, now: Timestamp) -> Result<Fate, PlaceError> {
    let folder = Folder::read(&place.root, path.to_path_buf());
    let (files, summary) = place.read(&folder)?;
    let reported = summary::archived_at(path).map_err(|error| summary::unreadable(path, error));
    if summary.status.is_none() {
        // Another folder is not for this program to delete.
        return Ok(match reported {
            Ok(Some(_)) => Fate::Kept("in the archive, and no file such as `session-status.md` can be read".to_owned()),
            _ => Fate::None,
        });
    }
    let Some(archived_at) = reported? else {
        let ended_at = ended_at(&files, &summary);
        let report = Record { state: folder.state, ended_at, archived_at: now }.report(&folder, &files, &summary);
        let report = report.map_err(|error| summary::unreadable(path, error))?;
        return Ok(Fate::Step(Step::Record { folder: folder.path, report }));
    };
    match state(&folder, &files) {
        State::Ended(_) => {}
        State::Open => {
            return Ok(Fate::Kept("in the archive, but its status says that it has not ended".to_owned()));
        }
        State::Contradictory(why) => return Ok(Fate::Kept(format!("in the archive, and {why}"))),
    }
    let unreadable = |source| PlaceError::Unreadable { path: path.into(), source };
    // A report can be older than the session's way here: the session was restored, or is a copy.
    let written = last_moment(place, &folder, &summary)?.map_or(i64::MIN, Timestamp::unix);
    let changed = changed_at(path).map_err(unreadable)?.max(written);
    let since = archived_at.unix().max(changed);
    let left = left(keep.archived, since, now);
    if left <= 0 {
        return Ok(Fate::Step(Step::Delete { folder: folder.path, archived_at }));
    }
    let left = lasted(now, now.plus_seconds(left));
    // The report itself is written, and the session moves, in the moments after.
    let why = if changed > archived_at.unix().saturating_add(MOVING) {
        format!(", as its last change was at {}", Timestamp::from_unix(changed).in_utc())
    } else {
        String::new()
    };
    Ok(Fate::Kept(format!("in the archive, and will be deleted in {left}{why}")))
}

/// How many seconds a session may take to get to the archive.
const MOVING: i64 = 60;

/// When something in the folder at `path` was written, or came there.
fn changed_at(path: &Path) -> io::Result<i64> {
    let mut last = changed(&fs::symlink_metadata(path)?);
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // Of a link itself.
            let metadata = entry.metadata()?;
            last = last.max(changed(&metadata));
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(last)
}

/// The last moment that the file system has for a file. A file can be moved or copied here with the time of its bytes: where the
/// system says when its place or its copy was made, that counts as well.
fn changed(metadata: &Metadata) -> i64 {
    let seconds =
        |at: SystemTime| at.duration_since(UNIX_EPOCH).map_or(0, |at| i64::try_from(at.as_secs()).unwrap_or(i64::MAX));
    let times = [metadata.modified(), metadata.created()].into_iter().flatten().map(seconds);
    #[cfg(unix)]
    let times = times.chain([std::os::unix::fs::MetadataExt::ctime(metadata)]);
    times.max().unwrap_or(i64::MAX)
}
