//! Copies of the files that are converted, and the way back to them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};

use super::Changed;
use crate::fs::atomic::{self, WriteError};
use crate::fs::read::{self, FileError};
use crate::git::blob;
use crate::select::repository::Repository;

/// The copies that one run makes: in a folder of its own in git's folder, which no `git add` sees; beside the files without git.
#[derive(Debug)]
pub struct Backups<'a> {
    root: &'a Path,
    /// Git's own folder for this program.
    own: Option<PathBuf>,
    /// The name of this run.
    run: String,
    made: Vec<Made>,
}

/// The copy of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    /// The file, relative to the root.
    path: BString,
    /// What comes after the name of the copy: `.1` where that name was taken.
    suffix: String,
    /// The name of the bytes that the file has after the conversion.
    converted: String,
}

/// Git's own folder for this program, if there is git.
fn own_folder(repository: &Repository) -> Option<PathBuf> {
    repository.git.as_ref().map(|git| git.folder().join("squad-lint"))
}

/// Where the copy of the file at `path` is.
fn copy_of(root: &Path, own: Option<&Path>, run: &str, path: &Path, suffix: &str) -> PathBuf {
    let mut full = match own {
        Some(own) => own.join("backups").join(run).join(path).into_os_string(),
        None => OsString::from_iter([root.join(path).as_os_str(), OsStr::new(".backup")]),
    };
    full.push(suffix);
    full.into()
}

impl<'a> Backups<'a> {
    /// No copy yet.
    pub fn new(repository: &'a Repository) -> Self {
        let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let seconds = seconds.map_or(0, |seconds| seconds.as_secs());
        let run = format!("{seconds}-{}", std::process::id());
        Self { root: &repository.root, own: own_folder(repository), run, made: Vec::new() }
    }

