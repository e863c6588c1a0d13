//! The parts of the state that no ignore file covers.

use bstr::{BString, ByteSlice};

use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, ignores};
use crate::git::ignore::Decision;

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

/// The parts of the runtime that git would add.
pub fn open_runtime(run: &Run<'_>, state: &StateRoot) -> Vec<(BString, Option<Decision>)> {
    let mut open = Vec::new();
    for part in crate::facts::state_roots::RUNTIME {
        let on_disk: Vec<_> =
            state.on_disk.iter().filter(|path| state.runtime_of(path.as_bstr()) == Some(part)).collect();
        if on_disk.is_empty() && !ALWAYS.contains(&part) {
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
    open
}
