//! The parts of the state that no ignore file covers.

mod block;
pub mod copies;
pub mod ignore;
pub mod kept;
pub mod machine;
pub mod open;
pub mod workstream;

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use workstream::WORKSTREAM;

use crate::diagnostic::Severity;
use crate::facts::state_roots::{CONFIG, LEFT_BY_INIT, StateRoot};
use crate::facts::{Run, ignores};
use crate::git::ignore::Decision;
use crate::options::Policy;
use crate::select::input::Mode;

/// Upstream's four folders count always; the other parts of the runtime only where they are.
const ALWAYS: [&str; 4] = ["log/", "orchestration-log/", "decisions/inbox/", "sessions/"];

/// A file under the root that git would add.
pub fn open_root(run: &Run<'_>, state: &StateRoot) -> Option<(BString, Option<Decision>)> {
    let whole = super::whole(run, state);
    if whole.as_ref().is_some_and(|decision| decision.ignored) {
        return None;
    }
    let probes =
        ["decisions.md", "team.md", "agents/agent/history.md", "decisions/inbox/agent-topic.md", "log/session.md"];
    let paths = state.on_disk.iter().cloned().chain(probes.map(|inner| state.path(inner)));
    paths.map(|path| (ignores::decide(run, path.as_bstr(), false), path)).find_map(|(decision, path)| match decision {
        Some(decision) if decision.ignored => None,
        decision => Some((path, decision.or_else(|| whole.clone()))),
    })
}

/// The part of the state that belongs on a state branch, and that git would add: decisions, histories, and the runtime.
pub fn open_mutable(run: &Run<'_>, state: &StateRoot) -> Vec<(BString, Option<Decision>)> {
    let files = [("decisions.md", "decisions.md"), (ignore::HISTORIES, "agents/agent/history.md")];
    let decide = |(line, probe): (&str, &str)| {
        let of_line = |path: &&BString| state.mutable_of(path.as_bstr()).as_ref() == Some(*path);
        let is_history = |path: &BString| path.ends_with(b"/history.md");
        let on_disk =
            state.on_disk.iter().filter(of_line).filter(|path| is_history(path) == line.ends_with("history.md"));
        let mut paths = on_disk.cloned().chain([state.path(probe)]).filter(|path| !state.has_tracked(path.as_bstr()));
        let decision = paths.find_map(|path| {
            let decision = ignores::decide(run, path.as_bstr(), false);
            decision.as_ref().is_none_or(|decision| !decision.ignored).then_some(decision)
        })?;
        Some((state.path(line), decision))
    };
    files.into_iter().filter_map(decide).chain(open_runtime(run, state)).collect()
}

/// The parts of the runtime that git would add.
pub fn open_runtime(run: &Run<'_>, state: &StateRoot) -> Vec<(BString, Option<Decision>)> {
    let mut of_parts: BTreeMap<&str, Vec<&BString>> = BTreeMap::new();
    for path in &state.on_disk {
        if let Some(part) = state.runtime_of(path.as_bstr()).filter(|_| !keeps_folder(path.as_bstr())) {
            of_parts.entry(part).or_default().push(path);
        }
    }
    let is_lived_in = state.policy == Policy::StateBranch || has_more_than_config(state);
    let mut open = Vec::new();
    for part in crate::facts::state_roots::RUNTIME {
        let on_disk = of_parts.remove(part).unwrap_or_default();
        if on_disk.is_empty() && !(is_lived_in && ALWAYS.contains(&part)) {
            continue;
        }
        let probe = state.path(&format!("{part}session.md"));
        let mut paths: Vec<&BString> = on_disk;
        if part.ends_with('/') {
            paths.push(&probe);
        }
        let decisions = paths.iter().map(|path| ignores::decide(run, path.as_bstr(), false));
        if let Some(decision) = decisions.into_iter().find(|found| found.as_ref().is_none_or(|found| !found.ignored)) {
            open.push((state.path(part), decision));
        }
    }
    open.extend(open_workstream(run, state));
    open
}

/// The runtime file beside the root, if git would add it.
pub fn open_workstream(run: &Run<'_>, state: &StateRoot) -> Option<(BString, Option<Decision>)> {
    let is_here = || run.input.repository.root.join(WORKSTREAM).is_file() && !has(run, WORKSTREAM.into());
    let is_of_root = state.root == ".squad" && matches!(run.input.mode, Mode::WorkTree);
    let decision = (is_of_root && is_here()).then(|| ignores::decide(run, WORKSTREAM.into(), false))?;
    let is_open = decision.as_ref().is_none_or(|decision| !decision.ignored);
    is_open.then(|| (WORKSTREAM.into(), decision))
}

/// Whether the root has more than a `config.json`. Alone that says that the team is elsewhere: no program writes runtime files beside it.
fn has_more_than_config(state: &StateRoot) -> bool {
    let config = state.path(CONFIG);
    let mut paths = state.tracked.iter().map(|tracked| &tracked.path).chain(&state.on_disk).peekable();
    paths.peek().is_none() || paths.any(|path| *path != config)
}

/// Whether the file at `path` only keeps its folder in git, or says what is ignored in it.
pub fn keeps_folder(path: &BStr) -> bool {
    path.ends_with(b"/.gitkeep") || path.ends_with(b"/.gitignore")
}

/// How grave it is that git would add the state at `paths`.
pub fn severity(state: &StateRoot, paths: &[&BStr]) -> Severity {
    let is_left = |path: &&BStr| LEFT_BY_INIT.iter().any(|part| state.path(part) == **path);
    match state.policy {
        Policy::NeverTracked => Severity::Error,
        _ if paths.iter().all(is_left) => Severity::Info,
        _ => Severity::Warning,
    }
}

/// Whether git has the file at `path`: in the index, in the revision, or after the change that touches it.
pub fn has(run: &Run<'_>, path: &BStr) -> bool {
    match run.input.mode {
        _ if run.input.selection.untracked.contains(path) => false,
        Mode::WorkTree => run.index().as_ref().is_some_and(|index| index.tracks(path)),
        Mode::Change(changes) => changes.change_of(path).is_some_and(|change| change.after.is_some()),
        Mode::Revision(revision) => run.git(|_| revision.has(path)).unwrap_or_default(),
        Mode::Tree(_) | Mode::Push(_) => false,
    }
}
