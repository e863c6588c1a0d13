//! The files of a session, read while others write them.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::formats::session::{Named, SessionFile};
use crate::fs::read::{self, FileError};
use crate::fs::stamp::Stamp;
use crate::text::mask;

/// No file of a session is larger.
pub const MOST_BYTES: u64 = 16 << 20;

/// The files of a session. They can be read again, and then only those that changed.
#[derive(Debug, Default)]
pub struct Files {
    /// Those that are files of the protocol, by their paths in the folder of the session.
    pub files: BTreeMap<BString, Arc<SessionFile>>,
    /// Those that should be, and why they cannot be read.
    pub unreadable: BTreeMap<BString, String>,
    /// By which each is known again.
    known: BTreeMap<BString, Known>,
}

/// By what a file is known again.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// `None` if it had just changed.
    stamp: Option<Stamp>,
    /// The hash of its bytes.
    hash: u64,
}

impl Files {
    /// Reads the files of the session in `folder`, but locks; says whether one of them changed. `root` is the root of the repository.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn refresh(&mut self, root: &Path, folder: &Path) -> io::Result<bool> {
        let (mut new, mut has_changed) = (Self::default(), false);
        for entry in fs::read_dir(folder)? {
            let name = BString::from(entry?.file_name().as_encoded_bytes());
            let Some(named) = Named::of(&name) else { continue };
            let Ok(path) = name.to_path().map(|name| folder.join(name)) else { continue };
            let stamp = Stamp::of(&path);
            let old = self.known.remove(&name);
            if let Some(old) = old
                && stamp.is_some()
                && old.stamp == stamp
            {
                self.hand_over(&name, &mut new);
                new.known.insert(name, old);
                continue;
            }
            let (hash, read) = one(root, &path, named);
            if old.is_some_and(|old| old.hash == hash) {
                self.hand_over(&name, &mut new);
            } else {
                has_changed = true;
                match read {
                    Ok(Some(file)) => drop(new.files.insert(name.clone(), Arc::new(file))),
                    // Removed, or a file of another program.
                    Ok(None) => {}
                    Err(reason) => drop(new.unreadable.insert(name.clone(), reason)),
                }
            }
            new.known.insert(name, Known { stamp, hash });
        }
        // What is left was removed.
        has_changed |= !self.known.is_empty();
        *self = new;
        Ok(has_changed)
    }

    fn hand_over(&mut self, name: &BString, to: &mut Self) {
        to.files.extend(self.files.remove_entry(name));
        to.unreadable.extend(self.unreadable.remove_entry(name));
    }
}

/// The file at `path`, after a hash of its bytes; `None` if it has gone by now, or is of another program.
fn one(root: &Path, path: &Path, named: Named) -> (u64, Result<Option<SessionFile>, String>) {
    match read::read_inside(root, path, MOST_BYTES) {
        Ok(bytes) => {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            (hasher.finish(), parsed(&bytes, named, Named::is_yaml(path.as_os_str().as_encoded_bytes())))
        }
        Err(FileError::Io(_)) if read::leads_nowhere(path) => (2, Err(read::NOWHERE.to_owned())),
        Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => (0, Ok(None)),
        Err(error) => (1, Err(error.to_string())),
    }
}

fn parsed(bytes: &[u8], named: Named, is_yaml: bool) -> Result<Option<SessionFile>, String> {
    mask::learn(bytes);
    let text = bytes.to_str().map_err(|_| "it is not UTF-8".to_owned())?;
    let file = if is_yaml { SessionFile::parse_yaml(text, named) } else { SessionFile::parse(text, named) };
    match (&file.content, file.problems.first()) {
        (Some(_), _) => Ok(Some(file)),
        (None, Some(problem)) => Err(problem.message.clone()),
        // Other programs have files of the other names.
        (None, None) if named.is_certain() => Err(format!("prose, without the fields of {}", named.noun())),
        (None, None) => Ok(None),
    }
}
