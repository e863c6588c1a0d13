//! Locks of the operating system on open files. The system frees them when the process ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Locks `file`; waits at most `patience` for a program that holds it.
///
/// # Errors
/// [`TryLockError::WouldBlock`] when another program holds it all the time, and errors of file systems without locks.
pub fn wait(file: &File, patience: Duration) -> Result<(), TryLockError> {
    wait_while(file, patience, || true)
}

/// The same, but stops waiting when the lock is not `wanted` any more.
///
/// # Errors
/// See [`wait`].
pub fn wait_while(file: &File, patience: Duration, wanted: impl Fn() -> bool) -> Result<(), TryLockError> {
    let start = Instant::now();
    let mut pause = PAUSE;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < patience && wanted() => std::thread::sleep(pause),
            result => return result,
        }
        pause = (pause + PAUSE).min(LONGEST_PAUSE);
    }
}

/// How long to wait between two tries at first.
const PAUSE: Duration = Duration::from_millis(5);

/// How long to wait between later ones: hundreds of programs that all wait must leave the one that works its time.
const LONGEST_PAUSE: Duration = Duration::from_millis(25);

/// Whether `file` is still the one at `path`. Where files have no numbers, `true`.
pub fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(file), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) {
        use std::os::unix::fs::MetadataExt;
        return (file.dev(), file.ino()) == (there.dev(), there.ino());
    }
    let _ = file;
    fs::symlink_metadata(path).is_ok()
}
