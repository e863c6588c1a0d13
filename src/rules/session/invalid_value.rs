//! # session/invalid-value
//!
//! ## What it flags
//!
//! A value that its field cannot have. Examples are an unknown word, a percentage above 100, a timestamp that is a
//! number or has no offset from UTC, text instead of a list, a number or `true` as the name of an agent, an instance 0,
//! an instance that differs from the one in the name of the agent, a misspelt gate, and a boundary that is an invalid
//! glob, is empty, begins with `!`, or has `\` between folders. `session/invalid-lock` checks the values of locks.
//!
//! ## Why it matters
//!
//! Readers either stop at such a value or misread it: `20240115` is a number, not a date.
//!
//! ## Example
//!
//! ```yaml
//! status: done
//! progress_percentage: 120
//! ```
//!
//! ## How to fix
//!
//! Write a value that the field can have. Write timestamps as `2024-01-15T10:30:00Z`.
//!
//! ## Source
//!
//! Sessions, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#fields>

use super::shared;
use crate::diagnostic::{Finding, Severity};
use crate::formats::session::boundaries::Escape;
use crate::formats::session::{Fault, Kind, SessionFile};
use crate::ownership::overlap::PathGlob;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/invalid-value", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    for problem in &file.problems {
        if problem.fault == Fault::Value && file.kind != Some(Kind::Lock) {
            sink.report(shared::finding(problem));
        }
    }
    let Some(plan) = file.plan() else { return };
    for (boundary, is_allowed) in
        plan.allowed.iter().map(|glob| (glob, true)).chain(plan.forbidden.iter().map(|glob| (glob, false)))
    {
        let text = &boundary.glob.value;
        // `session/boundary-escape` reports what leads out.
        if Escape::of(text).is_some() {
            continue;
        }
        let shown = shared::short(text);
        let finding = if let Some(problem) = PathGlob::parse_with_names(text).err() {
            Finding::at(boundary.glob.span, format!("glob `{shown}` {problem}"))
                .label("matches nothing")
                .help("write a path, or a glob such as `src/**`")
        } else if let Some(rest) = shown.strip_prefix('!') {
            let finding =
                Finding::at(boundary.glob.span, format!("negated glob `{shown}`, which the protocol does not support"));
            match is_allowed {
                true => finding.label("does not allow anything").help(format!("write `{rest}` under `forbidden`")),
                false => finding
                    .label("does not forbid anything")
                    .help(format!("write `{rest}` under `allowed`, or remove it")),
            }
        } else if has_backslash(text) {
            Finding::at(boundary.glob.span, format!("glob `{shown}` has `\\`, expected `/` between folders"))
                .label("matches another path")
                .help(format!("write `{}`", shown.replace('\\', "/")))
        } else {
            continue;
        };
        sink.report(finding);
    }
}

/// Whether `\` is before another character than one that has a meaning in globs.
fn has_backslash(glob: &str) -> bool {
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && chars.next().is_some_and(|next| !r"*?[]{}!,\".contains(next)) {
            return true;
        }
    }
    false
}
