//! # guard/identity-ignored
//!
//! ## What it flags
//!
//! `team.md`, a charter or a file in `casting/` that `.gitignore` ignores while other files of the same root are in
//! git. The rule applies to the policy `tracked-minus-runtime`. Ignoring a whole root, with none of its files in git,
//! is a choice and is not reported. The finding is info if none of the ignored files exists.
//!
//! The rule also reports the block of lines in `.gitignore` with which Squad ignores the state of its branch, if the `config.json` of the
//! team has no `stateBackend`, or one that keeps the state in the working tree, such as `local`. With `--staged` and `--from`, there is such
//! a finding only if the change touches one of the two files.
//!
//! ## Why it matters
//!
//! Every clone gets only a part of the team: agents without charters, or agents with a different name on each machine. If Squad's block
//! stays behind, git never gets the decisions and histories that agents write to the working tree.
//!
//! ## Example
//!
//! `*.json` in `.gitignore`, which hides `.squad/casting/registry.json`, while `.squad/team.md` is in git.
//!
//! ## How to fix
//!
//! Narrow or delete the line that ignores the file, and `git add` the file. Below a pattern that other folders need, such as
//! `*.json`, add `!.squad/casting/registry.json`. Delete the whole block of Squad.
//!
//! ## Source
//!
//! Squad folders, "Identity and runtime files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#identity-and-runtime-files>

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::state_roots::{CONFIG, StateRoot};
use crate::facts::{Run, ignores};
use crate::formats::team_config::TeamConfig;
use crate::git::ignore::Decision;
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::shared::ignore::{STATE, STATE_END, state_block};
use crate::select::changes::Changes;
use crate::text::prose::{enumerated, plural};

/// The rule.
pub static RULE: Rule =
    Rule { name: "guard/identity-ignored", severity: Severity::Warning, check: Check::Repository(check), ..Rule::NEW };

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    let whole = run.changes().is_none();
    let held = |state: &&StateRoot| {
        let is_kept = matches!(state.policy, Policy::Tracked | Policy::TrackedMinusRuntime);
        whole && is_kept && !state.tracked.is_empty()
    };
    for state in run.state_roots() {
        if let Some(finding) = leftover(run, state) {
            sink.report(finding);
        }
    }
    for state in run.state_roots().iter().filter(held) {
        let hidden: Vec<(BString, Decision)> = candidates(run, state)
            .into_iter()
            .filter(|path| !state.has_tracked(path.as_bstr()))
            .filter_map(|path| ignores::decide(run, path.as_bstr(), false).map(|decision| (path, decision)))
            .filter(|(_, decision)| decision.ignored && decision.shared)
            .collect();
        let Some((_, decision)) = hidden.first() else { continue };
        let paths: Vec<&BStr> = hidden.iter().map(|(path, _)| path.as_bstr()).collect();
        let Some(source) = run.read(decision.file.as_bstr()) else { continue };
        let span = super::line(&source, decision);
        let (count, first) = (plural(state.tracked.len(), "other file"), named(&paths));
        let are = if paths.len() == 1 { "is" } else { "are" };
        let there = paths.iter().filter(|path| state.on_disk.iter().any(|known| known == *path));
        let add: Vec<String> = there.map(|path| super::word(path)).collect();
        let finding = Finding::at(span, format!("{first} {are} ignored, but git tracks {count} in `{}/`", state.root))
            .in_file(decision.file.clone())
            .label("ignored by this line")
            .help(match span.of(source.text()) {
                // Other folders may need the pattern.
                pattern if pattern.starts_with("*.") && decision.file == ".gitignore" => {
                    let own = hidden.iter().filter(|(_, other)| other.line == decision.line);
                    let lines: Vec<String> = own.map(|(path, _)| format!("`!{path}`")).collect();
                    format!("add {} below this line, or make its pattern more specific", enumerated(&lines))
                }
                _ => "delete this line, or make its pattern more specific".to_owned(),
            });
        sink.report(match add.as_slice() {
            // The team may not have them.
            [] => finding.at_most(Severity::Info),
            add => finding.help(format!("then run `git add {}`", add.join(" "))),
        });
    }
}

/// The finding about the block of Squad for a state branch, although the team keeps its state in the work tree.
fn leftover(run: &Run<'_>, state: &StateRoot) -> Option<Finding> {
    let (config, file) = (state.path(CONFIG), BStr::new(".gitignore"));
    let is_known = state.has_tracked(config.as_bstr()) || state.on_disk.contains(&config);
    let TeamConfig { backend, backend_name, error, unknown_backend, .. } = &state.config;
    let is_local = is_known && !backend.has_branch() && error.is_none() && unknown_backend.is_none();
    let is_touched = |changes: &Changes| [file, config.as_bstr()].iter().any(|path| changes.change_of(path).is_some());
    let is_meant = run.has_files() && run.changes().is_none_or(is_touched) && state.policy != Policy::StateBranch;
    // The paths in the block are those of this root.
    if !is_meant || !is_local || state.root != ".squad" {
        return None;
    }
    let span = state_block(run.read(file)?.text())?;
    let message = match backend_name {
        Some(name) => format!("the `stateBackend` of the team is `{name}`, which keeps them in the working tree"),
        None => "the team has no `stateBackend`, and keeps them in the working tree".to_owned(),
    };
    let message = format!("this block ignores decisions and histories, but {message}");
    let finding = Finding::at(span, message).in_file(file).label("a block for the backends `orphan` and `two-layer`");
    let finding = finding.help(format!("delete the lines from `{STATE}` to `{STATE_END}`"));
    Some(finding.help(format!(
        "or set `stateBackend` in `{config}` to `orphan` or `two-layer` if the team keeps its state on a branch"
    )))
}

/// The first of `paths`, as the subject of a sentence.
fn named(paths: &[&BStr]) -> String {
    match paths.len() {
        0..=super::NAMED => enumerated(&paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>()),
        _ => super::first(paths),
    }
}

/// The identity files on disk and, unless the whole root is ignored, the usual ones.
fn candidates(run: &Run<'_>, state: &StateRoot) -> Vec<BString> {
    let is_identity = |path: &&BString| {
        let inner = state.inner(path.as_bstr());
        let parts: Vec<&[u8]> = inner.split_str("/").collect();
        matches!(parts.as_slice(), [b"team.md"] | [b"casting", _, ..] | [b"agents", .., b"charter.md"])
    };
    let mut paths: Vec<BString> = state.on_disk.iter().filter(is_identity).cloned().collect();
    if super::whole(run, state).is_none_or(|decision| !decision.ignored) {
        for inner in ["team.md", "casting/registry.json"].map(|inner| state.path(inner)) {
            if !paths.contains(&inner) {
                paths.push(inner);
            }
        }
    }
    paths
}
