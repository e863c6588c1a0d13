//! # guard/exclude-hides-state
//!
//! ## What it flags
//!
//! State that only `.git/info/exclude` or the excludes file of one user ignores, not a `.gitignore`.
//!
//! ## Why it matters
//!
//! These ignore files exist on one machine only. On other machines, the same `git add .` adds the state. If the team
//! keeps its state in git, the state of this machine silently never gets there.
//!
//! ## Example
//!
//! `.squad/` in `.git/info/exclude`.
//!
//! ## How to fix
//!
//! If the state is meant to stay out of git, add the line to `.gitignore`, which the team shares. If it is meant to
//! be in git, delete the line.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>
//!
//! Squad issue 1817:
//! <https://github.com/bradygaster/squad/issues/1817>

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, ignores};
use crate::git::ignore::Decision;
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::shared::ignore::pattern;

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/exclude-hides-state",
    severity: Severity::Warning,
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    for state in run.state_roots().iter().filter(|_| run.sees_work_tree() && run.changes().is_none()) {
        let stays_out = matches!(state.policy, Policy::NeverTracked | Policy::StateBranch);
        // Tracked state has a finding of its own.
        if stays_out && !state.tracked.is_empty() {
            continue;
        }
        let Some((path, decision)) = hidden(run, state) else { continue };
        let inner = state.inner(path.as_bstr());
        let name = if path == state.root { format!("{}/", state.root) } else { path.to_string() };
        let line = if path == state.root { pattern(state, "") } else { pattern(state, &inner.to_str_lossy()) };
        let help = match stays_out {
            true => format!("add `{line}` to `.gitignore`"),
            false => {
                format!("delete the line, or add `{line}` to `.gitignore` if the state is meant to stay out of git")
            }
        };
        let is_inside = run.read(decision.file.as_bstr()).filter(|_| decision.file.starts_with(b".git/"));
        let finding = match is_inside {
            Some(source) => Finding::at(
                super::line(&source, &decision),
                format!("`{name}` is ignored in this clone only, by `{}`: other clones can commit it", decision.file),
            )
            .label("applies to this clone only")
            .in_file(decision.file.clone()),
            // Another machine has this file elsewhere, or not at all.
            None => Finding::whole_file(format!(
                "`{name}` is ignored only by this user's excludes file, which the team does not share"
            ))
            .in_file(state.root.clone()),
        };
        sink.report(finding.help(help));
    }
}

/// The root, or the first of its files, that only a file of this machine ignores.
fn hidden(run: &Run<'_>, state: &StateRoot) -> Option<(BString, Decision)> {
    let of_machine = |decision: &Decision| decision.ignored && !decision.shared;
    if let Some(decision) = super::whole(run, state).filter(|decision| decision.ignored) {
        return Some((state.root.clone(), decision)).filter(|(_, decision)| of_machine(decision));
    }
    // Files of editors and operating systems are rightly ignored for one user only.
    let is_state = |path: &&BString| [".md", ".json", ".yaml", ".yml"].iter().any(|end| path.ends_with_str(end));
    let untracked = state.on_disk.iter().filter(|path| is_state(path) && !state.has_tracked(path.as_bstr()));
    let mut decided = untracked.filter_map(|path| Some((path.clone(), ignores::decide(run, path.as_bstr(), false)?)));
    decided.find(|(_, decision)| of_machine(decision))
}
