//! # guard/identity-ignored
//!
//! ## What it flags
//!
//! `team.md`, a charter or a file of `casting/` that `.gitignore` hides while git has other files of the same root, under
//! the policy `tracked-minus-runtime`. Ignoring a root whole, with none of its files in git, is a choice and not flagged.
//!
//! ## Why it matters
//!
//! Every clone gets a part of the team: agents without charters, or a cast that is drawn anew on each machine.
//!
//! ## Example
//!
//! `*.json` in `.gitignore`, which hides `.squad/casting/registry.json`, while `.squad/team.md` is in git.
//!
//! ## How to fix
//!
//! Narrow or delete the line that hides the file, and `git add` the file.
//!
//! ## Source
//!
//! Upstream: casting, charters and the roster are what a team is, and travel with the repository.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::facts::state::State;
use crate::git::ignore::Decision;
use crate::options::{Options, Policy};
use crate::rule::{Check, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/identity-ignored",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::Repository(check),
};

fn check(facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let whole = facts.changes().is_none();
    let held = |state: &&State| whole && state.policy == Policy::TrackedMinusRuntime && !state.tracked.is_empty();
    for state in facts.states().iter().filter(held) {
        let hidden: Vec<(BString, Decision)> = candidates(facts, state)
            .into_iter()
            .filter(|path| !state.has_tracked(path.as_bstr()))
            .filter_map(|path| facts.ignored(path.as_bstr(), false).map(|decision| (path, decision)))
            .filter(|(_, decision)| decision.ignored && decision.shared)
            .collect();
        let Some((_, decision)) = hidden.first() else { continue };
        let paths: Vec<&BStr> = hidden.iter().map(|(path, _)| path.as_bstr()).collect();
        let Some(source) = facts.read(decision.file.as_bstr()) else { continue };
        let span = super::line(&source, decision);
        let (count, first) = (super::files(state.tracked.len()), super::first(&paths));
        let add: Vec<String> = paths.iter().map(|path| super::word(path)).collect();
        sink.report(
            Finding::at(span, format!("{first} hidden from git, which has {count} under `{}/`", state.root))
                .in_file(decision.file.clone())
                .label("hides it")
                .help(format!("narrow or delete this line, then `git add {}`", add.join(" "))),
        );
    }
}

/// What makes the team and is on disk; and, unless the whole root is ignored, what is usually there.
fn candidates(facts: &Facts<'_>, state: &State) -> Vec<BString> {
    let is_identity = |path: &&BString| {
        let inner = state.inner(path.as_bstr());
        let parts: Vec<&[u8]> = inner.split_str("/").collect();
        matches!(parts.as_slice(), [b"team.md"] | [b"casting", _, ..] | [b"agents", .., b"charter.md"])
    };
    let mut paths: Vec<BString> = state.on_disk.iter().filter(is_identity).cloned().collect();
    if super::whole(facts, state).is_none_or(|decision| !decision.ignored) {
        for inner in ["team.md", "casting/registry.json"].map(|inner| state.path(inner)) {
            if !paths.contains(&inner) {
                paths.push(inner);
            }
        }
    }
    paths
}
