//! # guard/machine-path
//!
//! ## What it flags
//!
//! An absolute path of one machine (`/Users/…`, `/home/…`, `/workspaces/…`, `C:\…`) in a `config.json` or a manifest in
//! git, and any absolute path as `teamRoot`. The manifests of a state root are `casting/*.json`. In
//! `casting/history.json`, which no program reads, the finding is info. The rule also reports a `config.json` that
//! Squad cannot read, such as one with comments or a byte order mark, a `stateBackend` that Squad does not know,
//! a setting of another type than Squad reads, a duplicate key, and the key `__proto__`.
//!
//! ## Why it matters
//!
//! On every other machine the path leads nowhere, and the team is not found. It also reveals a user name. If Squad
//! cannot read the file, it only warns and uses the defaults: agents write to the working tree, although the team has its
//! state on a branch or outside of the repository.
//!
//! ## Example
//!
//! ```json
//! { "teamRoot": "/Users/verbal/src/app" }
//! ```
//!
//! ## How to fix
//!
//! Write the path relative to the repository, or keep a `config.json` out of git. Write a `config.json` as plain JSON.
//!
//! ## Source
//!
//! Squad folders, "Identity and runtime files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/squad-folders.md#identity-and-runtime-files>
//!
//! Squad issue 202:
//! <https://github.com/bradygaster/squad/issues/202>

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Run;
use crate::facts::state_roots::{CONFIG, StateRoot};
use crate::formats::json_shape::Problem;
use crate::formats::team_config::BACKENDS;
use crate::options::Policy;
use crate::rule::{Check, Rule, Sink};
use crate::rules::guard::shared::machine::{absolute_team_root, is_of_machine, strings};
use crate::text::Span;
use crate::text::suggest::{Tolerance, nearest};

/// The rule.
pub static RULE: Rule =
    Rule { name: "guard/machine-path", severity: Severity::Warning, check: Check::Repository(check), ..Rule::NEW };

fn check(run: &Run<'_>, sink: &mut Sink<'_>) {
    if !run.has_files() {
        return;
    }
    run.state_roots().iter().for_each(|state| report_unknown(run, state, sink));
    // If nothing may be in git, another rule reports the file.
    for state in run.state_roots().iter().filter(|state| state.policy != Policy::NeverTracked) {
        let is_runtime = |path: &BStr| {
            let (rule, gives_way) = (super::runtime_tracked::RULE.name, super::runtime_tracked::holds(state));
            gives_way && run.runs(rule) && state.runtime_of(path).is_some()
        };
        let manifests = state.tracked.iter().filter(|tracked| is_manifest(state, tracked.path.as_bstr()));
        for tracked in manifests.filter(|tracked| !is_runtime(tracked.path.as_bstr())) {
            let Some(source) = run.read(tracked.path.as_bstr()) else { continue };
            let inner = state.inner(tracked.path.as_bstr());
            let team_root = (inner == CONFIG).then(|| absolute_team_root(source.text())).flatten();
            let is_meant = |span: &Span| is_of_machine(span.of(source.text())) || Some(*span) == team_root;
            for span in strings(source.text()).filter(is_meant) {
                let finding = Finding::at(span, "found an absolute path, expected a path relative to the repository")
                    .in_file(tracked.path.clone())
                    .label("exists on one machine only")
                    .help("write the path relative to the repository, such as `.` for its root");
                let path = super::word(tracked.path.as_bstr());
                sink.report(match inner.as_bytes() {
                    b"config.json" => {
                        finding.help(format!("or run `git rm --cached {path}`, and add the file to `.gitignore`"))
                    }
                    // A record of the past, which no program reads.
                    b"casting/history.json" => finding.at_most(Severity::Info),
                    _ => finding,
                });
            }
        }
    }
}

/// Reports a `config.json` that Squad cannot read, or whose `stateBackend` it does not know, whether git has it or not.
fn report_unknown(run: &Run<'_>, state: &StateRoot, sink: &mut Sink<'_>) {
    let path = state.path(CONFIG);
    let is_meant = state.has_tracked(path.as_bstr()) || run.changes().is_none() && state.on_disk.contains(&path);
    if let Some((value, span)) = state.config.unknown_backend.as_ref().filter(|_| is_meant) {
        let known = BACKENDS.map(|backend| format!("`{backend}`"));
        let finding = Finding::at(*span, format!("`stateBackend` is `{value}`, expected one of {}", known.join(", ")))
            .in_file(path.clone())
            .label("unknown backend")
            .note(DEFAULTS);
        sink.report(match nearest(value, BACKENDS, Tolerance::Help) {
            Some(near) => finding.help(format!("write `{near}`")),
            None => finding.help("write one of these, or remove the setting"),
        });
    }
    for Problem { span, message, label, help, .. } in state.config.problems.iter().filter(|_| is_meant) {
        sink.report(Finding::at(*span, message).label(label).help(help).in_file(path.clone()));
    }
    let Some(error) = state.config.error.as_ref().filter(|_| is_meant) else { return };
    sink.report(
        Finding::at(error.span, format!("Squad cannot read this file: {}", error.message))
            .in_file(path)
            .label("expected a JSON object")
            .note(DEFAULTS)
            .help("write plain JSON, without comments, and save it as UTF-8 without a byte order mark"),
    );
}

const DEFAULTS: &str = "Squad uses the default: the state is in the working tree";

fn is_manifest(state: &StateRoot, path: &BStr) -> bool {
    let parts: Vec<&[u8]> = state.inner(path).split_str("/").collect();
    match parts.as_slice() {
        [name] => *name == b"config.json" || name.starts_with(b"casting-") && name.ends_with(b".json"),
        [b"casting", name] => name.ends_with(b".json"),
        _ => false,
    }
}
