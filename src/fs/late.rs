//! What another program writes into a file while this one replaces it.
//!
//! A program that has opened a file by its name writes into that file, whatever bears the name by then. So the old file, which
//! is still open here, is checked again after the new one has its name:
//!
//! - What was appended to it is appended to the new file.
//! - Where it changed in another way, it gets its name back, and the error says that it changed: the other program's text
//!   is as it wrote it, also if it goes on writing.
//!
//! What a program appends that opens the file after the replacement is in the new file anyway. Lost is only what a program
//! writes that opened the file before the replacement, and writes after the last look: that comes when the folder is on the
//! disk, and, where anything was appended, when the file was quiet for some looks.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

use super::attributes;
use crate::fs::temporary::{named, settle, temporary};
use crate::fs::write_error::WriteError;

/// How long it waits before it looks again where something was appended.
const PAUSES: [u64; 5] = [1, 2, 4, 8, 16];
/// How often a program may append meanwhile.
const MOST: usize = 200;

/// A file that loses its name to another one.
pub(super) struct Replaced<'a> {
    /// It, open.
    pub(super) file: File,
    /// What it held when it was read.
    pub(super) old: &'a [u8],
}

/// Another name of the file at `full`, which can be renamed back; `None` if the file system has but one name a file.
pub(super) fn second_name(full: &Path) -> Option<TempPath> {
    let folder = full.parent().filter(|_| cfg!(unix))?;
    let link = named().make_in(folder, |path| fs::hard_link(full, path));
    link.ok().map(NamedTempFile::into_temp_path)
}

impl Replaced<'_> {
    /// Looks at the old file after `written`, which holds `new`, has its name `full`. Says what was appended meanwhile, and has
    /// been appended to the new file, too.
    ///
    /// # Errors
    /// [`WriteError::Changed`] where it changed in another way: it has its name again.
    pub(super) fn look(
        mut self,
        full: &Path,
        path: &Path,
        written: &File,
        new: &[u8],
        name: Option<TempPath>,
    ) -> Result<Vec<u8>, WriteError> {
        let failed = |step| move |source| WriteError::Io { step, path: path.into(), source };
        let mut seen = self.old.to_vec();
        let (mut settled, mut quiet) = (false, 0);
        for _ in 0..MOST {
            let text = self.read().map_err(failed("read once more"))?;
            match text.strip_prefix(&seen[..]) {
                // The folder goes to the disk before the last look: that takes time, in which others write.
                Some([]) if !settled => {
                    settle(full.parent().unwrap_or(full));
                    settled = true;
                }
                Some([]) => {
                    let pause = PAUSES.get(quiet).filter(|_| seen.len() > self.old.len());
                    let Some(pause) = pause else { break };
                    std::thread::sleep(Duration::from_millis(*pause));
                    quiet += 1;
                }
                Some(rest) => {
                    if append(full, written, rest).is_err() {
                        let carried = [new, seen.get(self.old.len()..).unwrap_or_default()].concat();
                        return Err(self.put_back(full, path, &carried, name));
                    }
                    (seen, quiet) = (text, 0);
                }
                None => {
                    let carried = [new, seen.get(self.old.len()..).unwrap_or_default()].concat();
                    return Err(self.put_back(full, path, &carried, name));
                }
            }
        }
        Ok(seen.split_off(self.old.len()))
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut text)?;
        Ok(text)
    }

    /// Gives the old file its name back, if what bears it still holds `new`; else its text goes to a file of its own.
    fn put_back(mut self, full: &Path, path: &Path, new: &[u8], name: Option<TempPath>) -> WriteError {
        let failed = |step| move |source| WriteError::Io { step, path: path.into(), source };
        let aside = match name {
            Some(name) => Ok(name),
            None => self.copy(full.parent().unwrap_or(full)),
        };
        let aside = match aside {
            Ok(aside) => aside,
            Err(error) => return failed("keep what another program wrote into")(error),
        };
        if fs::read(full).is_ok_and(|by_now| by_now == new) {
            return match aside.persist(full) {
                Ok(()) => WriteError::Changed { path: path.into() },
                Err(error) => failed("put back")(error.error),
            };
        }
        let mut aside = aside;
        for number in 1..100 {
            let mut beside = full.as_os_str().to_owned();
            beside.push(format!(".other-{number}"));
            match aside.persist_noclobber(&beside) {
                Ok(()) => return WriteError::Beside { path: path.into(), beside: beside.into() },
                Err(error) => aside = error.path,
            }
        }
        // Better a name that says little than none.
        let _ = aside.keep();
        WriteError::Changed { path: path.into() }
    }

    /// A file with what the old one holds by now.
    fn copy(&mut self, folder: &Path) -> io::Result<TempPath> {
        let text = self.read()?;
        let mut file = temporary(folder, None)?;
        file.write_all(&text)?;
        attributes::keep(file.as_file(), &self.file)?;
        file.as_file().sync_all()?;
        Ok(file.into_temp_path())
    }
}

