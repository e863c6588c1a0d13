//! # guard/two-authorities
//!
//! ## What it flags
//!
//! Files of the state that are both in `.squad/` and on the state branch, with different content. The rule runs if the
//! `stateBackend` in `config.json` is `orphan` or `two-layer`, and under the policy `state-branch`. It compares
//! `decisions.md`, histories, the inbox, logs, sessions, `identity/`, `casting/`, `memory/` and the audit trails, in
//! git or on disk. A file on one side only is not reported.
//!
//! ## Why it matters
//!
//! Agents read one of the two, and people the other. If Squad cannot write to the branch, it only warns and writes to
//! the work tree. Agents that read the branch never see these changes.
//!
//! ## Example
//!
//! `.squad/decisions.md` in the work tree, and another `decisions.md` on `squad-state`.
//!
//! ## How to fix
//!
//! Compare the two with `git show squad-state:decisions.md`. Move text that is only in `.squad/` to the branch, and
//! delete the file in `.squad/`.
//!
//! ## Source
//!
//! Squad folders, "State on a branch":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-on-a-branch>

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::facts::state_roots::StateRoot;
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::shell::word;
use crate::select::revision::Revision;

/// The rule.
pub static RULE: Rule =
    Rule { name: "guard/two-authorities", severity: Severity::Warning, check: Check::Repository(check), ..Rule::NEW };

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    if !run.has_files() {
        return;
    }
    // The branch has one state: that of the team at the top of the repository.
    let is_meant = |state: &&StateRoot| {
        let is_kept_there = state.config.backend.has_branch() || state.policy == Policy::StateBranch;
        is_kept_there && !state.root.contains(&b'/')
    };
    for state in run.state_roots().iter().filter(is_meant) {
        let Some(branch) = run.state_branch() else { return };
        let in_git = state.tracked.iter().map(|tracked| &tracked.path);
        let paths: BTreeSet<&BStr> = in_git.chain(&state.on_disk).map(|path| path.as_bstr()).collect();
        let differing: Vec<&BStr> = paths.into_iter().filter(|path| differs(run, state, branch, path)).collect();
        let Some(path) = differing.first() else { continue };
        let (root, name, inner) = (&state.root, &branch.name, state.inner(path));
        let (count, first) = (super::files(differing.len()), super::first(&differing));
        let (differ, them) = if differing.len() == 1 { ("differs", "the file") } else { ("differ", "these files") };
        let object = [name.as_bytes(), b":", inner].concat();
        sink.report(
            Finding::whole_file(format!("{count} in `{root}/` {differ} from the state branch `{name}`: {first}"))
                .in_file(root.clone())
                .help(format!("compare `{path}` with `git show {}`", word(object.as_bstr())))
                .help(format!("copy the missing lines to `{name}`, and delete {them} from `{root}/`")),
        );
    }
}

/// Whether the file at `path` is on the branch, too, with other content.
fn differs(run: &Run<'_>, state: &StateRoot, branch: &Revision, path: &BStr) -> bool {
    let inner = state.inner(path);
    let parts: Vec<&[u8]> = inner.split_str("/").collect();
    let is_compared = match parts.as_slice() {
        // Each machine has an audit of its own.
        [b"memory", _, ..] => state.runtime_of(path).is_none(),
        [b"decisions.md"]
        | [b"agents", _, b"history.md"]
        | [b"decisions", b"inbox", _, ..]
        | [b"rai" | b"fact-checker", b"audit-trail.md"]
        | [b"log" | b"orchestration-log" | b"sessions" | b"identity" | b"casting", _, ..] => true,
        _ => false,
    };
    if !is_compared || !run.git(|_| branch.has(inner)).unwrap_or_default() {
        return false;
    }
    let (Some(here), Ok(there)) = (run.read(path), branch.read(inner, run.max_bytes())) else { return false };
    // Git may write other line ends to disk.
    let lines = |bytes: &[u8]| bytes.replace("\r\n", "\n");
    here.bytes() != there && lines(here.bytes()) != lines(&there)
}
