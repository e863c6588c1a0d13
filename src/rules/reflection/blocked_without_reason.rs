//! # reflection/blocked-without-reason
//!
//! ## What it flags
//!
//! A task that ended as `blocked`, without `blocked_by` in its `follow_up`.
//!
//! ## Why it matters
//!
//! The obstacle stays, and the next member runs into it again.
//!
//! ## Example
//!
//! ```json
//! {
//!   "task_result": { "status": "blocked", "summary": "The migration waits.", "files_changed": [] },
//!   "reflection": { "what_worked": "", "what_didnt": "", "confidence": "low" },
//!   "suggested_learnings": [],
//!   "follow_up": { "needs_human": true }
//! }
//! ```
//!
//! ## How to fix
//!
//! Write in `follow_up.blocked_by` what blocks the task.
//!
//! ## Source
//!
//! Learning teams, "Reflection":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#reflection>

use crate::diagnostic::{Finding, Severity};
use crate::formats::reflection::Reflection;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "reflection/blocked-without-reason",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(reflection) = document.body::<Reflection>() else { return };
    let Some(status) = reflection.status.as_ref().filter(|status| status.value == "blocked") else { return };
    let reason = reflection.blocked_by.as_ref();
    if reason.is_some_and(|reason| !reason.value.trim().is_empty()) {
        return;
    }
    let finding = Finding::at(status.span, "task is `blocked`, but `follow_up.blocked_by` gives no reason")
        .help("give the reason in `follow_up.blocked_by`");
    sink.report(match reason {
        Some(reason) => finding.related(reason.span, "no reason given here"),
        None => finding,
    });
}
