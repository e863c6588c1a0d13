//! `--fix` and `--diff`: what the fixes make of the files is written, or shown.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, Write};
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};

use super::{show_error, untrack};
use crate::diagnostic::Applicability;
use crate::engine::Outcome;
use crate::fix::diff;
use crate::fix::passes::{self, Fixed, FixedFile};
use crate::fs::atomic;
use crate::report::FixCount;
use crate::select::input::Overlay;
use crate::select::repository::Repository;
use crate::terminal::{Terminal, display_path, escape};

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
    Write { path: String, done: &'static str, help: &'static str, source: atomic::WriteError },
    #[error("{path} was not fixed: {target}, which takes in what leaves it, was not written")]
    #[diagnostic(help("it is as it was; repair what is said of {target}, and run again"))]
    Target { path: String, target: String },
    #[error("{path} was not fixed: its fixes undo each other")]
    #[diagnostic(help(
        "repair it by hand, or leave one of the rules out with `--ignore`; this is a bug in squad-lint, please report it"
    ))]
    Unsettled { path: String },
}

/// Takes out of the index what the fixes in `found` untrack, and writes what they make of the files. `check` looks at the
/// files again, at those it is handed instead of those on disk.
pub fn repair(
    found: Outcome,
    repository: &Repository,
    limit: Applicability,
    terminal: Terminal,
    check: impl Fn(&Overlay) -> Outcome,
) -> Repaired {
    let root = &repository.root;
    // First: what may be ignored from then on is for the other fixes to say.
    let (untracked, kept) = untrack::run(&found, repository.git.as_ref(), limit, terminal);
    let found = if untracked > 0 { check(&Overlay::new()) } else { found };
    let links = Links::find(&found, root, limit);
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &links.all(), true, &check);
    let left_out = say_left_out(&links, &unsettled, terminal);
    let wrote = !files.is_empty();
    let new: BTreeSet<BString> = files.iter().filter(|file| file.old.is_none()).map(|file| file.path.clone()).collect();
    let Written { count, failed, mut overlay } = write_files(files, root, "fixed", terminal);
    overlay.retain(|path, _| new.contains(path));
    // What is on the disk by now counts: files that were not written are as they were, what a link leads to is as it is by
    // now, and what git ignores has changed. Files that were not there are named, so that they are looked at.
    let outcome = if wrote { check(&overlay) } else { outcome };
    Repaired { outcome, count: FixCount { untracked, ..count }, incomplete: failed || left_out || kept }
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
pub fn write_files(files: Vec<FixedFile>, root: &Path, done: &'static str, terminal: Terminal) -> Written {
    let mut written = Written { overlay: Overlay::new(), count: FixCount::default(), failed: false };
    let mut folders = BTreeSet::new();
    let mut missing = BTreeSet::new();
    let (first, then): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.after.is_empty());
    for file in first.into_iter().chain(then) {
        if let Some(target) = file.after.iter().find(|target| missing.contains(*target)) {
            written.failed = true;
            show_error(terminal, &NotFixed::Target { path: display_path(&file.path), target: display_path(target) });
            continue;
        }
        folders.extend(file.path.to_path().ok().and_then(Path::parent).map(|folder| root.join(folder)));
        match write_file(root, file.path.as_bstr(), file.old.as_deref(), &file.new) {
            Ok(()) => {
                written.count.fixes += file.count;
                written.count.files += usize::from(file.count > 0);
                written.overlay.insert(file.path, file.new);
            }
            Err(error) => {
                written.failed = true;
                say_not_written(&file.path, done, error, terminal);
                missing.insert(file.path);
            }
        }
    }
    for folder in folders {
        atomic::sweep(&folder);
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
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &BTreeSet::new(), false, check);
    let incomplete = say_unsettled(&unsettled, terminal);
    let file = files.into_iter().next();
    let fixes = file.as_ref().map_or(0, |file| file.count);
    let count = FixCount { fixes, files: usize::from(fixes > 0), untracked: 0 };
    (Repaired { outcome, count, incomplete }, file.map(|file| file.new))
}

/// What `--diff` came to.
pub struct Preview {
    /// What would be left to find.
    pub outcome: Outcome,
    /// Whether anything would change.
    pub changes: bool,
    /// Whether a file cannot be fixed; it has been said.
    pub incomplete: bool,
}

/// Prints what the fixes in `found` would change.
///
/// # Errors
/// What the writer says.
pub fn preview(
    found: Outcome,
    root: Option<&Path>,
    limit: Applicability,
    terminal: Terminal,
    check: impl Fn(&Overlay) -> Outcome,
) -> std::io::Result<Preview> {
    let untracks = root.is_some() && untrack::preview(&found, limit, terminal);
    let links = root.map(|root| Links::find(&found, root, limit)).unwrap_or_default();
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &links.all(), root.is_some(), check);
    let incomplete = say_left_out(&links, &unsettled, terminal);
    print_diff(&files)?;
    Ok(Preview { outcome, changes: untracks || !files.is_empty(), incomplete })
}

