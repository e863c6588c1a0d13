//! `--fix` and `--diff`: what the fixes make of the files is written, or shown.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, Write};
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};

use super::{show_error, untrack};
use crate::diagnostic::{Applicability, Fix};
use crate::engine::Outcome;
use crate::fix::passes::{self, Fixed, FixedFile, Unsettled, Why};
use crate::fix::{diff, groups};
use crate::fs::atomic;
use crate::report::FixCount;
use crate::select::input::Overlay;
use crate::select::repository::Repository;
use crate::terminal::{Terminal, display_path, escape};
use crate::text::conflict;
use crate::text::enumerated;

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
    #[error("{path} was not {done}: {target}, where its text moves to, could not be written")]
    #[diagnostic(help("it is unchanged; correct the problem of {target}, and run again"))]
    Target { path: String, done: &'static str, target: String },
    #[error("{path} was not {done}: {from}, whose text moves to it, could not be written")]
    #[diagnostic(help("it is unchanged; correct the problem of {from}, and run again"))]
    Origin { path: String, done: &'static str, from: String },
    #[error("the fixes of {rules} in {path} {why}, so they were left out")]
    #[diagnostic(help("the other fixes were made; {help}"))]
    Left { path: String, rules: String, why: &'static str, help: &'static str },
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
    let alone = LeftAlone::find(&found, Some(root), limit);
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &alone.all(), true, &check);
    let left_out = say_left_out(&alone, &unsettled, terminal);
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

/// Writes `files`, those between which text moves together or not at all; of one that cannot be written it says that it was
/// not `done`.
pub fn write_files(files: Vec<FixedFile>, root: &Path, done: &'static str, terminal: Terminal) -> Written {
    let mut written = Written { overlay: Overlay::new(), count: FixCount::default(), failed: false };
    let mut folders = BTreeSet::new();
    for group in groups::of(files) {
        let paths = group.iter().filter_map(|file| file.path.to_path().ok());
        folders.extend(paths.filter_map(Path::parent).map(|folder| root.join(folder)));
        match write_group(root, &group) {
            Ok(()) => {
                for file in group {
                    written.count.fixes += file.count;
                    written.count.files += usize::from(file.count > 0);
                    written.overlay.insert(file.path, file.new);
                }
            }
            Err((culprit, error)) => {
                written.failed = true;
                say_not_written(&culprit, done, error, terminal);
                for file in group.iter().filter(|file| file.path != culprit) {
                    let (path, other) = (display_path(&file.path), display_path(&culprit));
                    match file.after.contains(&culprit) {
                        true => show_error(terminal, &NotFixed::Target { path, done, target: other }),
                        false => show_error(terminal, &NotFixed::Origin { path, done, from: other }),
                    }
                }
            }
        }
    }
    for folder in folders {
        atomic::sweep(&folder);
    }
    written
}

/// Writes all files of `group`, or none; which of them could not be written.
fn write_group(root: &Path, group: &[FixedFile]) -> Result<(), (BString, atomic::WriteError)> {
    if let [file] = group {
        let done = write_file(root, file.path.as_bstr(), file.old.as_deref(), &file.new);
        return done.map_err(|error| (file.path.clone(), error));
    }
    let mut rewrites = Vec::with_capacity(group.len());
    for file in group {
        let path = file.path.to_path().map_err(|_| (file.path.clone(), unnamed(file.path.as_bstr())))?;
        rewrites.push(atomic::Rewrite { path, old: file.old.as_deref(), new: &file.new });
    }
    atomic::together(root, &rewrites).map_err(|error| (crate::fs::path::to_bytes(error.path()), error))
}

/// What the fixes in `found` make of the one file from standard input: what is left to find, how many were applied, and
/// its bytes where they changed.
pub fn rewrite(
    found: Outcome,
    limit: Applicability,
    terminal: Terminal,
    check: impl Fn(&Overlay) -> Outcome,
) -> (Repaired, Option<Vec<u8>>) {
    let alone = LeftAlone::find(&found, None, limit);
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &alone.all(), false, check);
    let incomplete = say_left_out(&alone, &unsettled, terminal);
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
    let alone = LeftAlone::find(&found, root, limit);
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &alone.all(), root.is_some(), check);
    let incomplete = say_left_out(&alone, &unsettled, terminal);
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

/// Files with fixes in which nothing is written.
#[derive(Default)]
pub(super) struct LeftAlone {
    /// Other names of files that are fixed themselves.
    links_to_fixed: BTreeSet<BString>,
    /// The others that are reached through a symbolic link.
    links_elsewhere: BTreeSet<BString>,
    /// Files with conflicts that a merge left, and the line on which the first begins.
    conflicts: BTreeMap<BString, usize>,
    /// Files from which text would go into one with a conflict, and that file.
    held: BTreeMap<BString, BString>,
}

