//! From the places that a tool wrote to to the files that may be state: before a repository or a configuration is opened.

use std::fs;
use std::path::{Component, Path, PathBuf};

use bstr::{BStr, ByteSlice};

use super::places::Place;
use crate::config::FILE_NAMES;
use crate::dialects::default_roots;
use crate::dialects::manifest::DEFAULT_MANIFESTS;
use crate::formats::team_config::TeamConfig;
use crate::fs::path::to_bytes;
use crate::fs::read::read;
use crate::layout::roots::Roots;

/// A larger configuration of a team is not read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// A file; no folder on the way to it is a link.
    File(PathBuf),
    /// A key of the state, which is on the state branch.
    Key(String),
}

/// What may be state of `places`, for an agent that works in `folder`.
pub(super) fn written(folder: &Path, places: &[Place]) -> Vec<Written> {
    let mut found = Vec::new();
    for place in places {
        let one = match place {
            Place::File(path) => file(&folder.join(path)).filter(|path| may_be_state(path)).map(Written::File),
            Place::Key(key) => by_key(folder, key),
        };
        found.extend(one.filter(|one| !found.contains(one)));
    }
    found
}

/// `path`, if it is a file, as the folders lead to it.
pub(super) fn file(path: &Path) -> Option<PathBuf> {
    let (parent, name) = (path.parent()?, path.file_name()?);
    let path = parent.canonicalize().ok()?.join(name);
    path.is_file().then_some(path)
}

/// The file of a key, or the key itself if no such file is in the work tree, or the team keeps its state on a branch.
fn by_key(folder: &Path, key: &str) -> Option<Written> {
    let key = key.replace('\\', "/");
    let key = key.strip_prefix(".squad/").unwrap_or(&key);
    let is_below = Path::new(key).components().all(|part| matches!(part, Component::Normal(_)));
    if key.is_empty() || !is_below {
        return None;
    }
    let squad = folder.ancestors().map(|folder| folder.join(".squad")).find(|squad| squad.is_dir());
    // What the work tree has beside the branch is an older copy.
    let is_on_branch = |squad: &PathBuf| {
        let text = read(&squad.join("config.json"), MOST_BYTES).unwrap_or_default();
        TeamConfig::parse(&text.to_str_lossy()).backend.has_branch()
    };
    let path = squad.filter(|squad| !is_on_branch(squad)).and_then(|squad| file(&squad.join(key)));
    Some(path.map_or_else(|| Written::Key(key.to_owned()), Written::File))
}

/// The folder that counts as the repository of the file at `path`, if git has none for it: the one that holds its state root. The
/// folder in which an agent runs could hold far more.
pub(super) fn root_without_git(path: &Path) -> Option<PathBuf> {
    if path.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok()) {
        return None;
    }
    let above = |glob: &str| {
        let root = path.ancestors().skip(1).find(|folder| folder.ends_with(glob))?;
        root.ancestors().nth(Path::new(glob).components().count()).map(Path::to_path_buf)
    };
    default_roots().find_map(|root| above(root.glob))
}

/// Whether the file at `path` is in a state root: one of those by default, or perhaps one that a configuration names.
fn may_be_state(path: &Path) -> bool {
    let inner = to_bytes(path);
    let roots =
        Roots::new(default_roots().map(|root| root.glob)).and_then(|roots| roots.with_manifests(DEFAULT_MANIFESTS));
    roots.is_ok_and(|roots| is_state(&roots, inner.as_bstr())) || path.ancestors().skip(1).any(names_roots)
}

/// Whether a rule may read the file at `path`.
pub(super) fn is_state(roots: &Roots, path: &BStr) -> bool {
    roots.locate(path).is_some_and(|location| location.kind.is_some())
}

/// Whether a configuration in `folder` may name state roots or manifests.
fn names_roots(folder: &Path) -> bool {
    let texts = FILE_NAMES.iter().filter_map(|name| fs::read(folder.join(name)).ok());
    texts.into_iter().any(|text| text.contains_str("roots"))
}
