//! # session/missing-field
//!
//! ## What it flags
//!
//! A file of a session in which a required field is missing or empty. `response_by` is required if `response_needed` is
//! `true`. If a session status, a plan, a progress update or a message is empty, is a list, or has only unknown fields,
//! one finding says so. `session/invalid-lock` checks the fields of locks.
//!
//! ## Why it matters
//!
//! The supervisor and the other agents read these fields to know which agent works on which task, which agents wait,
//! and which files an agent may change.
//!
//! ## Example
//!
//! ```yaml
//! meta:
//!   task_id: task_001
//!   agent: backend
//!   created_at: 2024-01-15T10:30:00Z
//! instruction: Add the search endpoint.
//! ```
//!
//! ## How to fix
//!
//! Add the field. The page on sessions lists the fields of each kind.
//!
//! ## Source
//!
//! Sessions, "Fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#fields>

use super::shared;
use crate::diagnostic::Severity;
use crate::formats::session::{Fault, Kind, SessionFile};
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/missing-field", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    for problem in
        file.problems.iter().filter(|problem| problem.fault == Fault::Missing && file.kind != Some(Kind::Lock))
    {
        sink.report(shared::finding(problem));
    }
}
