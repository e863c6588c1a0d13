//! # guard/not-ignored
//!
//! ## What it flags
//!
//! State that the policy keeps out of git but `.gitignore` does not ignore. No line matches it, or a later line includes it
//! again. Under `never-tracked` the rule checks the whole root, under `tracked-minus-runtime` only runtime files, and under
//! `state-branch` also the decisions and histories. It is an error under `never-tracked` and a warning otherwise. It is info
//! if only `.first-run` and `memory/audit.jsonl` are not ignored, which `squad init` leaves. With `--staged` and `--from`,
//! there is a finding only if the change touches a `.gitignore`.
//!
//! ## Why it matters
//!
//! The next `git add .` adds the state, which is easy to miss in a large commit.
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
//! Add the lines from the help to the file that it names. The fix adds them as a marked block, or to Squad's list. It is
//! unsafe if git already has files of the root, because new ones would be hidden from the team. If `.gitignore` has one of
//! the lines as a comment, the team has decided against it: the fix does not add it. The finding is info and has no fix if
//! that is so of all lines.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Applicability, Severity, Step};
use crate::facts::Run;
use crate::facts::state_roots;
use crate::git::change::Change;
use crate::git::ignore::Decision;
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::runtime_tracked;
use crate::rules::guard::shared::open::{Open, TOP, noun};
use crate::rules::guard::shared::{ignore, kept};

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/not-ignored",
    severity: Severity::Error,
    fixes: &[Applicability::Safe, Applicability::Unsafe],
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let is_ignore_file = |change: &Change| change.path.rsplit_str("/").next() == Some(b".gitignore");
    if run.changes().is_some_and(|changes| !changes.list().iter().any(is_ignore_file)) {
        return;
    }
    let mut found = Vec::new();
    for state in run.state_roots().iter().filter(|_| run.has_files() && !run.is_state_branch()) {
        let tracked = state.has_tracked_of_policy();
        let is_home = run.branch().as_ref().is_some_and(|name| name == run.options.guard.state_branch.as_str());
        let open: Vec<(BString, Option<Decision>)> = match state.policy {
            _ if state_roots::escapes(run, state).contains_key(&state.root) => continue,
            // Untracking comes first, and its help names the line. Without that rule, the team wants the files in git.
            Policy::NeverTracked if tracked => continue,
            Policy::StateBranch if is_home || tracked && run.runs(super::state_off_branch::RULE.name) => continue,
            // A team that keeps its runtime files in git need not keep the one beside its root.
            Policy::TrackedMinusRuntime if runtime_tracked::tracked(state).next().is_some() => {
                let keeps = |_: &_| runtime_tracked::refused(run, state).is_some();
                super::shared::open_workstream(run, state).filter(keeps).into_iter().collect()
            }
            Policy::NotOnProtected | Policy::Tracked => continue,
            Policy::NeverTracked => super::shared::open_root(run, state).into_iter().collect(),
            Policy::StateBranch => super::shared::open_mutable(run, state),
            Policy::TrackedMinusRuntime => super::shared::open_runtime(run, state),
        };
        let (refused, open): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(path, _)| kept::refused(run, path).is_some());
        if !open.is_empty() {
            found.push(Open::new(run, state, &open));
        } else if let Some(finding) = kept::open(run, noun(state), &refused) {
            sink.report(finding.in_file(TOP));
        }
    }
    // One block for all roots: each fix has the lines of the others, too, or one would have to wait for the other.
    let mut lines: BTreeMap<(BString, Applicability), Vec<String>> = BTreeMap::new();
    for open in &found {
        lines.entry(open.place()).or_default().extend(open.lines.iter().cloned());
    }
    let steps: BTreeMap<_, Vec<Step>> = lines
        .into_iter()
        .map(|(place, lines)| {
            let source = run.read_or_new(place.0.as_bstr());
            (place, ignore::blocks(&source, &lines))
        })
        .collect();
    for open in found {
        let steps = steps.get(&open.place()).cloned().unwrap_or_default();
        sink.report(open.finding.fix(open.applicability, steps));
    }
}
