//! The working tree: state files under the given paths, also where git ignores them, and nothing else of what git ignores.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use bstr::{BStr, BString, ByteSlice};

use super::folder::Kind;
use super::ignored::Ignored;
use super::repository::Repository;
use super::walk::{Visit, Walk};
use crate::dialects::bundle::EXPORT;
use crate::dialects::{FileKind, sessions, squad};
use crate::formats::bundle::is_bundle;
use crate::fs::path::{is_in, to_bytes};
use crate::layout::exclude::Excludes;
use crate::layout::roots::{Location, Roots};
use crate::select::selected::Selected;

/// The files that were found, and the paths that were skipped.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The files, in the order of their paths, each once. Two selections that share the list have the same files.
    pub files: Arc<Vec<Selected>>,
    /// The folders that were asked for, relative to the root; the empty path is everything.
    pub folders: Vec<BString>,
    /// The state roots, whatever is in them.
    pub roots: BTreeSet<BString>,
    /// The paths in state roots that no rule reads, and files that are left out.
    pub others: BTreeSet<BString>,
    /// Symbolic links at or in state roots that lead out of the repository, and where they lead.
    pub escapes: BTreeMap<BString, PathBuf>,
    /// Files that a fix is about to remove from the index: checks see the index without them.
    pub untracked: BTreeSet<BString>,
    /// How many files the excludes left out of those that were asked for.
    pub excluded: usize,
    /// The skipped paths, with the reason: for `--verbose`.
    pub notes: Vec<String>,
}

impl Selection {
    /// No file, for a run that looks at the repository alone.
    pub fn everything() -> Self {
        Self { folders: vec![BString::default()], ..Self::default() }
    }

    /// With the files of state that fixes are about to make, and without those that they delete: `paths` says which is which.
    #[must_use]
    pub fn with_fixes<'a>(
        &self,
        paths: impl Iterator<Item = (&'a BString, bool)>,
        roots: &Roots,
        excludes: &Excludes,
    ) -> Cow<'_, Self> {
        let mut all = Cow::Borrowed(self);
        for (path, is_gone) in paths.filter(|(path, _)| !excludes.matches(path.as_bstr())) {
            let at = all.files.binary_search_by(|file| file.path.cmp(path));
            if is_gone {
                if let Ok(at) = at {
                    Arc::make_mut(&mut all.to_mut().files).remove(at);
                }
                continue;
            }
            let Some(Location { root, kind: Some(kind) }) = roots.locate(path.as_bstr()) else { continue };
            if let Err(at) = at {
                Arc::make_mut(&mut all.to_mut().files)
                    .insert(at, Selected::on_disk(path.clone(), root, kind, true, false));
            }
        }
        all
    }
}

/// Why a path cannot be examined.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SelectError {
    /// A path of the command line that does not exist or cannot be reached.
    #[error("cannot open {}", path.display())]
    #[diagnostic(help("check the spelling, and that you have permission to read it"))]
    Path {
        /// The path as given.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A path of the command line outside the repository.
    #[error("{} is outside {}", path.display(), root.display())]
    #[diagnostic(help("run once for each repository, or pass `--root`"))]
    Outside {
        /// The path as given.
        path: PathBuf,
        /// The repository's root.
        root: PathBuf,
    },
}

