//! What was done, or would be: lines for people, or a diff for `git apply`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Plan, Step, summary};
use crate::fix::diff;
use crate::fix::passes::FixedFile;
use crate::formats::timestamp::Timestamp;
use crate::fs::path::to_bytes;
use crate::sessions::clock::lasted;
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
                writeln!(out, "{verb} {folder}: no report says since when it is in the archive")?;
            }
            Step::Delete { folder, archived_at } => {
                let verb = verb("deleted", "would delete");
                writeln!(out, "{verb} {}: archived {} ago", shown(folder), lasted(*archived_at, now))?;
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

/// Prints what the steps change. Returns the files that a diff cannot hold, such as sockets.
///
/// # Errors
/// When a file cannot be read, or standard output cannot be written to.
pub fn diff(plan: &Plan, root: &Path) -> io::Result<Vec<PathBuf>> {
    let path_of = |path: &Path| to_bytes(path.strip_prefix(root).unwrap_or(path));
    let removed = |path: &Path| match path.is_symlink() {
        // As it is: `..` counts, too.
        true => diff::print_removed_link(&path_of(path), fs::read_link(path)?.as_os_str().as_encoded_bytes()),
        false => diff::print_removed(&path_of(path), &fs::read(path)?),
    };
    let mut left_out = Vec::new();
    for step in &plan.steps {
        match step {
            Step::Archive(archive) => {
                let from = &archive.folder.path;
                let locks: Vec<PathBuf> = archive.locks.iter().map(|name| from.join("locks").join(name)).collect();
                let report = from.join(summary::NAME);
                for file in files_below(from, &mut left_out)? {
                    // As when it is done: what leads to a folder moves along.
                    if locks.contains(&file) && !file.is_dir() {
                        removed(&file)?;
                    } else if file != report {
                        let inner = file.strip_prefix(from).unwrap_or(&file);
                        if !inner.starts_with(Path::new("locks").join(crate::fs::guard::OWN)) {
                            diff::print_renamed(&path_of(&file), &path_of(&archive.to.join(inner)))?;
                        }
                    }
                }
                if let Some(old) = &archive.report.old {
                    diff::print_removed(&path_of(&report), old)?;
                }
                print_new(path_of(&archive.to.join(summary::NAME)), None, &archive.report.new)?;
            }
            Step::Record { folder, report } => {
                print_new(path_of(&folder.join(summary::NAME)), report.old.clone(), &report.new)?;
            }
            Step::Delete { folder, .. } => {
                for file in files_below(folder, &mut left_out)? {
                    removed(&file)?;
                }
            }
            Step::Unlink { link, .. } => removed(link)?,
            Step::Unlock { folder, lock } => removed(&folder.path.join("locks").join(&lock.name))?,
        }
    }
    Ok(left_out)
}

fn print_new(path: bstr::BString, old: Option<Vec<u8>>, new: &[u8]) -> io::Result<()> {
    diff::print(&[FixedFile { path, old, new: new.to_vec(), count: 1, after: [].into() }])
}

/// All files and links below `folder`, in order; links are not followed. Adds what is neither to `left_out`.
fn files_below(folder: &Path, left_out: &mut Vec<PathBuf>) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
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