    /// Writes and syncs the copy of a file before its conversion. It never overwrites an existing copy.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn add(&mut self, file: &Changed) -> io::Result<()> {
        let Some(new) = &file.new else { return Ok(()) };
        let path = file.path.to_path().map_err(|_| io::ErrorKind::InvalidFilename)?;
        let converted = blob::name(new).ok_or(io::ErrorKind::InvalidData)?;
        for number in 0.. {
            let suffix = if number == 0 { String::new() } else { format!(".{number}") };
            let full = copy_of(self.root, self.own.as_deref(), &self.run, path, &suffix);
            if let Some(folder) = full.parent() {
                fs::create_dir_all(folder)?;
            }
            match OpenOptions::new().write(true).create_new(true).open(&full) {
                Ok(mut copy) => {
                    let written = copy.write_all(&file.old).and_then(|()| copy.sync_all());
                    // An incomplete copy must not pass for a whole one.
                    written.inspect_err(|_| drop(fs::remove_file(&full)))?;
                    self.made.push(Made { path: file.path.clone(), suffix, converted });
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Records the copies, before the first file is converted. [`undo`] reads the record.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn record(&self) -> io::Result<()> {
        if self.made.is_empty() {
            return Ok(());
        }
        let record = Record { at: records_in(self.root, self.own.as_deref()).file(&self.run), made: self.made.clone() };
        record.write()
    }

    /// The path of the copies, for people; `None` without copies.
    pub fn place(&self) -> Option<String> {
        let first = self.made.first()?;
        let full = match &self.own {
            Some(own) => own.join("backups").join(&self.run),
            None => copy_of(self.root, None, &self.run, first.path.to_path().ok()?, &first.suffix),
        };
        let more = if self.own.is_some() { 0 } else { self.made.len() - 1 };
        let place = shown(self.root, &full);
        Some(if more == 0 { place } else { format!("{place} and beside {more} more") })
    }
}

/// `path` for people, relative to the root if it is below the root.
fn shown(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    crate::terminal::display_path(path.as_os_str().as_encoded_bytes())
}

/// The records of the runs.
struct Records {
    folder: PathBuf,
    prefix: &'static str,
}

fn records_in(root: &Path, own: Option<&Path>) -> Records {
    match own {
        Some(own) => Records { folder: own.join("undo"), prefix: "" },
        None => Records { folder: root.into(), prefix: ".squad-lint-undo-" },
    }
}

impl Records {
    fn file(&self, run: &str) -> PathBuf {
        self.folder.join(format!("{}{run}", self.prefix))
    }

    /// The names of the runs that have a record, the latest first.
    fn runs(&self) -> io::Result<Vec<String>> {
        let listed = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listed => listed?,
        };
        let mut runs = Vec::new();
        for entry in listed {
            let name = entry?.file_name();
            let run = name.to_str().and_then(|name| name.strip_prefix(self.prefix)).map(str::to_owned);
            let numbers = |run: &str| {
                let (seconds, process) = run.split_once('-')?;
                Some((seconds.parse::<u64>().ok()?, process.parse::<u32>().ok()?))
            };
            runs.extend(run.and_then(|run| Some((numbers(&run)?, run))));
        }
        runs.sort();
        Ok(runs.into_iter().rev().map(|(_, run)| run).collect())
    }
}

/// What one run converted: three fields per file, each ended by a zero byte, which no path has.
struct Record {
    at: PathBuf,
    made: Vec<Made>,
}

impl Record {
    fn write(&self) -> io::Result<()> {
        if let Some(folder) = self.at.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut text = Vec::new();
        for Made { path, suffix, converted } in &self.made {
            text.extend([converted.as_bytes(), b"\0", suffix.as_bytes(), b"\0", path, b"\0"].concat());
        }
        let mut file = fs::File::create(&self.at)?;
        file.write_all(&text)?;
        file.sync_all()
    }

    fn read(at: PathBuf) -> io::Result<Self> {
        let text = fs::read(&at)?;
        let mut fields = text.split(|&byte| byte == 0);
        let mut made = Vec::new();
        while let (Some(converted), Some(suffix), Some(path)) = (fields.next(), fields.next(), fields.next()) {
            let (converted, suffix) = (converted.to_str_lossy().into_owned(), suffix.to_str_lossy().into_owned());
            made.push(Made { path: path.into(), suffix, converted });
        }
        Ok(Self { at, made })
    }
}

/// The result of [`undo`].
#[derive(Debug, Default)]
pub struct Undone {
    /// The files that have their old bytes again.
    pub restored: Vec<BString>,
    /// The files that were not restored.
    pub left: Vec<Left>,
}

/// A file that was not restored.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{path} was not restored")]
#[diagnostic(help("{path} is unchanged; its text from before the conversion is in {copy}"))]
pub struct Left {
    path: String,
    copy: String,
    source: NotRestored,
}

/// Why a file was not restored.
#[derive(Debug, thiserror::Error)]
pub enum NotRestored {
    /// Its bytes are neither those of the conversion nor the old ones.
    #[error("it changed after the conversion")]
    Changed,
    /// Its path is not valid on this system, or leads out of the repository.
    #[error("its path is not valid")]
    Path,
    /// It or its copy cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Restores the files of the latest conversion that are unchanged since, and removes their copies. If nothing of that conversion
/// can be restored, the conversion before it is undone.
///
/// # Errors
/// When the records cannot be read or written.
pub fn undo(repository: &Repository) -> io::Result<Undone> {
    let own = own_folder(repository);
    let records = records_in(&repository.root, own.as_deref());
    let mut undone = Undone::default();
    for run in records.runs()? {
        let Record { at, made } = Record::read(records.file(&run))?;
        let mut rest = Vec::new();
        for made in made {
            let restored = made.path.to_path().map_err(|_| NotRestored::Path).and_then(|path| {
                let copy = copy_of(&repository.root, own.as_deref(), &run, path, &made.suffix);
                let restored = restore(&repository.root, path, &copy, &made.converted)?;
                // The file has the bytes of the copy. A copy that stays is harmless.
                let _ = fs::remove_file(&copy);
                Ok(restored)
            });
            match restored {
                Ok(true) => undone.restored.push(made.path),
                Ok(false) => {}
                Err(source) => {
                    let path = made.path.to_path().unwrap_or(Path::new(""));
                    let copy = copy_of(&repository.root, own.as_deref(), &run, path, &made.suffix);
                    let copy = shown(&repository.root, &copy);
                    undone.left.push(Left { path: crate::terminal::display_path(&made.path), copy, source });
                    rest.push(made);
                }
            }
        }
        if rest.is_empty() {
            fs::remove_file(&at)?;
        } else {
            Record { at, made: rest }.write()?;
        }
        if !undone.restored.is_empty() {
            break;
        }
    }
    Ok(undone)
}

/// Replaces the file at `path` by `copy`, if git's name for its bytes is `converted`. Returns `false` for a file that has the old
/// bytes already.
fn restore(root: &Path, path: &Path, copy: &Path, converted: &str) -> Result<bool, NotRestored> {
    let is_below = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !is_below {
        return Err(NotRestored::Path);
    }
    let old = read::read(copy, u64::MAX - 1)?;
    let new = read::read_inside(root, &root.join(path), u64::MAX - 1)?;
    if old == new {
        return Ok(false);
    }
    if blob::name(&new).is_none_or(|name| name != converted) {
        return Err(NotRestored::Changed);
    }
    atomic::replace(root, path, &new, &old)?;
    Ok(true)
}
