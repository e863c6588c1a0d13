//! # guard/state-off-branch
//!
//! ## What it flags
//!
//! State that agents write, in git on another branch than the state branch, under the policy `state-branch`. The state
//! branch is `squad-state`, or the one that `state-branch` under `[guard]` names. Agents write `decisions.md`, the
//! histories, `decisions/inbox/`, `log/`, `orchestration-log/`, `sessions/`, `.scratch/` and `identity/`. All other
//! files may be on any branch, such as `team.md`, charters and `casting/`.
//!
//! ## Why it matters
//!
//! State on two branches drifts apart, and every merge of a working branch brings it along.
//!
//! ## Example
//!
//! `.squad/decisions.md` in the index while the branch `feature` is checked out.
//!
//! ## How to fix
//!
//! Run `git rm --cached -r .squad/decisions.md` or `squad-lint --fix --unsafe-fixes` on the working branch, and commit.
//! Let agents write only to the state branch.
//!
//! ## Source
//!
//! Squad folders, "State in git":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#state-in-git>
//!
//! Squad issue 1228:
//! <https://github.com/bradygaster/squad/issues/1228>

use std::collections::{BTreeSet, HashSet};

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Finding, Severity};
use crate::facts::branch_contents::BranchContents;
use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, ignores};
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::shared::copies::differs;
use crate::rules::guard::shared::ignore;
use crate::rules::shell::word;

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/state-off-branch",
    severity: Severity::Error,
    fixes: &[Applicability::Unsafe],
    check: Check::Repository(check),
    ..Rule::NEW
};

/// The files of the root that the rule reports.
pub(super) fn held<'r>(run: &'r Run<'_>, state: &StateRoot) -> HashSet<&'r BStr> {
    if !run.runs(RULE.name) || state.policy != Policy::StateBranch {
        return HashSet::new();
    }
    let tracked = elsewhere(run).flat_map(|carried| carried.paths.values().flatten());
    tracked.map(|tracked| tracked.path.as_bstr()).filter(|path| state.mutable_of(path).is_some()).collect()
}

/// What is on branches other than that of the state.
fn elsewhere<'r>(run: &'r Run<'_>) -> impl Iterator<Item = &'r BranchContents> {
    let home = run.options.guard.state_branch.as_str();
    run.branch_contents().iter().filter(move |carried| carried.branch.as_ref().is_none_or(|name| name != home))
}

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let options = run.options;
    let home = options.guard.state_branch.as_str();
    for state in run.state_roots().iter().filter(|state| state.policy == Policy::StateBranch) {
        let is_same = |root: &[u8]| root.eq_ignore_ascii_case(&state.root);
        let of_root = elsewhere(run).flat_map(|carried| &carried.paths).filter(|(root, _)| is_same(root));
        let paths = of_root.flat_map(|(_, tracked)| tracked).map(|tracked| tracked.path.as_bstr());
        let (parts, paths): (BTreeSet<BString>, Vec<&BStr>) =
            paths.filter_map(|path| Some((state.mutable_of(path)?, path))).unzip();
        if paths.is_empty() {
            continue;
        }
        let root = &state.root;
        let (count, first) = (super::files(paths.len()), super::first(&paths));
        let is_open = |part: &&BString| {
            let path = part.strip_suffix(b"/").unwrap_or(part).as_bstr();
            run.sees_work_tree() && !ignores::decide(run, path, part.ends_with(b"/")).is_some_and(|found| found.ignored)
        };
        let line = |part: &BString| ignore::pattern_in(BStr::new(""), part.as_bstr());
        let lines: Vec<String> = parts.iter().filter(is_open).map(line).collect();
        let command = super::untrack(run, state, parts);
        let finding = Finding::whole_file(format!(
            "git tracks {count} under `{root}/` on this branch ({first}), but the state belongs on the branch `{home}`"
        ))
        .in_file(root.clone())
        .help(copying(run, state, &paths))
        .help(format!("then run `{command}`, and commit (files stay on disk)"))
        .note("`state-branch` under `[guard]` in `squad-lint.toml` names the state branch");
        let differing = match run.state_branch().as_ref().filter(|_| run.has_files()) {
            Some(branch) => paths.iter().filter(|path| differs(run, state, branch, path)).count(),
            None => 0,
        };
        let finding = match (differing, paths.len()) {
            (0, _) => finding,
            (1, 1) => finding.note(format!("`{home}` has the file with different content: compare the two first")),
            (some, _) => {
                let files = super::files(some);
                finding.note(format!("`{home}` has {files} of them with different content: compare them first"))
            }
        };
        sink.report(super::untracking(ignore::helped(finding, &lines), run, state, &paths));
    }
}

/// How to bring the files at `paths` to the state branch, which has them without the root.
fn copying(run: &Run<'_>, state: &StateRoot, paths: &[&BStr]) -> String {
    let home = run.options.guard.state_branch.as_str();
    let them = if paths.len() == 1 { "the file" } else { "the files" };
    let Some(path) = paths.first().filter(|_| run.state_branch().is_some()) else {
        return format!("copy {them} to the branch `{home}`");
    };
    let folder = word(format!("../{}", home.rsplit('/').next().unwrap_or(home)).as_str().into());
    let (home, inner) = (word(home.into()), state.inner(path));
    format!("run `git worktree add {folder} {home}`, and commit {them} there (`{path}` as `{inner}`)")
}
