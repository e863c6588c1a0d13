//! Replacing one file, whole or not at all.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::{NamedTempFile, TempPath};

use crate::fs::attributes;
use crate::fs::late::{self, Replaced};
use crate::fs::lock;
pub use crate::fs::temporary::sweep;
use crate::fs::temporary::{settle, temporary};
pub use crate::fs::write_error::{RESOLVE, WriteError};
use crate::text::conflict;

/// Puts `new` in the place of the file at `path` under `root` (canonical), which held `old` when it was read.
///
/// The bytes go to a new file in the same folder, are flushed to the disk, and take the old file's place in one step:
/// whoever reads, also after a crash, finds the old file or the new one. Mode, access control list, extended attributes and,
/// where the system allows it, owner stay. What another program appends meanwhile is kept, as far as `late.rs` says.
/// A process that dies half-way can leave a file `.squad-lint-*.tmp` behind, which nothing reads; [`sweep`] removes it.
///
/// # Errors
/// See [`WriteError`]; the file is then as it was.
pub fn replace(root: &Path, path: &Path, old: &[u8], new: &[u8]) -> Result<(), WriteError> {
    Prepared::replacing(root, path, old, new)?.commit().map(drop)
}

/// Puts `new` into a file that is not there yet, at `path` under `root` (canonical); folders on the way are made.
///
/// # Errors
/// See [`WriteError`]; [`WriteError::Changed`] when the file is there by now. Nothing is then written.
pub fn create(root: &Path, path: &Path, new: &[u8]) -> Result<(), WriteError> {
    Prepared::creating(root, path, new)?.commit().map(drop)
}

/// A file that is to be written, of several that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<'a> {
    /// Its path under the root.
    pub path: &'a Path,
    /// What it held when it was read; `None` if it is not there yet.
    pub old: Option<&'a [u8]>,
    /// What it is to hold.
    pub new: &'a [u8],
}

