//! What the guard may know: which state git carries, what it ignores, and where it goes.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use crate::fs::path::{inner_path, is_in};
use crate::git::attributes::Attributes;
use crate::git::error::GitError;
use crate::git::ignore::{Decision, Ignores};
use crate::git::index::Index;
use crate::git::repository::Git;
use crate::options::{Options, Policy};
use crate::select::input::{Input, Mode};
use crate::select::tracked::{self, Hurdles, Kind, StatePaths, Tracked};

/// What changes with every session, inside a state root: files, and folders with all that is in them.
pub const RUNTIME: [&str; 9] = [
    "log/",
    "orchestration-log/",
    "decisions/inbox/",
    "sessions/",
    "config.json",
    ".first-run",
    ".watch-pids",
    ".cache/",
    ".scratch/",
];

/// A state root that a policy holds for.
#[derive(Debug)]
pub struct State {
    /// The folder, relative to the repository's root.
    pub root: BString,
    /// What of it may be in git.
    pub policy: Policy,
    /// What is in git: in the index, in the tree, or in what is pushed. Sorted.
    pub tracked: Vec<Tracked>,
    /// The files on disk; none where another tree than the work tree is looked at. Sorted.
    pub on_disk: Vec<BString>,
}

impl State {
    /// `path` inside the root.
    pub fn inner<'a>(&self, path: &'a BStr) -> &'a BStr {
        inner_path(path, self.root.as_bstr())
    }

    /// The path of `inner` in the repository.
    pub fn path(&self, inner: &str) -> BString {
        [self.root.as_bytes(), b"/", inner.as_bytes()].concat().into()
    }

    /// Whether git has the file at `path`, in whatever case.
    pub fn has_tracked(&self, path: &BStr) -> bool {
        self.tracked.iter().any(|tracked| tracked.path.eq_ignore_ascii_case(path))
    }

    /// The part of [`RUNTIME`] that `path` is or lies in.
    pub fn runtime_of(&self, path: &BStr) -> Option<&'static str> {
        let inner = self.inner(path).to_ascii_lowercase();
        let holds = |part: &&&str| {
            let name = part.trim_end_matches('/').as_bytes();
            inner.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        };
        RUNTIME.iter().find(holds).copied()
    }
}

/// State on its way to a branch.
#[derive(Debug)]
pub struct Carried {
    /// The branch; `None` for a detached HEAD.
    pub branch: Option<BString>,
    /// What it carries.
    pub paths: StatePaths,
}

/// The facts behind [`super::Facts::states`], each gathered when it is first asked for.
#[derive(Debug)]
pub struct GuardFacts<'a> {
    input: Input<'a>,
    options: &'a Options,
    carried: OnceLock<Vec<Carried>>,
    states: OnceLock<Vec<State>>,
    ignores: OnceLock<Option<Ignores>>,
    attributes: OnceLock<Option<Attributes>>,
    branch: OnceLock<Option<BString>>,
    index: OnceLock<Option<Index>>,
    failure: Mutex<Option<GitError>>,
}

impl<'a> GuardFacts<'a> {
    /// The facts of what `input` looks at.
    pub fn new(input: Input<'a>, options: &'a Options) -> Self {
        Self {
            input,
            options,
            carried: OnceLock::new(),
            states: OnceLock::new(),
            ignores: OnceLock::new(),
            attributes: OnceLock::new(),
            branch: OnceLock::new(),
            index: OnceLock::new(),
            failure: Mutex::default(),
        }
    }

    /// The first git read that failed: what was found then is not all.
    pub fn into_failure(self) -> Option<GitError> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn sees_work_tree(&self) -> bool {
        match self.input.mode {
            Mode::WorkTree => true,
            Mode::Change(changes) => changes.is_staged(),
            Mode::Tree(_) | Mode::Push(_) => false,
        }
    }

    /// Whether files can be looked at, and not only what is there.
    pub(super) fn has_files(&self) -> bool {
        matches!(self.input.mode, Mode::WorkTree | Mode::Change(_))
    }