/// Prints what `files` become, as a unified diff.
///
/// # Errors
/// What the writer says.
pub(super) fn print_diff(files: &[FixedFile]) -> std::io::Result<()> {
    files.iter().try_for_each(|file| print_part(|out| diff::write(file, out)))
}

/// Prints that the file at `path`, which holds `old`, goes.
///
/// # Errors
/// What the writer says.
pub(super) fn print_removed(path: &BStr, old: &[u8]) -> std::io::Result<()> {
    print_part(|out| diff::write_removed(path, old, out))
}

/// Prints a part of a diff.
fn print_part(render: impl Fn(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<()> {
    let stdout = std::io::stdout();
    let for_people = stdout.is_terminal();
    let mut out = std::io::BufWriter::new(stdout.lock());
    if for_people {
        // What controls a terminal is shown, not sent. Nobody applies a diff from there.
        let mut shown = Vec::new();
        render(&mut shown)?;
        for line in shown.lines() {
            writeln!(out, "{}", escape(&line.to_str_lossy()))?;
        }
    } else {
        render(&mut out)?;
    }
    out.flush()
}

/// Files with fixes that are reached through a symbolic link: nothing is written there.
#[derive(Default)]
pub(super) struct Links {
    /// Other names of files that are fixed themselves.
    to_fixed: BTreeSet<BString>,
    /// The others.
    elsewhere: BTreeSet<BString>,
}

impl Links {
    pub(super) fn find(found: &Outcome, root: &Path, limit: Applicability) -> Self {
        let may_fix = |fix: &crate::diagnostic::Fix| fix.applicability <= limit && !fix.edits.is_empty();
        let with_fixes = found.diagnostics.iter().filter(|diagnostic| diagnostic.fix.as_ref().is_some_and(may_fix));
        let paths: BTreeSet<&BString> = with_fixes.map(|diagnostic| &diagnostic.path).collect();
        let leads_to = |path: &BString| {
            let full = root.join(path.to_path().ok()?);
            let target = full.canonicalize().ok()?;
            (target != full).then(|| target.strip_prefix(root).map(crate::fs::path::to_bytes).unwrap_or_default())
        };
        let links: BTreeMap<&BString, BString> =
            paths.iter().filter_map(|path| Some((*path, leads_to(path)?))).collect();
        let is_fixed = |target: &BString| paths.contains(target) && !links.contains_key(target);
        let names = |fixed: bool| {
            links.iter().filter(|(_, target)| is_fixed(target) == fixed).map(|(path, _)| (*path).clone()).collect()
        };
        Self { to_fixed: names(true), elsewhere: names(false) }
    }

    pub(super) fn all(&self) -> BTreeSet<BString> {
        self.to_fixed.union(&self.elsewhere).cloned().collect()
    }
}

/// Says which files cannot be fixed; whether there are any.
pub(super) fn say_left_out(links: &Links, unsettled: &[BString], terminal: Terminal) -> bool {
    for path in &links.elsewhere {
        let shown = path.to_str_lossy().as_ref().into();
        say_not_written(path, "fixed", atomic::WriteError::Link { path: shown }, terminal);
    }
    let unsettled = say_unsettled(unsettled, terminal);
    !links.elsewhere.is_empty() || unsettled
}

/// Says which files the fixes leave as they were, because they undo each other; whether there are any.
pub(super) fn say_unsettled(unsettled: &[BString], terminal: Terminal) -> bool {
    for path in unsettled {
        show_error(terminal, &NotFixed::Unsettled { path: display_path(path) });
    }
    !unsettled.is_empty()
}

pub(super) fn say_not_written(path: &BString, done: &'static str, error: atomic::WriteError, terminal: Terminal) {
    let help = help(&error);
    show_error(terminal, &NotFixed::Write { path: display_path(path), done, help, source: error });
}

/// Writes `new` in the place of `old`, or of nothing.
pub(super) fn write_file(root: &Path, path: &BStr, old: Option<&[u8]>, new: &[u8]) -> Result<(), atomic::WriteError> {
    let path = path.to_path().map_err(|_| atomic::WriteError::Io {
        step: "name",
        path: path.to_str_lossy().as_ref().into(),
        source: std::io::ErrorKind::InvalidFilename.into(),
    })?;
    match old {
        Some(old) => atomic::replace(root, path, old, new),
        None => atomic::create(root, path, new),
    }
}

fn help(error: &atomic::WriteError) -> &'static str {
    match error {
        atomic::WriteError::Link { .. } => "fix the file that the link leads to: run squad-lint where it lies",
        atomic::WriteError::ReadOnly { .. } => "make it writable, and run again",
        atomic::WriteError::Locked { .. } => "end the program that holds it, and run again",
        atomic::WriteError::Changed { .. } => "run again: it is as the other program left it",
        atomic::WriteError::Io { .. } => "it is as it was; repair the cause, and run again",
    }
}
