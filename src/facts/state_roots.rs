//! The state roots that a policy applies to, and what git has of them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bstr::{BStr, BString, ByteSlice};

use super::{Gather, Run, files, unused};
use crate::formats::team_config::TeamConfig;
use crate::fs::path::{inner_path, is_in, join};
use crate::fs::read;
use crate::options::Policy;
use crate::select::input::Mode;
use crate::select::skipped;
use crate::select::tracked::{self, Kind, Tracked, UntrackBlockers};

/// What belongs to one machine or one session, inside a state root: files, and folders with all that is in them.
pub const RUNTIME: [&str; 25] = [
    "log/",
    "orchestration-log/",
    "decisions/inbox/",
    "sessions/",
    ".first-run",
    ".watch-pids",
    ".cache/",
    ".scratch/",
    "_upstream_repos/",
    ".init-prompt",
    ".init-roles",
    ".nap-journal",
    ".ralph-state.json",
    ".schedule-state.json",
    "ralph-circuit-breaker.json",
    "rate-limit-status.json",
    "commit-msg.txt",
    "commit-message.txt",
    "memory/audit.jsonl",
    "memory/audit.1.jsonl",
    "memory/audit.2.jsonl",
    "memory/audit.3.jsonl",
    "memory/index.json.tmp",
    "memory/index.json.corrupt",
    CONFIG,
];

/// The part of [`RUNTIME`] that `squad init` creates and does not ignore: each new team has it.
pub const LEFT_BY_INIT: [&str; 2] = [".first-run", "memory/audit.jsonl"];

/// The configuration of a team. It belongs to one machine only if it says so.
pub const CONFIG: &str = "config.json";

/// The folders that agents write with the state tools of Squad: with a state branch they are on that branch alone.
pub const MUTABLE: [&str; 6] =
    ["decisions/inbox/", "log/", "orchestration-log/", "sessions/", ".scratch/", "identity/"];

/// What a folder of the name `.squad` contains if it is a team's. Other programs have folders of this name, too.
const OF_A_TEAM: [&str; 5] = ["team.md", "decisions.md", "decisions/", "agents/", "casting/"];

/// A state root that a policy applies to.
#[derive(Debug)]
pub struct StateRoot {
    /// The folder, relative to the repository's root.
    pub root: BString,
    /// What of it may be in git.
    pub policy: Policy,
    /// What is in git: in the index, in the tree, or in what is pushed. Sorted.
    pub tracked: Vec<Tracked>,
    /// The configuration of the team.
    pub config: TeamConfig,
    /// The files on disk; none if a tree other than the work tree is checked. Sorted.
    pub on_disk: Vec<BString>,
    untrack_blockers: OnceLock<UntrackBlockers>,
}