/// Finds the state files of `repository`. Those under `paths` (all of them when there are none) are to be checked, the
/// others are read for what they tell about the repository.
///
/// # Errors
/// When a path does not exist or lies outside. A folder that cannot be read is not an error here: it is selected, and
/// reading it says why not.
pub fn select(
    repository: &Repository,
    roots: &Roots,
    excludes: &Excludes,
    paths: &[PathBuf],
) -> Result<Selection, SelectError> {
    let wanted = Wanted::new(repository, paths)?;
    let found = Found { repository, roots, excludes, wanted: &wanted, result: Mutex::default() };
    walk(repository, roots, &wanted.extra_walks(roots), &found);
    let mut result = found.result.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    for (path, file) in &wanted.files {
        let Location { root, kind } = roots.locate_named(path.as_bstr());
        if excludes.matches(path.as_bstr()) {
            result.excluded += 1;
        } else if let Some(kind) = kind.or_else(|| bundle_at(file)) {
            let path = path.clone();
            result.files.insert(Selected::on_disk(path, root, kind, true, true));
        } else {
            result.notes.push(format!("{}: no rule reads such a file", file.display()));
        }
    }
    let Gathered { files, mut roots, mut others, escapes, excluded, mut notes } = result;
    let mut files = dedup(files);
    roots.extend(files.iter().map(|file| file.root.clone()).filter(|root| !root.is_empty()));
    // A manifest lies in no root; its own path tells.
    let lies_in = |file: &Selected| if file.root.is_empty() { file.path.clone() } else { file.root.clone() };
    let folders = roots.iter().cloned().chain(files.iter().filter(|file| file.root.is_empty()).map(lies_in)).collect();
    let nested = if repository.has_git { nested_repositories(repository, &folders) } else { BTreeSet::new() };
    files.retain(|file| file.named || !nested.contains(&lies_in(file)));
    roots.retain(|root| !nested.contains(root));
    others.retain(|path| !nested.iter().any(|root| is_in(path.as_bstr(), root.as_bstr())));
    notes.extend(nested.iter().map(|root| format!("{root}: belongs to another repository inside this one; not read")));
    notes.sort();
    Ok(Selection {
        files: Arc::new(files),
        folders: wanted.folders,
        roots,
        others,
        escapes,
        untracked: BTreeSet::new(),
        excluded,
        notes,
    })
}

/// The kind of the file at `path`, which no name tells, if it is a bundle under a name of its own, such as `team.json`.
fn bundle_at(path: &Path) -> Option<&'static FileKind> {
    // What is not a file is never opened: a pipe would block.
    let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).and_then(|_| File::open(path).ok())?;
    is_bundle(BufReader::new(file)).then_some(&EXPORT)
}

/// What the command line asks for.
struct Wanted {
    /// Folders, relative to the root; the empty path is everything.
    folders: Vec<BString>,
    /// Files, relative to the root, and as given.
    files: Vec<(BString, PathBuf)>,
    root: PathBuf,
}

impl Wanted {
    fn new(repository: &Repository, paths: &[PathBuf]) -> Result<Self, SelectError> {
        let mut wanted = Self { folders: Vec::new(), files: Vec::new(), root: repository.root.clone() };
        if paths.is_empty() {
            wanted.folders.push(BString::default());
        }
        for path in paths {
            let unreachable = |source| SelectError::Path { path: path.clone(), source };
            let metadata = std::fs::metadata(path).map_err(unreachable)?;
            let full = canonical_parent(path).map_err(unreachable)?;
            let inner = full.strip_prefix(&repository.root);
            let inner =
                inner.map_err(|_| SelectError::Outside { path: path.clone(), root: repository.root.clone() })?;
            let inner = to_bytes(inner);
            if metadata.is_dir() {
                wanted.folders.push(inner);
            } else {
                wanted.files.push((inner, path.clone()));
            }
        }
        Ok(wanted)
    }

    fn covers(&self, path: &BStr) -> bool {
        self.folders.iter().any(|folder| is_in(path, folder.as_bstr()))
    }

    /// Folders that the walk from the root might not reach because git ignores what they lie in.
    fn extra_walks(&self, roots: &Roots) -> Vec<PathBuf> {
        let inside = |folder: &&BString| !folder.is_empty() && roots.root_of(folder.as_bstr()).is_none();
        self.folders.iter().filter(inside).filter_map(|folder| Some(self.root.join(folder.to_path().ok()?))).collect()
    }
}

/// The canonical path of what `path` names, but for a link at its end, which stays itself.
fn canonical_parent(path: &Path) -> std::io::Result<PathBuf> {
    let parent = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return path.canonicalize(),
    };
    match path.components().next_back() {
        Some(Component::Normal(name)) => Ok(parent.canonicalize()?.join(name)),
        _ => path.canonicalize(),
    }
}

#[derive(Default)]
struct Gathered {
    files: BTreeSet<Selected>,
    roots: BTreeSet<BString>,
    others: BTreeSet<BString>,
    escapes: BTreeMap<BString, PathBuf>,
    excluded: usize,
    notes: Vec<String>,
}

struct Found<'a> {
    repository: &'a Repository,
    roots: &'a Roots,
    excludes: &'a Excludes,
    wanted: &'a Wanted,
    result: Mutex<Gathered>,
}

