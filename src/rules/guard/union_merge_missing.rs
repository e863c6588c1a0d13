//! # guard/union-merge-missing
//!
//! ## What it flags
//!
//! Files in git that agents only append to, without `merge=union` in `.gitattributes`. They are `decisions.md`,
//! `agents/*/history.md`, `log/` and `orchestration-log/`. The rule ignores files with SEM entries: a union merge drops a
//! `---` between two of them. It also ignores files with `merge=squad-lint`, which `squad-lint install --merge-driver` writes:
//! these are merged entry by entry. Off by default.
//!
//! ## Why it matters
//!
//! Two branches that append to the same file conflict at every merge. A union merge keeps both additions.
//!
//! ## Example
//!
//! `.squad/decisions.md` without a line in `.gitattributes`.
//!
//! ## How to fix
//!
//! Add the lines from the help of the finding to `.gitattributes`, or run `squad-lint install --merge-driver`.
//!
//! ## Source
//!
//! Squad folders, "Decisions and their archives":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#decisions-and-their-archives>
//!
//! gitattributes, "Built-in merge drivers":
//! <https://git-scm.com/docs/gitattributes#_built_in_merge_drivers>

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::state_roots::StateRoot;
use crate::facts::{Run, attributes};
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::text::prose::enumerated;

/// The rule.
pub static RULE: Rule = Rule {
    name: "guard/union-merge-missing",
    severity: Severity::Info,
    enabled: false,
    check: Check::Repository(check),
    ..Rule::NEW
};

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    for state in run.state_roots().iter().filter(|state| state.policy != Policy::NeverTracked) {
        let tracked = state.tracked.iter().map(|tracked| tracked.path.as_bstr());
        let appended = tracked.filter_map(|path| Some((path, glob(state, path)?)));
        let has_sem = |path: &BStr| {
            run.document_at(path).is_some_and(|document| document.entries.sem(document.text()).next().is_some())
        };
        let is_merged =
            |path: &BStr| attributes::merges_by_union(run, path) || attributes::merges_by_entries(run, path);
        let missing = appended.filter(|(path, _)| !is_merged(path) && !has_sem(path));
        let missing: Vec<_> = missing.collect();
        if missing.is_empty() {
            continue;
        }
        let paths: Vec<&BStr> = missing.iter().map(|(path, _)| *path).collect();
        let globs: BTreeSet<&str> = missing.iter().map(|(_, glob)| *glob).collect();
        let lines: Vec<_> = globs.iter().map(|glob| format!("`{}/{glob} merge=union`", state.root)).collect();
        let (count, first) = (super::files(paths.len()), super::first(&paths));
        sink.report(
            Finding::whole_file(format!("agents append to {count} without the attribute `merge=union`: {first}"))
                .in_file(".gitattributes")
                .help(format!("add {} to `.gitattributes`", enumerated(&lines))),
        );
    }
}

/// The attribute pattern for the append-only file at `path`.
fn glob(state: &StateRoot, path: &BStr) -> Option<&'static str> {
    let parts: Vec<&[u8]> = state.inner(path).split_str("/").collect();
    Some(match parts.as_slice() {
        [b"decisions.md"] => "decisions.md",
        [b"agents", _, b"history.md"] => "agents/*/history.md",
        [b"log", _, ..] => "log/**",
        [b"orchestration-log", _, ..] => "orchestration-log/**",
        _ => return None,
    })
}
