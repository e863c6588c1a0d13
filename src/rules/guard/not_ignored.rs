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

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Finding, Severity, Step};
use crate::facts::Run;
use crate::facts::state_roots::{self, StateRoot};
use crate::git::change::Change;
use crate::git::ignore::Decision;
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::runtime_tracked;
use crate::rules::guard::shared::{ignore, kept};
use crate::text::prose::enumerated;

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
        let (refused, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|(path, _)| comment(run, path).is_some());
        if !open.is_empty() {
            found.push(Open::new(run, state, &open));
        } else if let Some(line) = refused.first().and_then(|(path, _)| comment(run, path)) {
            let paths: Vec<&BStr> = refused.iter().map(|(path, _)| path.as_bstr()).collect();
            let finding = Finding::whole_file(format!("{} are not ignored: {}", noun(state), super::first(&paths)));
            let finding = finding.in_file(TOP).at_most(Severity::Info);
            sink.report(finding.help(format!("to ignore them, remove the `#` from the line `{line}`")).note(format!(
                "`.gitignore` has the line `{line}` as a comment, so the team seems to have decided against it"
            )));
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

/// The ignore file at the top of the repository.
const TOP: &str = ".gitignore";

/// The line that would ignore `path`, if it were not a comment: the team has decided against it.
fn comment(run: &Run<'_>, path: &BString) -> Option<String> {
    kept::commented(run, &[ignore::pattern_in(BStr::new(""), path.as_bstr())])
}

/// What is not ignored, under a policy that is not about the whole root.
fn noun(state: &StateRoot) -> &'static str {
    match state.policy {
        Policy::StateBranch => "files that belong on the state branch",
        _ => "runtime files",
    }
}

/// A root that is not ignored, and the file whose lines would ignore it.
struct Open {
    finding: Finding,
    file: BString,
    lines: Vec<String>,
    applicability: Applicability,
}

impl Open {
    fn new(run: &Run<'_>, state: &StateRoot, open: &[(BString, Option<Decision>)]) -> Self {
        let brought_back = open.iter().find_map(|(_, decision)| decision.as_ref().filter(|found| found.shared));
        let is_whole = state.policy == Policy::NeverTracked;
        // A line in a folder beats those above it, but not for a root that is ignored from above.
        let beats = |file: &BStr| !is_whole || !file.starts_with_str(state.path("").as_bytes());
        let file = brought_back.map(|decision| decision.file.as_bstr()).filter(|file| beats(file));
        let file = file.unwrap_or(TOP.into());
        let folder = file.rsplitn_str(2, "/").nth(1).unwrap_or_default().as_bstr();
        let ignored: Vec<BString> = match is_whole {
            true => vec![state.path("")],
            false => open.iter().map(|(path, _)| path.clone()).collect(),
        };
        let lines: Vec<String> = ignored.iter().map(|path| ignore::pattern_in(folder, path.as_bstr())).collect();
        let paths: Vec<&BStr> = open.iter().map(|(path, _)| path.as_bstr()).collect();
        let message = match is_whole {
            true => format!("`{}/` is not ignored: `git add .` would add {}", state.root, super::first(&paths)),
            false => format!("{} are not ignored: {}", noun(state), super::first(&paths)),
        };
        let finding = match brought_back.filter(|decision| decision.file == file) {
            Some(decision) => {
                Finding::at(super::line(&run.read_or_new(file), decision), message).label("this line includes it again")
            }
            None => Finding::whole_file(message),
        };
        let shown: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
        let end = if brought_back.is_some() { "the end of " } else { "" };
        let applicability = if state.has_tracked_of_policy() { Applicability::Unsafe } else { Applicability::Safe };
        let finding = finding
            .in_file(file)
            .at_most(super::shared::severity(state, &paths))
            .help(format!("add {} to {end}`{file}`", enumerated(&shown)));
        Self { finding, file: file.into(), lines, applicability }
    }

    fn place(&self) -> (BString, Applicability) {
        (self.file.clone(), self.applicability)
    }
}
