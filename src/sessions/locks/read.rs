//! The locks that are in the folder.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;

use bstr::ByteSlice;

use super::subject::{Bases, Same};
use super::text::prefix;
use crate::formats::session::field::{Agent, Field, Operation};
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
    /// The same as the lock has it.
    pub(super) written: String,
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
    /// The file that it locks, where it says so.
    file: Option<String>,
}

impl Unreadable {
    /// Whether it may be a lock for the `same` file: by what it says, else by its name.
    pub(super) fn may_lock(&self, same: &Same<'_>) -> bool {
        let name = self.name.as_encoded_bytes();
        match &self.file {
            Some(own) => same.is(own),
            // Others write the whole path into the name.
            None => same.names().any(|file| {
                name.starts_with_str(prefix(&file)) || name.starts_with_str(format!("{}-", file.replace('/', "_")))
            }),
        }
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
            Err((file, reason)) => unreadable.push(Unreadable { name, reason, file }),
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
        Err(error) if error.kind() == io::ErrorKind::NotFound && !locks.is_symlink() => return Ok(Vec::new()),
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

/// The `text` of a lock with another end, and all else as it is; `None` if that cannot be written into it.
pub(super) fn with_end(text: &str, expires_at: Timestamp) -> Option<String> {
    let read = |text: &str| SessionFile::parse(text, Named::Lock).lock().cloned();
    let old = read(text)?;
    let span = old.expires_at.as_ref()?.span;
    let text = format!("{}{}{}", text.get(..span.start())?, expires_at.in_utc(), text.get(span.end()..)?);
    let new = read(&text)?;
    let moment = |at: &Option<Field<Timestamp>>| at.as_ref().map(|at| at.value.unix());
    // An alias leads to the value of another field, which has to stay.
    let is_as_wanted =
        moment(&new.expires_at) == Some(expires_at.unix()) && moment(&new.locked_at) == moment(&old.locked_at);
    is_as_wanted.then_some(text)
}

/// The lock of that name; `None` if it has gone by now.
///
/// # Errors
/// The file that it locks, where it says so, and why it cannot be read.
fn one(root: &Path, locks: &Path, name: &OsStr) -> Result<Option<Lock>, (Option<String>, String)> {
    let path = locks.join(name);
    let bytes = match read::read_inside(root, &path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(read::FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return Err((None, read::NOWHERE.to_owned()));
        }
        Err(read::FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err((None, error.to_string())),
    };
    mask::learn(&bytes);
    let text = bytes.to_str().map_err(|_| (None, "it is not UTF-8".to_owned()))?;
    let read = SessionFile::parse(text, Named::Lock);
    let Some(lock) = read.lock().cloned() else {
        let reason = match (read.problems.first(), read.kind) {
            (Some(problem), _) => problem.message.clone(),
            (None, Some(kind)) => format!("its content is that of {}", kind.noun()),
            (None, None) => "it has no fields".to_owned(),
        };
        return Err((None, reason));
    };
    let written = lock.file.ok_or_else(|| (None, "it has no valid `file`".to_owned()))?.value;
    let missing = |field: &str| (Some(written.clone()), format!("it has no valid `{field}`"));
    Ok(Some(Lock {
        name: name.to_owned(),
        locked_by: lock.locked_by.ok_or_else(|| missing("locked_by"))?.value,
        locked_at: lock.locked_at.map(|at| at.value),
        expires_at: lock.expires_at.ok_or_else(|| missing("expires_at"))?.value,
        // Another program can call the file by another name.
        file: Bases::of(root, locks).written(&written),
        written,
        task_id: lock.task_id.map(|id| id.value),
        operation: lock.operation.map(|operation| operation.value),
    }))
}
