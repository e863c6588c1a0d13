//! One process at a time reads and changes the locks of a session: `session lock` and the others, and `check --fix`.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::fs::write_error::WriteError;
use crate::fs::{atomic, lock};

/// What this program keeps beside the locks: the guard, and the waiting line.
pub const OWN: &str = ".squad-lint";

/// How long to wait for another process. It holds the guard for some milliseconds, unless it was stopped.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why the locks cannot be guarded.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// Another process holds the guard, and does not go on.
    #[error("another process has kept {} locked for {} seconds", crate::terminal::display_path(path.as_os_str().as_encoded_bytes()), PATIENCE.as_secs())]
    Stuck {
        /// The file that it holds.
        path: PathBuf,
    },
    /// The file system has no locks, or the file cannot be opened.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Held, no other process changes the locks in this folder. The file stays for ever: a process that still waits for a file that was
/// removed would not see the next one.
#[derive(Debug)]
pub struct Guard {
    /// The system lets go of it when it is closed.
    _file: File,
}

impl Guard {
    /// Waits for the guard of the folder `locks`, which is made if it is not there yet; its parent must be there.
    ///
    /// # Errors
    /// See [`GuardError`].
    pub fn take(locks: &Path) -> Result<Self, GuardError> {
        let own = locks.join(OWN);
        let path = own.join("guard");
        let start = Instant::now();
        loop {
            // Not with its parents: a session that was archived meanwhile does not come back.
            for folder in [locks, &own] {
                match fs::create_dir(folder) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
                    _ => {}
                }
            }
            // Over NFS only a file that is open for writing can be locked.
            let file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
            match lock::wait(&file, PATIENCE.saturating_sub(start.elapsed())) {
                // The folder can have been archived while this process waited.
                Ok(()) if !lock::is_at(&file, &path) => {}
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => return Err(GuardError::Stuck { path }),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
    }
}

/// Removes the lock at `path` under `root` (canonical), if it still holds `old`: its agent can have renewed it since it was read.
///
/// # Errors
/// See [`WriteError`]; the lock is then as it was.
pub fn remove(root: &Path, path: &Path, old: &[u8]) -> Result<(), WriteError> {
    let full = root.join(path);
    let folder = full.parent().unwrap_or(root);
    let failed = |step| move |source| WriteError::Io { step, path: path.into(), source };
    if folder.canonicalize().map_err(failed("read the folder of"))? != folder || full.is_symlink() {
        return Err(WriteError::Link { path: path.into() });
    }
    let _guard = Guard::take(folder).map_err(|error| match error {
        GuardError::Stuck { .. } => WriteError::Locked { path: path.into() },
        GuardError::Io(source) => failed("guard")(source),
    })?;
    atomic::remove(root, path, old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_removed_if_it_is_the_one_that_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::write(root.join("a.lock"), "renewed").unwrap();
        let error = remove(&root, Path::new("a.lock"), b"expired").unwrap_err();
        assert!(matches!(error, WriteError::Changed { .. }), "{error}");
        assert_eq!(fs::read(root.join("a.lock")).unwrap(), b"renewed");
        remove(&root, Path::new("a.lock"), b"renewed").unwrap();
        assert!(!root.join("a.lock").exists() && root.join(OWN).join("guard").exists());
    }
}
