//! # guard/two-authorities
//!
//! ## What it flags
//!
//! Files of the state that are both in `.squad/` and on the state branch, with different content. The rule runs if the
//! `stateBackend` in `config.json` is `orphan` or `two-layer`, or if the policy is `state-branch`. It compares
//! `decisions.md`, histories, the inbox, logs, sessions, `identity/`, `casting/`, `memory/` and the audit trails, in
//! git or on disk. A file on one side only is not reported, nor is one that `guard/state-off-branch` reports.
//!
//! ## Why it matters
//!
//! Agents read one copy, and people the other. If Squad cannot write to the branch, it only warns and writes to
//! the working tree. Agents that read the branch never see these changes.
//!
//! ## Example
//!
//! `.squad/decisions.md` in the working tree, and another `decisions.md` on `squad-state`.
//!
//! ## How to fix
//!
//! Compare the two with `git show squad-state:decisions.md`. Move text that is only in `.squad/` to the branch, and
//! delete the file in `.squad/`. `casting/` stays in `.squad/`: make the two copies the same.
//!
//! ## Source
//!
//! Squad folders, "State on a branch":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-on-a-branch>

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, state_branch};
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::shared::copies::differs;
use crate::rules::shell::word;

/// The rule.
pub static RULE: Rule =
    Rule { name: "guard/two-authorities", severity: Severity::Warning, check: Check::Repository(check), ..Rule::NEW };

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    if !run.has_files() {
        return;
    }
    let is_meant = |state: &&StateRoot| state_branch::holds(run, state.root.as_bstr());
    for state in run.state_roots().iter().filter(is_meant) {
        let Some(branch) = run.state_branch() else { return };
        let in_git = state.tracked.iter().map(|tracked| &tracked.path);
        let paths: BTreeSet<&BStr> = in_git.chain(&state.on_disk).map(|path| path.as_bstr()).collect();
        let held = super::state_off_branch::held(run, state);
        let differing: Vec<&BStr> =
            paths.into_iter().filter(|path| !held.contains(path) && differs(run, state, branch, path)).collect();
        let Some(path) = differing.first() else { continue };
        let (root, name, inner) = (&state.root, &branch.name, state.inner(path));
        let (count, first) = (super::files(differing.len()), super::first(&differing));
        let (differ, them) = if differing.len() == 1 { ("differs", "the file") } else { ("differ", "these files") };
        let object = [name.as_bytes(), b":", inner].concat();
        let finding =
            Finding::whole_file(format!("{count} in `{root}/` ({first}) {differ} from the state branch `{name}`"))
                .in_file(root.clone())
                .help(format!("compare `{path}` with `git show {}`", word(object.as_bstr())));
        // The casting may be in both places, and Squad wants it on the working branches.
        let (casting, others): (Vec<&BStr>, Vec<&BStr>) =
            differing.iter().partition(|path| state.inner(path).starts_with(b"casting/"));
        let them = match (others.as_slice(), casting.is_empty()) {
            ([], _) => None,
            ([one], false) => Some(format!("`{one}`")),
            (_, false) => Some("the files outside of `casting/`".to_owned()),
            (_, true) => Some(them.to_owned()),
        };
        let finding = match them {
            Some(them) => finding.help(format!(
                "copy what only `{root}/` has to the branch `{name}`, then delete {them} from `{root}/`"
            )),
            None => finding,
        };
        sink.report(match casting.is_empty() {
            true => finding,
            false => finding.help(format!(
                "decide which copy of `casting/` is right, and write it to both places; do not delete `{root}/casting/`"
            )),
        });
    }
}
