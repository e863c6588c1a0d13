//! Moving and removing whole folders, in one step each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::temporary::settle;

/// How the name of a folder begins that is being removed.
const GONE: &str = ".squad-lint-removed-";

/// Moves the folder `from` to `to`, where nothing may be, in one step: whoever looks finds all of it at one of the two places.
///
/// # Errors
/// When something is at `to`, when the two are on different file systems, and other errors of the file system.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    // The system refuses a folder that has come to be there meanwhile, unless it is empty.
    fs::rename(from, to)?;
    [from, to].into_iter().filter_map(Path::parent).for_each(settle);
    Ok(())
}

/// Why a folder was not removed, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// It is where it was.
    #[error(transparent)]
    Whole(#[from] io::Error),
    /// A part of it is left.
    #[error("the rest of it is in {} now", crate::terminal::display_path(rest.as_os_str().as_encoded_bytes()))]
    Rest {
        /// Where the rest is.
        rest: PathBuf,
        /// What stopped the removal.
        source: io::Error,
    },
}

/// Removes the folder at `path`. It is gone from its place in one step; if that is interrupted, [`rests`] has what is left.
///
/// # Errors
/// See [`RemoveError`].
pub fn remove(path: &Path) -> Result<(), RemoveError> {
    let name = path.file_name().unwrap_or_default();
    let parent = path.parent().unwrap_or(path);
    for number in 0.. {
        let mut gone = std::ffi::OsString::from(format!("{GONE}{number}-"));
        gone.push(name);
        let rest = parent.join(gone);
        match rename(path, &rest) {
            Ok(()) => return remove_all(&rest).map_err(|source| RemoveError::Rest { rest, source }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Removes the folder at `path`, the rest of one, which another run may be removing as well.
///
/// # Errors
/// What the operating system says.
pub fn remove_all(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(_) if !path.exists() => Ok(()),
        done => done,
    }
}

/// What an interrupted [`remove`] has left in the folder `parent`, in order.
pub fn rests(parent: &Path) -> Vec<PathBuf> {
    let is_left = |path: &PathBuf| {
        path.file_name().is_some_and(|name| is_being_removed(name.as_encoded_bytes()))
            && path.is_dir()
            && !path.is_symlink()
    };
    let mut rests: Vec<PathBuf> = entries(parent).filter(is_left).collect();
    rests.sort();
    rests
}

/// Whether the name is one of a folder that is being removed.
pub fn is_being_removed(name: &[u8]) -> bool {
    name.starts_with(GONE.as_bytes())
}

fn entries(parent: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_moved_over_anything() {
        let parent = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| parent.path().join(name));
        fs::create_dir_all(from.join("inner")).unwrap();
        fs::create_dir(&to).unwrap();
        assert_eq!(rename(&from, &to).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        fs::remove_dir(&to).unwrap();
        rename(&from, &to).unwrap();
        assert!(to.join("inner").is_dir() && !from.exists());
    }

    #[test]
    fn what_was_left_of_a_removal_goes_later() {
        let parent = tempfile::tempdir().unwrap();
        fs::create_dir_all(parent.path().join(".squad-lint-removed-0-a/inner")).unwrap();
        fs::create_dir_all(parent.path().join("a/inner")).unwrap();
        remove(&parent.path().join("a")).unwrap();
        for rest in rests(parent.path()) {
            remove_all(&rest).unwrap();
        }
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
