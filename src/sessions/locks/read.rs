//! The locks that are in the folder.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;

use bstr::ByteSlice;

use super::named;
use super::subject::{Bases, Same};
use super::text::may_be_name;
use crate::formats::session::field::{Agent, Field, Operation};
use crate::formats::session::{Fault, Named, SessionFile};
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
    /// The files that it may lock, as it has them.
    files: Vec<String>,
    /// Its texts, however they are read: it may lock each file that these mention.
    texts: Vec<String>,
    /// Whether it locks no other file, whatever its name says.
    is_certain: bool,
}

impl Unreadable {
    /// Whether it may be a lock for the `same` file: by what it says, and by its name where that is not clear.
    pub(super) fn may_lock(&self, same: &Same<'_>) -> bool {
        let is_named = |file: &String| {
            may_be_name(self.name.as_encoded_bytes(), file) || self.texts.iter().any(|text| named::mentions(text, file))
        };
        self.files.iter().any(|file| same.is(file)) || !self.is_certain && same.names().iter().any(is_named)
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
            Err(Unread { files, texts, is_certain, reason }) => {
                unreadable.push(Unreadable { name, reason, files, texts, is_certain });
            }
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

/// Why a lock cannot be read, and the files that it may lock.
struct Unread {
    reason: String,
    files: Vec<String>,
    texts: Vec<String>,
    is_certain: bool,
}

impl Unread {
    /// For what may lock each file that its `bytes` name, and the one in its own name.
    fn unclear(reason: impl Into<String>, bytes: &[u8]) -> Self {
        let files = named::files(&bytes.to_str_lossy());
        Self { reason: reason.into(), files, texts: named::texts(bytes), is_certain: false }
    }

    /// For a lock of this `file`.
    fn certain(reason: String, file: &str) -> Self {
        Self { reason, files: vec![file.to_owned()], texts: Vec::new(), is_certain: true }
    }
}

/// The lock of that name; `None` if it has gone by now.
///
/// # Errors
/// Why it cannot be read, and what it may lock.
fn one(root: &Path, locks: &Path, name: &OsStr) -> Result<Option<Lock>, Unread> {
    let path = locks.join(name);
    let bytes = match read::read_inside(root, &path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(read::FileError::Io(_)) if read::leads_nowhere(&path) => return Err(Unread::unclear(read::NOWHERE, b"")),
        Err(read::FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error @ read::FileError::TooBig { .. }) => {
            return Err(Unread::unclear(error.to_string(), &read::start(&path, MOST_BYTES).unwrap_or_default()));
        }
        Err(error) => return Err(Unread::unclear(error.to_string(), b"")),
    };
    mask::learn(&bytes);
    let text = bytes.to_str().map_err(|_| Unread::unclear("it is not UTF-8", &bytes))?;
    let read = SessionFile::parse(text, Named::Lock);
    // Another program may read another file, or another end, where a key is there twice.
    let problem = read.problems.iter().find(|problem| problem.fault == Fault::Yaml);
    let Some(lock) = read.lock().filter(|_| problem.is_none()).cloned() else {
        let reason = match (problem.or(read.problems.first()), read.kind) {
            (Some(problem), _) => problem.message.clone(),
            (None, Some(kind)) => format!("its content is that of {}", kind.noun()),
            (None, None) => "it has no fields".to_owned(),
        };
        return Err(Unread::unclear(reason, &bytes));
    };
    let written = lock.file.ok_or_else(|| Unread::unclear("it has no valid `file`", &bytes))?.value;
    let missing = |field: &str| Unread::certain(format!("it has no valid `{field}`"), &written);
    let locked_by = lock.locked_by.ok_or_else(|| missing("locked_by"))?.value;
    let expires_at = lock.expires_at.ok_or_else(|| missing("expires_at"))?;
    Ok(Some(Lock {
        name: name.to_owned(),
        locked_by,
        locked_at: lock.locked_at.map(|at| at.value),
        expires_at: not_before(&expires_at, text),
        // Another program can call the file by another name.
        file: Bases::of(root, locks).written(&written),
        written,
        task_id: lock.task_id.map(|id| id.value),
        operation: lock.operation.map(|operation| operation.value),
    }))
}

/// The first whole second that is not before the moment `at` in `text`, where it may have a fraction of a second.
fn not_before(at: &Field<Timestamp>, text: &str) -> Timestamp {
    let fraction = at.span.of(text).split_once('.').map_or("", |(_, fraction)| fraction);
    let mut digits = fraction.bytes().take_while(u8::is_ascii_digit);
    at.value.plus_seconds(i64::from(digits.any(|digit| digit != b'0')))
}
