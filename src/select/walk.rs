//! The walk through the folders of a work tree. Whether git ignores a file does not matter: the state of a team counts, and of
//! all else only the folders that can lead to it.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bstr::{BString, ByteSlice};
use rayon::Scope;

use super::ignored::Ignored;
use crate::fs::path::to_bytes;
use crate::fs::read::leads_out;
use crate::layout::roots::Roots;

/// Folders that hold no state and many files.
const NEVER_WALKED: [&str; 5] = [".git", "node_modules", "target", ".hg", ".jj"];

/// Gets what the walk finds.
pub(super) trait Visit: Sync {
    /// A file or link in a state root, a manifest, a link in the place of a root, or a folder in a root that is named like a
    /// file. It is at `path`, which is `inner` in the repository.
    fn entry(&self, path: &Path, inner: BString, kind: FileType);

    /// A folder that cannot be read, or not to its end.
    fn failure(&self, path: &Path, error: &io::Error);
}

/// A walk.
pub(super) struct Walk<'a, V> {
    /// The repository's root.
    pub root: &'a Path,
    /// What to look for.
    pub roots: &'a Roots,
    /// Whether `.gitignore` files count.
    pub with_ignores: bool,
    /// The visitor: it is called with what the walk finds.
    pub visit: &'a V,
    /// Whether one of those files must not be read: a link out of the repository, which git follows neither, or what has no
    /// end.
    pub met_door: AtomicBool,
}

/// A folder to walk.
struct Folder {
    path: PathBuf,
    inner: BString,
    in_root: bool,
    /// What is ignored by the files above.
    above: Ignored,
}

impl<V: Visit> Walk<'_, V> {
    /// Walks the repository, and the folders `extra`, whatever ignores these.
    pub(super) fn run(&self, around: &Ignored, extra: &[PathBuf]) {
        rayon::scope(|scope| {
            for path in std::iter::once(self.root).chain(extra.iter().map(PathBuf::as_path)) {
                let above = self.above(around, path);
                let inner = path.strip_prefix(self.root).map(to_bytes).unwrap_or_default();
                let in_root = self.roots.is_root(inner.as_bstr());
                self.folder(scope, Folder { path: path.to_owned(), inner, in_root, above });
            }
        });
    }

    /// What is ignored in the folder that holds `path`.
    fn above(&self, around: &Ignored, path: &Path) -> Ignored {
        let mut folders: Vec<_> = path.ancestors().skip(1).take_while(|folder| folder.starts_with(self.root)).collect();
        folders.reverse();
        let join = |above: Ignored, folder: &Path| match self.may_read(folder) {
            true => above.with_folder(folder),
            false => above,
        };
        folders.into_iter().fold(around.clone(), join)
    }

    /// Whether the `.gitignore` of `folder` counts and may be read.
    fn may_read(&self, folder: &Path) -> bool {
        let path = folder.join(".gitignore");
        let is_file = path.symlink_metadata().map_or(true, |metadata| metadata.is_file());
        let is_door =
            !is_file && (leads_out(self.root, &path) || path.metadata().is_ok_and(|metadata| !metadata.is_file()));
        if is_door && self.with_ignores {
            self.met_door.store(true, Ordering::Relaxed);
        }
        self.with_ignores && !is_door
    }

    fn folder<'s>(&'s self, scope: &Scope<'s>, folder: Folder) {
        if self.met_door.load(Ordering::Relaxed) {
            return;
        }
        let failed = |error: &io::Error| self.visit.failure(&folder.path, error);
        let entries = match fs::read_dir(&folder.path) {
            Ok(entries) => entries,
            Err(error) => return failed(&error),
        };
        let (mut folders, mut has_ignores) = (Vec::new(), false);
        let mut inner = folder.inner.clone();
        if !inner.is_empty() {
            inner.push(b'/');
        }
        let before = inner.len();
        let may_hold_state = folder.in_root || self.roots.may_hold_manifest(folder.inner.as_bstr());
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    failed(&error);
                    continue;
                }
            };
            let kind = match entry.file_type() {
                Ok(kind) => kind,
                Err(error) => {
                    self.visit.failure(&entry.path(), &error);
                    continue;
                }
            };
            let name = entry.file_name();
            has_ignores |= name == ".gitignore";
            if kind.is_file() && !may_hold_state {
                continue;
            }
            inner.truncate(before);
            inner.extend_from_slice(name.as_encoded_bytes());
            let is_root = || self.roots.is_root(inner.as_bstr());
            if kind.is_dir() {
                // A folder named like a file is worth a word.
                if folder.in_root && Path::new(&name).extension() == Some(OsStr::new("md")) {
                    self.visit.entry(&entry.path(), inner.clone(), kind);
                }
                if Self::may_enter(&name, &folder) {
                    let in_root = folder.in_root || is_root();
                    folders.push((name, in_root));
                }
            } else if folder.in_root || self.roots.is_manifest(inner.as_bstr()) || kind.is_symlink() && is_root() {
                self.visit.entry(&entry.path(), inner.clone(), kind);
            }
        }
        let ignored = match has_ignores && self.may_read(&folder.path) {
            true => folder.above.with_folder(&folder.path),
            false => folder.above,
        };
        for (name, in_root) in folders {
            let path = folder.path.join(&name);
            if !in_root && ignored.ignores(&path) {
                continue;
            }
            inner.truncate(before);
            inner.extend_from_slice(name.as_encoded_bytes());
            let below = Folder { path, inner: inner.clone(), in_root, above: ignored.clone() };
            scope.spawn(move |scope| self.folder(scope, below));
        }
    }

    /// Whether the walk goes into the folder of that name in `parent`.
    fn may_enter(name: &OsStr, parent: &Folder) -> bool {
        !NEVER_WALKED.iter().any(|never| name == *never) || parent.in_root && name == ".git"
    }
}
