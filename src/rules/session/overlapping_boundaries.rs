//! # session/overlapping-boundaries
//!
//! ## What it flags
//!
//! Two plans that let their agents change the same file at the same time. Plans run at the same time if neither waits
//! for the other, neither is completed, and they have different agents. Files that one of the two forbids are no
//! overlap. The rule compares the globs with each other, not with existing files. There is at most one finding for each
//! plan. If a session has so many plans that comparing all of them takes too long, there is a finding that says so.
//!
//! ## Why it matters
//!
//! Two agents that change a file at the same time undo each other's work.
//!
//! ## Example
//!
//! ```yaml
//! # the plan of `backend` allows `src/**`
//! meta:
//!   agent: frontend
//! boundaries:
//!   allowed:
//!     - src/web/**
//! ```
//!
//! ## How to fix
//!
//! Make one of the two globs narrower, add a dependency between the tasks, or let the agents lock the file.
//!
//! ## Source
//!
//! Sessions, "Boundaries":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#boundaries>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/overlapping-boundaries",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(plan) = context.document.body::<SessionFile>().and_then(SessionFile::plan) else { return };
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    if !session.summary.is_active() {
        return;
    }
    let path = context.document.path();
    if let Some(first) = plan.allowed.first().filter(|_| session.is_incomplete_at(path)) {
        sink.report(
            Finding::at(first.glob.span, "the plans from here on were not compared with all others")
                .label("takes too long")
                .help("write fewer globs, or narrower ones that begin with a folder"),
        );
    }
    let Some(overlap) = session.overlap(path) else { return };
    let Some(own) = plan.allowed.get(overlap.own) else { return };
    let Some((document, other)) = session.plan(overlap.other) else { return };
    let Some(theirs) = other.allowed.get(overlap.theirs) else { return };
    let name = |plan: &crate::formats::session::model::Plan| {
        plan.task_id
            .as_ref()
            .map_or_else(|| "another task".to_owned(), |task| format!("`{}`", super::shared::short(&task.value)))
    };
    let (shown, other) = (super::shared::short(&overlap.path), name(other));
    sink.report(
        Finding::at(
            own.glob.span,
            format!("{} and {other} can run at the same time, and both may change `{shown}`", name(plan)),
        )
        .label("allowed here")
        .related_in(document.path(), theirs.glob.span, format!("allowed for {other}"))
        .help("make one of the two globs narrower, or add a dependency between the tasks"),
    );
}
