//! Whether it is time for a session to go to the archive.

use bstr::{BString, ByteSlice};

use super::Keep;
use crate::formats::session::field::SessionState;
use crate::formats::session::model::Status;
use crate::formats::session::{Fault, Summary};
use crate::formats::timestamp::Timestamp;
use crate::sessions::clock::lasted;
use crate::sessions::folder::{Folder, Place, PlaceError, has_ended};
use crate::sessions::locks::{self, Locks};
use crate::sessions::read::Files;

/// Whether it is time for a session to go.
pub(super) enum Due {
    /// It goes on, as far as it says.
    Open,
    /// It has ended, and stays for now.
    Kept(String),
    /// It has ended long ago.
    Ended { state: SessionState, ended_at: Timestamp },
}

/// Whether it is time for the session in `folder` to go to the archive.
///
/// # Errors
/// When it cannot be read.
pub(super) fn due(place: &Place, folder: &Folder, keep: Keep, now: Timestamp) -> Result<Due, PlaceError> {
    let (files, summary) = place.read(folder)?;
    let state = match state(folder, &files) {
        State::Open => {
            let unreadable = files.unreadable.iter().find(|(path, _)| is_status(path));
            let why = unreadable.map(|(_, reason)| format!("its status cannot be read: {reason}"));
            return Ok(why.map_or(Due::Open, Due::Kept));
        }
        State::Contradictory(why) => return Ok(Due::Kept(why)),
        State::Ended(state) => state,
    };
    // As `session/retention` has it: nothing must have happened for so long.
    let Some(last) = last_moment(place, folder, &summary)? else {
        return Ok(Due::Kept(format!("{}, and no file says when; add `completed_at` to its status", state.as_str())));
    };
    let ended_at = ended_at(&files, &summary).unwrap_or(last);
    let keep = if state == SessionState::Failed { keep.failed } else { keep.completed };
    let left = left(keep, last.unix(), now);
    if left > 0 {
        let left = lasted(now, now.plus_seconds(left));
        return Ok(Due::Kept(format!("{}, goes to the archive in {left}", state.as_str())));
    }
    Ok(Due::Ended { state, ended_at })
}

/// How many seconds are left of the `keep` seconds after `since`: at the last of them, they are not over.
pub(super) fn left(keep: i64, since: i64, now: Timestamp) -> i64 {
    keep.saturating_add(1).saturating_sub(now.unix().saturating_sub(since))
}

/// Whether a session has ended, as all of its files have it.
pub(super) enum State {
    /// It goes on, or does not say how it is.
    Open,
    /// Its files may say both; why.
    Contradictory(String),
    /// It has ended.
    Ended(SessionState),
}

/// Whether the session in `folder` has ended, which has these `files`.
pub(super) fn state(folder: &Folder, files: &Files) -> State {
    let mut statuses = files.files.values().filter(|file| file.status().is_some());
    // Another program reads another state there: a second document, a duplicate key.
    let mut problems = statuses.clone().flat_map(|file| &file.problems);
    if let Some(problem) = problems.find(|problem| problem.fault == Fault::Yaml) {
        return State::Contradictory(format!("its status can be read in two ways: {}", problem.message));
    }
    let Some(state) = folder.state.filter(|state| has_ended(*state)) else { return State::Open };
    let is_open = |status: &Status| status.status.as_ref().is_none_or(|own| !has_ended(own.value));
    let differs = statuses.any(|file| file.status().is_some_and(is_open));
    match differs || files.unreadable.keys().any(is_status) {
        true => State::Contradictory("its files disagree about whether it has ended".to_owned()),
        false => State::Ended(state),
    }
}

fn is_status(path: &BString) -> bool {
    path.starts_with_str("session-status")
}

/// The last moment that a file of the session names.
///
/// # Errors
/// When its locks cannot be read.
pub(super) fn last_moment(place: &Place, folder: &Folder, summary: &Summary) -> Result<Option<Timestamp>, PlaceError> {
    let own = Locks::of(place, folder)?;
    let unreadable = |source| PlaceError::Unreadable { path: own.folder.clone(), source };
    let (locks, _) = locks::all(&place.root, &own.folder).map_err(unreadable)?;
    let locked = locks.into_iter().filter_map(|lock| lock.locked_at);
    Ok(locked.chain(summary.last_activity).max_by_key(|at| at.unix()))
}

/// When a session ended: as its status says, else when something happened in it for the last time.
pub(super) fn ended_at(files: &Files, summary: &Summary) -> Option<Timestamp> {
    let status = files.files.values().nth(summary.status?)?.status()?;
    status.ended_at.as_ref().map(|at| at.value).or(summary.last_activity)
}
