//! # session/overdue-plan
//!
//! ## What it flags
//!
//! A plan whose `timeout` passed more than five minutes ago while its task is not completed. The timeout begins at
//! `created_at`, or at the completion of the last task that this one requires, whichever is later. A task that still
//! waits for others is not overdue, unless its agent has begun. The rule ignores sessions that have ended.
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
//! Check what the agent does. Give the task to another agent, or set a longer `timeout`. If the task is done, mark it
//! as completed.
//!
//! ## Source
//!
//! Sessions, "Plans":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#plans>

use bstr::BStr;

use crate::diagnostic::{Finding, Severity};
use crate::facts::team_session::{self, TeamSession};
use crate::formats::session::SessionFile;
use crate::formats::session::field::TaskState;
use crate::formats::session::locks::CLOCK_SKEW_SECONDS;
use crate::formats::session::model::Plan;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "session/overdue-plan", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(plan) = context.document.body::<SessionFile>().and_then(SessionFile::plan) else { return };
    let (Some(task), Some(created), Some(timeout)) = (&plan.task_id, &plan.created_at, &plan.timeout) else { return };
    let seconds = i64::try_from(timeout.value).unwrap_or(i64::MAX);
    let is_over =
        |begin: i64| begin.saturating_add(seconds).saturating_add(CLOCK_SKEW_SECONDS) < context.options.now.unix();
    if !is_over(created.value.unix()) {
        return;
    }
    let Some(session) = team_session::of(context.run(), context.document) else { return };
    if !session.summary.is_active() || session.summary.is_completed(&task.value) {
        return;
    }
    let update = session.summary.progress_of(&task.value).and_then(|at| session.file(at));
    let status = update.and_then(|(document, file)| Some((document, file.progress()?.status.as_ref()?)));
    let has_begun = status.is_some_and(|(_, status)| status.value != TaskState::Pending);
    let before = before(&session, context.document.path(), plan);
    let last = before.last().copied().flatten();
    if !has_begun && (before.contains(&None) || last.is_some_and(|last| !is_over(last))) {
        return;
    }
    let text = super::shared::short(&task.value);
    let finding = Finding::at(timeout.span, format!("task `{text}` timed out after {seconds} s"))
        .label("timed out")
        .related(created.span, "created here");
    sink.report(
        match status {
            Some((document, status)) => finding.related_in(document.path(), status.span, "latest status"),
            None => finding.note("the task has no progress update"),
        }
        .help("check on the agent, or give the task a longer timeout"),
    );
}

/// When each task was completed that comes before the plan at `path`, in order; `None` for one that is not.
fn before(session: &TeamSession, path: &BStr, plan: &Plan) -> Vec<Option<i64>> {
    let graph = &session.summary.graph;
    let places = session.plan_at(path).map(|at| graph.before(at)).unwrap_or_default();
    let ids = places.iter().filter_map(|at| Some(&session.plan(*at)?.1.task_id.as_ref()?.value));
    let completed = |id: &String| {
        let at = session.summary.progress_of(id).filter(|_| session.summary.is_completed(id))?;
        let updated = session.file(at)?.1.progress()?.updated_at.as_ref();
        Some(updated.map_or(i64::MIN, |at| at.value.unix()))
    };
    let mut all: Vec<_> = plan.requires.iter().map(|id| &id.value).chain(ids).map(completed).collect();
    all.sort_unstable();
    all
}