    pub(super) fn input(&self) -> Input<'a> {
        self.input
    }

    /// The branch that is checked out.
    pub(super) fn branch(&self) -> Option<&BStr> {
        let read = || self.read(Git::branch).flatten();
        self.branch.get_or_init(read).as_ref().map(|name| name.as_bstr())
    }

    /// The index; `None` without git.
    pub(super) fn index(&self) -> Option<&Index> {
        self.index.get_or_init(|| self.read(Index::of)).as_ref()
    }

    /// What each branch would get.
    pub(super) fn carried(&self) -> &[Carried] {
        self.carried.get_or_init(|| {
            let roots = self.input.roots;
            let target = || self.options.guard.target.as_deref().map(BString::from);
            let carried = |branch, paths: Option<StatePaths>| Carried { branch, paths: paths.unwrap_or_default() };
            match self.input.mode {
                Mode::WorkTree => {
                    let branch = target().or_else(|| self.branch().map(BString::from));
                    vec![carried(branch, self.read(|git| tracked::in_index(git, roots)))]
                }
                // What goes, may go.
                Mode::Change(changes) => {
                    let branch = target().or_else(|| self.branch().map(BString::from).filter(|_| changes.is_staged()));
                    vec![carried(branch, Some(tracked::in_changes(changes.list(), roots)))]
                }
                Mode::Tree(revision) => {
                    vec![carried(target(), self.read(|git| tracked::in_tree(git, roots, revision)))]
                }
                Mode::Push(pushes) => {
                    let of_push = |push: &crate::git::push::Push| {
                        let paths = self.read(|git| tracked::brought(git, roots, push.old.as_deref(), &push.new));
                        carried(Some(push.branch.clone()), paths)
                    };
                    pushes.iter().map(of_push).collect()
                }
            }
        })
    }

    /// The state roots that a policy holds for and that the run covers.
    pub(super) fn states(&self) -> &[State] {
        self.states.get_or_init(|| {
            if self.input.selection.folders.is_empty() {
                return Vec::new();
            }
            let mut tracked: BTreeMap<&BString, Vec<&Tracked>> = BTreeMap::new();
            for (root, paths) in self.carried().iter().flat_map(|carried| &carried.paths) {
                tracked.entry(root).or_default().extend(paths);
            }
            let on_disk = if self.sees_work_tree() && self.input.repository.git.is_some() {
                self.input.selection.roots.iter().collect()
            } else {
                Vec::new()
            };
            // Two spellings of one root are one root where names have no case.
            let mut states: BTreeMap<Vec<u8>, State> = BTreeMap::new();
            for root in tracked.keys().copied().chain(on_disk) {
                let Some(policy) = self.options.guard.policy_of(root.as_bstr()).filter(|_| self.covers(root)) else {
                    continue;
                };
                let state = states.entry(root.to_ascii_lowercase()).or_insert_with(|| State {
                    root: root.clone(),
                    policy,
                    tracked: Vec::new(),
                    on_disk: self.files_in(root),
                });
                state.tracked.extend(tracked.get(root).into_iter().flatten().copied().cloned());
                state.tracked.sort();
                state.tracked.dedup();
            }
            states.into_values().collect()
        })
    }

    /// What decides whether git ignores `path`; nothing does where another tree than the work tree is looked at.
    pub(super) fn decide(&self, path: &BStr, is_dir: bool) -> Option<Decision> {
        if !self.has_files() {
            return None;
        }
        let root = &self.input.repository.root;
        let open = |git: &Git| match self.input.mode {
            Mode::Change(changes) => Ignores::in_git(git, root, changes.tree()),
            _ => Ignores::new(git, root),
        };
        let ignores = self.ignores.get_or_init(|| self.read(open)).as_ref()?;
        self.read(|_| ignores.decide(path, is_dir)).flatten()
    }

    pub(super) fn hurdles(&self, state: &State) -> Hurdles {
        if !self.sees_work_tree() {
            return Hurdles::default();
        }
        let root = &self.input.repository.root;
        self.read(|git| tracked::hurdles(git, root, &state.tracked)).unwrap_or_default()
    }

    pub(super) fn merges_by_union(&self, path: &BStr) -> bool {
        let attributes = self.attributes.get_or_init(|| self.read(Attributes::new));
        let merge = attributes.as_ref().and_then(|attributes| self.read(|_| attributes.merge(path))).flatten();
        merge.is_some_and(|value| value == "union")
    }

    /// The links in git at or in the root that lead out of the repository as they are written.
    pub(super) fn escaping_links(&self, state: &State) -> Vec<(BString, BString)> {
        let links = state.tracked.iter().filter_map(|tracked| match tracked.kind {
            Kind::Link(id) => Some((tracked.path.clone(), self.read(|git| tracked::link_target(git, id))?)),
            _ => None,
        });
        links.filter(|(path, target)| leaves(path.as_bstr(), target.as_bstr())).collect()
    }

    /// Whether the folders that were asked for cover the root, and the configuration does not leave it out.
    fn covers(&self, root: &BString) -> bool {
        let inside = [root.as_bytes(), b"/-"].concat();
        let excluded = |path: &[u8]| self.input.excludes.matches(path.as_bstr());
        let asked = |folder: &BString| folder == root || is_in(root.as_bstr(), folder.as_bstr());
        self.input.selection.folders.iter().any(asked) && !excluded(root) && !excluded(&inside)
    }

    /// The state roots on disk that a policy holds for and that the run covers.
    pub(super) fn roots_on_disk(&self) -> impl Iterator<Item = &BString> {
        let holds = |root: &&BString| self.options.guard.policy_of(root.as_bstr()).is_some() && self.covers(root);
        self.input.selection.roots.iter().filter(holds)
    }

    pub(super) fn files_in(&self, root: &BString) -> Vec<BString> {
        if !matches!(self.input.mode, Mode::WorkTree) {
            return Vec::new();
        }
        let selection = self.input.selection;
        let files = selection.files.iter().map(|file| &file.path).chain(&selection.others);
        let mut files: Vec<_> = files.filter(|path| is_in(path.as_bstr(), root.as_bstr())).cloned().collect();
        files.sort();
        files
    }

    /// What `act` reads from git; `None` without git and when it fails, which is remembered.
    pub(super) fn read<T>(&self, act: impl FnOnce(&Git) -> Result<T, GitError>) -> Option<T> {
        act(self.input.repository.git.as_ref()?).map_err(|error| self.fail(error)).ok()
    }

    /// Remembers that a git read failed.
    pub(super) fn fail(&self, error: GitError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Whether a link at `path` to `target` leads out of the repository, by their words alone.
fn leaves(path: &BStr, target: &BStr) -> bool {
    let is_drive = target.get(1) == Some(&b':') && target.first().is_some_and(u8::is_ascii_alphabetic);
    if target.starts_with(b"/") || target.starts_with(b"\\") || is_drive {
        return true;
    }
    let mut depth = path.split_str("/").count() - 1;
    for part in target.split_str("/") {
        match part {
            b"" | b"." => {}
            b".." => match depth.checked_sub(1) {
                Some(up) => depth = up,
                None => return true,
            },
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_leave_by_going_up_too_far_or_from_the_root() {
        for target in ["/etc", "../x", "a/../../x", "C:\\x", "\\\\host\\x"] {
            assert!(leaves(".ai-team".into(), target.into()), "{target}");
        }
        for target in ["x", "./a/../b", "a/.."] {
            assert!(!leaves(".ai-team".into(), target.into()), "{target}");
        }
        assert!(!leaves("a/.ai-team".into(), "../x".into()));
        assert!(leaves("a/.ai-team".into(), "../../x".into()));
    }
}
