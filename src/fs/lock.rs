//! Locks of the operating system on open files. The system frees them when the process ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Locks `file`; waits at most `patience` for a program that holds it.
///
/// # Errors
/// [`TryLockError::WouldBlock`] when another program holds it all the time, and errors of file systems without locks.
pub fn wait(file: &File, patience: Duration) -> Result<(), TryLockError> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < patience => std::thread::sleep(PAUSE),
            result => return result,
        }
    }
}

/// How long to wait between two tries.
const PAUSE: Duration = Duration::from_millis(5);

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
