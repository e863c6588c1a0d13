//! State that must not get into git, or into a protected branch.

mod shared;

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Edit, Finding, Passage, Step};
use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, ignores, state_roots};
use crate::fs::path::inner_path;
use crate::git::ignore::{Decision, escaped};
use crate::rules::shell::word;
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

/// The command that takes `paths`, all in the root, out of the index and leaves them on disk; a folder ends in `/`.
fn untrack(run: &Run<'_>, state: &StateRoot, paths: impl IntoIterator<Item = BString>) -> String {
    let paths: BTreeSet<BString> = paths.into_iter().collect();
    let words: Vec<String> = paths.iter().map(|path| word(path.as_bstr())).collect();
    // Without these, git would refuse in order to protect changes; the file on disk stays as it is.
    let blockers = state_roots::untrack_blockers(run, state);
    let force = if blockers.modified { " -f" } else { "" };
    let sparse = if blockers.sparse { " --sparse" } else { "" };
    format!("git rm --cached -r{force}{sparse} {}", words.join(" "))
}

/// `finding` with the fix that does the same to the files at `paths`, where nothing can be lost by it.
fn untracking(finding: Finding, run: &Run<'_>, state: &StateRoot, paths: &[&BStr]) -> Finding {
    let blockers = state_roots::untrack_blockers(run, state);
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

/// The line for the top `.gitignore` that ignores `inner` of the root, or the root where `inner` is empty.
fn pattern(state: &StateRoot, inner: &str) -> String {
    pattern_in(b"".into(), state.path(inner).as_bstr())
}

/// The line for the `.gitignore` in `folder` that ignores `path`, where a folder ends in `/`.
fn pattern_in(folder: &BStr, path: &BStr) -> String {
    let inner = inner_path(path, folder);
    let has_inner_slash = inner.trim_end_with(|c| c == '/').contains(&b'/');
    // A line without an inner `/` matches at every depth: right for a state root at the top, wrong for all else.
    let anchor = if has_inner_slash || folder.is_empty() && inner.starts_with(b".") { "" } else { "/" };
    let line = escaped(inner).replace(ESCAPED_HISTORIES, HISTORIES);
    format!("{anchor}{}", line.as_bstr())
}

/// The histories of all agents, as a pattern and as a path.
const HISTORIES: &str = "agents/*/history.md";
const ESCAPED_HISTORIES: &str = "agents/\\*/history.md";

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

/// The comment with which Squad begins its list of runtime files. The list has no end mark: it goes on to the first other line.
const LIST: &str = "# Squad: ignore runtime state";

/// The last line of a block of ours.
const END: &str = "# squad-lint: end";

/// Where lines belong in `text`, an ignore file: at the end of Squad's own list, or of a block of ours. `None` if there is
/// neither, and if a line below it brings something back, which has to be above.
fn list_end(text: &str) -> Option<usize> {
    let (mut end, mut at, mut in_list) = (None, 0, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        match content {
            END => end = Some(at),
            _ if content.starts_with(LIST) => in_list = true,
            _ if content.starts_with('!') => (end, in_list) = (None, false),
            "" => in_list = false,
            _ if content.starts_with('#') => in_list &= content.starts_with("# Note: .squad/"),
            _ if in_list => end = Some(at + line.len()),
            _ => {}
        }
        at += line.len();
    }
    end
}

/// The step that adds `lines` to an ignore file: to a list that is there already, or between two comments that mark them. It
/// creates the file if there is none.
fn ignore_block(source: &Source, lines: &[String]) -> Step {
    let (text, end) = (source.text(), source.line_ending());
    if let Some(at) = list_end(text) {
        let is_open = text.get(..at).is_some_and(|above| !above.ends_with('\n'));
        let lines = lines.join(end);
        return match is_open {
            true => Edit::insert(at, format!("{end}{lines}")).into(),
            false => Edit::insert(at, format!("{lines}{end}")).into(),
        };
    }
    let gap = if text.is_empty() { "" } else { end };
    let gap = if text.ends_with('\n') { gap.to_owned() } else { gap.repeat(2) };
    let lines = lines.join(end);
    let block = format!("{gap}# squad-lint: runtime files of agents{end}{lines}{end}{END}{end}");
    match source.is_new() {
        true => Step::Create { path: source.path().into(), text: Passage::new(block, end) },
        false => Edit::insert(text.len(), block).into(),
    }
}

/// The rest of a help about untracking the root: how to ignore it.
fn ignore_too(run: &Run<'_>, state: &StateRoot) -> String {
    let is_ignored = whole(run, state).is_some_and(|decision| decision.ignored);
    match is_ignored || !run.sees_work_tree() {
        true => String::new(),
        false => format!(", add `{}` to `.gitignore`", pattern(state, "")),
    }
}

/// Whether the root as a whole is ignored, and what decides that.
fn whole(run: &Run<'_>, state: &StateRoot) -> Option<Decision> {
    ignores::decide(run, state.root.as_bstr(), true)
}
