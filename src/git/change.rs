//! What a change does to one path, and which paths are asked for.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

/// What becomes of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It was not there before.
    Added,
    /// Its content or its mode is another.
    Modified,
    /// It was deleted.
    Deleted,
    /// It had another name before.
    Renamed,
    /// A file became a link or a submodule, or the other way round.
    TypeChanged,
    /// A merge left it in conflict: the index holds several versions of it.
    Unmerged,
}

/// What git keeps under a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The object; for a submodule a commit of another repository.
    pub id: ObjectId,
    /// File, executable, link or submodule.
    pub kind: EntryKind,
}

impl Blob {
    /// Whether it is a regular file, executable or not.
    pub fn is_file(self) -> bool {
        matches!(self.kind, EntryKind::Blob | EntryKind::BlobExecutable)
    }
}

/// One path that differs between two states of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path, relative to the repository's root; of a deleted file, its last one.
    pub path: BString,
    /// The name before a rename.
    pub previous: Option<BString>,
    /// What became of it.
    pub status: Status,
    /// What was there before.
    pub before: Option<Blob>,
    /// The entry after the change; `None` if it is deleted or unmerged.
    pub after: Option<Blob>,
}

impl Change {
    /// The change of `path` from `before` to `after`.
    pub(crate) fn new(path: BString, before: Option<Blob>, after: Option<Blob>) -> Self {
        let status = match (before, after) {
            (None, _) => Status::Added,
            (Some(_), None) => Status::Deleted,
            (Some(before), Some(after)) if before.kind == after.kind || before.is_file() && after.is_file() => {
                Status::Modified
            }
            (Some(_), Some(_)) => Status::TypeChanged,
        };
        Self { path, previous: None, status, before, after }
    }

    /// The name that the file had before.
    pub fn old_path(&self) -> &BStr {
        self.previous.as_ref().unwrap_or(&self.path).as_bstr()
    }
}

/// The paths that are asked for; everything by default.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    paths: Vec<BString>,
}

impl Scope {
    /// These files and folders, relative to the root; the empty path is everything.
    pub fn new(paths: impl IntoIterator<Item = BString>) -> Self {
        let paths: Vec<BString> = paths.into_iter().collect();
        // Everything and a part of it is everything.
        Self { paths: if paths.iter().any(|path| path.is_empty()) { Vec::new() } else { paths } }
    }

    /// Whether the file at `path` is asked for.
    pub fn covers(&self, path: &BStr) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|wanted| lies_in(path, wanted.as_bstr()))
    }

    /// Whether anything in `folder` can be asked for: what is not is never opened.
    pub fn reaches(&self, folder: &BStr) -> bool {
        let near = |wanted: &BString| lies_in(folder, wanted.as_bstr()) || lies_in(wanted.as_bstr(), folder);
        folder.is_empty() || self.paths.is_empty() || self.paths.iter().any(near)
    }
}

/// Whether `path` is `folder`, or lies in it.
fn lies_in(path: &BStr, folder: &BStr) -> bool {
    path.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Joins each added file with a deleted one of the same content to a rename, as git does with `-M100%`: a source that is
/// not taken yet, of the same name if there is one. Expects `changes` in the order of their paths and keeps it.
pub(crate) fn join_exact_renames(changes: &mut Vec<Change>) {
    let mut sources: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate() {
        if let (Status::Deleted, Some(before)) = (change.status, change.before) {
            sources.entry(before.id).or_default().push(at);
        }
    }
    if sources.is_empty() {
        return;
    }
    let mut taken = vec![false; changes.len()];
    let mut renames = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        let (Status::Added, Some(after)) = (change.status, change.after) else { continue };
        let Some(candidates) = sources.get(&after.id) else { continue };
        let fits = |source: &&usize| {
            let before = changes.get(**source).and_then(|source| source.before);
            let same_kind =
                before.is_some_and(|before| before.is_file() && after.is_file() || before.kind == after.kind);
            same_kind && taken.get(**source) == Some(&false)
        };
        let same_name = |source: &&usize| {
            changes.get(**source).is_some_and(|source| base_name(&source.path) == base_name(&change.path))
        };
        let free = || candidates.iter().filter(fits);
        let Some(&source) = free().find(same_name).or_else(|| free().next()) else { continue };
        if let Some(taken) = taken.get_mut(source) {
            *taken = true;
        }
        renames.push((at, source));
    }
    for (at, source) in renames {
        let Some((previous, before)) = changes.get(source).map(|source| (source.path.clone(), source.before)) else {
            continue;
        };
        if let Some(change) = changes.get_mut(at) {
            *change = Change { previous: Some(previous), status: Status::Renamed, before, ..change.clone() };
        }
    }
    let mut taken = taken.into_iter();
    changes.retain(|_| taken.next() != Some(true));
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit_str("/").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::unnecessary_wraps, reason = "beside `None`")]
    fn blob(byte: u8) -> Option<Blob> {
        Some(Blob { id: ObjectId::Sha1([byte; 20]), kind: EntryKind::Blob })
    }

    fn renames(changes: &[(&str, Option<Blob>, Option<Blob>)]) -> Vec<(String, Option<String>)> {
        let changes = changes.iter().map(|(path, before, after)| Change::new((*path).into(), *before, *after));
        let mut changes: Vec<Change> = changes.collect();
        join_exact_renames(&mut changes);
        changes
            .iter()
            .map(|change| (change.path.to_string(), change.previous.as_ref().map(ToString::to_string)))
            .collect()
    }

    #[test]
    fn a_rename_prefers_the_same_name_and_takes_each_source_once() {
        let found = renames(&[
            ("a/x.md", blob(1), None),
            ("a/y.md", blob(1), None),
            ("b/y.md", None, blob(1)),
            ("b/z.md", None, blob(1)),
            ("c/z.md", None, blob(1)),
        ]);
        let expected = [("b/y.md", Some("a/y.md")), ("b/z.md", Some("a/x.md")), ("c/z.md", None)];
        assert_eq!(found, expected.map(|(path, old)| (path.to_owned(), old.map(str::to_owned))));
    }

    #[test]
    fn a_scope_covers_what_lies_in_it_and_reaches_what_leads_there() {
        let scope = Scope::new(["a/b".into(), "c.md".into()]);
        let covered = ["a/b", "a/b/c", "c.md"].map(|path| scope.covers(path.into()));
        let left_out = ["a/bc", "a", "x/c.md"].map(|path| scope.covers(path.into()));
        assert_eq!((covered, left_out), ([true; 3], [false; 3]));
        let reached = ["", "a", "a/b/c"].map(|path| scope.reaches(path.into()));
        assert_eq!((reached, scope.reaches("b".into())), ([true; 3], false));
        assert!(Scope::new(["".into(), "a".into()]).covers("b".into()));
    }
}
