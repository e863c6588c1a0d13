//! # guard/runtime-tracked
//!
//! ## What it flags
//!
//! Files in git that belong to one machine or session, under the policy `tracked-minus-runtime`, the default for
//! `.squad/`, and `state-branch`. They are logs, inboxes, sessions, caches and the marker files of Squad's commands;
//! the page under *Source* lists them. The finding is info if only `.first-run` and `memory/audit.jsonl` are in git,
//! which `squad init` leaves there. A `config.json` counts if its state is external or if it consults another team;
//! `guard/machine-path` reports one with an absolute path. `.squad-workstream` beside `.squad/` counts, too. A
//! `.gitkeep` does not.
//!
//! ## Why it matters
//!
//! In git these files cause conflicts and grow the history.
//!
//! ## Example
//!
//! `.squad/orchestration-log/2026-02-15-keaton.md` in the index.
//!
//! ## How to fix
//!
//! Merge the inbox with `squad-lint memory merge-inbox`, because other clones lose untracked files. Then untrack the
//! files, keep them on disk, and add them to `.gitignore`. The help has the command and the lines. Once no inbox is in
//! git, `squad-lint --fix --unsafe-fixes` untracks the files, and the fix of `guard/not-ignored` adds the lines; with
//! `--staged` there is a fix only for files that are ignored already. If `.gitignore` has one of the lines as a comment,
//! the team has decided against it: the finding is info and has no fix. To keep these files in git, set
//! `"guard/runtime-tracked" = "off"` under `[rules]`.
//!
//! ## Source
//!
//! Squad folders, "Identity and runtime files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#identity-and-runtime-files>
//!
//! Squad pull request 1056:
//! <https://github.com/bradygaster/squad/pull/1056>
//!
//! Squad issue 1830:
//! <https://github.com/bradygaster/squad/issues/1830>

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::state_roots::{LEFT_BY_INIT, RUNTIME, StateRoot};
use crate::facts::{Run, ignores};
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::shared::workstream::WORKSTREAM;
use crate::rules::guard::shared::{self, ignore, keeps_folder, kept};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/runtime-tracked",
    severity: Severity::Warning,
    fixes: &[Applicability::Unsafe],
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    for state in run.state_roots().iter().filter(|state| holds(state)) {
        let paths: Vec<&BStr> = tracked(state).map(|(path, _)| path).collect();
        if paths.is_empty() {
            continue;
        }
        let parts: BTreeSet<&str> = tracked(state).map(|(_, part)| part).collect();
        let root = &state.root;
        let (count, first) = (plural(paths.len(), "runtime file"), super::first(&paths));
        let command = super::untrack(run, state, parts.iter().map(|part| argument(state, part)));
        // With the parts that are not in git yet: without their lines, the next run would ask for them.
        let open = super::shared::open_runtime(run, state);
        let is_open = |part: &str| open.iter().any(|(path, _)| *path == state.path(part));
        let unignored = RUNTIME.into_iter().filter(|part| match parts.contains(part) {
            true => !is_ignored(run, state, part),
            false => run.sees_work_tree() && is_open(part),
        });
        let lines: Vec<String> = unignored.map(|part| ignore::pattern(state, part)).collect();
        let them = super::them(paths.len());
        let finding = Finding::whole_file(format!("git tracks {count} under `{root}/`: {first}")).in_file(root.clone());
        if let Some(line) = refused(run, state) {
            sink.report(kept::kept(finding, &line, them));
            continue;
        }
        let is_initial = parts.iter().all(|part| LEFT_BY_INIT.contains(part));
        let finding = if is_initial { finding.at_most(Severity::Info) } else { finding };
        let finding = super::merging_first(finding, state, &paths).help(super::run_and_commit(&command));
        // Then all of it is to stay out of git, not its runtime files alone.
        let whole = super::whole(run, state).filter(|decision| decision.ignored);
        let whole =
            whole.map(|_| format!("`{root}/` is ignored as a whole: `git rm --cached -r {root}/` untracks all of it"));
        let notes = whole.into_iter().chain([format!("to track {them} on purpose, {}", kept::OFF)]);
        let finding = notes.fold(ignore::helped(finding, &lines), Finding::note);
        // With a change, no fix adds the lines: without them, the next `git add` brings the files back.
        let is_lasting = run.changes().is_none() || parts.iter().all(|part| is_ignored(run, state, part));
        // Who untracks an inbox that is not merged takes it from all other clones.
        let is_merged = !paths.iter().any(|path| super::is_in_inbox(state, path));
        sink.report(if is_lasting && is_merged { super::untracking(finding, run, state, &paths) } else { finding });
    }
    let holds_top = run.state_roots().iter().any(|state| holds(state) && state.root == ".squad");
    if holds_top && shared::has(run, WORKSTREAM.into()) {
        sink.report(shared::workstream::finding(run));
    }
}

/// Whether runtime files of the root are kept out of git.
pub(super) fn holds(state: &StateRoot) -> bool {
    matches!(state.policy, Policy::TrackedMinusRuntime | Policy::StateBranch)
}

/// The runtime files that git has, each with the part that it belongs to.
pub(super) fn tracked(state: &StateRoot) -> impl Iterator<Item = (&BStr, &'static str)> {
    let found = state.tracked.iter().filter_map(|tracked| {
        let path = tracked.path.as_bstr();
        let part = state.runtime_of(path)?;
        // Another rule reports what belongs on a state branch.
        let is_elsewhere = state.policy == Policy::StateBranch && state.mutable_of(path).is_some();
        (!is_elsewhere).then_some((path, part))
    });
    found.filter(|(path, _)| !keeps_folder(path))
}

/// A line of the `.gitignore` at the top that would ignore a part of the runtime, if it were not a comment.
pub(super) fn refused(run: &Run<'_>, state: &StateRoot) -> Option<String> {
    let patterns: Vec<String> = RUNTIME.iter().map(|part| ignore::pattern(state, part)).collect();
    kept::commented(run, &patterns)
}

/// The part as git has it: names compare without case, commands do not.
fn argument(state: &StateRoot, part: &str) -> bstr::BString {
    let mut of_part = tracked(state).filter(|(_, other)| *other == part);
    let Some((path, _)) = of_part.next() else { return state.path(part) };
    path.get(..state.root.len() + 1 + part.len()).unwrap_or(path).into()
}

fn is_ignored(run: &Run<'_>, state: &StateRoot, part: &str) -> bool {
    let path = state.path(part.trim_end_matches('/'));
    ignores::decide(run, path.as_bstr(), part.ends_with('/')).is_some_and(|decision| decision.ignored)
}
