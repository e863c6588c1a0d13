//! # session/overdue-plan
//!
//! ## What it flags
//!
//! A plan whose `timeout` is over by more than five minutes while its task is not completed. Sessions that have ended are ignored.
//!
//! ## Why it matters
//!
//! The agent has stopped or is stuck. Each task that waits for this one waits, too.
//!
//! ## Example
//!
//! ```yaml
//! meta:
//!   task_id: task_001
//!   created_at: 2024-01-15T10:30:00Z
//!   timeout: 300  # seconds
//! ```
//!
//! ## How to fix
//!
//! Look at the agent. Give the task to another one, or a longer `timeout`; if it is done, write that it is completed.
//!
//! ## Source
//!
//! Sessions, "Plans":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#plans>

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session;
use crate::formats::session::SessionFile;
use crate::formats::session::locks::CLOCK_SKEW_SECONDS;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/overdue-plan", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(plan) = context.document.body::<SessionFile>().and_then(SessionFile::plan) else { return };
    let (Some(task), Some(created), Some(timeout)) = (&plan.task_id, &plan.created_at, &plan.timeout) else { return };
    let seconds = i64::try_from(timeout.value).unwrap_or(i64::MAX);
    let end = created.value.unix().saturating_add(seconds);
    if end.saturating_add(CLOCK_SKEW_SECONDS) >= context.options.now.unix() {
        return;
    }
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    if !session.summary.is_active() || session.summary.is_completed(&task.value) {
        return;
    }
    let text = super::shared::short(&task.value);
    let finding =
        Finding::at(timeout.span, format!("task `{text}` is not completed, and its timeout of {seconds} s is over"))
            .label("its time is over")
            .related(created.span, "begins here");
    let update = session.summary.progress_of(&task.value).and_then(|at| session.file(at));
    let status = update.and_then(|(document, file)| Some((document, file.progress()?.status.as_ref()?)));
    sink.report(
        match status {
            Some((document, status)) => finding.related_in(document.path(), status.span, "how far it is"),
            None => finding.note("there is no progress update of this task"),
        }
        .help("look at the agent, or give the task a longer timeout"),
    );
}
