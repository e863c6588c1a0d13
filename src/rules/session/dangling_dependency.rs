//! # session/dangling-dependency
//!
//! ## What it flags
//!
//! A task without a plan in the session. It is under `requires` or `blocks` of a plan, or it is the `task_id` of a
//! progress update, a lock or an error of a session with plans. A plan that cannot be read counts as the plan of the
//! task in its file name.
//!
//! ## Why it matters
//!
//! No agent works on a task without a plan, so it never completes, and the tasks that require it never start. If a
//! progress update has another ID than the plan, the task of the plan never completes either.
//!
//! ## Example
//!
//! ```yaml
//! dependencies:
//!   requires:
//!     - task_0001
//! ```
//!
//! ## How to fix
//!
//! Correct the ID, write the missing plan, or remove the dependency.
//!
//! ## Source
//!
//! Sessions, "Plans":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#plans>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::formats::session::field::{Field, TextField};
use crate::formats::session::model::Content;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/dangling-dependency",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(content) = context.document.body::<SessionFile>().and_then(|file| file.content.as_ref()) else { return };
    let under = |key: &'static str, ids: &'_ [Field<String>]| -> Vec<(String, Field<String>)> {
        ids.iter().map(|id| (format!("`{key}`"), id.clone())).collect()
    };
    let of =
        |id: &TextField| id.iter().map(|id| (format!("`task_id` of {}", content.kind().noun()), id.clone())).collect();
    let ids: Vec<(String, Field<String>)> = match content {
        Content::Plan(plan) => [under("requires", &plan.requires), under("blocks", &plan.blocks)].concat(),
        Content::Progress(progress) => of(&progress.task_id),
        Content::Lock(lock) => of(&lock.task_id),
        Content::Error(error) => of(&error.task_id),
        Content::Status(_) | Content::Message(_) | Content::Broadcast(_) | Content::Metrics(_) => return,
    };
    if ids.is_empty() {
        return;
    }
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    if session.summary.plans.is_empty() {
        return;
    }
    let own = if let Content::Plan(plan) = content { plan.task_id.as_ref().map(|id| id.value.as_str()) } else { None };
    for (place, id) in ids.into_iter().filter(|(_, id)| !session.has_task(&id.value)) {
        let text = super::shared::short(&id.value);
        let finding =
            Finding::at(id.span, format!("{place} names the task `{text}`, which has no plan in the session"));
        sink.report(match session.summary.graph.meant(&id.value, own) {
            Some(meant) => finding.label(format!("did you mean `{meant}`?")).help(format!("write `{meant}`")),
            None => finding.label("no such task").help("correct the ID, or write the plan of this task"),
        });
    }
}
