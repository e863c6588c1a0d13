//! One run at a time cleans up: the others wait, and find less to do.

use std::fs::{File, TryLockError};
use std::time::Duration;

use crate::fs::lock;
use crate::sessions::folder::{Place, PlaceError};

/// How long to wait for another run, which may have thousands of files to delete.
const PATIENCE: Duration = Duration::from_secs(60);

/// Held, no other run cleans up the same sessions. The system frees it when the process ends.
#[derive(Debug)]
pub struct Turn {
    _folder: Option<File>,
}

/// Waits until no other run cleans up the sessions of `place`.
///
/// # Errors
/// When another run takes too long.
pub fn take_turn(place: &Place) -> Result<Turn, PlaceError> {
    // The folder itself, so that no file is left. Where folders have no locks, each step still is done once: the second run
    // finds that the first one has done it.
    let Some(folder) = File::open(&place.sessions).ok().filter(|_| cfg!(unix)) else {
        return Ok(Turn { _folder: None });
    };
    match lock::wait(&folder, PATIENCE) {
        Err(TryLockError::WouldBlock) => Err(PlaceError::Busy { path: place.sessions.clone() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Turn { _folder: Some(folder) }),
    }
}
