//! # guard/protected-branch
//!
//! ## What it flags
//!
//! State that reaches a protected branch. This can happen by a push (`--pre-push`), in a revision
//! (`--tree REV --target-branch NAME`), or in the index while that branch is checked out. The rule applies to the
//! policies `never-tracked` and `not-on-protected`. The protected branches are `main`, `preview` and `insider`, or
//! those that `protected-branches` under `[guard]` names.
//!
//! ## Why it matters
//!
//! People clone, release and build protected branches. A team may keep its state on its working branches, but one
//! careless merge brings it to everyone.
//!
//! ## Example
//!
//! `git push origin squad-work:main`, if `squad-work` has `.ai-team/team.md` and `main` does not.
//!
//! ## How to fix
//!
//! Run `git rm --cached -r .ai-team/` or, for files in the index, `squad-lint --fix --unsafe-fixes`, and commit. The
//! rule always accepts removals. Clones that have already fetched the state keep it.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::Run;
use crate::options::{Options, Policy};
use crate::rule::{Check, Rule, Sink};
use crate::select::tracked::Tracked;

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/protected-branch",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let options = run.options;
    let named = names_branch(run, options);
    for state in run.state_roots() {
        let holds = match state.policy {
            Policy::NotOnProtected => true,
            Policy::NeverTracked => named,
            _ => false,
        };
        for carried in run.branch_contents().iter().filter(|_| holds) {
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
            let command = super::untrack(run, state, [super::root_argument(state)]);
            let again = if run.sees_work_tree() { "" } else { ", then run the check again" };
            let finding = Finding::whole_file(format!(
                "{count} under `{root}/` ({first}) would reach the protected branch `{branch}`"
            ))
            .in_file(root.clone())
            .help(format!("run `{command}`, and commit{again}"))
            .note("the setting `protected-branches` under `[guard]` in `squad-lint.toml` lists the protected branches");
            sink.report(super::untracking(finding, run, state, &paths));
        }
    }
}

/// Whether the run names its branches, one of them is protected, and this rule is on.
pub(super) fn names_branch(run: &Run<'_>, options: &Options) -> bool {
    let told = options.target_branch.is_some() || !run.sees_work_tree();
    let mut branches = run.branch_contents().iter().filter_map(|carried| carried.branch.as_ref());
    told && run.runs(RULE.name) && branches.any(|branch| is_protected(options, branch))
}

fn is_protected(options: &Options, branch: &BString) -> bool {
    options.is_protected(branch.as_bstr())
}
