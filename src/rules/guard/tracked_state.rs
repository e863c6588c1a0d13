//! # guard/tracked-state
//!
//! ## What it flags
//!
//! Files in git that the policy `never-tracked` keeps out of it. That is the policy for `.ai-team/`, and for every state
//! root where the configuration says so. There is one finding for each root, with the first three of its files.
//!
//! ## Why it matters
//!
//! What agents note down while they work is no part of the product. Once it is committed it is in every clone, every
//! release and every fork, and taking it out of the history again is work for everybody.
//!
//! ## Example
//!
//! `git add -f .ai-team/decisions.md`
//!
//! ## How to fix
//!
//! `git rm --cached -r .ai-team/` takes the files out of git and leaves them on disk; commit that. So does
//! `squad-lint --fix --unsafe-fixes`, which also adds the root to `.gitignore`. Never force-add them. A team that commits
//! its state on purpose says so:
//!
//! ```toml
//! [guard]
//! policy = "tracked-minus-runtime"
//! ```
//!
//! ## Source
//!
//! Seed 000, "Directive Entry": never `git add -f` on `.ai-team/`, the correct fix is `git rm --cached`.

use bstr::ByteSlice;

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::{Run, state_roots};
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/tracked-state",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let options = run.options;
    let gives_way = super::protected_branch::names_branch(run, options);
    for state in run.state_roots().iter().filter(|state| state.policy == Policy::NeverTracked && !gives_way) {
        let escapes = state_roots::escapes(run, state);
        let paths: Vec<_> = state.tracked.iter().map(|tracked| tracked.path.as_bstr()).collect();
        // What stands in the place of the root and leads elsewhere is another finding.
        if paths.is_empty() || super::symlink_escape::replaces_root(state, &escapes) {
            continue;
        }
        let root = &state.root;
        let (count, first) = (super::files(paths.len()), super::first(&paths));
        let tracked = if paths.len() == 1 { "is" } else { "are" };
        let command = super::untrack(run, state, [super::root_argument(state)]);
        let ignore = super::ignore_too(run, state);
        let finding = Finding::whole_file(format!("{count} under `{root}/` {tracked} in git, expected none: {first}"))
            .in_file(root.clone())
            .help(format!(
                "take {} out of git and keep {} on disk: `{command}`{ignore}, and commit; never force-add; a team that \
                     commits its state on purpose writes `policy = \"tracked-minus-runtime\"` under `[guard]` in \
                     `squad-lint.toml`",
                super::them(paths.len()),
                super::them(paths.len()),
            ));
        sink.report(super::untracking(finding, run, state, &paths));
    }
}
