//! The file that a lock is for, under one name whatever it is called.

use std::io;
use std::path::{Component, Path, PathBuf};

use bstr::ByteSlice;

use super::named::with_slashes;
use crate::dialects::sessions::SESSIONS;
use crate::fs::path::to_bytes;
use crate::terminal::display_path;

/// Why a file cannot be locked.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SubjectError {
    /// It is not in the repository.
    #[error("cannot lock {}: it is outside of {}", shown(path), shown(root))]
    #[diagnostic(help("a session locks only files of its own repository; name another one with `--root DIR`"))]
    Outside {
        /// The file as given.
        path: PathBuf,
        /// The root of the repository.
        root: PathBuf,
    },
    /// It is a folder.
    #[error("cannot lock {}: it is a folder", shown(path))]
    #[diagnostic(help("lock each file that changes; a lock on a folder would not cover the files in it"))]
    Folder {
        /// The folder as given.
        path: PathBuf,
    },
    /// It is called like a folder.
    #[error("cannot lock {}: a path that ends with `/` is a folder", shown(path))]
    #[diagnostic(help("lock each file that changes; a lock on a folder would not cover the files in it"))]
    FolderName {
        /// The folder as given.
        path: PathBuf,
    },
    /// Its name cannot be written into a lock.
    #[error("cannot lock {}: its name is not UTF-8", shown(path))]
    #[diagnostic(help("a lock is YAML, which must be UTF-8; rename the file"))]
    NotUtf8 {
        /// The file as given.
        path: PathBuf,
    },
    /// Its name has a line break.
    #[error("cannot lock {}: its name has a line break", shown(path))]
    #[diagnostic(help("agents read a lock line by line; rename the file"))]
    LineBreak {
        /// The file as given.
        path: PathBuf,
    },
    /// Its name has only blanks.
    #[error("cannot lock {}: its name has only spaces", shown(path))]
    #[diagnostic(help("agents read such a field as empty; rename the file"))]
    Blank {
        /// The file as given.
        path: PathBuf,
    },
    /// It is longer than the file system allows, so that there is no such file.
    #[error("cannot lock {}: its path, or a name in it, is too long for the file system", shown(path))]
    #[diagnostic(help("correct the path of the file"))]
    TooLong {
        /// The file as given.
        path: PathBuf,
    },
    /// The folders on the way to it cannot be read.
    #[error("cannot lock {}", shown(path))]
    Unreachable {
        /// The file as given.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

fn shown(path: &Path) -> String {
    display_path(path.as_os_str().as_encoded_bytes())
}

/// A file that can be locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The name that locks have for it: its path below the root of the repository.
    pub name: String,
    /// Its real path, whether it is there or not.
    path: PathBuf,
    /// The path by which it was called, which a link may have.
    called: PathBuf,
}

impl Subject {
    /// By which the file is known whatever it is called: the same for all runs, also on other machines.
    pub(super) fn identity(&self, locks: &Path) -> Vec<u8> {
        if let Some((_, inode)) = number(&self.path) {
            return inode.to_string().into_bytes();
        }
        // The way from the locks: up to the first folder that the file is in, and down again.
        let way = locks.ancestors().enumerate().find_map(|(up, base)| Some((up, self.path.strip_prefix(base).ok()?)));
        let (up, inner) = way.unwrap_or((0, &self.path));
        [format!("{up}/").as_bytes(), to_bytes(inner).as_slice()].concat()
    }
}

/// The folders that the paths in the locks of one folder may begin at. One run has the root of the repository, and another one that
/// of `--root`, or of the folder in which it was started: the name of a file must not follow from that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bases<'a> {
    /// The folder of the locks, canonical. Each run has its root above it.
    locks: &'a Path,
    /// The root of this run.
    root: &'a Path,
    /// The folder that holds the state root, where this has a usual name.
    home: Option<&'a Path>,
    /// The root of the repository around `home`, or around the locks; without git, `home`. Files in it are called by their paths
    /// below it.
    top: Option<&'a Path>,
}

impl<'a> Bases<'a> {
    /// Those of the folder `locks`, for a run with this `root`.
    pub(super) fn of(root: &'a Path, locks: &'a Path) -> Self {
        let sessions = locks.ancestors().nth(2).filter(|path| SESSIONS.iter().any(|usual| path.ends_with(usual)));
        let home = sessions.and_then(|sessions| sessions.ancestors().nth(2));
        let with_git = |home: &'a Path| home.ancestors().find(|folder| folder.join(".git").exists());
        let top = home.map_or_else(|| with_git(locks), |home| Some(with_git(home).unwrap_or(home)));
        Self { locks, root, home, top }
    }