/// Writes all of `files` under `root` (canonical), or none. All new bytes are on the disk before the first file is replaced; if
/// one of them cannot be replaced all the same, those before it get their old bytes back.
///
/// # Errors
/// See [`WriteError`]; the files are then as they were.
pub fn together(root: &Path, files: &[Rewrite<'_>]) -> Result<(), WriteError> {
    let prepared = files.iter().map(|file| match file.old {
        Some(old) => Prepared::replacing(root, file.path, old, file.new),
        None => Prepared::creating(root, file.path, file.new),
    });
    let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    let mut done: Vec<(Rewrite<'_>, Vec<u8>)> = Vec::new();
    for (file, prepared) in files.iter().zip(prepared) {
        let error = match prepared.commit() {
            Ok(appended) => {
                done.push((*file, appended));
                continue;
            }
            Err(error) => error,
        };
        for (Rewrite { path, old, new }, appended) in done {
            let new = [new, &appended].concat();
            // What cannot be put back either stays, whole; the error is reported.
            let _ = match old {
                Some(old) => replace(root, path, &new, &[old, &appended].concat()),
                None => remove(root, path, &new),
            };
        }
        return Err(error);
    }
    Ok(())
}

/// Why a file was not updated.
#[derive(Debug)]
pub enum UpdateError<E> {
    /// It cannot be read or written.
    Write(WriteError),
    /// What `change` says against it.
    Change(E),
}

/// Replaces the file at `path` under `root` (canonical) by what `change` makes of its bytes, or of nothing if there is no such file.
/// Other runs wait meanwhile, or, where a lock would keep this one from reading, `change` is asked again when they were first: so
/// nothing of what two runs add is lost. Returns whether the file was written, which it is not if `change` returns nothing.
///
/// # Errors
/// See [`WriteError`], and the errors of `change`; the file is then as it was.
pub fn update<E>(
    root: &Path,
    path: &Path,
    mut change: impl FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>, E>,
) -> Result<bool, UpdateError<E>> {
    let full = root.join(path);
    let start = Instant::now();
    loop {
        // Each time round, another run has written it: all of a long queue get their turn.
        let is_last = start.elapsed() > QUEUE;
        let failed = |source| UpdateError::Write(WriteError::Io { step: "read", path: path.into(), source });
        let there = match fs::symlink_metadata(&full) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(failed(error)),
        };
        let result = if there {
            let own = match Prepared::open(root, path) {
                // Another run replaced it meanwhile.
                Ok(own) if cfg!(unix) && !is_last && !lock::is_at(&own, &full) => continue,
                Ok(own) => own,
                Err(error) => return Err(UpdateError::Write(error)),
            };
            let old = fs::read(&full).map_err(failed)?;
            let Some(new) = change(Some(&old)).map_err(UpdateError::Change)? else {
                // A run that was killed may have had nothing else to do.
                sweep(full.parent().unwrap_or(root));
                return Ok(false);
            };
            Prepared::beside(root, path, own, &old, &new).and_then(Prepared::commit).map(drop)
        } else {
            // Until it is there, its folder keeps two runs apart.
            let _held = hold_folder(root, &full).map_err(UpdateError::Write)?;
            if fs::symlink_metadata(&full).is_ok() {
                continue;
            }
            let Some(new) = change(None).map_err(UpdateError::Change)? else { return Ok(false) };
            create(root, path, &new)
        };
        match result {
            Ok(()) => {
                sweep(full.parent().unwrap_or(root));
                return Ok(true);
            }
            Err(WriteError::Changed { .. }) if !is_last => {}
            Err(error) => return Err(UpdateError::Write(error)),
        }
    }
}

/// Whether [`update`] would get to read and to replace the file at `path` under `root` (canonical), or could make it.
///
/// # Errors
/// See [`WriteError`].
pub fn may_update(root: &Path, path: &Path) -> Result<(), WriteError> {
    match fs::symlink_metadata(root.join(path)) {
        Ok(_) => Prepared::open(root, path).map(drop),
        Err(_) => Ok(()),
    }
}

/// Whether a file at `path` that holds `old` may get other bytes.
///
/// # Errors
/// [`WriteError::Conflict`].
pub fn may_replace(path: &Path, old: &[u8]) -> Result<(), WriteError> {
    match conflict::first_line(old) {
        Some(line) => Err(WriteError::Conflict { path: path.into(), line }),
        None => Ok(()),
    }
}

/// Holds the folder of a file that is not there yet, or that of the folder, against other runs of this program.
fn hold_folder(root: &Path, full: &Path) -> Result<Option<File>, WriteError> {
    if cfg!(not(unix)) {
        return Ok(None); // A folder cannot be opened; a run that comes second sees the file.
    }
    let there = full.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(root);
    match File::open(there) {
        Ok(folder) if !hold(&folder) => Err(WriteError::Locked { path: there.into() }),
        folder => Ok(folder.ok()),
    }
}

/// The new bytes of a file, on the disk beside it.
struct Prepared<'a> {
    path: &'a Path,
    full: PathBuf,
    file: NamedTempFile,
    new: &'a [u8],
    /// The file that is replaced, which no other run writes meanwhile; `None` for a new one.
    replaced: Option<Replaced<'a>>,
}

impl<'a> Prepared<'a> {
    fn replacing(root: &Path, path: &'a Path, old: &'a [u8], new: &'a [u8]) -> Result<Self, WriteError> {
        Self::beside(root, path, Self::open(root, path)?, old, new)
    }