impl LeftAlone {
    /// The files with fixes in `found`. Without a `root`, a file from standard input is looked at, to which no link leads.
    pub(super) fn find(found: &Outcome, root: Option<&Path>, limit: Applicability) -> Self {
        let fixes = || found.diagnostics.iter().filter_map(|one| Some((&one.path, one.fix.as_ref()?)));
        let may_fix = |fix: &Fix| fix.applicability <= limit && fix.edits().next().is_some();
        let edited = fixes().filter(|(_, fix)| may_fix(fix)).map(|(path, _)| path);
        let paths: BTreeSet<&BString> = edited.collect();
        let leads_to = |path: &BString| {
            let root = root?;
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
        // Text moves in a work tree only.
        let moved = fixes().filter(|(_, fix)| root.is_some() && fix.applicability <= limit);
        let moved: Vec<(&BString, &BString)> =
            moved.flat_map(|(path, fix)| fix.written().map(move |(target, _)| (path, target))).collect();
        let targets = moved.iter().map(|(_, target)| *target);
        let line = |path: &BString| conflict::first_line(found.source(path)?.bytes());
        let written: BTreeSet<&BString> = paths.iter().copied().chain(targets).collect();
        let conflicts: BTreeMap<BString, usize> =
            written.into_iter().filter_map(|path| Some((path.clone(), line(path)?))).collect();
        let held = moved.into_iter().filter(|(path, target)| path != target && conflicts.contains_key(*target));
        let held = held.map(|(path, target)| (path.clone(), target.clone())).collect();
        Self { links_to_fixed: names(true), links_elsewhere: names(false), conflicts, held }
    }

    /// The files that are left as they are, but for links to files that are fixed by another name.
    pub(super) fn refused(&self) -> impl Iterator<Item = BString> {
        self.links_elsewhere.iter().chain(self.conflicts.keys()).chain(self.held.keys()).cloned()
    }

    /// Says nothing of these files.
    pub(super) fn forget(&mut self, said: &BTreeSet<BString>) {
        self.links_elsewhere.retain(|path| !said.contains(path));
        self.conflicts.retain(|path, _| !said.contains(path));
        self.held.retain(|path, _| !said.contains(path));
    }

    pub(super) fn all(&self) -> BTreeSet<BString> {
        let links = self.links_to_fixed.union(&self.links_elsewhere);
        links.chain(self.conflicts.keys()).cloned().collect()
    }
}

/// Says which files cannot be fixed; whether there are any.
pub(super) fn say_left_out(alone: &LeftAlone, unsettled: &[Unsettled], terminal: Terminal) -> bool {
    let shown = |path: &BString| path.to_str_lossy().as_ref().into();
    for path in &alone.links_elsewhere {
        say_not_written(path, "fixed", atomic::WriteError::Link { path: shown(path) }, terminal);
    }
    say_conflicts(alone.conflicts.iter().map(|(path, line)| (path, *line)), "fixed", terminal);
    for (path, target) in &alone.held {
        show_error(
            terminal,
            &NotFixed::Target { path: display_path(path), done: "fixed", target: display_path(target) },
        );
    }
    let unsettled = say_unsettled(unsettled, terminal);
    !alone.links_elsewhere.is_empty() || !alone.conflicts.is_empty() || unsettled
}

/// Says that these files were not `done`, because of the conflict that begins on that line of each.
pub(super) fn say_conflicts<'a>(
    files: impl IntoIterator<Item = (&'a BString, usize)>,
    done: &'static str,
    terminal: Terminal,
) {
    for (path, line) in files {
        let error = atomic::WriteError::Conflict { path: path.to_str_lossy().as_ref().into(), line };
        say_not_written(path, done, error, terminal);
    }
}

/// Says which fixes were left out, by the rules that they belong to; whether there are any.
pub(super) fn say_unsettled(unsettled: &[Unsettled], terminal: Terminal) -> bool {
    for Unsettled { path, rules, why } in unsettled {
        let names: Vec<String> = rules.iter().map(|rule| format!("`{rule}`")).collect();
        let (path, rules) = (display_path(path), enumerated(&names));
        let (why, help) = match why {
            Why::Endless if names.len() > 1 => {
                ("undo each other", "repair these findings by hand, or leave out one of the rules with `--ignore`")
            }
            Why::Endless => ("never end", "repair these findings by hand, or leave out the rule with `--ignore`"),
            Why::Unfit => ("do not fit the file", "repair these findings by hand"),
        };
        let error = NotFixed::Left { path, rules, why, help };
        show_error(terminal, &error);
    }
    !unsettled.is_empty()
}

pub(super) fn say_not_written(path: &BString, done: &'static str, error: atomic::WriteError, terminal: Terminal) {
    let help = help(&error);
    show_error(terminal, &NotFixed::Write { path: display_path(path), done, help, source: error });
}

/// Writes `new` in the place of `old`, or of nothing.
pub(super) fn write_file(root: &Path, path: &BStr, old: Option<&[u8]>, new: &[u8]) -> Result<(), atomic::WriteError> {
    let path = path.to_path().map_err(|_| unnamed(path))?;
    match old {
        Some(old) => atomic::replace(root, path, old, new),
        None => atomic::create(root, path, new),
    }
}

/// The path is none that this system can open.
fn unnamed(path: &BStr) -> atomic::WriteError {
    let source = std::io::ErrorKind::InvalidFilename.into();
    atomic::WriteError::Io { step: "name", path: path.to_str_lossy().as_ref().into(), source }
}

fn help(error: &atomic::WriteError) -> &'static str {
    match error {
        atomic::WriteError::Link { .. } => "fix the file that the link leads to: run squad-lint where it lies",
        atomic::WriteError::ReadOnly { .. } => "make it writable, and run again",
        atomic::WriteError::Locked { .. } => "end the program that holds it, and run again",
        atomic::WriteError::Conflict { .. } => atomic::RESOLVE,
        atomic::WriteError::Beside { .. } => "bring the two together by hand, and run again",
        atomic::WriteError::Changed { .. } => "run again: it is as the other program left it",
        atomic::WriteError::Io { .. } => "it is as it was; repair the cause, and run again",
    }
}