    /// The folders that a path in a lock may begin at, if it is that of the file at `path`.
    fn readings(self, path: &Path) -> Vec<&'a Path> {
        if self.top.is_none_or(|top| !path.starts_with(top)) {
            // It is called by its path below the root of the run that locks it, which may be any of these.
            return self.locks.ancestors().collect();
        }
        let mut bases: Vec<&Path> = [self.top, self.home, Some(self.root)].into_iter().flatten().collect();
        bases.sort_unstable();
        bases.dedup();
        bases
    }

    /// The name of the file at `path`; `None` if it is not in the repository.
    fn name(self, path: &Path) -> Option<&Path> {
        self.top.into_iter().chain([self.root]).find_map(|base| path.strip_prefix(base).ok())
    }

    /// The path `file` of a lock, as this program would write it; as it is, if that cannot be known.
    pub(super) fn written(self, file: &str) -> String {
        self.of_lock(file).map_or_else(|_| file.to_owned(), |subject| subject.name)
    }

    /// The file that a lock calls `file`.
    ///
    /// # Errors
    /// See [`SubjectError`].
    pub(super) fn of_lock(self, file: &str) -> Result<Subject, SubjectError> {
        self.subject(self.top.unwrap_or(self.root), Path::new(file))
    }

    /// The file `path`, seen from the folder `from`, which is canonical.
    ///
    /// # Errors
    /// See [`SubjectError`].
    pub(super) fn subject(self, from: &Path, path: &Path) -> Result<Subject, SubjectError> {
        let at = real(from, path).map_err(|source| match source.kind() {
            io::ErrorKind::InvalidFilename => SubjectError::TooLong { path: path.into() },
            _ => SubjectError::Unreachable { path: path.into(), source },
        })?;
        let Some(inner) = self.name(&at) else {
            return Err(SubjectError::Outside { path: path.into(), root: self.root.into() });
        };
        if at.is_dir() || inner.as_os_str().is_empty() {
            return Err(SubjectError::Folder { path: path.into() });
        }
        let text = path.as_os_str().to_string_lossy();
        if text.strip_suffix('.').unwrap_or(&text).ends_with(std::path::is_separator) {
            return Err(SubjectError::FolderName { path: path.into() });
        }
        match to_bytes(inner).to_str() {
            Ok(name) if name.contains(['\n', '\r']) => Err(SubjectError::LineBreak { path: path.into() }),
            Ok(name) if name.trim().is_empty() => Err(SubjectError::Blank { path: path.into() }),
            Ok(name) => Ok(Subject { name: name.to_owned(), path: at, called: joined(from, path) }),
            Err(_) => Err(SubjectError::NotUtf8 { path: path.into() }),
        }
    }
}

/// The real path of the file `path`, seen from the folder `from`, which is canonical. Links, `.` and `..` are followed as the system
/// does, as far as there is something; the file need not be there.
fn real(from: &Path, path: &Path) -> io::Result<PathBuf> {
    let mut at = from.to_path_buf();
    for part in path.components() {
        match part {
            Component::CurDir => continue,
            Component::ParentDir => {
                at.pop();
                continue;
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => at.push(part),
        }
        match at.canonicalize() {
            Ok(canonical) => at = canonical,
            // The same file as when it is there: another branch may not have it.
            Err(error) if error.kind() == io::ErrorKind::NotFound && at.is_symlink() => {
                at = end_of_links(at);
            }
            // What is not there has one name only. A file on the way cannot have anything in it, now.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(source) => return Err(source),
        }
    }
    Ok(at)
}

/// The path of `path`, seen from the folder `from`, with its links as they are.
fn joined(from: &Path, path: &Path) -> PathBuf {
    let mut at = from.to_path_buf();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(at.pop()),
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => at.push(part),
        }
    }
    at
}

/// As many links in a row as Linux follows.
const LINKS_MAX: usize = 40;

/// Where the link `at` leads to in the end, which is not there.
fn end_of_links(mut at: PathBuf) -> PathBuf {
    // The system calls no circle of links missing: this ends, but for links that change meanwhile.
    for _ in 0..LINKS_MAX {
        let Ok(target) = at.read_link() else { break };
        let mut next = at.parent().unwrap_or(&at).to_path_buf();
        for part in target.components() {
            next = joined(&next, Path::new(&part));
            next = next.canonicalize().unwrap_or(next);
        }
        at = next;
    }
    at
}

/// A file, to be compared with those of locks: hard links are names of one file.
pub(super) struct Same<'a> {
    path: &'a Path,
    /// The path by which it was called.
    called: &'a Path,
    /// Where the paths in locks may begin.
    bases: Vec<&'a Path>,
    /// Of a file with several names.
    number: Option<(u64, u64)>,
}

