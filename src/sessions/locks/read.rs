//! The locks that are in the folder.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;

use bstr::ByteSlice;

use super::subject;
use super::text::prefix;
use crate::formats::session::field::{Agent, Operation};
use crate::formats::session::{Named, SessionFile};
use crate::formats::timestamp::Timestamp;
use crate::fs::read;
use crate::terminal::display_path;
use crate::text::mask;

/// A lock has some hundred bytes.
const MOST_BYTES: u64 = 1 << 16;

/// A lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The name of its file in `locks/`.
    pub name: OsString,
    /// The file that it locks: its path below the root.
    pub file: String,
    /// Who holds it.
    pub locked_by: Agent,
    /// Since when; `None` if it does not say so.
    pub locked_at: Option<Timestamp>,
    /// Until when, without that moment.
    pub expires_at: Timestamp,
    /// For which task.
    pub task_id: Option<String>,
    /// What happens to the file.
    pub operation: Option<Operation>,
}

impl Lock {
    /// Whether its time is over.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.unix() <= now.unix()
    }
}

/// A file in `locks/` that should be a lock, and is none that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The name of the file.
    pub name: OsString,
    /// Why not.
    pub reason: String,
}

impl Unreadable {
    /// Whether it may be a lock for `file`, as far as its name says.
    pub(super) fn may_lock(&self, file: &str) -> bool {
        self.name.as_encoded_bytes().starts_with_str(prefix(file))
    }

    /// The name of the file, for people.
    pub fn shown(&self) -> String {
        display_path(self.name.as_encoded_bytes())
    }
}

/// All locks in the folder `locks`; `root` is the root of the repository. A folder that is not there has none.
///
/// # Errors
/// When the folder cannot be listed.
pub fn all(root: &Path, locks: &Path) -> io::Result<(Vec<Lock>, Vec<Unreadable>)> {
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    for name in names(locks)? {
        match one(root, locks, &name) {
            Ok(Some(lock)) => found.push(lock),
            Ok(None) => {}
            Err(reason) => unreadable.push(Unreadable { name, reason }),
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok((found, unreadable))
}

/// The names of the files in the folder `locks` that are called like locks, in order.
///
/// # Errors
/// When the folder cannot be listed.
pub fn names(locks: &Path) -> io::Result<Vec<OsString>> {
    let entries = match fs::read_dir(locks) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        if Named::of(&[b"locks/", name.as_encoded_bytes()].concat()) == Some(Named::Lock) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The lock of that name; `None` if it has gone by now.
fn one(root: &Path, locks: &Path, name: &OsStr) -> Result<Option<Lock>, String> {
    let path = locks.join(name);
    let bytes = match read::read_inside(root, &path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(read::FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return Err(read::NOWHERE.to_owned());
        }
        Err(read::FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    mask::learn(&bytes);
    let text = bytes.to_str().map_err(|_| "it is not UTF-8".to_owned())?;
    let read = SessionFile::parse(text, Named::Lock);
    let Some(lock) = read.lock().cloned() else {
        return Err(match (read.problems.first(), read.kind) {
            (Some(problem), _) => problem.message.clone(),
            (None, Some(kind)) => format!("its content is that of {}", kind.noun()),
            (None, None) => "it has no fields".to_owned(),
        });
    };
    let missing = |field: &str| format!("it has no valid `{field}`");
    let file = lock.file.ok_or_else(|| missing("file"))?.value;
    // Another program can call the file by another name.
    let file = subject::of(root, root, Path::new(&file)).unwrap_or(file);
    Ok(Some(Lock {
        name: name.to_owned(),
        file,
        locked_by: lock.locked_by.ok_or_else(|| missing("locked_by"))?.value,
        locked_at: lock.locked_at.map(|at| at.value),
        expires_at: lock.expires_at.ok_or_else(|| missing("expires_at"))?.value,
        task_id: lock.task_id.map(|id| id.value),
        operation: lock.operation.map(|operation| operation.value),
    }))
}
