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
//! Run `git rm --cached -r .ai-team/`, which removes the files from git and keeps them on disk, and commit.
//! `squad-lint --fix --unsafe-fixes` does the same and adds the root to `.gitignore`; it does not if an `.ai-team/` that a
//! migration left behind has lines that no file of that name in `.squad/` has. Never add the files with
//! `git add -f`. A team that commits its state on purpose sets:
//!
//! ```toml
//! [guard]
//! policy = "tracked"
//! ```
//!
//! With `tracked-minus-runtime`, logs and inboxes stay out. If the repository has one state root, `HEAD` contains it, and
//! no ignore file matches it, squad-lint assumes that the team commits it on purpose: then the unsafe fix creates this
//! `squad-lint.toml`, and removes nothing from git.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Finding, Passage, Severity, Step};
use crate::facts::state_roots::{self, StateRoot};
use crate::facts::{Run, unused};
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
        let finding = |rest: &str| {
            Finding::whole_file(format!("git tracks {count} under `{root}/` ({first}), {rest}")).in_file(root.clone())
        };
        if is_committed_on_purpose(run, state) {
            let finding = keeping(finding(&format!("but the policy `never-tracked` does not allow {them}")), run);
            sink.report(finding.help(format!("or untrack {them}: run `{command}`{ignore}, and commit")));
        } else if unused::is_left_over(run, root.as_bstr()) {
            let finding = finding("but the team is now in `.squad/`");
            let run_it = format!("run `{command}` (files stay on disk){ignore}, and commit");
            let alone: Vec<_> = paths.iter().copied().filter(|path| !is_moved(run, state, path)).collect();
            // Other clones would lose what only the old root has.
            sink.report(match alone.as_slice() {
                [] => super::untracking(finding.help(run_it), run, state, &paths),
                alone => finding
                    .help(format!("copy to `.squad/` what is still true in {}", super::first(alone)))
                    .help(format!("then {run_it}")),
            });
        } else {
            let finding = super::merging_first(finding("expected none"), state, &paths)
                .help(format!("run `{command}` (files stay on disk){ignore}, and commit"))
                .help(format!("or keep {them} in git: {SETTING}"))
                .note(format!("`git add -f` overrides `.gitignore`, and would add {them} again"));
            sink.report(super::untracking(finding, run, state, &paths));
        }
    }
}

/// Whether the `.squad/` beside the old root has each line of the file at `path` in its file of that name.
fn is_moved(run: &Run<'_>, state: &StateRoot, path: &BStr) -> bool {
    let parent = state.root.strip_suffix(b".ai-team").unwrap_or_default();
    let moved = BString::from([parent, b".squad/", state.inner(path).as_bytes()].concat());
    // Other clones have only what git has.
    if !run.state_roots().iter().any(|other| other.has_tracked(moved.as_bstr())) {
        return false;
    }
    let (Some(old), Some(new)) = (run.read(path), run.read(moved.as_bstr())) else { return false };
    let lines: HashSet<&str> = new.text().lines().map(str::trim).collect();
    old.text().lines().all(|line| lines.contains(line.trim()))
}

const CONFIG: &str = "squad-lint.toml";
const SETTING: &str = "set `policy = \"tracked\"` under `[guard]` in `squad-lint.toml`";

/// Whether the team commits this state with every run: `HEAD` has it, no ignore file covers it, and there is no other root
/// that the team could have moved to.
fn is_committed_on_purpose(run: &Run<'_>, state: &StateRoot) -> bool {
    let committed = || run.git(|git| git.committed(state.root.as_bstr())).flatten().is_some();
    let is_open = || super::shared::open_root(run, state).is_some();
    run.sees_work_tree()
        && run.options.guard.policy.is_none()
        && run.state_roots().len() == 1
        && is_open()
        && committed()
}

/// `finding` with the setting that allows the state, and the fix that creates it where there is no configuration.
fn keeping(finding: Finding, run: &Run<'_>) -> Finding {
    let finding = finding.help(format!("keep this state in git: {SETTING}"));
    if run.changes().is_some() || !run.options.may_create_config {
        return finding;
    }
    let end = run.read_or_new(CONFIG.into()).line_ending();
    let text = format!(
        "[guard]{end}# The state of the team is committed on purpose, logs and inboxes included.{end}policy = \"tracked\"{end}"
    );
    finding.fix(Applicability::Unsafe, [Step::Create { path: CONFIG.into(), text: Passage::new(text, end) }])
}
