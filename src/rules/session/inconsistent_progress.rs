//! # session/inconsistent-progress
//!
//! ## What it flags
//!
//! A progress update that contradicts itself. The task is completed below 100 %, not completed at 100 %, blocked
//! without blockers, or completed with blockers.
//!
//! ## Why it matters
//!
//! Tasks that wait for this one start when it is completed, and the supervisor reads its blockers to see where help is
//! needed.
//!
//! ## Example
//!
//! ```yaml
//! status: blocked
//! progress_percentage: 75
//! ```
//!
//! ## How to fix
//!
//! Correct the status or the percentage. If the task is blocked, write under `blockers` what it waits for.
//!
//! ## Source
//!
//! Sessions, "Progress updates":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#progress-updates>

use crate::diagnostic::{Finding, Severity};
use crate::formats::session::SessionFile;
use crate::formats::session::field::TaskState;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/inconsistent-progress",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(progress) = context.document.body::<SessionFile>().and_then(SessionFile::progress) else { return };
    let Some(status) = &progress.status else { return };
    let (state, word) = (status.value, status.value.as_str());
    if let Some(percentage) = &progress.percentage {
        let percent = percentage.value;
        if state == TaskState::Completed && percent < 100 {
            sink.report(
                Finding::at(percentage.span, format!("task is completed at {percent}%, expected 100%"))
                    .label("not 100")
                    .related(status.span, "completed")
                    .help("correct the percentage or the status"),
            );
        } else if state != TaskState::Completed && percent == 100 {
            sink.report(
                Finding::at(status.span, format!("task is `{word}` at 100%, expected `completed`"))
                    .label("not completed")
                    .related(percentage.span, "100%")
                    .help("correct the status or the percentage"),
            );
        }
    }
    match (state, progress.blockers.first()) {
        (TaskState::Blocked, None) => sink.report(
            Finding::at(status.span, "task is blocked, but has no blockers")
                .label("expected a blocker")
                .help("write under `blockers` what the task waits for, or correct the status"),
        ),
        (TaskState::Completed, Some(blocker)) => {
            let finding = Finding::at(status.span, "task is completed, but has blockers").label("completed");
            let finding = match &blocker.description {
                Some(description) => finding.related(description.span, "a blocker"),
                None => finding,
            };
            sink.report(finding.help("remove the blockers, or correct the status"));
        }
        _ => {}
    }
}
