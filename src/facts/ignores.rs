//! What git ignores.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use bstr::{BStr, BString, ByteSlice};

use super::{Gather, Run};
use crate::git::error::GitError;
use crate::git::ignore::{self, Decision, Ignores};
use crate::select::input::{Input, Mode};

/// `None` without git.
pub type Fact = Option<Ignores>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let root = &run.input.repository.root;
        run.input.repository.git.as_ref()?;
        let mut files = ignore_files(run)?;
        let mut is_planned = run.input.overlay.keys().any(is_ignore_file);
        for (path, text) in &mut files {
            match ignore::untangled(text) {
                Ok(None) => {}
                Ok(Some(untangled)) => (*text, is_planned) = (untangled, true),
                Err((line, error)) => {
                    run.fail(GitError::new(format!("line {line} of `{path}`"), error));
                    return None;
                }
            }
        }
        if is_planned {
            return run.git(|git| Ignores::planned(git, root, &files));
        }
        let index = || run.index().as_ref();
        match run.input.mode {
            Mode::Change(changes) => match changes.tree() {
                Some(tree) => run.git(|git| Ignores::in_tree(git, root, tree)),
                None => index().and_then(|index| run.git(|git| Ignores::in_index(git, root, index))),
            },
            Mode::Revision(revision) => {
                let files = run.git(|_| revision.ignore_files())?;
                run.git(|git| Ignores::of_blobs(git, root, files))
            }
            _ => index().and_then(|index| run.git(|git| Ignores::new(git, root, index))),
        }
    }
}

/// What decides whether git ignores the file or folder at `path`; `None` if no pattern matches it, and if neither the work
/// tree nor a change is checked.
pub fn decide(run: &Run<'_>, path: &BStr, is_dir: bool) -> Option<Decision> {
    let ignores = if run.has_files() { run.ignores().as_ref()? } else { return None };
    run.git(|_| ignores.decide(path, is_dir)).flatten()
}

/// Whether git ignores the file at `path`.
pub fn is_ignored(run: &Run<'_>, path: &BStr) -> bool {
    decide(run, path, false).is_some_and(|decision| decision.ignored)
}

/// The ignore files of the repository in the folders of the state and those above, as the fixes of this run leave them.
/// `None` if git cannot be read.
fn ignore_files(run: &Run<'_>) -> Option<BTreeMap<BString, Vec<u8>>> {
    let Input { selection, overlay, .. } = run.input;
    let tracked = run.branch_contents().iter().flat_map(|contents| contents.paths.values().flatten());
    let paths = selection.files.iter().map(|file| &file.path).chain(&selection.others).chain(overlay.keys());
    let mut folders: BTreeSet<&[u8]> = BTreeSet::from([b"".as_slice()]);
    let mut last: &[u8] = b"";
    for path in paths.chain(&selection.roots).chain(tracked.map(|tracked| &tracked.path)) {
        let mut path = path.as_bytes();
        // Files of one folder are side by side.
        let own = path.rfind_byte(b'/').and_then(|slash| path.get(..slash)).unwrap_or_default();
        if std::mem::replace(&mut last, own) == own {
            continue;
        }
        while let Some(slash) = path.rfind_byte(b'/') {
            path = path.get(..slash).unwrap_or_default();
            if !folders.insert(path) {
                break;
            }
        }
    }
    let in_folder = |folder: &[u8]| -> BString {
        let slash: &[u8] = if folder.is_empty() { b"" } else { b"/" };
        [folder, slash, b".gitignore"].concat().into()
    };
    let roots = selection.roots.iter().map(|root| in_folder(root));
    let paths = folders.into_iter().map(in_folder).chain(roots);
    // Those of a revision are known: to look into each folder of its tree would read each tree on the way for each.
    let known = match run.input.mode {
        Mode::Revision(revision) => Some(run.git(|_| revision.ignore_files())?),
        _ => None,
    };
    let is_on_disk = !matches!(run.input.mode, Mode::Change(_) | Mode::Revision(_));
    let read = |path: BString| {
        let full = run.input.repository.root.join(path.to_path().ok()?);
        if !overlay.contains_key(&path) {
            if known.is_some_and(|known| !known.contains_key(&path)) {
                return None;
            }
            match full.symlink_metadata() {
                // Git does not follow links here.
                Ok(metadata) if metadata.is_symlink() => return None,
                // Nearly no folder has one.
                Err(error) if error.kind() == ErrorKind::NotFound && is_on_disk => return None,
                _ => {}
            }
        }
        let bytes = run.input.read(path.as_bstr(), run.max_bytes()).ok()?;
        Some((path, bytes))
    };
    Some(paths.filter_map(read).collect())
}

fn is_ignore_file(path: &BString) -> bool {
    path.rsplit_str("/").next() == Some(b".gitignore")
}
