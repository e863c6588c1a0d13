//! # session/inconsistent-status
//!
//! ## What it flags
//!
//! A session status that contradicts itself. `tasks_completed` is above `tasks_total`, the session ends before it
//! starts, or it is completed although a gate is missing or not passed, or a task is not completed.
//!
//! ## Why it matters
//!
//! The supervisor decides by these numbers when to end the session or start its next phase. One of them is wrong.
//!
//! ## Example
//!
//! ```yaml
//! status: completed
//! tasks_total: 12
//! tasks_completed: 12
//! validation_gates:
//!   quality: pending
//! ```
//!
//! ## How to fix
//!
//! Correct the number, the gate or the status.
//!
//! ## Source
//!
//! Sessions, "Session status":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/sessions.md#session-status>

use crate::diagnostic::{Finding, Severity};
use crate::formats::session::SessionFile;
use crate::formats::session::field::{GateState, Phase, SessionState};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::enumerated;

/// The rule.
pub static RULE: Rule = Rule {
    name: "session/inconsistent-status",
    severity: Severity::Warning,
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(status) = context.document.body::<SessionFile>().and_then(SessionFile::status) else { return };
    let state = status.status.as_ref();
    let ended = state.filter(|state| state.value == SessionState::Completed);
    if let (Some(total), Some(completed)) = (&status.tasks_total, &status.tasks_completed) {
        let (all, done) = (total.value, completed.value);
        if done > all {
            sink.report(
                Finding::at(completed.span, format!("`tasks_completed` is {done}, expected at most {all}"))
                    .label("more than `tasks_total`")
                    .related(total.span, "all tasks")
                    .help("correct one of the two numbers"),
            );
        } else if let Some(ended) = ended.filter(|_| done < all) {
            sink.report(
                Finding::at(
                    ended.span,
                    format!("session is completed, but `tasks_completed` is {done}, expected {all}"),
                )
                .label("completed")
                .related(completed.span, "completed tasks")
                .help("correct the status or the number of tasks"),
            );
        }
    }
    if let (Some(from), Some(to)) = (&status.started_at, &status.ended_at)
        && to.value.unix() < from.value.unix()
    {
        sink.report(
            Finding::at(to.span, "session ends before it starts")
                .label("earlier than its start")
                .related(from.span, "starts here")
                .help("correct one of the two timestamps"),
        );
    }
    let Some(ended) = ended else { return };
    let has = |phase: &str| status.gates.iter().any(|gate| gate.name.value.eq_ignore_ascii_case(phase));
    let missing: Vec<String> =
        Phase::WORDS.iter().filter(|phase| !has(phase)).map(|phase| format!("`{phase}`")).collect();
    // Without any, the field is missing.
    if !missing.is_empty() && !status.gates.is_empty() {
        let noun = if missing.len() == 1 { "gate" } else { "gates" };
        let names = enumerated(&missing);
        sink.report(
            Finding::at(ended.span, format!("completed session has no {noun} {names}"))
                .label("completed")
                .help(format!("add {names} to `validation_gates`, or correct the status")),
        );
    }
    for gate in &status.gates {
        let Some(state) = gate.state.as_ref().filter(|state| state.value != GateState::Passed) else { continue };
        let (name, word) = (super::shared::short(&gate.name.value), state.value.as_str());
        sink.report(
            Finding::at(state.span, format!("gate `{name}` of a completed session is `{word}`, expected `passed`"))
                .label("not passed")
                .related(ended.span, "the session is completed")
                .help("correct the gate or the status"),
        );
    }
}
