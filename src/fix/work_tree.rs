//! Files of the working tree: each is replaced as a whole, and those between which text moves together or not at all.

use std::collections::BTreeSet;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};

use super::applied::{Applied, Changes};
use super::groups;
use super::left_alone::LeftAlone;
pub use super::not_fixed::not_written;
use super::not_fixed::{NotFixed, left_alone};
use super::passes::{self, Fixed, FixedFile};
use super::problems::Problems;
use super::untrack;
use crate::diagnostic::Applicability;
use crate::engine::session::Session;
use crate::fs::{atomic, guard};
use crate::outcome::Outcome;
use crate::report::FixCount;
use crate::select::input::Overlay;
use crate::terminal::display_path;

/// Removes files from the index as the fixes in `found` say, and writes what they make of the others.
pub(super) fn fix(session: &mut Session<'_>, found: Outcome, limit: Applicability, problems: &mut Problems) -> Applied {
    let repository = &session.project().repository;
    let root = &repository.root;
    // First: what may be ignored from then on is for the other fixes to say.
    let (untracked, kept) = untrack::run(&found, repository.git.as_ref(), limit, problems);
    let found = if untracked > 0 { session.check(&Overlay::new()) } else { found };
    let alone = LeftAlone::find(&found, Some(root), limit);
    let check = |overlay: &Overlay| session.check(overlay);
    let Fixed { files, unsettled, outcome } = passes::run(found, limit, &alone.all(), true, check);
    let left_out = alone.tell(&unsettled, problems);
    let wrote = !files.is_empty();
    let new: BTreeSet<BString> = files.iter().filter(|file| file.old.is_none()).map(|file| file.path.clone()).collect();
    let Written { count, failed, mut overlay } = write(files, root, "fixed", problems);
    // Those that are gone are empty there.
    overlay.retain(|path, bytes| new.contains(path) || bytes.is_empty());
    // The files on disk count now: those that were not written are unchanged, a link leads to what it leads to, and git ignores
    // other files than before. New files are in the overlay, so that they are checked.
    let outcome = if wrote { session.check(&overlay) } else { outcome };
    let incomplete = failed || left_out || kept;
    Applied { outcome, count: FixCount { untracked, ..count }, incomplete, changes: Changes::default() }
}

/// The files that were written.
pub struct Written {
    /// Their bytes.
    pub overlay: Overlay,
    /// How much is in them.
    pub count: FixCount,
    /// Whether others could not be written; `problems` has them.
    pub failed: bool,
}

/// Writes `files`, those between which text moves together or not at all; of one that cannot be written it says that it was
/// not `done`.
pub fn write(files: Vec<FixedFile>, root: &Path, done: &'static str, problems: &mut Problems) -> Written {
    let mut written = Written { overlay: Overlay::new(), count: FixCount::default(), failed: false };
    let mut folders = BTreeSet::new();
    for group in groups::of(files) {
        let paths = group.iter().filter_map(|file| file.path.to_path().ok());
        // Also those above, such as the state root: a run that was killed may have written there.
        folders.extend(paths.flat_map(|path| path.ancestors().skip(1)).map(|folder| root.join(folder)));
        match write_group(root, &group) {
            Ok(()) => {
                for file in group {
                    written.count.fixes += file.count;
                    written.count.files += usize::from(file.count > 0);
                    written.overlay.insert(file.path, file.new);
                }
            }
            // Its agent has renewed or released the lock. What is to be said about it now, the next check says.
            Err((culprit, atomic::WriteError::Changed { .. })) if group.iter().all(FixedFile::goes) => {
                left_alone(&culprit, problems);
            }
            Err((culprit, error)) => {
                written.failed = true;
                not_written(&culprit, done, error, problems);
                for file in group.iter().filter(|file| file.path != culprit) {
                    let (path, other) = (display_path(&file.path), display_path(&culprit));
                    match file.after.contains(&culprit) {
                        true => problems.push(NotFixed::Target { path, done, target: other }),
                        false => problems.push(NotFixed::Origin { path, done, from: other }),
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
        let done = match (&file.old, file.path.to_path()) {
            (Some(old), Ok(path)) if file.goes() => guard::remove(root, path, old),
            (old, _) => write_file(root, file.path.as_bstr(), old.as_deref(), &file.new),
        };
        return done.map_err(|error| (file.path.clone(), error));
    }
    let mut rewrites = Vec::with_capacity(group.len());
    for file in group {
        let path = file.path.to_path().map_err(|_| (file.path.clone(), unnamed(file.path.as_bstr())))?;
        rewrites.push(atomic::Rewrite { path, old: file.old.as_deref(), new: &file.new });
    }
    atomic::together(root, &rewrites).map_err(|error| (crate::fs::path::to_bytes(error.path()), error))
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
