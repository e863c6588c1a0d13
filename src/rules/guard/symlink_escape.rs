//! # guard/symlink-escape
//!
//! ## What it flags
//!
//! A state root, or a path in it, that is a symbolic link out of the repository, and such a link on the branch that
//! holds the state. The rule also reports a submodule in the place of a root that must not be in git.
//!
//! ## Why it matters
//!
//! Files that agents write there end up in another project, in a home folder or on another disk. In a clone the link
//! leads nowhere, or to something else.
//!
//! ## Example
//!
//! `.ai-team` is a link to `../other-project/.ai-team`.
//!
//! ## How to fix
//!
//! Replace the link with a folder, or delete it.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, state_roots};
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::select::tracked::Kind;

/// The rule.
pub static RULE: Rule =
    Rule { name: "guard/symlink-escape", severity: Severity::Error, check: Check::Repository(check), ..Rule::NEW };

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    for state in run.state_roots() {
        report(&state_roots::escapes(run, state), state.root.as_bstr(), |path| state.has_tracked(path), sink);
        if is_submodule(state) {
            let command = format!("git rm --cached {}", super::word(state.root.as_bstr()));
            sink.report(
                Finding::whole_file("git tracks the state folder as a submodule")
                    .in_file(state.root.clone())
                    .help(format!("run `{command}`, and commit")),
            );
        }
    }
    if let Some((tracked, escapes)) = state_roots::escapes_at_top(run) {
        report(&escapes, BStr::new(""), |path| tracked.iter().any(|tracked| tracked.path == path), sink);
    }
}

/// Reports the first of `escapes` from the state root `root`.
fn report(escapes: &BTreeMap<BString, BString>, root: &BStr, is_tracked: impl Fn(&BStr) -> bool, sink: &mut Sink<'_>) {
    let Some((path, target)) = escapes.first_key_value() else { return };
    let more = match escapes.len() - 1 {
        0 => String::new(),
        1 => ", and so does 1 more link".to_owned(),
        more => format!(", and so do {more} more links"),
    };
    let what = if path == root { "folder" } else { "file or folder" };
    let finding = Finding::whole_file(format!("symlink points outside the repository, to `{target}`{more}"))
        .in_file(path.clone())
        .help(format!("delete the link, or replace it with a real {what}"));
    sink.report(match is_tracked(path.as_bstr()) {
        true => finding.help(format!("then run `git rm --cached {}`, and commit", super::word(path.as_bstr()))),
        false => finding,
    });
}

/// Whether the root is a link or a submodule, which this rule reports.
pub(super) fn replaces_root(state: &StateRoot, escapes: &BTreeMap<BString, BString>) -> bool {
    is_submodule(state) || escapes.contains_key(&state.root)
}

fn is_submodule(state: &StateRoot) -> bool {
    let at_root = |kind: Kind, path: &BString| kind == Kind::Submodule && *path == state.root;
    state.policy == Policy::NeverTracked && state.tracked.iter().any(|tracked| at_root(tracked.kind, &tracked.path))
}