    /// The file that is to be replaced, which no other run replaces as long as it is open.
    fn open(root: &Path, path: &Path) -> Result<File, WriteError> {
        let full = root.join(path);
        let failed = |step| {
            let path = path.to_path_buf();
            move |source| WriteError::Io { step, path, source }
        };
        let folder = full.parent().unwrap_or(root);
        let metadata = fs::symlink_metadata(&full).map_err(failed("read"))?;
        if metadata.is_symlink() || folder.canonicalize().map_err(failed("read the folder of"))? != folder {
            return Err(WriteError::Link { path: path.into() });
        }
        if metadata.permissions().readonly() {
            return Err(WriteError::ReadOnly { path: path.into() });
        }
        let start = Instant::now();
        loop {
            // A file takes another's place where the folder may be written; whether the file may be, opening it tells.
            let own = File::options().read(true).write(true).open(&full).map_err(|error| match error.kind() {
                io::ErrorKind::PermissionDenied => WriteError::ReadOnly { path: path.into() },
                _ => failed("open")(error),
            })?;
            // Elsewhere a lock would keep this program from reading the file itself.
            if cfg!(not(unix)) || lock_at(&own, &full) {
                return Ok(own);
            }
            // Who waits for a file that was replaced meanwhile waits for the new one: the others do get on.
            if lock::is_at(&own, &full) || start.elapsed() > QUEUE {
                return Err(WriteError::Locked { path: path.into() });
            }
        }
    }

    /// `new` beside the file that is open as `own`, and holds `old`.
    fn beside(root: &Path, path: &'a Path, own: File, old: &'a [u8], new: &'a [u8]) -> Result<Self, WriteError> {
        may_replace(path, old)?;
        let full = root.join(path);
        let failed = |step| {
            let path = path.to_path_buf();
            move |source| WriteError::Io { step, path, source }
        };
        let mut file = temporary(full.parent().unwrap_or(root), None).map_err(failed("write beside"))?;
        file.write_all(new).and_then(|()| finish(&file, &own)).map_err(failed("write beside"))?;
        Ok(Self { path, full, file, new, replaced: Some(Replaced { file: own, old }) })
    }

    fn creating(root: &Path, path: &'a Path, new: &'a [u8]) -> Result<Self, WriteError> {
        let full = root.join(path);
        let failed = |step| {
            let path = path.to_path_buf();
            move |source| WriteError::Io { step, path, source }
        };
        let folder = full.parent().unwrap_or(root);
        // Before the first folder is made: a link on the way leads to where nothing may be made.
        let there = folder.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok()).unwrap_or(root);
        if there.canonicalize().map_err(failed("read the folder of"))? != there {
            return Err(WriteError::Link { path: path.into() });
        }
        fs::create_dir_all(folder).map_err(failed("create the folder of"))?;
        if folder.canonicalize().map_err(failed("read the folder of"))? != folder {
            return Err(WriteError::Link { path: path.into() });
        }
        let mut file = temporary(folder, Some(0o666)).map_err(failed("write"))?;
        file.write_all(new).and_then(|()| file.as_file().sync_all()).map_err(failed("write"))?;
        Ok(Self { path, full, file, new, replaced: None })
    }

    /// Puts the file in its place; says what other programs appended meanwhile, which it holds, too.
    fn commit(self) -> Result<Vec<u8>, WriteError> {
        let Self { path, full, file, new, replaced } = self;
        let failed = |step| move |source| WriteError::Io { step, path: path.into(), source };
        let Some(replaced) = replaced else {
            file.persist_noclobber(&full).map_err(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => WriteError::Changed { path: path.into() },
                _ => failed("write")(error.error),
            })?;
            settle(full.parent().unwrap_or(&full));
            return Ok(Vec::new());
        };
        let by_now = fs::read(&full).map_err(failed("read"))?;
        if by_now == new {
            return Ok(Vec::new()); // Another run did the same.
        }
        if by_now != replaced.old || !lock::is_at(&replaced.file, &full) {
            return Err(WriteError::Changed { path: path.into() });
        }
        // An open file cannot be replaced everywhere; where it can, the lock holds until the last look.
        let replaced = cfg!(unix).then_some(replaced);
        let name: Option<TempPath> = late::second_name(&full);
        let written = file.persist(&full).map_err(|error| failed("replace")(error.error))?;
        match replaced {
            Some(replaced) => replaced.look(&full, path, &written, new, name),
            None => Ok(Vec::new()),
        }
    }
}

