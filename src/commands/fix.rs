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
    #[error("{path} was not {done}")]
    #[diagnostic(help("{help}"))]
    Write { path: String, done: &'static str, help: &'static str, source: write::WriteError },
    #[error("{path} was not fixed: its fixes bring each other back")]
    #[diagnostic(help(
        "repair it by hand, or leave one of the rules out with `--ignore`; this is a defect of squad-lint, worth a report"
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
    say_unsettled(&unsettled, terminal);
    let wrote = !files.is_empty();
    let Written { count, failed, .. } = write_files(files, root, "fixed", terminal);
    // What is on the disk by now counts: files that were not written are as they were, and what git ignores has changed.
    let outcome = if wrote { check(&Overlay::new()) } else { outcome };
    Repaired { outcome, count, incomplete: failed || !unsettled.is_empty() }
}

/// The files that were written.
pub struct Written {
    /// Their bytes.
    pub overlay: Overlay,
    /// How much is in them.
    pub count: FixCount,
    /// Whether others could not be written; it has been said.
    pub failed: bool,
}

/// Writes `files`; of one that cannot be written it says that it was not `done`.
pub fn write_files(files: Vec<FixedFile>, root: &std::path::Path, done: &'static str, terminal: Terminal) -> Written {
    let mut written = Written { overlay: Overlay::new(), count: FixCount::default(), failed: false };
    for file in files {
        match write_file(root, &file) {
            Ok(()) => {
                written.count.fixes += file.count;
                written.count.files += 1;
                written.overlay.insert(file.path, file.new);
            }
            Err(error) => {
                written.failed = true;
                let help = help(&error);
                show_error(terminal, &NotFixed::Write { path: display_path(&file.path), done, help, source: error });
            }
        }
    }
    written
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
