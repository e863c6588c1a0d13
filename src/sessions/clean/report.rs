//! What was done, or would be: lines for people, or a diff for `git apply`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bstr::BString;

use super::{Plan, Step, summary};
use crate::fix::diff;
use crate::fix::passes::FixedFile;
use crate::formats::timestamp::Timestamp;
use crate::fs::path::to_bytes;
use crate::sessions::clock::lasted;
use crate::sessions::folder::PlaceError;
use crate::terminal::{display_path, escape};

/// Writes a line for each step, which was done, or would be. `root` is the root of the repository.
///
/// # Errors
/// What the writer says.
pub fn text(plan: &Plan, root: &Path, now: Timestamp, is_done: bool, out: &mut dyn Write) -> io::Result<()> {
    let verb = |done: &'static str, open: &'static str| if is_done { done } else { open };
    let shown = |path: &Path| display_path(&to_bytes(path.strip_prefix(root).unwrap_or(path)));
    if plan.steps.is_empty() {
        writeln!(out, "nothing to clean")?;
    }
    for step in &plan.steps {
        match step {
            Step::Archive(archive) => {
                let (state, ago) = (archive.state.as_str(), lasted(archive.ended_at, now));
                let (verb, from, to) =
                    (verb("archived", "would archive"), shown(&archive.folder.path), shown(&archive.to));
                writeln!(out, "{verb} {from} to {to}: {state} {ago} ago")?;
            }
            Step::Record { folder, .. } => {
                let (verb, folder) = (verb("recorded", "would record"), shown(folder));
                writeln!(out, "{verb} {folder}: no report says when it was archived")?;
            }
            Step::Delete { folder, archived_at } => {
                let verb = verb("deleted", "would delete");
                writeln!(out, "{verb} {}: archived {} ago", shown(folder), lasted(*archived_at, now))?;
            }
            Step::Finish { rest } => {
                writeln!(out, "{} {}: the rest of an archived session", verb("deleted", "would delete"), shown(rest))?;
            }
            Step::Unlink { link, target } => {
                let (verb, link) = (verb("removed", "would remove"), shown(link));
                writeln!(out, "{verb} the link {link}: {} is in the archive", shown(target))?;
            }
            Step::Unlock { folder, lock } => {
                let (file, holder) = (display_path(lock.file.as_bytes()), escape(&lock.locked_by.to_string()));
                let (session, ago) = (shown(&folder.path), lasted(lock.expires_at, now));
                let verb = verb("removed", "would remove");
                writeln!(out, "{verb} the lock of {holder} on {file} in {session}: expired {ago} ago")?;
            }
        }
    }
    for (folder, why) in &plan.kept {
        writeln!(out, "{} {}: {}", verb("kept", "would keep"), shown(folder), escape(why))?;
    }
    Ok(())
}

/// A part of the diff.
enum Part {
    Removed(BString, Vec<u8>),
    RemovedLink(BString, Vec<u8>),
    Renamed(BString, BString),
    Written(FixedFile),
}

/// Prints what the steps of `plan` change. Takes out those with a file that cannot be read, and what follows from them; why is in
/// [`Plan::failed`]. Returns the files that a diff cannot hold, such as sockets.
///
/// # Errors
/// When standard output cannot be written to.
pub fn diff(plan: &mut Plan, root: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut left_out, mut stay): (Vec<PathBuf>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    for step in std::mem::take(&mut plan.steps) {
        if matches!(&step, Step::Unlink { target, .. } if stay.contains(target)) {
            continue;
        }
        match parts(&step, root, &mut left_out) {
            Ok(parts) => {
                parts.iter().try_for_each(print)?;
                plan.steps.push(step);
            }
            Err(error) => {
                plan.failed.push(error);
                stay.extend(if let Step::Archive(archive) = step { Some(archive.folder.path) } else { None });
            }
        }
    }
    Ok(left_out)
}

fn print(part: &Part) -> io::Result<()> {
    match part {
        Part::Removed(path, old) => diff::print_removed(path, old),
        Part::RemovedLink(path, target) => diff::print_removed_link(path, target),
        Part::Renamed(from, to) => diff::print_renamed(from, to),
        Part::Written(file) => diff::print([file]),
    }
}

/// What `step` changes. Adds what no diff can hold to `left_out`.
///
/// # Errors
/// When a file or a folder cannot be read.
fn parts(step: &Step, root: &Path, left_out: &mut Vec<PathBuf>) -> Result<Vec<Part>, PlaceError> {
    let path_of = |path: &Path| to_bytes(path.strip_prefix(root).unwrap_or(path));
    let removed = |path: &Path| {
        let failed = |source| PlaceError::Unreadable { path: path.into(), source };
        Ok(match path.is_symlink() {
            // As it is: `..` counts, too.
            true => {
                let target = fs::read_link(path).map_err(failed)?;
                Part::RemovedLink(path_of(path), target.as_os_str().as_encoded_bytes().to_vec())
            }
            false => Part::Removed(path_of(path), fs::read(path).map_err(failed)?),
        })
    };
    match step {
        Step::Archive(archive) => {
            let from = &archive.folder.path;
            let locks: Vec<PathBuf> = archive.locks.iter().map(|name| from.join("locks").join(name)).collect();
            let report = from.join(summary::NAME);
            let own = from.join("locks").join(crate::fs::guard::OWN);
            let mut parts = Vec::new();
            for file in files_below(from, left_out)? {
                // As when it is done: what leads to a folder moves along.
                if locks.contains(&file) && !file.is_dir() {
                    parts.push(removed(&file)?);
                } else if file != report && !file.starts_with(&own) {
                    let inner = file.strip_prefix(from).unwrap_or(&file);
                    parts.push(Part::Renamed(path_of(&file), path_of(&archive.to.join(inner))));
                }
            }
            parts.extend(archive.report.old.clone().map(|old| Part::Removed(path_of(&report), old)));
            parts.push(written(path_of(&archive.to.join(summary::NAME)), None, &archive.report.new));
            Ok(parts)
        }
        Step::Record { folder, report } => {
            Ok(vec![written(path_of(&folder.join(summary::NAME)), report.old.clone(), &report.new)])
        }
        Step::Delete { folder, .. } | Step::Finish { rest: folder } => {
            files_below(folder, left_out)?.iter().map(|file| removed(file)).collect()
        }
        Step::Unlink { link, .. } => Ok(vec![removed(link)?]),
        Step::Unlock { folder, lock } => Ok(vec![removed(&folder.path.join("locks").join(&lock.name))?]),
    }
}

fn written(path: BString, old: Option<Vec<u8>>, new: &[u8]) -> Part {
    Part::Written(FixedFile { path, old, new: new.to_vec(), count: 1, after: [].into() })
}

/// All files and links below `folder`, in order; links are not followed. Adds what is neither to `left_out`.
///
/// # Errors
/// When a folder cannot be read.
fn files_below(folder: &Path, left_out: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>, PlaceError> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let failed = |source| PlaceError::Unreadable { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() || kind.is_symlink() {
                files.push(entry.path());
            } else {
                left_out.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
