//! What `convert` writes: backups first, then the files, each whole or not at all; the log; the checklist.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use serde::Serialize;

use super::backup::Backups;
use super::report::is_converted;
use super::{Changed, Row};
use crate::convert::Confidence;
use crate::errors::show_error;
use crate::fs::atomic::{self, WriteError};
use crate::report::json_writer;
use crate::select::repository::Repository;
use crate::terminal::{Terminal, display_path, escape};

/// The first line of a checklist: only such a file is written over.
const TITLE: &str = "# Legacy entries to convert by hand";

/// Why nothing was converted, or not all was written down.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ConvertError {
    /// A copy of a file that is to be converted.
    #[error("cannot write a backup of {path}: nothing was converted")]
    #[diagnostic(help("repair the cause, and run again; every file is as it was"))]
    Backup {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The list of these copies.
    #[error("cannot record where the backups are: nothing was converted")]
    #[diagnostic(help("repair the cause, and run again; every file is as it was"))]
    Record(#[source] io::Error),
    /// The list of the copies of an earlier run.
    #[error("cannot read or write the list of backups")]
    #[diagnostic(help("the backups themselves are unchanged"))]
    Undo(#[source] io::Error),
    /// The log or the checklist.
    #[error("cannot write {}", path.display())]
    #[diagnostic(help("what was converted stays converted"))]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The log or the checklist, before anything was written.
    #[error("cannot open {}: nothing was converted", path.display())]
    #[diagnostic(help("give another file"))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another file has the name of the log or of the checklist.
    #[error("{} is not a {what} of an earlier run: nothing was converted", path.display())]
    #[diagnostic(help("it is as it was; give another file"))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it was expected to be.
        what: &'static str,
    },
}

/// A file that was left as it was.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{path} was not converted")]
#[diagnostic(help("{help}"))]
struct NotWritten {
    path: String,
    help: &'static str,
    source: WriteError,
}

/// What became of the files.
#[derive(Debug)]
pub struct Written {
    /// Whether one could not be written; it has been said.
    pub failed: bool,
    /// Where the copies of the old files are; `None` if nothing was converted.
    pub backups: Option<String>,
}

/// Writes the converted files, after a copy of every one of them.
pub fn all(repository: &Repository, files: &mut [Changed], terminal: Terminal) -> Result<Written, ConvertError> {
    let mut backups = Backups::new(repository);
    for file in files.iter() {
        backups.add(file).map_err(|source| ConvertError::Backup { path: display_path(&file.path), source })?;
    }
    backups.record().map_err(ConvertError::Record)?;
    let mut failed = false;
    for file in files {
        let Some(new) = &file.new else { continue };
        let result = match file.path.to_path() {
            Ok(path) => atomic::replace(&repository.root, path, &file.old, new),
            Err(_) => continue,
        };
        if let Err(error) = result {
            failed = true;
            keep(file, error, terminal);
        }
    }
    Ok(Written { failed, backups: backups.place() })
}

/// Says why a file stays as it was, also in its rows.
pub(super) fn keep(file: &mut Changed, error: WriteError, terminal: Terminal) {
    file.new = None;
    for row in file.rows.iter_mut().filter(|row| row.header.is_some()) {
        row.failure = Some(error.to_string());
    }
    let help = match error {
        WriteError::Conflict { .. } => atomic::RESOLVE,
        _ => "it is as it was; repair the cause, and run again",
    };
    show_error(terminal, &NotWritten { path: display_path(&file.path), help, source: error });
}

#[derive(Serialize)]
struct Line<'a> {
    path: String,
    line: usize,
    status: &'static str,
    confidence: Confidence,
    reasons: &'a [String],
    heading: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// A file beside the converted ones, opened before anything is written.
pub struct Output<'a> {
    path: &'a Path,
    file: File,
}

impl<'a> Output<'a> {
    /// The log at `path`, to which lines are appended.
    pub fn log(path: &'a Path) -> Result<Self, ConvertError> {
        Self::open(path, "log", b"{\"path\":", OpenOptions::new().append(true))
    }

    /// The checklist at `path`, which takes the place of an earlier one.
    pub fn checklist(path: &'a Path) -> Result<Self, ConvertError> {
        Self::open(path, "checklist", TITLE.as_bytes(), OpenOptions::new().write(true))
    }

    /// Opens a new file, an empty one, or one that starts as those of earlier runs do.
    fn open(path: &'a Path, what: &'static str, start: &[u8], options: &mut OpenOptions) -> Result<Self, ConvertError> {
        let failed = |source| ConvertError::Open { path: path.into(), source };
        if fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
            let mut found = Vec::new();
            File::open(path).map_err(failed)?.take(start.len() as u64).read_to_end(&mut found).map_err(failed)?;
            if found != start {
                return Err(ConvertError::Foreign { path: path.into(), what });
            }
        }
        Ok(Self { path, file: options.create(true).open(path).map_err(failed)? })
    }

    /// Appends what `write` writes to the file.
    fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ConvertError> {
        let mut out = BufWriter::new(self.file);
        let result = write(&mut out).and_then(|()| out.flush());
        result.map_err(|source| ConvertError::Write { path: self.path.into(), source })
    }
}

/// Appends one line for each entry to the log.
pub fn log(log: Output<'_>, files: &[Changed]) -> Result<(), ConvertError> {
    log.write(|out| {
        for row in files.iter().flat_map(|file| &file.rows) {
            let status = match (&row.failure, &row.header) {
                (Some(_), _) => "failed",
                (None, Some(_)) => "converted",
                (None, None) => "review",
            };
            let line = Line {
                path: row.path.to_str_lossy().into_owned(),
                line: row.line,
                status,
                confidence: row.confidence,
                reasons: &row.reasons,
                heading: &row.heading,
                result: row.header.as_deref(),
                error: row.failure.as_deref(),
            };
            json_writer::line(&line, &mut *out)?;
        }
        Ok(())
    })
}

/// Writes the entries that are left for a person to the checklist.
pub fn checklist(review: Output<'_>, files: &[Changed]) -> Result<(), ConvertError> {
    if review.file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        let emptied = review.file.set_len(0);
        emptied.map_err(|source| ConvertError::Write { path: review.path.into(), source })?;
    }
    review.write(|out| write_checklist(files, out))
}

fn write_checklist(files: &[Changed], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{TITLE}")?;
    for file in files {
        let mut rows = file.rows.iter().filter(|row| !is_converted(row)).peekable();
        if rows.peek().is_none() {
            continue;
        }
        writeln!(out, "\n## {}\n", display_path(&file.path))?;
        for row in rows {
            item(row, out)?;
        }
    }
    Ok(())
}

fn item(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let heading = escape(row.heading.trim_start_matches(['#', ' ']));
    writeln!(out, "- [ ] line {}: {heading}", row.line)?;
    writeln!(out, "  - {}: {}", row.obstacle, row.reasons.join("; "))
}
