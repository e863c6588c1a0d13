//! `--fix` and `--diff`: what the fixes make of the files is written, or shown.

use std::io::Write;

use bstr::{BString, ByteSlice};

use super::show_error;
use crate::diagnostic::Applicability;
use crate::engine::Outcome;
use crate::fix::passes::{self, Fixed, FixedFile};
use crate::fix::{diff, write};
use crate::report::FixCount;
use crate::select::Overlay;
use crate::terminal::{Terminal, display_path};

/// What `--fix` came to.
pub struct Repaired {
    /// What is left to find in the files as they are by then.
    pub outcome: Outcome,
    /// What was repaired.
    pub count: FixCount,
    /// Whether a file could not be written; it has been said.
    pub incomplete: bool,
}

/// A file that was left as it was.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotFixed {
    #[error("{path} was not fixed")]
    #[diagnostic(help("{help}"))]
    Write { path: String, help: &'static str, source: write::WriteError },
    #[error("{path} was not fixed: its fixes undo each other")]
    #[diagnostic(help(
        "repair it by hand, or leave one of the rules out with `--ignore`; this is a bug in squad-lint, please report it"
    ))]
    Unsettled { path: String },
}

/// Writes what the fixes in `found` make of the files. `check` looks at the files again, at those it is handed instead of
/// those on disk.
pub fn repair(
    found: Outcome,
    root: &std::path::Path,
    limit: Applicability,
    terminal: Terminal,
    check: impl Fn(&Overlay) -> Outcome,
) -> Repaired {
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &check);
    let mut written = Overlay::new();
    let mut count = FixCount::default();
    let mut failed = !unsettled.is_empty();
    say_unsettled(&unsettled, terminal);
    let total = files.len();
    for file in files {
        match write_file(root, &file) {
            Ok(()) => {
                count.fixes += file.count;
                count.files += 1;
                written.insert(file.path, file.new);
            }
            Err(error) => {
                failed = true;
                let help = help(&error);
                show_error(terminal, &NotFixed::Write { path: display_path(&file.path), help, source: error });
            }
        }
    }
    // What was not written is still as it was found.
    let outcome = if count.files == total { outcome } else { check(&written) };
    Repaired { outcome, count, incomplete: failed }
}

/// What the fixes in `found` make of the one file from standard input: what is left to find, how many were applied, and
/// its bytes where they changed.
pub fn rewrite(
    found: Outcome,
    limit: Applicability,
    terminal: Terminal,
    check: impl Fn(&Overlay) -> Outcome,
) -> (Repaired, Option<Vec<u8>>) {
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, check);
    say_unsettled(&unsettled, terminal);
    let file = files.into_iter().next();
    let fixes = file.as_ref().map_or(0, |file| file.count);
    let count = FixCount { fixes, files: usize::from(fixes > 0) };
    (Repaired { outcome, count, incomplete: !unsettled.is_empty() }, file.map(|file| file.new))
}

/// Prints what the fixes in `found` would change, and what would be left to find.
///
/// # Errors
/// What the writer says.
pub fn preview(
    found: Outcome,
    limit: Applicability,
    terminal: Terminal,
    check: impl Fn(&Overlay) -> Outcome,
) -> std::io::Result<(Outcome, bool)> {
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, check);
    say_unsettled(&unsettled, terminal);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for file in &files {
        diff::write(file, &mut out)?;
    }
    out.flush()?;
    Ok((outcome, !files.is_empty()))
}

fn say_unsettled(paths: &[BString], terminal: Terminal) {
    for path in paths {
        show_error(terminal, &NotFixed::Unsettled { path: display_path(path) });
    }
}

fn write_file(root: &std::path::Path, file: &FixedFile) -> Result<(), write::WriteError> {
    let path = file.path.to_path().map_err(|_| write::WriteError::Io {
        step: "name",
        path: file.path.to_str_lossy().as_ref().into(),
        source: std::io::ErrorKind::InvalidFilename.into(),
    })?;
    match &file.old {
        Some(old) => write::replace(root, path, old, &file.new),
        None => write::create(root, path, &file.new),
    }
}

fn help(error: &write::WriteError) -> &'static str {
    match error {
        write::WriteError::Link { .. } => "fix the file that the link leads to: run squad-lint where it lies",
        write::WriteError::ReadOnly { .. } => "make it writable, and run again",
        write::WriteError::Changed { .. } => "run again: it is as the other program left it",
        write::WriteError::Io { .. } => "it is as it was; repair the cause, and run again",
    }
}
