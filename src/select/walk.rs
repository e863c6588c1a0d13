//! The walk through the folders of a working tree. Whether git ignores a file does not matter: the state of a team counts, and of
//! all else only the folders that can lead to it.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bstr::{BStr, BString, ByteSlice};
use rayon::Scope;

use super::folder::{Kind, Top};
use super::ignored::Ignored;
use crate::dialects;
use crate::fs::path::{below, to_bytes};
use crate::fs::read::leads_out;
use crate::layout::roots::Roots;

/// Folders that hold no state and many files.
const NEVER_WALKED: [&str; 5] = [".git", "node_modules", "target", ".hg", ".jj"];

/// Gets what the walk finds.
pub(super) trait Visit: Sync {
    /// A file or link in a state root, a manifest, a bundle, a link in the place of a root, or a folder in a root that is named like a
    /// file. It is at `path`, which is `inner` in the repository.
    fn entry(&self, path: &Path, inner: BString, kind: Kind);

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
        let top = Top::new(self.root);
        rayon::scope(|scope| {
            for path in std::iter::once(self.root).chain(extra.iter().map(PathBuf::as_path)) {
                let above = self.above(around, path);
                let inner = path.strip_prefix(self.root).map(to_bytes).unwrap_or_default();
                let in_root = self.roots.is_root(inner.as_bstr());
                self.folder(scope, &top, Folder { path: path.to_owned(), inner, in_root, above });
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

    fn folder<'s>(&'s self, scope: &Scope<'s>, top: &'s Top, folder: Folder) {
        if self.met_door.load(Ordering::Relaxed) {
            return;
        }
        let (mut folders, mut has_ignores) = (Vec::new(), false);
        let mut inner = folder.inner.clone();
        if !inner.is_empty() {
            inner.push(b'/');
        }
        let before = inner.len();
        let may_hold_state = folder.in_root || self.roots.may_hold_manifest(folder.inner.as_bstr());
        let listed = top.list(&folder.path, folder.inner.as_bstr(), |name, kind| {
            let kind = match kind {
                Ok(kind) => kind,
                Err(error) => return self.visit.failure(&below(&folder.path, name), &error),
            };
            has_ignores |= name == ".gitignore";
            let is_found = || dialects::kind_anywhere(BStr::new(name.as_encoded_bytes())).is_some();
            if kind == Kind::File && !may_hold_state && !is_found() {
                return;
            }
            inner.truncate(before);
            inner.extend_from_slice(name.as_encoded_bytes());
            let is_root = || self.roots.is_root(inner.as_bstr());
            if kind == Kind::Folder {
                // A folder named like a file is worth a word. Not every `.lock` is a file of the team.
                let extension = Path::new(name).extension();
                let is_lock = || self.roots.locate(inner.as_bstr()).is_some_and(|found| found.kind.is_some());
                if folder.in_root
                    && (extension == Some(OsStr::new("md")) || extension == Some(OsStr::new("lock")) && is_lock())
                {
                    self.visit.entry(&below(&folder.path, name), inner.clone(), kind);
                }
                if Self::may_enter(name, &folder) {
                    let in_root = folder.in_root || is_root();
                    folders.push((below(&folder.path, name), inner.clone(), in_root));
                }
            } else if folder.in_root
                || self.roots.is_manifest(inner.as_bstr())
                || is_found()
                || kind == Kind::Link && is_root()
            {
                self.visit.entry(&below(&folder.path, name), inner.clone(), kind);
            }
        });
        if let Err(error) = listed {
            self.visit.failure(&folder.path, &error);
        }
        let ignored = match has_ignores && self.may_read(&folder.path) {
            true => folder.above.with_folder(&folder.path),
            false => folder.above,
        };
        for (path, inner, in_root) in folders {
            if in_root || !ignored.ignores(&path) {
                let below = Folder { path, inner, in_root, above: ignored.clone() };
                scope.spawn(move |scope| self.folder(scope, top, below));
            }
        }
    }

    /// Whether the walk goes into the folder of that name in `parent`.
    fn may_enter(name: &OsStr, parent: &Folder) -> bool {
        let is_own_git = name == ".git" && parent.inner.is_empty();
        !NEVER_WALKED.iter().any(|never| name == *never) || parent.in_root && name == ".git" && !is_own_git
    }
}
