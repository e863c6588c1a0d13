//! # session/boundary-conflict
//!
//! ## What it flags
//!
//! A forbidden glob that matches the same path as an allowed glob of the same plan. It is an error if the forbidden
//! glob covers the whole allowed glob, and a warning if it covers a part of it. The rule compares the globs with each
//! other, not with existing files. There is one finding for each forbidden glob, about the allowed glob that it covers
//! most. If a plan has so many globs, or such long ones, that comparing them takes too long, there is a warning that
//! says so.
//!
//! ## Why it matters
//!
//! The protocol does not say which of the two counts. An agent that reads only `allowed` changes files that it must not
//! change, and an agent with a task in a forbidden folder cannot do it.
//!
//! ## Example
//!
//! ```yaml
//! boundaries:
//!   allowed:
//!     - backend/search/**
//!   forbidden:
//!     - backend/**
//! ```
//!
//! ## How to fix
//!
//! Remove one of the two globs, or narrow the allowed glob so that it does not match the forbidden files.
//!
//! ## Source
//!
//! Sessions, "Boundaries":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#boundaries>

use crate::diagnostic::{Finding, Severity};
use crate::formats::session::SessionFile;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/boundary-conflict", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(plan) = context.document.body::<SessionFile>().and_then(SessionFile::plan) else { return };
    let conflicts = plan.conflicts();
    if let Some(glob) = conflicts.incomplete.and_then(|glob| plan.forbidden.get(glob)) {
        sink.report(
            Finding::at(glob.glob.span, "the forbidden globs from here on were not compared with all allowed ones")
                .label("takes too long")
                .help("write fewer or shorter globs")
                .at_most(Severity::Warning),
        );
    }
    for conflict in conflicts.found {
        let Some(allowed) = plan.allowed.get(conflict.allowed) else { continue };
        let Some(forbidden) = plan.forbidden.get(conflict.forbidden) else { continue };
        let (yes, no) = (super::shared::short(&allowed.glob.value), super::shared::short(&forbidden.glob.value));
        let path = super::shared::short(&conflict.path);
        let message = match conflict.nothing_left {
            true if yes == no => format!("`{yes}` is both allowed and forbidden"),
            true => {
                format!("forbidden glob `{no}` covers allowed glob `{yes}`")
            }
            false => format!("allowed glob `{yes}` and forbidden glob `{no}` both match `{path}`"),
        };
        let finding = Finding::at(forbidden.glob.span, message)
            .label("forbidden here")
            .related(allowed.glob.span, "allowed here")
            .help(match yes == no {
                true => "remove it from one of the two lists",
                false => "remove one of the two globs, or make the allowed one narrower",
            });
        sink.report(match conflict.nothing_left {
            true => finding,
            false => finding.at_most(Severity::Warning).note("squad-lint treats a path that matches both as forbidden"),
        });
    }
}
