//! A new folder with files, whole or not at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::signals::Held;
use super::temporary::settle;

/// The start of the names of temporary folders.
const PREFIX: &str = ".squad-lint-folder-";

/// How many letters and digits follow.
const RANDOM: usize = 6;

/// What a new folder contains.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// The bytes of each file, by its path in the folder, with `/` between the parts.
    pub files: &'a BTreeMap<String, Vec<u8>>,
    /// The paths of folders without files, in the same form.
    pub empty: &'a [&'a str],
}

/// Makes the folder `name` with `contents` in the folder `parent` (canonical). All of it is there in one step, or nothing.
///
/// The files are written to a temporary folder in `parent`, which git ignores, and flushed to the disk. Then the new folder is moved
/// to its place. A signal that ends the program does so after the temporary folder is removed. If the process is killed, the folder
/// stays, and [`sweep`] removes it.
///
/// # Errors
/// If something of that name exists, or the system refuses a step. Then no such folder was made.
pub fn create(parent: &Path, name: &str, contents: Contents<'_>) -> io::Result<()> {
    // As long as this lock is held, no other process sweeps.
    let lock = File::open(parent);
    if cfg!(unix)
        && let Ok(lock) = &lock
    {
        let _ = lock.lock_shared();
    }
    // If one has come, this ends the program when it is dropped, after the temporary folder.
    let signals = Held::new();
    // On the disk of the new folder, so that this can be moved.
    let temporary = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempdir_in(parent)?;
    fs::write(temporary.path().join(".gitignore"), "*\n")?;
    // The folder that moves gets the permissions of any new folder; a temporary one is private.
    let folder = temporary.path().join("new");
    fs::create_dir(&folder)?;
    for empty in contents.empty {
        fs::create_dir_all(folder.join(empty))?;
    }
    for (path, bytes) in contents.files {
        signals.check()?;
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        // Names that differ here can be one name on this disk.
        let mut file = File::options().write(true).create_new(true).open(&path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    let target = parent.join(name);
    if target.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    signals.check()?;
    fs::rename(&folder, target)?;
    settle(parent);
    Ok(())
}

/// Removes from `parent` the temporary folders of processes that were killed in [`create`], unless another process is in it now.
pub fn sweep(parent: &Path) {
    if cfg!(not(unix)) {
        return; // Folders have no locks there, and nothing tells what was left from what is being written.
    }
    let Ok(lock) = File::open(parent) else { return };
    let (Ok(()), Ok(entries)) = (lock.try_lock(), fs::read_dir(parent)) else { return };
    let is_temporary = |name: &str| {
        let random = name.strip_prefix(PREFIX).unwrap_or_default();
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && entry.file_name().to_str().is_some_and(is_temporary) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_made_once() {
        let parent = tempfile::tempdir().unwrap();
        let files = BTreeMap::from([("a/b.md".to_owned(), b"text".to_vec())]);
        let contents = Contents { files: &files, empty: &["log", "c/d"] };
        create(parent.path(), "new", contents).unwrap();
        assert_eq!(fs::read(parent.path().join("new/a/b.md")).unwrap(), b"text");
        assert_eq!(names(&parent.path().join("new")), ["a", "c", "log"]);
        let again = create(parent.path(), "new", contents).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(parent.path()), ["new"]);
    }

    #[cfg(unix)]
    #[test]
    fn only_what_is_left_over_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let left = parent.path().join(".squad-lint-folder-a1B2c3");
        fs::create_dir_all(left.join("new")).unwrap();
        for other in [".squad-lint-folder-notes", ".squad-lint-folder-a1B2c", ".squad-lint-folder-", "a1B2c3"] {
            fs::create_dir(parent.path().join(other)).unwrap();
        }
        fs::write(parent.path().join(".squad-lint-folder-aaaaaa"), "").unwrap();
        let other_process = File::open(parent.path()).unwrap();
        other_process.lock_shared().unwrap();
        sweep(parent.path());
        assert!(left.exists());
        other_process.unlock().unwrap();
        sweep(parent.path());
        assert!(!left.exists());
        assert_eq!(names(parent.path()).len(), 5);
    }
}