/// Puts `rest` at the end of the file at `full`, which is to be `written`.
fn append(full: &Path, written: &File, rest: &[u8]) -> io::Result<()> {
    // At the end at that very moment: other programs append there by now.
    let mut end = File::options().append(true).open(full)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let (there, written) = (end.metadata()?, written.metadata()?);
        if (there.dev(), there.ino()) != (written.dev(), written.ino()) {
            return Err(io::ErrorKind::NotFound.into());
        }
    }
    #[cfg(not(unix))]
    let _ = written;
    end.write_all(rest)?;
    end.sync_all()
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A file that was replaced; `meanwhile` writes through a handle from before, and then through the name.
    fn replaced(
        meanwhile: impl FnOnce(&mut File, &Path),
        with_name: bool,
    ) -> (tempfile::TempDir, PathBuf, Result<Vec<u8>, WriteError>, File) {
        let folder = tempfile::tempdir().unwrap();
        let full = folder.path().canonicalize().unwrap().join("a.md");
        fs::write(&full, "old\n").unwrap();
        let open = || File::options().read(true).append(true).open(&full).unwrap();
        let (file, mut theirs) = (open(), open());
        let name = second_name(&full).filter(|_| with_name);
        let mut new = temporary(full.parent().unwrap(), None).unwrap();
        new.write_all(b"new\n").unwrap();
        let written = new.persist(&full).unwrap();
        meanwhile(&mut theirs, &full);
        let result = Replaced { file, old: b"old\n" }.look(&full, Path::new("a.md"), &written, b"new\n", name);
        (folder, full, result, theirs)
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_appended_is_carried_over() {
        let (folder, full, result, _) = replaced(
            |theirs, full| {
                theirs.write_all(b"more\n").unwrap();
                File::options().append(true).open(full).unwrap().write_all(b"new too\n").unwrap();
            },
            true,
        );
        assert_eq!(result.unwrap(), b"more\n");
        assert_eq!(fs::read_to_string(full).unwrap(), "new\nnew too\nmore\n");
        assert_eq!(names(folder.path()), ["a.md"]);
    }

    #[test]
    fn what_is_changed_gets_its_name_back() {
        for with_name in [true, false] {
            let (folder, full, result, mut theirs) = replaced(
                |theirs, _| {
                    theirs.set_len(0).unwrap();
                    theirs.write_all(b"theirs\n").unwrap();
                },
                with_name,
            );
            assert!(matches!(result, Err(WriteError::Changed { .. })), "{result:?}");
            assert_eq!(fs::read_to_string(&full).unwrap(), "theirs\n");
            assert_eq!(names(folder.path()), ["a.md"]);
            // Also what it goes on to write, where the file can have two names.
            theirs.write_all(b"more\n").unwrap();
            let expected = if with_name { "theirs\nmore\n" } else { "theirs\n" };
            assert_eq!(fs::read_to_string(&full).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_in_both_files_stays_in_both() {
        let (folder, full, result, _) = replaced(
            |theirs, full| {
                theirs.set_len(0).unwrap();
                theirs.write_all(b"theirs\n").unwrap();
                fs::write(full, "another\n").unwrap();
            },
            true,
        );
        assert!(matches!(result, Err(WriteError::Beside { .. })), "{result:?}");
        assert_eq!(fs::read_to_string(&full).unwrap(), "another\n");
        assert_eq!(names(folder.path()), ["a.md", "a.md.other-1"]);
        assert_eq!(fs::read_to_string(folder.path().join("a.md.other-1")).unwrap(), "theirs\n");
    }
}
