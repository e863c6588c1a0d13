//! State that must not get into git, or into a protected branch.

mod shared;

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::Finding;
use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, ignores, state_roots};
use crate::git::ignore::Decision;
use crate::rules::shell::word;
use crate::select::tracked::UntrackBlockers;
use crate::text::{Source, Span};

crate::family! {
    tracked_state
    protected_branch
    state_off_branch
    two_authorities
    runtime_tracked
    not_ignored
    identity_ignored
    exclude_hides_state
    npm_leak
    symlink_escape
    machine_path
    union_merge_missing
    no_ci_guard
}

/// How many paths a message names.
const NAMED: usize = 3;

/// `1 file`, `2 files`.
fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// The first of `paths`, and how many there are beyond them.
fn first(paths: &[&BStr]) -> String {
    let named: Vec<String> = paths.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    match paths.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn them(count: usize) -> &'static str {
    if count == 1 { "it" } else { "them" }
}

/// The command that removes `paths`, all in the root, from the index and leaves them on disk; a folder ends in `/`.
fn untrack(run: &Run<'_>, state: &StateRoot, paths: impl IntoIterator<Item = BString>) -> String {
    untrack_in_spite(state_roots::untrack_blockers(run, state), paths)
}

/// The same in spite of `blockers`.
fn untrack_in_spite(blockers: UntrackBlockers, paths: impl IntoIterator<Item = BString>) -> String {
    let paths: BTreeSet<BString> = paths.into_iter().collect();
    let words: Vec<String> = paths.iter().map(|path| word(path.as_bstr())).collect();
    // Without these, git would refuse in order to protect changes; the file on disk stays as it is.
    let force = if blockers.modified { " -f" } else { "" };
    let sparse = if blockers.sparse { " --sparse" } else { "" };
    format!("git rm --cached -r{force}{sparse} {}", words.join(" "))
}

/// Adds that the inbox among `paths` is to be merged first: other clones lose what git no longer tracks.
fn merging_first(finding: Finding, state: &StateRoot, paths: &[&BStr]) -> Finding {
    match paths.iter().any(|path| is_in_inbox(state, path)) {
        true => {
            finding.help("run `squad-lint memory merge-inbox` first, so that no clone loses the entries of the inbox")
        }
        false => finding,
    }
}

/// Whether the file at `path` is in the inbox of the root.
fn is_in_inbox(state: &StateRoot, path: &BStr) -> bool {
    state.inner(path).starts_with(b"decisions/inbox/")
}

/// The help that says to run `command`, which untracks files. A long command comes last.
fn run_and_commit(command: &str) -> String {
    match command.len() {
        0..=80 => format!("run `{command}`, then commit (files stay on disk)"),
        _ => format!("run this, then commit (files stay on disk): `{command}`"),
    }
}

/// `finding` with the fix that does the same to the files at `paths`, where nothing can be lost by it.
fn untracking(finding: Finding, run: &Run<'_>, state: &StateRoot, paths: &[&BStr]) -> Finding {
    untracking_in_spite(finding, run, state_roots::untrack_blockers(run, state), paths)
}

/// The same in spite of `blockers`.
fn untracking_in_spite(finding: Finding, run: &Run<'_>, blockers: UntrackBlockers, paths: &[&BStr]) -> Finding {
    match run.sees_work_tree() && !blockers.only_staged && !blockers.sparse {
        true => finding.untrack(paths.iter().copied()),
        false => finding,
    }
}

/// The root as git untracks it: a folder, or the link or submodule in its place.
fn root_argument(state: &StateRoot) -> BString {
    let is_entry = state.tracked.iter().any(|tracked| tracked.path == state.root);
    if is_entry { state.root.clone() } else { state.path("") }
}

/// Where the line of `decision` is in its file.
fn line(source: &Source, decision: &Decision) -> Span {
    let text = source.text();
    let mut lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some(Span::new(start, *at).trim(text))
    });
    lines.nth(decision.line.saturating_sub(1)).unwrap_or_default()
}

/// The rest of a help about untracking the root: how to ignore it.
fn ignore_too(run: &Run<'_>, state: &StateRoot) -> String {
    let is_ignored = whole(run, state).is_some_and(|decision| decision.ignored);
    match is_ignored || !run.sees_work_tree() {
        true => String::new(),
        false => format!(", add `{}` to `.gitignore`", shared::ignore::pattern(state, "")),
    }
}

/// Whether the root as a whole is ignored, and what decides that.
fn whole(run: &Run<'_>, state: &StateRoot) -> Option<Decision> {
    ignores::decide(run, state.root.as_bstr(), true)
}
