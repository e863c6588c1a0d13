//! # guard/tracked-state
//!
//! ## What it flags
//!
//! Files in git that the policy `never-tracked` keeps out of it. That policy is the default for `.ai-team/`, and the
//! configuration can set it for every state root. There is one finding per root, with its first three files.
//!
//! ## Why it matters
//!
//! The notes of agents are not part of the product. Once they are committed, they are in every clone, release and
//! fork, and it is hard to remove them from the history again.
//!
//! ## Example
//!
//! `git add -f .ai-team/decisions.md`
//!
//! ## How to fix
//!
//! `git rm --cached -r .ai-team/` takes the files out of git and keeps them on disk; then commit.
//! `squad-lint --fix --unsafe-fixes` does the same and adds the root to `.gitignore`. Never add the files with
//! `git add -f`. A team that commits its state on purpose sets:
//!
//! ```toml
//! [guard]
//! policy = "tracked-minus-runtime"
//! ```
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use bstr::ByteSlice;

use super::runtime_tracked;
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
        // A link in place of the root has a finding of its own.
        if paths.is_empty() || super::symlink_escape::replaces_root(state, &escapes) {
            continue;
        }
        let root = &state.root;
        let (count, first) = (super::files(paths.len()), super::first(&paths));
        let command = super::untrack(run, state, [super::root_argument(state)]);
        let (ignore, them) = (super::ignore_too(run, state), super::them(paths.len()));
        let off = if runtime_tracked::tracked(state).next().is_some() {
            ", and `\"guard/runtime-tracked\" = \"off\"` under `[rules]` if logs and inboxes belong to it"
        } else {
            ""
        };
        let finding = Finding::whole_file(format!("git tracks {count} under `{root}/`, expected none ({first})"))
            .in_file(root.clone())
            .help(format!("run `{command}`{ignore}, and commit"))
            .help(format!("do not add {them} with `git add -f`"))
            .note(format!(
                "to track this state on purpose, set `policy = \"tracked-minus-runtime\"` under `[guard]` in `squad-lint.toml`{off}",
            ));
        sink.report(super::untracking(finding, run, state, &paths));
    }
}
