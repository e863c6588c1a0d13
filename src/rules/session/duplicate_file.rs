//! # session/duplicate-file
//!
//! ## What it flags
//!
//! A plan with the `task_id` of another plan, or a second session status, such as `session-status.yaml` beside
//! `session-status.md`.
//!
//! ## Why it matters
//!
//! Two agents work on the same task, and both report its progress. Programs read only one of two statuses, and not all
//! read the same one.
//!
//! ## Example
//!
//! ```yaml
//! # role-plan-frontend-task_001.md, and there is role-plan-backend-task_001.md
//! meta:
//!   task_id: task_001
//!   agent: frontend
//! ```
//!
//! ## How to fix
//!
//! Give the second plan another task ID, or delete it. Keep one status.
//!
//! ## Source
//!
//! Sessions, "Names of files":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#names-of-files>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::formats::session::model::Content;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/duplicate-file", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(file) = context.document.body::<SessionFile>() else { return };
    // `session/name-mismatch` reports what is another file than its name says.
    if !file.kind.is_some_and(|kind| file.named.allows(kind)) {
        return;
    }
    let path = context.document.path();
    match &file.content {
        Some(Content::Plan(plan)) => {
            let Some(task) = &plan.task_id else { return };
            let Some(session) = team_session::of(context.run(), context.document) else { return };
            let first = session.plan_of(&task.value).filter(|(document, _)| document.path() != path);
            let Some((document, Some(other))) = first.map(|(document, plan)| (document, &plan.task_id)) else { return };
            let text = super::shared::short(&task.value);
            sink.report(
                Finding::at(task.span, format!("task `{text}` has a second plan, expected one"))
                    .label("second plan")
                    .related_in(document.path(), other.span, "the first plan")
                    .help("give this plan another task ID, or delete one of the two"),
            );
        }
        Some(Content::Status(_)) => {
            let Some(session) = team_session::of(context.run(), context.document) else { return };
            let first = session.summary.status.and_then(|at| session.file(at));
            let Some((document, other)) = first.filter(|(document, _)| document.path() != path) else { return };
            sink.report(
                Finding::at(file.first, "session has a second status, expected one")
                    .label("second status")
                    .related_in(document.path(), other.first, "the first status")
                    .help("keep one of the two files"),
            );
        }
        _ => {}
    }
}