/// Walks the repository and the folders `extra`, and anew without `.gitignore` files if one of those must not be read.
fn walk(repository: &Repository, roots: &Roots, extra: &[PathBuf], found: &Found<'_>) {
    let ignored = Ignored::around(repository);
    let walk = |with_ignores| {
        let walk = Walk { root: &repository.root, roots, with_ignores, visit: found, met_door: AtomicBool::new(false) };
        walk.run(&ignored, extra);
        walk.met_door.into_inner()
    };
    if walk(true) {
        found.with(|gathered| *gathered = Gathered::default());
        walk(false);
    }
}

impl Visit for Found<'_> {
    fn entry(&self, path: &Path, inner: BString, kind: Kind) {
        let mut note = None;
        if kind == Kind::Link {
            match path.canonicalize() {
                Ok(target) if !target.starts_with(&self.repository.root) => {
                    let root = self.roots.is_root(inner.as_bstr()).then(|| inner.clone());
                    let root = root.or_else(|| self.roots.root_of(inner.as_bstr()));
                    if let Some(root) = root.filter(|_| !self.excludes.matches(inner.as_bstr())) {
                        self.with(|gathered| {
                            gathered.roots.insert(root);
                            gathered.escapes.insert(inner.clone(), std::fs::read_link(path).unwrap_or(target));
                        });
                    }
                    // Agents see a lock there, wherever it leads: a finding says so.
                    let kind = self.roots.locate(inner.as_bstr()).and_then(|location| location.kind);
                    if !kind.is_some_and(sessions::is_kind) {
                        note = Some("leads out of the repository; not followed");
                    }
                }
                Ok(target) if target.is_dir() => note = Some("is a link to a folder; not followed"),
                _ => {}
            }
        }
        match note {
            Some(note) => self.with(|gathered| gathered.notes.push(format!("{inner}: {note}"))),
            None => self.file(inner),
        }
    }

    /// A finding where state is kept, a note elsewhere.
    fn failure(&self, path: &Path, error: &io::Error) {
        let note = format!("{}: {error}", path.display());
        let Ok(inner) = path.strip_prefix(&self.repository.root).map(to_bytes) else {
            return self.with(|gathered| gathered.notes.push(note));
        };
        let root = self.roots.root_of(inner.as_bstr());
        let root = root.or_else(|| self.roots.is_root(inner.as_bstr()).then(|| inner.clone()));
        let checked = self.wanted.covers(inner.as_bstr());
        self.with(|gathered| match root {
            Some(root) => {
                gathered.files.insert(Selected::on_disk(inner, root, &squad::PROSE, checked, false));
            }
            None => gathered.notes.push(note),
        });
    }
}

impl Found<'_> {
    fn file(&self, path: BString) {
        let Some(Location { root, kind }) = self.roots.locate(path.as_bstr()) else { return };
        let checked = self.wanted.covers(path.as_bstr());
        let excluded = self.excludes.matches(path.as_bstr());
        self.with(|gathered| {
            let Some(kind) = kind.filter(|_| !excluded) else {
                gathered.excluded += usize::from(excluded && checked && kind.is_some());
                if !root.is_empty() {
                    gathered.roots.insert(root);
                }
                gathered.others.insert(path);
                return;
            };
            gathered.files.insert(Selected::on_disk(path, root, kind, checked, false));
        });
    }

    fn with<T>(&self, act: impl FnOnce(&mut Gathered) -> T) -> T {
        act(&mut self.result.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// Each path once: a file that was named counts as named.
fn dedup(files: BTreeSet<Selected>) -> Vec<Selected> {
    let mut out: Vec<Selected> = Vec::with_capacity(files.len());
    for file in files {
        match out.last_mut() {
            Some(last) if last.path == file.path => {
                last.checked |= file.checked;
                last.named |= file.named;
            }
            _ => out.push(file),
        }
    }
    out
}

/// The state roots that lie in a repository of their own below this one: a submodule, or a clone inside a clone. As for git, a
/// `.git` that leads nowhere makes none.
fn nested_repositories(repository: &Repository, roots: &BTreeSet<BString>) -> BTreeSet<BString> {
    let is_nested = |root: &BStr| {
        memchr::memrchr_iter(b'/', root)
            .filter_map(|end| root.get(..end)?.to_path().ok())
            .any(|folder| gix::discover::is_git(&repository.root.join(folder).join(".git")).is_ok())
    };
    roots.iter().filter(|root| is_nested(root.as_bstr())).cloned().collect()
}