impl StateRoot {
    /// `path` inside the root.
    pub fn inner<'a>(&self, path: &'a BStr) -> &'a BStr {
        inner_path(path, self.root.as_bstr())
    }

    /// The path of `inner` in the repository.
    pub fn path(&self, inner: &str) -> BString {
        join(self.root.as_bstr(), inner)
    }

    /// Whether git has the file at `path`, in whatever case.
    pub fn has_tracked(&self, path: &BStr) -> bool {
        self.tracked.iter().any(|tracked| tracked.path.eq_ignore_ascii_case(path))
    }

    /// Whether git has files that the policy is about: under `state-branch` what agents write, else all.
    pub fn has_tracked_of_policy(&self) -> bool {
        let is_meant = |path: &BString| self.policy != Policy::StateBranch || self.mutable_of(path.as_bstr()).is_some();
        self.tracked.iter().any(|tracked| is_meant(&tracked.path))
    }

    /// The part of [`RUNTIME`] that `path` is or is in.
    pub fn runtime_of(&self, path: &BStr) -> Option<&'static str> {
        // One in git with an absolute path is reported for that path.
        let is_of_machine = || self.config.is_of_machine() || self.config.has_absolute_path && !self.has_tracked(path);
        self.part_of(path, &RUNTIME).filter(|part| *part != CONFIG || is_of_machine())
    }

    /// The part of the state at `path` that agents write with the state tools: a folder of [`MUTABLE`], or `path` itself.
    pub fn mutable_of(&self, path: &BStr) -> Option<BString> {
        if let Some(part) = self.part_of(path, &MUTABLE) {
            return Some(self.path(part));
        }
        let parts: Vec<&[u8]> = self.inner(path).split_str("/").collect();
        let is_file = matches!(parts.as_slice(), [b"decisions.md"] | [b"agents", _, b"history.md"]);
        (is_file || path == self.root).then(|| path.into())
    }

    /// The first of `parts`, files and folders of the root, that `path` is or is in.
    fn part_of(&self, path: &BStr, parts: &[&'static str]) -> Option<&'static str> {
        let inner = self.inner(path);
        let first = inner.first().map(u8::to_ascii_lowercase);
        let holds = |part: &&&str| {
            let name = part.strip_suffix('/').unwrap_or(part).as_bytes();
            // All files of a root are compared with all parts, and nearly all differ in their first letter.
            if name.first().map(u8::to_ascii_lowercase) != first {
                return false;
            }
            let (start, rest) = inner.split_at_checked(name.len()).unwrap_or_default();
            start.eq_ignore_ascii_case(name) && (rest.is_empty() || rest.starts_with(b"/"))
        };
        parts.iter().find(holds).copied()
    }

    /// Whether it is the state of a team: always, unless its name is `.squad` and no file in it is one of a team's. A `config.json` is
    /// one if it says where the state is, or if it cannot be read and there is a state branch.
    fn is_of_team(&self, run: &Run<'_>) -> bool {
        let name = self.root.rsplit_str("/").next().unwrap_or_default();
        let mut paths = self.tracked.iter().map(|tracked| &tracked.path).chain(&self.on_disk);
        let is_of_team = |path: &BString| self.part_of(path.as_bstr(), &OF_A_TEAM).is_some();
        // A link in place of the folder leads to files that are not listed.
        !name.eq_ignore_ascii_case(b".squad")
            || self.config.names_backend
            || self.config.error.is_some() && run.state_branch().is_some()
            || paths.any(|path| *path == self.root || is_of_team(path))
            // What a change leaves as it was tells it as well.
            || run.changes().is_some() && files::in_folder(run, self.root.as_bstr()).iter().any(|file| is_of_team(&file.path))
    }
}

/// The state roots that a policy applies to and that the run covers, in the order of their case-folded paths. None without git.
pub type Fact = Vec<StateRoot>;

impl Gather for Fact {
    fn gather(run: &Run<'_>) -> Self {
        let selection = run.input.selection;
        if selection.folders.is_empty() {
            return Vec::new();
        }
        let mut tracked: BTreeMap<&BString, Vec<&Tracked>> = BTreeMap::new();
        for (root, paths) in run.branch_contents().iter().flat_map(|contents| &contents.paths) {
            tracked.entry(root).or_default().extend(paths);
        }
        let sees_disk = run.sees_work_tree() && run.input.repository.git.is_some();
        let roots = tracked.keys().copied().chain(selection.roots.iter().filter(|_| sees_disk));
        // Two spellings of one root are one root where names have no case.
        let mut states: BTreeMap<Vec<u8>, StateRoot> = BTreeMap::new();
        for root in roots {
            let Some(policy) = policy(run, root).filter(|_| covers(run, root)) else { continue };
            let state = states.entry(root.to_ascii_lowercase()).or_insert_with(|| StateRoot {
                root: root.clone(),
                policy,
                tracked: Vec::new(),
                config: config(run, root.as_bstr()),
                on_disk: files_in(run, root),
                untrack_blockers: OnceLock::new(),
            });
            state.tracked.extend(tracked.get(root).into_iter().flatten().copied().cloned());
            state.tracked.sort();
            state.tracked.dedup();
        }
        states.into_values().filter(|state| state.is_of_team(run)).collect()
    }
}

/// The `config.json` of the root, as the run sees it. One that git does not have counts for a change as it is on disk.
pub(super) fn config(run: &Run<'_>, root: &BStr) -> TeamConfig {
    let path = join(root, CONFIG);
    if let Some(source) = run.has_files().then(|| run.read(path.as_bstr())).flatten() {
        return TeamConfig::parse(source.text());
    }
    let top = &run.input.repository.root;
    let inner = path.to_path().ok().filter(|_| run.changes().is_some());
    let on_disk = || inner.and_then(|inner| read::read_inside(top, &top.join(inner), run.max_bytes()).ok());
    // What a sparse checkout leaves out counts as it is in the index.
    let is_work_tree = matches!(run.input.mode, Mode::WorkTree);
    let in_index = || {
        let (git, index) = (run.input.repository.git.as_ref()?, run.index().as_ref().filter(|_| is_work_tree)?);
        skipped::read(git, index, path.as_bstr(), run.max_bytes())
    };
    let bytes = on_disk().or_else(in_index);
    bytes.map(|bytes| TeamConfig::parse(&bytes.to_str_lossy())).unwrap_or_default()
}

/// What keeps `git rm --cached` from untracking the files of the root.
pub fn untrack_blockers(run: &Run<'_>, state: &StateRoot) -> UntrackBlockers {
    *state.untrack_blockers.get_or_init(|| blockers_of(run, &state.tracked))
}

/// What keeps `git rm --cached` from untracking `files`.
pub fn blockers_of(run: &Run<'_>, files: &[Tracked]) -> UntrackBlockers {
    let Some(index) = run.sees_work_tree().then(|| run.index().as_ref()).flatten() else {
        return UntrackBlockers::default();
    };
    let root = &run.input.repository.root;
    run.git(|git| tracked::untrack_blockers(git, index, root, files)).unwrap_or_default()
}

/// The links at or in the root that lead out of the repository, and where they lead.
pub fn escapes(run: &Run<'_>, state: &StateRoot) -> BTreeMap<BString, BString> {
    let is_state = |path: &BStr| path == state.root || is_in(path, state.root.as_bstr());
    escapes_of(run, &state.tracked, is_state)
}

/// What git has of the state at the top of a state branch, and the links in it that lead out of the repository. None unless all of the
/// branch is checked.
pub fn escapes_at_top<'r>(run: &'r Run<'_>) -> Option<(Vec<&'r Tracked>, BTreeMap<BString, BString>)> {
    let (roots, top) = (run.input.roots, BStr::new(""));
    if !roots.has_top() || !run.input.selection.folders.iter().any(|folder| folder.is_empty()) {
        return None;
    }
    let contents = run.branch_contents().iter();
    let tracked: Vec<&Tracked> = contents.filter_map(|contents| contents.paths.get(top)).flatten().collect();
    let escapes =
        escapes_of(run, tracked.iter().copied(), |path| roots.root_of(path).is_some_and(|root| root.is_empty()));
    Some((tracked, escapes))
}

