//! # guard/not-ignored
//!
//! ## What it flags
//!
//! State that the policy keeps out of git and that `.gitignore` does not keep out: no line matches it, or a later line
//! brings it back. Under `never-tracked` and `state-branch` that is the whole root, under `tracked-minus-runtime` what
//! changes with every session. For `never-tracked` it is an error, else a warning.
//!
//! ## Why it matters
//!
//! The next `git add .` takes it in. Nobody sees one file more in a large commit.
//!
//! ## Example
//!
//! ```text
//! .ai-team/*
//! !.ai-team/*.md
//! ```
//!
//! ## How to fix
//!
//! Add the lines that the help names at the end of the file that it names. The fix adds them as a marked block; it is
//! unsafe where git has files of the root already, because new ones would be hidden from the team.
//!
//! ## Source
//!
//! Seed 001, "Directive Entry": the first of three layers is `.gitignore`.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Facts;
use crate::facts::state::State;
use crate::git::ignore::Decision;
use crate::options::{Options, Policy};
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/not-ignored",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[Applicability::Safe, Applicability::Unsafe],
    check: Check::Repository(check),
};

/// Upstream's four folders count always; the other parts of the runtime only where they are.
const ALWAYS: [&str; 4] = ["log/", "orchestration-log/", "decisions/inbox/", "sessions/"];

fn check(facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    for state in facts.states().iter().filter(|_| facts.has_files()) {
        let is_link = facts.escapes(state).contains_key(&state.root);
        let tracked = !state.tracked.is_empty();
        let is_home = facts.branch().is_some_and(|branch| branch == options.guard.state_branch.as_str());
        let open: Vec<(BString, Option<Decision>)> = match state.policy {
            _ if is_link => continue,
            // Untracking comes first, and its help names the line.
            Policy::NeverTracked if tracked && facts.runs(super::tracked_state::RULE.name) => continue,
            Policy::StateBranch if is_home || tracked && facts.runs(super::state_on_worktree::RULE.name) => continue,
            Policy::TrackedMinusRuntime if super::runtime_tracked::tracked(state).next().is_some() => continue,
            Policy::NotOnProtected => continue,
            Policy::NeverTracked | Policy::StateBranch => open_root(facts, state).into_iter().collect(),
            Policy::TrackedMinusRuntime => open_runtime(facts, state),
        };
        if !open.is_empty() {
            let Some(finding) = finding(facts, state, &open) else { continue };
            sink.report(finding);
        }
    }
}

fn finding(facts: &Facts<'_>, state: &State, open: &[(BString, Option<Decision>)]) -> Option<Finding> {
    let brought_back = open.iter().find_map(|(_, decision)| decision.as_ref().filter(|found| found.shared));
    let is_whole = state.policy != Policy::TrackedMinusRuntime;
    // A line in a folder beats those above it, but not for a root that is ignored from above.
    let beats = |file: &BStr| !is_whole || !file.starts_with_str(state.path("").as_bytes());
    let file = brought_back.map(|decision| decision.file.as_bstr()).filter(|file| beats(file));
    let file = file.unwrap_or(b".gitignore".into());
    let folder = file.rsplitn_str(2, "/").nth(1).unwrap_or_default().as_bstr();
    let ignored: Vec<BString> = match is_whole {
        true => vec![state.path("")],
        false => open.iter().map(|(path, _)| path.clone()).collect(),
    };
    let lines: Vec<String> = ignored.iter().map(|path| super::pattern_in(folder, path.as_bstr())).collect();
    let source = facts.read_or_new(file);
    let has = |line: &String| source.text().lines().any(|other| other == line);
    if facts.is_being_fixed(file) && lines.iter().all(has) {
        return None;
    }
    let paths: Vec<&BStr> = open.iter().map(|(path, _)| path.as_bstr()).collect();
    let message = match is_whole {
        true => format!("`{}/` is not ignored: git would take in {}", state.root, super::first(&paths)),
        false => format!("what belongs to one machine or session is not ignored: {}", super::first(&paths)),
    };
    let decided = brought_back.filter(|decision| decision.file == file);
    let finding = match decided {
        Some(decision) => Finding::at(super::line(&source, decision), message).label("this line brings it back"),
        None => Finding::whole_file(message),
    };
    let shown: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
    let what = if lines.len() == 1 { "the line" } else { "the lines" };
    let applicability = if state.tracked.is_empty() { Applicability::Safe } else { Applicability::Unsafe };
    let severity = if state.policy == Policy::NeverTracked { Severity::Error } else { Severity::Warning };
    let finding = finding
        .in_file(file)
        .at_most(severity)
        .help(format!("add {what} {} at the end of `{file}`", shown.join(" ")))
        .fix(applicability, [super::ignore_block(&source, &lines)]);
    Some(finding)
}

/// A file under the root that git would take in.
fn open_root(facts: &Facts<'_>, state: &State) -> Option<(BString, Option<Decision>)> {
    let whole = super::whole(facts, state);
    if whole.as_ref().is_some_and(|decision| decision.ignored) {
        return None;
    }
    let probes =
        ["decisions.md", "team.md", "agents/agent/history.md", "decisions/inbox/agent-topic.md", "log/session.md"];
    let paths = state.on_disk.iter().cloned().chain(probes.map(|inner| state.path(inner)));
    paths.map(|path| (facts.ignored(path.as_bstr(), false), path)).find_map(|(decision, path)| match decision {
        Some(decision) if decision.ignored => None,
        decision => Some((path, decision.or_else(|| whole.clone()))),
    })
}

/// The parts of the runtime that git would take in.
fn open_runtime(facts: &Facts<'_>, state: &State) -> Vec<(BString, Option<Decision>)> {
    let mut open = Vec::new();
    for part in crate::facts::state::RUNTIME {
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
        let decisions = paths.iter().map(|path| facts.ignored(path.as_bstr(), false));
        if let Some(decision) = decisions.into_iter().find(|found| found.as_ref().is_none_or(|found| !found.ignored)) {
            open.push((state.path(part), decision));
        }
    }
    open
}
