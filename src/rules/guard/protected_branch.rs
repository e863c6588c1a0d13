//! # guard/protected-branch
//!
//! ## What it flags
//!
//! State that reaches a protected branch: by a push (`--pre-push`), in a revision (`--tree REV --branch NAME`), or in
//! the index while that branch is checked out. It holds for the policies `never-tracked` and `not-on-protected`. The
//! protected branches are `main`, `preview` and `insider`, or what `protected-branches` under `[guard]` names.
//!
//! ## Why it matters
//!
//! The protected branches are what others clone, release and build on. A team may keep its state on its working branches;
//! one merge without care brings it to everybody.
//!
//! ## Example
//!
//! `git push origin squad-work:main` where `squad-work` has `.ai-team/team.md` and `main` has not.
//!
//! ## How to fix
//!
//! `git rm --cached -r .ai-team/` or, for what is in the index, `squad-lint --fix --unsafe-fixes`, and a commit: removals
//! are always let through. What others already have is not taken back by that.
//!
//! ## Source
//!
//! Seed 001, "Directive Entry": CI blocks pull requests to main that carry `.ai-team/`; upstream's guard for `main`,
//! `preview` and `insider`.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Facts;
use crate::options::{Options, Policy};
use crate::rule::{Check, Rule, Sink};
use crate::select::tracked::Tracked;

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/protected-branch",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[Applicability::Unsafe],
    check: Check::Repository(check),
};

fn check(facts: &Facts<'_>, options: &Options, sink: &mut Sink<'_>) {
    let named = names_branch(facts, options);
    for state in facts.states() {
        let holds = match state.policy {
            Policy::NotOnProtected => true,
            Policy::NeverTracked => named,
            _ => false,
        };
        for carried in facts.carried().iter().filter(|_| holds) {
            let Some(branch) = carried.branch.as_ref().filter(|branch| is_protected(options, branch)) else { continue };
            let is_same = |root: &BString| root.eq_ignore_ascii_case(&state.root);
            let of_root = carried.paths.iter().filter(|(root, _)| is_same(root));
            let paths: Vec<&BStr> =
                of_root.flat_map(|(_, tracked)| tracked).map(|Tracked { path, .. }| path.as_bstr()).collect();
            if paths.is_empty() {
                continue;
            }
            let root = &state.root;
            let (count, first) = (super::files(paths.len()), super::first(&paths));
            let command = super::untrack(facts, state, [super::root_argument(state)]);
            let again = if facts.sees_work_tree() { "" } else { ", then try again" };
            let finding = Finding::whole_file(format!(
                "{count} under `{root}/` for the protected branch `{branch}`, expected none: {first}"
            ))
            .in_file(root.clone())
            .help(format!(
                "take the state out and keep it on disk: `{command}`, and commit{again}; `protected-branches` under \
                     `[guard]` in `squad-lint.toml` says which branches are protected"
            ));
            sink.report(super::untracking(finding, facts, state, &paths));
        }
    }
}

/// Whether the run was told which branches it is about, one of them is protected, and this rule speaks for them.
pub(super) fn names_branch(facts: &Facts<'_>, options: &Options) -> bool {
    let told = options.target_branch.is_some() || !facts.sees_work_tree();
    let mut branches = facts.carried().iter().filter_map(|carried| carried.branch.as_ref());
    told && facts.runs(RULE.name) && branches.any(|branch| is_protected(options, branch))
}

fn is_protected(options: &Options, branch: &BString) -> bool {
    options.is_protected(branch.as_bstr())
}