impl<'a> Same<'a> {
    /// The file `subject`, where paths begin at one of `bases`.
    pub(super) fn of(bases: Bases<'a>, subject: &'a Subject) -> Self {
        let path = subject.path.as_path();
        Self { path, called: &subject.called, bases: bases.readings(path), number: number(path) }
    }

    /// Whether the path `written` in a lock may be that of the same file: where it may begin at several folders, it holds each of
    /// these files.
    pub(super) fn is(&self, written: &str) -> bool {
        // On Windows, both are slashes.
        let in_windows = written.contains('\\').then(|| with_slashes(written));
        let spellings = || [Some(written), in_windows.as_deref()].into_iter().flatten();
        let paths = self.bases.iter().flat_map(|base| spellings().filter_map(|path| real(base, Path::new(path)).ok()));
        let mut paths = paths.map(|path| path == self.path || self.number.is_some() && self.number == number(&path));
        paths.any(|is_same| is_same)
    }

    /// The paths that locks may have for it: also the one by which it was called, and those of hard links beside it.
    pub(super) fn names(&self) -> Vec<String> {
        let beside = self.number.and_then(|_| std::fs::read_dir(self.path.parent()?).ok()).into_iter().flatten();
        let beside = beside.flatten().map(|entry| entry.path()).filter(|path| number(path) == self.number);
        let paths: Vec<PathBuf> = [self.path, self.called].into_iter().map(Path::to_owned).chain(beside).collect();
        let names = paths.iter().flat_map(|path| self.bases.iter().filter_map(|base| path.strip_prefix(base).ok()));
        // Others write the whole path.
        names.chain([self.path]).filter_map(|name| to_bytes(name).to_str().ok().map(str::to_owned)).collect()
    }
}

/// By which a file with several names is known again; `None` where files have no numbers.
fn number(path: &Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let metadata = std::fs::metadata(path).ok().filter(|metadata| metadata.nlink() > 1)?;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(root: &Path, from: &Path, path: &Path) -> Result<String, SubjectError> {
        let locks = root.join(".squad/sessions/s/locks");
        Bases::of(root, &locks).subject(from, path).map(|subject| subject.name)
    }

    #[test]
    fn a_file_has_one_name() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("sub/inner")).unwrap();
        std::fs::write(root.join("a"), "").unwrap();
        let of = |path: &str| name(&root, &root.join("sub"), Path::new(path));
        let absolute = root.join("sub/../a").to_str().unwrap().to_owned();
        for path in ["../a", "./../a", "inner/../../a", "new/../../a", "..//a", absolute.as_str()] {
            assert_eq!(of(path).unwrap(), "a", "{path}");
        }
        assert_eq!(of("new/../b/c.rs").unwrap(), "sub/b/c.rs");
        assert!(matches!(of("inner"), Err(SubjectError::Folder { .. })));
        for path in ["nosuch/", "nosuch/.", "../a/"] {
            assert!(matches!(of(path), Err(SubjectError::FolderName { .. })), "{path}");
        }
        assert!(matches!(of(".."), Err(SubjectError::Folder { .. })));
        assert!(matches!(of("../../x"), Err(SubjectError::Outside { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_the_file_that_they_mean() {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("real/deep")).unwrap();
        std::fs::write(root.join("real/a"), "").unwrap();
        symlink(root.join("real/deep"), root.join("door")).unwrap();
        symlink("real/a", root.join("alias")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        symlink("/", root.join("out")).unwrap();
        let of = |path: &Path| name(&root, &root, path);
        for path in ["alias", "real/a", "door/../a"] {
            assert_eq!(of(Path::new(path)).unwrap(), "real/a", "{path}");
        }
        // As long as it is not there, a link is a name of it, too.
        symlink("real/later", root.join("early")).unwrap();
        symlink("early", root.join("first")).unwrap();
        symlink("gone/inner", root.join("far")).unwrap();
        for (path, expected) in [("early", "real/later"), ("first", "real/later"), ("far/x", "gone/inner/x")] {
            assert_eq!(of(Path::new(path)).unwrap(), expected, "{path}");
        }
        symlink("/nowhere/x", root.join("lost")).unwrap();
        assert!(matches!(of(Path::new("lost")), Err(SubjectError::Outside { .. })));
        assert!(matches!(of(Path::new("loop")), Err(SubjectError::Unreachable { .. })));
        assert!(matches!(of(Path::new("out/etc/x")), Err(SubjectError::Outside { .. })));
        let name = Path::new(std::ffi::OsStr::from_bytes(b"a\xff"));
        assert!(matches!(of(name), Err(SubjectError::NotUtf8 { .. })));
    }
}
