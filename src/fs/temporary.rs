//! The files that new bytes are written to, before they take the place of the old ones.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

/// An empty file is left if it is so old. A younger one may be about to be locked.
const OLD: Duration = Duration::from_secs(60 * 60);

/// Removes from `folder` what runs that were killed have left: files `.squad-lint-*.tmp` that hold something, or are old, and on
/// which no run holds a lock. Says how many there were.
pub fn sweep(folder: &Path) -> usize {
    if cfg!(not(unix)) {
        return 0; // Without locks nothing tells what is left from what is being written.
    }
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let is_left = |path: &Path| {
        let is_old =
            |metadata: &Metadata| metadata.modified().is_ok_and(|at| at.elapsed().is_ok_and(|elapsed| elapsed > OLD));
        let is_file = |metadata: Metadata| metadata.is_file() && (metadata.len() > 0 || is_old(&metadata));
        fs::symlink_metadata(path).is_ok_and(is_file) && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
    };
    let named = |name: &str| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
    let left = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(named));
    left.filter(|entry| is_left(&entry.path()) && fs::remove_file(entry.path()).is_ok()).count()
}

const PREFIX: &str = ".squad-lint-";

const SUFFIX: &str = ".tmp";

/// Names that [`sweep`] knows.
pub(super) fn named() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    builder
}

/// A new file, locked, which no other user may read, or with `mode` as the user's umask allows.
pub(super) fn temporary(folder: &Path, mode: Option<u32>) -> io::Result<NamedTempFile> {
    let mut builder = named();
    #[cfg(unix)]
    if let Some(mode) = mode {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    let file = builder.tempfile_in(folder)?;
    // Tells `sweep` that it is in use. Where there are no locks, nothing is swept.
    if cfg!(unix) {
        let _ = file.as_file().try_lock();
    }
    Ok(file)
}

/// Makes the new name last through a crash. The file is in its place by now: a folder that cannot be flushed loses nothing.
pub(super) fn settle(folder: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}