/// Puts what `render` writes into the file at `path` (absolute, without links), whatever was there; folders on the way are
/// made. A pipe or a device gets it as it comes.
///
/// # Errors
/// See [`WriteError`]; the file is then as it was.
pub fn overwrite(path: &Path, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), WriteError> {
    let failed = |step| move |source| WriteError::Io { step, path: path.into(), source };
    let render = |file: &File| {
        let mut out = BufWriter::new(file);
        render(&mut out).and_then(|()| out.flush())
    };
    let folder = path.parent().unwrap_or(path);
    // A file takes another's place where the folder may be written; whether the file may be, opening it tells.
    let old = match File::options().append(true).open(path) {
        Ok(old) if is_stream(path) => return render(&old).map_err(failed("write")),
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(failed("create the folder of"))?;
            None
        }
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(WriteError::ReadOnly { path: path.into() });
        }
        Err(error) => return Err(failed("write")(error)),
    };
    let file = temporary(folder, old.is_none().then_some(0o666)).map_err(failed("write beside"))?;
    render(file.as_file()).map_err(failed("write"))?;
    match &old {
        Some(old) => finish(&file, old),
        None => file.as_file().sync_all(),
    }
    .map_err(failed("write"))?;
    file.persist(path).map_err(|error| failed("replace")(error.error))?;
    sweep(folder);
    settle(folder);
    Ok(())
}

/// Removes the file at `path` under `root` (canonical), if it still holds `old`.
///
/// # Errors
/// See [`WriteError`]; the file is then as it was.
pub fn remove(root: &Path, path: &Path, old: &[u8]) -> Result<(), WriteError> {
    let full = root.join(path);
    let failed = |source| WriteError::Io { step: "remove", path: path.into(), source };
    match fs::read(&full) {
        Ok(by_now) if by_now == old => fs::remove_file(&full).map_err(failed),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
        _ => Err(WriteError::Changed { path: path.into() }),
    }
}

