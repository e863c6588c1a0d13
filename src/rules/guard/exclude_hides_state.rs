//! # guard/exclude-hides-state
//!
//! ## What it flags
//!
//! State that is ignored by `.git/info/exclude` or by the excludes file of one user, and by no `.gitignore`.
//!
//! ## Why it matters
//!
//! These files are on one machine. On the others the same `git add .` takes the state in; or, for a team that keeps its
//! state in git, this machine's part of it never arrives, and nothing says so.
//!
//! ## Example
//!
//! `.squad/` in `.git/info/exclude`.
//!
//! ## How to fix
//!
//! Where the state is meant to stay out of git, add the line to `.gitignore`, which the team shares. Where it is meant to
//! be in git, delete the line.
//!
//! ## Source
//!
//! Upstream #1817: state that an exclude file hid was lost.

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::facts::state::State;
use crate::git::ignore::Decision;
use crate::options::{Options, Policy};
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/exclude-hides-state",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::Repository(check),
};

fn check(facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    for state in facts.states().iter().filter(|_| facts.sees_work_tree() && facts.changes().is_none()) {
        let stays_out = matches!(state.policy, Policy::NeverTracked | Policy::StateBranch);
        // What is in git already has a finding of its own.
        if stays_out && !state.tracked.is_empty() {
            continue;
        }
        let Some((path, decision)) = hidden(facts, state) else { continue };
        let inner = state.inner(path.as_bstr());
        let name = if path == state.root { format!("{}/", state.root) } else { path.to_string() };
        let line =
            if path == state.root { super::pattern(state, "") } else { super::pattern(state, &inner.to_str_lossy()) };
        let help = match stays_out {
            true => format!("add the line `{line}` to `.gitignore`, which the team shares"),
            false => format!(
                "delete the line, or add `{line}` to `.gitignore`, which the team shares, where it is meant to stay out of git"
            ),
        };
        let is_inside = facts.read(decision.file.as_bstr()).filter(|_| decision.file.starts_with(b".git/"));
        let finding = match is_inside {
            Some(source) => Finding::at(
                super::line(&source, &decision),
                format!("only `{}` ignores `{name}`: the team does not share it", decision.file),
            )
            .label("hides it here and nowhere else")
            .in_file(decision.file.clone()),
            // Another machine has this file elsewhere, or not at all.
            None => Finding::whole_file(format!(
                "only an excludes file of this user ignores `{name}`: the team does not share it"
            ))
            .in_file(state.root.clone()),
        };
        sink.report(finding.help(help));
    }
}

/// The root, or the first of its files, that only a file of this machine ignores.
fn hidden(facts: &Facts<'_>, state: &State) -> Option<(BString, Decision)> {
    let of_machine = |decision: &Decision| decision.ignored && !decision.shared;
    if let Some(decision) = super::whole(facts, state).filter(|decision| decision.ignored) {
        return Some((state.root.clone(), decision)).filter(|(_, decision)| of_machine(decision));
    }
    // What editors and systems drop everywhere is rightly ignored for one user alone.
    let is_state = |path: &&BString| [".md", ".json", ".yaml", ".yml"].iter().any(|end| path.ends_with_str(end));
    let untracked = state.on_disk.iter().filter(|path| is_state(path) && !state.has_tracked(path.as_bstr()));
    let mut decided = untracked.filter_map(|path| Some((path.clone(), facts.ignored(path.as_bstr(), false)?)));
    decided.find(|(_, decision)| of_machine(decision))
}