/// The links among `tracked`, and those on disk that are `wanted`, that lead out of the repository.
fn escapes_of<'t>(
    run: &Run<'_>,
    tracked: impl IntoIterator<Item = &'t Tracked>,
    wanted: impl Fn(&BStr) -> bool,
) -> BTreeMap<BString, BString> {
    let in_git = tracked.into_iter().filter_map(|tracked| match tracked.kind {
        Kind::Link(id) => Some((tracked.path.clone(), run.git(|git| tracked::link_target(git, id))?)),
        _ => None,
    });
    let mut escapes: BTreeMap<BString, BString> =
        in_git.filter(|(path, target)| leaves(path.as_bstr(), target.as_bstr())).collect();
    if run.sees_work_tree() {
        let on_disk = run.input.selection.escapes.iter().filter(|(path, _)| wanted(path.as_bstr()));
        escapes.extend(on_disk.map(|(path, target)| (path.clone(), target.as_os_str().as_encoded_bytes().into())));
    }
    escapes
}

/// The policy for `root`; `None` for the roots that the guard ignores.
fn policy(run: &Run<'_>, root: &BString) -> Option<Policy> {
    // A state branch is where its state belongs.
    run.options.guard.policy_of(root.as_bstr()).filter(|_| !root.is_empty() && !unused::is_example(run, root.as_bstr()))
}

/// Whether the folders that were asked for cover the root, and the configuration does not leave it out.
fn covers(run: &Run<'_>, root: &BString) -> bool {
    let inside = [root.as_bytes(), b"/-"].concat();
    let excluded = |path: &[u8]| run.input.excludes.matches(path.as_bstr());
    let asked = |folder: &BString| folder == root || is_in(root.as_bstr(), folder.as_bstr());
    run.input.selection.folders.iter().any(asked) && !excluded(root) && !excluded(&inside)
}

/// The state roots on disk that a policy applies to and that the run covers, those of other programs included.
pub(super) fn on_disk<'r>(run: &'r Run<'_>) -> impl Iterator<Item = &'r BString> {
    let holds = |root: &&BString| policy(run, root).is_some() && covers(run, root);
    run.input.selection.roots.iter().filter(holds)
}

/// The files on disk in the root, sorted; none if a tree other than the work tree is checked.
pub(super) fn files_in(run: &Run<'_>, root: &BString) -> Vec<BString> {
    if !matches!(run.input.mode, Mode::WorkTree) {
        return Vec::new();
    }
    let selection = run.input.selection;
    let files = selection.files.iter().map(|file| &file.path).chain(&selection.others);
    let mut files: Vec<_> = files.filter(|path| is_in(path.as_bstr(), root.as_bstr())).cloned().collect();
    files.sort();
    files
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