/// Whether a path means an open stream of this process or for a device, whatever that leads to.
pub fn is_stream(path: &Path) -> bool {
    let is_open =
        ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"].iter().any(|start| path.starts_with(start));
    is_open || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Puts `new` at `path`, whatever is there, with `mode` as the user's umask allows, in one step.
///
/// # Errors
/// See [`WriteError`]; what was there still is.
pub fn place(path: &Path, new: &[u8], mode: u32) -> Result<(), WriteError> {
    let failed = |source| WriteError::Io { step: "write", path: path.into(), source };
    let folder = path.parent().unwrap_or(path);
    let mut file = temporary(folder, Some(mode)).map_err(failed)?;
    file.write_all(new).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    settle(folder);
    Ok(())
}

/// Gives the file what the old one is beside its bytes, and its own bytes to the disk.
fn finish(file: &NamedTempFile, old: &File) -> io::Result<()> {
    attributes::keep(file.as_file(), old)?;
    file.as_file().sync_all()
}

/// How long a run waits for another one to replace a file.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a run waits in all while others write the file, one after the other.
const QUEUE: Duration = Duration::from_secs(60);

/// Holds the file against other runs of this program: the other one waits, and then sees that the file has changed. Says
/// `false` if someone else holds it all the time. On file systems without locks two runs are distinguished by the file's
/// content alone.
fn hold(file: &File) -> bool {
    !matches!(lock::wait(file, PATIENCE), Err(TryLockError::WouldBlock))
}

/// The same for the file at `path`. Does not wait for it any longer when there is another one.
fn lock_at(file: &File, path: &Path) -> bool {
    let result = lock::wait_while(file, PATIENCE, || lock::is_at(file, path));
    !matches!(result, Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::write(root.join("a.md"), "old").unwrap();
        (folder, root)
    }

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_changed_is_left_alone() {
        let (_folder, root) = folder();
        let error = replace(&root, Path::new("a.md"), b"other", b"new").unwrap_err();
        assert!(matches!(error, WriteError::Changed { .. }), "{error}");
        assert_eq!(fs::read(root.join("a.md")).unwrap(), b"old");
        assert!(matches!(create(&root, Path::new("a.md"), b"new"), Err(WriteError::Changed { .. })));
        assert_eq!(names(&root), ["a.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_writer_stops_waiting_for_a_file_that_was_replaced() {
        let (_folder, root) = folder();
        let other = File::open(root.join("a.md")).unwrap();
        other.lock().unwrap();
        std::thread::scope(|scope| {
            let run = scope.spawn(|| replace(&root, Path::new("a.md"), b"newer", b"newest"));
            std::thread::sleep(Duration::from_millis(50));
            fs::write(root.join("b.md"), "newer").unwrap();
            fs::rename(root.join("b.md"), root.join("a.md")).unwrap();
            run.join().unwrap().unwrap();
        });
        assert_eq!(fs::read(root.join("a.md")).unwrap(), b"newest");
    }

    #[test]
    fn new_files_come_with_their_folders() {
        let (_folder, root) = folder();
        create(&root, Path::new("b/c.md"), b"new").unwrap();
        assert_eq!(fs::read(root.join("b/c.md")).unwrap(), b"new");
    }

    #[test]
    fn all_or_none() {
        let (_folder, root) = folder();
        fs::write(root.join("b.md"), "old").unwrap();
        let write = |path, old, new| Rewrite { path: Path::new(path), old, new };
        let old = Some(b"old".as_slice());
        let (a, c) = (write("a.md", old, b"new"), write("c/c.md", None, b"new"));
        let error = together(&root, &[a, c, write("b.md", Some(b"other"), b"new")]).unwrap_err();
        assert!(matches!(error, WriteError::Changed { .. }), "{error}");
        assert_eq!(fs::read(root.join("a.md")).unwrap(), b"old");
        assert_eq!((names(&root), names(&root.join("c"))), (vec!["a.md".into(), "b.md".into(), "c".into()], vec![]));
        together(&root, &[a, c, write("b.md", old, b"new")]).unwrap();
        for path in ["a.md", "b.md", "c/c.md"] {
            assert_eq!(fs::read(root.join(path)).unwrap(), b"new", "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_stays_and_nothing_else_is_left() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, root) = folder();
        fs::set_permissions(root.join("a.md"), fs::Permissions::from_mode(0o751)).unwrap();
        replace(&root, Path::new("a.md"), b"old", b"new").unwrap();
        assert_eq!(fs::read(root.join("a.md")).unwrap(), b"new");
        assert_eq!(fs::metadata(root.join("a.md")).unwrap().permissions().mode() & 0o777, 0o751);
        assert_eq!(names(&root), ["a.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_read_only_files_are_left_alone() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (_folder, root) = folder();
        symlink("a.md", root.join("link.md")).unwrap();
        fs::create_dir(root.join("real")).unwrap();
        fs::write(root.join("real/b.md"), "old").unwrap();
        symlink("real", root.join("folder")).unwrap();
        for path in ["link.md", "folder/b.md"] {
            let error = replace(&root, Path::new(path), b"old", b"new").unwrap_err();
            assert!(matches!(error, WriteError::Link { .. }), "{error}");
        }
        fs::set_permissions(root.join("a.md"), fs::Permissions::from_mode(0o444)).unwrap();
        let error = replace(&root, Path::new("a.md"), b"old", b"new").unwrap_err();
        assert!(matches!(error, WriteError::ReadOnly { .. }), "{error}");
        assert_eq!(fs::read(root.join("a.md")).unwrap(), b"old");
    }
}
