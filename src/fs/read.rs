//! Reading one file from disk, whole or not at all.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Component, Path};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is larger than the cap.
    #[error("it has {size} bytes, more than `max-file-bytes` ({cap})")]
    TooBig {
        /// Its size in bytes.
        size: u64,
        /// The cap in bytes.
        cap: u64,
    },
    /// A folder, a pipe, a socket or a device; says which.
    #[error("it is {0}, not a file")]
    NotAFile(&'static str),
    /// It did not hold still: another program writes it.
    #[error("another program keeps writing it")]
    Changing,
    /// A symbolic link on the way to it leads out of the repository.
    #[error("a symbolic link leads out of the repository")]
    Outside,
    /// The operating system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The message about a symbolic link that leads to no file.
pub const NOWHERE: &str = "it is a symbolic link that leads nowhere";

/// Whether `path` is a symbolic link to a file that is not there, or one of a circle of links.
pub fn leads_nowhere(path: &Path) -> bool {
    path.is_symlink() && std::fs::metadata(path).is_err_and(|error| error.kind() != io::ErrorKind::PermissionDenied)
}

/// What is at `path`, if it is not a folder and something is there.
pub fn instead_of_folder(path: &Path) -> Option<&'static str> {
    let kind = path.symlink_metadata().ok().filter(|_| !path.is_dir())?.file_type();
    Some(match (kind.is_symlink(), path.exists()) {
        (false, _) => "a file",
        (true, true) => "a symbolic link to a file",
        (true, false) => "a symbolic link that leads nowhere",
    })
}

/// Whether a symbolic link inside of the folder `root`, which is canonical, leads the way to `path` out of it. What a commit can
/// bring must not say which other files are read. A path that lies elsewhere from the start is the user's own choice.
pub fn leads_out(root: &Path, path: &Path) -> bool {
    let (mut at, rest) = match path.strip_prefix(root) {
        Ok(inner) => (root.to_path_buf(), inner),
        // Canonical, as the system has it.
        Err(_) => (std::env::current_dir().unwrap_or_default(), path),
    };
    for part in rest.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => at.push(part),
            Component::CurDir => {}
            Component::ParentDir => drop(at.pop()),
            Component::Normal(name) => {
                let is_inside = at.starts_with(root);
                at.push(name);
                if at.is_symlink() {
                    // One that leads nowhere is an error when it is read.
                    let Ok(target) = at.canonicalize() else { return false };
                    if is_inside && !target.starts_with(root) {
                        return true;
                    }
                    at = target;
                }
            }
        }
    }
    false
}

/// Like [`read`], for a file that `root`, a canonical folder, may not lead out of; see [`leads_out`].
///
/// # Errors
/// See [`FileError`].
pub fn read_inside(root: &Path, path: &Path, cap: u64) -> Result<Vec<u8>, FileError> {
    if leads_out(root, path) { Err(FileError::Outside) } else { read(path, cap) }
}

/// How often a file that changes while it is read is read again.
const ATTEMPTS: usize = 3;

/// The bytes of the file at `path`, at most `cap` of them. Links are followed.
///
/// # Errors
/// See [`FileError`]. What is not a regular file is never opened: a pipe would block.
pub fn read(path: &Path, cap: u64) -> Result<Vec<u8>, FileError> {
    read_known(path, regular(path, std::fs::metadata(path)?, cap)?, cap)
}

/// Like [`read`], for a file that the user names: it can be the pipe of a shell, as in `<(git show HEAD:team.squad)`. Something writes
/// to that already, so that it does not block.
///
/// # Errors
/// See [`FileError`].
pub fn read_named(path: &Path, cap: u64) -> Result<Vec<u8>, FileError> {
    match read(path, cap) {
        Err(FileError::NotAFile(PIPE)) if path.starts_with("/dev/fd") || path.starts_with("/proc") => {
            let mut bytes = Vec::new();
            File::open(path)?.take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
            let size = bytes.len() as u64;
            if size > cap { Err(FileError::TooBig { size, cap }) } else { Ok(bytes) }
        }
        other => other,
    }
}

/// What a pipe is called.
const PIPE: &str = "a named pipe";

/// The first `count` bytes of the file at `path`, which is too big to be read.
///
/// # Errors
/// What the operating system says.
pub fn start(path: &Path, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Like [`read`], and `None` where `path` is a symbolic link.
///
/// # Errors
/// See [`read`].
pub fn read_unlinked(path: &Path, cap: u64) -> Result<Option<Vec<u8>>, FileError> {
    let metadata = std::fs::symlink_metadata(path)?;
    if metadata.is_symlink() {
        return Ok(None);
    }
    read_known(path, regular(path, metadata, cap)?, cap).map(Some)
}

/// What `look` makes of the file at `path`, if it has at least `least` bytes and at most `cap`. `None` where it is a symbolic link, where
/// it was not read from end to end, or where something wrote it meanwhile.
///
/// # Errors
/// See [`read`].
pub fn look<T>(
    path: &Path,
    least: u64,
    cap: u64,
    look: impl FnOnce(&File) -> io::Result<Option<T>>,
) -> Result<Option<T>, FileError> {
    let before = std::fs::symlink_metadata(path)?;
    if before.is_symlink() || before.len() < least {
        return Ok(None);
    }
    let before = regular(path, before, cap)?;
    let mut file = File::open(path)?;
    let seen = look(&file)?;
    let (end, after) = (file.stream_position()?, regular(path, file.metadata()?, cap)?);
    let is_same = before.len() == after.len() && before.modified().ok() == after.modified().ok();
    Ok(seen.filter(|_| is_same && end == after.len()))
}

/// The bytes of the file at `path`, which has this metadata as long as nothing writes it.
fn read_known(path: &Path, mut before: Metadata, cap: u64) -> Result<Vec<u8>, FileError> {
    for _ in 0..ATTEMPTS {
        let file = File::open(path)?;
        let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0));
        // No further: the length says whether the file has grown. Some file systems give none for a file with text.
        (&file).take(before.len().max(1)).read_to_end(&mut bytes)?;
        let after = regular(path, file.metadata()?, cap)?;
        let same = before.len() == after.len() && before.modified().ok() == after.modified().ok();
        if same && bytes.len() as u64 == after.len() {
            return Ok(bytes);
        }
        before = after;
    }
    Err(FileError::Changing)
}

/// `metadata`, of what is at `path`, if it is a file of at most `cap` bytes.
fn regular(path: &Path, metadata: Metadata, cap: u64) -> Result<Metadata, FileError> {
    let kind = metadata.file_type();
    if kind.is_dir() {
        // One that cannot be listed says why itself.
        std::fs::read_dir(path)?;
        return Err(FileError::NotAFile("a folder"));
    }
    if !kind.is_file() {
        return Err(FileError::NotAFile(special(kind)));
    }
    if metadata.len() > cap {
        return Err(FileError::TooBig { size: metadata.len(), cap });
    }
    Ok(metadata)
}

#[cfg(unix)]
fn special(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        PIPE
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: std::fs::FileType) -> &'static str {
    "a special file"
}
