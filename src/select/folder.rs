//! What is in a folder: the names in it, and what each of them is.
//!
//! The walk lists every folder of a repository. On Linux it opens them from the repository's root, so that the way to that
//! is resolved once, and takes no memory for a folder or a name.

/// The kind of a name in a folder. A link is a link, whatever it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a socket or a device.
    Other,
}

pub(super) use system::Top;

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::OsStr;
    use std::io;
    use std::mem::MaybeUninit;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    use bstr::BStr;
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, openat, statat};
    use rustix::path::Arg;

    use super::Kind;

    /// The folder from which those in it are opened.
    #[derive(Debug)]
    pub(in crate::select) struct Top(Option<OwnedFd>);

    impl Top {
        /// The folder at `path`. If it cannot be opened, listing it says so.
        pub(in crate::select) fn new(path: &Path) -> Self {
            Self(open(CWD, path).ok())
        }

        /// Calls `found` with what is in the folder at `path`, which is `inner` from the top.
        ///
        /// # Errors
        /// When the folder cannot be opened, or not be read to its end.
        pub(in crate::select) fn list(
            &self,
            path: &Path,
            inner: &BStr,
            mut found: impl FnMut(&OsStr, io::Result<Kind>),
        ) -> io::Result<()> {
            let folder = match &self.0 {
                Some(top) if !inner.is_empty() => open(top, inner.as_ref() as &[u8])?,
                _ => open(CWD, path)?,
            };
            let mut buffer = [MaybeUninit::uninit(); 8192];
            let mut entries = RawDir::new(folder.as_fd(), &mut buffer);
            while let Some(entry) = entries.next() {
                let entry = entry?;
                let name = entry.file_name();
                if matches!(name.to_bytes(), b"." | b"..") {
                    continue;
                }
                let kind = match entry.file_type() {
                    // Some file systems do not say.
                    FileType::Unknown => statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)
                        .map(|stat| FileType::from_raw_mode(stat.st_mode)),
                    kind => Ok(kind),
                };
                found(OsStr::from_bytes(name.to_bytes()), kind.map(Kind::from).map_err(io::Error::from));
            }
            Ok(())
        }
    }

    fn open(top: impl AsFd, path: impl Arg) -> rustix::io::Result<OwnedFd> {
        openat(top, path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
    }

    impl From<FileType> for Kind {
        fn from(kind: FileType) -> Self {
            match kind {
                FileType::RegularFile => Self::File,
                FileType::Directory => Self::Folder,
                FileType::Symlink => Self::Link,
                _ => Self::Other,
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::ffi::OsStr;
    use std::fs::{self, FileType};
    use std::io;
    use std::path::Path;

    use bstr::BStr;

    use super::Kind;

    /// The folder from which those in it are opened: here each is opened by its whole path.
    #[derive(Debug)]
    pub(in crate::select) struct Top;

    impl Top {
        /// The folder at `path`.
        pub(in crate::select) fn new(_path: &Path) -> Self {
            Self
        }

        /// Calls `found` with what is in the folder at `path`, which is `inner` from the top.
        ///
        /// # Errors
        /// When the folder cannot be opened, or not be read to its end.
        pub(in crate::select) fn list(
            &self,
            path: &Path,
            _inner: &BStr,
            mut found: impl FnMut(&OsStr, io::Result<Kind>),
        ) -> io::Result<()> {
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                found(&entry.file_name(), entry.file_type().map(Kind::from));
            }
            Ok(())
        }
    }

    impl From<FileType> for Kind {
        fn from(kind: FileType) -> Self {
            match kind {
                kind if kind.is_file() => Self::File,
                kind if kind.is_dir() => Self::Folder,
                kind if kind.is_symlink() => Self::Link,
                _ => Self::Other,
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::io;
    use std::os::unix::fs::symlink;

    use bstr::BStr;

    use super::{Kind, Top};

    #[test]
    fn a_folder_is_listed_whole_from_the_top_and_below() -> io::Result<()> {
        let top = tempfile::tempdir()?;
        let inside = top.path().join("a/b");
        fs::create_dir_all(inside.join("folder"))?;
        symlink("folder", inside.join("link"))?;
        symlink("nowhere", inside.join("broken"))?;
        // More than one answer of the system holds.
        let names: Vec<String> = (0..500).map(|at| format!("{at:060}.md")).collect();
        for name in &names {
            fs::write(inside.join(name), "")?;
        }
        let listed = |inner: &str| {
            let mut found = BTreeMap::new();
            let path = top.path().join(inner);
            Top::new(top.path()).list(&path, BStr::new(inner), |name, kind| {
                found.insert(name.to_string_lossy().into_owned(), kind.ok());
            })?;
            Ok::<_, io::Error>(found)
        };
        let mut expected: BTreeMap<String, _> = names.into_iter().map(|name| (name, Some(Kind::File))).collect();
        expected.insert("folder".into(), Some(Kind::Folder));
        expected.extend(["link", "broken"].map(|name| (name.into(), Some(Kind::Link))));
        assert_eq!(listed("a/b")?, expected);
        assert_eq!(listed("")?, BTreeMap::from([("a".into(), Some(Kind::Folder))]));
        let missing = listed("a/c").map_err(|error| error.kind());
        assert_eq!(missing, Err(io::ErrorKind::NotFound));
        Ok(())
    }
}
